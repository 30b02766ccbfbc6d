#!/usr/bin/env python3
"""The figures of docs/lanes.md, in one go.

    bench/lanes.py [--seconds 4] [--rounds 3] [--only hol,hiredis,choice,connections] [--port 22100]

Needs build/release with slotcar-bench, slotcar-server, hiredis_peers and lane_choice_bench (they are
built if they are missing) and a redis-server. The sides of a comparison run in turn, round by
round, so that a busy machine is busy for all of them; printed are medians over the rounds. CPU is
the client process's own, from its process clock, per call (with a throttled link: the proxy's too,
which lives in the same process).
"""
import argparse
import json
import pathlib
import re
import shutil
import socket
import statistics
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / 'build/release'
SLOW_LINK = 28  # MB/s per connection: 500 KB take 18 ms

ROWS = [('1 lane (classic)', ['--mode', 'classic'])]
ROWS += [(f'{n} lanes, least-used', ['--lanes', str(n), '--lane-strategy', 'least-used'])
         for n in (2, 4, 8, 16)]
ROWS += [('4 lanes, round-robin', ['--lanes', '4', '--lane-strategy', 'round-robin']),
         ('pooled, 50 connections', ['--mode', 'pooled', '--lanes', '50'])]


def wait_for(port):
    for _ in range(400):
        with socket.socket() as s:
            if s.connect_ex(('127.0.0.1', port)) == 0:
                return
        time.sleep(0.025)
    raise SystemExit(f'nothing answers on port {port}')


class Server:
    def __init__(self, name, words, port):
        self.name, self.port = name, port
        self.folder = tempfile.TemporaryDirectory()
        self.process = subprocess.Popen(
            words + ['--port', str(port), '--bind', '127.0.0.1', '--dir', self.folder.name],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_for(port)

    def end(self):
        self.process.kill()
        self.process.wait()
        self.folder.cleanup()


def hol_once(server, words, link, seconds):
    with tempfile.NamedTemporaryFile(suffix='.json') as out:
        command = [str(BUILD / 'slotcar-bench'), 'hol', '--uri', f'redis://127.0.0.1:{server.port}',
                   '--callers', '100', '--slow-callers', '2', '--seconds', str(seconds),
                   '--json', out.name] + words
        if link:
            command += ['--link-mb-per-s', str(link)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return json.load(open(out.name))


def change(new, old):
    return f'{(new / old - 1) * 100:+.0f} %' if old else '?'


def hol(server, link, args):
    print(f'\n## hol, {"slow link" if link else "plain loopback"}, {server.name}: GET beside HGETALL '
          f'of 500 KB, medians of {args.rounds} rounds of {args.seconds} s\n')
    print('| | p50 ms | p99 ms | p99.9 ms | per second | CPU us per call | connections |')
    print('|---|---|---|---|---|---|---|')
    runs = {name: [] for name, _ in ROWS}
    for _ in range(args.rounds):
        for name, words in ROWS:
            runs[name].append(hol_once(server, words, link, args.seconds))
    middle = {}
    for name, _ in ROWS:
        def median(value):
            return statistics.median(value(run) for run in runs[name])
        m = {k: median(lambda run: run['get'][k])
             for k in ('p50_ms', 'p99_ms', 'p999_ms', 'per_second')}
        middle[name] = m
        print(f'| {name} | {m["p50_ms"]:.2f} | {m["p99_ms"]:.1f} | {m["p999_ms"]:.1f} | '
              f'{m["per_second"]:,.0f} | {median(lambda run: run["client_cpu_us_per_call"]):.1f} | '
              f'{median(lambda run: run["connections"]):.0f} |')
    one, four = middle[ROWS[0][0]], middle['4 lanes, least-used']
    print(f'\n4 lanes least-used against 1 lane: p50 {change(four["p50_ms"], one["p50_ms"])}, '
          f'p99 {change(four["p99_ms"], one["p99_ms"])}, '
          f'throughput x{four["per_second"] / one["per_second"]:.1f}')


def hiredis(server, args):
    print(f'\n## beside hiredis, {server.name}, 8 threads, medians of {args.rounds} rounds\n')
    print('| | lanes/s | hiredis/s | throughput | CPU per call |')
    print('|---|---|---|---|---|')
    out = subprocess.run([str(BUILD / 'hiredis_peers'), str(server.port), str(args.seconds),
                          str(args.rounds)], check=True, capture_output=True, text=True).stdout
    found = {}
    for line in out.splitlines():
        numbers = [float(n) for n in re.findall(r'\d+\.?\d*', line)]
        found.setdefault(line.split()[0], []).append(numbers)
    for name, rounds in found.items():
        ours, _, theirs, _, ratio, cpu = (statistics.median(c) for c in zip(*rounds))
        print(f'| {name} | {ours:,.0f} | {theirs:,.0f} | {ratio:.2f}x | {cpu:.2f}x |')


def choice():
    print('\n## lane choice, 8 lanes, ns of CPU\n')
    out = subprocess.run([str(BUILD / 'lane_choice_bench'), '--benchmark_format=json'], check=True,
                         capture_output=True, text=True).stdout
    for one in json.loads(out)['benchmarks']:
        print(f'| {one["name"]} | {one["cpu_time"]:.1f} |')


def connections(server):
    print('\n## connections for 50 threads\n')
    for name, words in (('laned', []), ('pooled', ['--mode', 'pooled', '--lanes', '50'])):
        with tempfile.NamedTemporaryFile(suffix='.json') as out:
            subprocess.run([str(BUILD / 'slotcar-bench'), 'get', '--uri',
                            f'redis://127.0.0.1:{server.port}', '--callers', '50', '--seconds', '1',
                            '--json', out.name] + words, check=True, stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL)
            print(f'| {name} | {json.load(open(out.name))["connections"]} |')


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--seconds', type=float, default=4)
    parser.add_argument('--rounds', type=int, default=3)
    parser.add_argument('--only', default='hol,hiredis,choice,connections')
    parser.add_argument('--port', type=int, default=22100)
    args = parser.parse_args()
    wanted = args.only.split(',')
    subprocess.run(['cmake', '--build', str(BUILD), '-j2', '--target', 'slotcar-bench',
                    'slotcar-server', 'hiredis_peers', 'lane_choice_bench'], check=True,
                   stdout=subprocess.DEVNULL)
    program = shutil.which('redis-server')
    if not program:
        raise SystemExit('there is no redis-server in the PATH (./dev test makes one)')
    servers = [Server('redis-server', [program, '--save', ''], args.port),
               Server('Slotcar', [str(BUILD / 'slotcar-server')], args.port + 1)]
    try:
        if 'hol' in wanted:
            hol(servers[0], SLOW_LINK, args)
            hol(servers[0], 0, args)
            hol(servers[1], 0, args)
        if 'hiredis' in wanted:
            for server in servers:
                hiredis(server, args)
        if 'choice' in wanted:
            choice()
        if 'connections' in wanted:
            connections(servers[0])
    finally:
        for server in servers:
            server.end()


if __name__ == '__main__':
    main()
