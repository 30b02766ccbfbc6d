// Libraries of functions: loading, registering, calling.
#include <gtest/gtest.h>

#include "scripting/interpreter.h"
#include "scripting/testing/test_host.h"

namespace slotcar::scripting {
namespace {

struct Loaded : TestInterpreter {
  std::string problem_of(std::string_view body) {
    const auto library = interpreter.load_library(body, host);
    return library.ok() ? "none" : library.error().message;
  }
  std::string call(const Function& function, std::vector<std::string_view> keys = {},
                   std::vector<std::string_view> arguments = {}) {
    runtime::Output output;
    resp::ReplyWriter reply(output, resp::Protocol::resp2);
    interpreter.run_function(function, keys, arguments, host, reply);
    return bytes_of(output);
  }
};

TEST(Library, RegistersFunctionsInBothForms) {
  Loaded lua;
  const auto library = lua.interpreter.load_library(
      "redis.register_function('one', function(keys, args) return keys[1] .. args[1] end)\n"
      "redis.register_function{function_name='two', callback=function() return #KEYS end, "
      "flags={'no-writes', 'allow-stale'}, description='counts'}",
      lua.host);
  ASSERT_TRUE(library.ok()) << library.error().message;
  ASSERT_EQ(library->functions.size(), 2u);
  EXPECT_EQ(lua.call(library->functions[0], {"k"}, {"a"}), "$2\r\nka\r\n");
  EXPECT_EQ(library->functions[1].description, "counts");
  EXPECT_TRUE(library->functions[1].flags.has(ScriptFlag::no_writes));
  EXPECT_EQ(lua.call(library->functions[1]),
            "-ERR user_function:2: Script attempted to access nonexistent global variable 'KEYS' "
            "script: two, on @user_function:2.\r\n");
  lua.interpreter.drop_library(*library);
}

// What a library sees while it is loaded is `redis` without call; its functions see the rest.
TEST(Library, SeesOtherGlobalsWhileItIsLoaded) {
  Loaded lua;
  const std::string nonexistent =
      "ERR Error registering functions: ERR user_function:1: Script attempted to access "
      "nonexistent global variable ";
  EXPECT_EQ(lua.problem_of("redis.call('get', 'x')"), nonexistent + "'call'");
  EXPECT_EQ(lua.problem_of("return math.random()"), nonexistent + "'math'");
  EXPECT_EQ(lua.problem_of("x = 1"),
            "ERR Error registering functions: ERR user_function:1: Attempt to modify a readonly "
            "table");
  lua.host.replies = {{"ping", "+PONG\r\n"}};
  const auto library = lua.interpreter.load_library(
      "redis.register_function('f', function() return {math.abs(-1), redis.call('ping'), "
      "loadstring('return redis.breakpoint == nil')()} end)",
      lua.host);
  ASSERT_TRUE(library.ok()) << library.error().message;
  EXPECT_EQ(lua.call(library->functions[0]), "*3\r\n:1\r\n+PONG\r\n:1\r\n");
}

TEST(Library, RefusesWhatRedisRefuses) {
  Loaded lua;
  const std::string registering = "ERR Error registering functions: ERR ";
  EXPECT_EQ(lua.problem_of("x"),
            "ERR Error compiling function: user_function:1: '=' expected near '<eof>'");
  EXPECT_EQ(lua.problem_of("return 1"), "ERR No functions registered");
  EXPECT_EQ(lua.problem_of("redis.register_function()"),
            registering + "wrong number of arguments to redis.register_function");
  EXPECT_EQ(lua.problem_of("redis.register_function('x', 1)"),
            registering + "second argument to redis.register_function must be a function");
  EXPECT_EQ(lua.problem_of("redis.register_function('x')"),
            registering +
                "calling redis.register_function with a single argument is only applicable to Lua "
                "table (representing named arguments).");
  EXPECT_EQ(lua.problem_of("redis.register_function{function_name='x'}"),
            registering + "redis.register_function must get a callback argument");
  EXPECT_EQ(lua.problem_of("redis.register_function{callback=function() end}"),
            registering + "redis.register_function must get a function name argument");
  EXPECT_EQ(lua.problem_of("redis.register_function{1, 2}"),
            registering + "unknown argument given to redis.register_function");
  EXPECT_EQ(lua.problem_of("redis.register_function{function_name='x', callback=function() end, "
                           "flags={'q'}}"),
            registering + "unknown flag given");
  EXPECT_EQ(lua.problem_of("redis.register_function('x', function() end) "
                           "redis.register_function('x', function() end)"),
            registering + "Function already exists in the library");
  EXPECT_EQ(lua.problem_of("redis.register_function('x-', function() end)"),
            registering +
                "Library names can only contain letters, numbers, or underscores(_) and must be at "
                "least one character long");
}

TEST(Library, RegistersNothingLater) {
  Loaded lua;
  const auto library = lua.interpreter.load_library(
      "local r = redis redis.register_function('f', function() "
      "return r.register_function('g', function() end) end)",
      lua.host);
  ASSERT_TRUE(library.ok());
  EXPECT_EQ(lua.call(library->functions[0]),
            "-ERR redis.register_function can only be called on FUNCTION LOAD command script: f, "
            "on @user_function:1.\r\n");
}

TEST(Library, LoadingCanBeStopped) {
  Loaded lua;
  lua.host.looks_until_stop = 2;
  EXPECT_EQ(lua.problem_of("while true do end"),
            "ERR Error registering functions: ERR Script killed");
}

TEST(Library, Shebangs) {
  const auto problem = [](std::string_view text) {
    const auto read = read_library_shebang(text);
    return read.ok() ? "none: " + read->name : read.error().message;
  };
  EXPECT_EQ(problem("#!lua name=mylib\nx"), "none: mylib");
  EXPECT_EQ(problem("x"), "ERR Missing library metadata");
  EXPECT_EQ(problem("#!lua name=a"), "ERR Invalid library metadata");
  EXPECT_EQ(problem("#!lua\nx"), "ERR Library name was not given");
  EXPECT_EQ(problem("#!foo name=a\nx"), "ERR Engine 'foo' not found");
  EXPECT_EQ(problem("#!lua name=a b=c\nx"), "ERR Invalid metadata value given: b=c");
  EXPECT_EQ(problem("#!lua name=a name=b\nx"),
            "ERR Invalid metadata value, name argument was given multiple times");
  EXPECT_EQ(problem("#!lua name=\nx"),
            "ERR Library names can only contain letters, numbers, or underscores(_) and must be at "
            "least one character long");
}

}  // namespace
}  // namespace slotcar::scripting
