#include "node/configuration.h"

#include <fmt/format.h>
#include <glob.h>

#include <algorithm>

#include "base/ascii.h"
#include "base/assert.h"
#include "base/glob.h"
#include "base/suggest.h"
#include "node/node.h"
#include "node/whole_file.h"
#include "resp/words.h"
#include "runtime/real/real_disk.h"
#include "schema/secrets.h"

namespace slotcar::node {
namespace {

// A file that includes itself must not recurse for ever.
constexpr int kIncludeDepthMax = 16;
constexpr std::string_view kWrongDirective = "Bad directive or wrong number of arguments";

std::string failed(std::string_view name, std::string_view reason) {
  return fmt::format("ERR CONFIG SET failed (possibly related to argument '{}') - {}", name,
                     reason);
}

std::string_view trimmed(std::string_view line) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const auto first = line.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return line.substr(first, line.find_last_not_of(kBlanks) - first + 1);
}

// Of a line that cannot be split into words, too.
std::string_view first_word(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of("\"'"), line.size()));
  return line.substr(0, line.find_first_of(" \t\"'"));
}

// As far as the word can be a directive's name.
std::string_view name_in(std::string_view word) {
  constexpr std::size_t kNameBytesMax = 64;
  const auto is_of_name = [](char c) {
    const char lower = base::to_lower(c);
    return (lower >= 'a' && lower <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  };
  word = word.substr(0, kNameBytesMax);
  const auto* const end = std::ranges::find_if_not(word, is_of_name);
  return word.substr(0, static_cast<std::size_t>(end - word.begin()));
}

// Whether a word of a line can be a rule of a user, with a password in it.
bool is_password_rule(std::string_view word) {
  return word.size() > 1 && std::string_view("><#!").find(word.front()) != std::string_view::npos;
}

std::string joined(std::span<const std::string> words) {
  return fmt::format("{}", fmt::join(words, " "));
}

// The files that an `include` names: shell patterns are allowed, and one that matches nothing is no
// error, because a directory of optional parts may be empty.
std::vector<std::string> included_files(const std::string& pattern) {
  if (pattern.find_first_of("*?[") == std::string::npos) return {pattern};
  std::vector<std::string> files;
  glob_t found{};
  if (::glob(pattern.c_str(), 0, nullptr, &found) == 0) {
    for (std::size_t i = 0; i < found.gl_pathc; ++i) files.emplace_back(found.gl_pathv[i]);
  }
  ::globfree(&found);
  return files;
}

}  // namespace

Configuration::Configuration(Settings& settings) : Configuration(settings, TableOnly{}) {
  // The settings may be filled already, so defaults are taken from new ones.
  Settings fresh;
  const Configuration defaults(fresh, TableOnly{});
  for (std::size_t i = 0; i < settings_table_.size(); ++i) {
    settings_table_[i].default_text = defaults.settings_table_[i].get();
  }
}

Configuration::Configuration(Settings& settings, TableOnly) : settings_(settings) {
  declare_all();
}

Setting& Configuration::declare(Setting setting) {
  ASSERT(find(setting.name) == nullptr);
  setting.sensitive = schema::is_secret_setting(setting.name);
  return settings_table_.emplace_back(std::move(setting));
}

const Setting* Configuration::find(std::string_view name) const {
  for (const Setting& setting : settings_table_) {
    if (base::equals_ignoring_case(setting.name, name) ||
        (!setting.alias.empty() && base::equals_ignoring_case(setting.alias, name))) {
      return &setting;
    }
  }
  return nullptr;
}

std::string Configuration::suggestion(std::string_view unknown) const {
  std::vector<std::string_view> names;
  for (const Setting& setting : settings_table_) names.push_back(setting.name);
  const auto near = base::suggest(unknown, names);
  return near ? fmt::format("Did you mean '{}'?", *near) : std::string();
}

// A password, or the name by which a command is kept secret.
bool Configuration::is_sensitive(std::string_view name) const {
  const Setting* setting = find(name);
  return base::equals_ignoring_case(name, "user") ||
         base::equals_ignoring_case(name, "rename-command") ||
         (setting != nullptr && setting->sensitive);
}

// What an error may show of a line. A misspelt directive may be one whose value is a secret, two
// lines may have become one, and a line that has lost its beginning may consist of the secret.
std::string Configuration::shown(std::string_view line) const {
  constexpr std::string_view kBetweenWords = " \t\"'";
  std::string_view rest = line.substr(std::min(line.find_first_not_of(kBetweenWords), line.size()));
  const std::string_view first = first_word(rest);
  rest.remove_prefix(first.size());
  const std::string name(name_in(first));
  const bool is_known = find(name) != nullptr || is_sensitive(name) ||
                        base::equals_ignoring_case(name, "include") ||
                        base::equals_ignoring_case(name, "loadmodule");
  if (!is_known) {
    const bool looks_like_a_name = name.size() == first.size() && !rest.empty();
    return looks_like_a_name || !suggestion(name).empty() ? name + " ..." : "...";
  }
  const std::string lower = base::lowered(rest);
  bool hides =
      is_sensitive(name) || std::ranges::any_of(settings_table_, [&](const Setting& other) {
        return other.sensitive && lower.find(other.name) != std::string::npos;
      });
  while (!rest.empty()) {
    const std::string_view word = rest.substr(0, rest.find_first_of(kBetweenWords));
    hides = hides || is_password_rule(word) || is_sensitive(word);
    rest.remove_prefix(std::max<std::size_t>(word.size(), 1));
  }
  return hides ? name + " ..." : std::string(line);
}

std::string Configuration::value(std::string_view name) const {
  const Setting* setting = find(name);
  ASSERT(setting != nullptr);
  std::lock_guard lock(mutex_);
  return setting->get();
}

// --- loading -----------------------------------------------------------------------------------

Status Configuration::load_file(const std::string& path) {
  return load_file(path, 0);
}

Status Configuration::load_file(const std::string& path, int depth) {
  if (depth > kIncludeDepthMax) return Error{"files include each other too deeply"};
  runtime::RealDisk disk;
  auto text = read_whole_file(disk, path);
  if (!text)
    return Error{fmt::format("can't open the configuration file: {}", text.error().message)};
  return load_text(*text, path, depth);
}

Status Configuration::load_text(std::string_view text, std::string_view where) {
  return load_text(text, where, 0);
}

Status Configuration::load_text(std::string_view text, std::string_view where, int depth) {
  int number = 0;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    const std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    if (line.empty() || line.front() == '#') continue;
    const auto words = resp::split_words(line);
    Status status;
    if (!words) {
      status = Error{"Unbalanced quotes in configuration line"};
    } else if (!words->empty()) {
      status = load_line(*words, depth);
    }
    if (status) continue;
    return Error{fmt::format("at line {} of {}\n>>> '{}'\n{}", number, where, shown(line),
                             status.error().message)};
  }
  return {};
}

Status Configuration::load_line(std::span<const std::string> words, int depth) {
  const std::string& name = words.front();
  if (base::equals_ignoring_case(name, "include") && words.size() == 2) {
    for (const std::string& file : included_files(words[1])) {
      if (auto status = load_file(file, depth + 1); !status) return status;
    }
    return {};
  }
  if (base::equals_ignoring_case(name, "user")) return load_user(words);
  if (base::equals_ignoring_case(name, "rename-command")) return load_rename(words);
  if (auto unbuilt = load_unbuilt_line(words)) return *unbuilt;
  const Setting* setting = find(name);
  if (setting == nullptr) {
    const std::string hint = suggestion(name_in(name));
    return Error{fmt::format("{}: there is no such setting. {}", kWrongDirective, hint)};
  }
  const bool says_none = words.size() == 1 && setting->adds_up;  // a bare `save`
  if ((words.size() < 2 && !says_none) || (words.size() > 2 && !setting->takes_many)) {
    return Error{std::string(kWrongDirective)};
  }
  std::string text = joined(words.subspan(1));
  std::lock_guard lock(mutex_);
  if (setting->adds_up && !begun_lists_.insert(setting->name).second && !text.empty()) {
    text = setting->get() + " " + text;
  }
  return setting->set(text);
}

// As Redis reads its command line: "--name" begins a line, the argument after it is always its
// first value, whatever it looks like, and further ones that do not begin with "--" are more
// values. "--name value" may also be one argument. "--save" alone means none.
Status Configuration::load_arguments(std::span<const std::string> arguments) {
  std::vector<std::vector<std::string>> lines;
  bool value_follows = false;
  for (const std::string& argument : arguments) {
    if (value_follows) {
      const bool begins_next = argument.starts_with("--") && lines.back().front() == "save";
      if (!begins_next) {
        lines.back().push_back(argument);
        value_follows = false;
        continue;
      }
      lines.back().emplace_back();
    }
    if (argument.starts_with("--")) {
      auto words = resp::split_words(std::string_view(argument).substr(2));
      if (!words || words->empty()) {
        return Error{fmt::format("'{}' names no setting", first_word(argument))};
      }
      words->front() = base::lowered(words->front());
      value_follows = words->size() == 1;
      lines.push_back(std::move(*words));
    } else if (lines.empty()) {
      return Error{"a name like --port must come before the first value"};
    } else {
      lines.back().push_back(argument);
    }
  }
  if (value_follows && lines.back().front() == "save") lines.back().emplace_back();
  for (auto& line : lines) {
    // One argument for a list is read as in a file, quotes included: --save '""'.
    if (const Setting* list = find(line.front()); line.size() == 2 && list && list->takes_many) {
      if (auto words = resp::split_words(line[1])) {
        line.pop_back();
        line.insert(line.end(), words->begin(), words->end());
        if (words->empty()) line.emplace_back();
      }
    }
    if (auto status = load_line(line, 0); !status) {
      return Error{fmt::format("on the command line\n>>> '{}'\n{}", shown(joined(line)),
                               status.error().message)};
    }
  }
  return {};
}

// --- CONFIG SET and GET ------------------------------------------------------------------------

Status Configuration::set(std::span<const Change> changes, const Setter& setter) {
  std::lock_guard lock(mutex_);
  std::vector<const Setting*> touched;
  for (const auto& [name, text] : changes) {
    const Setting* setting = find(name);
    if (setting == nullptr) {
      return Error{
          fmt::format("ERR Unknown option or number of arguments for CONFIG SET - '{}'", name)};
    }
    if (setting->immutable) return Error{failed(name, "can't set immutable config")};
    if (setting->guarded && !setter.may_change_guarded) {
      return Error{failed(name, "can't set protected config")};
    }
    if (setting->after_loading && node_ != nullptr && node_->durability().loading()) {
      return Error{std::string(router::kLoading)};
    }
    if (std::find(touched.begin(), touched.end(), setting) != touched.end()) {
      return Error{failed(name, "duplicate parameter")};
    }
    touched.push_back(setting);
  }

  std::vector<std::string> before;
  for (const Setting* setting : touched) before.push_back(setting->get());
  const auto take_back = [&](std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) ASSERT(touched[i]->set(before[i]).ok());
  };
  for (std::size_t i = 0; i < touched.size(); ++i) {
    if (auto status = touched[i]->set(changes[i].second); !status) {
      take_back(i);
      return Error{failed(changes[i].first, status.error().message)};
    }
  }
  if (node_ == nullptr) return {};
  for (std::size_t i = 0; i < touched.size(); ++i) {
    // Unchanged settings are not applied: a listener is not closed and opened again.
    if (!touched[i]->applied) continue;
    if (touched[i]->get() == before[i] && !touched[i]->always_applied) continue;
    if (auto status = touched[i]->applied(*node_, setter.worker); !status) {
      take_back(touched.size());
      for (std::size_t k = 0; k < i; ++k) {
        // Restore the previous values. If even that fails, the log has the reason.
        if (touched[k]->applied) {
          static_cast<void>(touched[k]->applied(*node_, setter.worker).ok());
        }
      }
      return Error{failed(changes[i].first, status.error().message)};
    }
  }
  return {};
}

std::vector<std::pair<std::string, std::string>> Configuration::get(
    std::span<const std::string_view> patterns) {
  std::lock_guard lock(mutex_);
  std::vector<std::pair<std::string, std::string>> found;
  const auto wanted = [&](std::string_view name, bool hidden) {
    return std::any_of(patterns.begin(), patterns.end(), [&](std::string_view pattern) {
      if (hidden) return base::equals_ignoring_case(pattern, name);
      return base::glob_match(pattern, name, /*ignore_case=*/true);
    });
  };
  for (const Setting& setting : settings_table_) {
    for (std::string_view name : {setting.name, setting.alias}) {
      if (!name.empty() && wanted(name, setting.hidden)) found.emplace_back(name, setting.get());
    }
  }
  return found;
}

}  // namespace slotcar::node
