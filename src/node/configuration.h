// Configuration: one table of settings. Files, the command line, CONFIG GET, CONFIG SET and CONFIG
// REWRITE all go through it; a setting is declared in one row.
//
// The values are in `Settings`; this table only names them, so that main may fill the settings
// before there is a node, and the node's own table then sees the same values. A mutex serializes
// changes. Code on the data path reads a setting's atomic.
#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "node/settings.h"

namespace slotcar::session {
class Worker;
}

namespace slotcar::node {

class Node;

struct Setting {
  std::string_view name;
  std::string_view alias = {};   // Redis's older name (slave-... for replica-...), or empty
  std::string_view awaits = {};  // only stored: the area that will give it an effect
  bool immutable = false;        // only at start
  bool guarded = false;          // CONFIG SET only with enable-protected-configs
  bool after_loading = false;    // CONFIG SET only when the data is loaded
  bool hidden = false;           // CONFIG GET only by its exact name
  bool takes_many = false;       // a list on one line: bind, save, client-output-buffer-limit
  bool adds_up = false;          // several lines in a file are one list: save
  bool sensitive = false;        // never printed in logs
  bool always_applied = false;   // CONFIG SET of the same text too: a file may have changed
  std::vector<std::string_view> inert = {};  // not implemented yet: only these values are taken
  std::string default_text = {};
  std::function<std::string()> get = {};
  // The text as in the file or in CONFIG SET; words separated by blanks for lists.
  // An error is the part after "- ": "argument must be 'yes' or 'no'".
  std::function<Status(std::string_view)> set = {};
  // Called after a change at run time, when all values of the command are set. An error restores
  // all of them.
  std::function<Status(Node&, session::Worker*)> applied = {};
};

class Configuration {
 public:
  explicit Configuration(Settings& settings);
  // From here on changes reach a running node (listeners, memory limit, log level...).
  void attach(Node& node) { node_ = &node; }

  // `slotcar-server [file | -] [--name value ...]`. Lines "name value..." in redis.conf's dialect.
  Status load_file(const std::string& path);
  Status load_text(std::string_view text, std::string_view where);
  Status load_arguments(std::span<const std::string> arguments);

  const Setting* find(std::string_view name) const;  // name or alias, any case
  std::string suggestion(std::string_view unknown) const;
  std::span<const Setting> all() const { return settings_table_; }
  // Whether a line that begins with this name may contain a secret.
  bool is_sensitive(std::string_view name) const;
  // The present text of an existing setting.
  std::string value(std::string_view name) const;

  // CONFIG SET: all or nothing. The error is the whole reply text.
  using Change = std::pair<std::string_view, std::string_view>;
  struct Setter {                       // who asks for it
    bool may_change_guarded = false;    // allowed by enable-protected-configs
    session::Worker* worker = nullptr;  // the worker on whose thread it runs, if any
  };
  Status set(std::span<const Change> changes, const Setter& setter);
  // CONFIG GET: pairs whose name matches one of the patterns, each once.
  std::vector<std::pair<std::string, std::string>> get(std::span<const std::string_view> patterns);
  // CONFIG REWRITE. The error is the whole reply text.
  Status rewrite();
  // The new text of a file with this text.
  std::string rewritten(std::string_view old_text) const;

 private:
  struct TableOnly {};
  Configuration(Settings& settings, TableOnly);

  void declare_all();
  void declare_network();
  void declare_tls();  // configuration_tls.cc
  void declare_clients();
  void declare_access();
  void declare_cluster();  // configuration_cluster.cc
  void declare_blocking();
  void declare_memory();
  void declare_types();
  void declare_process();
  void declare_durability();
  void declare_remembered();
  Setting& declare(Setting setting);  // valid until the next call
  std::string shown(std::string_view line) const;
  void limit_unbuilt();  // see configuration_unbuilt.cc
  static std::optional<Status> load_unbuilt_line(std::span<const std::string> words);

  Status load_file(const std::string& path, int depth);
  Status load_text(std::string_view text, std::string_view where, int depth);
  Status load_user(std::span<const std::string> words);
  Status load_rename(std::span<const std::string> words);
  Status load_line(std::span<const std::string> words, int depth);

  Settings& settings_;
  Node* node_ = nullptr;
  mutable std::mutex mutex_;
  std::vector<Setting> settings_table_;
  std::set<std::string_view> begun_lists_;  // lists that the files have begun
};

}  // namespace slotcar::node
