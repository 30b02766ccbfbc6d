// Settings of Redis that are accepted, checked, stored and returned, and have no effect here: those
// of areas not implemented yet (`awaits` names the area), and those that have no meaning in this
// server (`awaits` is "-"). docs/differences-from-redis.md lists both from this table.
#include <fmt/format.h>

#include <array>

#include "base/ascii.h"
#include "base/numbers.h"
#include "node/configuration.h"
#include "node/setting_kinds.h"

namespace slotcar::node {
namespace {

// Only settings that have a purpose in Redis itself.
constexpr std::string_view kNoMeaning = "-";

// --- rows as data ------------------------------------------------------------------------------

struct Row {
  std::string_view name;
  std::string_view default_text;
  std::string_view awaits;
  std::string_view alias = {};
  bool immutable = false;
};

struct NumberRow {
  std::string_view name;
  std::int64_t default_value;
  std::int64_t low;
  std::int64_t high;
  std::string_view awaits;
  std::string_view alias = {};
  bool immutable = false;
  bool hidden = false;
};

constexpr Row kYesNo[] = {
    {"rdb-del-sync-files", "no", "replication"},
    {"rdb-save-incremental-fsync", "yes", kNoMeaning},
    {"aof-rewrite-incremental-fsync", "yes", kNoMeaning},
    {"aof-use-rdb-preamble", "yes", kNoMeaning},
    {"aof-timestamp-enabled", "no", kNoMeaning},
    {"aof-disable-auto-gc", "no", kNoMeaning},
    {"no-appendfsync-on-rewrite", "no", kNoMeaning},
    {"repl-disable-tcp-nodelay", "no", "replication"},
    {"repl-diskless-sync", "yes", "replication"},
    {"replica-lazy-flush", "no", "replication", "slave-lazy-flush"},
    {"replica-serve-stale-data", "yes", "replication", "slave-serve-stale-data"},
    {"replica-read-only", "yes", "replication", "slave-read-only"},
    {"replica-ignore-maxmemory", "yes", "replication", "slave-ignore-maxmemory"},
    {"replica-ignore-disk-write-errors", "no", "replication"},
    {"replica-announced", "yes", "replication"},
    {"tls-replication", "no", "replication"},
    {"cluster-replica-no-failover", "no", "replication", "cluster-slave-no-failover"},
    {"cluster-allow-replica-migration", "yes", "replication"},
    // Big values are always freed on another thread.
    {"lazyfree-lazy-eviction", "no", kNoMeaning},
    {"lazyfree-lazy-expire", "no", kNoMeaning},
    {"lazyfree-lazy-server-del", "no", kNoMeaning},
    {"lazyfree-lazy-user-del", "no", kNoMeaning},
    // Tables grow and shrink a segment at a time: there is nothing to rehash in the background.
    {"activerehashing", "yes", kNoMeaning},
    {"activedefrag", "no", kNoMeaning},
    {"dynamic-hz", "yes", kNoMeaning},
    {"jemalloc-bg-thread", "yes", kNoMeaning},
    {"disable-thp", "yes", kNoMeaning, "", true},
    {"io-threads-do-reads", "no", kNoMeaning, "", true},
    {"always-show-logo", "no", kNoMeaning, "", true},
    {"set-proc-title", "yes", kNoMeaning, "", true},
    {"syslog-enabled", "no", kNoMeaning, "", true},
    {"crash-log-enabled", "yes", kNoMeaning},
    {"crash-memcheck-enabled", "yes", kNoMeaning},
    {"use-exit-on-panic", "no", kNoMeaning},
};

constexpr NumberRow kNumbers[] = {
    {"list-compress-depth", 0, 0, kIntMax, kNoMeaning},
    {"repl-timeout", 60, 1, kIntMax, "replication"},
    {"repl-ping-replica-period", 10, 1, kIntMax, "replication", "repl-ping-slave-period"},
    {"repl-diskless-sync-delay", 5, 0, kIntMax, "replication"},
    {"repl-diskless-sync-max-replicas", 0, 0, kIntMax, "replication"},
    {"repl-backlog-ttl", 3600, 0, kLongMax, "replication"},
    {"min-replicas-to-write", 0, 0, kIntMax, "replication", "min-slaves-to-write"},
    {"min-replicas-max-lag", 10, 0, kIntMax, "replication", "min-slaves-max-lag"},
    {"replica-priority", 100, 0, kIntMax, "replication", "slave-priority"},
    {"replica-announce-port", 0, 0, 65535, "replication", "slave-announce-port"},
    {"cluster-replica-validity-factor", 10, 0, kIntMax, "replication",
     "cluster-slave-validity-factor"},
    {"cluster-migration-barrier", 1, 0, kIntMax, "replication"},
    {"cluster-port", 0, 0, 65535, kNoMeaning, "", true},
    {"cluster-announce-bus-port", 0, 0, 65535, kNoMeaning},
    {"shutdown-timeout", 10, 0, kIntMax, "replication"},
    // Expiry uses an index: nothing is searched, so there is no effort to choose.
    {"active-expire-effort", 1, 1, 10, kNoMeaning},
    {"active-defrag-cycle-min", 1, 1, 99, kNoMeaning},
    {"active-defrag-cycle-max", 25, 1, 99, kNoMeaning},
    {"active-defrag-threshold-lower", 10, 0, 1000, kNoMeaning},
    {"active-defrag-threshold-upper", 100, 0, 1000, kNoMeaning},
    {"active-defrag-max-scan-fields", 1000, 1, kLongMax, kNoMeaning},
    {"io-threads", 1, 1, 128, kNoMeaning, "", true},  // see workers
    {"socket-mark-id", 0, 0, kUintMax, kNoMeaning, "", true},
};

constexpr NumberRow kBytes[] = {
    {"repl-backlog-size", 1024 * 1024, 1, kLongMax, "replication"},
    {"active-defrag-ignore-bytes", 100 * 1024 * 1024, 1, kLongMax, kNoMeaning},
};

constexpr Row kTexts[] = {
    {"replicaof", "", "replication", "slaveof", true},
    {"replica-announce-ip", "", "replication", "slave-announce-ip"},
    {"cluster-config-file", "nodes.conf", kNoMeaning, "", true},
    {"bind-source-addr", "", "replication"},
    {"syslog-ident", "slotcar", kNoMeaning, "", true},
    {"ignore-warnings", "", kNoMeaning},
    {"locale-collate", "", kNoMeaning},
    {"server_cpulist", "", kNoMeaning, "", true},
    {"bio_cpulist", "", kNoMeaning, "", true},
    {"aof_rewrite_cpulist", "", kNoMeaning, "", true},
    {"bgsave_cpulist", "", kNoMeaning, "", true},
};

// The first word is the default.
struct ChoiceRow {
  std::string_view name;
  std::array<std::string_view, 9> choices;  // up to the first empty one
  std::string_view default_text;
  std::string_view awaits;
  bool immutable = false;
};

constexpr ChoiceRow kChoices[] = {
    {"repl-diskless-load", {"disabled", "on-empty-db", "swapdb"}, "disabled", "replication"},
    // Every payload is checked as a whole.
    {"sanitize-dump-payload", {"no", "yes", "clients"}, "no", kNoMeaning},
    {"propagation-error-behavior",
     {"ignore", "panic", "panic-on-replicas"},
     "ignore",
     "replication"},
    {"supervised", {"upstart", "systemd", "auto", "no"}, "no", "", true},  // main.cc
    {"syslog-facility",
     {"user", "local0", "local1", "local2", "local3", "local4", "local5", "local6", "local7"},
     "local0",
     kNoMeaning,
     true},
    {"oom-score-adj", {"no", "yes", "relative", "absolute"}, "no", kNoMeaning},
    // These three take effect in their commands: DEBUG, CONFIG SET, MODULE.
    {"enable-debug-command", {"no", "yes", "local"}, "no", "", true},
    {"enable-protected-configs", {"no", "yes", "local"}, "no", "", true},
    {"enable-module-command", {"no", "yes", "local"}, "no", "", true},
};

std::span<const std::string_view> words_in(const ChoiceRow& row) {
  std::size_t count = 0;
  while (count < row.choices.size() && !row.choices[count].empty()) ++count;
  return {row.choices.data(), count};
}

// --- those with a grammar of their own ---------------------------------------------------------

Result<std::string> check_percentiles(std::string_view text) {
  std::string kept;
  for (const std::string& word : words_of(text)) {
    const auto value = base::parse_double(word);
    if (!value) return Error{"Invalid latency-tracking-info-percentiles parameters"};
    if (*value < 0 || *value > 100) {
      return Error{"latency-tracking-info-percentiles parameters should sit between [0.0,100.0]"};
    }
    kept += (kept.empty() ? "" : " ") + base::print_double(*value);
  }
  return kept;
}

Result<std::string> check_oom_scores(std::string_view text) {
  constexpr std::int64_t kScoreMax = 2000;
  const auto words = words_of(text);
  if (words.size() != 3) return Error{"wrong number of arguments"};
  std::int64_t last = -kScoreMax;
  for (const std::string& word : words) {
    auto score = parse_number(word, -kScoreMax, kScoreMax);
    if (!score)
      return Error{
          "Invalid oom-score-adj-values, elements must be between -2000 and "
          "2000."};
    if (*score < last) return Error{"oom-score-adj-values should go from small to large"};
    last = *score;
  }
  return fmt::format("{}", fmt::join(words, " "));
}

Result<std::string> check_shutdown_flags(std::string_view text) {
  static constexpr std::string_view kFlags[] = {"default", "save", "nosave", "now", "force"};
  const auto words = words_of(text);
  for (const std::string& word : words) {
    if (auto at = parse_choice(word, kFlags); !at) return at.error();
  }
  if (words.empty()) return parse_choice("", kFlags).error();
  return base::lowered(fmt::format("{}", fmt::join(words, " ")));
}

Result<std::string> check_title(std::string_view text) {
  constexpr std::string_view kVariables[] = {"title",    "listen-addr", "server-mode", "port",
                                             "tls-port", "unixsocket",  "config-file"};
  const Error wrong{"template format is invalid or contains unknown variables"};
  for (std::size_t at = text.find('{'); at != std::string_view::npos; at = text.find('{', at + 1)) {
    const auto close = text.find('}', at);
    if (close == std::string_view::npos) return wrong;
    if (!parse_choice(text.substr(at + 1, close - at - 1), kVariables)) return wrong;
  }
  return std::string(text);
}

}  // namespace

void Configuration::declare_remembered() {
  const auto add = [this](const auto& row, std::string_view default_text, TextCheck check) {
    Setting& setting = declare(remembered(row.name, default_text, settings_, std::move(check)));
    setting.awaits = row.awaits;
    setting.immutable = row.immutable;
    return &setting;
  };
  for (const Row& row : kYesNo) {
    add(row, row.default_text, [](std::string_view text) -> Result<std::string> {
      auto value = parse_yes_no(text);
      if (!value) return value.error();
      return yes_no_text(*value);
    })->alias = row.alias;
  }
  const auto add_number = [&](const NumberRow& row, NumberParser parse) {
    // The table has no text for the default; `get` of an unchanged row prints it.
    Setting* setting = add(row, {}, [&row, parse](std::string_view text) -> Result<std::string> {
      auto value = parse(text, row.low, row.high);
      if (!value) return value.error();
      return std::to_string(*value);
    });
    setting->alias = row.alias;
    setting->hidden = row.hidden;
    setting->get = [this, &row] {
      const auto found = settings_.remembered.find(row.name);
      return found != settings_.remembered.end() ? found->second
                                                 : std::to_string(row.default_value);
    };
  };
  for (const NumberRow& row : kNumbers) add_number(row, parse_number);
  for (const NumberRow& row : kBytes) add_number(row, parse_bytes);
  for (const Row& row : kTexts) {
    Setting* setting = add(row, row.default_text, any_text);
    setting->alias = row.alias;
    setting->takes_many = row.name == "replicaof";
  }
  for (const ChoiceRow& row : kChoices) {
    add(row, row.default_text, [&row](std::string_view text) -> Result<std::string> {
      auto at = parse_choice(text, words_in(row));
      if (!at) return at.error();
      return std::string(words_in(row)[*at]);
    });
  }

  const auto special = [&](const Row& row, TextCheck check, bool takes_many) {
    add(row, row.default_text, std::move(check))->takes_many = takes_many;
  };
  special({"latency-tracking-info-percentiles", "50 99 99.9", ""}, check_percentiles, true);
  special({"oom-score-adj-values", "0 200 800", kNoMeaning}, check_oom_scores, true);
  special({"shutdown-on-sigint", "default", ""}, check_shutdown_flags, true);  // main.cc
  special({"shutdown-on-sigterm", "default", ""}, check_shutdown_flags, true);
  special({"proc-title-template", "{title} {listen-addr} {server-mode}", kNoMeaning}, check_title,
          false);
}

}  // namespace slotcar::node
