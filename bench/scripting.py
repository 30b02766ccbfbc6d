#!/usr/bin/env python3
"""The CPU time that a script costs here and in redis-server, in one run.

    bench/scripting.py [--server PATH] [--redis PATH] [--rounds N] [--calls N]

Each row is sent through 16 connections, 16 requests at a time, to both servers in turn; shown is the median of the
rounds of the server's CPU time per call, and its ratio to redis-server's. The server has one worker.
"""
import argparse
import pathlib
import statistics
import tempfile

from bench_peers import Resp, Server

ROOT = pathlib.Path(__file__).resolve().parent.parent
CONNECTIONS, DEPTH = 16, 16
TEN = "for i = 1, 5 do redis.call('set', KEYS[1], i) redis.call('get', KEYS[1]) end return 1"
ROWS = [
    ('GET, without a script', None, 1),
    ('one GET of a declared key', "return redis.call('get', KEYS[1])", 1),
    ('ten calls on a declared key', TEN, 1),
    ('one GET of an undeclared key', "return redis.call('get', ARGV[1])", 0),
    ('an undeclared key built by the script', "return redis.call('get', 'key:' .. (ARGV[1]):sub(5))", 0),
    ('two declared keys', "redis.call('incr', KEYS[1]) return redis.call('incr', KEYS[2])", 2),
]


def requests(control, text, keys, first):
    """One batch of a connection, each with other keys."""
    batch = []
    sha = control('SCRIPT', 'LOAD', text).decode() if text else None
    for i in range(first, first + DEPTH):
        name = f'key:{i}'
        if sha is None:
            batch.append(Resp.enc('GET', name))
        else:
            names = [name, f'n:{i}'][:keys] if keys != 2 else [f'm:{i}', f'n:{i}']
            batch.append(Resp.enc('EVALSHA', sha, keys, *names, *([] if keys else [name])))
    return b''.join(batch)


def measure(server, text, keys, calls):
    control = server.conn()
    connections = [server.conn() for _ in range(CONNECTIONS)]
    batches = [requests(control, text, keys, i * DEPTH) for i in range(CONNECTIONS)]

    def once():
        for connection, batch in zip(connections, batches):
            connection.s.sendall(batch)
        for connection in connections:
            for _ in range(DEPTH):
                reply = connection.read()
                if isinstance(reply, Exception):
                    raise reply

    for _ in range(5):  # what is learned is learned
        once()
    rounds = max(1, calls // (CONNECTIONS * DEPTH))
    before = server.cpu_ns()
    for _ in range(rounds):
        once()
    spent = server.cpu_ns() - before
    for connection in [control, *connections]:
        connection.close()
    return spent / (rounds * CONNECTIONS * DEPTH) / 1000


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--server', default=str(ROOT / 'build/release/slotcar-server'))
    parser.add_argument('--redis', default='redis-server')
    parser.add_argument('--rounds', type=int, default=5)
    parser.add_argument('--calls', type=int, default=40_000)
    options = parser.parse_args()
    common = "--port {port} --bind 127.0.0.1 --dir {dir} --save '' --appendonly no"
    with tempfile.TemporaryDirectory() as root:
        servers = [Server('slotcar', f'{options.server} {common} --workers 1', root=root),
                   Server('redis', f'{options.redis} {common}', root=root)]
        try:
            for server in servers:
                server.start()
                control = server.conn()
                for i in range(CONNECTIONS * DEPTH):
                    control('SET', f'key:{i}', 'x' * 64)
            print(f'{"CPU per call, us":40} {"slotcar":>8} {"redis":>8} {"ratio":>6}')
            for name, text, keys in ROWS:
                times = [[measure(server, text, keys, options.calls) for server in servers]
                         for _ in range(options.rounds)]
                ours, theirs = (statistics.median(column) for column in zip(*times))
                ratio = statistics.median(a / b for a, b in times)
                print(f'{name:40} {ours:8.2f} {theirs:8.2f} {ratio:6.2f}', flush=True)
        finally:
            for server in servers:
                server.stop()


if __name__ == '__main__':
    main()
