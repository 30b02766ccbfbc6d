#!/usr/bin/python3
"""Random commands of all kinds (the grammar of tests/diff), then a kill; after the start every key
must be what it was: what the log records is what happened. Now and then a snapshot lies between.

    tests/crash/again.py [--seed 1] [--lives 20] [--commands 4000] [--server PATH]
"""
import argparse
import os
import pathlib
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / 'tests' / 'diff'), str(ROOT / 'tests' / 'system')]
from diff import Generator, LOW_THRESHOLDS  # noqa: E402
from grammar import GRAMMAR  # noqa: E402
from harness import serves  # noqa: E402
from replies import Connection, encode  # noqa: E402
from values import ALL_KEYS  # noqa: E402

SOON_MS = 60_000  # what ends within this time may be gone when it is looked at again


class Server:
    def __init__(self, binary, options):
        self.command = [binary, *options]
        self.dir = tempfile.mkdtemp(prefix='slotcar-again.')
        with socket.socket() as s:
            s.bind(('127.0.0.1', 0))
            self.port = s.getsockname()[1]
        self.output = open(os.path.join(self.dir, 'output'), 'ab')

    def start(self):
        self.process = subprocess.Popen(
            [*self.command, '--port', str(self.port), '--dir', self.dir],
            stdout=self.output, stderr=subprocess.STDOUT)
        until = time.monotonic() + 30
        while time.monotonic() < until and self.process.poll() is None:
            if serves(self.port):
                return Connection(self.port)
            time.sleep(0.01)
        with open(os.path.join(self.dir, 'output'), errors='replace') as text:
            raise SystemExit('the server does not start:\n' + ''.join(text.readlines()[-8:]))

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()


def look(connection):
    """Each key with what can be said of it."""
    seen = {}
    for key in ALL_KEYS:
        ends = connection.call('PEXPIRETIME', key)
        if ends == -2:
            continue
        # A HyperLogLog keeps its last count, which is not recorded: have it counted on both sides.
        connection.call('PFCOUNT', key)
        digest = connection.call('DEBUG', 'DIGEST-VALUE', key)
        seen[key] = (connection.call('TYPE', key), repr(digest), ends)
    return seen


def has_short_fields(connection, key, kind):
    if 'hash' not in repr(kind):
        return False
    fields = connection.call('HKEYS', key)
    if not isinstance(fields, list) or not fields:
        return True  # all of them have ended meanwhile
    times = connection.call('HPTTL', key, 'FIELDS', len(fields), *fields)
    return any(isinstance(t, int) and 0 <= t < SOON_MS for t in times)


def compare(before, after, short, where):
    now = time.time() * 1000
    for key in sorted(set(before) | set(after)):
        if before.get(key) == after.get(key) or key in short:
            continue
        ends = before.get(key, (0, 0, -1))[2]
        if 0 <= ends < now + SOON_MS:
            continue
        print(f'{where}: {key!r} was {before.get(key)}, is {after.get(key)}', file=sys.stderr)
        return False
    return True


def play(seed, lives, commands, binary, fsync='everysec'):
    dice = random.Random(seed)
    # The form that a value takes depends on them, so they are the same in all lives.
    thresholds = []
    if seed % 2:
        for name, value in LOW_THRESHOLDS.items():
            thresholds += ['--' + name, str(value)]
    server = Server(binary, ['--appendonly', 'yes', '--appendfsync', fsync, '--save', '',
                             '--enable-debug-command', 'yes', '--workers', '2',
                             '--appendonly-segment-size', '1mb', *thresholds])
    names = [name for name in GRAMMAR]
    generator = Generator(seed, names, True)
    connection = server.start()
    sent = 0
    for life in range(lives):
        for _ in range(commands // 200):
            ops = generator.batch(200)
            connection.send(b''.join(encode(op.words) for op in ops))
            for _ in ops:
                connection.reply()
            connection.forget()
            sent += len(ops)
            if dice.randrange(12) == 0:
                connection.call('BGSAVE')
        before = look(connection)
        short = {key for key, (kind, _, _) in before.items()
                 if has_short_fields(connection, key, kind)}
        # The log gathers for some milliseconds before it writes; a sync waits for that.
        connection.call('WAITAOF', 1, 0, 0)
        server.kill()
        connection = server.start()
        if not compare(before, look(connection), short, f'life {life}, seed {seed}'):
            print(f'files kept in {server.dir}', file=sys.stderr)
            server.kill()
            return None
    server.kill()
    shutil.rmtree(server.dir, ignore_errors=True)
    return sent


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--lives', type=int, default=20)
    parser.add_argument('--commands', type=int, default=4000)
    parser.add_argument('--server', default=str(ROOT / 'build/release/slotcar-server'))
    args = parser.parse_args()
    sent = play(args.seed, args.lives, args.commands, args.server)
    if sent is None:
        print('PASS 0 FAIL 1')
        return 1
    print(f'{sent} commands, {args.lives} kills, every key as it was')
    print('PASS 1 FAIL 0')
    return 0


if __name__ == '__main__':
    sys.exit(main())
