// What the clients of each scenario send, and what they must never see.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/numbers.h"
#include "concurrency/scenario.h"
#include "resp/format.h"
#include "runtime/random.h"

namespace slotcar::commands {
extern const schema::Command string_mget;
extern const schema::Command string_mset;
}  // namespace slotcar::commands

namespace slotcar::concurrency {

using resp::Value;
using runtime::FastRandom;
using world::Words;

namespace {

constexpr int kKeys = 8;  // written together; their names fall on different shards

bool is_simple(const Value& value, std::string_view text) {
  return value.kind == Value::Kind::simple && value.text == text;
}

std::string shown(std::string_view what, const Replies& replies) {
  std::string text(what);
  for (const Value& reply : replies) text += "\n" + resp::format(reply);
  return text;
}

std::string numbered(std::string_view name, int number) {
  return fmt::format("{}:{}", name, number);
}

Words names(std::string_view command, std::string_view name, int count) {
  Words words{std::string(command)};
  for (int i = 0; i < count; ++i) words.push_back(numbered(name, i));
  return words;
}

// MULTI, the given requests, EXEC.
Requests transaction(Requests inner) {
  inner.insert(inner.begin(), Words{"MULTI"});
  inner.push_back({"EXEC"});
  return inner;
}

// A fixed number of rounds, and a generator of its own.
class Rounds : public Actor {
 public:
  Rounds(int rounds, std::uint64_t seed) : random_(seed), left_(rounds) {}
  Requests next() final {
    if (left_ == 0) return {};
    --left_;
    return make();
  }

 protected:
  virtual Requests make() = 0;
  int below(int bound) {
    return static_cast<int>(random_.below(static_cast<std::uint64_t>(bound)));
  }

 private:
  FastRandom random_;
  int left_;
};

// --- whole writes and sweeps ------------------------------------------------------------------

// Sends the same request every time and wants OK.
class Repeater final : public Rounds {
 public:
  Repeater(int rounds, Words request) : Rounds(rounds, 0), request_(std::move(request)) {}
  std::string judge(const Replies& replies) override {
    return is_simple(replies[0], "OK") ? ""
                                       : shown(request_[0] + " was not answered by OK", replies);
  }

 private:
  Requests make() override { return {request_}; }
  Words request_;
};

// The database of an actor, which it selects with its first request.
class InDatabase : public Rounds {
 public:
  InDatabase(int rounds, int database) : Rounds(rounds, 0), database_(database) {}

 protected:
  Requests from_database(Requests requests) {
    if (!std::exchange(selected_, true) && database_ != 0) {
      requests.insert(requests.begin(), Words{"SELECT", std::to_string(database_)});
    }
    return requests;
  }

 private:
  int database_;
  bool selected_ = false;
};

// Writes a unique value to all keys at once.
class WholeWriter final : public InDatabase {
 public:
  enum class How { mset, slow_mset, exec, slow_exec };
  WholeWriter(int rounds, std::string name, How how, int database = 0)
      : InDatabase(rounds, database), name_(std::move(name)), how_(how) {}

  std::string judge(const Replies& replies) override {
    const Value& last = replies.back();
    const bool fine = how_ == How::exec        ? last.items.size() == kKeys
                      : how_ == How::slow_exec ? last.items.size() == 2 * kKeys
                                               : is_simple(last, "OK");
    return fine ? "" : shown("a write was refused", replies);
  }

 private:
  Requests make() override {
    const std::string value = numbered(name_, ++written_);
    if (how_ == How::exec || how_ == How::slow_exec) {
      Requests sets;
      // The slow variant moves between threads: long commands on the slow lane, those of the
      // connection on its worker.
      const bool slow = how_ == How::slow_exec;
      for (int i = 0; i < kKeys; ++i) {
        sets.push_back({slow && i % 2 == 0 ? "SLOW.MSET" : "SET", numbered("key", i), value});
        if (slow) sets.push_back({"PING"});
      }
      return from_database(transaction(std::move(sets)));
    }
    Words mset{how_ == How::mset ? "MSET" : "SLOW.MSET"};
    for (int i = 0; i < kKeys; ++i) {
      mset.push_back(numbered("key", i));
      mset.push_back(value);
    }
    return from_database({mset});
  }

  std::string name_;
  How how_;
  int written_ = 0;
};

class WholeReader final : public InDatabase {
 public:
  WholeReader(int rounds, std::string command, int database = 0)
      : InDatabase(rounds, database), command_(std::move(command)) {}

  std::string judge(const Replies& replies) override {
    const Value& last = replies.back();
    const auto differs = [&last](const Value& item) { return item != last.items[0]; };
    const bool whole =
        last.items.size() == kKeys && std::none_of(last.items.begin(), last.items.end(), differs);
    return whole ? "" : shown("MGET saw a mix of several writes", replies);
  }

 private:
  Requests make() override { return from_database({names(command_, "key", kKeys)}); }
  std::string command_;
};

// Holds the token of one of the keys for long. A call that needs all of them meets it while it
// holds others, and must retreat.
class Blocker final : public Rounds {
 public:
  using Rounds::Rounds;
  std::string judge(const Replies& replies) override {
    return replies[0].items.size() == 1 ? "" : shown("SLOW.MGET answered", replies);
  }

 private:
  Requests make() override { return {{"SLOW.MGET", numbered("key", below(kKeys))}}; }
};

// --- transfers ----------------------------------------------------------------------------------

constexpr int kAccounts = 12;
constexpr std::int64_t kDeposit = 1000;

class Transfer : public Rounds {
 public:
  using Rounds::Rounds;

 protected:
  void choose() {
    const int from = below(kAccounts);
    const int to = (from + 1 + below(kAccounts - 1)) % kAccounts;
    from_ = numbered("account", from);
    to_ = numbered("account", to);
    amount_ = 1 + below(5);
  }
  std::string from_;
  std::string to_;
  std::int64_t amount_ = 0;
};

// Adds and subtracts inside EXEC, whatever the balance.
class BlindTransfer final : public Transfer {
 public:
  using Transfer::Transfer;
  std::string judge(const Replies& replies) override {
    return replies.back().items.size() == 2 ? "" : shown("a transfer was refused", replies);
  }

 private:
  Requests make() override {
    choose();
    const std::string amount = std::to_string(amount_);
    return transaction({{"DECRBY", from_, amount}, {"INCRBY", to_, amount}});
  }
};

// Reads both balances under WATCH, computes, and writes both in EXEC. A round is one of the two.
class WatchedTransfer final : public Transfer {
 public:
  using Transfer::Transfer;
  std::string judge(const Replies& replies) override {
    const Value& last = replies.back();
    if (!reading_) {  // null: another client was faster, and nothing has happened
      const bool fine = last.is_null() || last.items.size() == 2;
      return fine ? "" : shown("EXEC answered neither both nor none", replies);
    }
    if (last.items.size() != 2) return shown("a balance is missing", replies);
    const auto from = base::parse_int64(last.items[0].text);
    const auto to = base::parse_int64(last.items[1].text);
    if (!from || !to) return shown("a balance is missing", replies);
    from_balance_ = *from;
    to_balance_ = *to;
    return "";
  }

 private:
  Requests make() override {
    reading_ = !reading_;
    if (reading_) {
      choose();
      return {{"WATCH", from_, to_}, {"MGET", from_, to_}};
    }
    return transaction({{"SET", from_, std::to_string(from_balance_ - amount_)},
                        {"SET", to_, std::to_string(to_balance_ + amount_)}});
  }

  bool reading_ = false;
  std::int64_t from_balance_ = 0;
  std::int64_t to_balance_ = 0;
};

class Auditor final : public Rounds {
 public:
  explicit Auditor(int rounds) : Rounds(rounds, 0) {}
  std::string judge(const Replies& replies) override {
    std::int64_t sum = 0;
    for (const Value& balance : replies[0].items) {
      const auto amount = base::parse_int64(balance.text);
      if (!amount) return shown("a balance is missing", replies);
      sum += *amount;
    }
    if (sum == kAccounts * kDeposit) return "";
    return shown(fmt::format("the sum is {} instead of {}", sum, kAccounts * kDeposit), replies);
  }

 private:
  Requests make() override { return {names("MGET", "account", kAccounts)}; }
};

// Moves money by a script that declares the first `declared` of the two accounts.
class ScriptedTransfer final : public Transfer {
 public:
  ScriptedTransfer(int rounds, std::uint64_t seed, int declared)
      : Transfer(rounds, seed), declared_(declared) {}
  std::string judge(const Replies& replies) override {
    return replies[0].kind == Value::Kind::integer && replies[0].integer == 1
               ? ""
               : shown("a script did not transfer", replies);
  }

 private:
  Requests make() override {
    choose();
    const char* const script =
        "local at = {} for _, key in ipairs(KEYS) do at[#at + 1] = key end "
        "for i = 2, #ARGV do at[#at + 1] = ARGV[i] end "
        "redis.call('decrby', at[1], ARGV[1]) redis.call('incrby', at[2], ARGV[1]) return 1";
    Words words{"EVAL", script, std::to_string(declared_)};
    if (declared_ > 0) words.push_back(from_);
    if (declared_ > 1) words.push_back(to_);
    words.push_back(std::to_string(amount_));
    if (declared_ < 1) words.push_back(from_);
    if (declared_ < 2) words.push_back(to_);
    return {words};
  }
  int declared_;
};

// Sums by a script that declares nothing.
class ScriptedAuditor final : public Rounds {
 public:
  explicit ScriptedAuditor(int rounds) : Rounds(rounds, 0) {}
  std::string judge(const Replies& replies) override {
    const bool fine =
        replies[0].kind == Value::Kind::integer && replies[0].integer == kAccounts * kDeposit;
    return fine ? "" : shown("a script saw another sum", replies);
  }

 private:
  Requests make() override {
    return {{"EVAL",
             "local sum = 0 for i = tonumber(ARGV[1]) - 1, 0, -1 do "
             "sum = sum + redis.call('get', 'account:' .. i) end return sum",
             "0", std::to_string(kAccounts)}};
  }
};

// Begins snapshots; one that is under way may refuse another.
class Saver final : public Rounds {
 public:
  explicit Saver(int rounds) : Rounds(rounds, 0) {}
  std::string judge(const Replies& replies) override {
    const bool refused = replies[0].is_error() && !replies[0].text.starts_with("ERR Background");
    return refused ? shown("BGSAVE answered", replies) : "";
  }

 private:
  Requests make() override { return {{"BGSAVE"}}; }
};

// --- moves --------------------------------------------------------------------------------------

constexpr int kPairs = 4;

class Mover final : public Rounds {
 public:
  enum class How { rename, copy };
  Mover(int rounds, std::uint64_t seed, How how) : Rounds(rounds, seed), how_(how) {}

  std::string judge(const Replies& replies) override {
    const Value& last = replies.back();
    if (how_ == How::rename) {
      const bool fine =
          is_simple(last, "OK") || (last.is_error() && last.text == "ERR no such key");
      return fine ? "" : shown("RENAME answered", replies);
    }
    // Copied and deleted, or neither: no other call can come between the two.
    const bool fine = last.items.size() == 2 && last.items[0] == last.items[1];
    return fine ? "" : shown("COPY and DEL in EXEC answered", replies);
  }

 private:
  Requests make() override {
    const int pair = below(kPairs);
    std::string from = numbered("left", pair);
    std::string to = numbered("right", pair);
    if (below(2) == 0) std::swap(from, to);
    if (how_ == How::rename) return {{"RENAME", from, to}};
    return transaction({{"COPY", from, to, "REPLACE"}, {"DEL", from}});
  }
  How how_;
};

class Looker final : public Rounds {
 public:
  Looker(int rounds, std::uint64_t seed) : Rounds(rounds, seed) {}
  std::string judge(const Replies& replies) override {
    const std::vector<Value>& items = replies[0].items;
    if (items.size() != 2) return shown("MGET answered", replies);
    if (items[0].is_null() == items[1].is_null()) {
      return shown("not exactly one of the two names exists", replies);
    }
    const Value& there = items[0].is_null() ? items[1] : items[0];
    return there.text == numbered("value", pair_) ? "" : shown("a foreign value", replies);
  }

 private:
  Requests make() override {
    pair_ = below(kPairs);
    return {{"MGET", numbered("left", pair_), numbered("right", pair_)}};
  }
  int pair_ = 0;
};

// --- pipelines ----------------------------------------------------------------------------------

constexpr int kCounters = 3;
constexpr int kPipeline = 40;

class Counter final : public Rounds {
 public:
  using Rounds::Rounds;
  std::string judge(const Replies& replies) override {
    for (std::size_t i = 0; i < replies.size(); ++i) {
      std::int64_t& last = last_[keys_[i]];
      if (replies[i].kind != Value::Kind::integer || replies[i].integer <= last) {
        return shown(fmt::format("{} was {} before", keys_[i], last), {replies[i]});
      }
      last = replies[i].integer;
    }
    return "";
  }

 private:
  Requests make() override {
    Requests requests;
    keys_.clear();
    for (int i = 0; i < kPipeline; ++i) {
      keys_.push_back(numbered("counter", below(kCounters)));
      requests.push_back({"INCR", keys_.back()});
    }
    return requests;
  }
  std::vector<std::string> keys_;
  std::map<std::string, std::int64_t> last_;
};

class CounterSum final : public Rounds {
 public:
  explicit CounterSum(std::int64_t expected) : Rounds(1, 0), expected_(expected) {}
  std::string judge(const Replies& replies) override {
    std::int64_t sum = 0;
    for (const Value& item : replies[0].items) sum += base::parse_int64(item.text).value_or(0);
    return sum == expected_ ? "" : shown(fmt::format("increments counted: {}", expected_), replies);
  }

 private:
  Requests make() override { return {names("MGET", "counter", kCounters)}; }
  std::int64_t expected_;
};

}  // namespace

Scenario whole_writes(const Plan& plan) {
  using How = WholeWriter::How;
  Scenario scenario;
  scenario.name = "whole_writes";
  auto& actors = scenario.actors;
  actors.push_back(std::make_unique<WholeWriter>(plan.rounds, "mset-a", How::mset));
  actors.push_back(std::make_unique<WholeWriter>(plan.rounds, "mset-b", How::mset));
  actors.push_back(std::make_unique<WholeWriter>(plan.rounds, "exec-a", How::exec));
  actors.push_back(std::make_unique<WholeWriter>(plan.rounds, "exec-b", How::exec));
  actors.push_back(std::make_unique<WholeReader>(plan.rounds, "MGET"));
  actors.push_back(std::make_unique<WholeReader>(plan.rounds, "MGET"));
  if (plan.slow) {
    actors.push_back(std::make_unique<WholeWriter>(plan.rounds / 2, "slow-a", How::slow_mset));
    actors.push_back(std::make_unique<WholeWriter>(plan.rounds / 2, "slow-b", How::slow_mset));
    actors.push_back(std::make_unique<WholeWriter>(plan.rounds / 4, "moved", How::slow_exec));
    actors.push_back(std::make_unique<WholeReader>(plan.rounds / 2, "SLOW.MGET"));
    for (std::uint64_t i = 1; i <= 3; ++i) {
      actors.push_back(std::make_unique<Blocker>(plan.rounds / 2, plan.seed + i));
    }
  }
  scenario.finale = std::make_unique<WholeReader>(1, "MGET");
  return scenario;
}

Scenario transfers(const Plan& plan) {
  Scenario scenario;
  scenario.name = "transfers";
  Words deposits{"MSET"};
  for (int i = 0; i < kAccounts; ++i) {
    deposits.push_back(numbered("account", i));
    deposits.push_back(std::to_string(kDeposit));
  }
  scenario.preparation = {deposits};
  auto& actors = scenario.actors;
  actors.push_back(std::make_unique<WatchedTransfer>(plan.rounds, plan.seed + 1));
  actors.push_back(std::make_unique<WatchedTransfer>(plan.rounds, plan.seed + 2));
  actors.push_back(std::make_unique<BlindTransfer>(plan.rounds, plan.seed + 3));
  actors.push_back(std::make_unique<BlindTransfer>(plan.rounds, plan.seed + 4));
  actors.push_back(std::make_unique<Auditor>(plan.rounds));
  scenario.finale = std::make_unique<Auditor>(1);
  return scenario;
}

Scenario scripted_transfers(const Plan& plan, int saves) {
  Scenario scenario = transfers(plan);
  scenario.name = "scripted_transfers";
  if (saves > 0) scenario.preparation.push_back({"SAVE"});
  auto& actors = scenario.actors;
  for (int declared = 0; declared <= 2; ++declared) {
    actors.push_back(std::make_unique<ScriptedTransfer>(
        plan.rounds, plan.seed + 10 + static_cast<std::uint64_t>(declared), declared));
  }
  actors.push_back(std::make_unique<ScriptedTransfer>(plan.rounds, plan.seed + 20, 1));
  actors.push_back(std::make_unique<ScriptedAuditor>(plan.rounds));
  if (saves > 0) actors.push_back(std::make_unique<Saver>(saves));
  scenario.finale = std::make_unique<ScriptedAuditor>(1);
  return scenario;
}

Scenario audit() {
  Scenario scenario;
  scenario.name = "audit";
  scenario.actors.push_back(std::make_unique<Auditor>(1));
  return scenario;
}

Scenario moves(const Plan& plan) {
  Scenario scenario;
  scenario.name = "moves";
  for (int i = 0; i < kPairs; ++i) {
    scenario.preparation.push_back({"SET", numbered("left", i), numbered("value", i)});
  }
  auto& actors = scenario.actors;
  actors.push_back(std::make_unique<Mover>(plan.rounds, plan.seed + 1, Mover::How::rename));
  actors.push_back(std::make_unique<Mover>(plan.rounds, plan.seed + 2, Mover::How::rename));
  actors.push_back(std::make_unique<Mover>(plan.rounds, plan.seed + 3, Mover::How::copy));
  actors.push_back(std::make_unique<Mover>(plan.rounds, plan.seed + 4, Mover::How::copy));
  actors.push_back(std::make_unique<Looker>(plan.rounds, plan.seed + 5));
  actors.push_back(std::make_unique<Looker>(plan.rounds, plan.seed + 6));
  scenario.finale = std::make_unique<Looker>(4 * kPairs, plan.seed + 7);
  return scenario;
}

Scenario sweeps(const Plan& plan) {
  using How = WholeWriter::How;
  Scenario scenario;
  scenario.name = "sweeps";
  const int few = std::max(1, plan.rounds / 8);
  auto& actors = scenario.actors;
  actors.push_back(std::make_unique<WholeWriter>(plan.rounds, "zero", How::mset, 0));
  actors.push_back(std::make_unique<WholeWriter>(plan.rounds, "one", How::exec, 1));
  actors.push_back(std::make_unique<Repeater>(few, Words{"FLUSHALL"}));
  actors.push_back(std::make_unique<Repeater>(few, Words{"FLUSHDB", "ASYNC"}));
  actors.push_back(std::make_unique<Repeater>(few, Words{"SWAPDB", "0", "1"}));
  actors.push_back(std::make_unique<WholeReader>(plan.rounds, "MGET", 0));
  actors.push_back(std::make_unique<WholeReader>(plan.rounds, "MGET", 1));
  scenario.finale = std::make_unique<WholeReader>(1, "MGET", 1);
  return scenario;
}

Scenario pipelines(const Plan& plan) {
  constexpr int kClients = 6;
  Scenario scenario;
  scenario.name = "pipelines";
  const int rounds = std::max(1, plan.rounds / kPipeline);
  for (int i = 0; i < kClients; ++i) {
    scenario.actors.push_back(
        std::make_unique<Counter>(rounds, plan.seed + static_cast<std::uint64_t>(i)));
  }
  scenario.finale = std::make_unique<CounterSum>(std::int64_t{kClients} * rounds * kPipeline);
  return scenario;
}

std::vector<const schema::Command*> slow_commands() {
  static const auto slow = [](const schema::Command& command, std::string_view name) {
    schema::Command copy = command;
    copy.name = name;
    copy.when_large = schema::WhenLarge::hold;
    copy.size = schema::always_large;
    return copy;
  };
  static const schema::Command mset = slow(commands::string_mset, "SLOW.MSET");
  static const schema::Command mget = slow(commands::string_mget, "SLOW.MGET");
  return {&mset, &mget};
}

}  // namespace slotcar::concurrency
