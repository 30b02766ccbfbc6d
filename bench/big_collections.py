#!/usr/bin/env python3
"""Big collections, next to redis-server in the same run.

    bench/big_collections.py memory    RSS of one set, hash, sorted set, list, stream of 1 M elements
    bench/big_collections.py beside    GET latency of others while a client repeats a long command:
                                   LRANGE of 500 k elements (also for keys of the list's own shard),
                                   DEL and UNLINK of a 5 M sorted set, SUNIONSTORE of two sets of 1 M,
                                   SORT of 1 M

Each prints one line per server; medians of --rounds. What is above quiet is the figure that counts.
"""
import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import bench_peers as peers  # noqa: E402
import tails  # noqa: E402

KINDS = {
    'set': lambda i: ('SADD', 'c', 'member:%012d' % i),
    'hash': lambda i: ('HSET', 'c', 'field:%012d' % i, 'value:%010d' % i),
    'zset': lambda i: ('ZADD', 'c', str(i * 7 % 1000003), 'member:%012d' % i),
    'list': lambda i: ('RPUSH', 'c', 'element:%012d' % i),
    'stream': lambda i: ('XADD', 'c', '%d-1' % (1700000000000 + i), 'field', 'value:%010d' % i),
}


def fill(server, one, count):
    peers.bulk(server, peers.batched(peers.one(*one(i)) for i in range(count)))


def memory(a):
    count = a.elements or 1_000_000
    for kind, one in KINDS.items():
        found = {}
        for name in ('slotcar', 'redis'):
            rounds = []
            for _ in range(a.rounds):
                server = tails.start(name, a)
                try:
                    empty = server.rss()
                    fill(server, one, count)
                    rounds.append((server.rss() - empty) / count)
                finally:
                    server.stop()
            found[name] = statistics.median(rounds)
        print('memory %-8s slotcar %.1f  redis %.1f bytes an element  ratio %.2f' % (
            kind, found['slotcar'], found['redis'], found['slotcar'] / found['redis']), flush=True)


LONG = {'lrange': ('LRANGE', 'big:{list}', '0', '-1'),
        'sunionstore': ('SUNIONSTORE', 'union', 'big:set:1', 'big:set:2'),
        'sort': ('SORT', 'big:numbers', 'LIMIT', '0', '10')}
DELETED = 3  # sorted sets of 5 M, made before, deleted one after the other


def repeat(port, seconds, what):
    """The client with the long command, in a process of its own. Prints how often it ran."""
    c = peers.Resp(peers.HOST, port, 300)
    end, turns = time.monotonic() + seconds, 0
    if what in LONG:
        while time.monotonic() < end:
            c.s.sendall(peers.one(*LONG[what]))
            peers.slow_read(c.s)
            turns += 1
    else:
        for turns in range(1, DELETED + 1):
            c(what.upper(), 'big:zset:%d' % (turns - 1))
            time.sleep(seconds / DELETED / 2)
    print(turns)


def make_deleted(server):
    for k in range(DELETED):
        fill(server, lambda i: ['ZADD', 'big:zset:%d' % k] + [
            w for j in range(i * 100, i * 100 + 100) for w in (str(j), 'm:%09d' % j)], 50_000)


def beside(a):
    keys = a.keys or 100_000
    wanted = a.what_beside.split(',') if a.what_beside else ['lrange', 'sunionstore', 'sort', 'del',
                                                            'unlink']
    for name in ('slotcar', 'redis'):
        server = tails.start(name, a)
        try:
            peers.bulk(server, tails.strings(keys))
            fill(server, lambda i: ('RPUSH', 'big:{list}', 'element:%012d' % i), 500_000)
            fill(server, lambda i: ('SADD', 'big:set:1', 'member:%012d' % i), 1_000_000)
            fill(server, lambda i: ('SADD', 'big:set:2', 'member:%012d' % (i + 500_000)), 1_000_000)
            fill(server, lambda i: ('RPUSH', 'big:numbers', str(i * 7919 % 1000003)), 1_000_000)
            for what in wanted:
                rounds = []
                for _ in range(a.rounds):
                    if what not in LONG:
                        make_deleted(server)
                    quiet = server_probe(server, a.seconds, keys, False)
                    child = subprocess.Popen(
                        [sys.executable, os.path.abspath(__file__), '--repeat', what, '--port',
                         str(server.port), '--seconds', str(a.seconds + 1)], stdout=subprocess.PIPE)
                    time.sleep(0.5)
                    loud = server_probe(server, a.seconds, keys, what == 'lrange')
                    turns = int(child.communicate()[0])
                    rounds.append({'quiet_p99_ms': quiet['p99_ms'], 'beside_p99_ms': loud['p99_ms'],
                                   'above_ms': loud['p99_ms'] - quiet['p99_ms'],
                                   'beside_max_ms': loud['max_ms'], 'turns': turns})
                tails.report(what, name, rounds)
        finally:
            server.stop()


def server_probe(server, seconds, keys, same_shard):
    """As tails.probe; or of a key that lives beside the long list, in the same slot."""
    if not same_shard:
        return tails.probe(server, seconds, keys)
    c = server.conn(60)
    c('SET', 'near:{list}', 'v')
    lat, end = [], time.monotonic() + seconds
    while time.monotonic() < end:
        began = time.perf_counter_ns()
        c('GET', 'near:{list}')
        lat.append((time.perf_counter_ns() - began) / 1e6)
        time.sleep(0.001)
    c.close()
    return peers.pct(lat)


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    ap.add_argument('what', nargs='?', choices=['memory', 'beside'])
    ap.add_argument('what_beside', nargs='?', help='only these: lrange,sunionstore,sort,del,unlink')
    ap.add_argument('--server', default=os.path.abspath(tails.OURS))
    ap.add_argument('--rounds', type=int, default=3)
    ap.add_argument('--keys', type=int)
    ap.add_argument('--elements', type=int)
    ap.add_argument('--workers', type=int, default=2)
    ap.add_argument('--seconds', type=float, default=4)
    ap.add_argument('--nice', type=int, default=0)
    ap.add_argument('--repeat', help=argparse.SUPPRESS)
    ap.add_argument('--port', type=int, help=argparse.SUPPRESS)
    a = ap.parse_args()
    if a.repeat:
        return repeat(a.port, a.seconds, a.repeat)
    if not a.what:
        ap.error('say what to measure')
    peers.NICE = a.nice
    with tempfile.TemporaryDirectory(prefix='big_collections.') as root:
        a.root = root
        {'memory': memory, 'beside': beside}[a.what](a)


if __name__ == '__main__':
    main()
