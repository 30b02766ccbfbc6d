// The table of redirections, row by row, and in which order they count. Then what it is asked with,
// from made-up commands and a topology.
#include "router/redirects.h"

#include <gtest/gtest.h>

#include <functional>

#include "cluster/topology_reader.h"
#include "router/router.h"

namespace slotcar::router {
namespace {

using Facts = RedirectFacts;
using schema::Access;
using schema::Command;

// A request with one key of a slot that is this node's.
Facts plain() {
  Facts facts;
  facts.has_keys = facts.assigned = facts.ours = true;
  return facts;
}
Facts with(const std::function<void(Facts&)>& change) {
  Facts facts = plain();
  change(facts);
  return facts;
}

TEST(RedirectTable, WhatIsOursRuns) {
  EXPECT_EQ(redirect_of(plain()), Redirect::none);
  EXPECT_EQ(redirect_of(with([](Facts& f) { f.writes = f.several_keys = true; })), Redirect::none);
}

TEST(RedirectTable, WithoutKeysEverythingRunsEverywhere) {
  Facts facts;
  facts.is_down = facts.writes = true;
  EXPECT_EQ(redirect_of(facts), Redirect::none);
}

TEST(RedirectTable, ASlotThatIsNotAssignedIsNotServed) {
  const auto lost = [](Facts& f) { f.assigned = f.ours = false; };
  EXPECT_EQ(redirect_of(with(lost)), Redirect::not_served);
  // Before the other keys are looked at, and whatever the cluster's state.
  EXPECT_EQ(redirect_of(with([&](Facts& f) {
              lost(f);
              f.several_slots = f.is_down = f.channels = true;
            })),
            Redirect::not_served);
}

TEST(RedirectTable, KeysOfSeveralSlotsAreRefusedWhoeverHasThem) {
  EXPECT_EQ(redirect_of(with([](Facts& f) { f.several_slots = true; })), Redirect::cross_slot);
  EXPECT_EQ(redirect_of(with([](Facts& f) {
              f.several_slots = true;
              f.ours = false;
              f.is_down = true;
            })),
            Redirect::cross_slot);
}

TEST(RedirectTable, ADownClusterServesWhatItsSettingsAllow) {
  const auto down = [](bool writes, bool reads_allowed) {
    return redirect_of(with([=](Facts& f) {
      f.is_down = true;
      f.writes = writes;
      f.reads_when_down = reads_allowed;
    }));
  };
  EXPECT_EQ(down(false, false), Redirect::down);
  EXPECT_EQ(down(true, false), Redirect::down);
  EXPECT_EQ(down(false, true), Redirect::none);
  EXPECT_EQ(down(true, true), Redirect::down_to_writes);
  const auto channel = [](bool allowed) {
    return redirect_of(with([=](Facts& f) {
      f.is_down = f.channels = true;
      f.channels_when_down = allowed;
    }));
  };
  EXPECT_EQ(channel(true), Redirect::none);
  EXPECT_EQ(channel(false), Redirect::down);
  // It is down also for what another node has.
  EXPECT_EQ(redirect_of(with([](Facts& f) {
              f.is_down = true;
              f.ours = false;
            })),
            Redirect::down);
}

TEST(RedirectTable, ASlotThatIsOursInAMomentIsWaitedFor) {
  const auto awaited = [](const std::function<void(Facts&)>& change) {
    return redirect_of(with([&](Facts& f) {
      f.awaited = true;
      change(f);
    }));
  };
  EXPECT_EQ(awaited([](Facts&) {}), Redirect::wait);
  EXPECT_EQ(awaited([](Facts& f) { f.asks = f.moves_keys = f.writes = true; }), Redirect::wait);
  EXPECT_EQ(awaited([](Facts& f) { f.several_slots = true; }), Redirect::cross_slot);
  EXPECT_EQ(awaited([](Facts& f) { f.is_down = true; }), Redirect::down);
}

TEST(RedirectTable, ASlotThatLeavesServesTheKeysThatAreStillHere) {
  const auto leaving = [](bool present, bool missing) {
    return redirect_of(with([=](Facts& f) {
      f.leaving = true;
      f.several_keys = present && missing;
      f.some_present = present;
      f.some_missing = missing;
    }));
  };
  EXPECT_EQ(leaving(true, false), Redirect::none);
  EXPECT_EQ(leaving(false, true), Redirect::ask);
  EXPECT_EQ(leaving(true, true), Redirect::try_again);
  EXPECT_EQ(leaving(false, false), Redirect::none) << "not looked at yet";
}

TEST(RedirectTable, KeysAreMovedFromEitherEndOfASlotInMotion) {
  for (const bool comes : {false, true}) {
    EXPECT_EQ(redirect_of(with([comes](Facts& f) {
                f.moves_keys = f.some_missing = f.some_present = f.several_keys = true;
                f.leaving = !comes;
                f.coming = comes;
                f.ours = !comes;
              })),
              Redirect::none);
  }
  EXPECT_EQ(redirect_of(with([](Facts& f) {
              f.moves_keys = true;
              f.ours = false;
            })),
            Redirect::moved)
      << "a slot at rest";
}

TEST(RedirectTable, ASlotThatComesServesThoseWhoAsk) {
  const auto coming = [](bool asks, bool several, bool missing) {
    return redirect_of(with([=](Facts& f) {
      f.ours = false;
      f.coming = true;
      f.asks = asks;
      f.several_keys = several;
      f.some_missing = missing;
    }));
  };
  EXPECT_EQ(coming(false, false, false), Redirect::moved);
  EXPECT_EQ(coming(true, false, false), Redirect::none);
  EXPECT_EQ(coming(true, false, true), Redirect::none) << "one key is made here, if it is not";
  EXPECT_EQ(coming(true, true, true), Redirect::try_again);
  EXPECT_EQ(coming(true, true, false), Redirect::none);
}

TEST(RedirectTable, AskingOpensNoOtherSlot) {
  EXPECT_EQ(redirect_of(with([](Facts& f) {
              f.ours = false;
              f.asks = true;
            })),
            Redirect::moved);
}

TEST(RedirectTable, AReplicaServesReadersAndSubscribers) {
  const auto replica = [](bool readonly, bool writes, bool channels) {
    return redirect_of(with([=](Facts& f) {
      f.ours = false;
      f.of_our_primary = true;
      f.reads_replica = readonly;
      f.writes = writes;
      f.channels = channels;
    }));
  };
  EXPECT_EQ(replica(true, false, false), Redirect::none);
  EXPECT_EQ(replica(true, true, false), Redirect::moved);
  EXPECT_EQ(replica(false, false, false), Redirect::moved);
  EXPECT_EQ(replica(false, false, true), Redirect::none);
  // READONLY opens no slots but those of its primary.
  EXPECT_EQ(redirect_of(with([](Facts& f) {
              f.ours = false;
              f.reads_replica = true;
            })),
            Redirect::moved);
}

// --- from requests to facts --------------------------------------------------------------------

void on_keys_handler(shard::Call&) {}
void on_session_handler(session::Session&, shard::Call&) {}

Command command(std::string_view name, Access access, schema::Runs runs, schema::KeySpecs keys) {
  return {.name = name,
          .summary = {},
          .since = {},
          .group = schema::Group::generic,
          .arity = schema::at_least(1),
          .keys = keys,
          .access = access,
          .runs = runs};
}

const std::string kA(40, 'a');
const std::string kB(40, 'b');
const std::string kC(40, 'c');

shard::Caller by_tls() {
  shard::Caller caller;
  caller.by_tls = true;
  return caller;
}
shard::Caller asking() {
  shard::Caller caller;
  caller.asks = true;
  return caller;
}
shard::Caller readonly() {
  shard::Caller caller;
  caller.reads_replica = true;
  return caller;
}

// Slots of the keys below, as CLUSTER KEYSLOT gives them.
constexpr int kFoo = 12182;
constexpr int kBar = 5061;

class RedirectsTest : public testing::Test {
 protected:
  // This node is the first one.
  void use(const std::string& slots_of_a, const std::string& slots_of_b,
           const std::string& more = "", const std::string& self = kA) {
    settings_.node_id = self;
    auto topology = cluster::read_topology(
        "slotcar-topology 1\nnode " + kA + " ip=10.0.0.1 port=7001\nnode " + kB +
        " ip=10.0.0.2 port=7002 tls-port=7102 hostname=b.example\nnode " + kC +
        " ip=10.0.0.3 port=7003 replica-of=" + kB + "\n" +
        (slots_of_a.empty() ? "" : "slots " + kA + " " + slots_of_a + "\n") +
        (slots_of_b.empty() ? "" : "slots " + kB + " " + slots_of_b + "\n") + more + "end\n");
    ASSERT_TRUE(topology) << topology.error().message;
    ASSERT_TRUE(cluster_.start(std::move(*topology), {}).ok());
  }

  // The error that the request gets; empty: it runs.
  std::string route(const std::vector<std::string>& words, const shard::Caller& caller = {},
                    Reasons now = {}) {
    shard::Call call;
    for (const std::string& word : words) call.arguments().add(word);
    call.set_caller(caller);
    now.add(router_.always());
    const Decision decision =
        router_.route(call, {.now = now, .queued = {}, .transaction = &transaction_});
    if (decision.verdict != Verdict::stop) return {};
    if (decision.reason == Reason::in_cluster) {
      return router_.redirects()->error(decision.elsewhere, caller);
    }
    return Refusals::error(decision.reason, call);
  }
  // MULTI has queued it.
  void queue(const std::vector<std::string>& words) {
    auto call = std::make_unique<shard::Call>();
    for (const std::string& word : words) call->arguments().add(word);
    call->own_arguments();
    static_cast<void>(router_.route(*call, {}));
    transaction_.queue(std::move(call));
  }

  Command read_ = command("READ", Access::readonly, schema::on_keys(on_keys_handler),
                          schema::keys(1, -1, 1, schema::KeyUse::ro));
  Command write_ =
      command("WRITE", Access::write | Access::may_grow, schema::on_keys(on_keys_handler),
              schema::keys(1, -1, 1, schema::KeyUse::rw));
  Command listen_ = command("LISTEN", Access::pubsub, schema::on_session(on_session_handler),
                            schema::keys(1, -1, 1, schema::KeyUse::not_key));
  Command ping_ = command("PING", Access::fast, schema::on_session(on_session_handler), {});
  Command restore_ =
      command("RESTORE-ASKING", Access::write | Access::asking, schema::on_keys(on_keys_handler),
              schema::key_at(1, schema::KeyUse::ow));
  Command exec_ = [] {
    Command exec = command("EXEC", Access::none, schema::on_keys(on_keys_handler), {});
    exec.runs_transaction = true;
    return exec;
  }();
  std::vector<const Command*> all_{&read_, &write_, &listen_, &ping_, &restore_, &exec_};
  schema::Registry registry_{all_};
  shard::ShardSet shards_{keyspace::KeyspaceShape{}};
  cluster::Settings settings_;
  cluster::Cluster cluster_{settings_};
  Router router_{registry_, shards_, &cluster_};
  shard::Transaction transaction_;
};

TEST_F(RedirectsTest, TheOwnerIsNamedWithTheSlot) {
  use("0-8191", "8192-16383");
  EXPECT_EQ(route({"READ", "bar"}), "");
  EXPECT_EQ(route({"READ", "foo"}), "MOVED 12182 10.0.0.2:7002");
  EXPECT_EQ(route({"READ", "{bar}1", "{bar}2"}), "");
  EXPECT_EQ(route({"READ", "bar", "foo"}), "CROSSSLOT Keys in request don't hash to the same slot");
  EXPECT_EQ(route({"PING"}), "");
}

TEST_F(RedirectsTest, AnEndpointIsNamedAsPreferred) {
  use("0-8191", "8192-16383");
  settings_.endpoint_type = cluster::EndpointType::hostname;
  EXPECT_EQ(route({"READ", "foo"}), "MOVED 12182 b.example:7002");
  settings_.endpoint_type = cluster::EndpointType::unknown;
  EXPECT_EQ(route({"READ", "foo"}), "MOVED 12182 :7002");
  settings_.endpoint_type = cluster::EndpointType::ip;
  EXPECT_EQ(route({"READ", "foo"}, by_tls()), "MOVED 12182 10.0.0.2:7102");
}

TEST_F(RedirectsTest, ChannelsOfShardedPubSubHaveSlots) {
  use("0-8191", "8192-16383");
  EXPECT_EQ(route({"LISTEN", "bar"}), "");
  EXPECT_EQ(route({"LISTEN", "foo"}), "MOVED 12182 10.0.0.2:7002");
  EXPECT_EQ(route({"LISTEN", "bar", "foo"}),
            "CROSSSLOT Keys in request don't hash to the same slot");
  EXPECT_EQ(route({"LISTEN"}), "");
}

TEST_F(RedirectsTest, MissingSlotsMakeTheClusterDown) {
  use("0-8191", "");
  EXPECT_EQ(route({"READ", "foo"}), "CLUSTERDOWN Hash slot not served");
  EXPECT_EQ(route({"READ", "bar"}), "CLUSTERDOWN The cluster is down");
  EXPECT_EQ(route({"LISTEN", "bar"}), "");
  settings_.channels_when_down = false;
  EXPECT_EQ(route({"LISTEN", "bar"}), "CLUSTERDOWN The cluster is down");
  settings_.reads_when_down = true;
  EXPECT_EQ(route({"READ", "bar"}), "");
  EXPECT_EQ(route({"WRITE", "bar"}),
            "CLUSTERDOWN The cluster is down and only accepts read commands");
  settings_.full_coverage = false;
  cluster_.settings_changed();
  EXPECT_EQ(route({"WRITE", "bar"}), "");
}

// Whether it waits is decided under its tokens.
TEST_F(RedirectsTest, CallsOfAFencedSlotAreAdmitted) {
  settings_.node_timeout_ms = 1000;
  use("0-8191", "8192-16383", "fence " + kB + " 5061 12182\n");
  EXPECT_EQ(route({"READ", "bar"}), "");
  EXPECT_EQ(route({"WRITE", "bar"}, asking()), "");
  EXPECT_EQ(route({"READ", "bar", "foo"}), "CROSSSLOT Keys in request don't hash to the same slot");
  EXPECT_EQ(route({"LISTEN", "bar"}), "CLUSTERDOWN Hash slot not served") << "not a channel";
  EXPECT_EQ(route({"READ", "foo"}), "MOVED 12182 10.0.0.2:7002") << "another node's";
  EXPECT_TRUE(router_.redirects()->may_wait(Slot{kBar}, {}, false));
  queue({"WRITE", "bar"});
  EXPECT_EQ(route({"EXEC"}), "");
  bool more = true;
  cluster_.take_awaited(cluster::Lease::now() + 2'000'000'000, more);
  EXPECT_EQ(route({"READ", "bar"}), "CLUSTERDOWN Hash slot not served") << "too long";
  EXPECT_FALSE(router_.redirects()->may_wait(Slot{kBar}, {}, false));
}

TEST_F(RedirectsTest, AReplicaReadsForThoseWhoWantIt) {
  use("0-8191", "8192-16383", "", kC);
  EXPECT_EQ(route({"READ", "foo"}), "MOVED 12182 10.0.0.2:7002");
  EXPECT_EQ(route({"READ", "foo"}, readonly()), "");
  EXPECT_EQ(route({"WRITE", "foo"}, readonly()), "MOVED 12182 10.0.0.2:7002");
  EXPECT_EQ(route({"READ", "bar"}, readonly()), "MOVED 5061 10.0.0.1:7001");
  EXPECT_EQ(route({"LISTEN", "foo"}), "");
  queue({"READ", "foo"});
  EXPECT_EQ(route({"EXEC"}, readonly()), "");
  queue({"WRITE", "foo"});
  EXPECT_EQ(route({"EXEC"}, readonly()), "MOVED 12182 10.0.0.2:7002");
}

TEST_F(RedirectsTest, ASlotThatComesIsOpenToThoseWhoAsk) {
  use("0-8191", "8192-16383", "move 12182 " + kA + "\n");
  EXPECT_EQ(route({"READ", "foo"}), "MOVED 12182 10.0.0.2:7002");
  EXPECT_EQ(route({"READ", "foo"}, asking()), "");
  EXPECT_EQ(route({"RESTORE-ASKING", "foo"}), "") << "it declares that it may";
  EXPECT_EQ(route({"READ", "{foo}1", "zap"}, asking()),
            "CROSSSLOT Keys in request don't hash to the same slot");
}

TEST_F(RedirectsTest, ExecComparesTheSlotsOfItsCommands) {
  use("0-8191", "8192-16383");
  EXPECT_EQ(route({"EXEC"}), "");
  queue({"WRITE", "bar"});
  queue({"PING"});
  queue({"READ", "{bar}2"});
  EXPECT_EQ(route({"EXEC"}), "");
  queue({"READ", "foo"});
  EXPECT_EQ(route({"EXEC"}), "CROSSSLOT Keys in request don't hash to the same slot");
  EXPECT_EQ(route({"EXEC"}, {}, Reasons(Reason::multi_spoilt)),
            "EXECABORT Transaction discarded because of previous errors.");
}

TEST_F(RedirectsTest, ExecGoesWhereItsCommandsDo) {
  use("0-8191", "8192-16383");
  queue({"READ", "foo"});
  EXPECT_EQ(route({"EXEC"}), "MOVED 12182 10.0.0.2:7002");
}

// After who may do it, before there is room for it.
TEST_F(RedirectsTest, ItsPlaceAmongTheRefusals) {
  use("0-8191", "8192-16383");
  EXPECT_EQ(route({"WRITE", "foo"}, {}, Reasons(Reason::unauthenticated, Reason::over_memory)),
            "NOAUTH Authentication required.");
  EXPECT_EQ(route({"WRITE", "foo"}, {}, Reasons(Reason::over_memory)), "MOVED 12182 10.0.0.2:7002");
  EXPECT_TRUE(route({"WRITE", "bar"}, {}, Reasons(Reason::over_memory)).starts_with("OOM"));
}

TEST_F(RedirectsTest, WaitingEndsWithTheSlot) {
  const Redirects& redirects = *router_.redirects();
  use("0-8191", "8192-16383");
  EXPECT_TRUE(redirects.may_wait(Slot{kBar}, {}, false));
  EXPECT_FALSE(redirects.may_wait(Slot{kFoo}, {}, false));
  use("0-8191", "8192-16383", "move 12182 " + kA + "\nmove 5061 " + kB + "\n");
  EXPECT_TRUE(redirects.may_wait(Slot{kBar}, {}, false)) << "it is still here";
  EXPECT_TRUE(redirects.may_wait(Slot{kFoo}, {}, false)) << "it comes";
  use("0-8191", "");
  EXPECT_FALSE(redirects.may_wait(Slot{kBar}, {}, false)) << "the cluster is down";
  use("0-8191", "8192-16383", "", kC);
  EXPECT_TRUE(redirects.may_wait(Slot{kFoo}, readonly(), true));
  EXPECT_FALSE(redirects.may_wait(Slot{kFoo}, readonly(), false));
  EXPECT_FALSE(redirects.may_wait(Slot{kFoo}, {}, true));
}

TEST_F(RedirectsTest, AScriptStaysInItsSlot) {
  use("0-8191", "8192-16383");
  const auto error = [this](const std::vector<std::string>& words, Redirects::ScriptSlot& slot) {
    shard::Call inner;
    for (const std::string& word : words) inner.arguments().add(word);
    inner.set_command(*router_.find(inner));
    router_.locate(inner);
    return std::string(router_.redirects()->script_error(inner, slot, nullptr));
  };
  Redirects::ScriptSlot strict;
  EXPECT_EQ(error({"PING"}, strict), "");
  EXPECT_EQ(error({"READ", "bar"}, strict), "");
  EXPECT_EQ(error({"READ", "{bar}2"}, strict), "");
  EXPECT_EQ(error({"READ", "hello"}, strict),
            "ERR Script attempted to access keys that do not hash to the same slot");
  EXPECT_EQ(error({"READ", "foo"}, strict),
            "ERR Script attempted to access a non local key in a cluster node");
  Redirects::ScriptSlot loose{.slot = Slot{kBar}, .known = true, .may_cross = true};
  EXPECT_EQ(error({"READ", "hello"}, loose), "");
  EXPECT_EQ(error({"READ", "foo"}, loose),
            "ERR Script attempted to access a non local key in a cluster node");
  use("0-8191", "");
  EXPECT_EQ(error({"READ", "bar"}, loose),
            "ERR Script attempted to execute a command while the cluster is down");
  settings_.reads_when_down = true;
  EXPECT_EQ(
      error({"WRITE", "bar"}, loose),
      "ERR Script attempted to execute a write command while the cluster is down and readonly");
}

}  // namespace
}  // namespace slotcar::router
