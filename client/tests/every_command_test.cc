// The calls on data, and the test of all (every_command.h).
#include "every_command.h"

namespace slotcar::client {

void EveryCommand::strings() {
  SAME(c::append("s", "x"));
  SAME(c::decr("n"));
  SAME(c::decrby("n", 3));
  SAME(c::delifeq("s", "hello"));
  SAME(c::get("s"));
  SAME(c::get("none"));
  FAILS(c::get("l"));
  SAME(c::getdel("s"));
  SAME(c::getex("s", {.px = 1500ms}));
  SAME(c::getrange("s", 1, 3));
  SAME(c::getset("s", "new"));
  SAME(c::incr("n"));
  SAME(c::incrby("n", 7));
  SAME(c::incrbyfloat("f", 0.25));
  SAME(c::lcs("s", "s2"));
  SAME(c::lcs("s", "s2", length_only));
  SAME(c::lcs<Reply>("s", "s2", {.idx = true, .minmatchlen = 2, .withmatchlen = true}));
  SAME(c::mget({"s", "none", "n"}));
  SAME(c::mset({{"a", 1}, {"b", 2}}));
  SAME(c::msetnx({{"a", 1}, {"s", 2}}));
  SAME(c::psetex("s", 1500ms, "v"));
  SAME(c::set("s", "v", {.ex = 5s, .only_if = present}));
  SAME(c::set("s", "v", {.only_if = absent}));
  SAME(c::set("s", "v", and_get_old));
  SAME(c::setex("s", 5s, "v"));
  SAME(c::setnx("s", "v"));
  SAME(c::setrange("s", 1, "E"));
  SAME(c::strlen("s"));
  SAME(c::substr("s", 0, 1));
  SAME(c::bitcount("bits", {.index = {{.start = 0, .end = 0}}}));
  SAME(c::bitfield(
      "bits", {.operations = {"GET", "u8", "0", "OVERFLOW", "FAIL", "INCRBY", "u2", "0", "9"}}));
  SAME(c::bitfield_ro("bits", {.get = {{"u4", "0"}}}));
  SAME(c::bitop(c::BitopOperation::xor_, "d", {"bits", "s"}));
  SAME(c::bitpos("bits", 1, {.index = {{.start = 1}}}));
  SAME(c::getbit("bits", 1));
  SAME(c::setbit("bits", 1, 0));
  SAME(c::pfadd("hll", {"c"}));
  SAME(c::pfcount({"hll"}));
  SAME(c::pfmerge("d", {"hll"}));
  FAILS(c::pfdebug("nonsense", "hll"));
}

void EveryCommand::keys() {
  SAME(c::copy("s", "d", {.replace = true}));
  SAME(c::del({"s", "none"}));
  SAME(c::dump("s"));
  SAME(c::exists({"s", "s", "none"}));
  SAME(c::expire("s", 100s, {.only_if = absent}));
  SAME(c::expireat("s", 9'000'000'000));
  SAME(c::expiretime("f"));
  RUNS(c::keys("*"));
  SAME(c::keys("s"));
  FAILS(c::migrate("127.0.0.1", 1, "s", 0, 100ms));
  SAME(c::move("s", 1));
  SAME(c::object_encoding("n"));
  FAILS(c::object_freq("s"));
  SAME(c::object_idletime("s"));
  SAME(c::object_refcount("l"));
  SAME(c::persist("f"));
  SAME(c::pexpire("s", 100'000ms));
  SAME(c::pexpireat("s", 9'000'000'000'000));
  SAME(c::pexpiretime("f"));
  RUNS(c::pttl("f"));
  SAME(c::pttl("none"));
  RUNS(c::randomkey());
  SAME(c::rename("s", "d"));
  FAILS(c::rename("none", "d"));
  SAME(c::renamenx("s", "n"));
  SAME(c::restore("d", 0, dump_, {.replace = true}));
  FAILS(c::restore("s", 0, dump_));
  SAME(c::restore_asking("d", 0, dump_));
  SAME(c::scan("0", {.match = "st2", .count = 1000, .type = "set"}));
  SAME(c::sort("st", {.alpha = true}));
  SAME(c::sort("st", "d", {.alpha = true}));
  SAME(c::sort_ro(
      "st", {.limit = {{.offset = 0, .count = 2}}, .order = c::SortRoOrder::desc, .alpha = true}));
  SAME(c::touch({"s", "none"}));
  RUNS(c::ttl("f"));
  SAME(c::ttl("s"));
  SAME(c::type("z"));
  SAME(c::unlink({"s", "n"}));
  SAME(c::wait(0, 1ms));
  // They need an append-only file, which this server does not have; the reply is a pair of numbers.
  FAILS(c::waitaof(1, 0, 1ms));
}

void EveryCommand::hashes() {
  SAME(c::hdel("h", {"a", "none"}));
  SAME(c::hexists("h", "a"));
  SAME(c::hexpire("h", 100s, {"a", "none"}));
  SAME(c::hexpireat("h", 9'000'000'000, "a"));
  SAME(c::hexpiretime("h", "a"));
  SAME(c::hget("h", "a"));
  SAME(c::hget("h", "none"));
  SAME(c::hgetall("h"));
  SAME(c::hgetall("none"));
  SAME(c::hgetdel("h", {"a", "none"}));
  SAME(c::hgetex("h", {"a", "none"}, {.ex = 5s}));
  SAME(c::hincrby("h", "a", 2));
  SAME(c::hincrbyfloat("h", "a", 0.5));
  SAME(c::hkeys("h"));
  SAME(c::hlen("h"));
  SAME(c::hmget("h", {"a", "none"}));
  SAME(c::hmset("h", {{"c", 3}}));
  SAME(c::hpersist("h", "a"));
  SAME(c::hpexpire("h", 100'000ms, "a", {.only_if = absent}));
  SAME(c::hpexpireat("h", 9'000'000'000'000, "a"));
  SAME(c::hpexpiretime("h", "a"));
  SAME(c::hpttl("h", "a"));
  SAME(c::hrandfield("h1"));
  SAME(c::hrandfield("h1", 2));
  SAME(c::hrandfield("h1", 2, with_values));
  SAME(c::hscan("h", "0", {.match = "*"}));
  SAME(c::hset("h", {{"a", 9}, {"c", 3}}));
  SAME(c::hsetex("h", {{"a", 9}}, {.ex = 5s}));
  SAME(c::hsetnx("h", "a", 9));
  SAME(c::hstrlen("h", "a"));
  SAME(c::httl("h", "a"));
  SAME(c::hvals("h"));
}

void EveryCommand::lists() {
  SAME(c::blmove("l", "d", c::BlmoveWherefrom::left, c::BlmoveWhereto::right, 1s));
  SAME(c::blmpop(1s, {"none", "l"}, c::BlmpopWhere::left, {.count = 2}));
  SAME(c::blpop({"none", "l"}, 1s));
  SAME(c::blpop("none", 10ms));
  SAME(c::brpop("l", 1s));
  SAME(c::brpoplpush("l", "d", 1s));
  SAME(c::lindex("l", 1));
  SAME(c::linsert("l", c::LinsertWhere::after, "a", "n"));
  SAME(c::llen("l"));
  SAME(c::lmove("l", "d", c::LmoveWherefrom::right, c::LmoveWhereto::left));
  SAME(c::lmpop("l", c::LmpopWhere::right, {.count = 2}));
  SAME(c::lmpop("none", c::LmpopWhere::right));
  SAME(c::lpop("l"));
  SAME(c::lpop("none"));
  SAME(c::lpop("l", 2));
  SAME(c::lpop("none", 2));
  SAME(c::lpos("l", "b"));
  SAME(c::lpos("l", "none"));
  SAME(c::lpos("l", "b", 0, {.maxlen = 10}));
  SAME(c::lpush("l", {"y", "x"}));
  SAME(c::lpushx("none", "x"));
  SAME(c::lrange("l", 0, -1));
  SAME(c::lrem("l", 0, "b"));
  SAME(c::lset("l", 0, "A"));
  SAME(c::ltrim("l", 1, 2));
  SAME(c::rpop("l"));
  SAME(c::rpop("l", 2));
  SAME(c::rpoplpush("l", "d"));
  SAME(c::rpush("l", {1, 2}));
  SAME(c::rpushx("l", 1.5));
}

void EveryCommand::sets() {
  SAME(c::sadd("st", {"x", "n"}));
  SAME(c::scard("st"));
  SAME(c::sdiff({"st", "st2"}));
  SAME(c::sdiffstore("d", {"st", "st2"}));
  SAME(c::sinter({"st", "st2"}));
  SAME(c::sintercard({"st", "st2"}, {.limit = 1}));
  SAME(c::sinterstore("d", {"st", "st2"}));
  SAME(c::sismember("st", "x"));
  SAME(c::smembers("st"));
  SAME(c::smismember("st", {"x", "none"}));
  SAME(c::smove("st", "d", "x"));
  SAME(c::spop("st1"));
  SAME(c::spop("st", 10));
  SAME(c::srandmember("st1"));
  SAME(c::srandmember("st1", 2));
  SAME(c::srem("st", {"x", "none"}));
  SAME(c::sscan("st1", "0"));
  SAME(c::sunion({"st", "st2"}));
  SAME(c::sunionstore("d", {"st", "st2"}));
}

void EveryCommand::sorted_sets() {
  SAME(c::bzmpop(1s, "z", c::BzmpopWhere::min, {.count = 2}));
  SAME(c::bzpopmax({"none", "z"}, 1s));
  SAME(c::bzpopmin("none", 10ms));
  SAME(c::zadd("z", {{2, "a"}, {9, "n"}}, {.ch = true, .only_if = greater}));
  SAME(c::zadd("z", increment, {{1.5, "a"}}));
  SAME(c::zadd("z", increment, {{1.5, "a"}}, {.only_if = absent}));
  SAME(c::zcard("z"));
  SAME(c::zcount("z", "(1", "+inf"));
  SAME(c::zdiff({"z", "z2"}));
  SAME(c::zdiff({"z", "z2"}, with_scores));
  SAME(c::zdiffstore("d", {"z", "z2"}));
  SAME(c::zincrby("z", 0.25, "a"));
  SAME(c::zinter({"z", "z2"}));
  SAME(c::zinter({"z", "z2"}, with_scores, {.aggregate = c::ZinterAggregate::max}));
  SAME(c::zintercard({"z", "z2"}));
  SAME(c::zinterstore("d", {"z", "z2"}, {.weights = {1, 2}}));
  SAME(c::zlexcount("lex", "[a", "(c"));
  SAME(c::zmpop("z", c::ZmpopWhere::max));
  SAME(c::zmpop("none", c::ZmpopWhere::max));
  SAME(c::zmscore("z", {"a", "none"}));
  SAME(c::zpopmax("z", {.count = 2}));
  SAME(c::zpopmin("z"));
  SAME(c::zrandmember("z2"));
  SAME(c::zrandmember("z2", 3));
  SAME(c::zrandmember("z2", 3, with_scores));
  SAME(c::zrange("z", 0, -1));
  SAME(c::zrange("z", "(1", "+inf", with_scores, {.sortby = c::ZrangeSortby::byscore}));
  SAME(c::zrangebylex("lex", "-", "+", {.limit = {{.offset = 1, .count = 1}}}));
  SAME(c::zrangebyscore("z", 1, 2.5));
  SAME(c::zrangebyscore("z", 1, 2.5, with_scores));
  SAME(c::zrangestore("d", "z", 0, 1));
  SAME(c::zrank("z", "b"));
  if (RedisServer::is_other()) SAME(c::zrank("z", "b", with_score));  // not in redis-server 7.0
  SAME(c::zrank("z", "none"));
  SAME(c::zrem("z", {"a", "none"}));
  SAME(c::zremrangebylex("lex", "-", "[b"));
  SAME(c::zremrangebyrank("z", 0, 0));
  SAME(c::zremrangebyscore("z", 1, 2.5));
  SAME(c::zrevrange("z", 0, -1));
  SAME(c::zrevrange("z", 0, -1, with_scores));
  SAME(c::zrevrangebylex("lex", "+", "-"));
  SAME(c::zrevrangebyscore("z", 3, 1));
  SAME(c::zrevrangebyscore("z", 3, 1, with_scores));
  SAME(c::zrevrank("z", "b"));
  if (RedisServer::is_other()) SAME(c::zrevrank("z", "b", with_score));
  SAME(c::zscan("z", "0"));
  SAME(c::zscore("z", "b"));
  SAME(c::zunion({"z", "z2"}));
  SAME(c::zunion({"z", "z2"}, with_scores));
  SAME(c::zunionstore("d", {"z", "z2"}));
  SAME(c::geoadd("geo", {{1.0, 2.0, "n"}}, {.ch = true}));
  SAME(c::geodist("geo", "p", "q", {.unit = c::GeodistUnit::km}));
  SAME(c::geodist("geo", "p", "none"));
  SAME(c::geohash("geo", {"p", "none"}));
  SAME(c::geopos("geo", {"p", "none"}));
  SAME(c::georadius("geo", 15, 37, 300, c::GeoradiusUnit::km, {.withdist = true}));
  SAME(c::georadius_ro("geo", 15, 37, 300, c::GeoradiusRoUnit::km));
  SAME(c::georadiusbymember("geo", "p", 300, c::GeoradiusbymemberUnit::km));
  SAME(c::georadiusbymember_ro("geo", "p", 300, c::GeoradiusbymemberRoUnit::km));
  SAME(c::geosearch(
      "geo", {.frommember = "p", .circle = {{.radius = 300, .unit = c::GeosearchUnit::km}}}));
  SAME(
      c::geosearch("geo", with_distances,
                   {.frommember = "p", .circle = {{.radius = 300, .unit = c::GeosearchUnit::km}}}));
  SAME(c::geosearchstore(
      "d", "geo",
      {.frommember = "p", .circle = {{.radius = 1, .unit = c::GeosearchstoreUnit::km}}}));
}

void EveryCommand::streams() {
  SAME(c::xack("x", "g", {"1-1", "9-9"}));
  SAME(c::xadd("x", "3-1", {{"f", 1}}));
  SAME(c::xadd("none", "3-1", {{"f", 1}}, {.nomkstream = true}));
  SAME(c::xautoclaim("x", "g", "you", 0ms, "0"));
  SAME(c::xclaim("x", "g", "you", 0ms, {"1-1"}));
  SAME(c::xclaim("x", "g", "you", 0ms, {"1-1"}, just_ids));
  SAME(c::xdel("x", "1-1"));
  SAME(c::xgroup_create("x", "g2", "$"));
  FAILS(c::xgroup_create("x", "g", "$"));
  SAME(c::xgroup_createconsumer("x", "g", "you"));
  SAME(c::xgroup_delconsumer("x", "g", "me"));
  SAME(c::xgroup_destroy("x", "g"));
  SAME(c::xgroup_setid("x", "g", "0"));
  RUNS(c::xinfo_consumers("x", "g"));
  SAME(c::xinfo_groups("x"));
  SAME(c::xinfo_stream("x"));
  SAME(c::xlen("x"));
  SAME(c::xpending("x", "g"));
  SAME(c::xrange("x", "-", "+", {.count = 1}));
  SAME(c::xread("x", "0", {.count = 5}));
  SAME(c::xread("x", "9"));
  SAME(c::xreadgroup("g", "me", "x", ">"));
  SAME(c::xreadgroup("g", "me", "x", "0"));
  SAME(c::xrevrange("x", "+", "-"));
  SAME(c::xsetid("x", "9-9"));
  SAME(c::xtrim("x", c::XtrimStrategy::maxlen, 1));
}

void EveryCommand::bloom_filters() {
  SAME(c::bf_add("bf", "b"));
  SAME(c::bf_card("bf"));
  SAME(c::bf_exists("bf", "a"));
  SAME(c::bf_info("bf"));
  SAME(c::bf_insert("bf", {"a", "b"}));
  FAILS(c::bf_loadchunk("bf", 1, "x"));
  SAME(c::bf_madd("bf", {"a", "b"}));
  SAME(c::bf_mexists("bf", {"a", "b"}));
  SAME(c::bf_reserve("d", 0.01, 100));
  SAME(c::bf_scandump("bf", 0));
}

void EveryCommand::scripts() {
  SAME(c::eval("return {KEYS[1], ARGV[1], 7}", "k", "v"));
  SAME(c::eval<std::int64_t>("return #KEYS", {"a", "b"}));
  SAME(c::eval_ro("return redis.call('get', KEYS[1])", "s"));
  FAILS(c::evalsha("ffffffffffffffffffffffffffffffffffffffff", "k"));
  FAILS(c::evalsha_ro("ffffffffffffffffffffffffffffffffffffffff"));
  SAME(c::fcall("one", {"a", "b"}, "v"));
  SAME(c::fcall_ro("one", {}, "v"));
  SAME(c::function_delete("lib"));
  SAME(c::function_dump());
  SAME(c::function_flush());
  FAILS(c::function_kill());
  SAME(c::function_list());
  SAME(c::function_load("#!lua name=other\nredis.register_function('f', function() return 1 end)",
                        {.replace = true}));
  SAME(c::function_restore(functions_, {.policy = c::FunctionRestorePolicy::flush}));
  SAME(c::function_stats());
  SAME(c::script_exists({"ffffffffffffffffffffffffffffffffffffffff"}));
  FAILS(c::script_kill());
  SAME(c::script_load("return 1"));
  SAME(c::script_flush());
  // Valkey's: the text of a script by its name.
  FAILS(c::script_show("ffffffffffffffffffffffffffffffffffffffff"));
}

TEST_F(EveryCommand, SaysWhatTheRawReplySays) {
  strings();
  keys();
  hashes();
  lists();
  sets();
  sorted_sets();
  streams();
  bloom_filters();
  scripts();
  server();
  connections();
  cluster();
  if (!RedisServer::is_other()) return;
  const auto docs = clients_[0]->run(c::command_docs<std::vector<std::pair<std::string, Reply>>>());
  ASSERT_TRUE(docs.ok());
  for (const auto& [name, doc] : *docs) {
    std::string subcommands;
    for (std::size_t i = 0; i + 1 < doc.size(); i += 2) {
      if (doc[i].text() != "subcommands") continue;
      for (std::size_t s = 0; s < doc[i + 1].size(); s += 2) {
        EXPECT_TRUE(seen_.contains(upper(doc[i + 1][s].text()))) << doc[i + 1][s].text();
        subcommands = "has some";
      }
    }
    if (subcommands.empty()) {
      EXPECT_TRUE(seen_.contains(upper(name))) << name;
    }
  }
}

}  // namespace slotcar::client
