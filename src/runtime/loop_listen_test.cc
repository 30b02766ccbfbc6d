// How both real loops listen and accept.
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "runtime/testing/loop_fixture.h"

namespace slotcar::runtime {
namespace {

class ListenTest : public LoopTest {
 protected:
  void SetUp() override {
    LoopTest::SetUp();
    std::string name = (std::filesystem::temp_directory_path() / "slotcar_listen_XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    directory_ = name;
  }
  void TearDown() override {
    LoopTest::TearDown();
    std::filesystem::remove_all(directory_);
  }
  std::string path(const std::string& name) const { return directory_ + "/" + name; }
  Result<std::unique_ptr<Listener>> try_listen(const ListenAddress& address) {
    return loop_->listen(address, [](std::unique_ptr<Incoming>) {});
  }
  static ListenAddress at(const std::string& host, std::uint16_t port = 0) {
    ListenAddress address;
    address.host = host;
    address.port = port;
    return address;
  }
  static ListenAddress at_path(const std::string& path, unsigned permissions = 0) {
    ListenAddress address;
    address.unix_path = path;
    address.unix_permissions = permissions;
    return address;
  }

  std::string directory_;
};

unsigned mode_of(const std::string& path) {
  struct stat info = {};
  return ::lstat(path.c_str(), &info) == 0 ? info.st_mode & 0777 : 0;
}

TEST_P(ListenTest, UnixSocket) {
  const mode_t before = ::umask(022);
  listen(at_path(path("s"), 0770));
  ::umask(before);
  EXPECT_EQ(mode_of(path("s")), 0770u);
  Peer peer = Peer::unix(path("s"));
  ASSERT_TRUE(peer.connected());
  peer.send("hello");
  until([&] { return !owners_.empty() && owners_[0]->received == "hello"; });
  const Stream& stream = *owners_[0]->stream;
  EXPECT_TRUE(stream.is_unix());
  EXPECT_TRUE(stream.peer_is_loopback());
  EXPECT_EQ(stream.peer(), path("s") + ":0");
  EXPECT_EQ(stream.local(), path("s") + ":0");
  listener_.reset();
  EXPECT_FALSE(std::filesystem::exists(path("s")));
}

TEST_P(ListenTest, UnixSocketModeFollowsTheUmaskIfNotGiven) {
  const mode_t before = ::umask(027);
  auto listener = try_listen(at_path(path("s")));
  ::umask(before);
  ASSERT_TRUE(listener.ok());
  EXPECT_EQ(mode_of(path("s")), 0750u);
}

TEST_P(ListenTest, AStaleUnixSocketIsReplacedAndNothingElse) {
  {
    // What a killed server leaves: a socket file without a listener.
    FileDescriptor old(::socket(AF_UNIX, SOCK_STREAM, 0));
    sockaddr_un name = {};
    name.sun_family = AF_UNIX;
    std::memcpy(name.sun_path, path("s").data(), path("s").size());
    ASSERT_EQ(::bind(old.get(), reinterpret_cast<sockaddr*>(&name), sizeof name), 0);
  }
  auto listener = try_listen(at_path(path("s")));
  EXPECT_TRUE(listener.ok());

  std::ofstream(path("file")) << "precious";
  auto refused = try_listen(at_path(path("file")));
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message.find("not a socket"), std::string::npos);
  EXPECT_EQ(std::filesystem::file_size(path("file")), 8u);
}

TEST_P(ListenTest, AListenerRemovesOnlyItsOwnFile) {
  auto first = try_listen(at_path(path("s")));
  ASSERT_TRUE(first.ok());
  auto second = try_listen(at_path(path("s")));
  ASSERT_TRUE(second.ok());
  first->reset();
  EXPECT_TRUE(std::filesystem::exists(path("s")));
  EXPECT_TRUE(Peer::unix(path("s")).connected());
}

TEST_P(ListenTest, BadAddressesSayWhy) {
  auto path_too_long = try_listen(at_path(std::string(200, 'x')));
  ASSERT_FALSE(path_too_long.ok());
  EXPECT_NE(path_too_long.error().message.find("longer than"), std::string::npos);

  auto no_address = try_listen(at("no such host"));
  ASSERT_FALSE(no_address.ok());
  EXPECT_EQ(no_address.error().message, "'no such host' is not an IP address");

  // An address of a documentation network, which no machine has.
  auto foreign = try_listen(at("192.0.2.1", 7777));
  ASSERT_FALSE(foreign.ok());
  EXPECT_EQ(foreign.error().message,
            "cannot listen on 192.0.2.1:7777: Cannot assign requested address");
}

TEST_P(ListenTest, AnOptionalAddressMayBeAbsent) {
  auto absent = try_listen(at("-192.0.2.1", 7777));
  ASSERT_TRUE(absent.ok());
  EXPECT_EQ((*absent)->port(), 0);
  auto wrong = try_listen(at("-no such host"));
  EXPECT_FALSE(wrong.ok());
}

TEST_P(ListenTest, AnAddressInUseIsRefusedAndFreeAgainAtOnce) {
  auto first = try_listen(at("127.0.0.1"));
  ASSERT_TRUE(first.ok());
  const std::uint16_t port = (*first)->port();
  auto second = try_listen(at("127.0.0.1", port));
  ASSERT_FALSE(second.ok());
  EXPECT_NE(second.error().message.find("Address already in use"), std::string::npos);
  first->reset();
  EXPECT_TRUE(try_listen(at("127.0.0.1", port)).ok());
}

TEST_P(ListenTest, BothFamiliesOnOnePort) {
  auto v4 = try_listen(at("*"));
  ASSERT_TRUE(v4.ok());
  auto v6 = try_listen(at("-::*", (*v4)->port()));
  EXPECT_TRUE(v6.ok());
  EXPECT_TRUE(Peer::tcp((*v4)->port()).connected());
}

TEST_P(ListenTest, RefuseSaysOneLastThing) {
  auto made = loop_->listen(at("127.0.0.1"), [](std::unique_ptr<Incoming> incoming) {
    EXPECT_TRUE(incoming->peer_is_loopback());
    EXPECT_FALSE(incoming->is_unix());
    incoming->refuse("-ERR max number of clients reached\r\n");
  });
  ASSERT_TRUE(made.ok());
  Peer peer = Peer::tcp((*made)->port());
  until([&] {
    peer.receive();
    return peer.ended;
  });
  EXPECT_EQ(peer.received, "-ERR max number of clients reached\r\n");
}

// Another thread says so: the loop itself has no part in it.
TEST_P(ListenTest, AListenerThatRefusesIsNotReached) {
  int accepted = 0;
  auto made = loop_->listen(at("127.0.0.1"), [&](std::unique_ptr<Incoming>) { ++accepted; });
  ASSERT_TRUE(made.ok());
  const std::uint16_t port = (*made)->port();
  std::thread([&] { (*made)->refuse(); }).join();
  EXPECT_FALSE(Peer::tcp(port).connected());
  settle();
  EXPECT_EQ(accepted, 0);
  auto next = try_listen(at("127.0.0.1"));
  ASSERT_TRUE(next.ok());
  made->reset();
  EXPECT_TRUE(try_listen(at("127.0.0.1", port)).ok());

  auto local = try_listen(at_path(path("s")));
  ASSERT_TRUE(local.ok());
  (*local)->refuse();
  EXPECT_FALSE(Peer::unix(path("s")).connected());
}

TEST_P(ListenTest, AListenerMayEndInItsOwnEvent) {
  bool accepted = false;
  auto made = loop_->listen(at("127.0.0.1"), [&](std::unique_ptr<Incoming> incoming) {
    accepted = true;
    listener_.reset();
    adopt(std::move(incoming));
  });
  ASSERT_TRUE(made.ok());
  listener_ = std::move(*made);
  Peer first = Peer::tcp(listener_->port());
  Peer second = Peer::tcp(listener_->port());
  until([&] { return accepted; });
  settle();
  EXPECT_EQ(owners_.size(), 1u);
}

TEST_P(ListenTest, AConnectionMayBeAdoptedByAnotherLoop) {
  std::string note;
  auto other = make_event_loop(Backend::epoll, {}, clock_, &note);
  ASSERT_TRUE(other.ok());
  std::unique_ptr<Stream> stream;
  auto made = loop_->listen(at("127.0.0.1"), [&](std::unique_ptr<Incoming> incoming) {
    stream = (*other)->adopt(std::move(incoming));
  });
  ASSERT_TRUE(made.ok());
  Peer peer = Peer::tcp((*made)->port());
  until([&] { return stream != nullptr; });
  char byte = 0;
  EXPECT_EQ(stream->receive(&byte, 1).kind, Stream::Received::Kind::none_yet);
}

// Without descriptors the loop neither dies nor spins, and it accepts when there are some again.
TEST_P(ListenTest, SurvivesALackOfDescriptors) {
  rlimit before = {};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  rlimit few = before;
  few.rlim_cur = 128;
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &few), 0);
  listen();
  settle();
  Peer peer = Peer::tcp(listener_->port());
  ASSERT_TRUE(peer.connected());
  std::vector<FileDescriptor> hoard;
  do {
    hoard.emplace_back(::dup(0));
  } while (hoard.back());

  struct Alarm : Timer {
    Alarm() : Timer(&Alarm::fire) {}
    static void fire(Timer& timer) { static_cast<Alarm&>(timer).rang = true; }
    bool rang = false;
  } alarm;
  loop_->arm(alarm, clock_.monotonic() + 250 * kMillisecond);
  turns_ = 0;
  until_waiting([&] { return alarm.rang; });
  EXPECT_TRUE(owners_.empty());
  EXPECT_LT(turns_, 50);
  hoard.clear();
  until_waiting([&] { return owners_.size() == 1; });
  peer.send("x");
  until([&] { return owners_[0]->received == "x"; });
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
}

INSTANTIATE_TEST_SUITE_P(Twins, ListenTest, ::testing::Values(Backend::epoll, Backend::uring),
                         backend_name);

}  // namespace
}  // namespace slotcar::runtime
