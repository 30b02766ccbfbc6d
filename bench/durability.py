#!/usr/bin/env python3
"""Log and snapshots under load, next to redis-server in the same run where it has the same thing.

    bench/durability.py bgsave    2 M keys, 50 connections, 20,000 requests/s at a fixed rate, half SET:
                                  latency with and without a BGSAVE, extra memory
    bench/durability.py hashes    the same while fields of hashes of 1 M fields are written
    bench/durability.py cut       10 M keys: the longest single call around a BGSAVE, measured inside
    bench/durability.py replay    a log of 2 M SETs: how long a start takes
    bench/durability.py reads     p99 of connections that only GET, beside writers under `always`

Load comes from slotcar-bench (open loop, latency counts from the appointed time). Medians of --rounds;
rounds alternate between the servers.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import bench_peers as peers  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
BUILD = os.path.join(HERE, '..', 'build', 'release')


def server(name, a, *options):
    command = peers.PEERS['redis'] if name == 'redis' else (
        os.path.join(a.build, 'slotcar-server') + ' --port {port} --dir {dir} --workers {threads}')
    s = peers.Server(name, command + ' ' + ' '.join(options), root=a.root)
    s.start(a.workers)
    if a.apart:
        for thread in os.listdir('/proc/%d/task' % s.p.pid):
            os.sched_setaffinity(int(thread), {0})
    return s


def start_load(a):
    """In the load generator before it begins."""
    peers.renice()
    if a.apart:
        os.sched_setaffinity(0, {1})


OFF = ("--appendonly no --save ''",)


def load(s, a, seconds, scenario='mixed', rate=20_000, keys=1_000_000, ratio=0.5, lanes=50):
    """A slotcar-bench run; its result."""
    out = tempfile.mktemp(prefix='load.', suffix='.json')
    command = [os.path.join(a.build, 'slotcar-bench'), scenario, '--uri',
               'redis://127.0.0.1:%d' % s.port, '--lanes', str(lanes), '--lane-strategy',
               'round-robin', '--callers', '50', '--seconds', str(seconds), '--keys', str(keys),
               '--set-ratio', str(ratio), '--json', out, '--quiet']
    if rate:
        command += ['--rate', str(rate)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL,
                   preexec_fn=lambda: start_load(a))
    with open(out) as f:
        result = json.load(f)
    os.unlink(out)
    return result


def figures(result):
    """p99 and max over all kinds of calls."""
    rows = [v for v in result.values() if isinstance(v, dict) and 'p99_ms' in v]
    return {'p99': max(r['p99_ms'] for r in rows), 'p999': max(r['p999_ms'] for r in rows),
            'max': max(r.get('max_ms', r['p999_ms']) for r in rows)}


def saving(s):
    return s.info('persistence').get('rdb_bgsave_in_progress') == '1'


def bgsave_under_load(s, a, row, prepare=None):
    quiet = figures(load(s, a, a.seconds))
    seen = {}

    def save():
        c = s.conn()
        time.sleep(a.seconds * 0.3 + 2)  # slotcar-bench writes its keys first
        seen['before'] = s.rss(tree=False)
        peak = seen['before']
        began = time.monotonic()
        c('BGSAVE')
        while saving(s):
            peak = max(peak, s.rss(tree=False))
            time.sleep(0.05)  # seldom: the cores are those that serve
        seen['seconds'] = time.monotonic() - began
        cow = int(s.info('persistence').get('rdb_last_cow_size', 0))
        seen['extra'] = peak - seen['before'] + cow
        c.close()
    thread = threading.Thread(target=save, daemon=True)
    thread.start()
    beside = figures(load(s, a, a.seconds))
    thread.join()
    row.append({'quiet_p99': quiet['p99'], 'save_p99': beside['p99'],
                'p99_ratio': beside['p99'] / quiet['p99'], 'quiet_max': quiet['max'],
                'save_max': beside['max'], 'max_ratio': beside['max'] / quiet['max'],
                'save_s': seen['seconds'],
                'extra_percent': 100 * seen['extra'] / seen['before']})


def report(what, rounds):
    for name, rows in rounds.items():
        medians = {k: statistics.median(r[k] for r in rows) for k in rows[0]}
        print('%-8s %-8s ' % (what, name) + '  '.join('%s %.3f' % kv for kv in medians.items()),
              flush=True)


def names(a):
    return ('slotcar', 'redis') if a.peer else ('slotcar',)


def bgsave(a):
    rounds = {n: [] for n in names(a)}
    for _ in range(a.rounds):
        for name in rounds:
            s = server(name, a, *OFF)
            try:
                peers.bulk(s, peers.batched(peers.g_strings(1_000_000, 64)))
                load(s, a, 1)
                bgsave_under_load(s, a, rounds[name])
            finally:
                s.stop()
    report('bgsave', rounds)


def hashes(a):
    rounds = {n: [] for n in names(a)}
    for _ in range(a.rounds):
        for name in rounds:
            s = server(name, a, *OFF)
            stop = threading.Event()
            try:
                for h in range(2):
                    peers.bulk(s, peers.batched(
                        peers.one('HSET', 'big:%d' % h, 'field:%d' % i, 'value:%d' % i)
                        for i in range(1_000_000)))
                load(s, a, 1)

                def write():
                    c, i = s.conn(), 0
                    while not stop.is_set():
                        i += 1
                        c('HSET', 'big:%d' % (i % 2), 'field:%d' % (i * 7919 % 1_000_000), str(i))
                        time.sleep(0.001)
                threading.Thread(target=write, daemon=True).start()
                bgsave_under_load(s, a, rounds[name])
            finally:
                stop.set()
                s.stop()
    report('hashes', rounds)


def cut(a):
    rounds = {'slotcar': []}
    s = server('slotcar', a, *OFF)
    try:
        peers.bulk(s, peers.batched(peers.g_strings(10_000_000, 64)))
        load(s, a, 1)
        for _ in range(a.rounds):
            c = s.conn()
            c('CONFIG', 'RESETSTAT')
            thread = threading.Thread(target=lambda: load(s, a, a.seconds + 6), daemon=True)
            thread.start()
            time.sleep(4)
            c('BGSAVE')
            thread.join(120)
            while saving(s):
                time.sleep(0.05)
            stats = s.info('commandstats')
            longest = {}
            for kind in ('get', 'set'):
                fields = dict(f.split('=') for f in stats['cmdstat_' + kind].split(','))
                longest[kind + '_max_ms'] = int(fields['usec_max']) / 1000
            rounds['slotcar'].append(longest)
            c.close()
    finally:
        s.stop()
    report('cut', rounds)


def replay(a):
    rounds = {n: [] for n in ('slotcar', 'redis')}
    options = {'slotcar': ("--appendonly yes --save '' --auto-aof-rewrite-percentage 0",),
               'redis': ("--appendonly yes --auto-aof-rewrite-percentage 0",)}
    for _ in range(a.rounds):
        for name in rounds:
            s = server(name, a, *options[name])
            try:
                peers.bulk(s, peers.batched(peers.g_strings(2_000_000, 64)))
                time.sleep(2)
                s.p.kill()
                s.p.wait()
                s.p = None
                s.start(a.workers, keep_dir=True)
                c = s.conn()
                rounds[name].append({'start_s': s.ready_s, 'keys': c('DBSIZE')})
                c.close()
            finally:
                s.stop()
    report('replay', rounds)
    ours, theirs = (statistics.median(r['start_s'] for r in rounds[n]) for n in rounds)
    print('replay   ratio %.2f' % (ours / theirs), flush=True)


def reads(a):
    """Open-loop GETs beside closed-loop writers."""
    rounds = {'no log': [], 'always': []}
    for _ in range(a.rounds):
        for kind in rounds:
            s = server('slotcar', a, *(OFF if kind == 'no log' else
                                       ("--appendonly yes --appendfsync always --save ''",)))
            try:
                load(s, a, 1, rate=1000, keys=100_000)
                writer = threading.Thread(
                    target=lambda: load(s, a, a.seconds + 2, scenario='set', rate=2000,
                                        keys=50_000, lanes=8), daemon=True)
                writer.start()
                time.sleep(1)
                got = figures(load(s, a, a.seconds, scenario='get', rate=10_000, keys=100_000))
                writer.join(60)
                rounds[kind].append(got)
            finally:
                s.stop()
    report('reads', rounds)
    p99 = {k: statistics.median(r['p99'] for r in v) for k, v in rounds.items()}
    print('reads    ratio %.2f' % (p99['always'] / p99['no log']), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('what', choices=['bgsave', 'hashes', 'cut', 'replay', 'reads'])
    parser.add_argument('--rounds', type=int, default=3)
    parser.add_argument('--seconds', type=float, default=6)
    parser.add_argument('--workers', type=int, default=2)
    parser.add_argument('--build', default=BUILD)
    parser.add_argument('--root', default=None)
    parser.add_argument('--peer', action='store_true', help='redis-server, too')
    parser.add_argument('--apart', action='store_true',
                        help='server on core 0, load on core 1: neither takes from the other')
    parser.add_argument('--nice', type=int, default=0)
    a = parser.parse_args()
    peers.NICE = a.nice
    globals()[a.what](a)


if __name__ == '__main__':
    main()
