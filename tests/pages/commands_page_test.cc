// docs/commands.md matches the declarations. `./dev docs` rewrites it: it runs this test with
// SLOTCAR_WRITE_PAGES set.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

#include "base/ascii.h"
#include "schema/argument.h"
#include "schema/command_table.h"

namespace slotcar::pages {
namespace {

using schema::Command;

// A cell of a table: a bar would end it.
std::string in_cell(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c;
  }
  return out;
}

std::string line_of(const Command& command) {
  std::string name(command.name);
  std::replace(name.begin(), name.end(), '|', ' ');
  const std::string arguments =
      schema::syntax_line(schema::arguments_of(command.syntax, command.keys));
  return "| `" + in_cell(name + (arguments.empty() ? "" : " ") + arguments) + "` | " +
         in_cell(command.summary) + " | " + std::string(command.since) + " | " +
         in_cell(command.complexity) + " |\n";
}

std::string page() {
  std::map<std::string_view, std::map<std::string_view, const Command*>> groups;
  for (const Command* command : schema::all_commands()) {
    // Containers have nothing that their subcommands do not have.
    if (command->runs.form == schema::Runs::Form::container) continue;
    groups[schema::group_name(command->group)][command->name] = command;
  }
  std::string text =
      "# Commands\n\n"
      "Made from the declarations in `src/commands` by `./dev docs`; do not edit. Versions are "
      "those "
      "of Redis that\nbrought the command. What is not served yet: `tests/missing_commands.txt`. "
      "What "
      "differs: [differences-from-redis.md](differences-from-redis.md).\n";
  for (const auto& [group, commands] : groups) {
    text += "\n## " + std::string(group) + "\n\n| command | what it does | since | cost |\n" +
            "|---|---|---|---|\n";
    for (const auto& [name, command] : commands) text += line_of(*command);
  }
  return text;
}

TEST(CommandsPage, is_what_the_declarations_say) {
  const std::string path = SLOTCAR_DOCS "/commands.md";
  if (std::getenv("SLOTCAR_WRITE_PAGES") != nullptr) std::ofstream(path) << page();
  std::stringstream written;
  written << std::ifstream(path).rdbuf();
  EXPECT_TRUE(written.str() == page()) << path << " is stale: ./dev docs";
}

}  // namespace
}  // namespace slotcar::pages
