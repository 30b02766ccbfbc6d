// The last five searches of a user, without the same one twice.
#include <cstdio>
#include <string>
#include <vector>

#include "slotcar/slotcar.h"

using namespace slotcar::client;

namespace {

Status remember(Redis redis, const std::string& user, const std::string& text) {
  const std::string key = "example:searches:" + user;
  auto done = redis.atomically(commands::lrem(key, 0, text), commands::lpush(key, text),
                               commands::ltrim(key, 0, 4));
  if (!done) return done.error();
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  Client client({.uri = argc > 1 ? argv[1] : "redis://127.0.0.1:6379"});
  Redis redis(client);
  (void)redis.del("example:searches:ann");
  for (const char* text : {"tea", "cup", "tea", "pot", "milk", "sugar", "tea"}) {
    if (Status kept = remember(redis, "ann", text); !kept) return 1;
  }
  const auto searches = *redis.lrange("example:searches:ann", 0, -1);
  for (const std::string& text : searches) std::puts(text.c_str());
  return searches == std::vector<std::string>{"tea", "sugar", "milk", "pot", "cup"} ? 0 : 1;
}
