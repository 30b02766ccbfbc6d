// Runs scripts for tests/diff/scripts.py: on standard input a length, a line end and a text, on
// standard output the length, a line end and the bytes of the reply. There is no server: redis.call
// returns an error.
#include <cstdio>
#include <optional>
#include <string>

#include "base/sha1.h"
#include "runtime/output.h"
#include "scripting/interpreter.h"

namespace {

using slotcar::scripting::Interpreter;
using slotcar::scripting::Words;

class NoServer : public slotcar::scripting::ScriptHost {
 public:
  Ran run(Words, slotcar::resp::Protocol, std::string_view& reply) override {
    reply = "-ERR Unknown Redis command called from script\r\n";
    return Ran::replied;
  }
  std::optional<bool> may_run(Words) override { return std::nullopt; }
  void log(int, std::string_view) override {}
  std::string_view stop_reason() override { return {}; }
};

std::string reply_to(Interpreter& interpreter, NoServer& server, const std::string& text) {
  slotcar::runtime::Output output;
  slotcar::resp::ReplyWriter reply(output, slotcar::resp::Protocol::resp2);
  const std::string sha = slotcar::base::sha1_hex(text);
  const slotcar::Status compiled = interpreter.compile(sha, text);
  if (compiled.ok()) {
    interpreter.run(*interpreter.find(sha), {}, {}, server, reply);
  } else {
    reply.error(compiled.error().message);
  }
  std::string bytes;
  struct iovec piece;
  while (output.vectors(&piece, 1, SIZE_MAX) > 0) {
    bytes.append(static_cast<const char*>(piece.iov_base), piece.iov_len);
    output.consume(piece.iov_len);
  }
  return bytes;
}

}  // namespace

int main() {
  Interpreter interpreter;
  NoServer server;
  std::size_t size = 0;
  while (std::scanf("%zu", &size) == 1 && std::getchar() == '\n') {
    std::string text(size, '\0');
    if (std::fread(text.data(), 1, size, stdin) != size) return 1;
    const std::string reply = reply_to(interpreter, server, text);
    std::printf("%zu\n", reply.size());
    std::fwrite(reply.data(), 1, reply.size(), stdout);
    std::fflush(stdout);
  }
  return 0;
}
