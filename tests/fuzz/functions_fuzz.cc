// Any payload of FUNCTION RESTORE is refused, or becomes libraries whose functions can be called,
// and which are the same after FUNCTION DUMP and another RESTORE.
//
// The input is a byte of choices and the payload without DUMP's trailer, which mutations would not
// keep valid.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/assert.h"
#include "eval/functions.h"
#include "runtime/output.h"
#include "scripting/interpreter.h"
#include "scripting/script_flags.h"
#include "storage/rdb/dump_payload.h"

namespace {

using slotcar::eval::Libraries;
using slotcar::eval::LibraryInfo;
using slotcar::scripting::Interpreter;
using slotcar::scripting::Words;

// Replies to each command with its own number of words, and stops after some thousand instructions.
class Counter final : public slotcar::scripting::ScriptHost {
 public:
  Ran run(Words words, slotcar::resp::Protocol, std::string& reply) override {
    reply = ":" + std::to_string(words.size()) + "\r\n";
    return ++calls_ > 100 ? Ran::stopped : Ran::replied;
  }
  std::optional<bool> may_run(Words) override { return std::nullopt; }
  void log(int, std::string_view) override {}
  std::string_view stop_reason() override { return ++looks_ > 20 || calls_ > 100 ? "enough" : ""; }

 private:
  int looks_ = 0;
  int calls_ = 0;
};

// Calls each of its functions, if it can be loaded.
std::shared_ptr<const LibraryInfo> load(Interpreter& interpreter, std::string_view text) {
  auto shebang = slotcar::scripting::read_library_shebang(text);
  if (!shebang) return nullptr;
  Counter loading;
  auto library = interpreter.load_library(shebang->body, loading);
  if (!library) return nullptr;
  auto info = std::make_shared<LibraryInfo>();
  info->name = std::move(shebang->name);
  info->text = text;
  for (const auto& function : library->functions) {
    info->functions.emplace_back().name = function.name;
    Counter running;
    slotcar::runtime::Output output;
    slotcar::resp::ReplyWriter reply(output, slotcar::resp::Protocol::resp3);
    const std::string_view words[] = {"key", "7"};
    interpreter.run_function(function, Words(words, 1), Words(words), running, reply);
  }
  interpreter.drop_library(*library);
  return info;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const bool replace = data[0] & 1;
  std::string payload(reinterpret_cast<const char*>(data) + 1, size - 1);
  (void)slotcar::eval::read_dumped_libraries(payload);  // with a trailer, if there is one
  slotcar::storage::seal_payload(payload);
  const auto texts = slotcar::eval::read_dumped_libraries(payload);
  if (!texts) return 0;
  Interpreter interpreter({.memory_max = 16u << 20});
  Libraries libraries;
  for (const std::string& text : *texts) {
    auto library = load(interpreter, text);
    if (library == nullptr) {
      libraries.keep_unread(text);
    } else if (!libraries.add(library, replace)) {
      ASSERT(!replace || !libraries.by_name().contains(library->name));
    }
  }
  const std::string dumped = slotcar::eval::dump_libraries(libraries);
  const auto again = slotcar::eval::read_dumped_libraries(dumped);
  ASSERT(again.ok());
  ASSERT(*again == libraries.texts());
  while (!libraries.by_name().empty()) {
    const std::string name = libraries.by_name().begin()->first;
    ASSERT(libraries.remove(name));
    ASSERT(!libraries.by_name().contains(name));
  }
  ASSERT(libraries.functions() == 0);
  return 0;
}
