// A struct is a hash; one of its members may be missing.
#include <cstdio>
#include <optional>
#include <string>
#include <tuple>

#include "slotcar/slotcar.h"

using namespace slotcar::client;

namespace {

struct User {
  std::string name;
  int age = 0;
  std::optional<std::string> mail = {};
};
constexpr auto hash_fields(const User*) {
  return std::tuple(Field("name", &User::name), Field("age", &User::age),
                    Field("mail", &User::mail));
}

}  // namespace

int main(int argc, char** argv) {
  Client client({.uri = argc > 1 ? argv[1] : "redis://127.0.0.1:6379"});
  Redis redis(client);
  (void)redis.del("example:user:1");
  redis.hset("example:user:1", User{.name = "ann", .age = 31}).value();
  redis.hincrby("example:user:1", "age", 1).value();
  const auto user = *redis.hgetall<std::optional<User>>("example:user:1");
  const auto absent_user = *redis.hgetall<std::optional<User>>("example:user:2");
  if (!user || absent_user) return 1;
  std::printf("%s, %d, %s\n", user->name.c_str(), user->age,
              user->mail.value_or("no mail").c_str());
  return user->age == 32 ? 0 : 1;
}
