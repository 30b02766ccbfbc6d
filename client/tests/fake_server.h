// A server on the loopback whose answers the test controls: for what a real one does only by
// accident. One thread; connections are served in turn.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "reply_builder.h"

namespace slotcar::client {

class FakeServer {
 public:
  using Words = std::vector<std::string>;
  // False: the client is gone, or the test is over.
  using Send = std::function<bool(std::string_view)>;
  // Answers one request by sending, in one piece or in many.
  using Answer = std::function<void(const Words& request, const Send& send)>;

  FakeServer(std::uint16_t port, Answer answer);
  ~FakeServer();
  FakeServer(const FakeServer&) = delete;
  FakeServer& operator=(const FakeServer&) = delete;

 private:
  void run();
  bool serve(int fd, ReplyParser& parser);

  Answer answer_;
  int listener_ = -1;
  std::map<int, ReplyParser> connections_;
  std::atomic<bool> stopping_{false};
  std::thread thread_;
};

}  // namespace slotcar::client
