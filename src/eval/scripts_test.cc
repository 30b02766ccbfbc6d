// Libraries that a start finds: those that cannot be loaded are kept all the same.
#include "eval/scripts.h"

#include <gtest/gtest.h>

#include <string>

namespace slotcar::eval {
namespace {

class Lines final : public runtime::Logger {
 public:
  Lines() : runtime::Logger(runtime::LogLevel::debug) {}
  std::string text;

 private:
  void write_line(runtime::LogLevel, std::string_view line) override {
    text.append(line).append("\n");
  }
};

TEST(Scripts, ALibraryThatCannotBeLoadedIsKept) {
  Lines log;
  Scripts scripts({.router = nullptr,
                   .scheduler = nullptr,
                   .log = &log,
                   .busy_reply_ms = nullptr,
                   .saves_fail = {},
                   .is_monitored = {},
                   .show_monitors = {},
                   .functions_changed = {}});
  const std::string good = "#!lua name=good\nredis.register_function('f', function() return 1 end)";
  const std::string bad = "#!lua name=bad\nredis.nosuch()";
  scripts.take_over_libraries({bad, good, "nothing at all"});
  const auto all = scripts.functions().all();
  EXPECT_EQ(all->by_name().size(), 1u);
  EXPECT_NE(all->find("f"), nullptr);
  EXPECT_EQ(all->texts(), (std::vector<std::string>{bad, "nothing at all", good}));
  EXPECT_NE(log.text.find("cannot be called"), std::string::npos);
  EXPECT_EQ(read_dumped_libraries(dump_libraries(*all))->size(), 3u);
}

}  // namespace
}  // namespace slotcar::eval
