#include "storage/aof/aof_import.h"

#include <gtest/gtest.h>

#include "runtime/sim/sim_disk.h"
#include "runtime/sim/sim_world.h"

namespace slotcar::storage {
namespace {

using namespace std::string_literals;

constexpr char kManifest[] = "d/appendonlydir/appendonly.aof.manifest";

// As clients send it.
std::string command(const std::vector<std::string>& arguments) {
  std::string out = "*" + std::to_string(arguments.size()) + "\r\n";
  for (const std::string& argument : arguments) {
    out += "$" + std::to_string(argument.size()) + "\r\n" + argument + "\r\n";
  }
  return out;
}

struct ImportedText : AofVisitor {
  std::string text;

  Status on_keys(const SnapshotReader&, const SnapshotBatch& batch) override {
    std::string scratch;
    for (const RawEntry& entry : batch.entries()) {
      text += "key " + std::string(entry.key) + "=" + std::string(*string_of(entry, scratch)) + ";";
    }
    return {};
  }
  Status on_commands(std::span<const AofCommand> commands) override {
    if (commands.size() > 1) text += "[";
    for (const AofCommand& one : commands) {
      text += std::to_string(one.db.value) + ":";
      for (const std::string_view argument : one.arguments) text += std::string(argument) + " ";
      text.back() = ';';
    }
    if (commands.size() > 1) text += "]";
    return {};
  }
};

struct World {
  World() {
    EXPECT_TRUE(disk.make_directory("d").ok());
    EXPECT_TRUE(disk.make_directory("d/appendonlydir").ok());
  }
  void put(const std::string& path, const std::string& bytes) {
    ASSERT_TRUE((*disk.open(path, runtime::OpenMode::create))->write_at(0, bytes).ok());
  }
  // What was delivered, or the error.
  std::string imported(bool load_truncated = true) {
    cut.clear();
    auto files = find_aof(disk, "d", "appendonlydir", "appendonly.aof");
    if (!files) return files.error().message;
    ImportedText imported;
    auto summary = import_aof(disk, *files, imported, {.load_truncated = load_truncated});
    if (!summary) return summary.error().message;
    cut = summary->cut;
    return imported.text;
  }
  // As the single file of Redis before 7.0.
  std::string imported_file(const std::string& bytes, bool load_truncated = true) {
    put("d/appendonly.aof", bytes);
    return imported(load_truncated);
  }

  runtime::SimWorld world{1};
  runtime::SimDisk disk{world};
  std::string cut;
};

TEST(AofImport, NothingIsThere) {
  World w;
  EXPECT_EQ(w.imported(), "");
}

TEST(AofImport, BaseAndIncrements) {
  World w;
  w.put(kManifest,
        "# a comment\n"
        "file appendonly.aof.3.incr.aof seq 3 type i\n"
        "file old seq 1 type h\n"
        "file \"a base.rdb\" seq 2 type b\n"
        "file appendonly.aof.4.incr.aof seq 4 type i\n");
  w.put("d/appendonlydir/a base.rdb", "REDIS0010\0\1a\1b\xff\0\0\0\0\0\0\0\0"s);
  w.put("d/appendonlydir/appendonly.aof.3.incr.aof",
        command({"SELECT", "2"}) + command({"SET", "x", "1"}));
  w.put("d/appendonlydir/appendonly.aof.4.incr.aof",
        "#TS:1700000000\r\n" + command({"DEL", "x", "y"}) + "#TS:1700000001\r\n");
  EXPECT_EQ(w.imported(), "key a=b;2:SET x 1;0:DEL x y;");
}

TEST(AofImport, PartsWithoutTheirManifestAreRefused) {
  World w;
  w.put("d/appendonlydir/appendonly.aof.1.incr.aof", command({"SET", "x", "1"}));
  EXPECT_EQ(w.imported(),
            "d/appendonlydir/appendonly.aof.1.incr.aof is a part of Redis's log, but its manifest "
            "appendonly.aof.manifest is missing: bring it back, or move d/appendonlydir away");
  w.put(kManifest, "");
  EXPECT_EQ(w.imported(), std::string(kManifest) + ": the manifest names no file");
  w.put(kManifest, "file appendonly.aof.1.incr.aof seq 1 type i\n");
  EXPECT_EQ(w.imported(), "0:SET x 1;");
}

TEST(AofImport, AnotherFolderOfThatNameIsNoLog) {
  World w;
  w.put("d/appendonlydir/notes.txt", "mine");
  EXPECT_EQ(w.imported(), "");
}

TEST(AofImport, AFileOfOldWithASnapshotBefore) {
  World w;
  EXPECT_EQ(w.imported_file("REDIS0009\0\1a\1b\xff\0\0\0\0\0\0\0\0"s + command({"SET", "x", ""})),
            "key a=b;0:SET x ;");
  EXPECT_EQ(w.imported_file(""), "");
}

TEST(AofImport, TransactionsAreTold) {
  World w;
  EXPECT_EQ(
      w.imported_file(command({"MULTI"}) + command({"SET", "a", "1"}) + command({"select", "3"}) +
                      command({"SET", "b", "2"}) + command({"EXEC"}) + command({"PING"}) +
                      command({"MULTI"}) + command({"EXEC"})),
      "[0:SET a 1;3:SET b 2;]3:PING;");
}

TEST(AofImport, WhatIsNotWholeAtTheEndIsDropped) {
  const std::string whole = command({"SET", "a", "1"});
  const std::string transaction =
      command({"MULTI"}) + command({"SET", "b", "2"}) + "*1\r\n$4\r\nEXEC\r\n";
  for (const std::string& last : {command({"SET", "bcd", "2"}), transaction}) {
    for (std::size_t size = 1; size < last.size(); ++size) {
      World w;
      EXPECT_EQ(w.imported_file(whole + last.substr(0, size)), "0:SET a 1;") << size;
      const std::string place = "d/appendonly.aof: at byte " + std::to_string(whole.size()) + ": ";
      EXPECT_TRUE(w.cut.starts_with(place)) << w.cut;
      EXPECT_TRUE(w.imported(false).starts_with(place));
    }
  }
}

TEST(AofImport, OnlyTheLastFileMayEndEarly) {
  World w;
  w.put(kManifest, "file a seq 1 type i\nfile b seq 2 type i\n");
  w.put("d/appendonlydir/a", command({"SET", "x", "1"}) + "*3\r\n");
  w.put("d/appendonlydir/b", "");
  EXPECT_EQ(w.imported(),
            "d/appendonlydir/a: at byte 27: a command is not whole, and this is not the last file");
  w.put(kManifest, "file a seq 1 type i\n");
  EXPECT_EQ(w.imported(), "0:SET x 1;");
}

TEST(AofImport, LongArgumentsAndManyCommands) {
  World w;
  const std::string big(3'000'000, 'x');
  std::string bytes = command({"SET", "big", big});
  std::string expected = "0:SET big " + big + ";";
  for (int i = 0; i < 100'000; ++i) {
    bytes += command({"INCR", std::to_string(i)});
    expected += "0:INCR " + std::to_string(i) + ";";
  }
  EXPECT_TRUE(w.imported_file(bytes) == expected);
}

TEST(AofImport, MistakesAreNamedWithTheirByte) {
  World w;
  const std::string good = command({"SET", "a", "1"});  // 27 bytes
  const auto error = [&](const std::string& bytes) { return w.imported_file(good + bytes); };
  const std::string at = "d/appendonly.aof: at byte ";
  EXPECT_EQ(error("SET b 2\r\n"),
            at + "27: a command is expected here: '*' and the number of its arguments");
  EXPECT_EQ(error("*x\r\n"), at + "28: this is not a number");
  EXPECT_EQ(error("*0\r\n"), at + "27: no command has as many arguments");
  EXPECT_EQ(error("*1\r\n+PING\r\n"), at + "31: an argument is expected here: '$' and its length");
  EXPECT_EQ(error("*1\r\n$3\r\nPING\r\n"),
            at + "38: the argument does not end where its length says");
  EXPECT_EQ(error("*1\r\n$99999999999\r\n"), at + "31: no argument can be as long");
  EXPECT_EQ(error("#" + std::string(2000, ' ')), at + "27: the line does not end");
  EXPECT_EQ(error(command({"EXEC"})), at + "27: EXEC without MULTI");
  EXPECT_EQ(error(command({"MULTI"}) + command({"MULTI"})), at + "42: MULTI within MULTI");
  EXPECT_EQ(error(command({"SELECT", "-1"})), at + "27: SELECT of a database that cannot be");
}

TEST(AofImport, AManifestsMistakesAreNamedWithTheirLine) {
  World w;
  const auto error = [&](const std::string& text) {
    w.put(kManifest, text);
    return w.imported();
  };
  const std::string line = std::string(kManifest) + ": line ";
  EXPECT_EQ(error("file a seq 1 type i"), line + "1: the line does not end");
  for (const char* bad : {"file a\n", "file a seq x type i\n", "file a seq 1 type z\n",
                          "file \"a seq 1 type i\n", "file ../a seq 1 type i\n", "\n"}) {
    EXPECT_EQ(error("# \n"s + bad), line + "2: 'file NAME seq NUMBER type b|i|h' is expected here");
  }
  EXPECT_EQ(error("file a seq 1 type b\nfile b seq 2 type b\n"), line + "2: a second base");
  EXPECT_EQ(error("file a seq 2 type i\nfile b seq 2 type i\n"),
            line + "2: the increments do not ascend");
  EXPECT_EQ(error("file a seq 1 type b\n"),
            "cannot open d/appendonlydir/a: No such file or directory");
}

}  // namespace
}  // namespace slotcar::storage
