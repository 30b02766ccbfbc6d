#include "runtime/log.h"

#include <spdlog/logger.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/stdout_sinks.h>

#include <cerrno>
#include <fstream>

#include "runtime/system_error.h"

namespace slotcar::runtime {
namespace {

char level_sign(LogLevel level) {
  switch (level) {
    case LogLevel::debug:
      return '.';
    case LogLevel::verbose:
      return '-';
    case LogLevel::notice:
      return '*';
    case LogLevel::warning:
    case LogLevel::nothing:
      break;
  }
  return '#';
}

class SpdLogger final : public Logger {
 public:
  SpdLogger(spdlog::sink_ptr sink, LogLevel level)
      : Logger(level), logger_("slotcar", std::move(sink)) {
    // The logger checks levels; the sink behind it lets everything through.
    logger_.set_level(spdlog::level::trace);
    logger_.flush_on(spdlog::level::trace);
    logger_.set_pattern("%P:M %d %b %Y %H:%M:%S.%e %v");
  }

 private:
  void write_line(LogLevel level, std::string_view text) override {
    logger_.info("{} {}", level_sign(level), text);
  }

  spdlog::logger logger_;
};

}  // namespace

Result<std::unique_ptr<Logger>> make_logger(const std::string& path, LogLevel level) {
  try {
    spdlog::sink_ptr sink;
    if (path.empty()) {
      sink = std::make_shared<spdlog::sinks::stdout_sink_mt>();
    } else {
      // The sink would create missing directories; a mistyped path should be an error instead.
      std::ofstream probe(path, std::ios::app);
      if (!probe) return system_error("cannot open the log file " + path, errno);
      sink = std::make_shared<spdlog::sinks::basic_file_sink_mt>(path);
    }
    return std::unique_ptr<Logger>(std::make_unique<SpdLogger>(std::move(sink), level));
  } catch (const spdlog::spdlog_ex& failed) {
    return Error{"cannot open the log file: " + std::string(failed.what())};
  }
}

}  // namespace slotcar::runtime
