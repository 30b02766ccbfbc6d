// Articles by tags: sets, and what is in all of them.
#include <cstdio>
#include <set>
#include <string>
#include <vector>

#include "slotcar/slotcar.h"

using namespace slotcar::client;

int main(int argc, char** argv) {
  Client client({.uri = argc > 1 ? argv[1] : "redis://127.0.0.1:6379"});
  Redis redis(client);
  redis.sadd("example:tag:cpp", {1, 2, 3}).value();
  redis.sadd("example:tag:redis", {2, 3, 4}).value();
  const std::vector<std::string> wanted = {"example:tag:cpp", "example:tag:redis"};
  const auto articles = *redis.sinter<std::set<int>>(wanted);
  for (const int article : articles) std::printf("article %d\n", article);
  const auto known = *redis.smismember("example:tag:cpp", {1, 4});
  return articles == std::set<int>{2, 3} && known[0] && !known[1] ? 0 : 1;
}
