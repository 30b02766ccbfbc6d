#!/usr/bin/env python3
"""Log and snapshots under load, next to redis-server in the same run where it has the same thing.

    bench/durability.py log       SET without a log, with `everysec` and with `always`, one core for the
                                  server, interleaved: what a log costs
    bench/durability.py bgsave    2 M keys, 50 connections, 20,000 requests/s at a fixed rate, half SET:
                                  latency with and without a BGSAVE, extra memory
    bench/durability.py hashes    the same while fields of hashes of 1 M fields are written
    bench/durability.py cut       10 M keys: the longest single call around a BGSAVE, measured inside, and
                                  as long a time without one; what the host took meanwhile
    bench/durability.py bitmap    one string of 256 MB: SETBITs anywhere in it, with and without a BGSAVE
    bench/durability.py replay    a log of 2 M SETs: how long a start takes
    bench/durability.py reads     p99 of connections that only GET, beside writers under `always`
    bench/durability.py noise     as bgsave, but nothing happens

The load of all but `log` and `replay` comes from steady_load (open loop, latency counts from the
appointed time). Its percentiles are taken per half second, and the median of these counts: on a machine
that others use, too, a moment in which nothing runs shall not decide. `calm` is the ratio of the lower
quartiles instead: what others take comes on top, so the calmer half seconds tell more of the server.
Rounds alternate between what is compared; `noise` compares nothing with nothing, to show what a ratio
is worth.
"""
import argparse
import json
import os
import random
import statistics
import subprocess
import sys
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


OFF = ("--appendonly no --save ''",)


def load(s, a, seconds, rate=20_000, keys=2_000_000, ratio=0.5, connections=50):
    """A steady_load run; its result."""
    def start():
        peers.renice()
        if a.apart:
            os.sched_setaffinity(0, {1})
    out = subprocess.run(
        [os.path.join(a.build, 'steady_load'), str(s.port), '--connections', str(connections),
         '--rate', str(rate), '--seconds', str(seconds), '--keys', str(keys),
         '--set-ratio', str(ratio)], check=True, stdout=subprocess.PIPE, preexec_fn=start).stdout
    return json.loads(out)


class Tails:
    """p90, p99 and max of half seconds, of two kinds."""

    def __init__(self, kinds):
        self.rows = {kind: [] for kind in kinds}

    def add(self, kind, result):
        self.rows[kind] += result['windows']

    def medians(self, kind):
        return [statistics.median(row[i] for row in self.rows[kind]) for i in (0, 1, 2)]

    def calm(self, kind):
        return [statistics.quantiles([row[i] for row in self.rows[kind]], n=4)[0] for i in (0, 1, 2)]

    def report(self, what):
        for kind, rows in self.rows.items():
            print('%-8s %-8s p90 %.3f  p99 %.3f  max %.3f ms  (medians of %d half seconds; the '
                  'worst p99 %.3f, max %.3f)' % (
                      what, kind, *self.medians(kind), len(rows), max(r[1] for r in rows),
                      max(r[2] for r in rows)), flush=True)
        for name, of in (('ratio   ', self.medians), ('calm    ', self.calm)):
            without, beside = (of(kind) for kind in self.rows)
            print('%-8s %s p90 %.2f  p99 %.2f  max %.2f' % (
                what, name, *(b / w for b, w in zip(beside, without))), flush=True)


def saving(s):
    return s.info('persistence').get('rdb_bgsave_in_progress') == '1'


def bgsave_under_load(s, a, tails, rows):
    tails.add('quiet', load(s, a, a.seconds))
    before = peak = s.rss(tree=False)
    seen = {}

    def beside():
        seen['load'] = load(s, a, a.seconds)
    thread = threading.Thread(target=beside, daemon=True)
    c = s.conn()
    c('BGSAVE')
    thread.start()
    while thread.is_alive():  # seldom, and without a question to the server: it shall be left alone
        peak = max(peak, s.rss(tree=False))
        thread.join(0.25)
    while saving(s):
        time.sleep(0.05)
    told = s.info('persistence')
    c.close()
    seconds = int(told['rdb_last_bgsave_time_sec'])
    # Only the data beside it.
    seen['load']['windows'] = seen['load']['windows'][:max(1, seconds * 2)]
    tails.add('saving', seen['load'])
    extra = peak - before + int(told.get('rdb_last_cow_size', 0))
    rows.append({'save_s': seconds, 'extra_percent': 100 * extra / before})


def report(what, rounds):
    for name, rows in rounds.items():
        medians = {k: statistics.median(r[k] for r in rows) for k in rows[0]}
        print('%-8s %-8s ' % (what, name) + '  '.join('%s %.3f' % kv for kv in medians.items()),
              flush=True)
        if len(rows) > 1:
            for key in rows[0]:
                print('    %-14s' % key + ' '.join('%.3f' % r[key] for r in rows), flush=True)


def names(a):
    return ('slotcar', 'redis') if a.peer else ('slotcar',)


def beside_saves(what, a, prepare):
    for name in names(a):
        s = server(name, a, *OFF)
        tails, rows = Tails(['quiet', 'saving']), []
        try:
            stop = prepare(s)
            load(s, a, 1)
            for _ in range(a.rounds):
                bgsave_under_load(s, a, tails, rows)
            stop()
        finally:
            s.stop()
        tails.report(what + ' ' + name)
        report(what, {name: rows})


def bgsave(a):
    def prepare(s):
        peers.bulk(s, peers.batched(peers.g_strings(2_000_000, 64)))
        return lambda: None
    beside_saves('bgsave', a, prepare)


def noise(a):
    s = server('slotcar', a, *OFF)
    tails = Tails(['quiet', 'as quiet'])
    try:
        peers.bulk(s, peers.batched(peers.g_strings(2_000_000, 64)))
        load(s, a, 1)
        for _ in range(a.rounds):
            for kind in tails.rows:
                tails.add(kind, load(s, a, a.seconds))
    finally:
        s.stop()
    tails.report('noise')


def hashes(a):
    def prepare(s):
        for h in range(2):
            peers.bulk(s, peers.batched(
                peers.one('HSET', 'big:%d' % h, 'field:%d' % i, 'value:%d' % i)
                for i in range(1_000_000)))
        stop = threading.Event()

        def write():
            c, i = s.conn(), 0
            while not stop.is_set():
                i += 1
                c('HSET', 'big:%d' % (i % 2), 'field:%d' % (i * 7919 % 1_000_000), str(i))
                time.sleep(0.001)
        threading.Thread(target=write, daemon=True).start()
        return stop.set
    beside_saves('hashes', a, prepare)


def stolen_ms():
    """What the host has taken of the processors so far."""
    with open('/proc/stat') as f:
        return int(f.readline().split()[8]) * 1000 / os.sysconf('SC_CLK_TCK')


def longest_calls(s, a, command):
    """The longest single calls during a load in whose middle `command` is given."""
    c = s.conn()
    c('CONFIG', 'RESETSTAT')
    stolen = stolen_ms()
    thread = threading.Thread(target=lambda: load(s, a, a.seconds + 6), daemon=True)
    thread.start()
    time.sleep(4)
    c(command)
    thread.join(120)
    while saving(s):
        time.sleep(0.05)
    stats = s.info('commandstats')
    c.close()
    row = {}
    for kind in ('get', 'set'):
        fields = dict(f.split('=') for f in stats['cmdstat_' + kind].split(','))
        row[kind + '_max_ms'] = int(fields['usec_max']) / 1000
    row['stolen_ms'] = stolen_ms() - stolen
    return row


def cut(a):
    rounds = {'quiet': [], 'saving': []}
    s = server('slotcar', a, *OFF)
    try:
        peers.bulk(s, peers.batched(peers.g_strings(10_000_000, 64)))
        load(s, a, 1)
        for _ in range(a.rounds):
            rounds['quiet'].append(longest_calls(s, a, 'PING'))
            rounds['saving'].append(longest_calls(s, a, 'BGSAVE'))
    finally:
        s.stop()
    report('cut', rounds)


def setbits(c, until, megabytes):
    """SETBITs one after the other until stopped; how long each took, in ms, sorted."""
    took = []
    dice = random.Random(len(took))
    while not until(len(took)):
        bit = dice.randrange(megabytes << 23)
        began = time.perf_counter()
        c('SETBIT', 'bitmap', bit, dice.randrange(2))
        took.append((time.perf_counter() - began) * 1000)
    return sorted(took)


def bitmap(a):
    """Half of it can be packed. Extra memory: of the process, and what a child had to copy."""
    megabytes = 256
    rounds = {}
    for name in names(a):
        s = server(name, a, *(OFF if name == 'slotcar' else ()))
        try:
            c, other = s.conn(), s.conn()
            for i in range(megabytes):
                c('SETRANGE', 'bitmap', i << 20, os.urandom(1 << 19) + bytes(1 << 19))
            for _ in range(a.rounds):
                peak = before = s.rss(tree=False)
                quiet = setbits(c, lambda done: done == 20_000, megabytes)
                other('BGSAVE')

                def over(done):
                    nonlocal peak
                    if done % 500 == 0:
                        peak = max(peak, s.rss(tree=False))
                    return done % 500 == 0 and not saving(s)
                beside = setbits(c, over, megabytes)
                told = s.info('persistence')
                extra = peak - before + int(told.get('rdb_last_cow_size', 0))
                rounds.setdefault(name, []).append({
                    'quiet_p99_ms': quiet[len(quiet) * 99 // 100], 'quiet_max_ms': quiet[-1],
                    'saving_p99_ms': beside[len(beside) * 99 // 100], 'saving_max_ms': beside[-1],
                    'setbits': len(beside), 'save_s': int(told['rdb_last_bgsave_time_sec']),
                    'extra_percent': 100 * extra / before})
        finally:
            s.stop()
    report('bitmap', rounds)


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
    """GETs beside writers, without a log and under `always`, both servers there all the time."""
    servers = {'no log': server('slotcar', a, *OFF),
               'always': server('slotcar', a, "--appendonly yes --appendfsync always --save ''")}
    tails = Tails(servers)
    try:
        for s in servers.values():
            peers.bulk(s, peers.batched(peers.g_strings(100_000, 64)))
        for _ in range(a.rounds):
            for kind, s in servers.items():
                writer = threading.Thread(
                    target=lambda s=s: load(s, a, a.seconds + 1, rate=2000, keys=100_000, ratio=1,
                                            connections=8), daemon=True)
                writer.start()
                time.sleep(0.5)
                tails.add(kind, load(s, a, a.seconds, rate=10_000, keys=100_000, ratio=0))
                writer.join(60)
    finally:
        for s in servers.values():
            s.stop()
    tails.report('reads')


def log(a):
    """One worker and its log on one core, redis-benchmark on the other."""
    modes = {'off': ' --appendonly no', 'everysec': ' --appendonly yes --appendfsync everysec',
             'always': ' --appendonly yes --appendfsync always'}
    commands = {'slotcar': os.path.join(a.build, 'slotcar-server') +
                " --port {port} --dir {dir} --workers {threads} --save ''",
                'redis': peers.PEERS['redis'].replace('--appendonly no', '')}
    servers = {}
    try:
        for name in names(a):
            for mode, options in modes.items():
                s = servers[name, mode] = peers.Server(name + mode, commands[name] + options,
                                                       root=a.root)
                s.start(1, {0})
                peers.bulk(s, peers.batched(peers.g_strings(100_000, 64)))
        for pipeline in (1, 16):
            rows = {key: [] for key in servers}
            number = {}
            for turn in range(-1, a.rounds):
                for key in (servers if turn % 2 else reversed(servers)):
                    got = sets(servers[key], pipeline, number.get(key, 50_000))
                    if turn < 0:
                        number[key] = int(got['rps'] * min(a.seconds, 1))
                    else:
                        rows[key].append(got)
            for (name, mode), got in rows.items():
                off = rows[name, 'off']
                rps, cpu = (statistics.median(g[k] / o[k] for g, o in zip(got, off))
                            for k in ('rps', 'cpu'))
                print('log      %-8s p%-2d %-8s %7.0f/s (%.2f)  CPU %.2f us (%.2f)' % (
                    name, pipeline, mode, statistics.median(g['rps'] for g in got), rps,
                    statistics.median(g['cpu'] for g in got), cpu), flush=True)
    finally:
        for s in servers.values():
            s.stop()


def sets(s, pipeline, count):
    def start():
        peers.renice()
        os.sched_setaffinity(0, {1})
    before = s.cpu_ns()
    out = subprocess.run(['redis-benchmark', '-p', str(s.port), '-c', '50', '-n', str(count), '-P',
                          str(pipeline), '-r', '100000', '--csv', 'SET', 'key:__rand_int__',
                          'x' * 64], check=True, stdout=subprocess.PIPE, preexec_fn=start).stdout
    rps = float(out.decode().splitlines()[-1].split(',')[1].strip('"'))
    return {'rps': rps, 'cpu': (s.cpu_ns() - before) / 1000 / count}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('what', choices=['log', 'bgsave', 'hashes', 'cut', 'bitmap', 'replay', 'reads', 'noise'])
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
