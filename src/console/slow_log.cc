#include "console/slow_log.h"

#include <algorithm>
#include <utility>

#include "schema/secrets.h"

namespace slotcar::console {

namespace {

// As in Redis: more would make the log itself expensive.
constexpr std::size_t kWordsMax = 32;
constexpr std::size_t kWordBytesMax = 128;
constexpr int kDroppedAtOnce = 1024;

std::string cut(std::string_view word) {
  if (word.size() <= kWordBytesMax) return std::string(word);
  std::string shown(word.substr(0, kWordBytesMax));
  shown += "... (" + std::to_string(word.size() - kWordBytesMax) + " more bytes)";
  return shown;
}

std::vector<std::string> words_of(const shard::Call& call) {
  const std::size_t size = call.size();
  const std::size_t shown = size > kWordsMax ? kWordsMax - 1 : size;
  std::vector<std::string> words;
  for (std::size_t i = 0; i < shown; ++i) {
    const bool secret = schema::is_secret_argument(*call.command().command, call.args(), i);
    words.push_back(secret ? std::string(schema::kRedacted) : cut(call.arg(i)));
  }
  if (shown < size) {
    words.push_back("... (" + std::to_string(size - shown) + " more arguments)");
  }
  return words;
}

}  // namespace

void SlowLog::note(const shard::Call& call) {
  const ClientId client = call.caller().client;
  const bool internal = client == ClientId{};
  if (internal || has(call.command().command->access, schema::Access::skip_slowlog)) return;
  Entry entry;
  entry.unix_seconds = clock_.unix_ms() / 1000;
  entry.microseconds = static_cast<std::int64_t>(static_cast<double>(call.schedule().cycles) *
                                                 nanoseconds_per_cycle_ / 1000);
  entry.words = words_of(call);
  if (const auto record = clients_.find(client)) {
    entry.address = record->address;
    entry.name = clients_.names(*record).name;
  }
  auto noted = std::make_shared<Entry>(std::move(entry));
  std::lock_guard lock(mutex_);
  noted->id = next_id_++;
  entries_.push_front(std::move(noted));
  const auto most = static_cast<std::size_t>(length_max_.get());
  // Removes a few of the entries above a smaller length each time.
  for (int i = 0; i < kDroppedAtOnce && entries_.size() > most; ++i) entries_.pop_back();
}

SlowLog::Entries SlowLog::newest(std::size_t count) const {
  std::lock_guard lock(mutex_);
  const std::size_t many = std::min(count, entries_.size());
  return {entries_.begin(), entries_.begin() + static_cast<std::ptrdiff_t>(many)};
}

std::size_t SlowLog::length() const {
  std::lock_guard lock(mutex_);
  return entries_.size();
}

SlowLog::Entries SlowLog::take() {
  std::lock_guard lock(mutex_);
  return std::exchange(entries_, {});
}

}  // namespace slotcar::console
