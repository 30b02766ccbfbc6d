// Every typed call against a real server, in both protocols: the same data set, the typed call and
// the raw request; the typed value must say what the raw reply says, and the same in RESP2 and
// RESP3. Against Slotcar the list is compared with COMMAND DOCS, so that no command is left out.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "redis_server.h"
#include "reply_leaves.h"
#include "slotcar/redis.h"

namespace slotcar::client {

namespace c = commands;
using namespace std::chrono_literals;

// ------------------------------------------------------------ the data set and the comparison
class EveryCommand : public testing::Test {
 protected:
  void SetUp() override {
    SLOTCAR_NEEDS_REDIS_SERVER();
    server_ =
        std::make_unique<RedisServer>(std::vector<std::string>{"--save", "", "--appendonly", "no"});
    for (const char* protocol :
         {"?protocol=2&lanes=1&timeout=60s", "?protocol=3&lanes=1&timeout=60s"}) {
      clients_.push_back(std::make_unique<Client>(Options{.uri = server_->uri(protocol)}));
    }
    dump_ = Redis(*clients_[0]).dump(prepared("s"))->value();
    functions_ = *Redis(*clients_[0]).function_dump();
  }
  std::string_view prepared(std::string_view key) {
    prepare(*clients_[0]);
    return key;
  }
  void prepare(Client& client) {
    std::vector<Request> seeds;
    for (const auto& words : std::vector<std::vector<std::string>>{
             {"FLUSHALL"},
             {"MSET", "s", "hello", "s2", "help", "n", "5", "f", "1.5", "bits", "ab"},
             {"HSET", "h", "a", "1", "b", "2"},
             {"HSET", "h1", "only", "v"},
             {"RPUSH", "l", "a", "b", "c", "b"},
             {"SADD", "st", "x", "y", "z"},
             {"SADD", "st2", "y", "w"},
             {"SADD", "st1", "only"},
             {"ZADD", "z", "1", "a", "2.5", "b", "3", "c"},
             {"ZADD", "z2", "5", "b"},
             {"ZADD", "lex", "0", "a", "0", "b", "0", "c"},
             {"XADD", "x", "1-1", "f", "v"},
             {"XADD", "x", "2-1", "g", "w"},
             {"XGROUP", "CREATE", "x", "g", "0"},
             {"XREADGROUP", "GROUP", "g", "me", "COUNT", "1", "STREAMS", "x", ">"},
             {"GEOADD", "geo", "13.361389", "38.115556", "p", "15.087269", "37.502669", "q"},
             {"PFADD", "hll", "a", "b"},
             {"PEXPIREAT", "f", "9000000000000"},
             {"BF.ADD", "bf", "a"},
             {"FUNCTION", "LOAD", "REPLACE",
              "#!lua name=lib\nredis.register_function{function_name='one', callback="
              "function(k, a) return {#k, a[1]} end, flags={'no-writes'}}"},
         }) {
      seeds.push_back(Request::of(words));
    }
    (void)client.run_batch(std::move(seeds));
  }

  enum class How { same, runs, fails };
  template <class F>
  void check(F call, How how, const char* text) {
    using T = typename std::invoke_result_t<F>::Value;
    std::vector<Leaves> both;
    note(call().request());
    for (const auto& client : clients_) {
      prepare(*client);
      const Result<Reply> raw = client->run(call().request());
      prepare(*client);
      const Result<T> typed = client->run(call());
      // Of a command that only Slotcar has.
      const bool unknown =
          !raw && !RedisServer::is_other() && raw.error().message.starts_with("ERR unknown");
      if (!unknown) {
        EXPECT_EQ(typed.ok(), how != How::fails)
            << text << ": " << (typed.ok() ? "" : typed.error().message);
      }
      if (how != How::runs) {
        EXPECT_EQ(got<T>(typed), expected<T>(raw)) << text;
      }
      both.push_back(got<T>(typed));
    }
    if (how == How::same) {
      EXPECT_EQ(both[0], both[1]) << text;
    }
  }
  // A call that changes its connection: the client says what to use instead.
  template <class F>
  void refused(F call, const char* text) {
    note(call().request());
    const auto result = clients_[1]->run(call());
    ASSERT_FALSE(result.ok()) << text;
    EXPECT_EQ(result.error().kind, Error::Kind::usage) << text;
  }
  // Not sent; the reason stands where it is called.
  void left_out(const Request& request) { note(request); }
  void note(const Request& request) {
    seen_.emplace(request.command());
    if (request.arguments() > 1) {
      seen_.insert(std::string(request.command()) + "|" + std::string(request.argument(1)));
    }
  }

  static std::string upper(std::string text) {
    for (char& letter : text) letter = static_cast<char>(std::toupper(letter));
    return text;
  }
  void strings();
  void keys();
  void hashes();
  void lists();
  void sets();
  void sorted_sets();
  void streams();
  void bloom_filters();
  void scripts();
  void server();
  void connections();
  void cluster();

  std::unique_ptr<RedisServer> server_;
  std::vector<std::unique_ptr<Client>> clients_;
  std::string dump_;
  std::string functions_;
  std::set<std::string> seen_;
};

#define SAME(call) check([&] { return call; }, How::same, #call)
#define RUNS(call) check([&] { return call; }, How::runs, #call)  // its answers vary
#define FAILS(call) check([&] { return call; }, How::fails, #call)
#define REFUSED(call) refused([&] { return call; }, #call)

}  // namespace slotcar::client
