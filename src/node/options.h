// The command line: slotcar-server [file | -] [--name value ...]
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"

namespace slotcar::node {

struct Options {
  bool help = false;
  bool version = false;
  std::optional<std::string> file;
  bool from_stdin = false;             // "-" as the first or the last argument
  std::vector<std::string> arguments;  // the rest, for Configuration::load_arguments
};

// `arguments` without the program's name.
Options read_options(std::span<const std::string> arguments);

// What --help prints.
std::string usage();

}  // namespace slotcar::node
