#include "durability/slot_records.h"

#include <fmt/format.h>

#include "base/ascii.h"
#include "durability/replay.h"
#include "schema/slot.h"

namespace slotcar::durability {

using schema::Runs;

void SlotRecords::select(std::string& into, std::string_view db) {
  if (selected_ == db) return;
  fmt::format_to(std::back_inserter(into), "*2\r\n$6\r\nSELECT\r\n${}\r\n{}\r\n", db.size(), db);
  selected_ = db;
}

auto SlotRecords::take(std::string_view payload, Lsn lsn, std::string& into) -> Result<Found> {
  const std::size_t before = into.size();
  std::string_view db = "0";  // a record begins there
  selected_ = db;
  Found found = Found::nothing;
  while (!payload.empty()) {
    std::string_view command = payload;
    if (!take_command(payload, words_)) {
      return Error{fmt::format("cannot read record {} of the log", lsn.value)};
    }
    command.remove_suffix(payload.size());
    if (words_.size() == 2 && base::equals_ignoring_case(words_[0], "SELECT")) {
      db = words_[1];
      continue;
    }
    const Result<Found> looked = look_at(lsn);
    if (!looked || *looked == Found::all_keys || *looked == Found::crossing) {
      into.resize(before);
      return looked;
    }
    if (*looked == Found::nothing) continue;
    select(into, db);
    into += command;
    found = Found::some;
  }
  select(into, "0");
  return found;
}

auto SlotRecords::look_at(Lsn lsn) const -> Result<Found> {
  if (base::equals_ignoring_case(words_[0], "FUNCTION")) return Found::nothing;  // of no slot
  const schema::Registered* found = find_logged_command(registry_, words_);
  if (found == nullptr) {
    return Error{fmt::format("record {} of the log has a command that nobody here knows: {}",
                             lsn.value, words_[0].substr(0, 64))};
  }
  const schema::Command& command = *found->command;
  if (command.runs.form == Runs::Form::on_all_shards) return Found::all_keys;
  struct Keys {
    const SlotRecords* self;
    bool inside = false;
    bool outside = false;
  } keys{this};
  schema::find_keys(command.keys, words_, &keys, [](void* raw, std::size_t index, schema::KeyUse) {
    auto& into = *static_cast<Keys*>(raw);
    const bool is_inside = into.self->slots_[schema::slot_of(into.self->words_[index]).value];
    (is_inside ? into.inside : into.outside) = true;
  });
  if (!keys.inside) return Found::nothing;
  return keys.outside ? Found::crossing : Found::some;
}

}  // namespace slotcar::durability
