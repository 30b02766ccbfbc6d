// The machine of a lane in a simulated world: time, network and server come from a seed. Bytes are
// cut into pieces anywhere, arrive late, are lost with their connection at any byte in either
// direction; the server stalls; connections cannot be made; calls time out and are cancelled. Some
// seeds break connections so often that hardly a handshake ends (a storm).
//
// What must hold in every world: a call ends exactly once and in time; an answer belongs to its
// call; a call that is reported as not run has not; nothing runs twice unless it may; order is
// kept.
//
// SLOTCAR_SIM_SEEDS sets how many worlds; a failure names its seed.
#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <set>

#include "lane_machine.h"
#include "runtime/random.h"

namespace slotcar::client {
namespace {

constexpr Nanos kMs = runtime::kMillisecond;

class World {
 public:
  explicit World(std::uint64_t seed) : random_(seed) {}
  Nanos now() const { return now_; }
  std::uint64_t below(std::uint64_t bound) { return random_.below(bound); }
  bool one_in(std::uint64_t n) { return below(n) == 0; }
  Nanos up_to(Nanos longest) {
    return static_cast<Nanos>(below(static_cast<std::uint64_t>(longest) + 1));
  }
  void after(Nanos delay, std::function<void()> what) {
    events_.emplace(now_ + delay, std::move(what));
  }
  bool step() {
    if (events_.empty()) return false;
    auto first = events_.begin();
    now_ = first->first;
    const auto what = std::move(first->second);
    events_.erase(first);
    what();
    return true;
  }

 private:
  runtime::FastRandom random_;
  Nanos now_ = kMs;
  std::multimap<Nanos, std::function<void()>> events_;
};

// What the server has done; it outlives connections.
struct Ledger {
  std::map<std::string, int> runs;  // by the call's tag
  std::string last_once;            // of the calls that must not run twice, in their order
  bool in_order = true;
};

// The server's end of one connection: requests in, answers out. A request looks like a reply that
// is an array of strings, so the client's own parser reads it.
class ServerEnd {
 public:
  explicit ServerEnd(Ledger& ledger) : ledger_(ledger) {}
  std::string take(std::string_view bytes) {
    parser_.feed(bytes);
    std::string answers;
    Reply request;
    while (parser_.next(request) == ReplyParser::Outcome::value) {
      const std::string& command = request[0].text();
      if (command == "HELLO") {
        answers += "%1\r\n+proto\r\n:3\r\n";
      } else if (command == "PING") {
        answers += "+PONG\r\n";
      } else if (command == "ASKING") {
        answers += "+OK\r\n";
      } else {
        // Pushes come between the answers, and are not answers.
        if (++runs_ % 16 == 0) answers += ">2\r\n$10\r\ninvalidate\r\n*1\r\n$1\r\nk\r\n";
        answers += run(command, request[1].text());
      }
    }
    return answers;
  }

 private:
  std::string run(const std::string& command, const std::string& tag) {
    ++ledger_.runs[tag];
    if (command == "ONCE") {
      if (tag <= ledger_.last_once) ledger_.in_order = false;
      ledger_.last_once = tag;
    }
    if (tag.back() == '7') return "-ERR " + tag + "\r\n";
    return "$" + std::to_string(tag.size()) + "\r\n" + tag + "\r\n";
  }
  Ledger& ledger_;
  ReplyParser parser_;
  int runs_ = 0;
};

class SimLane : private LaneEvents {
 public:
  SimLane(World& world, bool storm)
      : machine_({.pending_calls_max = 200, .down_calls_max = 50, .silence_max = 400 * kMs},
                 {.protocol = 3}, *this),
        world_(world),
        storm_(storm) {}
  ~SimLane() override { machine_.fail_all({Error::Kind::closed, Error::Ran::no, "end"}); }

  void start() { dial(); }
  void calm() { calm_ = true; }

  void submit() {
    char tag[16];
    std::snprintf(tag, sizeof tag, "%08d", ++count_);
    const bool repeats = world_.one_in(3);
    auto call =
        std::make_unique<Call>(Request(repeats ? "AGAIN" : "ONCE").arg(std::string_view(tag)));
    call->id = static_cast<std::uint64_t>(count_);
    call->may_repeat = repeats;
    call->deadline = world_.now() + 20 * kMs + world_.up_to(300 * kMs);
    if (world_.one_in(8)) {
      // Two commands that count as one call.
      call->raw = "*1\r\n$6\r\nASKING\r\n";
      append_request(call->raw, call->request);
      call->answers = 2;
    }
    Call& ref = *call;
    live_[&ref] = std::move(call);
    machine_.submit(ref, world_.now());
    if (world_.one_in(20)) {
      world_.after(world_.up_to(30 * kMs), [this, id = static_cast<std::uint64_t>(count_)] {
        (void)machine_.cancel(id);
        flush();
      });
    }
    flush();
  }
  // All results of the calls, against what the server did.
  void judge() const {
    EXPECT_TRUE(live_.empty()) << live_.size() << " calls never ended";
    EXPECT_TRUE(ledger_.in_order);
    for (const auto& [tag, ran] : said_) {
      const auto found = ledger_.runs.find(tag);
      const int runs = found == ledger_.runs.end() ? 0 : found->second;
      EXPECT_TRUE(ran != Error::Ran::no || runs == 0) << tag << " was said not to have run";
      EXPECT_TRUE(ran != Error::Ran::yes || runs >= 1) << tag << " was answered by nobody";
      EXPECT_TRUE(runs <= 1 || repeatable_.contains(tag)) << tag << " ran " << runs << " times";
    }
  }
  std::size_t ended() const { return said_.size(); }

 private:
  void dial() {
    if (!calm_ && world_.one_in(storm_ ? 2 : 6)) return lose("refused");
    ++epoch_;
    end_ = std::make_unique<ServerEnd>(ledger_);
    up_arrival_ = down_arrival_ = world_.now();
    connected_ = true;
    machine_.connected(world_.now());
    if (!calm_ && (storm_ || world_.one_in(3))) {
      const Nanos life = storm_ ? world_.up_to(15 * kMs) : world_.up_to(400 * kMs);
      world_.after(life, [this, epoch = epoch_] {
        if (epoch == epoch_ && connected_) lose("cut");
      });
    }
    flush();
  }
  void lose(const char* why) {
    connected_ = false;
    ++epoch_;  // what is still under way in either direction is lost
    machine_.disconnected({Error::Kind::connection, Error::Ran::unknown, why}, world_.now());
    world_.after(world_.up_to(20 * kMs), [this] { dial(); });
    plan_tick();
  }
  // The socket takes a random part, now; it arrives in pieces.
  void flush() {
    if (connected_ && machine_.failure()) return lose("failed");
    while (connected_ && !machine_.output.empty()) {
      iovec piece;
      machine_.output.vectors(&piece, 1, 1 + world_.below(60));
      const std::string bytes(static_cast<const char*>(piece.iov_base), piece.iov_len);
      machine_.output.consume(bytes.size());
      machine_.sent(bytes.size());
      up_arrival_ = std::max(up_arrival_, world_.now() + world_.up_to(2 * kMs));
      world_.after(up_arrival_ - world_.now(), [this, bytes, epoch = epoch_] {
        if (epoch == epoch_) answer(end_->take(bytes));
      });
      if (world_.one_in(4)) break;  // the rest later: the socket is full
    }
    if (connected_ && !machine_.output.empty() && !flush_planned_) {
      flush_planned_ = true;
      world_.after(world_.up_to(kMs), [this] {
        flush_planned_ = false;
        flush();
      });
    }
    plan_tick();
  }
  void answer(const std::string& bytes) {
    for (std::size_t at = 0; at < bytes.size();) {
      const std::size_t size = 1 + world_.below(std::min<std::size_t>(bytes.size() - at, 40));
      // Sometimes the server is busy, for longer than most callers wait.
      const Nanos delay = !calm_ && world_.one_in(200) ? 500 * kMs : world_.up_to(2 * kMs);
      down_arrival_ = std::max(down_arrival_, world_.now() + delay);
      world_.after(down_arrival_ - world_.now(),
                   [this, part = bytes.substr(at, size), epoch = epoch_] {
                     if (epoch != epoch_) return;
                     machine_.received(part, world_.now());
                     flush();
                   });
      at += size;
    }
  }
  void plan_tick() {
    const Nanos due = machine_.next_due();
    if (due == kNoDeadline || due >= tick_at_) return;
    tick_at_ = due;
    world_.after(std::max<Nanos>(0, due - world_.now()), [this, due] {
      if (tick_at_ == due) tick_at_ = kNoDeadline;
      machine_.tick(world_.now());
      flush();
    });
  }

  void on_settled(Call& call, Result<Reply>&& result, std::size_t) override {
    const auto found = live_.find(&call);
    ASSERT_NE(found, live_.end()) << "ended twice";
    const std::string tag(call.request.argument(1));
    EXPECT_LE(world_.now(), call.deadline) << tag;
    if (result) {
      EXPECT_EQ(result->text(), tag) << "another call's answer";
    } else if (result.error().kind == Error::Kind::server) {
      EXPECT_EQ(result.error().message, "ERR " + tag) << "another call's answer";
    }
    EXPECT_TRUE(said_.emplace(tag, result ? Error::Ran::yes : result.error().ran).second);
    if (call.may_repeat) repeatable_.insert(tag);
    live_.erase(found);
  }
  void on_push(Reply&& push) override { EXPECT_EQ(push[0].text(), "invalidate"); }
  void on_up() override {}
  void on_down() override {}

  std::map<Call*, std::unique_ptr<Call>> live_;
  std::map<std::string, Error::Ran> said_;
  std::set<std::string> repeatable_;
  LaneMachine machine_;
  World& world_;
  Ledger ledger_;
  std::unique_ptr<ServerEnd> end_;
  bool storm_;
  bool calm_ = false;
  bool connected_ = false;
  bool flush_planned_ = false;
  std::uint64_t epoch_ = 0;
  Nanos up_arrival_ = 0;
  Nanos down_arrival_ = 0;
  Nanos tick_at_ = kNoDeadline;
  int count_ = 0;
};

TEST(LaneSimulation, EveryWorldKeepsTheRules) {
  const char* seeds = std::getenv("SLOTCAR_SIM_SEEDS");
  const std::uint64_t worlds = seeds ? std::strtoull(seeds, nullptr, 10) : 150;
  for (std::uint64_t seed = 1; seed <= worlds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    World world(seed);
    SimLane lane(world, seed % 3 == 0);
    lane.start();
    for (int i = 0; i < 300; ++i) {
      world.after(world.up_to(2'000 * kMs), [&lane] { lane.submit(); });
    }
    world.after(2'000 * kMs, [&lane] { lane.calm(); });
    for (int steps = 0; steps < 200'000 && world.now() < 5'000 * kMs && world.step(); ++steps) {
    }
    lane.judge();
    EXPECT_EQ(lane.ended(), 300u);
    if (testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace slotcar::client
