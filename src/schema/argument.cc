#include "schema/argument.h"

#include <algorithm>
#include <utility>

#include "base/ascii.h"
#include "base/assert.h"

namespace slotcar::schema {
namespace {

using Arguments = std::vector<Argument>;

constexpr std::pair<std::string_view, ArgumentType> kTypeNames[] = {
    {"string", ArgumentType::string},         {"integer", ArgumentType::integer},
    {"double", ArgumentType::floating},       {"key", ArgumentType::key},
    {"pattern", ArgumentType::pattern},       {"unix-time", ArgumentType::unix_time},
    {"pure-token", ArgumentType::pure_token}, {"oneof", ArgumentType::one_of},
    {"block", ArgumentType::block},
};

// The types that these names imply everywhere. All others are strings.
ArgumentType implied_type(std::string_view name) {
  static constexpr std::string_view kKeys[] = {"key",    "key1",        "key2",    "newkey",
                                               "source", "destination", "destkey", "dst",
                                               "src",    "sourcekey"};
  static constexpr std::string_view kIntegers[] = {
      "seconds",     "milliseconds",   "count",        "numkeys",
      "numfields",   "start",          "stop",         "end",
      "increment",   "decrement",      "offset",       "cursor",
      "index",       "index1",         "index2",       "db",
      "bit",         "client-id",      "rank",         "num-matches",
      "len",         "limit",          "ms",           "ttl",
      "frequency",   "destination-db", "protover",     "version",
      "weight",      "port",           "capacity",     "expansion",
      "numreplicas", "numlocal",       "entries_read", "entries_added",
      "iterator"};
  static constexpr std::string_view kDoubles[] = {"longitude", "latitude",   "radius", "width",
                                                  "height",    "score",      "min",    "max",
                                                  "timeout",   "error_rate", "error"};
  static constexpr std::string_view kTimes[] = {"unix-time-seconds", "unix-time-milliseconds"};
  if (std::ranges::find(kKeys, name) != std::end(kKeys)) return ArgumentType::key;
  if (std::ranges::find(kIntegers, name) != std::end(kIntegers)) return ArgumentType::integer;
  if (std::ranges::find(kDoubles, name) != std::end(kDoubles)) return ArgumentType::floating;
  if (std::ranges::find(kTimes, name) != std::end(kTimes)) return ArgumentType::unix_time;
  return name == "pattern" ? ArgumentType::pattern : ArgumentType::string;
}

// Literal words have no small letters: NX, *, $, LIB-NAME.
bool is_literal(std::string_view word) {
  return std::ranges::none_of(word, [](char c) { return c >= 'a' && c <= 'z'; });
}

std::string joined_names(const Arguments& arguments) {
  std::string name;
  for (const Argument& argument : arguments) {
    if (!name.empty()) name += '_';
    name += argument.name;
  }
  return name;
}

Argument group(ArgumentType type, std::string_view name, Arguments members) {
  Argument made;
  made.name = name.empty() ? joined_names(members) : std::string(name);
  made.type = type;
  made.arguments = std::move(members);
  return made;
}

// Several arguments as one.
Argument together(Arguments members) {
  ASSERT(!members.empty());
  if (members.size() == 1) return std::move(members.front());
  return group(ArgumentType::block, {}, std::move(members));
}

// Reads a line from left to right; each function leaves `rest_` after what it consumed.
class SyntaxReader {
 public:
  explicit SyntaxReader(std::string_view line) : rest_(line) {}

  Arguments whole() {
    Arguments read = sequence();
    ASSERT(rest_.empty());
    return read;
  }

 private:
  bool at(std::string_view any_of) {
    while (rest_.starts_with(' ')) rest_.remove_prefix(1);
    return !rest_.empty() && any_of.find(rest_.front()) != std::string_view::npos;
  }
  void take(char expected) {
    ASSERT(at({&expected, 1}));
    rest_.remove_prefix(1);
  }
  // Up to the next space or bracket.
  std::string_view peek_word() const { return rest_.substr(0, rest_.find_first_of(" []<>{}|")); }
  std::string_view take_word() {
    const std::string_view word = peek_word();
    rest_.remove_prefix(word.size());
    return word;
  }

  Arguments sequence() {
    Arguments read;
    while (!at("]>}|") && !rest_.empty()) {
      if (at("[")) {
        bracket(read);
      } else {
        read.push_back(item());
      }
    }
    return read;
  }

  Arguments alternatives() {
    Arguments read;
    read.push_back(together(sequence()));
    while (at("|")) {
      take('|');
      read.push_back(together(sequence()));
    }
    return read;
  }

  // [x] or, behind x, [x ...].
  void bracket(Arguments& before) {
    take('[');
    Arguments inside;
    bool repeats = false;
    while (!at("]|")) {
      ASSERT(!rest_.empty());
      if (peek_word() == "...") {
        repeats = true;
        take_word();
      } else if (at("[")) {
        bracket(inside);
      } else {
        inside.push_back(item());
      }
    }
    if (repeats) {
      repeat(before, inside);
    } else {
      Argument read = together(std::move(inside));
      if (at("|")) {
        Arguments choices;
        choices.push_back(std::move(read));
        take('|');
        for (Argument& other : alternatives()) choices.push_back(std::move(other));
        read = group(ArgumentType::one_of, {}, std::move(choices));
      }
      read.optional = true;
      before.push_back(std::move(read));
    }
    take(']');
  }

  // The last arguments read, named again in `again`, may be given more often.
  static void repeat(Arguments& before, const Arguments& again) {
    ASSERT(!again.empty() && before.size() >= again.size());
    const auto first = before.end() - static_cast<std::ptrdiff_t>(again.size());
    ASSERT(std::ranges::equal(first, before.end(), again.begin(), again.end(), {}, &Argument::name,
                              &Argument::name));
    if (again.size() > 1) {
      Arguments members(std::make_move_iterator(first), std::make_move_iterator(before.end()));
      before.erase(first, before.end());
      before.push_back(group(ArgumentType::block, {}, std::move(members)));
    }
    before.back().multiple = true;
    before.back().multiple_token = again.size() == 1 && !again.front().token.empty();
  }

  Argument item() {
    Argument read;
    if (!at("<{")) {
      const std::string_view word = take_word();
      ASSERT(!word.empty());
      if (is_literal(word.substr(0, word.find_first_of("#@!")))) return literal(word);
      if (!word.ends_with('=')) return named(word);
      read = grouped(word.substr(0, word.size() - 1));
    } else {
      read = grouped({});
    }
    marks(read, take_word());
    return read;
  }

  Argument grouped(std::string_view name) {
    if (at("<")) {
      take('<');
      Argument read = group(ArgumentType::one_of, name, alternatives());
      take('>');
      return read;
    }
    take('{');
    Argument read = group(ArgumentType::block, name, sequence());
    take('}');
    return read;
  }

  // A literal word stands for itself, or before the argument that follows it.
  Argument literal(std::string_view word) {
    const std::size_t end = word.size() > 1 ? word.find_first_of("#@!", 1) : std::string_view::npos;
    const std::string_view token = word.substr(0, end);
    const bool marked = end != std::string_view::npos;
    if (!marked && !at("[]>}|") && !rest_.empty()) {
      const std::string_view next = peek_word();
      if (next.empty() || !is_literal(next.substr(0, next.find_first_of("#@!")))) {
        Argument argument = item();
        argument.token = token;
        return argument;
      }
    }
    Argument read;
    read.type = ArgumentType::pure_token;
    read.token = token;
    read.name = base::lowered(token);
    if (marked) {
      std::string_view rest = word.substr(end);
      if (rest.starts_with('#')) {
        const std::string_view name = rest.substr(1, rest.find_first_of("@!", 1) - 1);
        read.name = name;
        rest.remove_prefix(1 + name.size());
      }
      marks(read, rest);
    }
    return read;
  }

  Argument named(std::string_view word) {
    Argument read;
    std::string_view suffix;
    if (const std::size_t end = marks_begin(word); end != std::string_view::npos) {
      suffix = word.substr(end);
      word = word.substr(0, end);
    }
    read.type = implied_type(word);
    if (const std::size_t colon = word.rfind(':'); colon != std::string_view::npos) {
      for (const auto& [name, type] : kTypeNames) {
        if (name != word.substr(colon + 1)) continue;
        read.type = type;
        word = word.substr(0, colon);
        break;
      }
    }
    read.name = word;
    marks(read, suffix);
    return read;
  }

  static std::size_t marks_begin(std::string_view word) {
    return std::min(word.find_first_of("@!%"), word.find("..."));
  }

  // What may follow an argument: ..., @since, !deprecated, %key specification.
  static void marks(Argument& read, std::string_view suffix) {
    while (!suffix.empty()) {
      if (suffix.starts_with("...")) {
        read.multiple = true;
        suffix.remove_prefix(3);
        continue;
      }
      const std::string_view behind = suffix.substr(1);
      const std::string_view value = behind.substr(0, marks_begin(behind));
      switch (suffix.front()) {
        case '@':
          read.since = value;
          break;
        case '!':
          read.deprecated_since = value;
          break;
        case '%':
          ASSERT(value.size() == 1 && value[0] >= '0' && value[0] <= '9');
          read.key_spec = value[0] - '0';
          break;
        default:
          ASSERT(false);
      }
      suffix.remove_prefix(1 + value.size());
    }
  }

  std::string_view rest_;
};

// The keys of a line are covered by the specifications in their order; the last covers the rest.
void number_keys(Arguments& arguments, int specs, int& next) {
  for (Argument& argument : arguments) {
    if (argument.type == ArgumentType::key && argument.key_spec < 0 && specs > 0) {
      argument.key_spec = std::min(next++, specs - 1);
    }
    number_keys(argument.arguments, specs, next);
  }
}

std::string line_of(const Argument& argument);

std::string joined_lines(std::span<const Argument> arguments, std::string_view between) {
  std::string line;
  for (const Argument& argument : arguments) {
    if (!line.empty()) line += between;
    line += line_of(argument);
  }
  return line;
}

std::string line_of(const Argument& argument) {
  std::string value;
  if (argument.type == ArgumentType::one_of) {
    value = joined_lines(argument.arguments, " | ");
    const bool stands_in_bracket =
        argument.optional && argument.token.empty() && !argument.multiple;
    if (!stands_in_bracket) value = "<" + value + ">";
  } else if (argument.type == ArgumentType::block) {
    value = joined_lines(argument.arguments, " ");
  } else if (argument.type != ArgumentType::pure_token) {
    value = argument.name;
  }
  std::string line = argument.token;
  if (!line.empty() && !value.empty()) line += ' ';
  line += value;
  if (argument.multiple) {
    const std::string again = argument.multiple_token ? line : value;
    line += " [" + again + " ...]";
  }
  return argument.optional ? "[" + line + "]" : line;
}

}  // namespace

std::string_view argument_type_name(ArgumentType type) {
  for (const auto& [name, known] : kTypeNames) {
    if (known == type) return name;
  }
  ASSERT(false);
}

std::vector<Argument> arguments_of(std::string_view syntax, const KeySpecs& keys) {
  Arguments arguments = SyntaxReader(syntax).whole();
  int next = 0;
  number_keys(arguments, static_cast<int>(keys.list().size()), next);
  return arguments;
}

std::string syntax_line(std::span<const Argument> arguments) {
  return joined_lines(arguments, " ");
}

}  // namespace slotcar::schema
