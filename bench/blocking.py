#!/usr/bin/env python3
"""Clients that wait for keys, next to redis-server in the same run, interleaved.

    bench/blocking.py handover    BLPOP waits, RPUSH hands over: CPU of the server per hand-over
    bench/blocking.py crowd       many blocked clients: memory of each, and how long a wake-up takes

Medians of --rounds; the ratio is ours to redis-server's. `crowd` opens as many connections as
--clients says, or as file descriptors allow.
"""
import argparse
import os
import resource
import statistics
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import bench_peers as peers  # noqa: E402
import tails  # noqa: E402


def encode(*words):
    out = b'*%d\r\n' % len(words)
    for word in words:
        word = word.encode()
        out += b'$%d\r\n%s\r\n' % (len(word), word)
    return out


def read_until(sock, size):
    got = 0
    while got < size:
        part = sock.recv(1 << 16)
        if not part:
            sys.exit('the server closed the connection')
        got += len(part)


def await_blocked(control, count):
    while True:
        text = control('INFO', 'clients')
        text = text if isinstance(text, str) else text.decode()
        if 'blocked_clients:%d\r' % count in text:
            return
        time.sleep(0.001)


def handover(server, a):
    """Fifty clients wait at keys of their own; a round pushes to each and each waits again."""
    waiters = [server.conn(30) for _ in range(50)]
    pusher = server.conn(30)
    requests = [encode('BLPOP', 'queue:%d' % i, '0') for i in range(len(waiters))]
    answers = [len(b'*2\r\n$%d\r\nqueue:%d\r\n$8\r\nxxxxxxxx\r\n' % (len('queue:%d' % i), i))
               for i in range(len(waiters))]
    for waiter, request in zip(waiters, requests):
        waiter.s.sendall(request)
    await_blocked(pusher, len(waiters))
    before = server.cpu_ns()
    count = 0
    for _ in range(a.pushes // len(waiters)):
        for i, waiter in enumerate(waiters):
            pusher('RPUSH', 'queue:%d' % i, 'xxxxxxxx')
            read_until(waiter.s, answers[i])
            waiter.s.sendall(requests[i])
            count += 1
    took = server.cpu_ns() - before
    for each in waiters + [pusher]:
        each.close()
    return {'us_per_handover': took / 1e3 / count}


def crowd(server, a):
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    clients = min(a.clients, limit - 200)
    control = server.conn(30)
    try:
        control('CONFIG', 'SET', 'maxclients', str(clients + 100))
    except Exception as error:  # redis-server says how many it can
        print('maxclients:', error)
    idle = [server.conn(30) for _ in range(clients)]
    time.sleep(0.5)
    before = server.rss()
    for i, each in enumerate(idle):
        each.s.sendall(encode('BLPOP', 'crowd:%d' % (i % 1000), '0'))
    await_blocked(control, clients)
    waiting = (server.rss() - before) / clients
    pusher = server.conn(30)
    delays = []
    for i in range(min(1000, clients)):
        begin = time.perf_counter()
        pusher.s.sendall(encode('RPUSH', 'crowd:%d' % i, 'x'))
        idle[i].s.recv(1 << 16)
        delays.append(time.perf_counter() - begin)
        pusher.s.recv(1 << 16)
    delays.sort()
    for each in idle + [control, pusher]:
        each.close()
    time.sleep(0.5)
    return {'clients': clients, 'bytes_per_waiter': waiting,
            'wakeup_p50_us': statistics.median(delays) * 1e6,
            'wakeup_p99_us': delays[len(delays) * 99 // 100] * 1e6}


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    ap.add_argument('what', choices=['handover', 'crowd'])
    ap.add_argument('--server', default=os.path.abspath(tails.OURS))
    ap.add_argument('--rounds', type=int, default=5)
    ap.add_argument('--pushes', type=int, default=20_000)
    ap.add_argument('--clients', type=int, default=50_000)
    ap.add_argument('--workers', type=int, default=1)
    ap.add_argument('--nice', type=int, default=0)
    a = ap.parse_args()
    peers.NICE = a.nice
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    measure = {'handover': handover, 'crowd': crowd}[a.what]
    with tempfile.TemporaryDirectory(prefix='blocking.') as root:
        a.root = root
        servers = [tails.start(name, a) for name in ('slotcar', 'redis')]
        try:
            rounds = {s.name: [] for s in servers}
            for _ in range(a.rounds):
                for s in servers:
                    rounds[s.name].append(measure(s, a))
            ours, theirs = (tails.report(a.what, s.name, rounds[s.name]) for s in servers)
            print('ratio        ' + '  '.join('%s %.2f' % (k, ours[k] / max(theirs[k], 1e-9))
                                              for k in ours))
        finally:
            for s in servers:
                s.stop()


if __name__ == '__main__':
    main()
