#include "schema/argument.h"

#include <gtest/gtest.h>

namespace slotcar::schema {
namespace {

// The tree in one line, every mark written out.
std::string tree(const Argument& argument) {
  std::string text = argument.name + ":" + std::string(argument_type_name(argument.type));
  if (!argument.token.empty()) text = argument.token + "=" + text;
  if (argument.key_spec >= 0) text += "%" + std::to_string(argument.key_spec);
  if (!argument.since.empty()) text += "@" + argument.since;
  if (!argument.deprecated_since.empty()) text += "!" + argument.deprecated_since;
  if (argument.optional) text += "?";
  if (argument.multiple) text += "+";
  if (argument.multiple_token) text += "+";
  if (argument.arguments.empty()) return text;
  text += "(";
  for (const Argument& inner : argument.arguments) text += " " + tree(inner);
  return text + " )";
}

std::string tree(std::string_view syntax, const KeySpecs& keys = {}) {
  std::string text;
  for (const Argument& argument : arguments_of(syntax, keys)) {
    text += (text.empty() ? "" : " ") + tree(argument);
  }
  return text;
}

struct Line {
  const char* syntax;
  const char* tree;
  const char* plain;  // null: as it was written
};

const Line kLines[] = {
    {"", "", nullptr},
    {"message", "message:string", nullptr},
    {"seconds value:integer x:double", "seconds:integer value:integer x:double", "seconds value x"},
    {"[ADDR ip:port]", "ADDR=ip:port:string?", nullptr},
    {"[GET]", "GET=get:pure-token?", nullptr},
    {"[GET@6.2.0] [CH#change@3.0.2]", "GET=get:pure-token@6.2.0? CH=change:pure-token@3.0.2?",
     "[GET] [CH]"},
    {"[COUNT count]", "COUNT=count:integer?", nullptr},
    {"[LIMIT {offset count}@6.2.0]",
     "LIMIT=offset_count:block@6.2.0?( offset:integer count:integer )", "[LIMIT offset count]"},
    {"[NX | XX]", "nx_xx:oneof?( NX=nx:pure-token XX=xx:pure-token )", nullptr},
    {"[condition=<NX | XX>@7.0.0]", "condition:oneof@7.0.0?( NX=nx:pure-token XX=xx:pure-token )",
     "[NX | XX]"},
    {"where=<LEFT | RIGHT> x",
     "where:oneof( LEFT=left:pure-token RIGHT=right:pure-token ) x:string", "<LEFT | RIGHT> x"},
    {"[AGGREGATE aggregate=<SUM | MIN>]",
     "AGGREGATE=aggregate:oneof?( SUM=sum:pure-token MIN=min:pure-token )",
     "[AGGREGATE <SUM | MIN>]"},
    {"member [member ...]", "member:string+", nullptr},
    {"[member [member ...]]", "member:string?+", nullptr},
    {"field value [field value ...]", "field_value:block+( field:string value:string )", nullptr},
    {"[WEIGHTS weight [weight ...]]", "WEIGHTS=weight:integer?+", nullptr},
    {"[GET pattern%1 [GET pattern ...]]", "GET=pattern:pattern%1?++",
     "[GET pattern [GET pattern ...]]"},
    {"{parameter}...", "parameter:block+( parameter:string )", "parameter [parameter ...]"},
    {"[operator=<=#equal | ~#approximately>] threshold",
     "operator:oneof?( ==equal:pure-token ~=approximately:pure-token ) threshold:string",
     "[= | ~] threshold"},
    {"id=<* | $#new_id | id>", "id:oneof( *=*:pure-token $=new_id:pure-token id:string )",
     "<* | $ | id>"},
    {"[options={count [WITHVALUES]}]",
     "options:block?( count:integer WITHVALUES=withvalues:pure-token? )", "[count [WITHVALUES]]"},
    {"<host port | NO ONE>",
     "host_port_no_one:oneof( host_port:block( host:string port:integer ) "
     "no_one:block( NO=no:pure-token ONE=one:pure-token ) )",
     nullptr},
    {"old!2.8.12 [op=<a | b>...]", "old:string!2.8.12 op:oneof?+( a:string b:string )",
     "old [<a | b> [<a | b> ...]]"},
};

TEST(Argument, trees_and_lines) {
  for (const Line& line : kLines) {
    EXPECT_EQ(tree(line.syntax), line.tree) << line.syntax;
    EXPECT_EQ(syntax_line(arguments_of(line.syntax, {})), line.plain ? line.plain : line.syntax);
  }
}

TEST(Argument, keys_are_covered_by_their_specifications_in_order) {
  constexpr KeyUse kUse = KeyUse::ro;
  EXPECT_EQ(tree("destination key [key ...]", {key_at(1, kUse), keys(2, -1, 1, kUse)}),
            "destination:key%0 key:key%1+");
  // One specification that covers two names.
  EXPECT_EQ(tree("key1 key2", keys(1, 2, 1, kUse)), "key1:key%0 key2:key%0");
}

TEST(ArgumentDeathTest, malformed_lines) {
  EXPECT_DEATH(arguments_of("[key", {}), "");
  EXPECT_DEATH(arguments_of("key ]", {}), "");
  EXPECT_DEATH(arguments_of("key [other ...]", {}), "");
}

}  // namespace
}  // namespace slotcar::schema
