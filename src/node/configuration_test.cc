#include "node/configuration.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "base/limits.h"
#include "node/open_files.h"
#include "schema/command_table.h"

// The node module alone has no commands.
namespace slotcar::schema {
std::span<const Command* const> all_commands() {
  return {};
}
}  // namespace slotcar::schema

namespace slotcar::node {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

struct ConfigurationTest : ::testing::Test {
  Settings settings;
  Configuration configuration{settings};

  std::string set(std::vector<Configuration::Change> changes, bool may_change_guarded = false) {
    const Status status =
        configuration.set(changes, {.may_change_guarded = may_change_guarded, .worker = nullptr});
    return status ? "OK" : status.error().message;
  }
  std::string load(std::string_view text) {
    const Status status = configuration.load_text(text, "test.conf");
    return status ? "OK" : status.error().message;
  }
  std::string arguments(std::vector<std::string> words) {
    const Status status = configuration.load_arguments(words);
    return status ? "OK" : status.error().message;
  }
  std::string value(std::string_view name) { return configuration.value(name); }
};

// --- texts of CONFIG SET, one line each --------------------------------------------------------

struct SetCase {
  const char* name;
  const char* text;
  const char* answer;  // after "- ", or OK
  const char* kept;    // what CONFIG GET says afterwards
};

class SetTexts : public ConfigurationTest, public ::testing::WithParamInterface<SetCase> {};

TEST_P(SetTexts, answers_as_redis) {
  const SetCase& c = GetParam();
  const std::string expected = std::string(c.answer) == "OK"
                                   ? "OK"
                                   : "ERR CONFIG SET failed (possibly related to argument '" +
                                         std::string(c.name) + "') - " + c.answer;
  EXPECT_EQ(set({{c.name, c.text}}), expected);
  EXPECT_EQ(value(c.name), c.kept);
}

// Independent of the system's limit: see the log's ring (storage/log/log.h).
TEST(OpenFiles, MaxclientsIsBounded) {
  EXPECT_LE(raise_open_files(limits::kClientsMax + 1), limits::kClientsMax);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, SetTexts,
    ::testing::Values(
        SetCase{"maxmemory", "bla", "argument must be a memory value", "0"},
        SetCase{"maxmemory", "100mb", "OK", "104857600"},
        SetCase{"hz", "abc", "argument couldn't be parsed into an integer", "10"},
        SetCase{"hz", "1000", "OK", "500"},
        SetCase{"maxclients", "0", "argument must be between 1 and 4294967295 inclusive", "10000"},
        SetCase{"port", "70000", "argument must be between 0 and 65535 inclusive", "6379"},
        SetCase{"daemonize", "yes", "can't set immutable config", "no"},
        SetCase{"appendonly", "maybe", "argument must be 'yes' or 'no'", "yes"},
        SetCase{"appendonly", "YES", "OK", "yes"},
        SetCase{"dir", "/tmp", "can't set protected config", "."},
        SetCase{"dbfilename", "a", "can't set protected config", "dump.rdb"},
        SetCase{"maxmemory-policy", "foo",
                "argument(s) must be one of the following: volatile-lru, volatile-lfu, "
                "volatile-random, volatile-ttl, allkeys-lru, allkeys-lfu, allkeys-random, "
                "noeviction",
                "noeviction"},
        SetCase{"maxmemory-policy", "ALLKEYS-LFU", "OK", "allkeys-lfu"},
        SetCase{"appendfsync", "x",
                "argument(s) must be one of the following: everysec, always, no", "everysec"},
        SetCase{"save", "a b", "Invalid save parameters", "3600 1 300 100 60 10000"},
        SetCase{"save", "0 1", "Invalid save parameters", "3600 1 300 100 60 10000"},
        SetCase{"save", "", "OK", ""}, SetCase{"save", "60  1", "OK", "60 1"},
        SetCase{"client-output-buffer-limit", "normal 1 2",
                "Wrong number of arguments in buffer limit configuration.",
                "normal 0 0 0 slave 268435456 67108864 60 pubsub 33554432 8388608 60"},
        SetCase{"client-output-buffer-limit", "foo 1 2 3",
                "Invalid client class specified in buffer limit configuration.",
                "normal 0 0 0 slave 268435456 67108864 60 pubsub 33554432 8388608 60"},
        SetCase{"client-output-buffer-limit", "normal 1k 2 3 pubsub x 0 0",
                "Error in hard, soft or soft_seconds setting in buffer limit configuration.",
                "normal 0 0 0 slave 268435456 67108864 60 pubsub 33554432 8388608 60"},
        SetCase{"client-output-buffer-limit", "replica 1kb 2 3", "OK",
                "normal 0 0 0 slave 1024 2 3 pubsub 33554432 8388608 60"},
        SetCase{"notify-keyspace-events", "xyz",
                "Invalid event class character. Use 'Ag$lshzxeKEtmdn'.", ""},
        SetCase{"notify-keyspace-events", "KEA", "OK", "AKE"},
        SetCase{"notify-keyspace-events", "Elg", "OK", "glE"},
        SetCase{"maxmemory-clients", "200%", "percentage argument must be less or equal to 100",
                "0"},
        SetCase{"maxmemory-clients", "5%", "OK", "5%"},
        SetCase{"latency-tracking-info-percentiles", "50 101",
                "latency-tracking-info-percentiles parameters should sit between [0.0,100.0]",
                "50 99 99.9"},
        SetCase{"latency-tracking-info-percentiles", "", "OK", ""},
        SetCase{"oom-score-adj-values", "1 2", "wrong number of arguments", "0 200 800"},
        SetCase{"proc-title-template", "{x}",
                "template format is invalid or contains unknown variables",
                "{title} {listen-addr} {server-mode}"},
        SetCase{"list-max-ziplist-size", "-5", "OK", "-5"},
        SetCase{"repl-backlog-size", "0",
                "argument must be between 1 and 9223372036854775807 inclusive", "1048576"},
        SetCase{"requirepass", "secret", "OK", "secret"}));

TEST_F(ConfigurationTest, unknown_and_duplicate_names_change_nothing) {
  EXPECT_EQ(set({{"foo", "bar"}}),
            "ERR Unknown option or number of arguments for CONFIG SET - 'foo'");
  EXPECT_EQ(set({{"timeout", "5"}, {"foo", "bar"}}),
            "ERR Unknown option or number of arguments for CONFIG SET - 'foo'");
  EXPECT_EQ(set({{"timeout", "5"}, {"TIMEOUT", "6"}}),
            "ERR CONFIG SET failed (possibly related to argument 'TIMEOUT') - duplicate parameter");
  EXPECT_EQ(value("timeout"), "0");
}

TEST_F(ConfigurationTest, an_alias_and_its_name_are_one_setting) {
  EXPECT_EQ(set({{"slave-priority", "7"}}), "OK");
  EXPECT_EQ(value("replica-priority"), "7");
  EXPECT_EQ(set({{"slave-priority", "1"}, {"replica-priority", "2"}}),
            "ERR CONFIG SET failed (possibly related to argument 'replica-priority') - duplicate "
            "parameter");
}

TEST_F(ConfigurationTest, all_or_nothing) {
  EXPECT_THAT(set({{"timeout", "5"}, {"requirepass", "x"}, {"maxmemory", "bla"}}),
              HasSubstr("'maxmemory'"));
  EXPECT_EQ(value("timeout"), "0");
  EXPECT_EQ(value("requirepass"), "");
  EXPECT_EQ(set({{"timeout", "5"}, {"maxmemory", "1gb"}}), "OK");
  EXPECT_EQ(settings.session.idle_timeout_seconds, 5);
  EXPECT_EQ(settings.maxmemory, 1 << 30);
}

TEST_F(ConfigurationTest, guarded_settings_need_permission) {
  EXPECT_EQ(set({{"dbfilename", "other.rdb"}}, true), "OK");
  EXPECT_EQ(set({{"dbfilename", "a/b"}}, true),
            "ERR CONFIG SET failed (possibly related to argument 'dbfilename') - dbfilename can't "
            "be a path, just a filename");
  EXPECT_EQ(value("dbfilename"), "other.rdb");
}

TEST_F(ConfigurationTest, get_matches_any_pattern_once) {
  const std::string_view patterns[] = {"maxmemory-s*", "maxmemory-samples", "MAXCLIENTS"};
  const auto found = configuration.get(patterns);
  EXPECT_THAT(found, ::testing::UnorderedElementsAre(::testing::Pair("maxmemory-samples", "5"),
                                                     ::testing::Pair("maxclients", "10000")));
  const std::string_view hidden[] = {"*load-delay"};
  EXPECT_TRUE(configuration.get(hidden).empty());
  const std::string_view exact[] = {"key-load-delay"};
  EXPECT_EQ(configuration.get(exact).size(), 1u);
}

TEST_F(ConfigurationTest, every_setting_accepts_what_it_says) {
  for (const Setting& setting : configuration.all()) {
    const std::string text = setting.get();
    EXPECT_EQ(text, setting.default_text) << setting.name;
    EXPECT_TRUE(setting.set(text).ok()) << setting.name << " does not accept '" << text << "'";
    EXPECT_EQ(setting.get(), text) << setting.name;
  }
}

// --- files -------------------------------------------------------------------------------------

TEST_F(ConfigurationTest, reads_the_dialect_of_redis_conf) {
  EXPECT_EQ(load("# a comment\n\n  port 7000  \r\nBIND 127.0.0.1 -::1\n"
                 "requirepass \"a b\\x41\"\nlogfile ''\nmaxmemory 1gb\n"
                 "client-output-buffer-limit normal 1mb 0 0\n"
                 "client-output-buffer-limit pubsub 2mb 0 0\n"),
            "OK");
  EXPECT_EQ(settings.start.port, 7000);
  EXPECT_EQ(settings.start.bind, (std::vector<std::string>{"127.0.0.1", "-::1"}));
  EXPECT_EQ(value("requirepass"), "a bA");
  EXPECT_EQ(settings.maxmemory, 1 << 30);
  EXPECT_EQ(settings.session.normal.hard, 1 << 20);
  EXPECT_EQ(settings.session.pubsub.hard, 2 << 20);
}

TEST_F(ConfigurationTest, save_lines_add_up_and_begin_anew) {
  EXPECT_EQ(load("save 60 1\nsave 30 2\n"), "OK");
  EXPECT_EQ(value("save"), "60 1 30 2");
  EXPECT_EQ(load("save \"\"\n"), "OK");
  EXPECT_EQ(value("save"), "");
}

TEST_F(ConfigurationTest, errors_name_line_and_reason) {
  EXPECT_EQ(load("port 1\nport abc\n"),
            "at line 2 of test.conf\n>>> 'port abc'\nargument couldn't be parsed into an integer");
  const std::string unknown = load("prot 7000");
  EXPECT_THAT(unknown, HasSubstr("Bad directive or wrong number of arguments"));
  EXPECT_THAT(unknown, HasSubstr("Did you mean 'port'?"));
  EXPECT_THAT(load("port 1 2"), HasSubstr("wrong number of arguments"));
  EXPECT_THAT(load("port"), HasSubstr("wrong number of arguments"));
  EXPECT_THAT(load("port \"1"), HasSubstr("Unbalanced quotes"));
  EXPECT_THAT(load("requirepass a b"), Not(HasSubstr("a b")));
  for (const char* line : {"requirepass \"hush", "\"RequirePass\" 'hush", "user alice >hush '",
                           "tls-key-file-pass \"hush", "masterauth\t\"hush"}) {
    EXPECT_THAT(load(line), HasSubstr("Unbalanced quotes"));
    EXPECT_THAT(load(line), Not(HasSubstr("hush")));
  }
  EXPECT_THAT(load("user"), HasSubstr("a user needs a name"));
  EXPECT_THAT(load("rename-command CONFIG"), HasSubstr("needs a name and a new name"));
  EXPECT_THAT(load("rename-command CONFIG a b"), HasSubstr("needs a name and a new name"));
  EXPECT_THAT(load("shards 1000"), HasSubstr("power of two"));
}

// Whatever is wrong with a line that may contain a password, the error does not show it.
TEST_F(ConfigurationTest, errors_show_no_secret) {
  for (const char* line : {
           "requirepas hush",                  // misspelt
           "RequirePass1 hush",                //
           "requirepass=hush",                 // not as it is written here
           "requirepass:hush",                 //
           "my-requirepass hush",              // near no name
           "password hush",                    //
           "usr alice on >hush",               //
           "on >hush ~*",                      // the rest of a line that was broken
           ">hush on",                         //
           "hush",                             //
           "port 6379 requirepass hush",       // two lines in one
           "port 6379;requirepass=hush",       //
           "port \"6379 requirepass hush",     //
           "port --requirepass hush",          //
           "port 70000 masterauth hush",       //
           "timeout x user alice >hush",       //
           "timeout x >hush",                  //
           "masterauht hush",                  //
           "tls-key-file-password hush",       //
           "tls-key-file-pass hush hush",      //
           "rename-command CONFIG hush hush",  //
           "rename-comand CONFIG hush",        //
           "include /no/such/file requirepass hush",
       }) {
    EXPECT_THAT(load(line), Not(HasSubstr("hush"))) << line;
    EXPECT_THAT(load(line), HasSubstr("at line 1 of test.conf")) << line;
  }
  EXPECT_THAT(load("requirepas hush"), HasSubstr("Did you mean 'requirepass'?"));
  EXPECT_THAT(load("requirepas hush"), HasSubstr(">>> 'requirepas ...'"));
  EXPECT_THAT(load("made-by-another-version 7"), HasSubstr(">>> 'made-by-another-version ...'"));
  EXPECT_THAT(load("port 70000"), HasSubstr(">>> 'port 70000'"));

  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"--requirepas", "hush"},
           {"--requirepass=hush"},
           {"--requirepass hush more"},
           {"--requirepass", "a", "hush"},
           {"--port", "--requirepass", "hush"},
           {"--port", "7000", "requirepass", "hush"},
           {"--usr", "alice", "on", ">hush"},
           {"hush"},
           {"requirepass", "hush"},
           {"--requirepass \"hush"},
       }) {
    EXPECT_THAT(arguments(words), Not(HasSubstr("hush"))) << words[0];
    EXPECT_NE(arguments(words), "OK") << words[0];
  }
}

TEST_F(ConfigurationTest, files_may_include_files_but_not_for_ever) {
  const std::string directory = ::testing::TempDir();
  const std::string inner = directory + "/configuration_inner.conf";
  const std::string outer = directory + "/configuration_outer.conf";
  std::ofstream(inner) << "timeout 42\n";
  std::ofstream(outer) << "timeout 1\ninclude " << inner << "\nhz 20\n";
  ASSERT_TRUE(configuration.load_file(outer).ok());
  EXPECT_EQ(value("timeout"), "42");
  EXPECT_EQ(value("hz"), "20");
  EXPECT_EQ(load("include " + directory + "/configuration_inn*.conf"), "OK");
  EXPECT_EQ(load("include " + directory + "/no_such_thing_*.conf"), "OK");
  EXPECT_NE(load("include " + directory + "/no_such_thing.conf"), "OK");

  std::ofstream(outer) << "include " << outer << "\n";
  EXPECT_FALSE(configuration.load_file(outer).ok());
}

// --- the command line --------------------------------------------------------------------------

TEST_F(ConfigurationTest, arguments_are_lines) {
  EXPECT_EQ(arguments({"--port", "7001", "--bind", "127.0.0.1", "::1", "--maxmemory 5mb",
                       "--requirepass", "--dashes"}),
            "OK");
  EXPECT_EQ(settings.start.port, 7001);
  EXPECT_EQ(value("bind"), "127.0.0.1 ::1");
  EXPECT_EQ(value("maxmemory"), "5242880");
  EXPECT_EQ(value("requirepass"), "--dashes");
}

TEST_F(ConfigurationTest, save_alone_means_none) {
  EXPECT_EQ(arguments({"--save", "--port", "7002"}), "OK");
  EXPECT_EQ(value("save"), "");
  EXPECT_EQ(settings.start.port, 7002);
  EXPECT_EQ(arguments({"--save"}), "OK");
  EXPECT_EQ(arguments({"--save", "60", "1"}), "OK");
}

TEST_F(ConfigurationTest, wrong_arguments_are_told) {
  EXPECT_THAT(arguments({"stray"}), HasSubstr("a name like --port"));
  EXPECT_THAT(arguments({"--prot", "1"}), HasSubstr("Did you mean 'port'?"));
  EXPECT_THAT(arguments({"--port"}), HasSubstr("wrong number of arguments"));
  EXPECT_THAT(arguments({"--requirepass", "hush", "hush"}), Not(HasSubstr("hush")));
  EXPECT_THAT(arguments({"--requirepass \"hush"}), Not(HasSubstr("hush")));
}

// --- CONFIG REWRITE ----------------------------------------------------------------------------

TEST_F(ConfigurationTest, rewriting_keeps_comments_order_and_right_lines) {
  const std::string file =
      "# My server\n"
      "port   7000\n"
      "\n"
      "timeout 5\n"
      "slave-priority 3\n";
  ASSERT_EQ(load(file), "OK");
  EXPECT_EQ(configuration.rewritten(file), file);

  ASSERT_EQ(set({{"timeout", "6"}, {"requirepass", "a b"}, {"save", ""}}), "OK");
  EXPECT_EQ(configuration.rewritten(file),
            "# My server\n"
            "port   7000\n"
            "\n"
            "timeout 6\n"
            "slave-priority 3\n"
            "# Generated by CONFIG REWRITE\n"
            "requirepass \"a b\"\n"
            "save \"\"\n");
}

TEST_F(ConfigurationTest, what_is_rewritten_reads_back_the_same) {
  ASSERT_EQ(set({{"maxmemory", "12345"},
                 {"save", "60 1 30 2"},
                 {"client-output-buffer-limit", "normal 1 2 3"},
                 {"requirepass", "quote\" and \\ and \n"},
                 {"notify-keyspace-events", "KEA"}}),
            "OK");
  const std::string text = configuration.rewritten("save 1 1\nsave 2 2\n");
  Settings again;
  Configuration reader(again);
  ASSERT_TRUE(reader.load_text(text, "again").ok()) << text;
  for (const Setting& setting : configuration.all()) {
    EXPECT_EQ(reader.value(setting.name), setting.get()) << setting.name;
  }
  EXPECT_EQ(reader.rewritten(text), text);
}

// --- what is not implemented is not accepted in silence ------------------------------------------

// Every setting that has no effect here and belongs to a missing feature is in one of two lists: it
// accepts only values that do not ask for the feature (Setting::inert), or it merely tunes
// something that such a setting switches on.
constexpr std::pair<std::string_view, std::string_view> kOnlyTune[] = {
    {"replication", "replicaof"},
};

TEST_F(ConfigurationTest, what_tunes_a_missing_part_has_a_switch_that_is_refused) {
  for (const Setting& setting : configuration.all()) {
    if (setting.awaits.empty() || setting.awaits == "-" || !setting.inert.empty()) continue;
    const auto area = std::ranges::find(kOnlyTune, setting.awaits,
                                        &std::pair<std::string_view, std::string_view>::first);
    ASSERT_NE(area, std::end(kOnlyTune)) << setting.name << " awaits " << setting.awaits;
    if (!area->second.empty()) {
      EXPECT_FALSE(configuration.find(area->second)->inert.empty()) << area->second;
    }
  }
}

TEST_F(ConfigurationTest, what_is_missing_takes_only_values_that_ask_for_nothing) {
  int rows = 0;
  for (const Setting& setting : configuration.all()) {
    if (setting.inert.empty()) continue;
    ++rows;
    EXPECT_EQ(setting.get(), setting.default_text);
    EXPECT_NE(std::ranges::find(setting.inert, setting.default_text), setting.inert.end())
        << setting.name << " has a default that asks for something";
    for (const std::string_view value : setting.inert) {
      EXPECT_TRUE(setting.set(value).ok()) << setting.name << " " << value;
    }
    const std::string kept = setting.get();
    for (const std::string_view value : {"yes", "1", "text", "upstart", "optional", "a b"}) {
      if (std::ranges::find(setting.inert, value) != setting.inert.end()) continue;
      EXPECT_FALSE(setting.set(value).ok()) << setting.name << " " << value;
      EXPECT_EQ(setting.get(), kept) << "a refused value leaves nothing behind";
    }
  }
  EXPECT_GT(rows, 12);
  EXPECT_EQ(
      set({{"min-replicas-to-write", "1"}}),
      "ERR CONFIG SET failed (possibly related to argument 'min-replicas-to-write') - this is "
      "not implemented yet: only '0' is accepted");
  EXPECT_EQ(set({{"min-slaves-to-write", "0"}}), "OK");
}

struct LineCase {
  const char* line;
  bool taken;
};

// Directives of redis.conf 7.2 that are not fully implemented, with a value from that file or one
// that asks for the effect.
constexpr LineCase kLines[] = {
    {"aclfile /etc/redis/users.acl", true},
    {"aclfile \"\"", true},
    {"user default on nopass ~* &* +@all", true},
    {"user default on nopass sanitize-payload ~* &* +@all", true},
    {"user default on >secret ~* &* +@all", true},
    {"user default on nopass ~app:* &* +@all", true},
    {"user default off", true},
    {"user worker +@list ~jobs:* on >password", true},
    {"rename-command CONFIG \"\"", true},
    {"loadmodule /path/to/my_module.so", false},
    {"replicaof 127.0.0.1 6379", false},
    {"slaveof 127.0.0.1 6379", false},
    {"replicaof no one", true},
    {"masterauth secret", true},
    {"masteruser user", true},
    {"replica-serve-stale-data yes", true},
    {"replica-read-only yes", true},
    {"repl-diskless-sync yes", true},
    {"repl-diskless-sync-delay 5", true},
    {"repl-diskless-sync-max-replicas 0", true},
    {"repl-diskless-load disabled", true},
    {"repl-ping-replica-period 10", true},
    {"repl-timeout 60", true},
    {"repl-disable-tcp-nodelay no", true},
    {"repl-backlog-size 1mb", true},
    {"repl-backlog-ttl 3600", true},
    {"replica-priority 100", true},
    {"propagation-error-behavior ignore", true},
    {"replica-ignore-disk-write-errors no", true},
    {"replica-announced yes", true},
    {"min-replicas-to-write 3", false},
    {"min-replicas-to-write 0", true},
    {"min-replicas-max-lag 10", true},
    {"replica-announce-ip 5.5.5.5", true},
    {"replica-announce-port 1234", true},
    {"replica-lazy-flush no", true},
    {"cluster-enabled yes", true},
    {"cluster-enabled no", true},
    {"cluster-topology file:nodes.topology", true},
    {"cluster-topology etcd://127.0.0.1:2379/slotcar", true},
    {"cluster-etcd-user root", true},
    {"cluster-node-id 07c37dfeb235213a872192d90877d0cd55635b91", true},
    {"cluster-announce-hostname host-1.example_a", true},
    {"cluster-config-file nodes-6379.conf", true},
    {"cluster-node-timeout 15000", true},
    {"cluster-port 0", true},
    {"tls-port 6379", true},
    {"tls-port 0", true},
    {"tls-cert-file redis.crt", true},
    {"tls-key-file redis.key", true},
    {"tls-key-file-pass secret", true},
    {"tls-client-cert-file client.crt", true},
    {"tls-client-key-file client.key", true},
    {"tls-client-key-file-pass secret", true},
    {"tls-dh-params-file redis.dh", true},
    {"tls-ca-cert-file ca.crt", true},
    {"tls-ca-cert-dir /etc/ssl/certs", true},
    {"tls-auth-clients no", true},
    {"tls-replication yes", false},
    {"tls-cluster yes", true},
    {"tls-protocols \"TLSv1.2 TLSv1.3\"", true},
    {"tls-ciphers DEFAULT:!MEDIUM", true},
    {"tls-ciphersuites TLS_CHACHA20_POLY1305_SHA256", true},
    {"tls-prefer-server-ciphers yes", true},
    {"tls-auth-clients-user off", true},
    {"tls-auth-clients-user CN", true},
    {"tls-session-caching no", true},
    {"tls-session-cache-size 5000", true},
    {"tls-session-cache-timeout 60", true},
    {"supervised auto", true},
    {"supervised systemd", true},
    {"supervised upstart", false},
    {"syslog-enabled yes", false},
    {"syslog-enabled no", true},
    {"syslog-ident redis", true},
    {"syslog-facility local0", true},
    {"oom-score-adj no", true},
    {"oom-score-adj relative", false},
    {"oom-score-adj-values 0 200 800", true},
    {"server_cpulist 0-7:2", false},
    {"bio_cpulist 1,3", false},
    {"aof_rewrite_cpulist 8-11", false},
    {"bgsave_cpulist 1,10-11", false},
    {"socket-mark-id 0", true},
    {"socket-mark-id 17", false},
    {"latency-monitor-threshold 0", true},
    {"latency-monitor-threshold 100", true},
    {"activedefrag no", true},
    {"activedefrag yes", false},
    {"locale-collate \"\"", true},
    {"locale-collate de_DE.UTF-8", false},
    {"save", true},
    {"save \"\"", true},
    {"save 3600 1 300 100 60 10000", true},
    {"shutdown-on-sigterm save force", true},
};

TEST_F(ConfigurationTest, lines_of_a_cluster_say_what_is_wrong) {
  EXPECT_THAT(load("cluster-topology file:"), HasSubstr("expected 'file:PATH'"));
  EXPECT_THAT(load("cluster-topology etcd://127.0.0.1:2379"), HasSubstr("expected a prefix"));
  EXPECT_THAT(load("cluster-topology etcd://127.0.0.1/x"), HasSubstr("no HOST:PORT of etcd"));
  EXPECT_THAT(load("cluster-node-id first"), HasSubstr("40 hexadecimal digits"));
  EXPECT_THAT(load("cluster-announce-hostname host/1"), HasSubstr("Hostnames may only contain"));
}

TEST_F(ConfigurationTest, lines_of_a_redis_conf) {
  for (const LineCase& c : kLines) {
    Settings fresh;
    Configuration table(fresh);
    const Status status = table.load_text(c.line, "test.conf");
    EXPECT_EQ(status.ok(), c.taken) << c.line << ": " << (status ? "" : status.error().message);
    if (status || c.taken) continue;
    EXPECT_THAT(status.error().message, HasSubstr("not implemented")) << c.line;
    EXPECT_THAT(status.error().message, Not(HasSubstr("secret"))) << c.line;
  }
}

TEST_F(ConfigurationTest, save_on_the_command_line) {
  EXPECT_EQ(arguments({"--save", "\"\""}), "OK");
  EXPECT_EQ(value("save"), "");
  EXPECT_EQ(arguments({"--save", "60 1"}), "OK");
  EXPECT_EQ(value("save"), "60 1");
  EXPECT_EQ(arguments({"--save", "''"}), "OK");
  EXPECT_EQ(value("save"), "");
}

}  // namespace
}  // namespace slotcar::node
