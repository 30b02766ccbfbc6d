#!/usr/bin/env python3
"""Publish and subscribe, next to redis-server in the same run, interleaved; CPU of the server process.

    bench/listeners.py fanout     one PUBLISH to 1,000 subscribers: CPU per delivered message, while the
                                  publisher goes on as it is answered, and when it waits until the last
                                  subscriber has read it
    bench/listeners.py publish    PUBLISH at pipeline 16 without and with one subscriber

`publish` keeps twenty connections full from a process of its own that only counts the bytes of the
answers: so the server, not the load, is what is waited for. redis-benchmark (--generator) takes
longer for a request than either server does, and then much of what is measured is how often a
server falls asleep: the quicker one more often.

Medians of --rounds; the ratio is ours to redis-server's.
"""
import argparse
import os
import select
import socket
import statistics
import subprocess
import sys
import tempfile
import threading

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import bench_peers as peers  # noqa: E402
import tails  # noqa: E402


def drain(sockets, total, stop):
    """Reads `total` bytes from all of them together."""
    poll = select.epoll()
    for s in sockets:
        s.setblocking(False)
        poll.register(s.fileno(), select.EPOLLIN)
    by_fd = {s.fileno(): s for s in sockets}
    got = 0
    while got < total and not stop.is_set():
        for fd, _ in poll.poll(1):
            try:
                got += len(by_fd[fd].recv(1 << 16))
            except BlockingIOError:
                pass
    poll.close()


def subscribe(server, count):
    connections = []
    for _ in range(count):
        c = server.conn(30)
        c('SUBSCRIBE', 'news')
        connections.append(c)
    return connections


def deliver(server, listeners, messages, together):
    """CPU per delivered message, in microseconds."""
    payload = 'x' * 64
    one = len('*3\r\n$7\r\nmessage\r\n$4\r\nnews\r\n$64\r\n\r\n') + 64
    c = server.conn(30)
    before = server.cpu_ns() / 1e9
    for _ in range(messages // together):
        reader = threading.Thread(daemon=True, target=drain, args=(
            [each.s for each in listeners], together * one * len(listeners), threading.Event()))
        reader.start()
        for _ in range(together):
            c('PUBLISH', 'news', payload)
        reader.join(60)
    took = server.cpu_ns() / 1e9 - before
    c.close()
    return took * 1e6 / (messages * len(listeners))


def fanout(server, a):
    listeners = subscribe(server, a.listeners)
    row = {'us_per_message': deliver(server, listeners, 200, together=200),
           'us_alone': deliver(server, listeners, 100, together=1)}
    for each in listeners:
        each.close()
    return row


PIPELINE = 16


def flood(port, total):
    """`total` PUBLISHes over twenty connections, each with one batch under way at a time."""
    request = peers.one('PUBLISH', 'news', 'x' * 64) * PIPELINE
    answer = len(':0\r\n') * PIPELINE
    poll, connections = select.epoll(), {}
    for _ in range(20):
        s = socket.create_connection((peers.HOST, port))
        s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connections[s.fileno()] = s
        poll.register(s.fileno(), select.EPOLLIN)
        s.sendall(request)
    left, under_way = total // PIPELINE - len(connections), len(connections)
    got = dict.fromkeys(connections, 0)
    while under_way:
        for fd, _ in poll.poll():
            s = connections[fd]
            got[fd] += len(s.recv(4096))
            if got[fd] < answer:
                continue
            got[fd] = 0
            if left > 0:
                s.sendall(request)
                left -= 1
            else:
                under_way -= 1


def generate(server, a, n):
    if a.generator == 'redis-benchmark':
        os.system('redis-benchmark -h 127.0.0.1 -p %d -c 20 -P %d -n %d -q publish news %s '
                  '>/dev/null 2>&1' % (server.port, PIPELINE, n, 'x' * 64))
    else:
        subprocess.run([sys.executable, os.path.abspath(__file__), 'publish', '--flood',
                        str(server.port), '--requests', str(n)], check=True)


def publish(server, a):
    row = {}
    for listeners in (0, 1):
        connections = subscribe(server, listeners)
        stop = threading.Event()
        reader = threading.Thread(daemon=True, target=drain, args=([c.s for c in connections], 1 << 60, stop))
        reader.start()
        before = server.cpu_ns() / 1e9
        n = a.requests
        generate(server, a, n)
        row['us_with_%d' % listeners] = (server.cpu_ns() / 1e9 - before) * 1e6 / n
        stop.set()
        reader.join()
        for each in connections:
            each.close()
    return row


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    ap.add_argument('what', choices=['fanout', 'publish'])
    ap.add_argument('--server', default=os.path.abspath(tails.OURS))
    ap.add_argument('--rounds', type=int, default=5)
    ap.add_argument('--listeners', type=int, default=1000)
    ap.add_argument('--workers', type=int, default=1)
    ap.add_argument('--nice', type=int, default=0)
    ap.add_argument('--generator', choices=['own', 'redis-benchmark'], default='own')
    ap.add_argument('--requests', type=int, default=1_000_000)
    ap.add_argument('--flood', type=int, metavar='PORT', help=argparse.SUPPRESS)
    a = ap.parse_args()
    if a.flood:
        return flood(a.flood, a.requests)
    peers.NICE = a.nice
    measure = {'fanout': fanout, 'publish': publish}[a.what]
    with tempfile.TemporaryDirectory(prefix='listeners.') as root:
        a.root = root
        servers = [tails.start(name, a) for name in ('slotcar', 'redis')]
        try:
            rounds = {s.name: [] for s in servers}
            for _ in range(a.rounds):
                for s in servers:
                    rounds[s.name].append(measure(s, a))
            ours, theirs = (tails.report(a.what, s.name, rounds[s.name]) for s in servers)
            print('ratio        ' + '  '.join('%s %.2f' % (k, ours[k] / theirs[k]) for k in ours))
        finally:
            for s in servers:
                s.stop()


if __name__ == '__main__':
    main()
