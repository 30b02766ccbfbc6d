// redis (and server): how a script asks the server for something.
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

#include "base/sha1.h"
#include "scripting/error_table.h"
#include "scripting/interpreter.h"
#include "scripting/library/libraries.h"
#include "scripting/library/register_function.h"
#include "scripting/reply_to_lua.h"

namespace slotcar::scripting {
namespace {

ScriptHost& host(lua_State* lua, const Interpreter& interpreter, const char* name) {
  ScriptHost* const host = interpreter.host();
  if (host == nullptr) [[unlikely]] {
    raise_error_table(lua, std::string(name) + " can only be called inside a script invocation");
  }
  return *host;
}
ScriptHost& host(lua_State* lua, const char* name) {
  return host(lua, Interpreter::of(lua), name);
}

constexpr std::size_t kDigitsMax = 32;  // of one number

// As %.17g prints it: all its digits, which Lua's own conversion cuts.
std::size_t print_number(double number, char* digits) {
  constexpr double kExact = 1e15;  // whole numbers below are printed without an exponent
  if (number > -kExact && number < kExact && number != 0) {
    const auto whole = static_cast<std::int64_t>(number);
    if (static_cast<double>(whole) == number) {
      return static_cast<std::size_t>(std::to_chars(digits, digits + kDigitsMax, whole).ptr -
                                      digits);
    }
  }
  return static_cast<std::size_t>(std::snprintf(digits, kDigitsMax, "%.17g", number));
}

// Reads the arguments of redis.call. False: an error table is on the stack, and only that.
bool read_words(lua_State* lua, CallBuffer& buffer) {
  const int count = lua_gettop(lua);
  buffer.words.clear();
  buffer.digits.clear();
  if (count == 0) {
    push_error_table(lua, "Please specify at least one argument for this redis lib call");
    return false;
  }
  for (int i = 1; i <= count; ++i) {
    const int type = lua_type(lua, i);
    if (type == LUA_TNUMBER) {
      // Reserved for all of them, so that the digits do not move.
      buffer.digits.reserve(static_cast<std::size_t>(count) * kDigitsMax);
      char digits[kDigitsMax];
      const std::size_t size = print_number(lua_tonumber(lua, i), digits);
      buffer.words.emplace_back(buffer.digits.data() + buffer.digits.size(), size);
      buffer.digits.append(digits, size);
    } else if (type == LUA_TSTRING) {
      buffer.words.push_back(text_at(lua, i));
    } else {
      lua_settop(lua, 0);
      push_error_table(lua, "Lua redis lib command arguments must be strings or integers");
      return false;
    }
  }
  return true;
}

int run_command(lua_State* lua, bool raise) {
  Interpreter& interpreter = Interpreter::of(lua);
  ScriptHost& server = host(lua, interpreter, "redis.call/pcall");
  CallBuffer& buffer = interpreter.call_buffer();
  if (!read_words(lua, buffer)) return raise ? lua_error(lua) : 1;
  std::string_view reply;
  const auto ran = server.run(buffer.words, interpreter.protocol(), reply);
  if (ran == ScriptHost::Ran::stopped) interpreter.stop(lua, server.stop_reason());
  lua_settop(lua, 0);
  push_reply(lua, reply);
  if (raise && reply.starts_with('-')) return lua_error(lua);
  return 1;
}

int call(lua_State* lua) {
  return run_command(lua, true);
}

int pcall(lua_State* lua) {
  return run_command(lua, false);
}

int sha1hex(lua_State* lua) {
  if (lua_gettop(lua) != 1) return raise_error_table(lua, "wrong number of arguments");
  std::size_t size = 0;
  const char* const text = lua_tolstring(lua, 1, &size);
  constexpr std::size_t kAsMuchAsBytes = 8;  // a byte takes longer than to copy one
  Interpreter::of(lua).count_bytes(lua, size * kAsMuchAsBytes);
  push(lua, base::sha1_hex({text, size}));
  return 1;
}

bool is_one_text(lua_State* lua) {
  if (lua_gettop(lua) == 1 && lua_type(lua, 1) == LUA_TSTRING) return true;
  push_error_table(lua, "wrong number or type of arguments");
  return false;
}

int error_reply(lua_State* lua) {
  if (!is_one_text(lua)) return 1;
  std::string text(lua_tostring(lua, 1));
  if (!text.starts_with('-')) text.insert(0, 1, '-');
  push_error_table(lua, text);
  return 1;
}

int status_reply(lua_State* lua) {
  if (!is_one_text(lua)) return 1;
  lua_newtable(lua);
  lua_pushvalue(lua, 1);
  lua_setfield(lua, -2, "ok");
  return 1;
}

int log(lua_State* lua) {
  const int count = lua_gettop(lua);
  if (count < 2) return raise_error_table(lua, "redis.log() requires two arguments or more.");
  if (!lua_isnumber(lua, 1)) {
    return raise_error_table(lua, "First argument must be a number (log level).");
  }
  const auto level = static_cast<int>(lua_tonumber(lua, 1));
  if (level < 0 || level > 3) return raise_error_table(lua, "Invalid debug level.");
  std::string text;
  for (int i = 2; i <= count; ++i) {
    if (!lua_isstring(lua, i)) continue;
    if (i > 2) text += ' ';
    text += text_at(lua, i);
  }
  if (ScriptHost* const host = Interpreter::of(lua).log_host()) host->log(level, text);
  return 0;
}

int setresp(lua_State* lua) {
  host(lua, "redis.setresp");
  if (lua_gettop(lua) != 1) return raise_error_table(lua, "redis.setresp() requires one argument.");
  const double version = lua_tonumber(lua, 1);
  if (version != 2 && version != 3) return raise_error_table(lua, "RESP version must be 2 or 3.");
  Interpreter::of(lua).set_protocol(version == 3 ? resp::Protocol::resp3 : resp::Protocol::resp2);
  return 0;
}

// Accepted and without effect: what a script changes is always logged.
int set_repl(lua_State* lua) {
  host(lua, "redis.set_repl");
  if (lua_gettop(lua) != 1) {
    return raise_error_table(lua, "redis.set_repl() requires two arguments.");
  }
  if ((static_cast<int>(lua_tonumber(lua, 1)) & ~3) != 0) {
    return raise_error_table(
        lua, "Invalid replication flags. Use REPL_AOF, REPL_REPLICA, REPL_ALL or REPL_NONE.");
  }
  return 0;
}

int replicate_commands(lua_State* lua) {
  lua_pushboolean(lua, 1);
  return 1;
}

// There is no debugger.
int breakpoint(lua_State* lua) {
  lua_pushboolean(lua, 0);
  return 1;
}

int debug(lua_State*) {
  return 0;
}

int acl_check_cmd(lua_State* lua) {
  ScriptHost& server = host(lua, "redis.acl_check_cmd");
  CallBuffer& buffer = Interpreter::of(lua).call_buffer();
  if (!read_words(lua, buffer)) return lua_error(lua);
  const auto allowed = server.may_run(buffer.words);
  if (!allowed) {
    return raise_error_table(lua, "Invalid command passed to redis.acl_check_cmd()");
  }
  lua_pushboolean(lua, *allowed);
  return 1;
}

constexpr luaL_Reg kFunctions[] = {{"call", call},
                                   {"pcall", pcall},
                                   {"sha1hex", sha1hex},
                                   {"error_reply", error_reply},
                                   {"status_reply", status_reply},
                                   {"log", log},
                                   {"setresp", setresp},
                                   {"set_repl", set_repl},
                                   {"acl_check_cmd", acl_check_cmd},
                                   {nullptr, nullptr}};
constexpr luaL_Reg kEvalFunctions[] = {{"replicate_commands", replicate_commands},
                                       {"breakpoint", breakpoint},
                                       {"debug", debug},
                                       {nullptr, nullptr}};
constexpr luaL_Reg kLoadFunctions[] = {
    {"log", log}, {"register_function", register_function}, {nullptr, nullptr}};

struct Number {
  const char* name;
  int value;
};
constexpr Number kLogLevels[] = {
    {"LOG_DEBUG", 0}, {"LOG_VERBOSE", 1}, {"LOG_NOTICE", 2}, {"LOG_WARNING", 3}};
constexpr Number kReplication[] = {
    {"REPL_NONE", 0}, {"REPL_AOF", 1}, {"REPL_SLAVE", 2}, {"REPL_REPLICA", 2}, {"REPL_ALL", 3}};

template <std::size_t kCount>
void set_numbers(lua_State* lua, const Number (&numbers)[kCount]) {
  for (const Number& number : numbers) {
    lua_pushnumber(lua, number.value);
    lua_setfield(lua, -2, number.name);
  }
}

void set_version(lua_State* lua, const char* text_name, const char* number_name,
                 std::string_view version) {
  push(lua, version);
  lua_setfield(lua, -2, text_name);
  int parts[3] = {};
  std::sscanf(std::string(version).c_str(), "%d.%d.%d", &parts[0], &parts[1], &parts[2]);
  lua_pushnumber(lua, parts[0] << 16 | parts[1] << 8 | parts[2]);
  lua_setfield(lua, -2, number_name);
}

void set_versions(lua_State* lua) {
  const Interpreter::Options& options = Interpreter::of(lua).options();
  set_version(lua, "REDIS_VERSION", "REDIS_VERSION_NUM", options.redis_version);
  set_version(lua, "SERVER_VERSION", "SERVER_VERSION_NUM", options.server_version);
  push(lua, options.server_name);
  lua_setfield(lua, -2, "SERVER_NAME");
}

}  // namespace

void push_redis_library(lua_State* lua, RedisApi api) {
  lua_newtable(lua);
  set_numbers(lua, kLogLevels);
  set_versions(lua);
  if (api == RedisApi::load) return luaL_register(lua, nullptr, kLoadFunctions);
  luaL_register(lua, nullptr, kFunctions);
  set_numbers(lua, kReplication);
  if (api == RedisApi::eval) luaL_register(lua, nullptr, kEvalFunctions);
}

}  // namespace slotcar::scripting
