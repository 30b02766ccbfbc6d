// Values of a snapshot together with what Redis's format cannot express: the times of fields and of
// consumers, which come before the key.
#include <string>

#include "storage/rdb/rdb_reader.h"
#include "types/hash.h"
#include "types/stream/stream.h"

namespace slotcar::storage {

namespace {

// When the field with that index expires. The indexes ascend by one.
class FieldTimes {
 public:
  explicit FieldTimes(RdbInput& in) : in_(in) { next(); }

  UnixMs of_next_field() {
    if (without_ > 0) {
      --without_;
      return kNever;
    }
    const UnixMs due = due_;
    next();
    return due;
  }
  // Whether they named a field that does not exist.
  bool used_up() const { return due_ == kNever; }

 private:
  void next() {
    without_ = in_.at_end() ? UINT64_MAX : in_.length();
    due_ = without_ == UINT64_MAX ? kNever : in_.time();
  }

  RdbInput& in_;
  std::uint64_t without_ = 0;  // fields before the next one with a time
  UnixMs due_ = kNever;
};

bool read_timed_hash(RdbInput& in, RdbInput& times, const RdbSurroundings& around,
                     types::OwnCell& cell) {
  types::Hash hash(cell, around.settings);
  FieldTimes dues(times);
  std::string name_scratch;
  std::string value_scratch;
  for (std::size_t left = in.count(2); left > 0; --left) {
    const std::string_view name = in.string(name_scratch);
    const std::string_view value = in.string(value_scratch);
    const UnixMs due = dues.of_next_field();
    if (in.failed() || times.failed() || due < 0 || hash.put(name, value, due)) return false;
  }
  return !in.failed() && dues.used_up() && !hash.is_empty();
}

bool set_active_times(RdbInput& times, types::Stream& stream) {
  std::vector<std::string> groups;
  stream.get()->for_each_group(
      [&](std::string_view name, const types::ConsumerGroup&) { groups.emplace_back(name); });
  for (const std::string& name : groups) {
    stream.change_group(name, [&](types::ConsumerGroup& group) {
      std::vector<types::ConsumerGroup::Number> numbers;
      group.for_each_consumer(
          [&](const types::Consumer& consumer) { numbers.push_back(*group.find(consumer.name)); });
      for (const auto number : numbers) {
        const UnixMs at = times.time();
        if (at < -1) times.fail();
        group.set_active(number, at);
      }
      return !times.failed();
    });
  }
  return !times.failed();
}

}  // namespace

std::optional<RdbValue> read_value_with_times(rdb::Kind kind, RdbInput& in, RdbInput& times,
                                              const RdbSurroundings& around) {
  if (kind == rdb::Kind::hash) {
    RdbValue value;
    value.type = types::Type::hash;
    if (!read_timed_hash(in, times, around, value.cell)) return std::nullopt;
    return value;
  }
  auto value = read_value(kind, in, around);
  if (!value || value->type != types::Type::stream) return std::nullopt;
  types::Stream stream(value->cell, around.settings);
  if (!set_active_times(times, stream)) return std::nullopt;
  return value;
}

}  // namespace slotcar::storage
