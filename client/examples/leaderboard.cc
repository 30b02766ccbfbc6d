// A board of scores: the best three, and the rank of one player.
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "slotcar/slotcar.h"

using namespace slotcar::client;
using namespace std::chrono_literals;

int main(int argc, char** argv) {
  Client client({.uri = argc > 1 ? argv[1] : "redis://127.0.0.1:6379"});
  Redis redis(client);
  const std::string board = "example:board";
  (void)redis.del(board);
  const std::vector<std::pair<int, std::string>> scores = {{120, "ann"}, {90, "bob"}, {40, "eve"}};
  redis.zadd(board, scores).value();
  redis.zincrby(board, 100, "eve").value();
  const auto best = *redis.zrevrange(board, 0, 2, with_scores);
  for (const auto& [name, score] : best) {
    std::printf("%-5s %g\n", name.c_str(), score);
  }
  const auto [rank, score] =
      redis.pipeline(commands::zrevrank(board, "eve"), commands::zscore(board, "eve"));
  return rank && score && *rank == 0 && *score == 140 ? 0 : 1;
}
