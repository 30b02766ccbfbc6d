#!/usr/bin/env python3
"""Everything at once, for a long time, with restarts, kills and changed settings.

    ./dev soak MINUTES [--seed N] [--out FILE] [--data DIR] [--fresh] [--server PATH]

One run is one piece. It goes on with the files of the last one (--data, build/soak/data) and appends
its figures to --out (build/soak/soak.jsonl) as a line of JSON; `--fresh` begins anew. A piece is a row of
lives of the server, with `appendfsync` everysec and always by turns: short ones that end by SIGTERM or
kill -9 in the middle of the load, and in between a long one of a third of the time, in which what
could grow is looked at.

The load (players.py): writers that know what each of their keys must be (model.py, history.py), of all
types, with blocking commands, transactions, WATCH, big values and keys that end; random commands in
another database; subscriptions and tracking; walks; saves, rewrites, CONFIG SET of many settings.

It fails on: a reply that is not what it must be, an error reply, a broken connection, a server that does
not start or end, anything acknowledged that is missing (--loses: after kill -9 under everysec the last seconds
may be, if they are the end of what each client did), figures that grow. Latency is measured
beside redis-server in the same moment and only printed.
"""
import argparse
import json
import pathlib
import pickle
import random
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(HERE), str(ROOT / 'tests' / 'system'), str(ROOT / 'tests' / 'diff')]
import figures  # noqa: E402
from harness import Client, Failed  # noqa: E402
from history import Lost  # noqa: E402
from players import GROUP, everybody, new_histories  # noqa: E402

WRITERS = 6
START_SECONDS, END_SECONDS = 60, 30
SAMPLE_SECONDS = 3


class Failure(Exception):
    pass


class Soak:
    def __init__(self, args):
        self.args = args
        self.data = pathlib.Path(args.data)
        self.kept = self.data.parent / (self.data.name + '.model')
        self.seed = args.seed
        self.dice = random.Random(args.seed)
        self.ending = threading.Event()
        self.undiagnosed = threading.Lock()
        self.failures = []
        self.process = None
        self.life = self.kills = self.requests = 0
        self.lost_operations, self.lost_seconds, self.start_seconds = 0, 0.0, 0.0
        self.ended_at, self.ended_by = time.monotonic(), 'SIGTERM'
        self.seen = {}
        self.fsync = 'always'
        self.long_samples, self.all_samples = [], []
        self.latency = {'ours': [], 'redis': []}
        self.load_model()
        with socket.socket() as s:
            s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            s.bind(('127.0.0.1', args.port))
            self.port = s.getsockname()[1]

    def load_model(self):
        if self.args.fresh and self.data.exists():
            shutil.rmtree(self.data)
        if self.data.exists() and not self.kept.exists():
            raise SystemExit(f'the last piece failed, its files are in {self.data}; --fresh begins anew')
        if not self.data.exists():
            self.data.mkdir(parents=True)
            self.histories = new_histories(WRITERS)
            self.life_before = 0
        else:
            self.histories, self.life_before = pickle.loads(self.kept.read_bytes())
        self.life = self.life_before

    def fail(self, what):
        self.failures.append(f'life {self.life}: {what}')
        print(f'FAIL {self.failures[-1]}', file=sys.stderr, flush=True)
        self.ending.set()

    def diagnose(self):
        """What the server's threads do, to explain why it does not answer. Once."""
        if not self.undiagnosed.acquire(blocking=False):
            return
        where = self.data.parent / 'threads'
        if shutil.which('gdb'):
            found = subprocess.run(['gdb', '-p', str(self.process.pid), '-batch', '-ex', 'thread apply all bt'],
                                   capture_output=True, text=True).stdout
        else:
            found = ''
            for task in sorted(pathlib.Path(f'/proc/{self.process.pid}/task').iterdir()):
                parts = [(task / name).read_text().strip() for name in ('comm', 'wchan', 'stat')]
                found += '  '.join(parts) + '\n'
        where.write_text(found)
        print(f'what its threads do is in {where}', file=sys.stderr)

    # ------------------------------------------------------------------------ one life
    def options(self):
        """What may differ from one life to the next."""
        pick = self.dice.choice
        return ['--workers', pick(('1', '2', '3')), '--appendonly-segment-size', pick(('1mb', '8mb', '64mb')),
                '--databases', pick(('16', '32')), '--slow-lane-threads', pick(('1', '2')),
                '--hash-max-listpack-entries', pick(('4', '128')), '--list-max-listpack-size', pick(('3', '-2'))]

    def start(self):
        self.fsync = ('everysec', 'always')[self.life % 2]
        output = self.data.parent / 'output'
        if output.exists() and output.stat().st_size > 20_000_000:
            output.unlink()
        words = [self.args.server, '--port', str(self.port), '--bind', '127.0.0.1', '--dir', str(self.data),
                 '--appendonly', 'yes', '--appendfsync', self.fsync, '--proto-max-bulk-len', '64mb',
                 *self.options(), *shlex.split(self.args.options)]
        began = time.monotonic()
        with open(output, 'ab') as out:
            out.write(f'--- life {self.life}: {" ".join(words)}\n'.encode())
            out.flush()
            self.process = subprocess.Popen(words, stdout=out, stderr=subprocess.STDOUT)
        while True:
            if self.process.poll() is not None:
                raise Failure(f'the server does not start, status {self.process.returncode}:\n{self.tail()}')
            try:
                with Client(self.port, 10) as client:
                    if client('PING') == 'PONG':
                        break
            except (OSError, Failed):
                pass
            if time.monotonic() - began > START_SECONDS:
                raise Failure(f'the server does not answer within {START_SECONDS} s:\n{self.tail()}')
            time.sleep(0.01)
        took = time.monotonic() - began
        self.start_seconds = max(self.start_seconds, took)
        return took

    def tail(self):
        text = (self.data.parent / 'output').read_text(errors='replace')
        return '\n'.join(text.splitlines()[-12:])

    def verify(self):
        loses = self.args.loses if self.ended_by == 'kill -9' else 0.0
        with Client(self.port, 30) as client:
            for name, number in self.seen.items():
                values = [int(v or 0) for v in client('MGET', *[f'{name}:group:{i}' for i in range(GROUP)])]
                if len(set(values)) != 1:
                    raise Lost(f'{name}: half an MSET after {self.ended_by}: {values}')
                if values[0] < number:
                    raise Lost(f'{name}: a reader saw {number} under `always`, after {self.ended_by} it is '
                               f'{values[0]}')
            for history in self.histories:
                count, age = history.look(client, self.ended_at, loses)
                self.lost_operations = max(self.lost_operations, count)
                self.lost_seconds = max(self.lost_seconds, age)
        self.seen = {}

    def info(self):
        with Client(self.port, 30) as client:
            text = client('INFO', 'everything').decode(errors='replace')
        return dict(line.split(':', 1) for line in text.splitlines() if ':' in line)

    def live(self, seconds, end, long=False):
        self.life += 1
        took = self.start()
        began = time.monotonic()
        self.verify()
        print(f'life {self.life}: {self.fsync}, start {took:.2f} s, {self.ended_by} before, looked in '
              f'{time.monotonic() - began:.2f} s; now {seconds:.0f} s until {end}', file=sys.stderr, flush=True)
        self.ending.clear()
        players = everybody(self)
        for player in players:
            player.start()
        try:
            self.look_on(seconds, long)
        finally:
            self.end(end, players)

    def look_on(self, seconds, long):
        until = time.monotonic() + seconds
        sampler = None
        while time.monotonic() < until and not self.ending.is_set():
            if self.ending.wait(min(SAMPLE_SECONDS, max(0, until - time.monotonic()))):
                break
            if self.process.poll() is not None:
                return self.fail(f'the server ended by itself, status {self.process.returncode}:\n{self.tail()}')
            try:
                if sampler is None:
                    sampler = figures.Sampler(self.process.pid, self.data, self.info)
                    continue
                sampler.sample()
                if long:
                    self.measure_latency()
            except (OSError, Failed) as error:
                self.diagnose()
                return self.fail(f'INFO: {error!r}')
        if sampler:
            self.all_samples += sampler.samples
            if long:
                self.long_samples = sampler.samples

    def end(self, how, players):
        """In the middle of the load. An end that players notice before `ending` is set is no failure of
        theirs, so it is set first; the moment of the end is taken just before the signal."""
        self.ending.set()
        self.ended_at, self.ended_by = time.monotonic(), how
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL if how == 'kill -9' else signal.SIGTERM)
            try:
                self.process.wait(END_SECONDS)
            except subprocess.TimeoutExpired:
                self.diagnose()
                self.process.kill()
                self.process.wait()
                self.fail(f'{how}: the server has not ended within {END_SECONDS} s')
        self.kills += how == 'kill -9'
        for player in players:
            player.join(70)
            if player.is_alive():
                self.fail(f'{player.label} does not end')
        if self.failures:
            raise Failure(self.failures[-1])

    # ------------------------------------------------------------------------ latency
    def measure_latency(self):
        if self.peer is None:
            return
        for name, port in (('ours', self.port), ('redis', self.peer_port)):
            with Client(port, 30) as client:
                for _ in range(150):
                    began = time.perf_counter()
                    client('GET', 'latency')
                    self.latency[name].append((time.perf_counter() - began) * 1000)
                    time.sleep(0.0005)

    def start_peer(self):
        self.peer = None
        program = shutil.which('redis-server')
        if not program:
            return
        with socket.socket() as s:
            s.bind(('127.0.0.1', 0))
            self.peer_port = s.getsockname()[1]
        self.peer = subprocess.Popen([program, '--port', str(self.peer_port), '--bind', '127.0.0.1', '--save', '',
                                      '--dir', str(self.data.parent)], stdout=subprocess.DEVNULL)

    # ------------------------------------------------------------------------ a piece
    def lives(self, minutes):
        """(seconds, how it ends, long)"""
        began, long_done = time.monotonic(), False
        whole = 60 * minutes
        while True:
            passed = time.monotonic() - began
            left = whole - passed
            if left < 3:
                return
            if not long_done and passed > whole / 3:
                long_done = True
                yield min(left, whole / 3), 'SIGTERM', True
                continue
            seconds = self.dice.choice((1, 3, 8, 15, 25))
            yield min(seconds, left), self.dice.choice(('kill -9', 'kill -9', 'SIGTERM')), False

    def run(self):
        began = time.monotonic()
        self.start_peer()
        try:
            for seconds, end, long in self.lives(self.args.minutes):
                self.live(seconds, end, long)
            # The last one looks at what the one before has left, and ends in peace.
            self.life += 1
            self.start()
            self.verify()
            self.end('SIGTERM', [])
            self.kept.write_bytes(pickle.dumps((self.histories, self.life)))
        except (Failure, Lost) as failure:
            if str(failure) not in self.failures:
                self.fail(str(failure))
        finally:
            for process in filter(None, (self.process, self.peer)):
                if process.poll() is None:
                    process.kill()
                    process.wait()
        growth = figures.growth(self.long_samples)
        if growth:
            self.fail('within one life: ' + ', '.join(growth))
        if self.failures and self.kept.exists():
            self.kept.unlink()  # the files are kept for inspection, but no piece continues from them
        return self.result((time.monotonic() - began) / 60)

    def result(self, minutes):
        def p99(values):
            return round(sorted(values)[int(len(values) * 0.99)], 2) if values else None
        return {
            'minutes': minutes, 'seed': self.seed, 'lives': self.life - self.life_before, 'kills': self.kills,
            'requests': self.requests, 'lost_operations': self.lost_operations,
            'lost_seconds': self.lost_seconds, 'start_seconds': self.start_seconds,
            'figures': figures.summary(self.all_samples), 'long_life': self.long_samples,
            'latency': {name: p99(values) for name, values in self.latency.items()},
            'failures': self.failures,
        }


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('minutes', type=float)
    parser.add_argument('--seed', type=int, default=int(time.time()))
    parser.add_argument('--out', default=str(ROOT / 'build/soak/soak.jsonl'))
    parser.add_argument('--data', default=str(ROOT / 'build/soak/data'))
    parser.add_argument('--fresh', action='store_true', help='forget the pieces before')
    parser.add_argument('--loses', type=float, default=0.0,
                        help='seconds that kill -9 may take under everysec, of a server without a log buffer')
    parser.add_argument('--options', default='', help='of the server, in all lives')
    parser.add_argument('--port', type=int, default=0)
    parser.add_argument('--server', default=str(ROOT / 'build/release/slotcar-server'))
    args = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit('ended by SIGTERM'))  # with its server
    out = pathlib.Path(args.out)
    out.parent.mkdir(parents=True, exist_ok=True)
    if args.fresh and out.exists():
        out.unlink()
    soak = Soak(args)
    piece = soak.run()
    with open(out, 'a') as file:
        file.write(json.dumps(piece) + '\n')
    pieces = [json.loads(line) for line in out.read_text().splitlines()]
    figures.table(pieces)
    grown = figures.pieces_growth(pieces)
    if grown:
        print('grown over the pieces: ' + ', '.join(grown))
    failed = bool(piece['failures'] or grown)
    for line in piece['failures']:
        print(line)
    if piece['failures']:
        print(f'seed {args.seed}; files kept in {args.data}, what the server said in {soak.data.parent}/output')
    print(f'PASS {0 if failed else 1} FAIL {1 if failed else 0}')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
