// Publish and subscribe: a subscriber has a connection of its own and reconnects by itself.
#include <cstdio>

#include "slotcar/slotcar.h"

using namespace slotcar::client;

int main(int argc, char** argv) {
  Client client({.uri = argc > 1 ? argv[1] : "redis://127.0.0.1:6379"});
  Subscriber subscriber = client.subscriber();
  if (Status asked = subscriber.subscribe("example:news"); !asked) {
    std::fprintf(stderr, "%s\n", asked.error().message.c_str());
    return 1;
  }
  Redis redis(client);
  for (int i = 0; i < 3; ++i) {
    if (!redis.publish("example:news", "number " + std::to_string(i))) return 1;
  }
  for (int i = 0; i < 3; ++i) {
    const auto message = subscriber.next(Millis(5'000));
    if (!message) return 1;
    std::printf("%s: %s\n", message->channel.c_str(), message->payload.c_str());
  }
  return 0;
}
