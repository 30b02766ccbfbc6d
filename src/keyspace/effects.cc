#include "keyspace/effects.h"

#include <cstring>

#include "base/assert.h"
#include "base/copy_short.h"
#include "base/limits.h"
#include "base/numbers.h"

namespace slotcar::keyspace {

namespace {

// The most bytes around a word, or before a command: a type, digits, the line's end, twice.
constexpr std::size_t kAroundMax = 32;

// The hot path of every write with a log: bytes are written in place, and the buffer's length is
// set once.
[[gnu::always_inline]] inline char* put_line_end(char* at) {
  std::memcpy(at, "\r\n", 2);
  return at + 2;
}

[[gnu::always_inline]] inline char* put_number(char* at, char type, std::size_t number) {
  *at++ = type;
  return put_line_end(at + base::print_int64(at, static_cast<std::int64_t>(number)));
}

[[gnu::always_inline]] inline char* put_word(char* at, std::string_view word) {
  return put_line_end(base::copy_short(put_number(at, '$', word.size()), word));
}

void append_number(base::GrowingBytes& out, char type, std::size_t number) {
  out.extend(kAroundMax, [=](char* at) { return put_number(at, type, number); });
}

void append_word(base::GrowingBytes& out, std::string_view word) {
  out.extend(word.size() + kAroundMax, [=](char* at) { return put_word(at, word); });
}

void append_command(base::GrowingBytes& out, std::initializer_list<std::string_view> command) {
  std::size_t most = kAroundMax;
  for (const std::string_view word : command) most += word.size() + kAroundMax;
  out.extend(most, [&](char* at) {
    at = put_number(at, '*', command.size());
    for (const std::string_view word : command) at = put_word(at, word);
    return at;
  });
}

}  // namespace

void Effects::add(DbIndex db, std::initializer_list<std::string_view> command) {
  ++changes_;
  add_part(db, command);
}

void Effects::add_part(DbIndex db, std::initializer_list<std::string_view> command) {
  if (!recording_) return;
  end_line();
  select(db);
  append_command(payload_, command);
}

void Effects::add(DbIndex db, Words before, const types::StringInput& argument, Words after) {
  ++changes_;
  add_part(db, before, argument, after);
}

void Effects::add_part(DbIndex db, Words before, const types::StringInput& argument, Words after) {
  if (!recording_) return;
  end_line();
  select(db);
  append_number(payload_, '*', before.size() + 1 + after.size());
  for (const std::string_view word : before) append_word(payload_, word);
  const bool whole = argument.shared != nullptr && argument.shared->size() == argument.bytes.size();
  if (whole && argument.bytes.size() >= limits::kReferredBytesMin) {
    append_number(payload_, '$', argument.bytes.size());
    parts_.push_back(
        {payload_.view().size(), std::make_unique<base::LongReading>(*argument.shared)});
    payload_.append("\r\n");
  } else {
    append_word(payload_, argument.bytes);
  }
  for (const std::string_view word : after) append_word(payload_, word);
}

void Effects::add_prepared(DbIndex db, const PreparedEffects& prepared) {
  changes_ += prepared.changes;
  if (!recording_) return;
  end_line();
  select(db);
  if (prepared.text.size() >= limits::kReferredBytesMin) {
    parts_.push_back({payload_.view().size(), std::make_unique<base::LongReading>(prepared.text)});
  } else {
    payload_.append(prepared.text.view());
  }
}

PreparedEffects Effects::take_prepared(base::Reclaimer* reclaimer) {
  ASSERT(parts_.empty());
  PreparedEffects prepared{base::SharedBytes::copy_of(payload(), reclaimer), changes_};
  clear();
  return prepared;
}

void Effects::add_words(DbIndex db, std::span<const std::string_view> command) {
  ++changes_;
  if (!recording_) return;
  end_line();
  select(db);
  append_number(payload_, '*', command.size());
  for (const std::string_view word : command) append_word(payload_, word);
}

void Effects::add_set(DbIndex db, std::string_view key, std::string_view value) {
  ++changes_;
  if (!recording_) return;
  end_line();
  select(db);
  constexpr std::string_view kBegin = "*3\r\n$3\r\nSET\r\n";
  payload_.extend(key.size() + value.size() + 3 * kAroundMax, [=](char* at) {
    std::memcpy(at, kBegin.data(), kBegin.size());
    return put_word(put_word(at + kBegin.size(), key), value);
  });
}

void Effects::join(const void* owner, DbIndex db, std::string_view name, std::string_view key,
                   Words more) {
  ++changes_;
  if (!recording_) return;
  if (line_words_ == 0 || line_owner_ != owner || line_name_ != name || line_key_ != key) {
    end_line();
    select(db);
    line_owner_ = owner;
    line_name_ = name;
    line_key_ = key;
    append_word(line_, name);
    append_word(line_, key);
    line_words_ = 2;
  }
  for (const std::string_view word : more) append_word(line_, word);
  line_words_ += more.size();
}

void Effects::write_select(DbIndex db) {
  char digits[24];
  const int length = base::print_int64(digits, db.value);
  append_command(payload_, {"SELECT", {digits, static_cast<std::size_t>(length)}});
  db_ = db;
}

void Effects::write_line() {
  append_number(payload_, '*', line_words_);
  payload_.append(line_.view());
  line_.clear();
  line_words_ = 0;
}

}  // namespace slotcar::keyspace
