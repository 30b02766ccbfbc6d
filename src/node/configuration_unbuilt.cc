// Settings of Redis whose effect is not implemented yet. Their default is accepted, so that a
// redis.conf that names it is read. A value that asks for the effect is refused, at start and by
// CONFIG SET. (A server that replied OK to `min-replicas-to-write 1` would silently leave its user
// unprotected.)
//
// Settings that only tune such an effect (repl-timeout, cluster-node-timeout) accept any value: it
// does not matter as long as the effect itself cannot be switched on.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "base/ascii.h"
#include "base/assert.h"
#include "node/configuration.h"

namespace slotcar::node {
namespace {

struct Unbuilt {
  std::string_view name;
  // The values that do not ask for the effect; the first is the default.
  std::array<std::string_view, 3> inert = {""};
};

constexpr Unbuilt kUnbuilt[] = {
    {"replicaof", {"", "no one"}},
    {"min-replicas-to-write", {"0"}},
    {"tls-replication", {"no"}},
    {"activedefrag", {"no"}},
    {"syslog-enabled", {"no"}},
    {"supervised", {"no", "systemd", "auto"}},
    {"oom-score-adj", {"no"}},
    {"socket-mark-id", {"0"}},
    {"server_cpulist"},
    {"bio_cpulist"},
    {"aof_rewrite_cpulist"},
    {"bgsave_cpulist"},
    {"locale-collate", {"", "C", "POSIX"}},
};

// An empty value counts only in the first place.
std::vector<std::string_view> inert_values(const Unbuilt& row) {
  std::vector<std::string_view> values{row.inert[0]};
  for (std::size_t i = 1; i < row.inert.size() && !row.inert[i].empty(); ++i) {
    values.push_back(row.inert[i]);
  }
  return values;
}

Error refusal(std::span<const std::string_view> inert) {
  std::string accepted;
  for (const std::string_view value : inert) {
    accepted += fmt::format("{}'{}'", accepted.empty() ? "" : ", ", value);
  }
  return Error{fmt::format("this is not implemented yet: only {} is accepted", accepted)};
}

}  // namespace

// After all others are declared, so that the rows have their defaults and error texts.
void Configuration::limit_unbuilt() {
  for (const Unbuilt& row : kUnbuilt) {
    const auto found = std::ranges::find(settings_table_, row.name, &Setting::name);
    ASSERT(found != settings_table_.end());
    found->inert = inert_values(row);
    found->set = [get = found->get, set = found->set,
                  inert = found->inert](std::string_view text) -> Status {
      const std::string before = get();
      if (Status kept = set(text); !kept) return kept;
      if (std::ranges::find(inert, get()) != inert.end()) return {};
      ASSERT(set(before).ok());
      return refusal(inert);
    };
  }
}

// Lines of a file that are not settings.
std::optional<Status> Configuration::load_unbuilt_line(std::span<const std::string> words) {
  const auto is = [&](std::string_view name) {
    return base::equals_ignoring_case(words.front(), name);
  };
  if (is("loadmodule")) return Status{Error{"modules are not implemented"}};
  return std::nullopt;
}

}  // namespace slotcar::node
