// Scripts: what they see, what they return, how they fail.
#include "scripting/interpreter.h"

#include <gtest/gtest.h>

#include "scripting/testing/test_host.h"

namespace slotcar::scripting {
namespace {

TEST(Interpreter, AnswersWithWhatAScriptReturns) {
  TestInterpreter lua;
  EXPECT_EQ(lua.eval("return 3.99"), ":3\r\n");
  EXPECT_EQ(lua.eval("return 'text'"), "$4\r\ntext\r\n");
  EXPECT_EQ(lua.eval("return {1, 'a', {2}, nil, 3}"), "*3\r\n:1\r\n$1\r\na\r\n*1\r\n:2\r\n");
  EXPECT_EQ(lua.eval("return true"), ":1\r\n");
  EXPECT_EQ(lua.eval("return false"), "$-1\r\n");
  EXPECT_EQ(lua.eval("return nil"), "$-1\r\n");
  EXPECT_EQ(lua.eval("return function() end"), "$-1\r\n");
  EXPECT_EQ(lua.eval("return 1e308"), ":-9223372036854775808\r\n");
  EXPECT_EQ(lua.eval("return 0/0"), ":-9223372036854775808\r\n");
  EXPECT_EQ(lua.eval("return {ok='fine'}"), "+fine\r\n");
  EXPECT_EQ(lua.eval("return {err='MY problem'}"), "-MY problem\r\n");
  EXPECT_EQ(lua.eval("return redis.status_reply('PONG')"), "+PONG\r\n");
  EXPECT_EQ(lua.eval("return {redis.error_reply('X Y'), 1}"), "*2\r\n-X Y\r\n:1\r\n");
}

TEST(Interpreter, AnswersTypesOfResp3InTheProtocolOfTheCaller) {
  TestInterpreter lua;
  EXPECT_EQ(lua.eval("return {double=3.5}"), "$3\r\n3.5\r\n");
  EXPECT_EQ(lua.eval3("return {double=3.5}"), ",3.5\r\n");
  EXPECT_EQ(lua.eval("return {map={a=1}}"), "*2\r\n$1\r\na\r\n:1\r\n");
  EXPECT_EQ(lua.eval3("return {map={a=1}}"), "%1\r\n$1\r\na\r\n:1\r\n");
  EXPECT_EQ(lua.eval3("return {set={a=true}}"), "~1\r\n$1\r\na\r\n");
  EXPECT_EQ(lua.eval3("return {big_number='12\\r\\n3'}"), "(12  3\r\n");
  EXPECT_EQ(lua.eval3("return {verbatim_string={format='txt', string='a\\r\\nb'}}"),
            "=8\r\ntxt:a\r\nb\r\n");
  EXPECT_EQ(lua.eval3("return {verbatim_string={format='t', string='x'}}"), "=5\r\nt  :x\r\n");
  EXPECT_EQ(lua.eval3("return {verbatim_string={format='a\\r\\n', string='x'}}"),
            "=5\r\na\r\n:x\r\n");
  EXPECT_EQ(lua.eval3("return false"), "_\r\n");
  EXPECT_EQ(lua.eval3("redis.setresp(3) return false"), "#f\r\n");
  EXPECT_EQ(lua.eval("redis.setresp(3) return false"), ":0\r\n");
}

TEST(Interpreter, GivesKeysAndArguments) {
  TestInterpreter lua;
  EXPECT_EQ(lua.eval("return {#KEYS, KEYS[1], ARGV[2]}", {"k"}, {"a", "b"}),
            "*3\r\n:1\r\n$1\r\nk\r\n$1\r\nb\r\n");
  EXPECT_EQ(lua.eval("KEYS[1] = 'x' return KEYS"), "*1\r\n$1\r\nx\r\n");
  EXPECT_EQ(lua.eval("return #KEYS"), ":0\r\n");
}

TEST(Interpreter, RunsCommandsAndConvertsTheirReplies) {
  TestInterpreter lua;
  lua.host.replies = {{"get k", "$1\r\nv\r\n"},
                      {"null", "$-1\r\n"},
                      {"nullarray", "*-1\r\n"},
                      {"set k 1.1000000000000001", "+OK\r\n"},
                      {"list", "*2\r\n:1\r\n*1\r\n$1\r\na\r\n"},
                      {"map", "%1\r\n+a\r\n:2\r\n"},
                      {"set", "~2\r\n$1\r\na\r\n$1\r\nb\r\n"},
                      {"double", ",1.5\r\n"},
                      {"inf", ",inf\r\n"},
                      {"big", "(123\r\n"},
                      {"attributed", "|1\r\n$1\r\na\r\n*2\r\n:1\r\n:2\r\n$1\r\nx\r\n"},
                      {"verb", "=5\r\ntxt:x\r\n"},
                      {"none", "_\r\n"},
                      {"yes", "#t\r\n"}};
  EXPECT_EQ(lua.eval("return redis.call('get', 'k')"), "$1\r\nv\r\n");
  EXPECT_EQ(lua.eval("return type(redis.call('null'))"), "$7\r\nboolean\r\n");
  EXPECT_EQ(lua.eval("return redis.call('nullarray') == false"), ":1\r\n");
  EXPECT_EQ(lua.eval("return redis.call('set', 'k', 1.1)"), "+OK\r\n");
  EXPECT_EQ(lua.eval("return redis.call('set', 'k', 1.1).ok"), "$2\r\nOK\r\n");
  EXPECT_EQ(lua.eval("return redis.call('list')"), "*2\r\n:1\r\n*1\r\n$1\r\na\r\n");
  EXPECT_EQ(lua.eval("for k, v in pairs(redis.call('map').map) do return {k.ok, v} end"),
            "*2\r\n$1\r\na\r\n:2\r\n");
  EXPECT_EQ(lua.eval("return tostring(redis.call('set').set.b)"), "$4\r\ntrue\r\n");
  EXPECT_EQ(lua.eval("return tostring(redis.call('double').double)"), "$3\r\n1.5\r\n");
  EXPECT_EQ(lua.eval("return tostring(redis.call('inf').double)"), "$3\r\ninf\r\n");
  EXPECT_EQ(lua.eval("return redis.call('big').big_number"), "$3\r\n123\r\n");
  EXPECT_EQ(lua.eval("return redis.call('attributed')"), "$1\r\nx\r\n");
  EXPECT_EQ(lua.eval("local v = redis.call('verb').verbatim_string return v.format .. v.string"),
            "$4\r\ntxtx\r\n");
  EXPECT_EQ(lua.eval("return type(redis.call('none'))"), "$3\r\nnil\r\n");
  EXPECT_EQ(lua.eval("return tostring(redis.call('yes'))"), "$4\r\ntrue\r\n");
}

TEST(Interpreter, AScriptChoosesItsProtocolForItself) {
  TestInterpreter lua;
  lua.host.replies = {{"x", ":1\r\n"}};
  lua.eval("redis.call('x') redis.setresp(3) redis.call('x')");
  lua.eval("redis.call('x')");
  using resp::Protocol;
  EXPECT_EQ(lua.host.protocols, (std::vector{Protocol::resp2, Protocol::resp3, Protocol::resp2}));
}

TEST(Interpreter, ErrorsSayWhere) {
  TestInterpreter lua;
  lua.host.replies = {{"wrong", "-WRONGTYPE kind\r\n"}};
  EXPECT_EQ(lua.eval("\nerror('boom')"),
            "-ERR user_script:2: boom script: sha1, on @user_script:2.\r\n");
  EXPECT_EQ(lua.ended.how, Interpreter::Ended::How::failed);
  EXPECT_FALSE(lua.ended.error_counted);
  EXPECT_EQ(lua.eval("redis.call('wrong')"),
            "-WRONGTYPE kind script: sha2, on @user_script:1.\r\n");
  EXPECT_TRUE(lua.ended.error_counted);
  EXPECT_EQ(lua.eval("return redis.pcall('wrong')"), "-WRONGTYPE kind\r\n");
  EXPECT_TRUE(lua.ended.error_counted);
  EXPECT_EQ(lua.eval("return redis.pcall('wrong').err"), "$14\r\nWRONGTYPE kind\r\n");
  EXPECT_EQ(lua.eval("error({err='MY own'})"), "-MY own script: sha5, on @user_script:1.\r\n");
  EXPECT_EQ(lua.eval("error()"), "-ERR nil script: sha6, on @user_script:1.\r\n");
  EXPECT_EQ(lua.eval("error(true)"), "-ERR true script: sha7, on @user_script:1.\r\n");
  EXPECT_EQ(lua.eval("return x"),
            "-ERR user_script:1: Script attempted to access nonexistent global variable 'x' "
            "script: sha8, on @user_script:1.\r\n");
  EXPECT_EQ(lua.eval("if"),
            "-ERR Error compiling script (new function): user_script:1: unexpected symbol near "
            "'<eof>'\r\n");
  // Redis ends with a failed assertion on these.
  EXPECT_EQ(lua.error_of("error({1})"), "ERR unknown error");
  EXPECT_EQ(lua.error_of("error(setmetatable({err='X y'}, {__index=function() error('n') end}))"),
            "X y");
}

TEST(Interpreter, PcallGivesTheTextOfAnError) {
  TestInterpreter lua;
  EXPECT_EQ(lua.eval("return {pcall(error, 'x')}"), "*2\r\n$-1\r\n$1\r\nx\r\n");
  EXPECT_EQ(lua.eval("local ok, e = pcall(redis.call, 'nothing') return e"),
            "$44\r\nERR Unknown Redis command called from script\r\n");
  EXPECT_EQ(lua.eval("return {xpcall(function() error({err='q'}) end,"
                     " function(e) return e.err end)}"),
            "*2\r\n$-1\r\n$1\r\nq\r\n");
  EXPECT_EQ(lua.eval("return {pcall(function(...) return ... end, 1, 2)}"),
            "*3\r\n:1\r\n:1\r\n:2\r\n");
}

TEST(Interpreter, TheTableRedis) {
  TestInterpreter lua;
  EXPECT_EQ(lua.eval("return redis.sha1hex('')"),
            "$40\r\nda39a3ee5e6b4b0d3255bfef95601890afd80709\r\n");
  EXPECT_EQ(lua.error_of("redis.sha1hex()"), "ERR wrong number of arguments");
  EXPECT_EQ(lua.eval("return redis.error_reply('x')"), "-ERR x\r\n");
  EXPECT_EQ(lua.eval("return redis.error_reply('-x y')"), "-x y\r\n");
  EXPECT_EQ(lua.eval("return redis.error_reply()"), "-ERR wrong number or type of arguments\r\n");
  EXPECT_EQ(lua.eval("return redis.status_reply(1)"), "-ERR wrong number or type of arguments\r\n");
  EXPECT_EQ(lua.error_of("redis.call()"),
            "ERR Please specify at least one argument for this redis lib call");
  EXPECT_EQ(lua.error_of("redis.call({})"),
            "ERR Lua redis lib command arguments must be strings or integers");
  EXPECT_EQ(lua.eval("return redis.pcall({})"),
            "-ERR Lua redis lib command arguments must be strings or integers\r\n");
  EXPECT_EQ(lua.error_of("redis.setresp(4)"), "ERR RESP version must be 2 or 3.");
  EXPECT_EQ(lua.error_of("redis.log(9, 'x')"), "ERR Invalid debug level.");
  EXPECT_EQ(lua.error_of("redis.log('x')"), "ERR redis.log() requires two arguments or more.");
  lua.eval("redis.log(redis.LOG_WARNING, 'a', 'b')");
  EXPECT_EQ(lua.host.logged, std::vector<std::string>{"3 a b"});
  EXPECT_EQ(lua.error_of("redis.set_repl(17)"),
            "ERR Invalid replication flags. Use REPL_AOF, REPL_REPLICA, REPL_ALL or REPL_NONE.");
  EXPECT_EQ(lua.eval("return redis.replicate_commands()"), ":1\r\n");
  EXPECT_EQ(lua.eval("return redis.breakpoint()"), "$-1\r\n");
  EXPECT_EQ(lua.eval("return redis.acl_check_cmd('get', 'k')"), ":1\r\n");
  EXPECT_EQ(lua.eval("return redis.acl_check_cmd('set', 'k')"), "$-1\r\n");
  EXPECT_EQ(lua.error_of("redis.acl_check_cmd('foo')"),
            "ERR Invalid command passed to redis.acl_check_cmd()");
  EXPECT_EQ(lua.eval("return {redis.REDIS_VERSION, redis.REDIS_VERSION_NUM}"),
            "*2\r\n$5\r\n7.2.4\r\n:459268\r\n");
  EXPECT_EQ(lua.eval("return {server.SERVER_NAME, server.SERVER_VERSION_NUM}"),
            "*2\r\n$7\r\nslotcar\r\n:256\r\n");
  EXPECT_EQ(lua.eval("return server == redis"), ":1\r\n");
}

// The numbers that a redis-server gives after its start. A seed ends with its script.
TEST(Interpreter, RandomNumbersAreThoseOfRedis) {
  TestInterpreter lua;
  EXPECT_EQ(lua.eval("return {math.random(), math.random(100), math.random(5, 7), "
                     "tostring(math.random())}"),
            "*4\r\n:0\r\n:85\r\n:6\r\n$16\r\n0.44658343468168\r\n");
  TestInterpreter other;
  EXPECT_EQ(other.eval("math.randomseed(0) return {tostring(math.random()), "
                       "tostring(math.random()), math.random(100)}"),
            "*3\r\n$16\r\n0.17082803611217\r\n$16\r\n0.74990198051087\r\n:10\r\n");
  EXPECT_EQ(other.eval("return {math.random(), math.random(100)}"), "*2\r\n:0\r\n:85\r\n");
}

TEST(Interpreter, TheGlobalsAreThoseOfRedis) {
  TestInterpreter lua;
  const auto names = [&](const std::string& table) {
    return lua.eval("local t = {} for k in pairs(" + table +
                    ") do t[#t + 1] = k end table.sort(t) return table.concat(t, ' ')");
  };
  EXPECT_NE(names("_G").find("ARGV KEYS _G _VERSION assert bit cjson cmsgpack collectgarbage "
                             "coroutine error gcinfo getmetatable ipairs load loadstring math next "
                             "os pairs pcall rawequal rawget rawset redis select server "
                             "setmetatable string struct table tonumber tostring type unpack "
                             "xpcall"),
            std::string::npos)
      << names("_G");
  EXPECT_NE(names("string").find("byte char find format gfind gmatch gsub len lower match rep "
                                 "reverse sub upper"),
            std::string::npos);
  EXPECT_NE(names("os").find("\r\nclock\r\n"), std::string::npos);
  for (const char* name : {"print", "dofile", "loadfile", "require", "module", "newproxy", "io",
                           "debug", "package", "getfenv", "setfenv"}) {
    EXPECT_EQ(lua.error_of(std::string("return ") + name),
              std::string("ERR user_script:1: Script attempted to access nonexistent global "
                          "variable '") +
                  name + "'");
  }
}

// A few instructions, each of which works through a megabyte.
TEST(Interpreter, LongStringsCountAsManyInstructions) {
  const std::string megabyte = "local s = string.rep('x', 1048576) ";
  for (const std::string& loop : {
           std::string("for i = 1, 20 do s:upper() s:lower() end return 1"),
           std::string("for i = 1, 20 do s = s .. 'x' end return 1"),
           std::string("for i = 1, 20 do s:reverse() end return 1"),
           std::string("local same = s .. 'x' for i = 1, 1000 do same = s .. 'x' end return 1"),
           std::string("for i = 1, 20 do s:find('y', 1, true) end return 1"),
           std::string("for i = 1, 20 do redis.sha1hex(s) end return 1"),
           std::string("for i = 1, 20 do cjson.encode(s) end return 1"),
           std::string("s = cjson.encode(s) for i = 1, 20 do cjson.decode(s) end return 1"),
           std::string("for i = 1, 20 do cmsgpack.pack(s) end return 1"),
           std::string("s = cmsgpack.pack(s) for i = 1, 20 do cmsgpack.unpack(s) end return 1"),
           std::string("coroutine.wrap(function() for i = 1, 20 do s:upper() end end)() return 1"),
       }) {
    TestInterpreter test;
    test.host.looks_until_stop = 15;
    EXPECT_NE(test.eval(megabyte + loop).find("Script killed"), std::string::npos) << loop;
  }
  TestInterpreter test;
  test.host.looks_until_stop = 15;
  EXPECT_EQ(test.eval("local s = 'x' for i = 1, 20 do s = s:upper() end return 1"), ":1\r\n");
}

TEST(Interpreter, NumbersOfCallsHaveAllTheirDigits) {
  TestInterpreter test;
  test.eval(
      "local zero = 0 redis.pcall('n', 1, -7, 0, 2^53, 1e15 - 1, 1e15, 1e17, 1e300, 3.5, -0.25, "
      "1/3, zero * -1, 1/0, "
      "123456789012)");
  ASSERT_EQ(test.host.calls.size(), 1u);
  EXPECT_EQ(test.host.calls[0],
            "n 1 -7 0 9007199254740992 999999999999999 1000000000000000 1e+17 "
            "1.0000000000000001e+300 3.5 -0.25 0.33333333333333331 -0 inf 123456789012");
}

// A run leaves garbage; what stays is bounded, in a small heap as in one that was big.
TEST(Interpreter, WhatShortScriptsLeaveIsCollected) {
  TestInterpreter test;
  const Status compiled = test.interpreter.compile("short", "return {KEYS[1] .. ARGV[1]}");
  ASSERT_TRUE(compiled.ok());
  const auto run_many = [&test](int runs) {
    for (int i = 0; i < runs; ++i) {
      const std::string key = "key" + std::to_string(i);
      const std::string_view words[] = {key};
      runtime::Output output;
      resp::ReplyWriter reply(output, resp::Protocol::resp2);
      test.interpreter.run(*test.interpreter.find("short"), words, words, test.host, reply);
    }
  };
  constexpr std::size_t kSmall = 4 * 1024 * 1024;
  run_many(40'000);
  EXPECT_LT(test.interpreter.memory_used(), kSmall);
  test.eval("local t = {} for i = 1, 200000 do t[i] = 'x' .. i end return 1");
  EXPECT_GT(test.interpreter.memory_used(), kSmall);
  run_many(40'000);
  EXPECT_LT(test.interpreter.memory_used(), kSmall);
}

TEST(Interpreter, CompiledScriptsAreKeptUpToALimit) {
  Interpreter lua;
  for (std::size_t i = 0; i <= limits::kCompiledScriptsMax; ++i) {
    ASSERT_TRUE(lua.compile(std::to_string(i), "return " + std::to_string(i)).ok());
  }
  EXPECT_EQ(lua.scripts(), limits::kCompiledScriptsMax);
  EXPECT_FALSE(lua.has("0"));
  EXPECT_TRUE(lua.has("1"));
  lua.forget_all();
  EXPECT_EQ(lua.scripts(), 0u);
}

TEST(Interpreter, Shebangs) {
  TestInterpreter lua;
  EXPECT_EQ(lua.eval("#!lua\nreturn 1"), ":1\r\n");
  EXPECT_EQ(lua.eval("#!lua flags=no-writes\nerror('x')"),
            "-ERR user_script:2: x script: sha2, on @user_script:2.\r\n");
  EXPECT_EQ(lua.eval("#!lua"), "-ERR Invalid script shebang\r\n");
  EXPECT_EQ(lua.eval("#!bad\nx"), "-ERR Unexpected engine in script shebang: #!bad\r\n");
  EXPECT_EQ(lua.eval("#!lua flags=x\nx"), "-ERR Unexpected flag in script shebang: x\r\n");
  EXPECT_EQ(lua.eval("#!lua flags=no-writes,\nx"), "-ERR Unexpected flag in script shebang: \r\n");
  EXPECT_EQ(lua.eval("#!lua name=x\nx"), "-ERR Unknown lua shebang option: name=x\r\n");
  const auto read = read_eval_shebang("#!lua flags=no-writes,allow-oom flags=no-cluster\nx");
  EXPECT_EQ(names_of(read->flags),
            (std::vector<std::string_view>{"no-writes", "allow-oom", "no-cluster"}));
  EXPECT_FALSE(read_eval_shebang("return 1")->present);
}

}  // namespace
}  // namespace slotcar::scripting
