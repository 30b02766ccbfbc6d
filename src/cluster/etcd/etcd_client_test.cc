// What is sent to etcd and what is made of its answers: scripted ones, in the form of etcd 3.4.
#include "cluster/etcd/etcd_client.h"

#include <gtest/gtest.h>

#include <deque>

#include "cluster/etcd/base64.h"
#include "cluster/etcd/etcd_address.h"
#include "cluster/etcd/limits.h"

namespace slotcar::cluster {
namespace {

class ScriptedHttp final : public Http {
 public:
  std::vector<HttpRequest> sent;
  std::deque<Result<HttpReply>> answers;
  std::vector<std::string> pieces;  // of a stream

  Result<HttpReply> post(const HttpRequest& request) override {
    sent.push_back(request);
    if (answers.empty()) return Error{"nothing is left of the script"};
    auto answer = std::move(answers.front());
    answers.pop_front();
    return answer;
  }
  Result<HttpReply> stream(const HttpRequest& request, const OnBytes& on_bytes) override {
    sent.push_back(request);
    for (const std::string& piece : pieces) {
      if (!on_bytes(piece)) return Error{"ended"};
    }
    return HttpReply{200, ""};
  }
  void interrupt() override {}
};

class EtcdClientTest : public testing::Test {
 protected:
  void answer(std::string body, int status = 200) {
    http_.answers.push_back(HttpReply{status, std::move(body)});
  }
  ScriptedHttp http_;
  EtcdClient client_{{{"http://one", "http://two"}, "", ""}, http_};
  EtcdClient with_user_{{{"http://one", "http://two"}, "root", "a\"b"}, http_};
};

TEST_F(EtcdClientTest, ATransactionInJson) {
  answer(
      R"({"header":{"cluster_id":"3586811377195397337","revision":"9007199254740993"},)"
      R"("succeeded":true,)"
      R"("responses":[{"response_put":{"header":{"revision":"5"}}},{"response_delete_range":{}},)"
      R"({"response_range":{"kvs":[{"key":"YQ==","mod_revision":"7","version":"1",)"
      R"("value":"AP8="}],"count":"1"}},)"
      R"({"response_range":{"header":{"revision":"5"}}}]})");
  const auto outcome = client_.run({.compares = {{"k", 0}, {"l", 12}},
                                    .puts = {{"k", "v", 99}},
                                    .deletes = {"d"},
                                    .reads = {{"a"}, {"p/", true}}});
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_TRUE(outcome->succeeded);
  EXPECT_EQ(outcome->revision, 9007199254740993);
  ASSERT_EQ(outcome->read.size(), 2u);
  ASSERT_EQ(outcome->read[0].size(), 1u);
  EXPECT_EQ(outcome->read[0][0].key, "a");
  EXPECT_EQ(outcome->read[0][0].value, std::string("\0\xff", 2));
  EXPECT_EQ(outcome->read[0][0].mod_revision, 7);
  EXPECT_TRUE(outcome->read[1].empty());
  ASSERT_EQ(http_.sent.size(), 1u);
  EXPECT_EQ(http_.sent[0].url, "http://one/v3/kv/txn");
  EXPECT_EQ(http_.sent[0].body,
            R"({"compare":[{"key":"aw==","target":"MOD","result":"EQUAL","mod_revision":"0"},)"
            R"({"key":"bA==","target":"MOD","result":"EQUAL","mod_revision":"12"}],)"
            R"("success":[{"request_put":{"key":"aw==","value":"dg==","lease":"99"}},)"
            R"({"request_delete_range":{"key":"ZA=="}},{"request_range":{"key":"YQ=="}},)"
            R"({"request_range":{"key":"cC8=","range_end":"cDA="}}]})");
}

TEST_F(EtcdClientTest, AFailedComparisonIsNoError) {
  answer(R"({"header":{"revision":"5"}})");
  const auto outcome = client_.run({.compares = {{"k", 1}}, .puts = {{"k", "v"}}});
  ASSERT_TRUE(outcome);
  EXPECT_FALSE(outcome->succeeded);
}

TEST_F(EtcdClientTest, AnAnswerThatDoesNotFitIsAnError) {
  for (const char* body :
       {R"({"succeeded":true,"responses":[]})", "", "{", "[]]",
        R"({"succeeded":true,"responses":[{"response_range":{"kvs":[{"key":"%"}]}}]})"}) {
    http_.answers.clear();
    answer(body);
    answer(body);
    EXPECT_FALSE(client_.run({.reads = {{"a"}}})) << body;
  }
}

TEST_F(EtcdClientTest, AKeepAliveWithoutTimeMeansThatTheLeaseIsGone) {
  answer(R"({"result":{"header":{"revision":"2"},"ID":"7","TTL":"15"}})");
  EXPECT_EQ(*client_.keep_alive(7), 15);
  answer(R"({"result":{"header":{"revision":"2"},"ID":"7"}})");
  EXPECT_EQ(*client_.keep_alive(7), 0);
  answer(R"({"error":{"grpc_code":14,"message":"no leader"}})");
  answer(R"({"error":{"grpc_code":14,"message":"no leader"}})");
  const auto none = client_.keep_alive(7);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().message, "etcd answered: no leader");
}

TEST_F(EtcdClientTest, TheTimeThatWasGrantedCounts) {
  answer(R"({"header":{},"ID":"7533855790040127752","TTL":"4"})");
  const auto granted = client_.grant(2);
  ASSERT_TRUE(granted);
  EXPECT_EQ(granted->lease, 7533855790040127752);
  EXPECT_EQ(granted->seconds, 4);
  EXPECT_EQ(http_.sent[0].body, R"({"TTL":"2"})");
  answer("{}");
  EXPECT_FALSE(client_.grant(2));
}

TEST_F(EtcdClientTest, AReadIsRepeatedAtTheNextEndpoint) {
  http_.answers.push_back(Error{"refused"});
  answer(R"({"succeeded":true,"responses":[{"response_range":{}}]})");
  EXPECT_TRUE(client_.run({.reads = {{"a"}}}));
  EXPECT_EQ(http_.sent[1].url, "http://two/v3/kv/txn");
}

TEST_F(EtcdClientTest, AWriteIsNotRepeatedByItself) {
  http_.answers.push_back(Error{"timeout"});
  EXPECT_FALSE(client_.run({.puts = {{"a", "b"}}}));
  EXPECT_EQ(http_.sent.size(), 1u);
  answer(R"({"succeeded":true,"responses":[{"response_put":{}}]})");
  EXPECT_TRUE(client_.run({.puts = {{"a", "b"}}}));
  EXPECT_EQ(http_.sent[1].url, "http://two/v3/kv/txn");
}

TEST_F(EtcdClientTest, AWriteThatFoundNoConnectionIsRepeated) {
  answer("refused", 0);
  answer(R"({"succeeded":true,"responses":[{"response_put":{}}]})");
  EXPECT_TRUE(client_.run({.puts = {{"a", "b"}}}));
  EXPECT_EQ(http_.sent[1].url, "http://two/v3/kv/txn");
  answer("refused", 0);
  answer("refused as well", 0);
  const auto none = client_.run({.puts = {{"a", "b"}}});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().message, "refused as well");
}

TEST_F(EtcdClientTest, ATokenIsFetchedAndRenewed) {
  answer(R"({"header":{},"token":"t1"})");
  answer(R"({"error":"x","message":"etcdserver: invalid auth token","code":16})", 401);
  answer(R"({"token":"t2"})");
  answer(R"({"succeeded":true,"responses":[{"response_put":{}}]})");
  EXPECT_TRUE(with_user_.run({.puts = {{"a", "b"}}}));
  ASSERT_EQ(http_.sent.size(), 4u);
  EXPECT_EQ(http_.sent[0].url, "http://one/v3/auth/authenticate");
  EXPECT_EQ(http_.sent[0].body, R"({"name":"root","password":"a\"b"})");
  EXPECT_EQ(http_.sent[0].token, "");
  EXPECT_EQ(http_.sent[1].token, "t1");
  EXPECT_EQ(http_.sent[3].token, "t2");
}

TEST_F(EtcdClientTest, AWrongPasswordIsToldAndNotTriedForEver) {
  for (int i = 0; i < 2; ++i) {
    answer(R"({"message":"etcdserver: authentication failed, invalid user ID or password"})", 400);
  }
  const auto outcome = with_user_.run({.reads = {{"a"}}});
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().message,
            "etcd answered: etcdserver: authentication failed, invalid user ID or password");
}

TEST_F(EtcdClientTest, AStreamOfEvents) {
  const std::string created = R"({"result":{"header":{},"created":true}})"
                              "\n";
  const std::string event = R"({"result":{"header":{},"events":[{"kv":{"key":"YQ=="}}]}})"
                            "\n";
  http_.pieces = {created + event.substr(0, 9), event.substr(9) + event, created};
  int events = 0;
  const auto end = client_.watch("p/", 12, [&] { return ++events > 0; });
  EXPECT_EQ(events, 2);
  EXPECT_FALSE(end.compacted);
  EXPECT_EQ(http_.sent[0].body,
            R"({"create_request":{"key":"cC8=","range_end":"cDA=","start_revision":"12"}})");
  http_.pieces = {R"({"result":{"header":{},"canceled":true,"compact_revision":"20"}})"
                  "\n"};
  EXPECT_TRUE(client_.watch("p/", 12, [] { return true; }).compacted);
  http_.pieces = {"nonsense\n"};
  EXPECT_FALSE(client_.watch("p/", 12, [] { return true; }).compacted);
}

// --- the parts ---------------------------------------------------------------------------------

TEST(Json, IsBounded) {
  EXPECT_TRUE(
      read_json(std::string(limits::kJsonDepthMax, '[') + std::string(limits::kJsonDepthMax, ']')));
  EXPECT_FALSE(read_json(std::string(limits::kJsonDepthMax + 1, '[') +
                         std::string(limits::kJsonDepthMax + 1, ']')));
  EXPECT_FALSE(read_json(std::string(10'000'000, '[')));
  std::string many = "[";
  for (std::size_t i = 0; i < limits::kJsonValuesMax; ++i) many += "1,";
  EXPECT_FALSE(read_json(many + "1]"));
  EXPECT_FALSE(read_json(std::string(limits::kEtcdReplyBytesMax + 1, ' ')));
  EXPECT_FALSE(read_json("\"\xff\""));
  EXPECT_FALSE(read_json("{} x"));
}

TEST(Json, ReadsNumbersAsEtcdWritesThem) {
  const auto json =
      read_json(R"({"a":"9223372036854775807","b":12,"c":[true,{"d":"x"}],"e":null})");
  ASSERT_TRUE(json);
  EXPECT_EQ((*json)["a"].number(), INT64_MAX);
  EXPECT_EQ((*json)["b"].number(), 12);
  EXPECT_EQ((*json)["c"].items()[1]["d"].text(), "x");
  EXPECT_TRUE((*json)["c"].items()[0].is_true());
  EXPECT_EQ((*json)["none"]["deeper"].number(), 0);
  EXPECT_FALSE((*json)["none"].exists());
}

TEST(Base64, BothWays) {
  std::string bytes;
  for (int i = 0; i < 300; ++i) {
    EXPECT_EQ(from_base64(base64_of(bytes)), bytes);
    bytes += static_cast<char>(i * 7);
  }
  EXPECT_EQ(base64_of("foob"), "Zm9vYg==");
  for (const char* wrong : {"a", "ab", "abc", "====", "a===", "ab=c", "ab!=", "ab==abcd"}) {
    EXPECT_FALSE(from_base64(wrong)) << wrong;
  }
}

TEST(EtcdAddress, EndpointsAndPrefix) {
  const auto address = read_etcd_address("etcds://a:2379,[::1]:1/x/y/");
  ASSERT_TRUE(address) << address.error().message;
  EXPECT_EQ(address->endpoints, (std::vector<std::string>{"https://a:2379", "https://[::1]:1"}));
  EXPECT_EQ(address->prefix, "x/y/");
  EXPECT_EQ(read_etcd_address("etcd://127.0.0.1:2379/p")->endpoints[0], "http://127.0.0.1:2379");
  for (const char* wrong :
       {"etcd://", "etcd://a:1", "etcd://a:1/", "etcd:///p", "etcd://a/p", "etcd://a:0/p",
        "etcd://a:99999/p", "etcd://u@a:1/p", "etcd://a:1,/p", "etcd://a:1//p", "etcd://a:1/p q"}) {
    EXPECT_FALSE(read_etcd_address(wrong)) << wrong;
  }
}

}  // namespace
}  // namespace slotcar::cluster
