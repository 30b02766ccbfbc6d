#!/usr/bin/env python3
"""The figures of bench/lanes.md, in one go.

    bench/lanes.py [--seconds 2] [--rounds 3] [--minutes 9] [--nice -20] [--json FILE]
                   [--only link,loopback,slotcar,hiredis,choice,connections] [--port 22100]

Needs build/release with slotcar-bench, slotcar-server, hiredis_peers and lane_choice_bench (they are
built if they are missing) and a redis-server. The sides of a comparison run in turn, round by
round, so that a busy machine is busy for all of them; printed are medians over the rounds, and for
the ratios that matter the lowest and highest round too. CPU is the client process's own, from its
process clock, per call (with a throttled link: the proxy's too, which lives in the same process).

A whole run takes about six minutes. It ends within --minutes and one more: each section has a share
of the time that is left, no round begins after it, and a program that does not end by itself is
killed. A line on standard error says what runs now. What was measured is in FILE after each section.
"""
import argparse
import json
import pathlib
import re
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / 'build/release'
SLOW_LINK = 28  # MB/s per connection: 500 KB take 18 ms

ROWS = [('classic (1 lane)', ['--mode', 'classic'])]
ROWS += [(f'laned, {n} lane{"s" if n > 1 else ""}, least-used',
          ['--lanes', str(n), '--lane-strategy', 'least-used']) for n in (1, 2, 4, 8, 16)]
ROWS += [('laned, 4 lanes, round-robin', ['--lanes', '4', '--lane-strategy', 'round-robin']),
         ('pooled, 50 connections', ['--mode', 'pooled', '--lanes', '50'])]
ONE, FOUR = 'laned, 1 lane, least-used', 'laned, 4 lanes, least-used'


def before_others(nice, words):
    """The command at this priority. Where Linux groups processes by session, a nice value counts
    only among those of one session: there the session itself gets it too."""
    if not nice:
        return words
    group = f'{{ echo {nice} > /proc/self/autogroup; }} 2>/dev/null'
    return ['setsid', 'sh', '-c', f'{group}; exec nice -n {nice} "$@"', 'sh'] + words


class Run:
    """What all sections share: the settings, the clock that ends it, and what was measured."""

    def __init__(self, args):
        self.seconds, self.rounds = args.seconds, args.rounds
        self.nice, self.json = args.nice, args.json
        self.began = time.monotonic()
        self.end = self.began + 60 * args.minutes
        self.until = self.end
        self.measured = {}

    def share(self, sections_left):
        """The next section may use this part of the time that is left."""
        now = time.monotonic()
        self.until = now + max(0, self.end - now) / sections_left

    def progress(self, text):
        print(f'{time.monotonic() - self.began:4.0f} s  {text}', file=sys.stderr, flush=True)

    def rounds_left(self):
        for number in range(self.rounds):
            # The first round of a section is made in any case: a table without it says nothing.
            if number > 0 and time.monotonic() > self.until:
                print(f'(out of time after {number} of {self.rounds} rounds)')
                return
            yield number

    def program(self, words, at_most):
        return subprocess.run(before_others(self.nice, words), check=True, capture_output=True,
                              text=True, timeout=at_most).stdout

    def note(self, section, what):
        self.measured[section] = what
        if self.json:
            pathlib.Path(self.json).write_text(json.dumps(self.measured, indent=1) + '\n')


def wait_for(port):
    for _ in range(400):
        with socket.socket() as s:
            if s.connect_ex(('127.0.0.1', port)) == 0:
                s.sendall(b'PING\r\n')
                if s.recv(64).startswith(b'+PONG'):  # it does not load any more
                    return
        time.sleep(0.025)
    raise SystemExit(f'nothing answers on port {port}')


class Server:
    def __init__(self, name, words, port, nice):
        self.name, self.port = name, port
        self.folder = tempfile.TemporaryDirectory()
        words = words + ['--port', str(port), '--bind', '127.0.0.1', '--dir', self.folder.name]
        self.process = subprocess.Popen(before_others(nice, words), stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL)
        wait_for(port)

    def end(self):
        self.process.kill()
        self.process.wait()
        self.folder.cleanup()


def bench(run, server, scenario, words, seconds):
    with tempfile.NamedTemporaryFile(suffix='.json') as out:
        run.program([str(BUILD / 'slotcar-bench'), scenario, '--uri',
                     f'redis://127.0.0.1:{server.port}', '--seconds', str(seconds), '--quiet',
                     '--json', out.name] + words, seconds + 30)
        return json.load(open(out.name))



def spread(values, form):
    return f'{form(statistics.median(values))} ({form(min(values))} to {form(max(values))})'


def hol(run, server, link):
    where = 'slow link' if link else 'plain loopback'
    print(f'\n## hol, {where}, {server.name}: GET beside HGETALL of 500 KB, medians of {run.rounds} '
          f'rounds of {run.seconds} s\n', flush=True)
    extra = ['--callers', '100', '--slow-callers', '2']
    if link:
        extra += ['--link-mb-per-s', str(link)]
    runs = {name: [] for name, _ in ROWS}
    for number in run.rounds_left():
        for name, words in ROWS:
            run.progress(f'hol, {where}, {server.name}: round {number + 1} of {run.rounds}, {name}')
            runs[name].append(bench(run, server, 'hol', words + extra, run.seconds))
    print('| | p50 ms | p99 ms | p99.9 ms | per second | CPU us per call | connections |')
    print('|---|---|---|---|---|---|---|')
    rows = {}
    for name, _ in ROWS:
        def median(value):
            return statistics.median(value(one) for one in runs[name])
        m = {k: median(lambda one: one['get'][k])
             for k in ('p50_ms', 'p99_ms', 'p999_ms', 'per_second')}
        m['cpu_us'] = median(lambda one: one['client_cpu_us_per_call'])
        rows[name] = m
        print(f'| {name} | {m["p50_ms"]:.2f} | {m["p99_ms"]:.1f} | {m["p999_ms"]:.1f} | '
              f'{m["per_second"]:,.0f} | {m["cpu_us"]:.1f} | '
              f'{median(lambda one: one["connections"]):.0f} |')
    def ratios(key):
        return [four['get'][key] / one['get'][key] for four, one in zip(runs[FOUR], runs[ONE])]
    p50, p99, rate = ratios('p50_ms'), ratios('p99_ms'), ratios('per_second')
    def percent(ratio):
        return f'{(ratio - 1) * 100:+.0f} %'
    def times(ratio):
        return f'x{ratio:.2f}'
    print(f'\n4 lanes least-used against 1 lane, round by round: p50 {spread(p50, percent)}, '
          f'p99 {spread(p99, percent)}, throughput {spread(rate, times)}', flush=True)
    run.note(f'hol, {where}, {server.name}',
             {'rows': rows, 'four_to_one': {'p50': p50, 'p99': p99, 'per_second': rate}})


def hiredis(run, server):
    print(f'\n## beside hiredis, {server.name}, 8 threads, medians of {run.rounds} rounds\n',
          flush=True)
    found = {}
    for number in run.rounds_left():
        run.progress(f'hiredis, {server.name}: round {number + 1} of {run.rounds}')
        out = run.program([str(BUILD / 'hiredis_peers'), str(server.port), str(run.seconds), '1'],
                          4 * run.seconds + 30)
        for line in out.splitlines():
            numbers = [float(n) for n in re.findall(r'\d+\.?\d*', line)]
            found.setdefault(line.split()[0], []).append(numbers)
    print('| | lanes/s | hiredis/s | throughput | CPU per call |')
    print('|---|---|---|---|---|')
    def times(ratio):
        return f'{ratio:.2f}x'
    for name, rounds in found.items():
        ours, _, theirs, _, ratio, cpu = zip(*rounds)
        print(f'| {name} | {statistics.median(ours):,.0f} | {statistics.median(theirs):,.0f} | '
              f'{spread(ratio, times)} | {spread(cpu, times)} |', flush=True)
    run.note(f'hiredis {server.name}', found)


def choice(run):
    print('\n## lane choice, 8 lanes, ns of CPU\n', flush=True)
    run.progress('lane choice')
    out = run.program([str(BUILD / 'lane_choice_bench'), '--benchmark_format=json'], 60)
    times = {one['name']: one['cpu_time'] for one in json.loads(out)['benchmarks']}
    for name, ns in times.items():
        print(f'| {name} | {ns:.1f} |')
    run.note('choice', times)


def connections(run, server):
    print('\n## connections for 50 callers\n', flush=True)
    counts = {}
    for name, words in (('laned', []), ('pooled', ['--mode', 'pooled', '--lanes', '50'])):
        run.progress(f'connections: {name}')
        counts[name] = bench(run, server, 'get', words + ['--callers', '50'], 1)['connections']
        print(f'| {name} | {counts[name]} |')
    run.note('connections', counts)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--seconds', type=float, default=2)
    parser.add_argument('--rounds', type=int, default=3)
    parser.add_argument('--minutes', type=float, default=9)
    parser.add_argument('--nice', type=int, default=0)
    parser.add_argument('--json', default='')
    parser.add_argument('--only', default='link,loopback,slotcar,hiredis,choice,connections')
    parser.add_argument('--port', type=int, default=22100)
    args = parser.parse_args()
    wanted = args.only.split(',')
    subprocess.run(['cmake', '--build', str(BUILD), '-j2', '--target', 'slotcar-bench',
                    'slotcar-server', 'hiredis_peers', 'lane_choice_bench'], check=True,
                   stdout=subprocess.DEVNULL)
    program = shutil.which('redis-server')
    if not program:
        raise SystemExit('there is no redis-server in the PATH (./dev test makes one)')
    quiet = ['--save', '', '--appendonly', 'no']
    run = Run(args)
    servers = []
    try:
        servers.append(Server('redis-server', [program] + quiet, args.port, args.nice))
        servers.append(Server('Slotcar', [str(BUILD / 'slotcar-server')] + quiet, args.port + 1,
                              args.nice))
        redis, slotcar = servers
        # The short ones first: what they leave of their time is for the others.
        sections = [('choice', lambda: choice(run)),
                    ('connections', lambda: connections(run, redis)),
                    ('hiredis', lambda: hiredis(run, redis)),
                    ('hiredis', lambda: hiredis(run, slotcar)),
                    ('link', lambda: hol(run, redis, SLOW_LINK)),
                    ('loopback', lambda: hol(run, redis, 0)),
                    ('slotcar', lambda: hol(run, slotcar, 0))]
        sections = [section for name, section in sections if name in wanted]
        for number, section in enumerate(sections):
            run.share(len(sections) - number)
            section()
        run.progress('done')
    finally:
        for server in servers:
            server.end()


if __name__ == '__main__':
    main()
