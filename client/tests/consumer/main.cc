#include <slotcar/slotcar.h>

#include <cstdio>

int main() {
  using namespace slotcar::client;
  Client client({.uri = "redis://127.0.0.1:1?lanes=1&timeout=20ms"});
  const auto reply = client.run(Request("PING"));
  std::printf("%s\n", reply ? "answered" : reply.error().message.c_str());
  return reply.ok() ? 1 : 0;  // port 1 has no listener
}
