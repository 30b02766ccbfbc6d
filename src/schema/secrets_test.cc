#include "schema/secrets.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace slotcar::schema {
namespace {

// The request as it is shown; the command's declaration has these flags.
std::string shown(std::string_view name, const std::vector<std::string_view>& args,
                  Access access = Access::none) {
  const Command command{.name = name,
                        .summary = "",
                        .since = "",
                        .group = Group::server,
                        .arity = at_least(1),
                        .access = access,
                        .runs = container()};
  std::string text;
  for (std::size_t i = 0; i < args.size(); ++i) {
    text += (text.empty() ? "" : " ");
    text += is_secret_argument(command, args, i) ? "-" : args[i];
  }
  return text;
}

TEST(Secrets, ArgumentsOfRequests) {
  EXPECT_EQ(shown("AUTH", {"auth", "user", "pass"}, Access::no_auth), "auth - -");
  EXPECT_EQ(shown("HELLO", {"HELLO", "3", "AUTH", "u", "p"}, Access::no_auth), "HELLO - - - -");
  EXPECT_EQ(shown("ACL|SETUSER", {"ACL", "setuser", "u", ">p"}), "ACL setuser - -");
  EXPECT_EQ(shown("CONFIG|SET", {"config", "set", "cluster-etcd-password", "word"}),
            "config set cluster-etcd-password -");
  EXPECT_EQ(shown("CONFIG|SET", {"CONFIG", "SET", "timeout", "1", "RequirePass", "p", "port", "2"}),
            "CONFIG SET timeout 1 RequirePass - port 2");
  EXPECT_EQ(shown("CONFIG|SET", {"CONFIG", "SET", "dir", "requirepass"}),
            "CONFIG SET dir requirepass");
  EXPECT_EQ(shown("CONFIG|GET", {"CONFIG", "GET", "requirepass", "x"}), "CONFIG GET requirepass x");
  EXPECT_EQ(shown("SET", {"SET", "AUTH", "value"}), "SET AUTH value");
}

TEST(Secrets, OfMigrateOnlyWhatFollowsItsOptions) {
  const auto migrate = [](std::vector<std::string_view> options) {
    std::vector<std::string_view> args{"MIGRATE", "host", "1", "AUTH", "0", "5"};
    args.insert(args.end(), options.begin(), options.end());
    return shown("MIGRATE", args).substr(std::string_view("MIGRATE host 1 AUTH 0 5").size());
  };
  EXPECT_EQ(migrate({}), "");
  EXPECT_EQ(migrate({"COPY", "AUTH", "p", "KEYS", "a"}), " COPY AUTH - KEYS a");
  EXPECT_EQ(migrate({"auth2", "u", "p", "REPLACE"}), " auth2 - - REPLACE");
}

TEST(Secrets, Settings) {
  EXPECT_TRUE(is_secret_setting("TLS-key-file-pass"));
  EXPECT_TRUE(is_secret_setting("tls-client-key-file-pass"));
  EXPECT_TRUE(is_secret_setting("masterauth"));
  EXPECT_FALSE(is_secret_setting("tls-key-file"));
}

}  // namespace
}  // namespace slotcar::schema
