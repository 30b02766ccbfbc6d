// Short names for long addresses: a number from a counter, in letters.
#include <cstdio>
#include <string>

#include "slotcar/slotcar.h"

using namespace slotcar::client;

namespace {

std::string letters(std::int64_t number) {
  std::string text;
  for (; number > 0; number /= 26) text += static_cast<char>('a' + number % 26);
  return text;
}

Result<std::string> shorten(Redis redis, const std::string& address) {
  const auto number = redis.incrby("example:links", 1000);
  if (!number) return number.error();
  std::string name = letters(*number);
  const auto stored = redis.set("example:link:" + name, address, {.only_if = absent});
  if (!stored) return stored.error();
  if (!*stored) return Error{Error::Kind::usage, Error::Ran::yes, name + " is taken"};
  return name;
}

}  // namespace

int main(int argc, char** argv) {
  Client client({.uri = argc > 1 ? argv[1] : "redis://127.0.0.1:6379"});
  Redis redis(client);
  (void)redis.del("example:links");
  const auto name = shorten(redis, "https://example.org/a/long/address");
  if (!name) return std::puts(name.error().message.c_str()), 1;
  const auto address = redis.getdel("example:link:" + *name);
  std::printf("%s -> %s\n", name->c_str(), address->value_or("?").c_str());
  return *address ? 0 : 1;
}
