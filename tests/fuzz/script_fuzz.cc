// Any text as a script or as a library of functions is refused, fails or runs, within its memory
// and until it is stopped, and the next script finds everything unchanged.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/assert.h"
#include "runtime/output.h"
#include "scripting/interpreter.h"

namespace {

using slotcar::scripting::Interpreter;
using slotcar::scripting::Words;

// Replies to each command with its own arguments, and stops after some thousand instructions.
class Echo : public slotcar::scripting::ScriptHost {
 public:
  Ran run(Words words, slotcar::resp::Protocol, std::string_view& reply) override {
    bytes_ = "*" + std::to_string(words.size()) + "\r\n";
    for (const std::string_view word : words) {
      bytes_ += "$" + std::to_string(word.size()) + "\r\n";
      bytes_ += word;
      bytes_ += "\r\n";
    }
    reply = bytes_;
    return ++calls_ > 100 ? Ran::stopped : Ran::replied;
  }
  std::optional<bool> may_run(Words words) override { return words.size() % 2 == 0; }
  void log(int, std::string_view) override {}
  std::string_view stop_reason() override { return ++looks_ > 20 || calls_ > 100 ? "enough" : ""; }

 private:
  int looks_ = 0;
  int calls_ = 0;
  std::string bytes_;
};

std::string run(Interpreter& interpreter, std::string_view text, slotcar::resp::Protocol protocol) {
  slotcar::runtime::Output output;
  slotcar::resp::ReplyWriter reply(output, protocol);
  Echo server;
  if (!interpreter.compile("sha", text).ok()) return {};
  const std::string_view words[] = {"key", "7"};
  interpreter.run(*interpreter.find("sha"), Words(words, 1), Words(words), server, reply);
  interpreter.forget("sha");
  std::string bytes;
  struct iovec piece;
  while (output.vectors(&piece, 1, SIZE_MAX) > 0) {
    bytes.append(static_cast<const char*>(piece.iov_base), piece.iov_len);
    output.consume(piece.iov_len);
  }
  return bytes;
}

constexpr std::string_view kCount =
    "local n = 0 for _, t in ipairs{_G, redis, string, table, math, os, coroutine, cjson, "
    "cmsgpack, "
    "struct, bit} do for k in pairs(t) do n = n + 1 end end return n + cjson.encode_max_depth()";

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  Interpreter interpreter({.memory_max = 16u << 20});
  const auto protocol =
      data[0] & 1 ? slotcar::resp::Protocol::resp3 : slotcar::resp::Protocol::resp2;
  run(interpreter, text, protocol);
  if (data[0] & 2) {
    Echo server;
    const auto library = interpreter.load_library(text, server);
    if (library.ok()) {
      slotcar::runtime::Output output;
      slotcar::resp::ReplyWriter reply(output, protocol);
      interpreter.run_function(library->functions[0], {}, {}, server, reply);
      interpreter.drop_library(*library);
    }
  }
  // Every shared table still has its contents, and no more.
  Interpreter fresh;
  ASSERT(run(interpreter, kCount, protocol) == run(fresh, kCount, protocol));
  return 0;
}
