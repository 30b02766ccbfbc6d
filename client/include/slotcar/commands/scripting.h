// Typed calls of the group scripting. Written by client/generator/generate.py; do not edit.
#pragma once

#include "slotcar/commands/typed.h"

namespace slotcar::client::commands {
enum class FunctionFlushAsync { async, sync };
struct FunctionFlushOptions {
  Given<FunctionFlushAsync> async = {};
};
struct FunctionListOptions {
  std::optional<std::string> libraryname = {};
  bool withcode = false;
};
struct FunctionLoadOptions {
  bool replace = false;
};
enum class FunctionRestorePolicy { flush, append, replace };
struct FunctionRestoreOptions {
  Given<FunctionRestorePolicy> policy = {};
};
enum class ScriptDebugMode { yes, sync, no };
enum class ScriptFlushAsync { async, sync };
struct ScriptFlushOptions {
  Given<ScriptFlushAsync> async = {};
};
namespace requests {
Request eval(const Argument& script, const Arguments& keys, const Arguments& args);
Request eval_ro(const Argument& script, const Arguments& keys, const Arguments& args);
Request evalsha(const Argument& sha1, const Arguments& keys, const Arguments& args);
Request evalsha_ro(const Argument& sha1, const Arguments& keys, const Arguments& args);
Request fcall(const Argument& function, const Arguments& keys, const Arguments& args);
Request fcall_ro(const Argument& function, const Arguments& keys, const Arguments& args);
Request function_delete(const Argument& library_name);
Request function_dump();
Request function_flush(const FunctionFlushOptions& options);
Request function_help();
Request function_kill();
Request function_list(const FunctionListOptions& options);
Request function_load(const Argument& function_code, const FunctionLoadOptions& options);
Request function_restore(const Argument& serialized_value, const FunctionRestoreOptions& options);
Request function_stats();
Request script_debug(ScriptDebugMode mode);
Request script_exists(const Arguments& sha1s);
Request script_flush(const ScriptFlushOptions& options);
Request script_help();
Request script_kill();
Request script_load(const Argument& script);
Request script_show(const Argument& sha1);
}  // namespace requests

template <class R = Reply>
Typed<R> eval(const Argument& script, const Arguments& keys = {}, const Arguments& args = {}) {
  return Typed<R>{requests::eval(script, keys, args)};
}
template <class R = Reply>
Typed<R> eval_ro(const Argument& script, const Arguments& keys = {}, const Arguments& args = {}) {
  return Typed<R>{requests::eval_ro(script, keys, args)};
}
template <class R = Reply>
Typed<R> evalsha(const Argument& sha1, const Arguments& keys = {}, const Arguments& args = {}) {
  return Typed<R>{requests::evalsha(sha1, keys, args)};
}
template <class R = Reply>
Typed<R> evalsha_ro(const Argument& sha1, const Arguments& keys = {}, const Arguments& args = {}) {
  return Typed<R>{requests::evalsha_ro(sha1, keys, args)};
}
template <class R = Reply>
Typed<R> fcall(const Argument& function, const Arguments& keys = {}, const Arguments& args = {}) {
  return Typed<R>{requests::fcall(function, keys, args)};
}
template <class R = Reply>
Typed<R> fcall_ro(const Argument& function, const Arguments& keys = {},
                  const Arguments& args = {}) {
  return Typed<R>{requests::fcall_ro(function, keys, args)};
}
template <class R = void>
Typed<R> function_delete(const Argument& library_name) {
  return Typed<R>{requests::function_delete(library_name)};
}
template <class R = std::string>
Typed<R> function_dump() {
  return Typed<R>{requests::function_dump()};
}
template <class R = void>
Typed<R> function_flush(const FunctionFlushOptions& options = {}) {
  return Typed<R>{requests::function_flush(options)};
}
template <class R = std::vector<std::string>>
Typed<R> function_help() {
  return Typed<R>{requests::function_help()};
}
template <class R = Reply>
Typed<R> function_kill() {
  return Typed<R>{requests::function_kill()};
}
template <class R = Reply>
Typed<R> function_list(const FunctionListOptions& options = {}) {
  return Typed<R>{requests::function_list(options)};
}
template <class R = std::string>
Typed<R> function_load(const Argument& function_code, const FunctionLoadOptions& options = {}) {
  return Typed<R>{requests::function_load(function_code, options)};
}
template <class R = void>
Typed<R> function_restore(const Argument& serialized_value,
                          const FunctionRestoreOptions& options = {}) {
  return Typed<R>{requests::function_restore(serialized_value, options)};
}
template <class R = Reply>
Typed<R> function_stats() {
  return Typed<R>{requests::function_stats()};
}
template <class R = Reply>
Typed<R> script_debug(ScriptDebugMode mode) {
  return Typed<R>{requests::script_debug(mode)};
}
template <class R = std::vector<bool>>
Typed<R> script_exists(const Arguments& sha1s) {
  return Typed<R>{requests::script_exists(sha1s)};
}
template <class R = void>
Typed<R> script_flush(const ScriptFlushOptions& options = {}) {
  return Typed<R>{requests::script_flush(options)};
}
template <class R = std::vector<std::string>>
Typed<R> script_help() {
  return Typed<R>{requests::script_help()};
}
template <class R = Reply>
Typed<R> script_kill() {
  return Typed<R>{requests::script_kill()};
}
template <class R = std::string>
Typed<R> script_load(const Argument& script) {
  return Typed<R>{requests::script_load(script)};
}
template <class R = Reply>
Typed<R> script_show(const Argument& sha1) {
  return Typed<R>{requests::script_show(sha1)};
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
