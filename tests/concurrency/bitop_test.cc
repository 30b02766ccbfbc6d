// BITOP of long strings works on pins and swaps its result in: nobody sees one that was made of
// sources which had changed meanwhile.
#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>

#include "resp/format.h"
#include "world/live_node.h"

namespace slotcar::concurrency {
namespace {

constexpr int kBytes = 1 << 20;

// Two strings are changed together, so that they are always equal; their XOR is nothing but zeros.
TEST(BitOperation, SourcesAreOfOneMoment) {
  world::LiveNode live;
  world::LiveClient client(live.port());
  const std::string last = std::to_string(kBytes - 1);
  client.run({"SETRANGE", "a", last, "x"});
  client.run({"SETRANGE", "b", last, "x"});
  std::atomic<bool> done = false;
  std::thread writer([&] {
    world::LiveClient other(live.port());
    for (int i = 0; !done; ++i) {
      const std::string offset = std::to_string(i * 7919 % kBytes);
      const std::string text(1, static_cast<char>('a' + i % 26));
      other.run({"MULTI"});
      other.run({"SETRANGE", "a", offset, text});
      other.run({"SETRANGE", "b", offset, text});
      other.run({"EXEC"});
    }
  });
  for (int i = 0; i < 100; ++i) {
    ASSERT_EQ(resp::format(client.run({"BITOP", "XOR", "d", "a", "b"})),
              ":" + std::to_string(kBytes));
    ASSERT_EQ(resp::format(client.run({"BITCOUNT", "d"})), ":0") << i;
  }
  done = true;
  writer.join();
}

// Whoever changes the source takes the copy away with it; so a copy that is there was made after
// the last change, and must be equal to the source.
TEST(BitOperation, AResultOfOldSourcesIsNotSwappedIn) {
  world::LiveNode live;
  world::LiveClient client(live.port());
  client.run({"SETRANGE", "a", std::to_string(kBytes - 1), "x"});
  std::atomic<bool> done = false;
  std::thread writer([&] {
    world::LiveClient other(live.port());
    for (int i = 0; !done; ++i) {
      other.run({"MULTI"});
      other.run({"SETRANGE", "a", std::to_string(i * 7919 % kBytes), std::to_string(i)});
      other.run({"DEL", "copy"});
      other.run({"EXEC"});
    }
  });
  int seen = 0;
  for (int i = 0; i < 200 || seen == 0; ++i) {
    client.run({"BITOP", "AND", "copy", "a", "a"});
    client.run({"MULTI"});
    client.run({"EXISTS", "copy"});
    client.run({"BITOP", "XOR", "difference", "a", "copy"});
    client.run({"BITCOUNT", "difference"});
    const std::string answer = resp::format(client.run({"EXEC"}));
    if (answer.find("1) :1") == std::string::npos) continue;  // taken away before the look
    ++seen;
    EXPECT_NE(answer.find("3) :0"), std::string::npos) << answer;
    if (HasFailure()) break;
  }
  done = true;
  writer.join();
}

}  // namespace
}  // namespace slotcar::concurrency
