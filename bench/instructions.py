#!/usr/bin/env python3
"""Instructions per request, counted by valgrind's callgrind: a figure that does not depend on what
else the machine does. For comparing two builds.

    bench/instructions.py [SERVER...]         default: build/release/slotcar-server

For each case a server with one worker runs under callgrind twice, once with few and once with many
requests. The difference of the two counts, divided by the difference of the requests, is free of
the start and of the end. Only what is done for connections is counted (FUNCTIONS and all below
them): what timers do depends on how long the run takes. Every key exists before the first GET.
"""
import argparse
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
KEYS = 100
FUNCTIONS = ('slotcar::session::Session::on_input()', 'slotcar::session::Worker::flush_dirty()')
CASES = {f'{name}_p{depth}': (name, depth) for depth in (16, 64) for name in ('get', 'set')}


def request(*words):
    return b'*%d\r\n' % len(words) + b''.join(b'$%d\r\n%s\r\n' % (len(w), w) for w in words)


def pipeline(name, depth, first):
    """`depth` requests and the number of reply bytes."""
    out, answer = [], 0
    for i in range(first, first + depth):
        key = b'key:%06d' % (i % KEYS)
        out.append(request(b'SET', key, b'x' * 32) if name == 'set' else request(b'GET', key))
        answer += 5 if name == 'set' else 39
    return b''.join(out), answer


def connect(port, process):
    """A connection to a server that has loaded its data, if there is any."""
    for _ in range(600):
        if process.poll() is not None:
            sys.exit('the server ended at its start')
        try:
            peer = socket.create_connection(('127.0.0.1', port), timeout=60)
            peer.sendall(request(b'PING'))
            if peer.recv(100) == b'+PONG\r\n':
                return peer
            peer.close()
        except OSError:
            pass
        time.sleep(0.1)
    sys.exit('the server does not serve')


def talk(peer, bytes_out, answer):
    peer.sendall(bytes_out)
    got = b''
    while len(got) < answer:
        more = peer.recv(1 << 16)
        if not more:
            sys.exit('the server closed the connection')
        got += more
        if b'-' in got:
            sys.exit(f'the server answered {got[:100]}')


def run(server, port, name, depth, batches):
    """Instructions of a whole life of the server."""
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen(
            ['valgrind', '--tool=callgrind', f'--callgrind-out-file={folder}/out',
             *(f'--toggle-collect={function}' for function in FUNCTIONS), str(server),
             '--port', str(port), '--bind', '127.0.0.1', '--workers', '1', '--dir', folder,
             '--save', '', '--appendonly', 'no', '--io-backend', 'epoll'],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        try:
            with connect(port, process) as peer:
                talk(peer, *pipeline('set', KEYS, 0))
                for i in range(batches):
                    talk(peer, *pipeline(name, depth, i * depth))
            process.send_signal(signal.SIGTERM)
            text = process.communicate(timeout=120)[1]
        finally:
            if process.poll() is None:
                process.kill()
                process.wait()
    found = re.findall(r'Collected : (\d+)', text)
    if not found:
        sys.exit('callgrind printed no count:\n' + text[-2000:])
    return int(found[-1])


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('servers', nargs='*', default=[ROOT / 'build/release/slotcar-server'])
    parser.add_argument('--port', type=int, default=21000)
    parser.add_argument('--requests', type=int, default=19200, help='more in the longer run')
    options = parser.parse_args()
    if shutil.which('valgrind') is None:
        sys.exit('valgrind is needed')
    print('server ' + ' '.join(f'{case:>9}' for case in CASES))
    for server in options.servers:
        figures = []
        for name, depth in CASES.values():
            few = 10
            many = few + options.requests // depth
            counts = [run(server, options.port, name, depth, batches) for batches in (few, many)]
            figures.append((counts[1] - counts[0]) / ((many - few) * depth))
        print(f'{server} ' + ' '.join(f'{figure:9.1f}' for figure in figures), flush=True)


if __name__ == '__main__':
    main()
