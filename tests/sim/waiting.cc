#include "sim/waiting.h"

#include <fmt/format.h>

#include <algorithm>
#include <climits>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "resp/reply_parser.h"
#include "world/sim_node.h"

namespace slotcar::sim {
namespace {

using runtime::kMillisecond;
using world::Words;

constexpr int kKeys = 5;
constexpr int kBlockers = 6;
constexpr int kPushers = 3;
constexpr int kPhases = 4;
constexpr int kPushesPerPhase = 5;
constexpr int kWaitsPerPhase = 4;
constexpr int kMischiefPerPhase = 4;
constexpr std::uint64_t kStepsMax = 2'000'000;
constexpr int kTurnsMax = 100;
// Longer than a packet that is lost and sent again, a stalled thread and a timeout together.
constexpr runtime::Nanos kQuiet = 400 * kMillisecond;

world::SimNodeOptions choose_options(std::uint64_t seed) {
  runtime::SimDice dice(seed ^ 0x77616974);
  world::SimNodeOptions options;
  options.workers = 1 + static_cast<std::uint32_t>(dice.below(4));
  options.shards = 1u << dice.below(5);
  options.pause_ppm = dice.below(4) == 0 ? 0 : 150'000;
  return options;
}

// One connection: requests one after the other, each answered before the next.
class Peer {
 public:
  explicit Peer(world::SimNode& sim) : sim_(sim) {}
  virtual ~Peer() = default;

  void connect() {
    parser_ = std::make_unique<resp::ReplyParser>();
    client_ = sim_.connect();
    client_->set_on_change([this] { look(); });
  }
  void ask(const Words& words) {
    ++awaited_;
    client_->send(world::encode(words));
  }
  void break_off() {
    client_.reset();
    awaited_ = 0;
  }
  bool connected() const { return client_ != nullptr; }
  bool idle() const { return awaited_ == 0; }

 protected:
  virtual void answered(const resp::Value& reply) = 0;
  virtual void gone() {}  // the server has ended the connection

  world::SimNode& sim_;

 private:
  void look() {
    parser_->feed(client_->take());
    resp::Value reply;
    while (client_ && parser_->next(reply) == resp::ReplyParser::Outcome::value) {
      --awaited_;
      answered(reply);
    }
    if (!client_ || !client_->closed()) return;
    // Not from within its own event.
    client_->set_on_change(nullptr);
    awaited_ = 0;
    gone();
  }

  std::unique_ptr<runtime::SimClient> client_;
  std::unique_ptr<resp::ReplyParser> parser_;
  int awaited_ = 0;
};

// What is known of every element.
class Ledger {
 public:
  std::string make() {
    const std::string element = fmt::format("e{}", elements_.size());
    elements_[element];
    return element;
  }
  // It is pushed and removed in one transaction: no client may ever see it.
  std::string make_void() {
    const std::string element = make();
    elements_[element].is_void = true;
    return element;
  }
  void delivered(const std::string& element, const std::string& to) {
    auto& state = elements_[element];
    ++state.deliveries;
    state.told += " " + to;
  }
  int made() const { return static_cast<int>(elements_.size()); }
  void found(const std::string& element) { ++elements_[element].found; }
  void look_again() {
    for (auto& [element, state] : elements_) state.found = 0;
  }
  // How many are nowhere; what is wrong besides goes into the complaints.
  int judge(std::vector<std::string>& complaints) const {
    int missing = 0;
    for (const auto& [element, state] : elements_) {
      const int seen = state.deliveries + state.found;
      if (state.is_void ? seen > 0 : seen > 1) {
        complaints.push_back(fmt::format("{} was delivered {} times (to{}) and is in {} lists",
                                         element, state.deliveries, state.told, state.found));
      }
      if (!state.is_void && seen == 0) ++missing;
    }
    return missing;
  }

 private:
  struct State {
    int deliveries = 0;
    int found = 0;
    bool is_void = false;
    std::string told;
  };
  std::map<std::string, State> elements_;
};

struct Delivery {
  std::string key;
  int began;  // the phase in which its wait began
};

struct Stage {
  explicit Stage(std::uint64_t seed) : sim(seed, choose_options(seed)), dice(seed) {
    moves = seed % 2 == 0;
    // Many movers at few keys: their waiter tasks meet those who come for the same elements.
    if (moves && dice.coin()) keys = 2, movers = 2;
    auto& blocking = sim.node().settings().execution.blocking;
    if (dice.coin()) blocking.wakeup_batch = 1 + static_cast<std::int64_t>(dice.below(3));
  }
  std::string some_key() { return fmt::format("k{}", dice.below(keys)); }

  world::SimNode sim;
  runtime::SimDice dice;
  Ledger ledger;
  WaitingCounters counters;
  std::vector<std::string> complaints;
  std::vector<Delivery> deliveries;  // of this phase
  int phase = 0;
  int events = 0;       // replies and ends of connections
  int may_be_lost = 0;  // with connections that were broken by their own side
  bool moves = false;
  std::uint64_t movers = 4;  // one of so many blockers moves
  std::uint64_t keys = kKeys;
};

class Blocker final : public Peer {
 public:
  Blocker(Stage& stage, int number)
      : Peer(stage.sim), stage_(stage), name_(fmt::format("b{}", number)) {}

  void begin_phase() {
    left_ = static_cast<int>(stage_.dice.below(kWaitsPerPhase + 1));
    if (!connected() || ended_) {
      ended_ = false;
      id_ = 0;
      killed_at_ = INT_MAX;
      connect();
      ask({"CLIENT", "ID"});
    } else if (!waits()) {
      wait();
    }
  }
  bool waits() const { return !keys_.empty(); }
  bool waits_without_end() const { return waits() && !timed_; }
  int began() const { return began_; }
  const std::vector<std::string>& keys() const { return keys_; }
  const std::string& name() const { return name_; }
  std::int64_t id() const { return id_; }
  // Its connection was killed, and that has been answered: what is pushed from now on is not for
  // it.
  void was_killed() { killed_at_ = stage_.ledger.made(); }
  void break_connection() {
    if (waits()) {
      ++stage_.counters.broken;
      stage_.may_be_lost += takes_;
    }
    keys_.clear();
    break_off();
  }

 private:
  void wait() {
    if (left_-- <= 0) return;
    runtime::SimDice& dice = stage_.dice;
    static constexpr const char* kTimeouts[] = {"0", "0", "0.001", "0.004", "0.03"};
    const std::string timeout = kTimeouts[dice.below(5)];
    timed_ = timeout != "0";
    began_ = stage_.phase;
    is_mover_ = stage_.moves && dice.below(stage_.movers) == 0;
    keys_.push_back(stage_.some_key());
    takes_ = is_mover_ ? 0 : 1;  // what is moved is in a list, whether or not the mover hears of it
    if (is_mover_) {
      return ask({"BLMOVE", keys_[0], stage_.some_key(), "LEFT", "RIGHT", timeout});
    }
    const std::uint64_t more = dice.below(4);
    for (std::uint64_t i = 0; i < more; ++i) keys_.push_back(stage_.some_key());
    Words words;
    if (dice.below(4) == 0) {
      takes_ = 2;
      words = {"BLMPOP", timeout, std::to_string(keys_.size())};
      words.insert(words.end(), keys_.begin(), keys_.end());
      words.insert(words.end(), {"LEFT", "COUNT", "2"});
    } else {
      words = {dice.coin() ? "BLPOP" : "BRPOP"};
      words.insert(words.end(), keys_.begin(), keys_.end());
      words.push_back(timeout);
    }
    ask(words);
  }

  void answered(const resp::Value& reply) override {
    ++stage_.events;
    if (id_ == 0) {
      id_ = reply.integer;
      return wait();
    }
    take(reply);
    keys_.clear();
    wait();
  }

  void take(const resp::Value& reply) {
    if (reply.is_error()) {
      if (reply.text.starts_with("UNBLOCKED ")) {
        ++stage_.counters.unblocked;
      } else {
        stage_.complaints.push_back(name_ + " was told " + reply.text);
      }
    } else if (reply.items.size() == 2) {
      stage_.deliveries.push_back({reply.items[0].text, began_});
      const resp::Value& what = reply.items[1];
      if (!what.is_aggregate()) got(what.text);
      for (const resp::Value& one : what.items) got(one.text);
    } else if (reply.text.empty()) {
      ++stage_.counters.timeouts;
    } else {  // moved
      stage_.deliveries.push_back({keys_[0], began_});
      check_not_killed(reply.text);
    }
  }
  void got(const std::string& element) {
    stage_.ledger.delivered(element, name_);
    check_not_killed(element);
  }
  void check_not_killed(const std::string& element) {
    if (std::stoi(element.substr(1)) < killed_at_) return;
    stage_.complaints.push_back(
        fmt::format("{} got {}, pushed after its kill was answered", name_, element));
  }

  void gone() override {
    ++stage_.events;
    ++stage_.counters.killed;
    keys_.clear();
    ended_ = true;
  }

  Stage& stage_;
  std::string name_;
  std::vector<std::string> keys_;  // that it waits for
  std::int64_t id_ = 0;
  int began_ = 0;
  int takes_ = 0;
  int left_ = 0;
  int killed_at_ = INT_MAX;  // so many elements had been made
  bool is_mover_ = false;
  bool timed_ = false;
  bool ended_ = false;
};

class Pusher final : public Peer {
 public:
  explicit Pusher(Stage& stage) : Peer(stage.sim), stage_(stage) { connect(); }
  void begin_phase() {
    left_ = kPushesPerPhase;
    push();
  }

 private:
  void push() {
    if (left_-- <= 0) return;
    runtime::SimDice& dice = stage_.dice;
    switch (dice.below(6)) {
      case 0: {  // several elements at once
        Words words = {dice.coin() ? "RPUSH" : "LPUSH", stage_.some_key()};
        const std::uint64_t count = 1 + dice.below(4);
        for (std::uint64_t i = 0; i < count; ++i) words.push_back(stage_.ledger.make());
        return ask(words);
      }
      case 1: {  // several keys at once
        ask({"MULTI"});
        const std::uint64_t count = 1 + dice.below(3);
        for (std::uint64_t i = 0; i < count; ++i) {
          ask({"RPUSH", stage_.some_key(), stage_.ledger.make()});
        }
        return ask({"EXEC"});
      }
      case 2: {  // what is gone before the end was never there
        const std::string key = stage_.some_key();
        const std::string element = stage_.ledger.make_void();
        ask({"MULTI"});
        ask({"LPUSH", key, element});
        ask({"LREM", key, "0", element});
        return ask({"EXEC"});
      }
      case 3:  // another way for a list to come
        taken_from_ = stage_.some_key();
        return ask({"LMOVE", taken_from_, stage_.some_key(), "RIGHT", "LEFT"});
      case 4:  // who does not wait takes nothing that waiters are due
        taken_from_ = stage_.some_key();
        pops_ = true;
        return ask({"LPOP", taken_from_});
      default:
        return ask({"RPUSH", stage_.some_key(), stage_.ledger.make()});
    }
  }
  void answered(const resp::Value& reply) override {
    ++stage_.events;
    if (reply.is_error()) stage_.complaints.push_back("a pusher was told " + reply.text);
    if (!taken_from_.empty() && !reply.text.empty()) {
      stage_.deliveries.push_back({taken_from_, stage_.phase});
      if (pops_) stage_.ledger.delivered(reply.text, "a taker");
    }
    taken_from_.clear();
    pops_ = false;
    if (idle()) push();
  }

  Stage& stage_;
  int left_ = 0;
  std::string taken_from_;  // by the request under way
  bool pops_ = false;
};

// Unblocks, kills and breaks others.
class Spoiler final : public Peer {
 public:
  Spoiler(Stage& stage, std::vector<std::unique_ptr<Blocker>>& victims)
      : Peer(stage.sim), stage_(stage), victims_(victims) {
    connect();
  }
  void begin_phase() {
    left_ = static_cast<int>(stage_.dice.below(kMischiefPerPhase + 1));
    spoil();
  }

 private:
  void spoil() {
    if (left_-- <= 0) return;
    Blocker& victim = *victims_[stage_.dice.below(victims_.size())];
    const std::string id = std::to_string(victim.id());
    switch (stage_.dice.below(5)) {
      case 0:
      case 1:
        return ask({"CLIENT", "UNBLOCK", id, "ERROR"});
      case 2:
        return ask({"CLIENT", "UNBLOCK", id});
      case 3:
        killed_ = &victim;
        killed_id_ = victim.id();
        return ask({"CLIENT", "KILL", "ID", id});
      default:
        if (victim.connected()) victim.break_connection();
        return ask({"PING"});
    }
  }
  void answered(const resp::Value& reply) override {
    ++stage_.events;
    Blocker* killed = std::exchange(killed_, nullptr);
    if (killed != nullptr && reply.integer == 1 && killed->id() == killed_id_) {
      killed->was_killed();
    }
    spoil();
  }

  Stage& stage_;
  std::vector<std::unique_ptr<Blocker>>& victims_;
  int left_ = 0;
  Blocker* killed_ = nullptr;  // by the request under way
  std::int64_t killed_id_ = 0;
};

// Looks at all lists in one transaction.
class Auditor final : public Peer {
 public:
  explicit Auditor(Stage& stage) : Peer(stage.sim) { connect(); }
  void look() {
    lengths.clear();
    done = false;
    ask({"MULTI"});
    for (int i = 0; i < kKeys; ++i) ask({"LRANGE", fmt::format("k{}", i), "0", "-1"});
    ask({"EXEC"});
  }
  std::map<std::string, std::vector<std::string>> lengths;
  bool done = false;

 private:
  void answered(const resp::Value& reply) override {
    if (!idle()) return;
    for (std::size_t i = 0; i < reply.items.size(); ++i) {
      auto& list = lengths[fmt::format("k{}", i)];
      for (const resp::Value& element : reply.items[i].items) list.push_back(element.text);
    }
    done = true;
  }
};

class Play {
 public:
  explicit Play(std::uint64_t seed) : stage_(seed), auditor_(stage_) {
    for (int i = 0; i < kBlockers; ++i) blockers_.push_back(std::make_unique<Blocker>(stage_, i));
    for (int i = 0; i < kPushers; ++i) pushers_.push_back(std::make_unique<Pusher>(stage_));
    spoiler_ = std::make_unique<Spoiler>(stage_, blockers_);
  }

  WaitingResult run() {
    for (stage_.phase = 1; stage_.phase <= kPhases && stage_.complaints.empty(); ++stage_.phase) {
      stage_.deliveries.clear();
      for (auto& blocker : blockers_) blocker->begin_phase();
      for (auto& pusher : pushers_) pusher->begin_phase();
      spoiler_->begin_phase();
      settle();
      audit();
    }
    if (stage_.complaints.empty()) leave();
    return result();
  }

 private:
  void complain(std::string what) { stage_.complaints.push_back(std::move(what)); }

  // Until nothing has come or gone for longer than any timeout and any way over the network.
  void settle() {
    runtime::SimWorld& world = stage_.sim.world();
    for (int turns = 0;; ++turns) {
      const int before = stage_.events;
      if (!world.run_for(kQuiet, kStepsMax)) return complain("too many steps");
      if (stage_.events == before && nobody_is_answered_soon()) return;
      if (turns == kTurnsMax) return complain("it does not come to rest");
    }
  }
  // Only those that wait for keys without a timeout may be without a reply.
  bool nobody_is_answered_soon() const {
    const auto is_idle = [](const auto& peer) { return peer->idle(); };
    return std::all_of(pushers_.begin(), pushers_.end(), is_idle) && spoiler_->idle() &&
           std::all_of(blockers_.begin(), blockers_.end(), [](const auto& blocker) {
             return blocker->idle() || blocker->waits_without_end();
           });
  }

  void audit() {
    auditor_.look();
    stage_.sim.world().run_until([this] { return auditor_.done; }, kStepsMax);
    if (!auditor_.done) return complain("the lists cannot be looked at");
    stage_.ledger.look_again();
    for (const auto& [key, list] : auditor_.lengths) {
      for (const std::string& element : list) stage_.ledger.found(element);
    }
    const int missing = stage_.ledger.judge(stage_.complaints);
    if (missing > stage_.may_be_lost) {
      complain(fmt::format("{} elements are nowhere, and broken connections took {} at most",
                           missing, stage_.may_be_lost));
    }
    std::set<std::string> waited_for;
    std::int64_t waiting = 0;
    for (const auto& blocker : blockers_) {
      if (!blocker->waits()) continue;
      ++waiting;
      check_sleeper(*blocker);
      waited_for.insert(blocker->keys().begin(), blocker->keys().end());
    }
    expect_node_knows(waiting, static_cast<std::int64_t>(waited_for.size()));
  }

  void check_sleeper(const Blocker& sleeper) {
    for (const std::string& key : sleeper.keys()) {
      if (!auditor_.lengths[key].empty()) {
        complain(fmt::format("{} sleeps beside {}, which has elements", sleeper.name(), key));
      }
      for (const Delivery& delivery : stage_.deliveries) {
        if (delivery.key == key && delivery.began > sleeper.began()) {
          complain(fmt::format("{} waits for {} since phase {} and was overtaken in phase {}",
                               sleeper.name(), key, sleeper.began(), stage_.phase));
        }
      }
    }
  }

  void expect_node_knows(std::int64_t waiting, std::int64_t keys) {
    node::Node& node = stage_.sim.node();
    std::int64_t known_keys = 0;
    for (const shard::Thread* thread : node.threads()) known_keys += thread->waiting.keys.get();
    if (node.counters().waiting_now != waiting || node.scheduler().waiters().total() != waiting ||
        known_keys != keys) {
      complain(fmt::format("{} wait for {} keys, the node knows of {} and {} waiters and {} keys",
                           waiting, keys, node.counters().waiting_now.load(),
                           node.scheduler().waiters().total(), known_keys));
    }
  }

  void leave() {
    for (auto& blocker : blockers_) {
      if (blocker->connected()) blocker->break_connection();
    }
    settle();
    expect_node_knows(0, 0);
  }

  WaitingResult result() {
    WaitingResult result;
    result.complaints = std::move(stage_.complaints);
    result.counters = stage_.counters;
    for (const shard::Thread* thread : stage_.sim.node().threads()) {
      result.counters.waits += thread->waiting.waits.get();
      result.counters.served += thread->waiting.served.get();
      result.counters.claims_lost += thread->waiting.claims_lost.get();
      result.counters.waiter_tasks += thread->waiting.waiter_tasks.get();
      result.counters.deferred_calls += thread->waiting.deferred_calls.get();
    }
    result.trace_hash = stage_.sim.world().trace_hash();
    return result;
  }

  Stage stage_;
  Auditor auditor_;
  std::vector<std::unique_ptr<Blocker>> blockers_;
  std::vector<std::unique_ptr<Pusher>> pushers_;
  std::unique_ptr<Spoiler> spoiler_;
};

}  // namespace

WaitingResult run_waiting_seed(std::uint64_t seed) {
  return Play(seed).run();
}

void WaitingCounters::add(const WaitingCounters& other) {
  waits += other.waits;
  served += other.served;
  claims_lost += other.claims_lost;
  waiter_tasks += other.waiter_tasks;
  deferred_calls += other.deferred_calls;
  timeouts += other.timeouts;
  unblocked += other.unblocked;
  killed += other.killed;
  broken += other.broken;
}

std::string WaitingCounters::text() const {
  return fmt::format(
      "waits {} served {} claims_lost {} waiter tasks {} deferred_calls {} timeouts {} unblocked "
      "{} killed {} "
      "broken {}",
      waits, served, claims_lost, waiter_tasks, deferred_calls, timeouts, unblocked, killed,
      broken);
}

std::vector<std::string> WaitingCounters::missing() const {
  const std::pair<const char*, std::int64_t> wanted[] = {{"waits", waits},
                                                         {"served", served},
                                                         {"claims_lost", claims_lost},
                                                         {"waiter tasks", waiter_tasks},
                                                         {"deferred_calls", deferred_calls},
                                                         {"timeouts", timeouts},
                                                         {"killed", killed},
                                                         {"broken", broken},
                                                         {"unblocked", unblocked}};
  std::vector<std::string> names;
  for (const auto& [name, count] : wanted) {
    if (count == 0) names.emplace_back(name);
  }
  return names;
}

}  // namespace slotcar::sim
