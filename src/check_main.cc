// slotcar-check: prints and checks the files of a server that does not run (docs/slotcar-check.md).
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "check/check.h"
#include "runtime/real/real_disk.h"

namespace {

constexpr int kGood = 0;
constexpr int kBad = 1;
constexpr int kUsage = 2;

constexpr char kHelp[] =
    "usage: slotcar-check [--print] FILE|DIRECTORY...\n"
    "Checks snapshots, manifests, logs and their segments, append-only files of Redis.\n"
    "  --print   every key and every record, a line each\n"
    "What is bad is said on standard error as FILE: at byte N: REASON.\n"
    "Ends with 0 if all is good, 1 if something is bad, 2 if it was called wrongly.\n";

void say(std::FILE* where, std::string_view line) {
  std::fwrite(line.data(), 1, line.size(), where);
  std::fputc('\n', where);
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> paths;
  bool print = false;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--help" || argument == "-h") {
      std::fputs(kHelp, stdout);
      return kGood;
    }
    if (argument == "--print") {
      print = true;
    } else if (argument.starts_with("--")) {
      std::fprintf(stderr, "slotcar-check: there is no option %s\n%s", argv[i], kHelp);
      return kUsage;
    } else {
      paths.emplace_back(argument);
    }
  }
  if (paths.empty()) {
    std::fputs(kHelp, stderr);
    return kUsage;
  }
  slotcar::runtime::RealDisk disk;
  slotcar::check::Report report([](std::string_view line) { say(stdout, line); },
                                [](std::string_view line) { say(stderr, line); }, print);
  for (const std::string& path : paths) slotcar::check::check_path(disk, path, report);
  return report.is_good() ? kGood : kBad;
}
