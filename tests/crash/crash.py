#!/usr/bin/python3
"""Kills the server with SIGKILL at random moments, again and again, while clients write under
`appendfsync always`, and looks after each start whether everything that was acknowledged is there.

    tests/crash/crash.py [--rounds 200] [--seed 1] [--server build/release/slotcar-server]

What must hold after every start:
  * every acknowledged write is there (a value never goes back behind the last one acknowledged),
  * no transaction is half there: keys that are only ever written together are equal,
  * what a reader was told is still true,
  * a list has every acknowledged element once, in order.
Snapshots (BGSAVE, BGREWRITEAOF) are made all the while, so that kills hit their every step.
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
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / 'tests' / 'system'))
from harness import Client, ErrorReply, Failed, serves  # noqa: E402

GROUP = 8       # keys of a transaction, over as many slots
WRITERS = 6
READERS = 2


class Broken(Exception):
    pass


class Server:
    """A server that is killed and started again on the same files."""

    def __init__(self, binary, options):
        self.binary, self.options = binary, options
        self.dir = tempfile.mkdtemp(prefix='slotcar-crash.')
        with socket.socket() as s:
            s.bind(('127.0.0.1', 0))
            self.port = s.getsockname()[1]
        self.log = open(os.path.join(self.dir, 'output'), 'ab')
        self.process = None

    def start(self):
        self.process = subprocess.Popen(
            [self.binary, '--port', str(self.port), '--bind', '127.0.0.1', '--dir', self.dir,
             *self.options], stdout=self.log, stderr=subprocess.STDOUT)
        until = time.monotonic() + 60
        while time.monotonic() < until:
            if self.process.poll() is not None:
                raise Broken('the server does not start:\n' + self.tail())
            if serves(self.port):
                return
            time.sleep(0.01)
        raise Broken('the server does not answer:\n' + self.tail())

    def tail(self):
        with open(os.path.join(self.dir, 'output'), errors='replace') as text:
            return ''.join(text.readlines()[-15:])

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()


class Known:
    """What clients were promised, across all lives of the server."""

    def __init__(self):
        self.lock = threading.Lock()
        self.acknowledged = {}   # writer -> last number acknowledged
        self.sent = {}           # writer -> last number sent
        self.pushed = {}         # writer -> last element acknowledged
        self.seen = {}           # key -> largest number that a reader was shown


def write(known, server, me, stop):
    """Each round has a number; all that it writes bears it."""
    try:
        client = Client(server.port, 5)
        dice = random.Random(f'{me} {time.monotonic()}')
        number = known.sent.get(me, 0)
        while not stop.is_set():
            number += 1
            known.sent[me] = number
            keys = [f'{me}:group:{i}' for i in range(GROUP)]
            kind = dice.randrange(3)
            if kind == 0:
                replies = [client('MSET', *sum(([k, number] for k in keys), []))]
            elif kind == 1:
                client('MULTI')
                for key in keys:
                    client('SET', key, number)
                client('RPUSH', f'{me}:list', number)
                replies = [client('EXEC')]
            else:
                client.raw(b''.join(
                    b'*3\r\n$3\r\nSET\r\n$%d\r\n%s\r\n$%d\r\n%d\r\n' %
                    (len(k), k.encode(), len(str(number)), number)
                    for k in [f'{me}:alone:{i}' for i in range(GROUP)]))
                replies = [client.reply() for _ in range(GROUP)]
            if any(isinstance(reply, ErrorReply) for reply in replies):
                raise Broken(f'refused: {replies}')
            if kind == 2:
                known.acknowledged[me, 'alone'] = number
            else:
                known.acknowledged[me, 'group'] = number
                if kind == 1:
                    known.pushed[me] = number
    except (OSError, Failed):
        pass  # killed


def read(known, server, stop):
    try:
        client = Client(server.port, 5)
        dice = random.Random()
        while not stop.is_set():
            me = f'w{dice.randrange(WRITERS)}'
            kind = dice.choice(['group', 'alone'])
            key = f'{me}:{kind}:{dice.randrange(GROUP)}'
            reply = client('GET', key)
            if reply is not None:
                with known.lock:
                    known.seen[key] = max(known.seen.get(key, 0), int(reply))
    except (OSError, Failed):
        pass


def save(server, stop):
    try:
        client = Client(server.port, 5)
        while not stop.is_set():
            client(random.choice(['BGSAVE', 'BGREWRITEAOF']))
            time.sleep(random.uniform(0.005, 0.1))
    except (OSError, Failed):
        pass


def check(known, server):
    client = Client(server.port)
    for w in range(WRITERS):
        me = f'w{w}'
        values = [int(v or 0) for v in client('MGET', *[f'{me}:group:{i}' for i in range(GROUP)])]
        if len(set(values)) != 1:
            raise Broken(f'{me}: half a transaction: {values}')
        if values[0] < known.acknowledged.get((me, 'group'), 0):
            raise Broken(f'{me}: {values[0]} is there, {known.acknowledged[me, "group"]} was said')
        if values[0] > known.sent.get(me, 0):
            raise Broken(f'{me}: {values[0]} was never sent')
        for i in range(GROUP):
            value = int(client('GET', f'{me}:alone:{i}') or 0)
            if value < known.acknowledged.get((me, 'alone'), 0):
                raise Broken(f'{me}:alone:{i}: {value} is there, '
                             f'{known.acknowledged[me, "alone"]} was said')
        elements = [int(e) for e in client('LRANGE', f'{me}:list', 0, -1)]
        if elements != sorted(set(elements)):
            raise Broken(f'{me}: the list is not in order, or has doubles')
        if known.pushed.get(me, 0) and known.pushed[me] not in elements[-3:]:
            raise Broken(f'{me}: {known.pushed[me]} was pushed, the list ends {elements[-3:]}')
    for key, number in known.seen.items():
        value = int(client('GET', key) or 0)
        if value < number:
            raise Broken(f'{key}: a reader saw {number}, now it is {value}')


def run(rounds, seed, binary, fsync='always'):
    dice = random.Random(seed)
    server = Server(binary, ['--appendonly', 'yes', '--appendfsync', fsync, '--workers', '2',
                             '--save', '', '--appendonly-segment-size', '1mb'])
    known = Known()
    try:
        for turn in range(rounds):
            server.start()
            check(known, server)
            stop = threading.Event()
            threads = [threading.Thread(target=write, args=(known, server, f'w{i}', stop), daemon=True)
                       for i in range(WRITERS)]
            threads += [threading.Thread(target=read, args=(known, server, stop), daemon=True)
                        for _ in range(READERS)]
            threads.append(threading.Thread(target=save, args=(server, stop), daemon=True))
            for thread in threads:
                thread.start()
            time.sleep(dice.uniform(0.02, 0.4))
            server.kill()
            stop.set()
            for thread in threads:
                thread.join(10)
        server.start()
        check(known, server)
        server.kill()
    except Broken as broken:
        print(f'round {turn}: {broken}\nfiles kept in {server.dir}', file=sys.stderr)
        server.process.kill()
        return None
    shutil.rmtree(server.dir, ignore_errors=True)
    return sum(known.sent.values())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--rounds', type=int, default=200)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--server', default=str(ROOT / 'build/release/slotcar-server'))
    args = parser.parse_args()
    writes = run(args.rounds, args.seed, args.server)
    if writes is None:
        print('PASS 0 FAIL 1')
        return 1
    print(f'{args.rounds} kills, {writes} rounds of writes, nothing lost')
    print('PASS 1 FAIL 0')
    return 0


if __name__ == '__main__':
    sys.exit(main())
