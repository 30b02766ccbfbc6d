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

void append_command(std::string& out, std::initializer_list<std::string_view> command) {
  append_number(out, '*', command.size());
  for (const std::string_view word : command) {
    append_number(out, '$', word.size());
    out += word;
    out += "\r\n";
  }
}

}  // namespace

void Effects::add(DbIndex db, std::initializer_list<std::string_view> command) {
  ++changes_;
  if (!recording_) return;
  if (db != db_) {
    char digits[24];
    const int length = base::print_int64(digits, db.value);
    append_command(payload_, {"SELECT", {digits, static_cast<std::size_t>(length)}});
    db_ = db;
  }
  append_command(payload_, command);
}

}  // namespace slotcar::keyspace
