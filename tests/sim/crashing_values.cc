#include "sim/crashing_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/assert.h"
#include "base/limits.h"
#include "base/numbers.h"
#include "node/configuration.h"
#include "storage/rdb/dump_payload.h"
#include "storage/rdb/rdb_reader.h"
#include "storage/value_digest.h"

namespace slotcar::sim {

using resp::Value;
using world::Words;

namespace {

// What DUMP and PEXPIRETIME have answered, as one text that is equal for equal values, however they
// are kept.
std::string state_of(const Value& dump, const Value& expires_at) {
  if (dump.kind == Value::Kind::null) return "(nothing)";
  if (dump.is_error()) return dump.text;
  const auto inside = storage::open_payload(dump.text);
  if (!inside) return "(no payload)";
  storage::RdbInput in(*inside);
  const types::Settings settings;
  const auto value = storage::read_value(in, {settings, nullptr});
  if (!value) return "(a payload that cannot be read)";
  const storage::ValueDigest digest =
      value->type == types::Type::string
          ? storage::digest_of_string(value->string.view())
          : storage::digest_of_collection(value->type, value->cell.view());
  return fmt::format("{} {:016x}{:016x} until {}", types::type_name(value->type), digest.high,
                     digest.low, expires_at.integer);
}

std::vector<Words> look_at(const std::vector<std::string>& keys) {
  std::vector<Words> requests;
  for (const std::string& key : keys) {
    requests.push_back({"DUMP", key});
    requests.push_back({"PEXPIRETIME", key});
  }
  return requests;
}

std::int64_t number_of(const Value& value) {
  return base::parse_int64(value.text).value_or(0);
}

}  // namespace

void change_settings(node::Settings& settings, runtime::SimDice& dice, ValueCounters& counters) {
  struct Choice {
    std::string_view name;
    std::vector<std::string_view> values;
  };
  const std::vector<Choice> choices = {
      {"proto-max-bulk-len", {"1mb", "2mb", "700mb"}},
      {"databases", {"4", "5", "16", "700"}},
      {"maxmemory", {"0", "3mb", "100mb"}},
      {"hash-max-listpack-entries", {"1", "4", "512"}},
      {"hash-max-listpack-value", {"1", "64", "5000"}},
      {"list-max-listpack-size", {"1", "-2", "50"}},
      {"set-max-intset-entries", {"1", "512"}},
      {"set-max-listpack-entries", {"1", "128"}},
      {"zset-max-listpack-entries", {"1", "3", "128"}},
      {"stream-node-max-entries", {"1", "3", "100"}},
      {"stream-node-max-bytes", {"50", "4096"}},
      {"rdbcompression", {"yes", "no"}},
  };
  const node::Configuration table(settings);
  for (const Choice& choice : choices) {
    if (dice.coin()) continue;
    const std::string_view value = choice.values[dice.below(choice.values.size())];
    ASSERT(table.find(choice.name)->set(value).ok());
    ++counters.settings;
  }
}

ValueWriter::ValueWriter(runtime::SimDice& dice, int number, ValueCounters& counters)
    : dice_(dice),
      counters_(counters),
      commands_(dice, fmt::format("v{}:", number), Ends::no),
      version_key_(fmt::format("v{}:version", number)) {}

void ValueWriter::begin(std::unique_ptr<runtime::SimClient> client, bool kept, const bool& power) {
  client_ = std::move(client);
  parser_ = {};
  kept_ = kept;
  power_ = &power;
  uncertain_ = false;
  looking_ = false;
  client_->set_on_change([this] { on_bytes(); });
  next();
}

Words ValueWriter::random_command() {
  // A string beyond the limit that another life may have.
  if (dice_.below(200) == 0) return {"SETRANGE", commands_.keys()[0], "1100000", "x"};
  if (dice_.below(100) == 0) return {"APPEND", commands_.keys()[0], "y"};
  if (dice_.below(100) == 0) return {"SETBIT", commands_.keys()[0], "8800100", "1"};
  if (dice_.below(60) == 0) return long_command();
  return commands_.next();
}

// With an argument or a result that the log's record refers to, or that it says in another way.
Words ValueWriter::long_command() {
  const std::string& key = commands_.keys()[0];
  const std::string& other = commands_.keys()[1];
  const std::string text(limits::kReferredBytesMin + dice_.below(100),
                         static_cast<char>('a' + dice_.below(26)));
  ++counters_.long_commands;
  switch (dice_.below(6)) {
    case 0:
      return {"SET", key, text, "PX", "100000000"};
    case 1:
      return {"APPEND", key, text.substr(0, limits::kReferredBytesMin / 2)};
    case 2:
      return {"SETRANGE", key, std::to_string(dice_.below(100)), text};
    case 3:
      return {"BITOP", "NOT", other, key};
    case 4:
      return {"GETSET", other, text};
    default:
      return {"SET", key, text};
  }
}

void ValueWriter::next() {
  if (uncertain_) return look_again();
  const Words command = random_command();
  restoring_ = command[0] == "RESTORE";
  touched_.clear();
  for (const std::string& key : commands_.keys()) {
    if (std::find(command.begin() + 1, command.end(), key) != command.end()) {
      touched_.push_back(key);
    }
  }
  std::vector<Words> requests = {command, {"SET", version_key_, std::to_string(++sent_)}};
  for (Words& words : look_at(touched_)) requests.push_back(std::move(words));
  send(requests);
}

void ValueWriter::look_again() {
  looking_ = true;
  std::vector<Words> requests = {{"GET", version_key_}};
  for (Words& words : look_at(commands_.keys())) requests.push_back(std::move(words));
  send(requests);
}

void ValueWriter::send(const std::vector<Words>& requests) {
  std::string bytes = world::encode({"MULTI"});
  for (const Words& words : requests) bytes += world::encode(words);
  client_->send(bytes + world::encode({"EXEC"}));
  replies_left_ = requests.size() + 2;
}

void ValueWriter::on_bytes() {
  if (!*power_) return;
  const std::string bytes = client_->take();
  if (!bytes.empty()) parser_.feed(bytes);
  Value value;
  while (parser_.next(value) == resp::ReplyParser::Outcome::value) {
    if (--replies_left_ == 0) on_answer(value);
  }
}

void ValueWriter::on_answer(const Value& answer) {
  const bool looked = std::exchange(looking_, false);
  if (answer.is_error()) {
    counters_.refused += !looked;
    uncertain_ = true;
    return next();
  }
  if (looked) {
    uncertain_ = false;
    acknowledged_ = number_of(answer.items[0]);
    remember(acknowledged_, commands_.keys(), std::span(answer.items).subspan(1));
  } else {
    ++counters_.acknowledged;
    counters_.restored += restoring_ && !answer.items[0].is_error();
    acknowledged_ = sent_;
    remember(acknowledged_, touched_, std::span(answer.items).subspan(2));
  }
  if (kept_) promised_ = acknowledged_;
  next();
}

void ValueWriter::remember(std::int64_t version, const std::vector<std::string>& keys,
                           std::span<const Value> items) {
  for (std::size_t i = 0; i < keys.size(); ++i) {
    history_[keys[i]].push_back({version, state_of(items[2 * i], items[2 * i + 1])});
  }
}

std::string ValueWriter::expected(const std::string& key, std::int64_t version) const {
  std::string state = "(nothing)";
  const auto found = history_.find(key);
  if (found == history_.end()) return state;
  for (const Seen& seen : found->second) {
    if (seen.version <= version) state = seen.state;
  }
  return state;
}

std::vector<std::string> ValueWriter::check(const Ask& ask, bool kept) {
  std::vector<std::string> complaints;
  std::vector<Words> requests = {{"GET", version_key_}};
  for (Words& words : look_at(commands_.keys())) requests.push_back(std::move(words));
  const std::vector<Value> items = ask(requests);
  const std::int64_t version = number_of(items[0]);
  if (version < promised_ || version > sent_) {
    complaints.push_back(fmt::format("{} is {}, {} was promised and {} sent", version_key_, version,
                                     promised_, sent_));
  }
  // What was under way and is there was not seen: its keys may be anything.
  const bool unseen = version > acknowledged_;
  counters_.in_flight += unseen;
  for (std::size_t i = 0; i < commands_.keys().size(); ++i) {
    const std::string& key = commands_.keys()[i];
    const std::string state = state_of(items[1 + 2 * i], items[2 + 2 * i]);
    const bool may_differ =
        unseen && std::find(touched_.begin(), touched_.end(), key) != touched_.end();
    if (!may_differ) {
      ++counters_.keys_compared;
      if (const std::string wanted = expected(key, version); state != wanted) {
        complaints.push_back(
            fmt::format("{} at version {} is {}, and was {}", key, version, state, wanted));
      }
    }
    history_[key] = {{version, state}};
  }
  acknowledged_ = version;
  if (kept) promised_ = version;
  return complaints;
}

void ValueCounters::add(const ValueCounters& other) {
  acknowledged += other.acknowledged;
  restored += other.restored;
  refused += other.refused;
  keys_compared += other.keys_compared;
  in_flight += other.in_flight;
  settings += other.settings;
  long_commands += other.long_commands;
}

std::string ValueCounters::text() const {
  return fmt::format(
      "values: acknowledged {} restored {} refused {} keys_compared {} in_flight {} settings {} "
      "long {}",
      acknowledged, restored, refused, keys_compared, in_flight, settings, long_commands);
}

std::vector<std::string> ValueCounters::missing() const {
  std::vector<std::string> names;
  const auto look = [&names](std::int64_t count, const char* name) {
    if (count == 0) names.emplace_back(name);
  };
  look(acknowledged, "values acknowledged");
  look(restored, "values restored");
  look(refused, "values refused");
  look(in_flight, "values in flight");
  look(settings, "settings changed");
  look(long_commands, "commands with long strings");
  return names;
}

}  // namespace slotcar::sim
