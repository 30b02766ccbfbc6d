// slotcar-bench: a load generator on the client library.
#include <cstdio>
#include <cstring>
#include <fstream>

#include "base/numbers.h"
#include "load.h"

namespace {

using slotcar::bench::Settings;

constexpr const char* kUsage =
    R"(slotcar-bench SCENARIO [options]

scenarios
  get, set, mixed      calls on random keys
  hol                  fast GETs beside slow HGETALLs of 500 KB
  blocking             BLPOP and RPUSH on one queue
  transactions         WATCH, GET, MULTI, INCR, EXEC

options
  --uri URI            redis://127.0.0.1:6379; any option of the client in its query
  --lanes N            1 to 64
  --lane-strategy S    round-robin, least-used, key-affinity, random, adaptive, thread-sticky
  --mode M             laned, classic, pooled
  --callers N          callers in all (50)
  --slow-callers N     of them, repeating HGETALL (hol; 2)
  --link-mb-per-s X    put a proxy between that hands on X MB/s per connection
  --seconds X          length of the run (10)
  --rate X             open loop: X calls per second at appointed times; latency counts from those
  --value-bytes N      of string values (64)
  --hash-bytes N       of the hash (500000)
  --keys N             number of keys (10000)
  --set-ratio X        of mixed (0.1)
  --json FILE          results as JSON ("-": standard output)
  --svg FILE           a picture of the percentiles
  --quiet              no progress line

Its keys begin with slotcar-bench: and are deleted at the end, also after an interrupt.
)";

bool number(const char* text, double& value) {
  const auto parsed = slotcar::base::parse_double(text);
  if (!parsed || *parsed < 0) return false;
  value = *parsed;
  return true;
}

template <class T>
bool whole(const char* text, T& value) {
  double parsed = 0;
  if (!number(text, parsed)) return false;
  value = static_cast<T>(parsed);
  return true;
}

bool read_option(const std::string& name, const char* value, Settings& s) {
  if (name == "--uri") return (s.uri = value, true);
  if (name == "--lanes") return (s.lanes = value, true);
  if (name == "--lane-strategy") return (s.lane_strategy = value, true);
  if (name == "--mode") return (s.mode = value, true);
  if (name == "--json") return (s.json = value, true);
  if (name == "--svg") return (s.svg = value, true);
  if (name == "--callers") return whole(value, s.callers);
  if (name == "--slow-callers") return whole(value, s.slow_callers);
  if (name == "--link-mb-per-s") return number(value, s.link_mb_per_s);
  if (name == "--seconds") return number(value, s.seconds);
  if (name == "--rate") return number(value, s.rate);
  if (name == "--value-bytes") return whole(value, s.value_bytes);
  if (name == "--hash-bytes") return whole(value, s.hash_bytes);
  if (name == "--keys") return whole(value, s.keys) && s.keys > 0;
  if (name == "--set-ratio") return number(value, s.set_ratio);
  return false;
}

bool write_file(const std::string& path, const std::string& text) {
  if (path.empty()) return true;
  if (path == "-") return std::fputs(text.c_str(), stdout) >= 0;
  std::ofstream file(path);
  file << text;
  return file.good();
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  if (argc < 2 || std::strcmp(argv[1], "--help") == 0) {
    std::fputs(kUsage, argc < 2 ? stderr : stdout);
    return argc < 2 ? 2 : 0;
  }
  if (!slotcar::bench::is_scenario(argv[1])) {
    std::fprintf(stderr,
                 "slotcar-bench: there is no scenario '%s'; the first argument is one of %s\n"
                 "slotcar-bench --help tells more\n",
                 argv[1], slotcar::bench::scenario_names().c_str());
    return 2;
  }
  settings.scenario = argv[1];
  for (int i = 2; i < argc; ++i) {
    const std::string name = argv[i];
    if (name == "--quiet") {
      settings.quiet = true;
    } else if (i + 1 >= argc || !read_option(name, argv[i + 1], settings)) {
      std::fprintf(stderr, "slotcar-bench: %s '%s'\n",
                   i + 1 < argc ? "no such option, or not such a value:" : "no value after",
                   name.c_str());
      return 2;
    } else {
      ++i;
    }
  }
  if (settings.scenario == "hol" && settings.slow_callers >= settings.callers) {
    std::fputs("slotcar-bench: --callers must be above --slow-callers\n", stderr);
    return 2;
  }
  auto outcome = slotcar::bench::run_scenario(settings);
  if (!outcome) {
    std::fprintf(stderr, "slotcar-bench: %s\n", outcome.error().message.c_str());
    return 1;
  }
  if (settings.json != "-") std::fputs(slotcar::bench::as_text(**outcome).c_str(), stdout);
  if (!write_file(settings.json, slotcar::bench::as_json(**outcome)) ||
      !write_file(settings.svg, slotcar::bench::as_svg(**outcome))) {
    std::fputs("slotcar-bench: a result could not be written\n", stderr);
    return 1;
  }
  return 0;
}
