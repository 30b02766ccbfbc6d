#!/usr/bin/env python3
"""TLS beside redis-server's, in the same run, interleaved; medians of the rounds are printed.

    bench/tls.py data            GET with pipeline 1 and 16, GET and SET of 16 KiB: server CPU per request
    bench/tls.py handshakes      new connections at a steady rate (300 a second with an RSA-2048 key, 600 with
                                 P-256) and what a plain prober's GET latency is beside them and without
    bench/tls.py rate            handshakes a second that two busy clients get, and CPU for each

Both servers run with one worker and the same certificates, which openssl makes. --server names our binary,
--rounds how often, --nice the nice value of servers and loads (below zero beside other work).
"""
import argparse
import json
import multiprocessing
import os
import re
import socket
import ssl
import statistics
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'tests', 'system'))
import bench_peers as peers  # noqa: E402
from certificates import Authority  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
BUILD = os.path.join(HERE, '..', 'build', 'release')


def start(name, a, pair):
    tls_port = peers.free_port()
    tls = (f' --tls-port {tls_port} --tls-cert-file {pair[0]} --tls-key-file {pair[1]}'
           f' --tls-ca-cert-file {a.authority.ca} --tls-auth-clients no --tls-session-caching no')
    command = peers.PEERS['redis'] if name == 'redis' else (
        a.server + " --port {port} --dir {dir} --workers {threads} --appendonly no --save ''")
    server = peers.Server(name, command + tls, root=a.folder)
    server.start(1)
    server.tls_port = tls_port
    return server


# ------------------------------------------------------------------ data
ROWS = (('GET p1', 'get', 1, 3, 50_000), ('GET p16', 'get', 16, 3, 400_000),
        ('GET 16 KiB p1', 'get', 1, 16384, 60_000), ('SET 16 KiB p1', 'set', 1, 16384, 8_000),
        ('GET 16 KiB p16', 'get', 16, 16384, 60_000), ('SET 16 KiB p16', 'set', 16, 16384, 60_000))


def benchmark(server, a, kind, pipeline, size, count):
    before = server.cpu_ns()
    done = subprocess.run(
        [peers.find_tool('redis-benchmark'), '-p', str(server.tls_port), '--tls', '--cacert',
         a.authority.ca, '-t', kind, '-P', str(pipeline), '-d', str(size), '-n', str(count), '-c',
         '50', '-q'], capture_output=True, text=True, check=True, timeout=300,
        preexec_fn=peers.renice)
    found = re.findall(r'([\d.]+) requests per second', done.stdout)
    return float(found[-1]), (server.cpu_ns() - before) / count / 1e3


def data(a):
    servers = {name: start(name, a, a.ec) for name in ('slotcar', 'redis')}
    try:
        for label, kind, pipeline, size, count in ROWS:
            if label not in a.rows:
                continue
            results = {name: [] for name in servers}
            for name, server in servers.items():
                benchmark(server, a, 'set', 16, size, 2000)  # the key that GET reads
            for turn in range(a.rounds):
                for name, server in sorted(servers.items(), reverse=turn % 2 == 1):
                    results[name].append(benchmark(server, a, kind, pipeline, size, count))
            # Each round's two runs are neighbours in time: their ratio depends least on other work.
            ratios = [[ours[i] / theirs[i] for ours, theirs in zip(results['slotcar'], results['redis'])]
                      for i in (0, 1)]
            cpu = {n: statistics.median(r[1] for r in rows) for n, rows in results.items()}
            print('%-15s CPU per request %6.2f us, redis %6.2f us; median ratio of %d rounds %.2f (%.2f to '
                  '%.2f); throughput %.2f'
                  % (label, cpu['slotcar'], cpu['redis'], a.rounds, statistics.median(ratios[1]),
                     min(ratios[1]), max(ratios[1]), statistics.median(ratios[0])), flush=True)
    finally:
        for server in servers.values():
            server.stop()


# ------------------------------------------------------------------ handshakes
def connect_once(context, port):
    with socket.create_connection(('127.0.0.1', port), 10) as raw:
        # As every client does. Otherwise PING waits for the acknowledgement of the handshake's end, which
        # a server that sends no session ticket delays by 40 ms.
        raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with context.wrap_socket(raw, server_hostname='127.0.0.1') as client:
            client.sendall(b'PING\r\n')
            if client.recv(100)[:5] != b'+PONG':
                raise RuntimeError('no PONG')


def connector(ca, port, rate, seconds, threads, results):
    """Connects at scheduled times; rate 0: as fast as possible. Returns how many were served."""
    context = ssl.create_default_context(cafile=ca)
    begin = time.monotonic()
    done = [0] * threads

    def work(who):
        number = who
        while time.monotonic() - begin < seconds:
            if rate:
                wait = begin + number / rate - time.monotonic()
                if wait > 0:
                    time.sleep(wait)
                number += threads
            connect_once(context, port)
            done[who] += 1

    all_threads = [threading.Thread(target=work, args=(who,)) for who in range(threads)]
    for thread in all_threads:
        thread.start()
    for thread in all_threads:
        thread.join()
    results.put(sum(done))


def connect_many(a, port, rate, seconds, processes=2, threads=8):
    results = multiprocessing.Queue()
    many = [multiprocessing.Process(target=connector, args=(a.authority.ca, port, rate / processes,
                                                            seconds, threads, results))
            for _ in range(processes)]
    for process in many:
        process.start()
    return many, results


def probe(server, seconds):
    done = subprocess.run([os.path.join(BUILD, 'steady_load'), str(server.port), '--connections', '10',
                           '--rate', '2000', '--seconds', str(seconds), '--keys', '1000',
                           '--set-ratio', '0'], capture_output=True, text=True, check=True,
                          preexec_fn=peers.renice)
    return json.loads(done.stdout)


def p99(result):
    return result['all']['p99_ms']


def beside_handshakes(name, a, pair, rate):
    """Quiet p99, p99 beside the handshakes, handshakes a second, CPU of each in ms."""
    server = start(name, a, pair)
    try:
        quiet = p99(probe(server, a.seconds))
        before = server.cpu_ns()
        many, results = connect_many(a, server.tls_port, rate, a.seconds + 1)
        time.sleep(0.5)
        beside = p99(probe(server, a.seconds))
        served = sum(results.get() for _ in many)
        for process in many:
            process.join()
        probes = 2000 * a.seconds  # their CPU, some microseconds each, is counted with the rest
        cpu = (server.cpu_ns() - before) / 1e6 - probes * 0.01
        return quiet, beside, served / (a.seconds + 1), cpu / served
    finally:
        server.stop()


def handshakes(a):
    for label, pair, rate in (('RSA-2048', a.rsa, 300), ('P-256', a.ec, 600)):
        rows = {'slotcar': [], 'redis': []}
        for _ in range(a.rounds):
            for name in rows:
                rows[name].append(beside_handshakes(name, a, pair, rate))
        for name, seen in rows.items():
            quiet, beside, rate_seen, cpu = (statistics.median(column) for column in zip(*seen))
            print('%-9s %-8s %4.0f handshakes/s (wanted %d), %.2f ms CPU each; plain GET p99 quiet '
                  '%.2f ms, beside %.2f ms: +%.2f ms' % (label, name, rate_seen, rate, cpu, quiet,
                                                        beside, beside - quiet), flush=True)


def rate(a):
    for label, pair in (('RSA-2048', a.rsa), ('P-256', a.ec)):
        for name in ('slotcar', 'redis'):
            rows = []
            for _ in range(a.rounds):
                server = start(name, a, pair)
                try:
                    before = server.cpu_ns()
                    many, results = connect_many(a, server.tls_port, 0, a.seconds)
                    served = sum(results.get() for _ in many)
                    for process in many:
                        process.join()
                    rows.append((served / a.seconds, (server.cpu_ns() - before) / served / 1e6))
                finally:
                    server.stop()
            seen, cpu = (statistics.median(column) for column in zip(*rows))
            print('%-9s %-8s %5.0f handshakes/s, %.2f ms CPU each' % (label, name, seen, cpu),
                  flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('what', choices=('data', 'handshakes', 'rate'))
    parser.add_argument('--server', default=os.path.abspath(os.path.join(BUILD, 'slotcar-server')))
    parser.add_argument('--rounds', type=int, default=5)
    parser.add_argument('--seconds', type=int, default=5)
    parser.add_argument('--nice', type=int, default=0)
    parser.add_argument('--rows', nargs='*', default=[row[0] for row in ROWS], help='of data')
    a = parser.parse_args()
    peers.NICE = a.nice
    with tempfile.TemporaryDirectory(prefix='slotcar-tls.') as a.folder:
        a.authority = Authority(a.folder)
        a.ec = a.authority.make('ec')
        a.rsa = a.authority.make('rsa', kind='rsa')
        {'data': data, 'handshakes': handshakes, 'rate': rate}[a.what](a)


if __name__ == '__main__':
    main()
