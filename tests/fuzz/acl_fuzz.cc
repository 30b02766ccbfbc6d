// Any input as rules or as an aclfile is accepted or refused with an error, never in part. Accepted
// rules print as rules that make the same user again, and every request can be checked against the
// user.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "acl/testing/commands.h"
#include "acl/users.h"
#include "base/assert.h"

namespace {

using namespace slotcar;

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(separator, at), text.size());
    parts.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

const acl::testing::Commands& commands() {
  static const acl::testing::Commands all;
  return all;
}

// Rules with bytes that a file cannot contain are printed unchanged, but are not read back.
bool fits_a_file(std::string_view rules) {
  return rules.find_first_of(std::string_view("\"'\\ \t\n\v\f\r\0", 10)) == std::string_view::npos;
}

void check_printing(const acl::Users& users, bool readable) {
  const std::string text = users.save();
  if (!readable) return;
  acl::Users again(commands().registry);
  ASSERT(again.load(text, "f", "", {}).ok());
  ASSERT(again.save() == text);
}

void ask(const acl::Users& users, std::span<const std::string_view> words) {
  for (const acl::UserRef& user : users.all()) {
    const acl::User by_selectors(*user);  // not finished: without the quick way
    for (const schema::Registered& command : commands().registry.all()) {
      std::vector<std::string_view> args{command.lower_name};
      args.insert(args.end(), words.begin(), words.end());
      const acl::Verdict verdict = user->check(command, args);
      ASSERT(verdict.argument < args.size());
      ASSERT(verdict == by_selectors.check(command, args));
      ASSERT(user->restricted() || verdict.allowed());
      if (!verdict.allowed()) {
        ASSERT(!acl::denial_text(verdict, *user, command, args).empty());
      }
    }
  }
}

}  // namespace

// The first byte chooses: a file, or the rules of one user, one a line. After an empty line: words.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view all(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::size_t end = std::min(all.find("\n\n"), all.size());
  const std::string_view text = all.substr(0, end);
  const std::vector<std::string_view> words = split(all.substr(end), '\n');
  acl::Users users(commands().registry);
  if (data[0] % 2 == 0) {
    const std::string before = users.save();
    const bool loaded = users.load(text, "f", data[0] % 4 == 0 ? "" : "secret", {}).ok();
    ASSERT(loaded || users.save() == before);
    check_printing(users, loaded && text.find_first_of("\"'\\") == std::string_view::npos);
  } else {
    const std::vector<std::string_view> rules = split(text, '\n');
    const bool taken = users.set("alice", rules, {}).ok();
    ASSERT(taken == (users.find("alice") != nullptr));
    bool readable = true;
    for (const std::string_view rule : rules) readable &= fits_a_file(rule);
    check_printing(users, readable);
  }
  ask(users, words);
  return 0;
}
