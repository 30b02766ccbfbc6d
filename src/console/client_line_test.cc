#include "console/client_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace slotcar::console {
namespace {

using ::testing::HasSubstr;

TEST(ClientLine, fields_and_order_of_redis_7_2) {
  ClientFacts facts;
  facts.id = 7;
  facts.address = "127.0.0.1:41520";
  facts.local_address = "127.0.0.1:6379";
  facts.fd = 9;
  facts.name = "me";
  facts.age_seconds = 12;
  facts.idle_seconds = 3;
  facts.flags = "x";
  facts.db = 4;
  facts.queued = 2;
  facts.input_bytes = 26;
  facts.input_free = 20448;
  facts.argument_memory = 10;
  facts.multi_memory = 5;
  facts.output_memory = 100;
  facts.output_waiting = 100;
  facts.total_memory = 37658;
  facts.command = "client|list";
  facts.user = "default";
  facts.protocol = 3;
  facts.library_name = "lib";
  facts.library_version = "1.0";
  EXPECT_EQ(
      client_line(facts),
      "id=7 addr=127.0.0.1:41520 laddr=127.0.0.1:6379 fd=9 name=me age=12 idle=3 flags=x db=4 "
      "sub=0 psub=0 ssub=0 multi=2 qbuf=26 qbuf-free=20448 argv-mem=10 multi-mem=5 rbs=100 "
      "rbp=100 obl=0 oll=1 omem=100 tot-mem=37658 events=r cmd=client|list user=default "
      "redir=-1 resp=3 lib-name=lib lib-ver=1.0");
}

TEST(ClientLine, facts_come_from_the_record) {
  session::Clients clients;
  session::ClientRecord record;
  record.id = ClientId{5};
  record.address = "a:1";
  record.connected_unix_ms = 1000;
  record.last_active_ms = 4000;
  record.db = 3;
  clients.set_name(record, "somebody");
  ClientFacts facts = client_facts(clients, record, 9500, {});
  EXPECT_EQ(facts.age_seconds, 8);
  EXPECT_EQ(facts.idle_seconds, 5);
  EXPECT_EQ(facts.flags, "N");
  EXPECT_EQ(facts.command, "NULL");
  EXPECT_EQ(facts.name, "somebody");
  EXPECT_EQ(facts.db, 3);

  record.queued = 0;
  record.flags.no_evict = true;
  record.flags.no_touch = true;
  record.is_unix = true;
  EXPECT_EQ(client_facts(clients, record, 9500, {}).flags, "xUeT");
}

TEST(ClientLine, who_asks_is_shown_with_the_request_it_asks_with) {
  session::Clients clients;
  session::ClientRecord record;
  record.id = ClientId{5};
  record.memory.output = 4096;
  schema::Registered command;
  command.lower_name = "client|list";
  const AskingRequest asking{ClientId{5}, &command, 26, 10};
  const std::string line = client_line(client_facts(clients, record, 0, asking));
  EXPECT_THAT(line, HasSubstr(" qbuf=26 "));
  EXPECT_THAT(line, HasSubstr(" argv-mem=10 "));
  EXPECT_THAT(line, HasSubstr(" omem=0 "));
  EXPECT_THAT(line, HasSubstr(" cmd=client|list "));
}

}  // namespace
}  // namespace slotcar::console
