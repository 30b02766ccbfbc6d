// What a typed GET costs more than a raw one, on the machine of a lane, without sockets: for
// bench/client_cost.py, which counts instructions.
//
//   typed_cost raw|typed CALLS
#include <cstdio>
#include <cstdlib>
#include <string>

#include "lane_machine.h"
#include "slotcar/redis.h"

using namespace slotcar::client;

namespace {

class LoneLane final : public LaneEvents {
 public:
  LoneLane() : machine_({}, {.protocol = 2, .check_ready = false}, *this) { machine_.connected(1); }

  Result<Reply> run(Request request) {
    Call call(std::move(request));
    machine_.submit(call, 1);
    while (!machine_.output.empty()) {
      iovec piece;
      machine_.output.vectors(&piece, 1, SIZE_MAX);
      const std::size_t size = piece.iov_len;
      machine_.output.consume(size);
      machine_.sent(size);
    }
    machine_.received("$20\r\na value of twenty b.\r\n", 1);
    return std::move(*result_);
  }

 private:
  void on_settled(Call&, Result<Reply>&& result, std::size_t) override {
    result_.emplace(std::move(result));
  }
  void on_push(Reply&&) override {}
  void on_up() override {}
  void on_down() override {}

  std::optional<Result<Reply>> result_;
  LaneMachine machine_;
};

// The value as a std::string, the text moved.
[[gnu::noinline]] std::string raw(LoneLane& lane, std::string_view key) {
  Result<Reply> reply = lane.run(Request("GET").key(key));
  return reply ? reply->take_text() : std::string();
}

[[gnu::noinline]] std::string typed(LoneLane& lane, std::string_view key) {
  Result<std::optional<std::string>> value =
      detail::decode_result<std::optional<std::string>>(lane.run(commands::get(key).request()));
  return value && *value ? std::move(**value) : std::string();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  LoneLane lane;
  std::size_t bytes = 0;
  const bool is_typed = std::string_view(argv[1]) == "typed";
  for (int i = std::atoi(argv[2]); i > 0; --i) {
    bytes += is_typed ? typed(lane, "user:1000").size() : raw(lane, "user:1000").size();
  }
  std::printf("%zu\n", bytes);
}
