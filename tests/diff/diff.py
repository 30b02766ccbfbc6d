#!/usr/bin/env python3
"""Sends the same random commands to this server and to Debian's redis-server; compares the replies.

  ./dev diff [--seed N] [--commands N] [--only NAME,NAME...] [--differences N]
  ./dev diff --admin      commands that tell of the server: admin.py

Commands come in phases, each on empty servers: some with Redis's thresholds, some with low ones (so that
small values take the forms of large ones), some in RESP3. Within a phase they go through one connection
to each server, in pipelined batches. At the end of a phase all keys are compared whole, and each server
must be able to RESTORE what the other has DUMPed.

A difference is searched for in known_differences.txt. If it is not there, the phase's commands on the
same keys are replayed and cut down to the few that are needed, and these are printed.
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

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / 'system')]

import admin
from grammar import GRAMMAR
from grammar_more import NOT_WILD, WAITING, WEIGHTS
from harness import serves
from known import KnownDifferences
from replies import Connection, encode, same
from values import ALL_KEYS, FLOAT_EDGES, INTEGER_EDGES, Values

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BATCH = 200
PHASE = 4000
LOW_THRESHOLDS = {
    'hash-max-listpack-entries': 4, 'hash-max-listpack-value': 16, 'zset-max-listpack-entries': 4,
    'zset-max-listpack-value': 16, 'set-max-intset-entries': 4, 'list-max-listpack-size': 3,
    'stream-node-max-entries': 3, 'hll-sparse-max-bytes': 60,
    'set-max-listpack-entries': 4, 'set-max-listpack-value': 16,  # Redis 7.0 does not know these two
}


class Server:
    """A Slotcar server, started and stopped."""

    def __init__(self, name, command, directory):
        self.name = name
        with socket.socket() as probe:
            probe.bind(('127.0.0.1', 0))
            self.port = probe.getsockname()[1]
        self.output = open(os.path.join(directory, name + '.log'), 'w+b')
        self.process = subprocess.Popen(
            [word.format(port=self.port, dir=directory) for word in command],
            stdout=self.output, stderr=subprocess.STDOUT, cwd=directory)
        for _ in range(200):
            if serves(self.port):
                return
            time.sleep(0.05)
        raise SystemExit(f'{name} does not start')

    def last_words(self):
        self.output.flush()
        self.output.seek(0)
        return self.output.read()[-3000:].decode('latin1')

    def stop(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()


class Op:
    """One command of the stream: its words, how its reply is compared, and its keys."""

    __slots__ = ('words', 'rule', 'keys', 'inner')

    def __init__(self, words, rule):
        self.words = words
        self.rule = rule
        self.inner = []  # EXEC's own commands
        self.keys = [word for word in words[1:] if word in KEY_SET]

    def __str__(self):
        return ' '.join(quoted(word) for word in self.words)


KEY_SET = set(ALL_KEYS) | {b'absent'}


def quoted(word):
    if word and all(33 <= c < 127 and c not in b'"\'\\' for c in word):
        return word.decode()
    return '"' + ''.join(chr(c) if 32 <= c < 127 and c not in b'"\\' else f'\\x{c:02x}'
                         for c in word) + '"'


class Generator:
    """Random commands from a seed."""

    def __init__(self, seed, names, pops):
        self.random = random.Random(seed)
        self.pops = pops
        self.values = Values(self.random)
        self.names = [name for name in sorted(names) for _ in range(WEIGHTS[name])]
        self.waits = sorted(WAITING) if len(names) > len(WAITING) else []  # not with --only

    def waiting(self):
        """A command that would wait; in a transaction it does not."""
        name = self.values.pick(self.waits)
        words = [name.encode()] + WAITING[name](self.values)
        return Op(self.spoilt(words) if self.values.chance(15) else words, 'exact')

    def one(self):
        name = self.values.pick(self.names)
        rule, make = GRAMMAR[name]
        made = make(self.values)
        words, rule = made if isinstance(made, tuple) else (made, rule)
        words = [name.encode()] + words
        if name not in NOT_WILD and self.values.chance(15):
            words = self.spoilt(words)
        return Op(words, rule)

    def spoilt(self, words):
        """A command with something wrong, or something odd, in it."""
        at = self.random.randrange(1, len(words)) if len(words) > 1 else 0
        draw = self.random.randrange(5)
        if draw == 0:
            return words[:-1] if len(words) > 1 else words
        if draw == 1:
            return words + [self.values.text()]
        if at == 0 or words[at] in KEY_SET:
            return [words[0].lower()] + words[1:]
        if draw == 2:
            return words[:at] + [self.values.pick(INTEGER_EDGES)] + words[at + 1:]
        if draw == 3:
            return words[:at] + [self.values.pick(FLOAT_EDGES)] + words[at + 1:]
        return words[:at] + [words[at].swapcase()] + words[at + 1:]

    def batch(self, size):
        ops = []
        while len(ops) < size:
            if self.values.chance(40):
                ops.extend(self.transaction())
            elif self.pops and self.values.chance(60):
                ops.extend(self.pop())
            else:
                ops.append(self.one())
        return ops

    def transaction(self):
        inner = [self.waiting() if self.waits and self.values.chance(4) else self.one()
                 for _ in range(1 + self.random.randrange(4))]
        multi = [Op([b'MULTI'], 'exact')]
        for op in inner:
            multi.append(Op(op.words, 'exact'))
        last = Op([b'EXEC'], [op.rule for op in inner])
        last.keys = [key for op in inner for key in op.keys]
        last.inner = inner
        return multi + [last]

    def pop(self):
        """SPOP takes a random member: the set is removed with it."""
        key = self.values.key('set')
        count = [self.values.count()] if self.values.chance(2) else []
        return [Op([b'SPOP', key] + count, 'shape'), Op([b'DEL', key], 'exact')]


class Pair:
    """Both servers, spoken to at once."""

    def __init__(self, redis, slotcar):
        self.servers = (redis, slotcar)
        self.ends = (Connection(redis.port), Connection(slotcar.port))

    def send(self, ops):
        data = b''.join(encode(op.words) for op in ops)
        for end in self.ends:
            end.send(data)

    def differences(self, ops):
        """Sends them, and returns (place, redis's reply, slotcar's) of those that differ."""
        self.send(ops)
        raw = []
        for end in self.ends:
            for _ in ops:
                end.skip()
            raw.append(bytes(end.buffer[:end.at]))
            end.at = 0
        if raw[0] == raw[1]:
            for end, data in zip(self.ends, raw):
                end.at = len(data)
                end.forget()
            return []
        found = []
        for place, op in enumerate(ops):
            a, b = self.ends[0].reply(), self.ends[1].reply()
            if a != b and not same(op.rule, a, b):
                found.append((place, a, b))
        for end in self.ends:
            end.forget()
        return found

    def both(self, *words):
        return [end.call(*words) for end in self.ends]

    def fresh(self, low, protocol):
        self.both('DISCARD')
        self.both('FLUSHALL')
        self.both('HELLO', protocol)
        for name, value in LOW_THRESHOLDS.items():
            for end, known in zip(self.ends, self.defaults):
                if name in known:
                    end.call('CONFIG', 'SET', name, value if low else known[name])

    def learn_defaults(self):
        self.defaults = []
        for end in self.ends:
            known = {}
            for name in LOW_THRESHOLDS:
                reply = end.call('CONFIG', 'GET', name)
                if reply:
                    known[name] = reply[1]
            self.defaults.append(known)
            # No command may make a server reserve hundreds of megabytes.
            end.call('CONFIG', 'SET', 'proto-max-bulk-len', '1mb')


class Run:
    def __init__(self, pair, options):
        self.pair = pair
        self.options = options
        self.known = KnownDifferences(ROOT / 'tests/diff/known_differences.txt')
        self.seen = {}      # signature -> how often
        self.sent = 0
        self.phase = 0
        self.history = []

    def start_phase(self):
        self.phase += 1
        self.mode = (self.phase % 2 == 0, 3 if self.phase % 3 == 0 else 2)
        self.pair.fresh(*self.mode)
        self.history = []

    def go(self, generator):
        started = time.time()
        while self.sent < self.options.commands and len(self.seen) < self.options.differences:
            self.start_phase()
            clean = True
            for _ in range(PHASE // BATCH):
                if not self.batch(generator.batch(BATCH)):
                    clean = False
                    break
            if clean:
                self.compare_whole()
            if self.phase % 25 == 0:
                rate = self.sent / (time.time() - started)
                print(f'{self.sent} commands, {rate:.0f} a second, {len(self.seen)} differences',
                      flush=True)

    def batch(self, ops):
        """False: something unknown differs, and the phase ends."""
        found = {place: (a, b) for place, a, b in self.pair.differences(ops)}
        self.sent += len(ops)
        resync = set()  # keys that differ for a known reason, and those that they were written to
        for place, op in enumerate(ops if found else ()):
            if resync and op.words[0].upper() in (b'KEYS', b'DBSIZE'):
                continue
            if resync.intersection(op.keys):
                resync.update(op.keys)
            elif place in found:
                if not self.explained(op, *found[place]):
                    self.history.extend(ops[:place])
                    self.report(op, *found[place])
                    return False
                resync.update(op.keys)
        self.history.extend(ops)
        for key in resync:
            clean = Op([b'DEL', key], 'shape')
            self.pair.differences([clean])
            self.history.append(clean)
        return True

    def explained(self, op, a, b):
        if not op.inner or not isinstance(a, list) or not isinstance(b, list):
            return self.known.explains(op.words, a, b)
        if len(a) != len(op.inner) or len(b) != len(op.inner):
            return False
        return all(same(inner.rule, x, y) or self.known.explains(inner.words, x, y)
                   for inner, x, y in zip(op.inner, a, b))

    def report(self, op, a, b):
        signature = (op.words[0].upper(), outline(a), outline(b))
        self.seen[signature] = self.seen.get(signature, 0) + 1
        if self.seen[signature] > 1:
            return
        if op.words[0] == b'KEYS' and isinstance(a, list) and isinstance(b, list):
            op.keys = list(set(a) ^ set(b))
        needed, again = self.cut_down(op)
        a, b = again or (a, b)
        print(f'\n=== {op.words[0].decode()} (seed {self.options.seed}, phase {self.phase}, '
              f'{"low" if self.mode[0] else "usual"} thresholds, RESP{self.mode[1]})')
        if needed is None:
            print('    (does not happen again when only the commands on its keys are replayed)')
            needed = related(self.history, op)[-12:]
        for earlier in needed:
            print(f'    > {earlier}')
        print(f'    > {op}\n    redis    {shown(a)}\n    slotcar  {shown(b)}', flush=True)

    def cut_down(self, op):
        """The fewest earlier commands after which this one still differs, and how it then does."""
        def differs(ops):
            self.pair.fresh(*self.mode)
            for place, a, b in self.pair.differences(ops + [op]):
                if place == len(ops) and not self.explained(op, a, b):
                    return a, b
            return None

        history = related(self.history, op)
        seen = None if op.words[0] == b'EXEC' else differs(history)
        if not seen:
            return None, None
        step = max(1, len(history) // 2)
        while True:
            at = 0
            while at < len(history):
                fewer = history[:at] + history[at + step:]
                outcome = differs(fewer)
                if outcome:
                    history, seen = fewer, outcome
                else:
                    at += step
            if step == 1:
                return history, seen
            step //= 2

    # --- whole keys -------------------------------------------------------------------------------

    def compare_whole(self):
        ops = []
        for key in ALL_KEYS:
            kind = self.pair.ends[0].call('TYPE', key).value
            look = {b'string': ([b'GET', key], 'exact'),
                    b'list': ([b'LRANGE', key, b'0', b'-1'], 'exact'),
                    b'hash': ([b'HGETALL', key], 'unordered_pairs'),
                    b'set': ([b'SMEMBERS', key], 'unordered'),
                    b'zset': ([b'ZRANGE', key, b'0', b'-1', b'WITHSCORES'], 'exact'),
                    b'stream': ([b'XRANGE', key, b'-', b'+'], 'exact')}.get(kind)
            if look:
                ops += [Op(*look), Op([b'PTTL', key], 'milliseconds'), Op([b'TYPE', key], 'exact')]
        if ops and self.batch(ops) and self.options.dumps:
            self.exchange([op for op in ops if op.words[0] not in (b'PTTL', b'TYPE')])

    def exchange(self, looks):
        """Each server takes what the other has dumped, and must then show the same."""
        redis, slotcar = self.pair.ends
        for look in looks:
            key = look.words[1]
            dumps = self.pair.both('DUMP', key)
            outcome = (redis.call('RESTORE', b'restored', 0, dumps[1], 'REPLACE'),
                       slotcar.call('RESTORE', b'restored', 0, dumps[0], 'REPLACE'))
            seen = Op([look.words[0], b'restored'] + look.words[2:], look.rule)
            found = self.pair.differences([seen])
            if outcome[0] != outcome[1] or found:
                self.history.append(look)
                self.report(Op([b'RESTORE', key], 'exact'),
                            found[0][1] if found else outcome[0],
                            found[0][2] if found else outcome[1])
                return


def related(history, op):
    """The commands that can have had a hand in the state of the op's keys."""
    keys = set(op.keys)
    chosen = []
    for earlier in reversed(history):
        # Outside of the transactions that are taken apart here, what may wait would.
        if earlier.words[0] in (b'MULTI', b'EXEC') or earlier.words[0].decode().upper() in WAITING:
            continue
        if keys & set(earlier.keys):
            keys.update(earlier.keys)
            chosen.append(earlier)
    return chosen[::-1]


def outline(value):
    """A reply without what varies, to distinguish kinds of differences."""
    text = repr(value)
    if text.startswith('-'):
        return text[:40]
    return type(value).__name__ + ('' if not isinstance(value, list) else 'of' + (
        type(value[0]).__name__ if value else 'nothing'))


def shown(value):
    text = repr(value)
    return text if len(text) < 800 else text[:800] + '...'


def served(end):
    return {name.decode().upper() for name in end.call('COMMAND', 'LIST')}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--commands', type=int, default=1_000_000)
    parser.add_argument('--only', default='', help='commands, separated by commas')
    parser.add_argument('--without', default='', help='commands to leave out')
    parser.add_argument('--differences', type=int, default=25, help='stop after so many kinds')
    parser.add_argument('--admin', action='store_true', help='only what admin.py compares')
    parser.add_argument('--server', default=str(ROOT / 'build/release/slotcar-server'))
    options = parser.parse_args()
    directory = tempfile.mkdtemp(prefix='slotcar-diff-')
    redis = Server('redis', ['redis-server', '--port', '{port}', '--bind', '127.0.0.1', '--save', '',
                             '--dir', '{dir}', '--enable-debug-command', 'yes'], directory)
    slotcar = Server('slotcar', [os.path.abspath(options.server), '--port', '{port}', '--bind',
                                 '127.0.0.1', '--dir', '{dir}', '--appendonly', 'no', '--save', '',
                                 '--enable-debug-command', 'yes'], directory)
    try:
        status = compare_admin(redis, slotcar) if options.admin else compare(redis, slotcar, options)
    finally:
        redis.stop()
        slotcar.stop()
        shutil.rmtree(directory, ignore_errors=True)
    return status


def compare_admin(redis, slotcar):
    known = KnownDifferences(admin.KNOWN)
    found = []

    def report(protocol, words, a, b):
        found.append(words)
        print(f'\n=== RESP{protocol} {Op(words, "exact")}\n    redis    {shown(a)}\n    slotcar  {shown(b)}')

    count = admin.compare(Connection(redis.port), Connection(slotcar.port), known, report)
    known.say_unused()
    print(f'PASS {count - len(found)} FAIL {len(found)}')
    return 1 if found else 0


def compare(redis, slotcar, options):
    pair = Pair(redis, slotcar)
    both = served(pair.ends[0]) & served(pair.ends[1])
    options.dumps = {'DUMP', 'RESTORE'} <= both
    names = set(GRAMMAR) & both
    if options.only:
        names &= set(options.only.upper().split(','))
    names -= set(options.without.upper().split(','))
    absent = sorted(set(GRAMMAR) - both)
    if absent:
        print('not served by both, left out:', ' '.join(absent))
    pair.learn_defaults()
    run = Run(pair, options)
    try:
        run.go(Generator(options.seed, names, 'SPOP' in both and not options.only))
    except (ConnectionError, socket.timeout) as failure:
        print(f'\n=== seed {options.seed}, phase {run.phase}: {failure!r}')
        for server in (redis, slotcar):
            ended = server.process.poll()
            print(f'{server.name} {"runs" if ended is None else f"has ended: {ended}"}')
            if ended is not None:
                print(server.last_words())
        return 1
    run.known.say_unused()
    print(f'seed {options.seed}: {run.sent} commands, {len(run.seen)} kinds of differences, '
          f'{run.known.uses} known ones met')
    print(f'PASS {run.sent} FAIL {len(run.seen)}')
    return 1 if run.seen else 0


if __name__ == '__main__':
    sys.exit(main())
