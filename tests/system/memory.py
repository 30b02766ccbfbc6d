"""Memory as the system sees it: freed memory is returned, and nothing stays counted."""
import pathlib
import random
import sys
import threading
import time

from harness import ROOT, Failed, Server, encoded, expect, expect_true

sys.path.insert(0, str(ROOT / 'tests/diff'))

MEGABYTE = 1 << 20
FLUSHES = 5
PATIENCE = 60  # seconds; the machine may be busy with other things


def run(server, report):
    with Server(server.binary, '--appendonly', 'no', '--save', '') as own:
        report.check('memory: a flushed data set goes back to the system', flushed, own)
        report.check('memory: what waited for a client goes back with it', unread, own)
        report.check('memory: MEMORY PURGE', purged, own)
        report.check('memory: a reply without end ends with its client', abandoned, own)
        report.check('memory: a reply without end does not keep the server', stopped, own)
    with Server(server.binary, '--appendonly', 'no', '--save', '') as own:
        report.check('memory: after random commands and FLUSHALL nothing is counted', nothing_left,
                     own)


def resident(server):
    pages = pathlib.Path(f'/proc/{server.process.pid}/statm').read_text().split()[1]
    return int(pages) * 4096


def info(client, field):
    for line in client('INFO', 'memory').decode().split('\r\n'):
        if line.startswith(field + ':'):
            return int(line.split(':', 1)[1])
    raise RuntimeError(f'INFO has no {field}')


def eventually(condition, what):
    until = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > until:
            raise Failed(what())
        time.sleep(0.05)


def fill(client, keys, size):
    value = b'v' * size
    for first in range(0, keys, 1000):
        client.raw(b''.join(encoded('SET', f'fill:{i}', value) for i in range(first, first + 1000)))
        for _ in range(1000):
            expect(client.reply(), 'OK')


def expect_given_back(server, before):
    bound = before + 40 * MEGABYTE
    eventually(lambda: resident(server) < bound,
               lambda: f'{resident(server) >> 20} MB resident, {before >> 20} before')


def flushed(server):
    with server.client() as client:
        before = resident(server)
        for _ in range(FLUSHES):
            fill(client, 200_000, 1000)
            expect_true(resident(server) > before + 200 * MEGABYTE, 'the data set is not there')
            client('FLUSHALL')
            expect_given_back(server, before)


def unread(server):
    """A subscriber that does not read, and then leaves."""
    with server.client() as client:
        client('CONFIG', 'SET', 'client-output-buffer-limit', 'pubsub 0 0 0')
        before = resident(server)
        listener = server.client()
        listener('SUBSCRIBE', 'news')
        for _ in range(200):
            client('PUBLISH', 'news', b'n' * MEGABYTE)
        expect_true(resident(server) > before + 100 * MEGABYTE, 'nothing waits')
        listener.close()
        expect_given_back(server, before)
        client('CONFIG', 'SET', 'client-output-buffer-limit', 'pubsub 32mb 8mb 60')


def purged(server):
    with server.client() as client:
        expect(client('MEMORY', 'PURGE'), 'OK')
        expect(client('PING'), 'PONG')


def abandoned(server):
    with server.client() as client:
        client('SADD', 'members', *range(1000))
        client('CONFIG', 'SET', 'client-output-buffer-limit', 'normal 4gb 0 0')
        before = resident(server)
        greedy = server.client()
        greedy.raw(encoded('SRANDMEMBER', 'members', -999999999))
        eventually(lambda: info(client, 'mem_clients_normal') > 5 * MEGABYTE,
                   lambda: 'the reply under way is not counted')
        greedy.close()
        eventually(lambda: info(client, 'mem_clients_normal') < 5 * MEGABYTE,
                   lambda: 'the reply goes on')
        expect_given_back(server, before)


def stopped(server):
    with Server(server.binary, '--appendonly', 'no', '--save', '',
                '--client-output-buffer-limit', 'normal 4gb 0 0') as own:
        client = own.client()
        client('SADD', 'members', *range(1000))
        client.raw(encoded('SRANDMEMBER', 'members', -999999999))
        with own.client() as other:
            eventually(lambda: info(other, 'mem_clients_normal') > 5 * MEGABYTE,
                       lambda: 'it did not begin')
        own.process.terminate()
        own.process.wait(PATIENCE)
        expect(own.process.returncode, 0)
        client.close()


# --- accounting --------------------------------------------------------------------------------

SMALL_LIMITS = ['hash-max-listpack-entries', 'set-max-listpack-entries', 'zset-max-listpack-entries',
                'set-max-intset-entries', 'list-max-listpack-size', 'stream-node-max-entries']


def random_commands(server, seed, count, failures):
    from diff import Generator
    from grammar import GRAMMAR
    import grammar_more  # noqa: F401, adds to it
    names = set(GRAMMAR) - {'FLUSHALL', 'FLUSHDB', 'SWAPDB', 'SELECT'}
    try:
        made = Generator(seed, names, True)
        with server.client() as client:
            for _ in range(0, count, 100):
                ops = made.batch(100)
                client.raw(b''.join(encoded(*op.words) for op in ops))
                for _ in ops:
                    client.reply()
    except Exception as error:  # in a thread of its own
        failures.append(repr(error))


def nothing_left(server):
    with server.client() as client:
        for name in SMALL_LIMITS:
            client('CONFIG', 'SET', name, random.choice([2, 5]))
        client('FLUSHALL', 'SYNC')
        for seed in range(3):
            failures = []
            threads = [threading.Thread(target=random_commands,
                                        args=(server, 10 * seed + i, 10_000, failures))
                       for i in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            expect(failures, [])
            client('FLUSHALL', 'SYNC')
            eventually(lambda: info(client, 'lazyfree_pending_objects') == 0,
                       lambda: 'something is still being freed')
            expect(info(client, 'used_memory_dataset'), 0, f'seed {seed}')
