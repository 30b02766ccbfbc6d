// Argument: what a request may say after the command's name, as the tree that COMMAND DOCS shows.
//
// The tree is parsed from the declaration's `.syntax`, the line that people read too, so it is
// written down once. The notation is that of reference pages:
//
//   word               an argument of that name         WORD       a literal word
//   WORD word          a word and its argument          [x]        x may be left out
//   a | b              one of these                     <a | b>    one of these, required
//   x [x ...]          x, once or more often            {a b}      these together
//
// Marks directly behind a word, without a space, say what the words alone do not:
//
//   name:integer       the type, where the name does not imply it (`implied_type` in argument.cc)
//   name=<...>, {...}  the name of a choice or group; else its members' names, joined by _
//   WORD#name          the name of a literal word; else the word in lower case
//   x@6.2.0  x!2.8.12  the version that added it; the version that deprecated it
//   x%1                the key specification that covers it, where it is not the next one
//   x...               once or more often, without writing x twice
//
// `syntax_line` prints the tree for people, without these marks.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "schema/key_spec.h"

namespace slotcar::schema {

enum class ArgumentType : std::uint8_t {
  string,
  integer,
  floating,
  key,
  pattern,
  unix_time,
  pure_token,
  one_of,
  block,
};
std::string_view argument_type_name(ArgumentType type);  // "double" and "pure-token" as Redis says

struct Argument {
  std::string name;
  ArgumentType type = ArgumentType::string;
  std::string token;  // the literal word before it, or that it is; empty: none
  std::string since;
  std::string deprecated_since;
  int key_spec = -1;                // which key specification covers it; -1: none
  bool optional = false;            // may be left out
  bool multiple = false;            // may be given more than once
  bool multiple_token = false;      // and the word again each time
  std::vector<Argument> arguments;  // of a choice or a block
};

// The arguments that a declaration's line describes. A malformed line is our mistake: ASSERT.
std::vector<Argument> arguments_of(std::string_view syntax, const KeySpecs& keys);
// The line for people.
std::string syntax_line(std::span<const Argument> arguments);

}  // namespace slotcar::schema
