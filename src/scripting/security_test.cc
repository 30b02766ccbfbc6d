// What scripts have done to Redis and its kin: one test for each class of known attack, and for
// each promise of interpreter.h.
#include <gtest/gtest.h>

#include "scripting/interpreter.h"
#include "scripting/testing/test_host.h"

namespace slotcar::scripting {
namespace {

constexpr const char* kReadonly = "ERR user_script:1: Attempt to modify a readonly table";
constexpr const char* kReadonlyBare = "ERR Attempt to modify a readonly table";

// CVE-2022-24735, CVE-2025-46818: a script that changes what the scripts of other users see.
TEST(ScriptSecurity, SharedTablesCannotBeChanged) {
  TestInterpreter lua;
  for (const char* table :
       {"_G", "redis", "server", "string", "table", "math", "os", "coroutine", "cjson", "cmsgpack",
        "struct", "bit", "getmetatable('')", "getmetatable(_G)", "getmetatable('').__index"}) {
    const std::string name = table;
    EXPECT_EQ(lua.error_of("local t = " + name + " t.x = 1"), kReadonly) << name;
    EXPECT_EQ(lua.error_of("local t = " + name + " t[1] = 1"), kReadonly) << name;
    EXPECT_EQ(lua.error_of("rawset(" + name + ", 'x', 1)"), kReadonlyBare) << name;
    EXPECT_EQ(lua.error_of("table.insert(" + name + ", 1)"), kReadonlyBare) << name;
    EXPECT_EQ(lua.error_of("table.insert(" + name + ", 1, 2)"), kReadonlyBare) << name;
    EXPECT_EQ(lua.error_of("setmetatable(" + name + ", {})"), kReadonlyBare) << name;
    EXPECT_EQ(lua.error_of("setmetatable(" + name + ", nil)"), kReadonlyBare) << name;
    EXPECT_EQ(lua.eval("table.sort(" + name + ") table.remove(" + name + ") return rawget(" + name +
                       ", 'x')"),
              "$-1\r\n")
        << name;
    EXPECT_EQ(lua.eval("local t = " + name +
                       " for k in pairs(t) do pcall(function() t[k] = nil "
                       "end) pcall(rawset, t, k, nil) end return next(t) ~= nil"),
              ":1\r\n")
        << name;
  }
  EXPECT_EQ(lua.error_of("x = 1"), kReadonly);
  EXPECT_EQ(lua.error_of("KEYS = {}"), kReadonly);
  EXPECT_EQ(lua.error_of("string.find = nil"), kReadonly);
}

// An error that is a shared table: its place is noted in a table of its own.
TEST(ScriptSecurity, AnErrorCannotBeASharedTable) {
  TestInterpreter lua;
  EXPECT_EQ(lua.error_of("error(redis)"), kReadonlyBare);
  EXPECT_EQ(lua.eval("return rawget(redis, 'source')"), "$-1\r\n");
  EXPECT_EQ(lua.eval("return redis.line"), "$-1\r\n");
}

TEST(ScriptSecurity, NothingIsLeftForTheNextScript) {
  TestInterpreter lua;
  lua.eval(
      "cjson.encode_max_depth(3) cjson.decode_invalid_numbers(false) math.randomseed(7) "
      "redis.setresp(3) collectgarbage('stop') collectgarbage('setpause', 100000)",
      {"k"}, {"a"});
  EXPECT_EQ(lua.eval("return cjson.encode_max_depth()"), ":1000\r\n");
  EXPECT_EQ(lua.eval("return {#KEYS, #ARGV}"), "*2\r\n:0\r\n:0\r\n");
  EXPECT_EQ(lua.eval("return math.random(100)"), ":40\r\n");
  // The collector still works: garbage does not pile up.
  for (int i = 0; i < 50; ++i) lua.eval("for i = 1, 100 do local s = ('x'):rep(10000) .. i end");
  EXPECT_LT(lua.interpreter.memory_used(), 20u << 20);
}

// CVE-2022-24736 and its kin: text that closes the function into which it is put.
TEST(ScriptSecurity, TheTextIsAChunkOfItsOwn) {
  TestInterpreter lua;
  EXPECT_EQ(lua.eval("return 1) end"),
            "-ERR Error compiling script (new function): user_script:1: '<eof>' expected near "
            "')'\r\n");
  EXPECT_EQ(lua.eval("end function f()"),
            "-ERR Error compiling script (new function): user_script:1: '<eof>' expected near "
            "'end'\r\n");
}

// CVE-2022-0543: Debian's liblua left `package`, and with it every library of the system, in reach.
TEST(ScriptSecurity, FilesAndProcessesAreOutOfReach) {
  TestInterpreter lua;
  for (const char* name : {"package", "io", "debug", "require", "module", "dofile", "loadfile",
                           "print", "getfenv", "setfenv", "newproxy"}) {
    EXPECT_EQ(lua.eval(std::string("return rawget(_G, '") + name + "')"), "$-1\r\n") << name;
  }
  EXPECT_EQ(lua.eval("local n = {} for k in pairs(os) do n[#n + 1] = k end return n"),
            "*1\r\n$5\r\nclock\r\n");
  // Nothing that a script can reach leads to them, however deep.
  EXPECT_EQ(lua.eval("local seen, bad = {}, 0 "
                     "local function walk(t) if seen[t] then return end seen[t] = true "
                     "for k, v in pairs(t) do "
                     "if k == 'loadlib' or k == 'execute' or k == 'popen' or k == 'getinfo' then "
                     "bad = bad + 1 end "
                     "if type(v) == 'table' then walk(v) end "
                     "local m = getmetatable(v) if type(m) == 'table' then walk(m) end end end "
                     "walk(_G) return bad"),
            ":0\r\n");
}

// Bytecode is not verified by Lua: nothing loads it.
TEST(ScriptSecurity, BytecodeIsASyntaxError) {
  TestInterpreter lua;
  EXPECT_EQ(lua.eval("local f, e = loadstring('\\27Lua') return {type(f), e}"),
            "*2\r\n$3\r\nnil\r\n$52\r\n[string \"\x1bLua\"]:1: unexpected symbol near "
            "'char(27)'\r\n");
  EXPECT_EQ(lua.eval("local n = 0 local f = load(function() n = n + 1 if n == 1 then return '\\27' "
                     "end if n == 2 then return 'Lua' end end) return type(f)"),
            "$3\r\nnil\r\n");
  EXPECT_EQ(lua.eval("\x1bLua").substr(0, 8), "-ERR Err");
  EXPECT_EQ(lua.eval("return string.dump"), "$-1\r\n");
}

// CVE-2025-49844: the parser's strings were freed under it by a collector that ran meanwhile.
TEST(ScriptSecurity, LoadCollectsItsTextBeforeItParses) {
  TestInterpreter lua;
  EXPECT_EQ(lua.eval("local pieces = {'return ', '1 +', ' 41'} local i = 0 "
                     "return load(function() i = i + 1 collectgarbage() "
                     "for j = 1, 100 do local s = ('y'):rep(1000) .. j end return pieces[i] end, "
                     "('n'):rep(5000))()"),
            ":42\r\n");
  for (int i = 0; i < 200; ++i) {
    EXPECT_EQ(lua.eval("local n = ('name'):rep(100) .. math.random() "
                       "return loadstring(('local a = 1 '):rep(150) .. 'return 7', n)()"),
              ":7\r\n");
  }
  EXPECT_EQ(lua.eval("local f, e = load(function() error('inside') end) return e"),
            "$21\r\nuser_script:1: inside\r\n");
}

// What is loaded sees the shared globals, however it is loaded.
TEST(ScriptSecurity, LoadedCodeHasTheSameGlobals) {
  TestInterpreter lua;
  EXPECT_EQ(lua.error_of("loadstring('x = 1', '=n')()").substr(0, 41),
            "ERR n:1: Attempt to modify a readonly tab");
  EXPECT_EQ(lua.error_of("local ok, f = pcall(loadstring, 'x = 1', '=n') f()").substr(0, 41),
            "ERR n:1: Attempt to modify a readonly tab");
  EXPECT_EQ(lua.error_of("local f = coroutine.wrap(function() return loadstring('x = 1', '=n') "
                         "end)() f()")
                .substr(0, 41),
            "ERR n:1: Attempt to modify a readonly tab");
  EXPECT_EQ(lua.eval("return rawget(_G, 'x')"), "$-1\r\n");
}

// CVE-2025-46819 and -49844: counters of the lexer that overflow need texts of gigabytes.
TEST(ScriptSecurity, TextsAreBounded) {
  TestInterpreter lua;
  const std::string long_text = "return '" + std::string(limits::kScriptTextBytesMax, 'x') + "'";
  EXPECT_EQ(lua.eval(long_text),
            "-ERR Error compiling script (new function): the text of the script is too long\r\n");
  EXPECT_EQ(
      lua.eval("local p = ('x'):rep(2^20) local f, e = load(function() return p end) return e"),
      "$34\r\nthe text of the script is too long\r\n");
  EXPECT_EQ(lua.eval("return loadstring('return [' .. ('='):rep(100000) .. '[x]' .. "
                     "('='):rep(100000) .. ']')()"),
            "$1\r\nx\r\n");
  EXPECT_EQ(lua.eval("return loadstring(('('):rep(100000))").substr(0, 4), "$-1\r");
}

// CVE-2025-46817: unpack's count overflowed.
TEST(ScriptSecurity, UnpackIsBounded) {
  TestInterpreter lua;
  const std::string too_many = "ERR user_script:1: too many results to unpack";
  EXPECT_EQ(lua.error_of("return {unpack({1, 2, 3}, -2, 2147483647)}"), too_many);
  EXPECT_EQ(lua.error_of("return {unpack({1}, 0, 2147483647)}"), too_many);
  EXPECT_EQ(lua.error_of("return {unpack({1}, -2147483648, 2147483647)}"), too_many);
  EXPECT_EQ(lua.error_of("return {unpack({1}, -1e18, 1e18)}"), too_many);
  EXPECT_EQ(lua.eval("return {unpack({1, 2, 3}, 2)}"), "*2\r\n:2\r\n:3\r\n");
  EXPECT_EQ(lua.eval("return {unpack({1, 2, 3}, 2147483647, 2147483647)}"), "*0\r\n");
  EXPECT_EQ(lua.eval("return #{unpack({1, 2, 3}, 3, 1)}"), ":0\r\n");
}

// CVE-2024-31449 (bit.tohex) and CVE-2020-14147, CVE-2018-11219 (struct).
TEST(ScriptSecurity, SizesOfBitAndStructAreBounded) {
  TestInterpreter lua;
  EXPECT_EQ(lua.eval("return bit.tohex(65535, -2147483648)"), "$8\r\n0000FFFF\r\n");
  EXPECT_EQ(lua.eval("return bit.tohex(255, 2147483647)"), "$8\r\n000000ff\r\n");
  EXPECT_EQ(lua.error_of("return struct.pack('i33', 1)"),
            "ERR user_script:1: integral size 33 is larger than limit of 32");
  EXPECT_EQ(lua.error_of("return struct.pack('i2147483648', 1)"),
            "ERR user_script:1: integral size overflow");
  EXPECT_EQ(lua.error_of("return struct.unpack('i', 'xxxx', 2147483647)"),
            "ERR user_script:1: bad argument #2 to 'unpack' (data string too short)");
  EXPECT_EQ(lua.error_of("return struct.unpack('lc0', struct.pack('l', -1))"),
            "ERR user_script:1: bad argument #2 to 'unpack' (data string too short)");
  EXPECT_EQ(lua.error_of("return struct.unpack('c2147483647', 'x')"),
            "ERR user_script:1: bad argument #2 to 'unpack' (data string too short)");
}

// CVE-2022-24834, CVE-2021-32626, CVE-2018-11218: lengths and depths in cjson and cmsgpack.
TEST(ScriptSecurity, DepthsOfCjsonAndCmsgpackAreBounded) {
  TestInterpreter lua;
  EXPECT_EQ(lua.error_of("local t = {} for i = 1, 2000 do t = {t} end return cjson.encode(t)"),
            "ERR user_script:1: Cannot serialise, excessive depth (1001)");
  EXPECT_EQ(lua.error_of("return cjson.decode(('['):rep(2000))"),
            "ERR user_script:1: Found too many nested data structures (1001)");
  EXPECT_EQ(
      lua.error_of("cjson.decode_max_depth(1e6) return cjson.decode(('['):rep(1e5))").substr(0, 57),
      "ERR user_script:1: Found too many nested data structures ");
  EXPECT_EQ(lua.error_of("cjson.encode_max_depth(1e6) local t = {} for i = 1, 1e5 do t = {t} end "
                         "return cjson.encode(t)")
                .substr(0, 55),
            "ERR user_script:1: Cannot serialise, excessive depth (7");
  EXPECT_EQ(lua.eval("local t = {} for i = 1, 2000 do t = {t} end return #cmsgpack.pack(t)"),
            ":17\r\n");
  EXPECT_EQ(lua.error_of("return cmsgpack.unpack(('\\145'):rep(100000))").substr(0, 33),
            "ERR user_script:1: stack overflow");
  EXPECT_EQ(lua.error_of("return cmsgpack.unpack('\\221\\255\\255\\255\\255')"),
            "ERR user_script:1: Missing bytes in input.");
  EXPECT_EQ(lua.error_of("return cmsgpack.unpack('\\219\\255\\255\\255\\255')"),
            "ERR user_script:1: Missing bytes in input.");
  // As long a text as that is stopped from outside, or ends at the bound of texts.
  lua.host.looks_until_stop = 3;
  EXPECT_EQ(lua.error_of("cjson.encode_sparse_array(true, 0) return cjson.encode({[2^30] = 1})"),
            "ERR Script killed");
}

TEST(ScriptSecurity, PatternsAreBounded) {
  TestInterpreter lua;
  EXPECT_EQ(lua.error_of("return string.find(('a'):rep(300000), ('.-'):rep(100000) .. 'b')"),
            "ERR user_script:1: pattern too complex");
  EXPECT_EQ(lua.eval("return string.find('a', ('a?'):rep(300))"), ":1\r\n");
  EXPECT_EQ(lua.error_of("return string.find('aaa', '(')"),
            "ERR user_script:1: unfinished capture");
  // A match without end is stopped from outside.
  lua.host.looks_until_stop = 3;
  EXPECT_EQ(lua.error_of("return string.find(('a'):rep(5000), '.-.-.-.-.-.-b')"),
            "ERR Script killed");
  EXPECT_EQ(lua.ended.how, Interpreter::Ended::How::stopped);
}

// CVE-2024-46981: finalizers that run when the interpreter is torn down. There are none.
TEST(ScriptSecurity, ThereAreNoFinalizers) {
  TestInterpreter lua;
  EXPECT_EQ(lua.error_of("return newproxy(true)"),
            "ERR user_script:1: Script attempted to access nonexistent global variable 'newproxy'");
  EXPECT_EQ(lua.eval("setmetatable({}, {__gc = function() error('x') end}) collectgarbage() "
                     "return 1"),
            ":1\r\n");
  EXPECT_EQ(lua.eval("return getmetatable(cjson.null)"), "$-1\r\n");
}

// CVE-2025-67733: line ends in an error or a status would forge a second reply.
TEST(ScriptSecurity, LineEndsInRepliesAreSpaces) {
  TestInterpreter lua;
  EXPECT_EQ(lua.eval("return {err='a\\r\\n+OK'}"), "-a  +OK\r\n");
  EXPECT_EQ(lua.eval("return {ok='a\\r\\n+OK'}"), "+a  +OK\r\n");
  EXPECT_EQ(lua.eval("return redis.error_reply('A\\r\\nB')"), "-ERR A  B\r\n");
  EXPECT_EQ(lua.eval("error({err='A b\\r\\n+c'})"),
            "-A b  +c script: sha4, on @user_script:1.\r\n");
  const std::string reply = lua.eval("loadstring('error(\"x\")', '@a\\r\\nb')()");
  EXPECT_EQ(reply.find('\n'), reply.size() - 1);
}

TEST(ScriptSecurity, NothingCatchesTheOrderToStop) {
  for (const char* script :
       {"while true do end", "while true do pcall(function() while true do end end) end",
        "while true do xpcall(function() while true do end end, function() while true do end end) "
        "end",
        "while true do coroutine.resume(coroutine.create(function() while true do end end)) end",
        "while true do pcall(coroutine.wrap(function() while true do end end)) end",
        "while true do load(function() while true do end end) end",
        "while true do pcall(string.gsub, 'x', 'x', function() while true do end end) end",
        "while true do pcall(table.sort, {3, 2, 1}, function() while true do end end) end",
        "table.insert({}, -2147483648, 1)", "local t = {} t[1] = t t[2] = t return t",
        "return tostring(setmetatable({}, {__tostring = function() while true do end end}))"}) {
    TestInterpreter lua;
    lua.host.looks_until_stop = 5;
    EXPECT_EQ(lua.error_of(script), "ERR Script killed") << script;
    EXPECT_EQ(lua.ended.how, Interpreter::Ended::How::stopped) << script;
    lua.host.reason.clear();
    EXPECT_EQ(lua.eval("return 1"), ":1\r\n");  // The interpreter goes on.
  }
}

TEST(ScriptSecurity, ACommandCanStopItsScript) {
  TestInterpreter lua;
  lua.host.stops_at = "get k";
  EXPECT_EQ(lua.error_of("while true do pcall(redis.call, 'get', 'k') end"), "ERR stopped inside");
  EXPECT_EQ(lua.ended.how, Interpreter::Ended::How::stopped);
  EXPECT_EQ(
      lua.error_of("coroutine.resume(coroutine.create(function() redis.call('get', 'k') end)) "
                   "return 1"),
      "ERR stopped inside");
  EXPECT_EQ(lua.error_of("pcall(coroutine.wrap(function() redis.call('get', 'k') end)) return 1"),
            "ERR stopped inside");
}

TEST(ScriptSecurity, MemoryIsBounded) {
  TestInterpreter lua(32u << 20);
  EXPECT_EQ(lua.eval("local s = 'x' while true do s = s .. s end"),
            "-ERR Error running script sha1, not enough memory\r\n");
  EXPECT_EQ(lua.eval("local t = {} for i = 1, 1e9 do t[i] = i end"),
            "-ERR Error running script sha2, not enough memory\r\n");
  EXPECT_EQ(lua.eval("return 1"), ":1\r\n");
  EXPECT_LE(lua.interpreter.memory_used(), 32u << 20);
  EXPECT_EQ(lua.eval("return #KEYS[1]", {std::string(64u << 20, 'k')}),
            "-ERR Error running script sha4, not enough memory\r\n");
  EXPECT_EQ(lua.eval("return #KEYS"), ":0\r\n");
  EXPECT_EQ(lua.eval("return string.rep('x', 2^40)").substr(0, 5), "-ERR ");
}

TEST(ScriptSecurity, DeepRecursionIsAnError) {
  TestInterpreter lua;
  EXPECT_EQ(lua.error_of("local function f() return 1 + f() end f()"),
            "ERR user_script:1: stack overflow");
  EXPECT_NE(lua.error_of("local function f() coroutine.wrap(f)() end f()").find("overflow"),
            std::string::npos);
  EXPECT_NE(lua.error_of("local function f() return (('x'):gsub('x', f)) end f()").find("overflow"),
            std::string::npos);
  EXPECT_EQ(lua.eval("local t = {} t[1] = t return t").substr(0, 8), "*1\r\n*1\r\n");
}

}  // namespace
}  // namespace slotcar::scripting
