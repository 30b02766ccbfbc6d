// Logger: the server's log for its operator, line by line, in Redis's form:
//     PID:M 12 Mar 2024 10:11:12.345 * text
// It is passed to the code that logs; there is no global logger. Any
// thread.
#pragma once

#include <fmt/core.h>

#include <atomic>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"

namespace slotcar::runtime {

// As Redis's `loglevel`, in ascending order of importance.
enum class LogLevel { debug, verbose, notice, warning, nothing };

class Logger {
 public:
  explicit Logger(LogLevel level) : level_(level) {}
  virtual ~Logger() = default;
  Logger(const Logger&) = delete;
  Logger& operator=(const Logger&) = delete;

  LogLevel level() const { return level_.load(std::memory_order_relaxed); }
  void set_level(LogLevel level) { level_.store(level, std::memory_order_relaxed); }

  template <class... Args>
  void debug(fmt::format_string<Args...> text, Args&&... args) {
    write(LogLevel::debug, text, std::forward<Args>(args)...);
  }
  template <class... Args>
  void verbose(fmt::format_string<Args...> text, Args&&... args) {
    write(LogLevel::verbose, text, std::forward<Args>(args)...);
  }
  template <class... Args>
  void notice(fmt::format_string<Args...> text, Args&&... args) {
    write(LogLevel::notice, text, std::forward<Args>(args)...);
  }
  template <class... Args>
  void warning(fmt::format_string<Args...> text, Args&&... args) {
    write(LogLevel::warning, text, std::forward<Args>(args)...);
  }

 private:
  template <class... Args>
  void write(LogLevel level, fmt::format_string<Args...> text, Args&&... args) {
    // A message below the level is not even formatted.
    if (level >= this->level()) write_line(level, fmt::format(text, std::forward<Args>(args)...));
  }
  virtual void write_line(LogLevel level, std::string_view text) = 0;

  std::atomic<LogLevel> level_;
};

// To the end of a file, or to standard output if `path` is empty. Each line is flushed.
Result<std::unique_ptr<Logger>> make_logger(const std::string& path, LogLevel level);

// Writes nothing; for tests.
class NullLogger final : public Logger {
 public:
  NullLogger() : Logger(LogLevel::nothing) {}

 private:
  void write_line(LogLevel, std::string_view) override {}
};

}  // namespace slotcar::runtime
