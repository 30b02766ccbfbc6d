#include "splitter.h"

#include <atomic>
#include <map>

#include "core.h"
#include "schema/slot.h"

namespace slotcar::client::detail {

std::optional<Error> first_error(const std::vector<const Result<Reply>*>& parts) {
  std::optional<Error> error;
  bool none_ran = true;
  for (const Result<Reply>* part : parts) {
    none_ran &= !part->ok() && part->error().ran == Error::Ran::no;
    if (!part->ok() && !error) error = part->error();
  }
  if (error && !none_ran && error->ran == Error::Ran::no) error->ran = Error::Ran::unknown;
  return error;
}

namespace {

// Collects the parts; the last one passes the result to the caller and destroys the object.
class Gathering {
 public:
  struct Part final : Receiver {
    Gathering* gathering = nullptr;
    std::vector<std::size_t> places;  // of its keys in the original request
    std::optional<Result<Reply>> result;
    void receive(Result<Reply>&& r) override {
      result.emplace(std::move(r));
      gathering->one_came();
    }
  };

  Gathering(std::string_view command, std::size_t keys, std::size_t count, Receiver& receiver)
      : parts(count),
        left_(count),
        keys_(keys),
        receiver_(receiver),
        lists_(command == "mget"),
        says_ok_(command == "mset") {
    for (Part& part : parts) part.gathering = this;
  }

  std::vector<Part> parts;

 private:
  void one_came() {
    if (left_.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    Receiver& receiver = receiver_;
    Result<Reply> result = merge();
    delete this;
    receiver.receive(std::move(result));
  }

  Result<Reply> merge() {
    std::vector<Reply> values(lists_ ? keys_ : 0);
    std::int64_t sum = 0;
    std::vector<const Result<Reply>*> results;
    for (const Part& part : parts) results.push_back(&*part.result);
    if (auto error = first_error(results)) return std::move(*error);
    for (Part& part : parts) {
      Reply& reply = **part.result;
      if (lists_) {
        std::vector<Reply> items = reply.take_items();
        for (std::size_t i = 0; i < items.size() && i < part.places.size(); ++i) {
          values[part.places[i]] = std::move(items[i]);
        }
      } else if (!says_ok_) {
        const auto number = reply.as_integer();
        if (!number) return number.error();
        sum += *number;
      }
    }
    if (lists_) return Reply::of_items(Reply::Kind::array, std::move(values));
    if (says_ok_) return Reply::of_text(Reply::Kind::text, "OK");
    return Reply::of_integer(sum);
  }

  std::atomic<std::size_t> left_;
  std::size_t keys_;
  Receiver& receiver_;
  bool lists_;
  bool says_ok_;
};

}  // namespace

bool Splitter::start(Core& core, const Call& call, const CallOptions& options) {
  const std::string_view command = call.row->name;
  const std::size_t step = command == "mset" ? 2 : 1;
  const std::size_t count = (call.request.arguments() - 1) / step;
  if (count * step != call.request.arguments() - 1) return false;  // the server reports it
  std::map<std::uint16_t, std::vector<std::size_t>> by_slot;
  for (std::size_t i = 0; i < count; ++i) {
    by_slot[schema::slot_of(call.request.argument(1 + i * step)).value].push_back(i);
  }
  if (by_slot.size() < 2) return false;
  auto* gathering = new Gathering(command, count, by_slot.size(), *call.receiver);
  std::vector<Request> requests;
  std::vector<Receiver*> receivers;
  for (auto& [slot, places] : by_slot) {
    Request request(call.request.command());
    for (const std::size_t place : places) {
      request.key(call.request.argument(1 + place * step));
      if (step == 2) request.arg(call.request.argument(2 + place * step));
    }
    auto& part = gathering->parts[requests.size()];
    part.places = std::move(places);
    receivers.push_back(&part);
    requests.push_back(std::move(request));
  }
  CallOptions part_options = options;
  part_options.split = false;
  // The collector may be destroyed in the last `start`: it is not touched after that.
  for (std::size_t i = 0; i < requests.size(); ++i) {
    core.start(std::move(requests[i]), part_options, *receivers[i]);
  }
  return true;
}

}  // namespace slotcar::client::detail
