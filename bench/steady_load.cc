// A steady load on a server, to measure the server and not the load: one thread, plain sockets,
// requests at scheduled times whether the earlier ones are answered or not, latency from the
// scheduled time. If allowed, it has priority over all other threads (SCHED_FIFO), so that it does
// not measure its own waiting for a processor.
//
//     steady_load PORT --connections 50 --rate 20000 --seconds 5 --keys 1000000 --set-ratio 0.5
//
// With --names a,b,c it GETs these keys in turn, with --until-closed 1 it ends when its
// standard input does, and with --raw 1 it prints the input of bench/stalls.py: pairs of 64-bit
// numbers, the scheduled time (CLOCK_MONOTONIC) and the latency, both in nanoseconds. A request
// that was not answered within --patience seconds after the end counts with the time it has
// waited.
//
// Otherwise it prints one JSON object: per kind of call and over all: count, p50, p99, p999, max
// (milliseconds); and p90, p99 and max of all calls in each half second, because on a shared
// machine one bad moment must not decide the result.
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <deque>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using Nanos = std::int64_t;
constexpr Nanos kSecond = 1'000'000'000;

Nanos now() {
  timespec time = {};
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * kSecond + time.tv_nsec;
}

[[noreturn]] void fail(const char* what) {
  std::perror(what);
  std::exit(1);
}

struct Options {
  int port = 0;
  int connections = 50;
  double rate = 20'000;
  double seconds = 5;
  std::uint64_t keys = 1'000'000;
  double set_ratio = 0.5;
  std::size_t value_bytes = 64;
  double patience = 10;
  bool raw = false;
  bool until_closed = false;
  std::vector<std::string> names;
};

enum Kind { kGet, kSet, kKinds };

struct Request {
  Nanos appointed;
  Kind kind;
};

struct Connection {
  int fd = -1;
  std::deque<Request> waiting;
  std::string unsent;
  std::string input;  // of an incomplete answer
};

int connect_to(int port) {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) fail("socket");
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    fail("connect");
  }
  const int on = 1;
  ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  ::fcntl(fd, F_SETFL, O_NONBLOCK);
  return fd;
}

// The length of the first answer; 0: it is incomplete.
std::size_t answer_size(std::string_view input) {
  const std::size_t line = input.find("\r\n");
  if (line == std::string_view::npos) return 0;
  if (input[0] == '-') {
    std::fprintf(stderr, "%.*s\n", static_cast<int>(line), input.data());
    std::exit(1);
  }
  if (input[0] != '$') return line + 2;
  const long size = std::strtol(input.data() + 1, nullptr, 10);
  if (size < 0) return line + 2;
  const std::size_t whole = line + 2 + static_cast<std::size_t>(size) + 2;
  return input.size() < whole ? 0 : whole;
}

class Load {
 public:
  explicit Load(const Options& options)
      : options_(options), value_(options.value_bytes, 'x'), epoll_(::epoll_create1(0)) {
    connections_.resize(static_cast<std::size_t>(options.connections));
    for (std::size_t i = 0; i < connections_.size(); ++i) {
      connections_[i].fd = connect_to(options.port);
      epoll_event event = {};
      event.events = EPOLLIN;
      event.data.u64 = i;
      if (::epoll_ctl(epoll_, EPOLL_CTL_ADD, connections_[i].fd, &event) != 0) fail("epoll_ctl");
    }
    if (options_.until_closed) {
      epoll_event event = {};
      event.events = EPOLLIN | EPOLLHUP;
      event.data.u64 = kStandardInput;
      if (::epoll_ctl(epoll_, EPOLL_CTL_ADD, STDIN_FILENO, &event) != 0) fail("epoll_ctl");
    }
  }

  void run() {
    const Nanos interval = static_cast<Nanos>(kSecond / options_.rate);
    begin_ = now();
    end_ = begin_ + static_cast<Nanos>(options_.seconds * kSecond);
    Nanos next = begin_;
    std::size_t turn = 0;
    while (next < end_ || outstanding_ > 0) {
      while (next < end_ && next <= now()) {
        send(connections_[turn++ % connections_.size()], next);
        next += interval;
      }
      wait(next < end_ ? std::max<Nanos>(next - now(), 0) : kSecond / 10);
      if (now() > end_ + static_cast<Nanos>(options_.patience * kSecond)) return give_up();
    }
  }

  // Nothing else is printed then.
  bool report_raw() const {
    if (!options_.raw) return false;
    for (const auto& pair : raw_) std::fwrite(&pair, sizeof pair, 1, stdout);
    return true;
  }

  void report() {
    std::vector<Nanos> all;
    for (const auto& times : times_) all.insert(all.end(), times.begin(), times.end());
    std::printf("{");
    print("get", times_[kGet]);
    print("set", times_[kSet]);
    print("all", all);
    std::printf("\"windows\": [");
    const char* comma = "";
    for (auto& times : windows_) {
      if (times.empty()) continue;
      std::ranges::sort(times);
      std::printf("%s[%.4f, %.4f, %.4f]", comma, at(times, 0.9), at(times, 0.99), at(times, 1));
      comma = ", ";
    }
    std::printf("]}\n");
  }

 private:
  static constexpr std::uint64_t kStandardInput = UINT64_MAX;

  void give_up() {
    if (!options_.raw) {
      std::fprintf(stderr, "no answer\n");
      std::exit(1);
    }
    const Nanos time = now();
    for (const Connection& one : connections_) {
      for (const Request& request : one.waiting) {
        raw_.push_back({request.appointed, time - request.appointed});
      }
    }
  }

  void send(Connection& to, Nanos appointed) {
    if (!options_.names.empty()) return get_named(to, appointed);
    const Kind kind = chance_(random_) < options_.set_ratio ? kSet : kGet;
    char key[32];
    std::snprintf(key, sizeof key, "key:%012llu",
                  static_cast<unsigned long long>(random_() % options_.keys));
    std::string& out = to.unsent;
    out += kind == kSet ? "*3\r\n$3\r\nSET\r\n$16\r\n" : "*2\r\n$3\r\nGET\r\n$16\r\n";
    out += key;
    out += "\r\n";
    if (kind == kSet) {
      out += "$" + std::to_string(value_.size()) + "\r\n" + value_ + "\r\n";
    }
    to.waiting.push_back({appointed, kind});
    ++outstanding_;
    flush(to);
  }

  void get_named(Connection& to, Nanos appointed) {
    const std::string& name = options_.names[next_name_++ % options_.names.size()];
    to.unsent += "*2\r\n$3\r\nGET\r\n$" + std::to_string(name.size()) + "\r\n" + name + "\r\n";
    to.waiting.push_back({appointed, kGet});
    ++outstanding_;
    flush(to);
  }

  void flush(Connection& to) {
    const ssize_t sent = ::send(to.fd, to.unsent.data(), to.unsent.size(), MSG_NOSIGNAL);
    if (sent > 0) to.unsent.erase(0, static_cast<std::size_t>(sent));
    if (sent < 0 && errno != EAGAIN) fail("send");
  }

  void wait(Nanos most) {
    epoll_event events[64];
    const timespec limit = {.tv_sec = most / kSecond, .tv_nsec = most % kSecond};
    const int count = ::epoll_pwait2(epoll_, events, 64, &limit, nullptr);
    for (int i = 0; i < count; ++i) {
      if (events[i].data.u64 == kStandardInput) {
        ::epoll_ctl(epoll_, EPOLL_CTL_DEL, STDIN_FILENO, nullptr);
        end_ = now();
      } else {
        receive(connections_[events[i].data.u64]);
      }
    }
  }

  void receive(Connection& from) {
    char buffer[16 * 1024];
    const ssize_t got = ::recv(from.fd, buffer, sizeof buffer, 0);
    if (got == 0) fail("the server has closed");
    if (got < 0) return;
    const Nanos time = now();
    from.input.append(buffer, static_cast<std::size_t>(got));
    std::size_t used = 0;
    while (const std::size_t size = answer_size(std::string_view(from.input).substr(used))) {
      used += size;
      const Request& request = from.waiting.front();
      if (options_.raw) raw_.push_back({request.appointed, time - request.appointed});
      times_[request.kind].push_back(time - request.appointed);
      const auto window = static_cast<std::size_t>((request.appointed - begin_) / kWindow);
      if (windows_.size() <= window) windows_.resize(window + 1);
      windows_[window].push_back(time - request.appointed);
      from.waiting.pop_front();
      --outstanding_;
    }
    from.input.erase(0, used);
    if (!from.unsent.empty()) flush(from);
  }

  static void print(const char* name, std::vector<Nanos>& times) {
    std::ranges::sort(times);
    std::printf(
        "\"%s\": {\"count\": %zu, \"p50_ms\": %.4f, \"p90_ms\": %.4f, \"p99_ms\": %.4f, "
        "\"p999_ms\": %.4f, "
        "\"max_ms\": %.4f}, ",
        name, times.size(), at(times, 0.5), at(times, 0.9), at(times, 0.99), at(times, 0.999),
        at(times, 1));
  }

  // Milliseconds, of sorted times.
  static double at(const std::vector<Nanos>& times, double share) {
    if (times.empty()) return 0;
    const auto place = static_cast<std::size_t>(share * static_cast<double>(times.size()));
    return static_cast<double>(times[std::min(place, times.size() - 1)]) / 1e6;
  }

  static constexpr Nanos kWindow = kSecond / 2;

  Options options_;
  std::string value_;
  int epoll_;
  std::vector<Connection> connections_;
  std::size_t outstanding_ = 0;
  std::mt19937_64 random_{12345};
  std::uniform_real_distribution<double> chance_{0, 1};
  Nanos begin_ = 0;
  Nanos end_ = 0;
  std::size_t next_name_ = 0;
  std::vector<std::pair<Nanos, Nanos>> raw_;
  std::vector<Nanos> times_[kKinds];
  std::vector<std::vector<Nanos>> windows_;
};

[[noreturn]] void explain() {
  std::fprintf(stderr,
               "steady_load PORT [--connections N] [--rate N] [--seconds N] [--keys N] "
               "[--set-ratio N] [--value-bytes N] [--names A,B,C] [--until-closed 1] [--raw 1] "
               "[--patience N]\n");
  std::exit(2);
}

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    parts.emplace_back(text.substr(0, comma));
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return parts;
}

Options parse(int count, char** arguments) {
  Options options;
  if (count < 2 || count % 2 != 0) explain();
  options.port = std::atoi(arguments[1]);
  for (int i = 2; i + 1 < count; i += 2) {
    const std::string_view name = arguments[i];
    const double number = std::atof(arguments[i + 1]);
    if (name == "--connections")
      options.connections = static_cast<int>(number);
    else if (name == "--rate")
      options.rate = number;
    else if (name == "--seconds")
      options.seconds = number;
    else if (name == "--keys")
      options.keys = static_cast<std::uint64_t>(number);
    else if (name == "--set-ratio")
      options.set_ratio = number;
    else if (name == "--value-bytes")
      options.value_bytes = static_cast<std::size_t>(number);
    else if (name == "--patience")
      options.patience = number;
    else if (name == "--raw")
      options.raw = number != 0;
    else if (name == "--until-closed")
      options.until_closed = number != 0;
    else if (name == "--names")
      options.names = split(arguments[i + 1]);
    else
      explain();
  }
  return options;
}

}  // namespace

int main(int count, char** arguments) {
  const Options options = parse(count, arguments);
  const sched_param before_all = {.sched_priority = 10};
  if (::sched_setscheduler(0, SCHED_FIFO, &before_all) != 0) {
    std::fprintf(stderr, "steady_load: as an ordinary thread, its own waits count, too\n");
  }
  Load load(options);
  load.run();
  if (!load.report_raw()) load.report();
}
