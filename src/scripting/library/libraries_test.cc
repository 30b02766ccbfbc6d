// The libraries written here: what they give, compared with what Redis gives. A larger comparison,
// with random values, is tests/diff/scripts.py.
#include <gtest/gtest.h>

#include "scripting/testing/test_host.h"

namespace slotcar::scripting {
namespace {

struct Case {
  const char* expression;  // of a text
  const char* text;
};

void expect_texts(std::initializer_list<Case> cases) {
  TestInterpreter lua;
  for (const Case& one : cases) {
    EXPECT_EQ(lua.eval(std::string("return ") + one.expression),
              "$" + std::to_string(std::string_view(one.text).size()) + "\r\n" + one.text + "\r\n")
        << one.expression;
  }
}

void expect_errors(std::initializer_list<Case> cases) {
  TestInterpreter lua;
  for (const Case& one : cases) {
    EXPECT_EQ(lua.error_of(std::string("return ") + one.expression),
              std::string("ERR user_script:1: ") + one.text)
        << one.expression;
  }
}

TEST(BitLibrary, Works) {
  expect_texts({{"tostring(bit.tobit(0xffffffff))", "-1"},
                {"tostring(bit.tobit(2^40 + 5))", "5"},
                {"tostring(bit.bnot(0))", "-1"},
                {"tostring(bit.band(0xff, 0x0f, 7))", "7"},
                {"tostring(bit.bor(1, 2, 4))", "7"},
                {"tostring(bit.bxor(5, 1))", "4"},
                {"tostring(bit.lshift(1, 33))", "2"},
                {"tostring(bit.rshift(-1, 28))", "15"},
                {"tostring(bit.arshift(-16, 2))", "-4"},
                {"bit.tohex(bit.rol(0x12345678, 12))", "45678123"},
                {"bit.tohex(bit.ror(0x12345678, 12))", "67812345"},
                {"bit.tohex(bit.bswap(0x12345678))", "78563412"},
                {"bit.tohex(-1, -4)", "FFFF"}});
}

TEST(StructLibrary, PacksAndUnpacks) {
  expect_texts(
      {{"cjson.encode({struct.unpack('>hBi3', struct.pack('>hBi3', -2, 200, -5))})",
        "[-2,200,-5,7]"},
       {"cjson.encode({struct.unpack('<d f', struct.pack('<d f', 1.5, -0.25))})", "[1.5,-0.25,13]"},
       {"struct.pack('>H', 0x4142)", "AB"},
       {"struct.pack('<H', 0x4142)", "BA"},
       {"tostring(#struct.pack('!4bi', 1, 2))", "8"},
       {"tostring(struct.size('!8bd'))", "16"},
       {"cjson.encode({struct.unpack('Bc0s', struct.pack('Bc0s', 2, 'ab', 'cd'))})",
        "[\"ab\",\"cd\",7]"},
       {"cjson.encode({struct.unpack('dc0', struct.pack('d', -0.5))})", "[\"\",9]"},
       {"tostring(struct.unpack('i12', ('a'):rep(12)))", "-513711775"}});
  expect_errors({{"struct.size('s')", "bad argument #1 to 'size' (option 's' has no fixed size)"},
                 {"struct.pack('q', 1)", "bad argument #1 to 'pack' (invalid format option 'q')"},
                 {"struct.pack('!3i', 1)", "alignment 3 is not a power of 2"},
                 {"struct.pack('c5', 'abc')", "bad argument #3 to 'pack' (string too short)"},
                 {"struct.pack('i')", "bad argument #2 to 'pack' (number expected, got nil)"},
                 {"struct.unpack('c0', 'x')", "format 'c0' needs a previous size"},
                 {"struct.unpack('s', 'x')", "unfinished string in data"},
                 {"struct.unpack('i', 'x', 0)",
                  "bad argument #3 to 'unpack' (offset must be 1 or greater)"}});
}

TEST(CmsgpackLibrary, PacksAsRedis) {
  const auto hex = [](const std::string& value) {
    return "(cmsgpack.pack(" + value +
           "):gsub('.', function(c) return ('%02x'):format(c:byte()) end))";
  };
  TestInterpreter lua;
  const auto packed = [&](const std::string& value) {
    const std::string reply = lua.eval("return " + hex(value));
    return reply.substr(reply.find('\n') + 1, reply.size() - reply.find('\n') - 3);
  };
  EXPECT_EQ(packed("1, -1, 128, -33, 65536, -40000, 2^32"),
            "01ffcc80d0dfce00010000d2ffff63c0cf0000000100000000");
  EXPECT_EQ(packed("1.5, 0.1"), "ca3fc00000cb3fb999999999999a");
  EXPECT_EQ(packed("true, false, nil"), "c3c2c0");
  EXPECT_EQ(packed("{}, {1, 2}, {a=1}"), "9092010281a16101");
  EXPECT_EQ(packed("('x'):rep(32)").substr(0, 4), "d920");
  EXPECT_EQ(packed("{['1']=2}"), "81a13102");
  EXPECT_EQ(packed("cjson.null"), "c0");
}

TEST(CmsgpackLibrary, UnpacksAsRedis) {
  expect_texts(
      {{"cjson.encode({cmsgpack.unpack(cmsgpack.pack(1, 'a', {1, {b=2}}))})",
        "[1,\"a\",[1,{\"b\":2}]]"},
       {"tostring(cmsgpack.unpack('\\207\\255\\255\\255\\255\\255\\255\\255\\255'))", "-1"},
       {"cjson.encode({cmsgpack.unpack_limit('\\1\\2\\3', 2)})", "[2,1,2]"},
       {"cjson.encode({cmsgpack.unpack_one('\\1\\2\\3', 2)})", "[-1,3]"}});
  expect_errors(
      {{"cmsgpack.pack()", "bad argument #0 to 'pack' (MessagePack pack needs input.)"},
       {"cmsgpack.unpack('\\196\\1a')", "Bad data format in input."},
       {"cmsgpack.unpack('\\146\\1')", "Missing bytes in input."},
       {"cmsgpack.unpack_limit('\\1\\2\\3', 1, -1)",
        "Invalid request to unpack with offset of -1 and limit of 3."},
       {"cmsgpack.unpack_one('\\1\\2\\3', 7)", "Start offset 7 greater than input length 3."}});
}

TEST(CjsonLibrary, Encodes) {
  expect_texts(
      {{"cjson.encode({1, 'a', true, cjson.null, {x=1.5}})", "[1,\"a\",true,null,{\"x\":1.5}]"},
       {"cjson.encode({})", "{}"},
       {"cjson.encode({[1]=1, [3]=3})", "[1,null,3]"},
       {"cjson.encode({[1.5]=1})", "{\"1.5\":1}"},
       {"cjson.encode('a/\"\\\\\\b\\t\\n\\f\\r\\1\\127')",
        "\"a\\/\\\"\\\\\\b\\t\\n\\f\\r\\u0001\\u007f\""},
       {"cjson.encode(2^53)", "9.007199254741e+15"}});
  expect_errors(
      {{"cjson.encode()", "bad argument #1 to 'encode' (expected 1 argument)"},
       {"cjson.encode({[1]=1, [1000]=2})", "Cannot serialise table: excessively sparse array"},
       {"cjson.encode({[{}]=1})", "Cannot serialise table: table key must be a number or string"},
       {"cjson.encode({function() end})", "Cannot serialise function: type not supported"},
       {"cjson.encode(0/0)", "Cannot serialise number: must not be NaN or Inf"}});
}

TEST(CjsonLibrary, Decodes) {
  expect_texts({{"cjson.encode(cjson.decode('[1, 2.5, \"x\\\\u00e9\", {\"a\": null}, true, []]'))",
                 "[1,2.5,\"x\xc3\xa9\",{\"a\":null},true,{}]"},
                {"cjson.decode('\"\\\\ud83d\\\\ude00\"')", "\xf0\x9f\x98\x80"},
                {"tostring(cjson.decode('0x10'))", "16"},
                {"tostring(cjson.decode('null') == cjson.null)", "true"}});
  expect_errors(
      {{"cjson.decode('[1,2')", "Expected comma or array end but found T_END at character 5"},
       {"cjson.decode('{1:2}')", "Expected object key string but found T_NUMBER at character 2"},
       {"cjson.decode('tru')", "Expected value but found invalid token at character 1"},
       {"cjson.decode('')", "Expected value but found T_END at character 1"},
       {"cjson.decode('1 1')", "Expected the end but found T_NUMBER at character 3"},
       {"cjson.decode('\"abc')",
        "Expected value but found unexpected end of string at character 5"},
       {"cjson.decode('\"\\\\x\"')",
        "Expected value but found invalid escape code at character 2"}});
}

TEST(CjsonLibrary, HasSettings) {
  expect_texts(
      {{"tostring(cjson.encode_invalid_numbers('null')) .. cjson.encode(0/0)", "nullnull"},
       {"tostring(cjson.encode_invalid_numbers(true)) .. cjson.encode(1/0)", "trueinf"},
       {"cjson.encode_number_precision(3) .. cjson.encode(1.23456)", "31.23"},
       {"tostring(cjson.encode_sparse_array(true)) .. cjson.encode({[100]=1})", "true{\"100\":1}"},
       {"(function() local c = cjson.new() c.encode_number_precision(2) "
        "return c.encode(1.25) .. cjson.encode(1.25) end)()",
        "1.21.25"}});
  expect_errors({{"cjson.encode_max_depth(0)",
                  "bad argument #1 to 'encode_max_depth' (expected integer between 1 and "
                  "2147483647)"},
                 {"cjson.encode_invalid_numbers('bad')",
                  "bad argument #1 to 'encode_invalid_numbers' (invalid option 'bad')"},
                 {"cjson.encode_sparse_array(true, 1, 1, 1)",
                  "bad argument #4 to 'encode_sparse_array' (found too many arguments)"}});
}

TEST(StringLibrary, Patterns) {
  expect_texts({{"table.concat({('key=val'):match('(%w+)=(%w+)')}, '|')", "key|val"},
                {"(('hello world'):gsub('%w+', '<%0>'))", "<hello> <world>"},
                {"(('abc'):gsub('', '-'))", "-a-b-c-"},
                {"(('abc'):gsub('b', {b='X'}))", "aXc"},
                {"(('abc'):gsub('%w', function(c) if c == 'b' then return 'Y' end end))", "aYc"},
                {"('f(a(b)c)d'):match('%b()')", "(a(b)c)"},
                {"('THE (quick) fox'):match('%f[%a]%a+', 5)", "quick"},
                {"('abab'):match('^(ab)%1$')", "ab"},
                {"tostring(('x'):find('x', 5))", "nil"},
                {"tostring(('x'):find('()%1'))", "nil"},
                {"table.concat({('a.b'):find('.', 1, true)}, ',')", "2,2"},
                {"table.concat({('abc'):find('()b()')}, ',')", "2,2,2,3"},
                {"('a]b'):match('[]]')", "]"},
                {"('a-z'):match('[a%-z]+')", "a-z"},
                {"('\\0x'):match('%z(.)')", "x"},
                {"(function() local t = {} for k, v in ('a=1,b=2'):gmatch('(%w)=(%w)') do "
                 "t[#t + 1] = k .. v end return table.concat(t) end)()",
                 "a1b2"},
                {"('ab'):rep(3)", "ababab"},
                {"('x'):rep(-1)", ""}});
  expect_errors(
      {{"('x'):find('[a')", "malformed pattern (missing ']')"},
       {"('x'):find('%')", "malformed pattern (ends with '%')"},
       {"('x'):find('%1')", "invalid capture index"},
       {"('x'):match('x)')", "invalid pattern capture"},
       {"('x'):find('%bx')", "unbalanced pattern"},
       {"('x'):find('%fx')", "missing '[' after '%f' in pattern"},
       {"('x'):gsub('x', '%2')", "invalid capture index"},
       {"('x'):gsub('x', function() return {} end)", "invalid replacement value (a table)"},
       {"('x'):gsub('x')", "bad argument #2 to 'gsub' (string/function/table expected)"}});
}

TEST(TableAndBaseLibraries, Work) {
  expect_texts(
      {{"(function() local t = {1, 2} table.insert(t, 2, 9) return table.concat(t, ',') end)()",
        "1,9,2"},
       {"(function() local t = {3, 1, 2} table.sort(t) return table.concat(t) end)()", "123"},
       {"table.concat({select(2, 'a', 'b', 'c')})", "bc"},
       {"tostring(next({}))", "nil"},
       {"tostring(rawget(_G, 'nothing'))", "nil"},
       {"type(rawget(_G, 'redis'))", "table"},
       {"table.concat({coroutine.wrap(function(a) local b = coroutine.yield(a) return b "
        "end)(5)})",
        "5"},
       {"tostring(select(2, coroutine.resume(coroutine.create(function() error('e', 0) "
        "end))))",
        "e"},
       {"_VERSION", "Lua 5.1"}});
  expect_errors(
      {{"table.insert({}, 1, 2, 3, 4)", "wrong number of arguments to 'insert'"},
       {"rawset(1, 2, 3)", "bad argument #1 to 'rawset' (table expected, got number)"},
       {"setmetatable({}, 1)", "bad argument #2 to 'setmetatable' (nil or table expected)"},
       {"coroutine.resume(1)", "bad argument #1 to 'resume' (coroutine expected)"},
       {"coroutine.wrap(redis.call)", "bad argument #1 to 'wrap' (Lua function expected)"},
       {"coroutine.wrap(function() error('in co') end)()", "user_script:1: in co"}});
}

}  // namespace
}  // namespace slotcar::scripting
