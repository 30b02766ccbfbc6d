#include "schema/registry.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/ascii.h"
#include "base/assert.h"
#include "base/first_eight.h"
#include "schema/command_info.h"

namespace slotcar::schema {

using base::first_eight;

namespace {

// The table is sparse so that nearly every lookup ends at its first cell.
constexpr std::size_t kCellsPerCommand = 4;
constexpr std::size_t kCellsMin = 16;

constexpr std::uint64_t bytes_of(std::uint8_t byte) {
  return byte * 0x0101010101010101ull;
}

// Lower-cases eight ASCII letters at once. Adding to the low seven bits of each byte carries into
// its top bit exactly when the byte is large enough; bytes above 127 are left alone.
constexpr std::uint64_t lower_eight(std::uint64_t word) {
  const std::uint64_t low = word & bytes_of(0x7f);
  const std::uint64_t from_a = low + bytes_of(0x80 - 'A');
  const std::uint64_t beyond_z = low + bytes_of(0x80 - 'Z' - 1);
  const std::uint64_t upper = from_a & ~beyond_z & ~word & bytes_of(0x80);
  return word | (upper >> 2);
}

std::size_t home_cell(std::uint64_t prefix, std::size_t size, std::size_t cells) {
  std::uint64_t mixed = (prefix + size * 0x9e3779b97f4a7c15ull) * 0xbf58476d1ce4e5b9ull;
  mixed ^= mixed >> 32;
  return static_cast<std::size_t>(mixed) & (cells - 1);
}

// The eight first bytes, and the sizes, are known to be equal.
bool rest_equals(std::string_view name, const char* lower_name) {
  for (std::size_t i = 8; i < name.size(); ++i) {
    if (base::to_lower(name[i]) != lower_name[i]) return false;
  }
  return true;
}

std::string_view last_name(const Registered& subcommand) {
  const std::string_view full = subcommand.lower_name;
  return full.substr(full.find('|') + 1);
}

}  // namespace

Registry::Registry(std::span<const Command* const> commands) {
  commands_.reserve(commands.size());  // Pointers to the elements are handed out below.
  for (const Command* command : commands) {
    Registered& entry = commands_.emplace_back();
    entry.command = command;
    entry.number = static_cast<std::uint16_t>(commands_.size() - 1);
    entry.lower_name = base::lowered(command->name);
    entry.movable_keys = legacy_keys(command->keys).movable;
  }

  std::vector<Names::Named> names;
  for (const Registered& entry : commands_) {
    if (entry.lower_name.find('|') == std::string::npos)
      names.push_back({entry.lower_name, &entry});
  }
  declared_.assign(names);
  called_.assign(std::move(names));
  for (Registered& entry : commands_) link_to_container(entry);
}

Registry::~Registry() = default;

void Registry::link_to_container(Registered& entry) {
  const auto bar = entry.lower_name.find('|');
  if (bar == std::string::npos) return;
  const Registered* container = find(std::string_view(entry.lower_name).substr(0, bar));
  ASSERT(container != nullptr);
  ASSERT(find_subcommand(*container, last_name(entry)) == nullptr);
  entry.container = container;
  commands_[container->number].subcommands.push_back(&entry);
}

Status Registry::rename(std::string_view name, std::string_view to) {
  const Registered* command = find(name);
  if (command == nullptr) return Error{"No such command in rename-command"};
  const Registered* other = to.empty() ? nullptr : find(to);
  if (other != nullptr && other != command) return Error{"Target command name already exists"};
  std::vector<Names::Named> names = called_.all();
  const auto entry = std::ranges::find(names, command, &Names::Named::command);
  ASSERT(entry != names.end());
  if (to.empty()) {
    names.erase(entry);
    commands_[command->number].removed = true;
    for (const Registered* sub : command->subcommands) commands_[sub->number].removed = true;
  } else {
    entry->name = base::lowered(to);
  }
  called_.assign(std::move(names));
  return {};
}

void Registry::Names::assign(std::vector<Named> names) {
  names_ = std::move(names);
  cells_.assign(std::bit_ceil(std::max(names_.size() * kCellsPerCommand, kCellsMin)), Cell{});
  for (const Named& entry : names_) {
    ASSERT(find(entry.name) == nullptr);
    const std::uint64_t prefix = first_eight(entry.name);
    std::size_t at = home_cell(prefix, entry.name.size(), cells_.size());
    while (cells_[at].command != nullptr) at = (at + 1) & (cells_.size() - 1);
    cells_[at] = {prefix, entry.name.size(), entry.name.data(), entry.command};
  }
}

const Registered* Registry::Names::find(std::string_view name) const {
  const std::uint64_t prefix = lower_eight(first_eight(name));
  std::size_t at = home_cell(prefix, name.size(), cells_.size());
  for (;; at = (at + 1) & (cells_.size() - 1)) {
    const Cell& cell = cells_[at];
    if (cell.command == nullptr) return nullptr;
    if (cell.prefix == prefix && cell.size == name.size() &&
        (name.size() <= 8 || rest_equals(name, cell.name))) {
      return cell.command;
    }
  }
}

const Registered* Registry::find_subcommand(const Registered& container,
                                            std::string_view name) const {
  for (const Registered* subcommand : container.subcommands) {
    if (base::equals_ignoring_case(last_name(*subcommand), name)) return subcommand;
  }
  return nullptr;
}

const Registered* Registry::find_full(std::string_view full_name) const {
  return find_part(find(full_name.substr(0, full_name.find('|'))), full_name);
}

const Registered* Registry::find_declared_full(std::string_view full_name) const {
  return find_part(find_declared(full_name.substr(0, full_name.find('|'))), full_name);
}

const Registered* Registry::find_part(const Registered* whole, std::string_view full_name) const {
  const auto bar = full_name.find('|');
  if (whole == nullptr || bar == std::string_view::npos) return whole;
  return find_subcommand(*whole, full_name.substr(bar + 1));
}

}  // namespace slotcar::schema
