// What both real loops do with connections. Listening: loop_listen_test.cc; timers and tasks:
// loop_turn_test.cc.
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <utility>

#include "runtime/testing/loop_fixture.h"

namespace slotcar::runtime {
namespace {

using Kind = Stream::Received::Kind;

TEST_P(LoopTest, Echo) {
  listen();
  Owner* owner = nullptr;
  Peer peer = connect(&owner);
  owner->input = [owner] {
    owner->drain();
    owner->output.append(owner->received);
    owner->received.clear();
    EXPECT_TRUE(owner->flush());
  };
  for (const std::string text : {"PING\r\n", "a", "another one"}) {
    peer.received.clear();
    peer.send(text);
    until([&] {
      peer.receive();
      return peer.received.size() >= text.size();
    });
    EXPECT_EQ(peer.received, text);
  }
  EXPECT_TRUE(owner->stream->peer_is_loopback());
  EXPECT_FALSE(owner->stream->is_unix());
  EXPECT_EQ(owner->stream->local(), "127.0.0.1:" + std::to_string(listener_->port()));
  EXPECT_EQ(owner->stream->peer().substr(0, 10), "127.0.0.1:");
}

TEST_P(LoopTest, InputIsRepeatedUntilReceived) {
  listen();
  Owner* owner = nullptr;
  Peer peer = connect(&owner);
  owner->input = [owner] { owner->receive(1); };
  peer.send("0123456789");
  until([&] { return owner->received.size() == 10; });
  EXPECT_EQ(owner->received, "0123456789");
  EXPECT_EQ(owner->inputs, 10);
  settle();
  EXPECT_EQ(owner->inputs, 10);
}

TEST_P(LoopTest, ReceiveMayFindNothing) {
  listen();
  Owner* owner = nullptr;
  Peer peer = connect(&owner);
  EXPECT_EQ(owner->receive(10), Kind::none_yet);
  EXPECT_EQ(owner->inputs, 0);
}

TEST_P(LoopTest, HalfClosedPeerStillGetsItsAnswer) {
  listen();
  Owner* owner = nullptr;
  Peer peer = connect(&owner);
  peer.send("last words");
  peer.end_writing();
  until([&] { return owner->ended; });
  EXPECT_EQ(owner->received, "last words");
  owner->output.append("answer");
  EXPECT_TRUE(owner->flush());
  until([&] {
    peer.receive();
    return peer.received.size() == 6;
  });
  // The owner closes late; the end must not be reported to it again and again.
  const int inputs = owner->inputs;
  peer.close();
  settle();
  EXPECT_EQ(owner->inputs, inputs);
}

TEST_P(LoopTest, PeerLeavesWhileInputIsOff) {
  listen();
  for (const bool rudely : {false, true}) {
    Owner* owner = nullptr;
    Peer peer = connect(&owner);
    owner->stream->want_input(false);
    settle();
    if (rudely) {
      peer.abort();
    } else {
      peer.close();
    }
    until([&] { return owner->closed > 0; });
    settle();
    EXPECT_EQ(owner->closed, 1);
    EXPECT_EQ(owner->inputs, 0);
  }
}

TEST_P(LoopTest, TheEndWaitsBehindUnreadInput) {
  listen();
  Owner* owner = nullptr;
  Peer peer = connect(&owner);
  owner->stream->want_input(false);
  peer.send("unread");
  settle();
  peer.end_writing();
  settle();
  EXPECT_EQ(owner->closed, 0);
  EXPECT_EQ(owner->inputs, 0);
  owner->stream->want_input(true);
  until([&] { return owner->ended; });
  EXPECT_EQ(owner->received, "unread");
  EXPECT_EQ(owner->closed, 0);
}

// A client that resets the connection reads no answer, so there is no use in keeping its requests.
TEST_P(LoopTest, AResetIsNoticedInFrontOfUnreadInput) {
  listen();
  Owner* owner = nullptr;
  Peer peer = connect(&owner);
  owner->stream->want_input(false);
  peer.send("unread");
  settle();
  peer.abort();
  until([&] { return owner->closed > 0; });
  settle();
  EXPECT_EQ(owner->closed, 1);
  EXPECT_EQ(owner->inputs, 0);
}

TEST_P(LoopTest, InputOffAndOnLosesNothing) {
  listen();
  Owner* owner = nullptr;
  Peer peer = connect(&owner);
  std::string sent;
  for (int i = 0; i < 200; ++i) {
    const std::string text = std::to_string(i) + ",";
    owner->stream->want_input(i % 3 == 0);
    peer.send(text);
    sent += text;
    if (i % 2 == 0) loop_->run_once(false);
  }
  owner->stream->want_input(true);
  until([&] { return owner->received.size() == sent.size(); });
  EXPECT_EQ(owner->received, sent);
}

TEST_P(LoopTest, ASlowReaderHoldsTheOutputBack) {
  listen();
  Owner* owner = nullptr;
  Peer peer = connect(&owner);
  const std::string text = long_text(30'000'000);
  owner->output.append(std::string_view(text).substr(0, 1000));
  owner->output.append(base::SharedBytes::copy_of(text, nullptr), 1000, text.size() - 1000);
  owner->room = [owner] { EXPECT_TRUE(owner->flush()); };
  EXPECT_TRUE(owner->flush());
  settle();
  EXPECT_GT(owner->output.size(), 10'000'000u);  // the peer does not read
  until([&] {
    peer.receive();
    return owner->all_left();
  });
  until([&] {
    peer.receive();
    return peer.received.size() == text.size();
  });
  EXPECT_TRUE(peer.received == text);
}

TEST_P(LoopTest, ASlowOwnerHoldsTheInputBack) {
  listen();
  Owner* owner = nullptr;
  Peer peer = connect(&owner);
  owner->stream->want_input(false);
  const std::string text = long_text(30'000'000);
  std::size_t sent = 0;
  for (int i = 0; i < 100; ++i) {
    sent += peer.send(std::string_view(text).substr(sent));
    settle();
  }
  EXPECT_LT(sent, text.size());  // the peer was stopped
  EXPECT_EQ(owner->inputs, 0);
  owner->stream->want_input(true);
  until([&] {
    sent += peer.send(std::string_view(text).substr(sent));
    return owner->received.size() == text.size();
  });
  EXPECT_TRUE(owner->received == text);
}

TEST_P(LoopTest, BothWaysAtOnce) {
  listen();
  Owner* owner = nullptr;
  Peer peer = connect(&owner);
  owner->input = [owner] {
    owner->receive(64 * 1024);
    owner->output.append(owner->received);
    owner->received.clear();
    owner->stream->want_input(owner->output.size() < 1'000'000);
    EXPECT_TRUE(owner->flush());
  };
  owner->room = [owner] {
    EXPECT_TRUE(owner->flush());
    owner->stream->want_input(owner->output.size() < 1'000'000);
  };
  const std::string text = long_text(20'000'000);
  std::size_t sent = 0;
  int turn = 0;
  until([&] {
    sent += peer.send(std::string_view(text).substr(sent));
    if (++turn % 8 == 0 || sent == text.size()) peer.receive();
    return peer.received.size() == text.size();
  });
  EXPECT_TRUE(peer.received == text);
}

TEST_P(LoopTest, RoomIsReportedAfterAShareWasSent) {
  listen();
  Owner* owner = nullptr;
  Peer peer = connect(&owner);
  const std::string text = long_text(10'000);
  owner->output.append(text);
  owner->room = [owner] { EXPECT_TRUE(owner->flush(1000)); };
  EXPECT_TRUE(owner->flush(1000));
  EXPECT_GE(owner->output.size(), 9'000u);
  until([&] { return owner->all_left(); });
  EXPECT_GE(owner->rooms, 9);
  until([&] {
    peer.receive();
    return peer.received.size() == text.size();
  });
  EXPECT_EQ(peer.received, text);
}

TEST_P(LoopTest, SendingManySmallPieces) {
  listen();
  Owner* owner = nullptr;
  Peer peer = connect(&owner);
  const std::string value = long_text(700);
  std::string expected;
  for (int i = 0; i < 1000; ++i) {
    owner->output.append("$700\r\n");
    owner->output.append(base::SharedBytes::copy_of(value, nullptr), 0, value.size());
    owner->output.append("\r\n");
    expected += "$700\r\n" + value + "\r\n";
  }
  owner->room = [owner] { EXPECT_TRUE(owner->flush()); };
  EXPECT_TRUE(owner->flush());
  until([&] {
    peer.receive();
    return owner->all_left();
  });
  until([&] {
    peer.receive();
    return peer.received.size() == expected.size();
  });
  EXPECT_TRUE(peer.received == expected);
}

TEST_P(LoopTest, SendToAPeerThatHasGoneIsBroken) {
  listen();
  Owner* owner = nullptr;
  Peer peer = connect(&owner);
  peer.abort();
  bool told = false;
  owner->input = [&] {
    owner->drain();
    told = owner->ended;
  };
  until([&] { return told; });
  for (int i = 0; i < 3 && owner->stream; ++i) {
    owner->output.append("anybody there?");
    if (!owner->flush()) owner->stream.reset();
    settle();
  }
  EXPECT_EQ(owner->stream, nullptr);
}

TEST_P(LoopTest, WhatWasSentBeforeTheEndArrives) {
  listen();
  Owner* owner = nullptr;
  Peer peer = connect(&owner);
  owner->output.append("+OK\r\n");
  EXPECT_TRUE(owner->flush());
  owner->stream.reset();
  until([&] {
    peer.receive();
    return peer.ended;
  });
  EXPECT_EQ(peer.received, "+OK\r\n");
}

TEST_P(LoopTest, AStreamMayEndInItsOwnEvents) {
  listen();
  {
    Owner* owner = nullptr;
    Peer peer = connect(&owner);
    owner->input = [owner] { owner->stream.reset(); };
    peer.send("x");
    until([&] { return owner->stream == nullptr; });
  }
  {
    Owner* owner = nullptr;
    Peer peer = connect(&owner);
    owner->output.append(long_text(100'000));
    owner->room = [owner] { owner->stream.reset(); };
    EXPECT_TRUE(owner->flush(1000));
    until([&] { return owner->stream == nullptr; });
  }
  {
    Owner* owner = nullptr;
    Peer peer = connect(&owner);
    owner->stream->want_input(false);
    owner->gone = [owner] { owner->stream.reset(); };
    peer.close();
    until([&] { return owner->stream == nullptr; });
  }
  settle();
}

TEST_P(LoopTest, AStreamMayEndAnotherOneThatIsReady) {
  listen();
  Owner* a = nullptr;
  Peer first = connect(&a);
  Owner* b = nullptr;
  Peer second = connect(&b);
  a->input = [&] {
    a->drain();
    b->stream.reset();
  };
  b->input = [&] {
    b->drain();
    a->stream.reset();
  };
  first.send("x");
  second.send("y");
  until([&] { return a->stream == nullptr || b->stream == nullptr; });
  settle();
  EXPECT_EQ(a->inputs + b->inputs, 1);
  EXPECT_NE(a->stream == nullptr, b->stream == nullptr);
}

// What was reported for a stream that has ended meanwhile must not reach its successor.
TEST_P(LoopTest, ANewStreamHearsNothingOfAnOldOne) {
  std::vector<std::unique_ptr<Incoming>> arrived;
  ListenAddress address;
  address.host = "127.0.0.1";
  auto made = loop_->listen(
      address, [&](std::unique_ptr<Incoming> incoming) { arrived.push_back(std::move(incoming)); });
  ASSERT_TRUE(made.ok());
  std::vector<Peer> peers;
  for (int i = 0; i < 3; ++i) peers.push_back(Peer::tcp((*made)->port()));
  until([&] { return arrived.size() == 3; });
  Owner& a = adopt(std::move(arrived[0]));
  Owner& b = adopt(std::move(arrived[1]));
  Owner* successor = nullptr;
  const auto replace = [&](Owner& other) {
    other.stream.reset();
    successor = &adopt(std::move(arrived[2]));
  };
  a.input = [&] { replace(b); };
  b.input = [&] { replace(a); };
  settle();
  peers[0].send("x");
  peers[1].send("y");
  until([&] { return successor != nullptr; });
  (a.stream ? a : b).stream.reset();
  settle();
  EXPECT_EQ(successor->inputs, 0);
}

TEST_P(LoopTest, AStreamMayEndWithEverythingUnderWay) {
  listen();
  const std::string text = long_text(8'000'000);
  for (int round = 0; round < 50; ++round) {
    Owner* owner = nullptr;
    Peer peer = connect(&owner);
    peer.send(std::string_view(text).substr(0, 100'000));
    owner->output.append(base::SharedBytes::copy_of(text, nullptr), 0, text.size());
    owner->room = [owner] { EXPECT_TRUE(owner->flush(1 << 20)); };
    EXPECT_TRUE(owner->flush(1 << 20));
    for (int turn = 0; turn < round % 7; ++turn) loop_->run_once(false);
    owner->stream.reset();
    owner->output = Output();
    if (round % 2) loop_->run_once(false);
  }
  settle();
}

TEST_P(LoopTest, AThousandConnections) {
  rlimit limit = {};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, 4096);
  ::setrlimit(RLIMIT_NOFILE, &limit);
  listen();
  constexpr std::size_t kConnections = 1000;
  std::vector<Peer> peers;
  std::vector<Owner*> owners;
  for (std::size_t i = 0; i < kConnections; ++i) {
    Owner* owner = nullptr;
    peers.push_back(connect(&owner));
    owner->input = [owner] {
      owner->drain();
      owner->output.append(owner->received);
      owner->received.clear();
      EXPECT_TRUE(owner->flush());
    };
    owners.push_back(owner);
  }
  for (int round = 0; round < 3; ++round) {
    for (std::size_t i = 0; i < kConnections; ++i) peers[i].send(std::to_string(i));
    std::size_t left = kConnections;
    std::vector<bool> done(kConnections);
    until([&] {
      for (std::size_t i = 0; i < kConnections; ++i) {
        peers[i].receive();
        if (done[i] || peers[i].received.size() < std::to_string(i).size()) continue;
        EXPECT_EQ(peers[i].received, std::to_string(i));
        peers[i].received.clear();
        done[i] = true;
        --left;
      }
      return left == 0;
    });
  }
}

// Waits for the peer as a client would, so that the loop sleeps in between.
bool await(Peer& peer, const std::function<bool()>& done) {
  for (;;) {
    peer.receive();
    if (done()) return true;
    pollfd waiting = {peer.fd(), POLLIN, 0};
    if (peer.ended || ::poll(&waiting, 1, 30'000) != 1) return false;
  }
}

// A loop that really sleeps: replies leave without any other event, and an owner that closes after
// its last reply is notified when it has left.
TEST_P(LoopTest, ServesFromAThreadOfItsOwn) {
  listen();
  const auto finish = [](Owner& owner) {
    if (owner.stream && owner.all_left()) owner.stream.reset();
  };
  loop_->set_turn_end([&] {
    for (const std::unique_ptr<Owner>& each : owners_) {
      Owner& owner = *each;
      if (owner.received.empty() || !owner.stream) continue;
      const bool last = owner.received.find('q') != std::string::npos;
      owner.output.append(std::exchange(owner.received, {}));
      EXPECT_TRUE(owner.flush());
      if (!last) continue;
      owner.room = [&owner, finish] { finish(owner); };
      finish(owner);
    }
  });
  std::thread thread([this] { loop_->run(); });
  std::vector<Peer> peers;
  for (int i = 0; i < 4; ++i) peers.push_back(Peer::tcp(listener_->port()));
  for (int round = 0; round < 200; ++round) {
    for (std::size_t i = 0; i <= static_cast<std::size_t>(round) % peers.size(); ++i) {
      peers[i].send("ping");
    }
    for (std::size_t i = 0; i <= static_cast<std::size_t>(round) % peers.size(); ++i) {
      EXPECT_TRUE(await(peers[i], [&] { return peers[i].received.size() == 4; }));
      peers[i].received.clear();
    }
  }
  for (Peer& peer : peers) {
    peer.send("q");
    EXPECT_TRUE(await(peer, [&] { return peer.ended; }));
    EXPECT_EQ(peer.received, "q");
  }
  loop_->stop();
  thread.join();
}

TEST_P(LoopTest, StopsWithConnectionsOpenAndUnaccepted) {
  listen();
  std::thread thread([this] { loop_->run(); });
  Peer peer = Peer::tcp(listener_->port());
  ASSERT_TRUE(peer.connected());
  peer.send("x");
  loop_->stop();
  thread.join();
}

INSTANTIATE_TEST_SUITE_P(Twins, LoopTest, ::testing::Values(Backend::epoll, Backend::uring),
                         backend_name);

}  // namespace
}  // namespace slotcar::runtime
