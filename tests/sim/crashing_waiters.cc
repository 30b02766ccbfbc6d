#include "sim/crashing_waiters.h"

#include <fmt/format.h>

#include "resp/reply_parser.h"

namespace slotcar::sim {

using resp::Value;
using world::Words;

namespace {

constexpr int kReaders = 5;  // of the stream, and as many in a group
constexpr int kTakers = 3;   // of each other kind
constexpr int kPushers = 2;

constexpr const char* kStream = "b:stream";
constexpr const char* kList = "b:list";
constexpr const char* kSet = "b:set";
// In shards of their own, mostly: a mover is then served by a task.
constexpr const char* kFrom = "b:from";
constexpr const char* kTo = "b:to";
constexpr const char* kGroup = "g";

// A connection with one request under way.
class Peer {
 public:
  Peer(const CrashingWaiters::Connect& connect, const bool& power)
      : power_(power), client_(connect()) {
    client_->set_on_change([this] { look(); });
  }
  virtual ~Peer() = default;

 protected:
  void ask(const Words& words) { client_->send(world::encode(words)); }
  virtual void told(const Value& value) = 0;

 private:
  void look() {
    if (!power_) return;
    const std::string bytes = client_->take();
    if (!bytes.empty()) parser_.feed(bytes);
    Value value;
    while (parser_.next(value) == resp::ReplyParser::Outcome::value) told(value);
  }

  const bool& power_;
  std::unique_ptr<runtime::SimClient> client_;
  resp::ReplyParser parser_;
};

// The values of field "n" in a reply of XREAD or a reply of XRANGE.
void numbers_in(const Value& entries, std::set<std::string>& into) {
  for (const Value& entry : entries.items) {
    if (entry.items.size() == 2 && entry.items[1].items.size() == 2) {
      into.insert(entry.items[1].items[1].text);
    }
  }
}

}  // namespace

class CrashingWaiters::Blocker final : public Peer {
 public:
  enum class Kind { read, read_in_group, pop, move, pop_least };

  Blocker(CrashingWaiters& all, const Connect& connect, const bool& power, Kind kind, int number)
      : Peer(connect, power), all_(all), kind_(kind), name_(fmt::format("c{}", number)) {
    next();
  }

 private:
  void next() {
    const std::string timeout = all_.dice_.below(4) == 0 ? "0.02" : "0";
    const std::string milliseconds = timeout == "0" ? "0" : "20";
    switch (kind_) {
      case Kind::read:
        return ask({"XREAD", "BLOCK", milliseconds, "STREAMS", kStream, "$"});
      case Kind::read_in_group:
        return ask({"XREADGROUP", "GROUP", kGroup, name_, "COUNT", "1", "BLOCK", milliseconds,
                    "STREAMS", kStream, ">"});
      case Kind::pop:
        return ask({"BLPOP", kList, timeout});
      case Kind::move:
        return ask({"BLMOVE", kFrom, kTo, "LEFT", "RIGHT", timeout});
      case Kind::pop_least:
        return ask({"BZPOPMIN", kSet, timeout});
    }
  }

  void told(const Value& value) override {
    if (!value.is_error() && !value.is_null()) {
      ++all_.served_;
      promise(value);
    }
    next();
  }

  void promise(const Value& value) {
    Promises& promises = all_.promises_;
    switch (kind_) {
      case Kind::read:
      case Kind::read_in_group: {
        const Value& entries = value.items.at(0).items.at(1);
        numbers_in(entries, promises.in_stream);
        if (kind_ == Kind::read) return;
        for (const Value& entry : entries.items) promises.pending.insert(entry.items.at(0).text);
        return;
      }
      case Kind::pop:
      case Kind::pop_least:
        promises.taken.insert(value.items.at(1).text);
        return;
      case Kind::move:
        promises.moved.insert(value.text);
        return;
    }
  }

  CrashingWaiters& all_;
  Kind kind_;
  std::string name_;
};

class CrashingWaiters::Pusher final : public Peer {
 public:
  Pusher(CrashingWaiters& all, const Connect& connect, const bool& power)
      : Peer(connect, power), all_(all) {
    ask({"XGROUP", "CREATE", kStream, kGroup, "0", "MKSTREAM"});
  }

 private:
  void told(const Value&) override {
    const auto number = [this] { return std::to_string(++all_.sent_); };
    switch (all_.dice_.below(5)) {
      case 0: {
        const std::string n = number();
        return ask({"ZADD", kSet, n, n});
      }
      case 1:
        return ask({"RPUSH", kList, number(), number(), number()});
      case 2:
        return ask({"RPUSH", kFrom, number(), number()});
      default:
        return ask({"XADD", kStream, "*", "n", number()});
    }
  }

  CrashingWaiters& all_;
};

CrashingWaiters::CrashingWaiters(runtime::SimDice& dice) : dice_(dice) {}
CrashingWaiters::~CrashingWaiters() = default;

void CrashingWaiters::choose_settings(node::Settings& settings) {
  settings.execution.blocking.wakeup_batch = 1 + static_cast<std::int64_t>(dice_.below(3));
}

void CrashingWaiters::begin(const Connect& connect, const bool& power) {
  using Kind = Blocker::Kind;
  int number = 0;
  const auto add = [&](Kind kind, int count) {
    for (int i = 0; i < count; ++i) {
      blockers_.push_back(std::make_unique<Blocker>(*this, connect, power, kind, ++number));
    }
  };
  for (int i = 0; i < kPushers; ++i) {
    pushers_.push_back(std::make_unique<Pusher>(*this, connect, power));
  }
  add(Kind::read, kReaders);
  add(Kind::read_in_group, kReaders);
  add(Kind::pop, kTakers);
  add(Kind::move, kTakers);
  add(Kind::pop_least, kTakers);
}

void CrashingWaiters::end() {
  blockers_.clear();
  pushers_.clear();
}

void CrashingWaiters::check(const Ask& ask, std::vector<std::string>& complaints) const {
  const auto texts = [](const Value& list) {
    std::set<std::string> all;
    for (const Value& one : list.items) all.insert(one.text);
    return all;
  };
  const auto expect = [&](const std::set<std::string>& promised, const std::set<std::string>& there,
                          bool in, const char* what) {
    for (const std::string& one : promised) {
      if (there.contains(one) != in) complaints.push_back(fmt::format("{} {}", one, what));
    }
  };
  std::set<std::string> in_stream;
  numbers_in(ask({"XRANGE", kStream, "-", "+"}), in_stream);
  expect(promises_.in_stream, in_stream, true, "was shown to a blocked reader and is gone");
  std::set<std::string> pending;
  if (!promises_.pending.empty()) {
    for (const Value& one : ask({"XPENDING", kStream, kGroup, "-", "+", "1000000"}).items) {
      pending.insert(one.items.at(0).text);
    }
  }
  expect(promises_.pending, pending, true, "was given to a blocked consumer and is not pending");
  std::set<std::string> left = texts(ask({"LRANGE", kList, "0", "-1"}));
  left.merge(texts(ask({"ZRANGE", kSet, "0", "-1"})));
  expect(promises_.taken, left, false, "was given to a blocked client and is there again");
  expect(promises_.moved, texts(ask({"LRANGE", kTo, "0", "-1"})), true, "was moved and is gone");
}

}  // namespace slotcar::sim
