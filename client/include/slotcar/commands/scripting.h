// Typed calls of the group scripting. Written by client/generator/generate.py; do not edit.
#pragma once

#include "slotcar/commands/typed.h"

namespace slotcar::client::commands {
enum class FunctionFlushAsync { async, sync };
constexpr std::string_view text_of(FunctionFlushAsync word) {
  constexpr std::string_view kTexts[] = {"ASYNC", "SYNC"};
  return kTexts[static_cast<int>(word)];
}
struct FunctionFlushOptions {
  std::optional<FunctionFlushAsync> async = {};
};
struct FunctionListOptions {
  std::optional<std::string> libraryname = {};
  bool withcode = false;
};
struct FunctionLoadOptions {
  bool replace = false;
};
enum class FunctionRestorePolicy { flush, append, replace };
constexpr std::string_view text_of(FunctionRestorePolicy word) {
  constexpr std::string_view kTexts[] = {"FLUSH", "APPEND", "REPLACE"};
  return kTexts[static_cast<int>(word)];
}
struct FunctionRestoreOptions {
  std::optional<FunctionRestorePolicy> policy = {};
};
enum class ScriptDebugMode { yes, sync, no };
constexpr std::string_view text_of(ScriptDebugMode word) {
  constexpr std::string_view kTexts[] = {"YES", "SYNC", "NO"};
  return kTexts[static_cast<int>(word)];
}
enum class ScriptFlushAsync { async, sync };
constexpr std::string_view text_of(ScriptFlushAsync word) {
  constexpr std::string_view kTexts[] = {"ASYNC", "SYNC"};
  return kTexts[static_cast<int>(word)];
}
struct ScriptFlushOptions {
  std::optional<ScriptFlushAsync> async = {};
};
template <class R = Reply>
Typed<R> eval(const Argument& script, const Arguments& keys = {}, const Arguments& args = {}) {
  Request request("EVAL");
  request.arg(script.text());
  request.arg(keys.size());
  keys.add_to(request, As::keys);
  args.add_to(request);
  return Typed<R>(std::move(request));
}
template <class R = Reply>
Typed<R> eval_ro(const Argument& script, const Arguments& keys = {}, const Arguments& args = {}) {
  Request request("EVAL_RO");
  request.arg(script.text());
  request.arg(keys.size());
  keys.add_to(request, As::keys);
  args.add_to(request);
  return Typed<R>(std::move(request));
}
template <class R = Reply>
Typed<R> evalsha(const Argument& sha1, const Arguments& keys = {}, const Arguments& args = {}) {
  Request request("EVALSHA");
  request.arg(sha1.text());
  request.arg(keys.size());
  keys.add_to(request, As::keys);
  args.add_to(request);
  return Typed<R>(std::move(request));
}
template <class R = Reply>
Typed<R> evalsha_ro(const Argument& sha1, const Arguments& keys = {}, const Arguments& args = {}) {
  Request request("EVALSHA_RO");
  request.arg(sha1.text());
  request.arg(keys.size());
  keys.add_to(request, As::keys);
  args.add_to(request);
  return Typed<R>(std::move(request));
}
template <class R = Reply>
Typed<R> fcall(const Argument& function, const Arguments& keys = {}, const Arguments& args = {}) {
  Request request("FCALL");
  request.arg(function.text());
  request.arg(keys.size());
  keys.add_to(request, As::keys);
  args.add_to(request);
  return Typed<R>(std::move(request));
}
template <class R = Reply>
Typed<R> fcall_ro(const Argument& function, const Arguments& keys = {},
                  const Arguments& args = {}) {
  Request request("FCALL_RO");
  request.arg(function.text());
  request.arg(keys.size());
  keys.add_to(request, As::keys);
  args.add_to(request);
  return Typed<R>(std::move(request));
}
template <class R = void>
Typed<R> function_delete(const Argument& library_name) {
  Request request("FUNCTION");
  request.arg("DELETE");
  request.arg(library_name.text());
  return Typed<R>(std::move(request));
}
template <class R = std::string>
Typed<R> function_dump() {
  Request request("FUNCTION");
  request.arg("DUMP");
  return Typed<R>(std::move(request));
}
template <class R = void>
Typed<R> function_flush(const FunctionFlushOptions& options = {}) {
  Request request("FUNCTION");
  request.arg("FLUSH");
  if (options.async) request.arg(text_of(*options.async));
  return Typed<R>(std::move(request));
}
template <class R = std::vector<std::string>>
Typed<R> function_help() {
  Request request("FUNCTION");
  request.arg("HELP");
  return Typed<R>(std::move(request));
}
template <class R = Reply>
Typed<R> function_kill() {
  Request request("FUNCTION");
  request.arg("KILL");
  return Typed<R>(std::move(request));
}
template <class R = Reply>
Typed<R> function_list(const FunctionListOptions& options = {}) {
  Request request("FUNCTION");
  request.arg("LIST");
  if (options.libraryname) request.arg("LIBRARYNAME").arg((*options.libraryname));
  if (options.withcode) request.arg("WITHCODE");
  return Typed<R>(std::move(request));
}
template <class R = std::string>
Typed<R> function_load(const Argument& function_code, const FunctionLoadOptions& options = {}) {
  Request request("FUNCTION");
  request.arg("LOAD");
  if (options.replace) request.arg("REPLACE");
  request.arg(function_code.text());
  return Typed<R>(std::move(request));
}
template <class R = void>
Typed<R> function_restore(const Argument& serialized_value,
                          const FunctionRestoreOptions& options = {}) {
  Request request("FUNCTION");
  request.arg("RESTORE");
  request.arg(serialized_value.text());
  if (options.policy) request.arg(text_of(*options.policy));
  return Typed<R>(std::move(request));
}
template <class R = Reply>
Typed<R> function_stats() {
  Request request("FUNCTION");
  request.arg("STATS");
  return Typed<R>(std::move(request));
}
template <class R = Reply>
Typed<R> script_debug(ScriptDebugMode mode) {
  Request request("SCRIPT");
  request.arg("DEBUG");
  request.arg(text_of(mode));
  return Typed<R>(std::move(request));
}
template <class R = std::vector<bool>>
Typed<R> script_exists(const Arguments& sha1s) {
  Request request("SCRIPT");
  request.arg("EXISTS");
  sha1s.add_to(request);
  return Typed<R>(std::move(request));
}
template <class R = void>
Typed<R> script_flush(const ScriptFlushOptions& options = {}) {
  Request request("SCRIPT");
  request.arg("FLUSH");
  if (options.async) request.arg(text_of(*options.async));
  return Typed<R>(std::move(request));
}
template <class R = std::vector<std::string>>
Typed<R> script_help() {
  Request request("SCRIPT");
  request.arg("HELP");
  return Typed<R>(std::move(request));
}
template <class R = Reply>
Typed<R> script_kill() {
  Request request("SCRIPT");
  request.arg("KILL");
  return Typed<R>(std::move(request));
}
template <class R = std::string>
Typed<R> script_load(const Argument& script) {
  Request request("SCRIPT");
  request.arg("LOAD");
  request.arg(script.text());
  return Typed<R>(std::move(request));
}
template <class R = Reply>
Typed<R> script_show(const Argument& sha1) {
  Request request("SCRIPT");
  request.arg("SHOW");
  request.arg(sha1.text());
  return Typed<R>(std::move(request));
}
template <class Self>
class ScriptingCommands {
 public:
  template <class R = Reply>
  auto eval(const Argument& script, const Arguments& keys = {}, const Arguments& args = {}) {
    return self().send(commands::eval<R>(script, keys, args));
  }
  template <class R = Reply>
  auto eval_ro(const Argument& script, const Arguments& keys = {}, const Arguments& args = {}) {
    return self().send(commands::eval_ro<R>(script, keys, args));
  }
  template <class R = Reply>
  auto evalsha(const Argument& sha1, const Arguments& keys = {}, const Arguments& args = {}) {
    return self().send(commands::evalsha<R>(sha1, keys, args));
  }
  template <class R = Reply>
  auto evalsha_ro(const Argument& sha1, const Arguments& keys = {}, const Arguments& args = {}) {
    return self().send(commands::evalsha_ro<R>(sha1, keys, args));
  }
  template <class R = Reply>
  auto fcall(const Argument& function, const Arguments& keys = {}, const Arguments& args = {}) {
    return self().send(commands::fcall<R>(function, keys, args));
  }
  template <class R = Reply>
  auto fcall_ro(const Argument& function, const Arguments& keys = {}, const Arguments& args = {}) {
    return self().send(commands::fcall_ro<R>(function, keys, args));
  }
  template <class R = void>
  auto function_delete(const Argument& library_name) {
    return self().send(commands::function_delete<R>(library_name));
  }
  template <class R = std::string>
  auto function_dump() {
    return self().send(commands::function_dump<R>());
  }
  template <class R = void>
  auto function_flush(const FunctionFlushOptions& options = {}) {
    return self().send(commands::function_flush<R>(options));
  }
  template <class R = std::vector<std::string>>
  auto function_help() {
    return self().send(commands::function_help<R>());
  }
  template <class R = Reply>
  auto function_kill() {
    return self().send(commands::function_kill<R>());
  }
  template <class R = Reply>
  auto function_list(const FunctionListOptions& options = {}) {
    return self().send(commands::function_list<R>(options));
  }
  template <class R = std::string>
  auto function_load(const Argument& function_code, const FunctionLoadOptions& options = {}) {
    return self().send(commands::function_load<R>(function_code, options));
  }
  template <class R = void>
  auto function_restore(const Argument& serialized_value,
                        const FunctionRestoreOptions& options = {}) {
    return self().send(commands::function_restore<R>(serialized_value, options));
  }
  template <class R = Reply>
  auto function_stats() {
    return self().send(commands::function_stats<R>());
  }
  template <class R = Reply>
  auto script_debug(ScriptDebugMode mode) {
    return self().send(commands::script_debug<R>(mode));
  }
  template <class R = std::vector<bool>>
  auto script_exists(const Arguments& sha1s) {
    return self().send(commands::script_exists<R>(sha1s));
  }
  template <class R = void>
  auto script_flush(const ScriptFlushOptions& options = {}) {
    return self().send(commands::script_flush<R>(options));
  }
  template <class R = std::vector<std::string>>
  auto script_help() {
    return self().send(commands::script_help<R>());
  }
  template <class R = Reply>
  auto script_kill() {
    return self().send(commands::script_kill<R>());
  }
  template <class R = std::string>
  auto script_load(const Argument& script) {
    return self().send(commands::script_load<R>(script));
  }
  template <class R = Reply>
  auto script_show(const Argument& sha1) {
    return self().send(commands::script_show<R>(sha1));
  }

 private:
  Self& self() { return static_cast<Self&>(*this); }
};
}  // namespace slotcar::client::commands
