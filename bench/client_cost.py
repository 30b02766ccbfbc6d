#!/usr/bin/env python3
"""What the typed calls of the client library cost: instructions per call, and time to compile.

    bench/client_cost.py [--rounds 3] [--hiredis FOLDER]

Instructions: typed GET against a raw request whose text is moved into a std::string, both on the
machine of a lane without sockets (client/bench/typed_cost.cc), counted by callgrind; the same number
in every run. Asked: at most 1.03.

Compiling: a file that includes the whole library and uses ten commands, against the same with hiredis
and the standard headers that the library's headers name: CPU time of g++ -O2, in turn, the lowest of
the rounds. Asked: at most 1.5. FOLDER is where hiredis/hiredis.h is, if it is not installed.
"""
import argparse
import pathlib
import re
import resource
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / 'build/release'
OURS = '''#include "slotcar/slotcar.h"
#include <cstdio>
using namespace slotcar::client;
using namespace std::chrono_literals;
int main() {
  Client client({.uri = "redis://127.0.0.1:6379"});
  Redis redis(client);
  (void)redis.set("k", "v", {.ex = 60s});
  auto v = redis.get("k");
  (void)redis.incr("n");
  (void)redis.del({"a", "b"});
  (void)redis.hset("h", {{"f", "v"}});
  auto h = redis.hgetall("h");
  (void)redis.rpush("l", {"a", "b"});
  auto l = redis.lrange("l", 0, -1);
  (void)redis.zadd("z", {{1.5, "m"}});
  auto z = redis.zrange("z", 0, -1, with_scores);
  std::printf("%zu %zu %zu %d\\n", h->size(), l->size(), z->size(), v->has_value());
}
'''
THEIRS = '''#include <hiredis/hiredis.h>
@HEADERS@
static redisReply* run(redisContext* c, const char* text) {
  return static_cast<redisReply*>(redisCommand(c, text));
}
int main() {
  redisContext* c = redisConnect("127.0.0.1", 6379);
  freeReplyObject(run(c, "SET k v EX 60"));
  redisReply* got = run(c, "GET k");
  std::optional<std::string> v;
  if (got->type == REDIS_REPLY_STRING) v = std::string(got->str, got->len);
  freeReplyObject(got);
  freeReplyObject(run(c, "INCR n"));
  freeReplyObject(run(c, "DEL a b"));
  freeReplyObject(run(c, "HSET h f v"));
  got = run(c, "HGETALL h");
  std::map<std::string, std::string> h;
  for (size_t i = 0; i + 1 < got->elements; i += 2) h[got->element[i]->str] = got->element[i + 1]->str;
  freeReplyObject(got);
  freeReplyObject(run(c, "RPUSH l a b"));
  got = run(c, "LRANGE l 0 -1");
  std::vector<std::string> l;
  for (size_t i = 0; i < got->elements; ++i) l.push_back(got->element[i]->str);
  freeReplyObject(got);
  freeReplyObject(run(c, "ZADD z 1.5 m"));
  got = run(c, "ZRANGE z 0 -1 WITHSCORES");
  std::vector<std::pair<std::string, double>> z;
  for (size_t i = 0; i + 1 < got->elements; i += 2)
    z.emplace_back(got->element[i]->str, std::atof(got->element[i + 1]->str));
  freeReplyObject(got);
  std::printf("%zu %zu %zu %d\\n", h.size(), l.size(), z.size(), v.has_value());
  redisFree(c);
}
'''


def standard_headers():
    found = set()
    for folder in (ROOT / 'client/include/slotcar', ROOT / 'src/slotcar'):
        for path in folder.rglob('*.h'):
            if path.name != 'asio.h':
                found |= set(re.findall(r'^#include <[a-z_]+>$', path.read_text(), re.M))
    return '\n'.join(sorted(found))


def compile_seconds(source, folder, flags):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(['g++', '-std=c++20', '-O2', '-c', source, '-o', f'{folder}/out.o'] + flags, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def compiling(rounds, hiredis):
    sides = {'slotcar': (OURS, [f'-I{ROOT}/client/include', f'-I{ROOT}/src']),
             'hiredis': (THEIRS.replace('@HEADERS@', standard_headers()), [f'-I{hiredis}'] if hiredis else [])}
    times = {name: [] for name in sides}
    with tempfile.TemporaryDirectory() as folder:
        for name, (text, _) in sides.items():
            pathlib.Path(f'{folder}/{name}.cc').write_text(text)
        for _ in range(rounds):
            for name, (_, flags) in sides.items():
                times[name].append(compile_seconds(f'{folder}/{name}.cc', folder, flags))
    ours, theirs = min(times['slotcar']), min(times['hiredis'])
    print(f'compiling: {ours:.2f} s, hiredis and the same headers {theirs:.2f} s: {ours / theirs:.2f} (1.5)')


def instructions(kind, calls):
    with tempfile.NamedTemporaryFile() as out:
        done = subprocess.run(['valgrind', '--tool=callgrind', f'--callgrind-out-file={out.name}',
                               str(BUILD / 'typed_cost'), kind, str(calls)],
                              capture_output=True, text=True, check=True)
    return int(re.search(r'Collected : (\d+)', done.stderr).group(1))


def cost():
    def per_call(kind):
        return (instructions(kind, 30_000) - instructions(kind, 10_000)) / 20_000
    raw, typed = per_call('raw'), per_call('typed')
    print(f'instructions: typed GET {typed:.1f}, raw {raw:.1f}: {typed / raw:.3f} (1.03)')


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--rounds', type=int, default=3)
    parser.add_argument('--hiredis', default='')
    args = parser.parse_args()
    subprocess.run(['cmake', '--build', str(BUILD), '--target', 'typed_cost'], check=True,
                   stdout=subprocess.DEVNULL)
    cost()
    compiling(args.rounds, args.hiredis)


if __name__ == '__main__':
    main()
