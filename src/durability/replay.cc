#include "durability/replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "base/ascii.h"
#include "base/limits.h"
#include "base/numbers.h"
#include "schema/slot.h"

namespace slotcar::durability {

using schema::Runs;
using shard::Call;

namespace {

constexpr std::size_t kPortionBytes = 128 * 1024;

// `*3\r\n`, `$5\r\n`
bool take_number(std::string_view& bytes, char type, std::size_t& number) {
  if (bytes.empty() || bytes[0] != type) return false;
  const char* const end = bytes.data() + bytes.size();
  const auto [at, error] = std::from_chars(bytes.data() + 1, end, number);
  if (error != std::errc() || end - at < 2 || at[0] != '\r' || at[1] != '\n') return false;
  bytes.remove_prefix(static_cast<std::size_t>(at + 2 - bytes.data()));
  return true;
}

// The one key that the command names; nothing: none, or several.
std::optional<std::string_view> only_key(const schema::Command& command,
                                         std::span<const std::string_view> words) {
  if (command.runs.form != Runs::Form::on_keys) return std::nullopt;
  struct Found {
    std::size_t count = 0;
    std::size_t last = 0;
  } found;
  const bool fits = schema::find_keys(command.keys, words, &found,
                                      [](void* raw, std::size_t index, schema::KeyUse) {
                                        auto& into = *static_cast<Found*>(raw);
                                        ++into.count;
                                        into.last = index;
                                      });
  if (!fits || found.count != 1) return std::nullopt;
  return words[found.last];
}

// The highest database number among the arguments of an effect; -1: it has none. These are the
// effects that the keyspace records with one (keyspace/keyspace_moves.cc). An argument that is not
// a number is left to the handler.
std::int64_t highest_database(std::span<const std::string_view> words) {
  const auto is = [&words](std::size_t i, std::string_view name) {
    return i < words.size() && base::equals_ignoring_case(words[i], name);
  };
  const auto number = [&words](std::size_t i) {
    return i < words.size() ? base::parse_int64(words[i]).value_or(-1) : -1;
  };
  if (is(0, "SELECT")) return number(1);
  if (is(0, "MOVE")) return number(2);
  if (is(0, "SWAPDB")) return std::max(number(1), number(2));
  std::int64_t highest = -1;
  if (is(0, "COPY")) {
    for (std::size_t i = 3; i < words.size(); ++i) {
      if (is(i, "DB")) highest = std::max(highest, number(i + 1));
    }
  }
  return highest;
}

}  // namespace

const schema::Registered* find_logged_command(const schema::Registry& registry,
                                              std::span<const std::string_view> words) {
  const schema::Registered* found = registry.find_declared(words[0]);
  if (found == nullptr || found->subcommands.empty() || words.size() < 2) return found;
  return registry.find_subcommand(*found, words[1]);
}

bool take_command(std::string_view& bytes, std::vector<std::string_view>& words) {
  words.clear();
  std::size_t count = 0;
  if (!take_number(bytes, '*', count) || count == 0 || count > bytes.size()) return false;
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t size = 0;
    if (!take_number(bytes, '$', size) || bytes.size() < 2 || size > bytes.size() - 2) return false;
    words.push_back(bytes.substr(0, size));
    bytes.remove_prefix(size);
    if (bytes[0] != '\r' || bytes[1] != '\n') return false;
    bytes.remove_prefix(2);
  }
  return true;
}

// Commands of one applier's shards, in order, with their bytes.
class Replay::Commands final : public Portion {
 public:
  Commands(shard::Scheduler& scheduler, const router::Router& router)
      : scheduler_(scheduler), router_(router) {}

  void add(std::string_view bytes, DbIndex db, UnixMs time, std::uint64_t lsn) {
    items_.push_back({bytes.size(), time, lsn, db});
    bytes_.append(bytes);
  }
  bool full() const { return bytes_.size() >= kPortionBytes; }
  bool empty() const { return items_.empty(); }

  Status apply(shard::Thread& thread) override {
    Call call;
    std::string_view rest = bytes_;
    for (const Item& item : items_) {
      std::string_view bytes = rest.substr(0, item.size);
      rest.remove_prefix(item.size);
      call.reset();
      std::vector<std::string_view>& words = call.arguments().mutable_views();
      if (!take_command(bytes, words)) return bad(item, "it is not a command");
      const schema::Registered* command = find_logged_command(router_.registry(), words);
      call.set_command(*command);  // the dealer has looked it up
      call.set_caller({.client = {}, .db = item.db});
      if (!command->command->arity.accepts(words.size())) return bad(item, "a wrong command");
      router_.locate(call);
      scheduler_.apply(thread, call, item.time);
      if (call.reply().errors() != 0) {
        return bad(item,
                   fmt::format("{} was refused with {}", words[0], call.reply().error_code()));
      }
    }
    return {};
  }

 private:
  struct Item {
    std::size_t size;
    UnixMs time;
    std::uint64_t lsn;
    DbIndex db;
  };
  static Error bad(const Item& item, const std::string& what) {
    return Error{fmt::format("cannot apply record {} of the log: {}", item.lsn, what)};
  }

  shard::Scheduler& scheduler_;
  const router::Router& router_;
  std::string bytes_;
  std::vector<Item> items_;
};

Replay::Replay(Appliers& appliers, shard::Scheduler& scheduler, const router::Router& router,
               storage::FunctionLibraries& functions)
    : appliers_(appliers),
      scheduler_(scheduler),
      router_(router),
      functions_(functions),
      filling_(appliers.count()),
      missing_(scheduler.shards().shape().databases) {}

Replay::~Replay() = default;

Status Replay::apply(std::string_view payload, UnixMs time, std::uint64_t lsn) {
  db_ = DbIndex{0};
  while (!payload.empty()) {
    const std::string_view before = payload;
    if (!take_command(payload, words_)) {
      return Error{fmt::format("cannot read record {} of the log: no command at its byte {}", lsn,
                               before.size() - payload.size())};
    }
    if (Status dealt = deal(before.substr(0, before.size() - payload.size()), words_, time, lsn);
        !dealt) {
      return dealt;
    }
  }
  return {};
}

// Redis logs a command by the name that its client used (rename-command), and what Redis does by
// itself by the declared name.
Status Replay::apply(DbIndex db, std::span<const std::string_view> words, UnixMs time) {
  words_.assign(words.begin(), words.end());
  if (const schema::Registered* called = router_.registry().find(words[0])) {
    words_[0] = called->lower_name;
  }
  std::string bytes = fmt::format("*{}\r\n", words_.size());
  for (const std::string_view word : words_) {
    fmt::format_to(std::back_inserter(bytes), "${}\r\n{}\r\n", word.size(), word);
  }
  db_ = db;
  return deal(bytes, words_, time, commands_ + 1);
}

Status Replay::deal(std::string_view bytes, std::span<const std::string_view> words, UnixMs time,
                    std::uint64_t lsn) {
  const std::int64_t named = highest_database(words);
  const bool has_all = missing_.has(named) && missing_.has(db_.value);
  if (words.size() == 2 && base::equals_ignoring_case(words[0], "SELECT")) {
    if (named < 0 || named >= limits::kDatabasesMax) {
      return Error{fmt::format("record {} of the log selects database {}", lsn, words[1])};
    }
    db_ = DbIndex{static_cast<std::uint16_t>(named)};
    return {};
  }
  if (!has_all || !missing_.none()) return {};
  if (base::equals_ignoring_case(words[0], "FUNCTION")) {  // which touches no key
    ++commands_;
    return functions_.apply(words);
  }
  const schema::Registered* command = find_logged_command(router_.registry(), words);
  const Runs::Form form = command != nullptr ? command->command->runs.form : Runs::Form::container;
  if (form != Runs::Form::on_keys && form != Runs::Form::on_all_shards) {
    return Error{fmt::format("record {} of the log has a command that nobody here knows: {}", lsn,
                             words[0].substr(0, 64))};
  }
  ++commands_;
  const auto key = only_key(*command->command, words);
  const ShardId shard = key ? scheduler_.shards().shard_of(schema::slot_of(*key)) : ShardId{0};
  // Alone: everything dealt before is applied first, and this before anything else is dealt.
  if (!key) {
    if (Status settled = settle_appliers(); !settled) return settled;
  }
  const std::size_t applier = appliers_.of(shard);
  auto& portion = filling_[applier];
  if (!portion) portion = std::make_unique<Commands>(scheduler_, router_);
  portion->add(bytes, db_, time, lsn);
  if (!key) return settle_appliers();
  if (portion->full()) post(applier);
  return {};
}

void Replay::post(std::size_t applier) {
  if (filling_[applier]) appliers_.post(applier, std::move(filling_[applier]));
}

Status Replay::settle() {
  if (Status settled = settle_appliers(); !settled) return settled;
  if (!missing_.none()) return missing_.error("the log");
  return {};
}

Status Replay::settle_appliers() {
  for (std::size_t i = 0; i < filling_.size(); ++i) post(i);
  return appliers_.settle();
}

}  // namespace slotcar::durability
