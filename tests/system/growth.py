"""What is done very often leaves nothing behind: memory, descriptors and files after the last fifth of 100,000
rounds are those after the first fifth."""
import os
import pathlib
import socket
import time

from durability import Client, Home, persistence, wait_for
from harness import encoded, expect, expect_true

ROUNDS = 100_000
PIPELINE = 500
MEGABYTE = 1 << 20
# A thread's caches fill up, and the allocator takes memory by megabytes. 100,000 rounds that leave 64 bytes each
# would be more than this.
RESIDENT_MAX = 6 * MEGABYTE
COUNTED_MAX = 64 * 1024


class UnixClient(Client):
    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(60)
        self.socket.connect(str(path))
        self.file = self.socket.makefile('rb')


class Measured:
    """What can grow, measured when the server is idle."""

    def __init__(self, home, client):
        wait_for(lambda: clients(client) == 1, 'the other clients to be gone')
        client('WAITAOF', '1', '0', '0')  # what the log keeps until it is synced is counted, too
        pid = home.process.pid
        self.resident = int(pathlib.Path(f'/proc/{pid}/statm').read_text().split()[1]) * 4096
        self.counted = number(client, 'memory', 'used_memory')
        self.descriptors = len(os.listdir(f'/proc/{pid}/fd'))
        self.threads = len(os.listdir(f'/proc/{pid}/task'))
        self.files = len([p for p in home.dir.rglob('*') if p.is_file()])
        self.disk = sum(p.stat().st_blocks * 512 for p in home.dir.rglob('*') if p.is_file())

    def __str__(self):
        return (f'{self.resident / MEGABYTE:.1f} MB resident, {self.counted} counted, '
                f'{self.descriptors} descriptors, {self.files} files, {self.disk / MEGABYTE:.1f} MB on disk')


def number(client, section, field):
    lines = dict(line.split(':', 1) for line in client('INFO', section).split('\r\n') if ':' in line)
    return int(lines[field])


def clients(client):
    return number(client, 'clients', 'connected_clients')


def compare(before, after, more_files=2):
    seen = f'before: {before}; after: {after}'
    expect_true(after.resident - before.resident < RESIDENT_MAX, 'resident: ' + seen)
    expect_true(abs(after.counted - before.counted) < COUNTED_MAX, 'counted: ' + seen)
    expect_true(after.descriptors <= before.descriptors, 'descriptors: ' + seen)
    expect_true(after.threads <= before.threads, 'threads: ' + seen)
    # A segment that is prepared or not, a snapshot's name.
    expect_true(after.files <= before.files + more_files, 'files: ' + seen)


def repeat(home, act, rounds=ROUNDS):
    """`act(n)` does n rounds."""
    with home:
        client = home.start()
        began = time.monotonic()
        act(home, rounds // 5)
        before = Measured(home, client)
        middle = time.monotonic()
        act(home, rounds - rounds // 5)
        after = Measured(home, client)
        print(f'        {rounds // 5} rounds in {middle - began:.1f} s, {rounds - rounds // 5} in '
              f'{time.monotonic() - middle:.1f} s; {after}')
        compare(before, after)


def pipelined(client, commands, rounds, replies):
    """Runs this many rounds of these commands, each with this many replies."""
    batch = b''.join(encoded(*words) for words in commands)
    for first in range(0, rounds, PIPELINE):
        count = min(PIPELINE, rounds - first)
        client.raw(batch * count)
        for _ in range(count * replies):
            client.reply()


def watching(home, rounds):
    with Client(home.port) as client:
        pipelined(client, [('WATCH', 'k'), ('MULTI',), ('SET', 'k', 1), ('EXEC',)], rounds, 4)


def watching_many_keys(home, rounds):
    with Client(home.port) as client:
        for i in range(rounds // 100):
            client('WATCH', *[f'key:{100 * i + j}' for j in range(100)])
            client('UNWATCH')


def subscribing(home, rounds):
    with Client(home.port) as client:
        for kind, end in ('SUBSCRIBE', 'UNSUBSCRIBE'), ('PSUBSCRIBE', 'PUNSUBSCRIBE'), ('SSUBSCRIBE',
                                                                                    'SUNSUBSCRIBE'):
            for i in range(0, rounds // 3, PIPELINE):
                names = [f'{i + j}' for j in range(PIPELINE)]
                client.raw(b''.join(encoded(kind, name) + encoded(end, name) for name in names))
                for _ in range(2 * PIPELINE):
                    client.reply()


def tracking(home, rounds):
    """Connections that read keys and leave; half of the keys change before that. (Of the others the table keeps
    as many as it may, as Redis does.)"""
    with Client(home.port) as writer:
        writer('CONFIG', 'SET', 'tracking-table-max-keys', '1000')
        for i in range(0, rounds, PIPELINE):
            with Client(home.port) as reader:
                reader('HELLO', '3')
                reader('CLIENT', 'TRACKING', 'on')
                names = [f'{i + j}' for j in range(PIPELINE)]
                reader.raw(b''.join(encoded('GET', name) for name in names))
                for _ in names:
                    reader.reply()
                writer.raw(b''.join(encoded('SET', name, 1) + encoded('DEL', name) for name in names[::2]))
                for _ in range(len(names)):
                    writer.reply()


def blocking(home, rounds):
    """Timeouts, and clients that leave while they wait."""
    waiting = [Client(home.port) for _ in range(50)]
    for i in range(rounds // 50):
        for client in waiting:
            client.raw(encoded('BLPOP', 'a', 'b', f'c{i}', '0.001'))
        for client in waiting:
            client.reply()
        if i % 20 == 0:
            waiting[0].raw(encoded('BLPOP', 'a', f'd{i}', '0'))
            waiting[0].close()
            waiting[0] = Client(home.port)
    for client in waiting:
        client.close()


def connecting(home, rounds):
    for _ in range(rounds):
        client = UnixClient(home.dir / 'socket')
        client.raw(b'PING\r\n')
        client.reply()
        client.close()


def configuring(home, rounds):
    names = ('maxmemory-samples', '3', '5'), ('hz', '10', '20'), ('save', '3600 1', ''), (
        'notify-keyspace-events', 'KEA', ''), ('client-output-buffer-limit', 'pubsub 1mb 1mb 10', 'pubsub 2mb 1mb 10')
    with Client(home.port) as client:
        pipelined(client, [('CONFIG', 'SET', name, value) for name, a, b in names for value in (a, b)],
                  rounds // (2 * len(names)), 2 * len(names))


def failing(home, rounds):
    """Errors of every kind: each is counted by its first word."""
    with Client(home.port) as client:
        client('SET', 'text', 'x')
        pipelined(client, [('INCR', 'text'), ('LPUSH', 'text', 1), ('NOSUCH', 'x'), ('GET',), ('EXEC',),
                           ('EVAL', 'x', '0'), ('CONFIG', 'SET', 'nosuch', '1'), ('MULTI',), ('NOSUCH',),
                           ('EXEC',)], rounds // 10, 10)


def writing_and_removing(home, rounds):
    with Client(home.port) as client:
        pipelined(client, [('RPUSH', 'l', 'a', 'b'), ('HSET', 'h', 'f', 'v'), ('ZADD', 'z', 1, 'm'),
                           ('XADD', 'x', '*', 'f', 'v'), ('SET', 'e', 1, 'PX', 1), ('DEL', 'l', 'h', 'z', 'x')],
                  rounds // 5, 6)


def saving(command):
    def act(home, rounds):
        with Client(home.port) as client:
            for i in range(rounds):
                client('SET', f'k{i % 10}', i)
                before = client('LASTSAVE')
                expect_true(before is not None, 'LASTSAVE')
                client(command)
                wait_for(lambda: persistence(client)['rdb_bgsave_in_progress'] == '0' and
                         persistence(client)['aof_rewrite_in_progress'] == '0', command)
    return act


def restarting(binary):
    """By SIGTERM and kill -9 in turns. Each life begins a segment, and those before have been cut to what is
    in them."""
    with Home(binary, '--save', '') as home:
        seen = []
        for i in range(12):
            client = home.start()
            for j in range(100):
                client('SET', f'k{j}', i)
            seen.append(Measured(home, client))
            client.close()
            home.terminate() if i % 2 else home.kill()
        expect(home.start()('GET', 'k99'), '11')
        print(f'        {seen[-1]}')
        compare(seen[1], seen[11], more_files=10)
        expect_true(seen[11].disk < seen[1].disk + 8 * MEGABYTE, f'{seen[1]}; {seen[11]}')


def run(server, report):
    for what, act in (('WATCH, MULTI, EXEC', watching), ('WATCH of many keys', watching_many_keys),
                      ('SUBSCRIBE and UNSUBSCRIBE', subscribing), ('CLIENT TRACKING', tracking),
                      ('BLPOP timeouts', blocking), ('CONFIG SET', configuring), ('errors', failing),
                      ('keys that come and go', writing_and_removing)):
        report.check(f'growth: {ROUNDS} times {what}', repeat, Home(server.binary, '--save', ''), act)
    home = Home(server.binary, '--save', '')
    home.options += '--unixsocket', str(home.dir / 'socket')
    report.check(f'growth: {ROUNDS} connections', repeat, home, connecting)
    for command in 'BGSAVE', 'BGREWRITEAOF':
        report.check(f'growth: 50 times {command}', repeat, Home(server.binary, '--save', ''),
                     saving(command), 50)
    report.check('growth: 12 starts', restarting, server.binary)
