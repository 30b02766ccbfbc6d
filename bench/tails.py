#!/usr/bin/env python3
"""What bench_peers.py cannot measure: the longest call and the latest expiry.

    bench/tails.py insert        5 M inserts; the longest SET, measured inside the server
    bench/tails.py big-values    GET latency of others while a client SETs, GETs and DELs 100 MB values
    bench/tails.py expiry        1,000 probe keys among 1 M other keys with a time: how late they go
    bench/tails.py idle          memory of an empty server with two workers

Each prints one line per server and round; redis-server stands beside ours in the same run where the
question makes sense for it. --server names our binary, --rounds how often (medians are printed).
"""
import argparse
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
OURS = os.path.join(HERE, '..', 'build', 'release', 'slotcar-server')


def start(name, a):
    command = peers.PEERS['redis'] if name == 'redis' else (
        a.server + " --port {port} --dir {dir} --workers {threads} --appendonly no --save ''")
    server = peers.Server(name, command, root=a.root)
    server.start(a.workers)
    return server


def strings(n, size=64):
    return peers.batched(peers.g_strings(n, size))


def report(what, name, rounds):
    keys = rounds[0].keys()
    medians = {k: statistics.median(r[k] for r in rounds) for k in keys}
    print('%-12s %-8s ' % (what, name) + '  '.join('%s %.3f' % (k, v) for k, v in medians.items()),
          flush=True)
    return medians


def insert(a):
    """The server keeps the longest run of each command (INFO commandstats, usec_max)."""
    for name in ('slotcar', 'redis'):
        rounds = []
        for _ in range(a.rounds):
            s = start(name, a)
            try:
                began = time.monotonic()
                peers.bulk(s, strings(a.keys or 5_000_000))
                took = time.monotonic() - began
                row = {'seconds': took}
                stat = s.info('commandstats').get('cmdstat_set', '')
                fields = dict(f.split('=') for f in stat.split(',') if '=' in f)
                if 'usec_max' in fields:
                    row['set_max_ms'] = int(fields['usec_max']) / 1000
                row['rss_per_key'] = s.rss() / (a.keys or 5_000_000)
                rounds.append(row)
            finally:
                s.stop()
        report('insert', name, rounds)


def probe(server, seconds, keys, stop=None):
    c = server.conn(60)
    r, lat, end = random.Random(7), [], time.monotonic() + seconds
    while time.monotonic() < end and not (stop and stop.is_set()):
        q = peers.one('GET', 'key:%012d' % r.randrange(keys))
        began = time.perf_counter_ns()
        c.s.sendall(q)
        c.read()
        lat.append((time.perf_counter_ns() - began) / 1e6)
        time.sleep(0.001)
    c.close()
    return peers.pct(lat)


def big_client(port, seconds, megabytes):
    """In a process of its own: the prober must not share an interpreter with it."""
    c = peers.Resp(peers.HOST, port, 120)
    value = os.urandom(1 << 20) * megabytes
    head = b'*3\r\n$3\r\nSET\r\n$3\r\nbig\r\n$%d\r\n' % len(value)
    end, n = time.monotonic() + seconds, 0
    while time.monotonic() < end:
        c.s.sendall(head)
        c.s.sendall(value)
        c.s.sendall(b'\r\n')
        c.read()
        c.s.sendall(peers.one('GET', 'big'))
        assert len(c.read()) == len(value)
        c('DEL', 'big')
        n += 1
    print(n)


def big_values(a):
    keys = a.keys or 1_000_000
    for name in ('slotcar', 'redis'):
        rounds = []
        for _ in range(a.rounds):
            s = start(name, a)
            try:
                peers.bulk(s, strings(keys))
                quiet = probe(s, a.seconds, keys)
                child = subprocess.Popen([sys.executable, os.path.abspath(__file__), '--big-client',
                                          str(s.port), '--seconds', str(a.seconds + 1)],
                                         stdout=subprocess.PIPE)
                time.sleep(0.5)
                beside = probe(s, a.seconds, keys)
                turns = int(child.communicate()[0])
                rounds.append({'quiet_p99_ms': quiet['p99_ms'], 'beside_p99_ms': beside['p99_ms'],
                               'above_ms': beside['p99_ms'] - quiet['p99_ms'],
                               'beside_max_ms': beside['max_ms'], 'big_turns': turns})
            finally:
                s.stop()
        report('big-values', name, rounds)


def expiry(a):
    """Probe keys with a time in the near future among many others. From outside: when EXISTS by an
    other connection turns false cannot tell removal from being hidden, so DBSIZE is what is watched:
    it counts keys that are still in the table."""
    others = a.keys or 1_000_000
    for name in ('slotcar', 'redis'):
        rounds = []
        for _ in range(a.rounds):
            s = start(name, a)
            try:
                def volatile():
                    for i in range(others):
                        yield peers.one('SET', 'ttl:%012d' % i, 'v', 'EX', str(3600 + i % 3600))
                peers.bulk(s, peers.batched(volatile()))
                c = s.conn()
                c('CONFIG', 'RESETSTAT')
                lags = []
                for i in range(1000):
                    wait_ms = 20 + i % 13
                    c.s.sendall(peers.one('TIME'))
                    t = c.read()
                    base_ms = int(t[0]) * 1000 + int(t[1]) // 1000
                    due = base_ms + wait_ms
                    c('SET', 'probe', 'v', 'PXAT', str(due))
                    while int(c('DBSIZE')) > others:
                        if time.time() * 1000 - due > 2000:
                            break
                    lags.append(max(0.0, time.time() * 1000 - due))
                    c('DEL', 'probe')
                p = peers.pct(lags)
                row = {'lag_p50_ms': p['p50_ms'], 'lag_p99_ms': p['p99_ms'], 'lag_max_ms': p['max_ms']}
                stats = s.info('stats')
                if 'expire_lag_ms_max' in stats:
                    row['info_lag_max_ms'] = float(stats['expire_lag_ms_max'])
                c.close()
                rounds.append(row)
            finally:
                s.stop()
        report('expiry', name, rounds)


def idle(a):
    for name in ('slotcar', 'redis'):
        s = start(name, a)
        try:
            time.sleep(1)
            report('idle', name, [{'rss_mb': s.rss() / 1e6}])
        finally:
            s.stop()


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    ap.add_argument('what', nargs='?', choices=['insert', 'big-values', 'expiry', 'idle'])
    ap.add_argument('--server', default=os.path.abspath(OURS))
    ap.add_argument('--rounds', type=int, default=3)
    ap.add_argument('--keys', type=int)
    ap.add_argument('--workers', type=int, default=2)
    ap.add_argument('--seconds', type=float, default=5)
    ap.add_argument('--nice', type=int, default=0)
    ap.add_argument('--big-client', type=int, help=argparse.SUPPRESS)
    a = ap.parse_args()
    if a.big_client:
        return big_client(a.big_client, a.seconds, 100)
    if not a.what:
        ap.error('say what to measure')
    peers.NICE = a.nice
    import tempfile
    with tempfile.TemporaryDirectory(prefix='tails.') as root:
        a.root = root
        {'insert': insert, 'big-values': big_values, 'expiry': expiry, 'idle': idle}[a.what](a)


if __name__ == '__main__':
    main()
