#!/usr/bin/env python3
"""Random scripts to this server and to Debian's redis-server; their replies and their keys must be equal.

    tests/diff/script_calls.py [--count N] [--seed S]

A script is drawn from a grammar: commands through redis.call and redis.pcall, errors that are caught and
errors that are not, values of every kind that a reply can have, RESP3 inside and outside, keys that are
declared and keys that are not, #! lines, EVALSHA and the read-only forms, libraries of functions and their calls, the Lua
libraries, calls in MULTI. Needs build/release/slotcar-server
and the package redis-tools. A failure prints the script.
"""
import argparse
import pathlib
import socket
import subprocess
import sys
import tempfile
import time

from replies import Connection, encode
from script_grammar import KEYS, Scripts

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
REFERENCE = '/usr/bin/redis-check-rdb'  # the program redis-server under another name


class Server:
    def __init__(self, name, command, executable, folder):
        with socket.socket() as probe:
            probe.bind(('127.0.0.1', 0))
            self.port = probe.getsockname()[1]
        folder = pathlib.Path(folder) / name
        folder.mkdir()
        self.process = subprocess.Popen(
            [*command, '--port', str(self.port), '--bind', '127.0.0.1', '--save', '', '--dir', str(folder)],
            executable=executable, stdout=open(folder / 'log', 'wb'), stderr=subprocess.STDOUT)
        for _ in range(200):
            try:
                self.connections = [Connection(self.port), Connection(self.port)]
                break
            except OSError:
                time.sleep(0.05)
        self.connections[1].call('HELLO', '3')

    def raw(self, which, *words):
        connection = self.connections[which]
        connection.send(encode([word if isinstance(word, bytes) else word.encode('latin-1') for word in words]))
        connection.skip()
        reply = bytes(connection.buffer[:connection.at])
        connection.forget()
        return reply

    def stop(self):
        self.process.kill()
        self.process.wait()


def equal(text, replies):
    """Tables have no order, so neither have maps and sets that were one."""
    ours, theirs = replies
    return ours == theirs or (('map' in text or 'set' in text) and sorted(ours) == sorted(theirs))


def contents(server):
    found = []
    for key in KEYS:
        found.append(server.raw(0, 'EVAL', "local t = redis.call('type', KEYS[1]).ok "
                                "local r = {t, redis.call('ttl', KEYS[1]) > 0} "
                                "if t == 'string' then r[3] = redis.call('get', KEYS[1]) "
                                "elseif t == 'list' then r[3] = redis.call('lrange', KEYS[1], 0, -1) "
                                "elseif t == 'hash' then r[3] = redis.call('hgetall', KEYS[1]) "
                                "elseif t == 'set' then r[3] = redis.call('smembers', KEYS[1]) "
                                "elseif t == 'zset' then r[3] = redis.call('zrange', KEYS[1], 0, -1, 'withscores') "
                                "elseif t == 'stream' then r[3] = redis.call('xrange', KEYS[1], '-', '+') end "
                                "return r", '1', key))
    return found


class Comparison:
    """Sends the same to both servers, and counts and shows what differs."""

    def __init__(self, ours, theirs, options):
        self.servers, self.options = (ours, theirs), options
        self.scripts = Scripts(options.seed)
        self.failed = self.errors = 0
        self.old, self.library = [], None

    def differs(self, what, text, replies):
        self.failed += 1
        if self.failed <= self.options.shown:
            print(f'{what}\n{text}\n  theirs {replies[1]!r}\n  ours   {replies[0]!r}')
        self.begin_anew()

    def begin_anew(self):
        for server in self.servers:
            server.raw(0, 'FLUSHALL')
            server.raw(0, 'SCRIPT', 'FLUSH')
            server.raw(0, 'FUNCTION', 'FLUSH')
        self.old, self.library = [], None

    def both(self, which, *words):
        return [server.raw(which, *words) for server in self.servers]

    def load_library(self):
        text = self.scripts.function_library()
        replies = self.both(0, 'FUNCTION', 'LOAD', 'REPLACE', text)
        if not equal(text, replies):
            self.differs('FUNCTION LOAD', text, replies)
        elif not replies[0].startswith(b'-'):
            self.library = text

    def one(self, number):
        dice = self.scripts.random
        if number % 40 == 0:
            self.load_library()
        if self.library and dice.random() < 0.2:
            text = self.library
            name, rest = self.scripts.call(None)
            what = dice.choice('fffggghhhFx')
        else:
            # A text that was run before is run again, so that what is known of it matters.
            reused = self.old and dice.random() < 0.6
            text = dice.choice(self.old) if reused else self.scripts.script()
            self.old = ([text] + self.old)[:50] if not reused else self.old
            name, rest = self.scripts.call(text)
            what = text
        if name.startswith('EVALSHA'):
            replies = self.both(0, 'SCRIPT', 'LOAD', text)
            if replies[0] != replies[1]:
                self.differs('SCRIPT LOAD', text, replies)
                return
            what = replies[1].split(b'\r\n')[1] if replies[1].startswith(b'$') else b'0' * 40
        which = dice.randint(0, 1)
        in_multi = dice.random() < 0.05
        if in_multi:
            self.both(which, 'MULTI')
        replies = self.both(which, name, what, *rest)
        if in_multi:
            replies = [reply + more for reply, more in zip(replies, self.both(which, 'EXEC'))]
        self.errors += replies[1].startswith(b'-')
        same = equal(text, replies)
        if same and number % 20 == 0:
            replies = [contents(server) for server in self.servers]
            same = replies[0] == replies[1]
        if not same:
            self.differs(f'#{number} {name} {rest} RESP{which + 2}{" in MULTI" if in_multi else ""}', text, replies)

    def run(self):
        for number in range(self.options.count):
            self.one(number)
            if number % 500 == 499:
                self.begin_anew()
        print(f'{self.errors} replies were errors')
        return self.failed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--count', type=int, default=20000)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--shown', type=int, default=10)
    parser.add_argument('--server', default=str(ROOT / 'build/release/slotcar-server'))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        servers = []
        try:
            servers.append(Server('ours', [options.server, '--appendonly', 'no'], options.server, folder))
            servers.append(Server('theirs', ['redis-server'], REFERENCE, folder))
            failed = Comparison(*servers, options).run()
        finally:
            for server in servers:
                server.stop()
    print(f'PASS {options.count - failed} FAIL {failed}')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
