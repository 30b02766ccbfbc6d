#include "keyspace/effects.h"

#include "base/numbers.h"

namespace slotcar::keyspace {

namespace {

void append_number(std::string& out, char type, std::size_t number) {
  char digits[24];
  const int length = base::print_int64(digits, static_cast<std::int64_t>(number));
  out += type;
  out.append(digits, static_cast<std::size_t>(length));
  out += "\r\n";
}

void append_word(std::string& out, std::string_view word) {
  append_number(out, '$', word.size());
  out += word;
  out += "\r\n";
}

void append_command(std::string& out, std::initializer_list<std::string_view> command) {
  append_number(out, '*', command.size());
  for (const std::string_view word : command) append_word(out, word);
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

void Effects::select(DbIndex db) {
  if (db == db_) return;
  char digits[24];
  const int length = base::print_int64(digits, db.value);
  append_command(payload_, {"SELECT", {digits, static_cast<std::size_t>(length)}});
  db_ = db;
}

void Effects::end_line() {
  if (line_words_ == 0) return;
  append_number(payload_, '*', line_words_);
  payload_ += line_;
  line_.clear();
  line_words_ = 0;
}

}  // namespace slotcar::keyspace
