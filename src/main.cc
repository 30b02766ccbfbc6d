// slotcar-server: reads its settings, makes the real clock, disk and network, and runs one node
// until a signal or SHUTDOWN ends it.
#include <fcntl.h>
#include <fmt/format.h>
#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iostream>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/memory.h"
#include "console/version.h"
#include "node/configuration.h"
#include "node/node.h"
#include "node/open_files.h"
#include "node/options.h"
#include "node/supervisor.h"
#include "node/whole_file.h"
#include "runtime/dial.h"
#include "runtime/event_loop.h"
#include "runtime/log.h"
#include "runtime/real/real_clock.h"
#include "runtime/real/real_disk.h"
#include "runtime/real/real_random.h"
#include "runtime/real/real_shared_memory.h"
#include "runtime/thread_executor.h"

namespace slotcar {
namespace {

constexpr int kWakeSignal = SIGUSR2;  // SHUTDOWN wakes the main thread with it

// --- before there is a node --------------------------------------------------------------------

Status load_settings(const node::Options& options, node::Settings& settings,
                     node::Configuration& configuration) {
  if (options.file) {
    if (Status status = configuration.load_file(*options.file); !status) return status;
    char absolute[PATH_MAX];
    settings.start.config_file =
        ::realpath(options.file->c_str(), absolute) != nullptr ? absolute : *options.file;
  }
  if (options.from_stdin) {
    const std::string text{std::istreambuf_iterator<char>(std::cin), {}};
    if (Status status = configuration.load_text(text, "standard input"); !status) return status;
  }
  return configuration.load_arguments(options.arguments);
}

// From here on paths are relative to `dir`.
Status enter_directory(node::Configuration& configuration) {
  const std::string directory = configuration.value("dir");
  char absolute[PATH_MAX];
  if (::chdir(directory.c_str()) != 0 || ::getcwd(absolute, sizeof absolute) == nullptr) {
    return Error{
        fmt::format("can't change to the directory '{}': {}", directory, std::strerror(errno))};
  }
  return configuration.find("dir")->set(absolute);
}

// In the background: a process of its own without a terminal. Before any thread is started.
Status daemonize() {
  const pid_t child = ::fork();
  if (child < 0)
    return Error{fmt::format("can't go into the background: {}", std::strerror(errno))};
  if (child > 0) ::_exit(0);
  ::setsid();
  const int nowhere = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  if (nowhere >= 0) {
    ::dup2(nowhere, STDIN_FILENO);
    ::dup2(nowhere, STDOUT_FILENO);
    ::dup2(nowhere, STDERR_FILENO);
  }
  return {};
}

runtime::LogLevel log_level(const std::string& word) {
  if (word == "debug") return runtime::LogLevel::debug;
  if (word == "verbose") return runtime::LogLevel::verbose;
  if (word == "warning") return runtime::LogLevel::warning;
  if (word == "nothing") return runtime::LogLevel::nothing;
  return runtime::LogLevel::notice;
}

runtime::Backend io_backend(const std::string& word) {
  if (word == "uring") return runtime::Backend::uring;
  if (word == "epoll") return runtime::Backend::epoll;
  return runtime::Backend::automatic;
}

// Signals are waited for, not handled: they stay blocked in every thread. A closed peer is an error
// of the write, and a closed terminal does not end the server.
void take_over_signals(sigset_t& awaited) {
  ::signal(SIGPIPE, SIG_IGN);
  ::signal(SIGHUP, SIG_IGN);
  sigemptyset(&awaited);
  sigaddset(&awaited, SIGTERM);
  sigaddset(&awaited, SIGINT);
  sigaddset(&awaited, kWakeSignal);
  ::pthread_sigmask(SIG_BLOCK, &awaited, nullptr);
}

void fit_open_files(node::Settings& settings, runtime::Logger& log) {
  const std::int64_t wanted = settings.session.clients_max;
  const std::int64_t possible = node::raise_open_files(wanted);
  if (possible >= wanted) return;
  settings.session.clients_max = std::max<std::int64_t>(possible, 1);
  log.warning(
      "You requested maxclients of {} requiring at least {} max file descriptors. Current "
      "maxclients has been reduced to {}. If you need higher maxclients increase "
      "'ulimit -n'.",
      wanted, wanted + node::kReservedFiles, settings.session.clients_max.get());
}

// --- the node's life ---------------------------------------------------------------------------

void say_hello(const node::Settings& settings, runtime::Logger& log) {
  log.notice("Slotcar is starting");
  log.notice("Slotcar version={}, bits=64, pid={}, just started", console::kVersion, ::getpid());
  if (settings.start.config_file.empty()) {
    log.notice(
        "No configuration file: the defaults hold. To give one use slotcar-server "
        "/path/to/slotcar.conf");
  } else {
    log.notice("Configuration loaded from {}", settings.start.config_file);
  }
}

// With `auto` only if a service manager has started the server.
bool supervised(const node::Settings& settings) {
  const auto found = settings.remembered.find("supervised");
  if (found == settings.remembered.end()) return false;
  return found->second == "systemd" || (found->second == "auto" && node::has_supervisor());
}

void say_ready(node::Node& node, runtime::Logger& log) {
  log.notice("{} workers ({}), {} slow threads, {} shards", node.workers().size(),
             node.workers()[0]->loop().backend(), node.settings().start.slow_lane_threads,
             node.shards().count());
  if (node.port() != 0) log.notice("Ready to accept connections on port {}", node.port());
  if (const std::uint16_t secure = node.settings().start.tls_port; secure != 0) {
    log.notice("Ready to accept TLS connections on port {}", secure);
  }
  const std::string& path = node.settings().start.unix_socket;
  if (!path.empty()) log.notice("The server is now ready to accept connections at {}", path);
}

// On a thread of its own, because this one waits for signals. `leave` is called if a signal asks
// for the end before that, and does not return.
Status load(node::Node& node, runtime::Executor& executor, const sigset_t& awaited,
            const std::function<void()>& leave) {
  std::atomic<bool> finished{false};
  Status outcome;
  const pthread_t main_thread = ::pthread_self();
  const auto thread = executor.start_thread("load");
  thread->post(runtime::make_task([&] {
    outcome = node.load();
    finished = true;
    ::pthread_kill(main_thread, kWakeSignal);
  }));
  while (!finished) {
    int signal = 0;
    if (::sigwait(&awaited, &signal) != 0) continue;
    if (signal != kWakeSignal || (node.shutdown_requested() && !finished)) leave();
  }
  return outcome;
}

// shutdown-on-sigint, shutdown-on-sigterm: words of SHUTDOWN. ("now" is about replicas.)
node::Node::Shutdown shutdown_on(node::Node& node, int signal) {
  using Save = node::Node::Shutdown::Save;
  const std::string words =
      node.configuration().value(signal == SIGINT ? "shutdown-on-sigint" : "shutdown-on-sigterm");
  node::Node::Shutdown how;
  for (std::size_t at = 0; at < words.size();) {
    const std::size_t end = std::min(words.find(' ', at), words.size());
    const std::string word = words.substr(at, end - at);
    if (word == "save") how.save = Save::yes;
    if (word == "nosave") how.save = Save::no;
    if (word == "force") how.force = true;
    at = end + 1;
  }
  return how;
}

void wait_for_the_end(node::Node& node, const sigset_t& awaited, runtime::Logger& log) {
  // Whether the final snapshot is being written. (Shared, because its callback may come later.)
  const auto saving = std::make_shared<std::atomic<bool>>(false);
  while (!node.shutdown_requested()) {
    int signal = 0;
    if (::sigwait(&awaited, &signal) != 0) continue;
    if (signal == kWakeSignal) continue;
    const char* const name = signal == SIGINT ? "SIGINT" : "SIGTERM";
    if (saving->exchange(true) && (signal == SIGINT || node.durability().numbers().log_on)) {
      // As after a kill: the log and its buffer contain everything that was acknowledged.
      log.warning("Received {} again: exiting now, without the snapshot under way", name);
      ::_exit(1);
    }
    log.warning("Received {} scheduling shutdown...", name);
    node.shut_down(shutdown_on(node, signal), [saving](const Status&) { *saving = false; });
  }
  // A second signal means: do not wait. The wake signal stays blocked: our own may be
  // pending.
  sigset_t again = awaited;
  sigdelset(&again, kWakeSignal);
  ::pthread_sigmask(SIG_UNBLOCK, &again, nullptr);
}

int serve(node::Settings& settings, runtime::Logger& log, const sigset_t& awaited) {
  runtime::RealClock clock;
  runtime::RealRandom random;
  runtime::RealDisk disk;
  runtime::RealSharedMemory shared_memory(settings.durability.buffer_directory);
  runtime::ThreadExecutor executor;
  std::string told_note;
  node::Doors doors{.clock = &clock,
                    .random = &random,
                    .executor = &executor,
                    .disk = &disk,
                    .log = &log,
                    .make_loop = {}};
  if (!settings.durability.buffer_directory.empty()) doors.shared_memory = &shared_memory;
  doors.make_loop = [&] {
    std::string note;
    auto loop = runtime::make_event_loop(io_backend(settings.start.io_backend),
                                         {.keepalive_seconds = settings.tcp_keepalive_seconds},
                                         clock, &note);
    if (!note.empty() && note != told_note) log.notice("{}", told_note = note);
    return loop;
  };
  doors.dial = runtime::dial_tcp;
  node::Node node(settings, doors);
  const pthread_t main_thread = ::pthread_self();
  node.set_shutdown_hook([main_thread] { ::pthread_kill(main_thread, kWakeSignal); });
  const auto failed = [&log](const Status& status) {
    log.warning("Could not start: {}", status.error().message);
    std::cerr << "slotcar-server: " << status.error().message << "\n";
    return 1;
  };
  const auto clean_up = [&] {
    if (!settings.start.pid_file.empty()) {
      static_cast<void>(disk.remove(settings.start.pid_file).ok());
    }
    if (!settings.start.unix_socket.empty()) ::unlink(settings.start.unix_socket.c_str());
  };
  if (Status opened = node.open(); !opened) return failed(opened);
  const std::string& pid_file = settings.start.pid_file;
  if (!pid_file.empty()) {
    const Status written = node::replace_file(disk, pid_file, fmt::format("{}\n", ::getpid()));
    if (!written) log.warning("Failed to write the pid file: {}", written.error().message);
  }
  const auto leave = [&] {
    // Whatever state the files are in, the next start recovers from it, as after a kill.
    log.warning("Received shutdown signal during loading, exiting now.");
    clean_up();
    ::_exit(0);
  };
  if (Status loaded = load(node, executor, awaited, leave); !loaded) {
    clean_up();
    return failed(loaded);
  }
  say_ready(node, log);
  if (supervised(settings)) {
    const Status told = node::notify_supervisor("STATUS=Ready to accept connections\nREADY=1\n");
    if (!told) log.warning("supervised by systemd: {}", told.error().message);
  }
  wait_for_the_end(node, awaited, log);
  node.stop();
  clean_up();
  log.warning("Slotcar is now ready to exit, bye bye...");
  return 0;
}

int fail(const std::string& message) {
  std::cerr << message << "\n";
  return 1;
}

// Every user of the machine can read a process's words (ps); secrets are removed from them. Redis
// replaces all of them by a title.
void hide_secrets(const node::Configuration& configuration, std::span<char* const> words) {
  const auto erase = [](char* from) { std::memset(from, 0, std::strlen(from)); };
  bool is_secret = false;
  bool is_value = false;  // whatever it begins with
  for (char* const word : words) {
    const std::string_view text = word;
    if (!is_value && text.starts_with("--")) {
      const std::string_view name = text.substr(2, text.find_first_of(" \t", 2) - 2);
      is_secret = configuration.is_sensitive(name);
      is_value = name.size() + 2 == text.size();
      if (is_secret && !is_value) erase(word + 2 + name.size());
    } else {
      is_value = false;
      if (is_secret) erase(word);
    }
  }
}

int run(std::span<char* const> words) {
  const std::vector<std::string> arguments(words.begin(), words.end());
  const node::Options options = node::read_options(arguments);
  if (options.help) {
    std::cout << node::usage();
    return 0;
  }
  if (options.version) {
    std::cout << "Slotcar server v=" << console::kVersion << " bits=64 (as Redis "
              << console::kRedisVersion << ")\n";
    return 0;
  }
  node::Settings settings;
  node::Configuration configuration(settings);
  if (Status loaded = load_settings(options, settings, configuration); !loaded) {
    return fail(
        fmt::format("\n*** FATAL CONFIG FILE ERROR (Slotcar {}) ***\n"
                    "Reading the configuration, {}",
                    console::kVersion, loaded.error().message));
  }
  hide_secrets(configuration, words);
  if (Status entered = enter_directory(configuration); !entered) {
    return fail("slotcar-server: " + entered.error().message);
  }
  settings.durability.directory = ".";
  if (configuration.value("disable-thp") != "yes") base::prefer_huge_pages();
  if (settings.start.daemonize && !supervised(settings)) {
    if (settings.start.pid_file.empty()) settings.start.pid_file = "/var/run/slotcar.pid";
    if (Status gone = daemonize(); !gone) return fail("slotcar-server: " + gone.error().message);
  }
  auto log = runtime::make_logger(configuration.value("logfile"),
                                  log_level(configuration.value("loglevel")));
  if (!log) return fail("slotcar-server: can't open the log file: " + log.error().message);
  sigset_t awaited;
  take_over_signals(awaited);
  say_hello(settings, **log);
  fit_open_files(settings, **log);
  return serve(settings, **log, awaited);
}

}  // namespace
}  // namespace slotcar

int main(int count, char** values) {
  return slotcar::run(std::span<char* const>(values + 1, values + count));
}
