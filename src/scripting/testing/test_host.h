// TestHost: a server for the interpreter's tests. It answers a few commands of its own, and what
// the test has put into `replies`.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/output.h"
#include "scripting/interpreter.h"

namespace slotcar::scripting {

class TestHost : public ScriptHost {
 public:
  Ran run(Words words, resp::Protocol protocol, std::string_view& reply) override {
    std::string line(words[0]);
    for (const std::string_view word : words.subspan(1)) line.append(" ").append(word);
    calls.push_back(line);
    protocols.push_back(protocol);
    if (line == stops_at) {
      reason = "stopped inside";
      return Ran::stopped;
    }
    const auto found = replies.find(line);
    last_reply_ = found != replies.end() ? found->second
                                         : "-ERR Unknown Redis command called from script\r\n";
    reply = last_reply_;
    return Ran::replied;
  }
  std::optional<bool> may_run(Words words) override {
    if (words[0] == "get") return true;
    if (words[0] == "set") return false;
    return std::nullopt;
  }
  void log(int level, std::string_view text) override {
    logged.push_back(std::to_string(level) + " " + std::string(text));
  }
  std::string_view stop_reason() override {
    if (looks_until_stop > 0 && --looks_until_stop == 0) reason = "Script killed";
    return reason;
  }

  std::map<std::string, std::string> replies;
  std::string stops_at;
  std::string reason;
  int looks_until_stop = 0;  // 0: never
  std::vector<std::string> calls;
  std::vector<resp::Protocol> protocols;
  std::vector<std::string> logged;

 private:
  std::string last_reply_;
};

// The bytes of an output.
inline std::string bytes_of(runtime::Output& output) {
  std::string bytes;
  struct iovec pieces[64];
  while (!output.empty()) {
    const std::size_t count = output.vectors(pieces, 64, SIZE_MAX);
    std::size_t size = 0;
    for (std::size_t i = 0; i < count; ++i) {
      bytes.append(static_cast<const char*>(pieces[i].iov_base), pieces[i].iov_len);
      size += pieces[i].iov_len;
    }
    output.consume(size);
  }
  return bytes;
}

// An interpreter and its server.
struct TestInterpreter {
  TestInterpreter() = default;
  explicit TestInterpreter(std::size_t memory_max) : interpreter({.memory_max = memory_max}) {}

  // The reply to a script, or the error of its text. The script's SHA is "sha" and a number.
  std::string eval(std::string_view text, std::vector<std::string_view> keys = {},
                   std::vector<std::string_view> arguments = {},
                   resp::Protocol protocol = resp::Protocol::resp2) {
    const std::string sha = "sha" + std::to_string(++scripts);
    const auto shebang = read_eval_shebang(text);
    if (!shebang.ok()) return "-" + shebang.error().message + "\r\n";
    const Status compiled = interpreter.compile(sha, shebang->body);
    if (!compiled.ok()) return "-" + compiled.error().message + "\r\n";
    runtime::Output output;
    resp::ReplyWriter reply(output, protocol);
    ended = interpreter.run(*interpreter.find(sha), keys, arguments, host, reply);
    interpreter.forget(sha);
    return bytes_of(output);
  }
  std::string eval3(std::string_view text) { return eval(text, {}, {}, resp::Protocol::resp3); }
  // The text of an error, without what names the script and the line.
  std::string error_of(std::string_view text) {
    const std::string reply = eval(text);
    if (!reply.starts_with('-')) return "no error: " + reply;
    return reply.substr(1, reply.find(" script: ") == std::string::npos
                               ? reply.size() - 3
                               : reply.find(" script: ") - 1);
  }

  Interpreter interpreter;
  TestHost host;
  Interpreter::Ended ended;
  int scripts = 0;
};

}  // namespace slotcar::scripting
