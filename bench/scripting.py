#!/usr/bin/env python3
"""The CPU time that a script costs here and in redis-server, in one run.

    bench/scripting.py [--server PATH] [--redis PATH] [--rounds N] [--calls N] [--jobs N] [--only ROW]

Each row is sent through 16 connections, 16 requests at a time, to both servers in turn; shown is the median of the
rounds of the server's CPU time per call, and its ratio to redis-server's. The server has one worker.

Two rows more: BullMQ's jobs, each added and processed (needs node and the packages of tests/system); and how many
scripts of 200 us a server with two workers runs in the time in which one with one worker runs one.
"""
import argparse
import pathlib
import selectors
import statistics
import subprocess
import tempfile
import time

from bench_peers import Resp, Server

ROOT = pathlib.Path(__file__).resolve().parent.parent
CONNECTIONS, DEPTH = 16, 16
BULLMQ = 'BullMQ: one job, added and processed'
TWO_WORKERS = 'two workers'
TEN = "for i = 1, 5 do redis.call('set', KEYS[1], i) redis.call('get', KEYS[1]) end return 1"
ROWS = [
    ('GET, without a script', None, 1),
    ('one GET of a declared key', "return redis.call('get', KEYS[1])", 1),
    ('ten calls on a declared key', TEN, 1),
    ('one GET of an undeclared key', "return redis.call('get', ARGV[1])", 0),
    ('an undeclared key built by the script', "return redis.call('get', 'key:' .. (ARGV[1]):sub(5))", 0),
    ('two declared keys', "redis.call('incr', KEYS[1]) return redis.call('incr', KEYS[2])", 2),
    (BULLMQ, None, 0),
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


def bullmq(server, jobs):
    """CPU time per job."""
    program = subprocess.Popen(['node', str(ROOT / 'bench/bullmq_jobs.js'), str(server.port), str(jobs)], text=True,
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    def wait_for(word):
        line = program.stdout.readline()
        if line != word + '\n':
            raise RuntimeError(f'bullmq_jobs.js said {line!r}, not {word}')

    wait_for('warm')
    before = server.cpu_ns()
    program.stdin.write('go\n')
    program.stdin.flush()
    wait_for('done')
    spent = server.cpu_ns() - before
    program.stdin.write('end\n')
    program.stdin.close()
    program.wait()
    return spent / jobs / 1000


LONG = "local x = 0 for i = 1, tonumber(ARGV[1]) do x = x + i % 7 end redis.call('incr', KEYS[1]) return 1"


def throughput(server, loops, seconds):
    """Scripts in a second, and the CPU time of one in microseconds. Each connection has a key, and so a shard, of its own."""
    control = server.conn()
    sha = control('SCRIPT', 'LOAD', LONG).decode()
    connections = [server.conn() for _ in range(CONNECTIONS)]
    batches = [Resp.enc('EVALSHA', sha, 1, f'own:{i}', loops) * DEPTH for i in range(CONNECTIONS)]
    size = len(b':1\r\n') * DEPTH
    ready = selectors.DefaultSelector()
    for i, connection in enumerate(connections):
        ready.register(connection.s, selectors.EVENT_READ, i)

    def scripts():
        return sum(int(control('GET', f'own:{i}')) for i in range(CONNECTIONS))

    def run(until):
        """Keeps every connection busy, and reads little: this process shares the cores with the server."""
        left = [size] * CONNECTIONS
        for connection, batch in zip(connections, batches):
            connection.s.sendall(batch)
        busy = CONNECTIONS
        while busy:
            for key, _ in ready.select():
                left[key.data] -= len(key.fileobj.recv(left[key.data]))
                if left[key.data] == 0:
                    if time.monotonic() < until:
                        left[key.data] = size
                        key.fileobj.sendall(batches[key.data])
                    else:
                        busy -= 1

    run(0)
    before, cpu, begun = scripts(), server.cpu_ns(), time.monotonic()
    run(begun + seconds)
    took, spent = time.monotonic() - begun, server.cpu_ns() - cpu
    done = scripts() - before
    for connection in [control, *connections]:
        connection.close()
    return done / took, spent / done / 1000


def two_workers(root, options, common):
    servers = [Server(f'workers{n}', f'{options.server} {common} --workers {n}', root=root) for n in (1, 2)]
    try:
        for server in servers:
            server.start()
        loops = 1000
        for _ in range(3):  # until a script takes 200 us
            loops = int(loops * 200 / throughput(servers[0], loops, 0.3)[1])
        rounds = [[throughput(server, loops, 1.5) for server in servers] for _ in range(options.rounds)]
        one, two = ([each[i][0] for each in rounds] for i in (0, 1))
        cpu = statistics.median(each[0][1] for each in rounds)
        ratio = statistics.median(b / a for a, b in zip(one, two))
        print(f'scripts of {cpu:.0f} us in a second: {statistics.median(one):.0f} with one worker, '
              f'{statistics.median(two):.0f} with two, ratio {ratio:.2f}')
    finally:
        for server in servers:
            server.stop()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--server', default=str(ROOT / 'build/release/slotcar-server'))
    parser.add_argument('--redis', default='redis-server')
    parser.add_argument('--rounds', type=int, default=5)
    parser.add_argument('--calls', type=int, default=40_000)
    parser.add_argument('--jobs', type=int, default=3_000)
    parser.add_argument('--only', default='', help='rows whose names begin so')
    options = parser.parse_args()
    rows = [row for row in ROWS if row[0].startswith(options.only)]
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
            for name, text, keys in rows:
                if name == BULLMQ:
                    times = [[bullmq(server, options.jobs) for server in servers] for _ in range(options.rounds)]
                else:
                    times = [[measure(server, text, keys, options.calls) for server in servers]
                             for _ in range(options.rounds)]
                ours, theirs = (statistics.median(column) for column in zip(*times))
                ratio = statistics.median(a / b for a, b in times)
                print(f'{name:40} {ours:8.2f} {theirs:8.2f} {ratio:6.2f}', flush=True)
        finally:
            for server in servers:
                server.stop()
        if TWO_WORKERS.startswith(options.only):
            two_workers(root, options, common)


if __name__ == '__main__':
    main()
