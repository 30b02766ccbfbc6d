#include "keyspace/watch/events.h"

#include <string>

namespace slotcar::keyspace {

namespace {

struct ClassLetter {
  char letter;
  std::uint16_t bits;
};

constexpr std::uint16_t bit(EventClass kind) {
  return static_cast<std::uint16_t>(kind);
}

// In the order in which Redis prints them.
constexpr ClassLetter kInAll[] = {
    {'g', bit(EventClass::generic)}, {'$', bit(EventClass::string)},
    {'l', bit(EventClass::list)},    {'s', bit(EventClass::set)},
    {'h', bit(EventClass::hash)},    {'z', bit(EventClass::sorted_set)},
    {'x', bit(EventClass::expired)}, {'e', bit(EventClass::evicted)},
    {'t', bit(EventClass::stream)},  {'d', bit(EventClass::module)}};
constexpr std::string_view kLetters = "Ag$lshzxeKEtmdn";

constexpr std::uint16_t all_classes() {
  std::uint16_t all = 0;
  for (const ClassLetter& each : kInAll) all |= each.bits;
  return all;
}

}  // namespace

Result<EventMask> EventMask::parse(std::string_view letters) {
  constexpr ClassLetter kOthers[] = {{'A', all_classes()},
                                     {'m', bit(EventClass::miss)},
                                     {'n', bit(EventClass::fresh)},
                                     {'K', kByKey},
                                     {'E', kByEvent}};
  std::uint16_t bits = 0;
  for (const char letter : letters) {
    std::uint16_t known = 0;
    for (const ClassLetter& each : kInAll) known |= each.letter == letter ? each.bits : 0;
    for (const ClassLetter& each : kOthers) known |= each.letter == letter ? each.bits : 0;
    if (known == 0) {
      return Error{"Invalid event class character. Use '" + std::string(kLetters) + "'."};
    }
    bits |= known;
  }
  return EventMask(bits);
}

std::string EventMask::text() const {
  std::string text;
  if ((bits_ & all_classes()) == all_classes()) {
    text = "A";
  } else {
    for (const ClassLetter& each : kInAll) {
      if ((bits_ & each.bits) != 0) text += each.letter;
    }
  }
  if (has(EventClass::fresh)) text += 'n';
  if (by_key()) text += 'K';
  if (by_event()) text += 'E';
  if (has(EventClass::miss)) text += 'm';
  return text;
}

}  // namespace slotcar::keyspace
