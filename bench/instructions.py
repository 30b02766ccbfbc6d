#!/usr/bin/env python3
"""Instructions per request, counted by valgrind's callgrind: a figure that does not depend on what
else the machine does. For comparing two builds.

    bench/instructions.py [SERVER...]         default: build/release/slotcar-server

For each case a server with one worker runs under callgrind twice, once with few and once with many
requests. The difference of the two counts, divided by the difference of the requests, is free of
the start and of the end. Only what is done for connections is counted (FUNCTIONS and all below
them): what timers do depends on how long the run takes. Every key exists before the first GET.

get_user_p16 is get_p16 on a connection of a user with 20 rules on commands and 5 patterns of keys, of
which the last one fits, get_cluster_p16 on a node of a cluster that has all slots. The evalsha cases run a
script of one GET of a declared key, one of ten calls, and one of a GET whose key is built in the script. Of
redis-server, whose functions have no names in Debian's build, everything is counted.

--profile FILE keeps the callgrind file of the longer run of the last case. --phases says of each case where its
instructions go (callgrind_phases.py).
"""
import argparse
import hashlib
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

import callgrind_phases

ROOT = pathlib.Path(__file__).resolve().parent.parent
KEYS = 100
FUNCTIONS = ('slotcar::session::Session::on_input()', 'slotcar::session::SendQueue::flush_replies()',
             'slotcar::session::Worker::flush_dirty()')  # its name in builds before SendQueue
CASES = {f'{name}_p{depth}': (name, depth) for depth in (16, 64) for name in ('get', 'set')}
CASES['get_user_p16'] = ('get_user', 16)
CASES['get_cluster_p16'] = ('get_cluster', 16)
SCRIPTS = {
    'evalsha_get': b"return redis.call('get', KEYS[1])",
    'evalsha_ten': b"for i = 1, 5 do redis.call('set', KEYS[2], i) redis.call('get', KEYS[1]) end return 1",
    'evalsha_undeclared': b"return redis.call('get', 'key:' .. (ARGV[1]):sub(5))",
}
for script in SCRIPTS:
    CASES[f'{script}_p16'] = (script, 16)
# Of collections: what is there before, what request number i is, and whether it runs on the key of its own
# or of all.
ELEMENT = b'element:%06d'
OTHERS = {
    'incr': (None, lambda i, key: (b'INCR', b'count:' + key)),
    'sadd': (None, lambda i, key: (b'SADD', b'set:' + key, ELEMENT % (i % 1000))),
    'hset': (None, lambda i, key: (b'HSET', b'hash:' + key, ELEMENT % (i % 10), b'x' * 32)),
    'hget': (lambda key: (b'HSET', b'hash:' + key, *sum(((ELEMENT % j, b'x' * 32) for j in range(10)), ())),
             lambda i, key: (b'HGET', b'hash:' + key, ELEMENT % (i % 10))),
    'hgetall50': (lambda key: (b'HSET', b'hash:' + key, *sum(((ELEMENT % j, b'x' * 32) for j in range(50)), ())),
                  lambda i, key: (b'HGETALL', b'hash:' + key)),
    'lpush': (None, lambda i, key: (b'LPUSH', b'list:' + key, ELEMENT % i)),
    'rpop': (lambda key: (b'RPUSH', b'list:' + key, *(ELEMENT % j for j in range(500))),
             lambda i, key: (b'RPOP', b'list:' + key)),
    'lrange100': (lambda key: (b'RPUSH', b'list:' + key, *(ELEMENT % j for j in range(200))),
                  lambda i, key: (b'LRANGE', b'list:' + key, b'0', b'99')),
    'zadd': (None, lambda i, key: (b'ZADD', b'zset:' + key, b'%d' % (i % 977), ELEMENT % (i % 1000))),
    'zrange10': (lambda key: (b'ZADD', b'zset:' + key, *sum(((b'%d' % j, ELEMENT % j) for j in range(200)), ())),
                 lambda i, key: (b'ZRANGE', b'zset:' + key, b'50', b'59')),
    'get1k': (lambda key: (b'SET', b'long:' + key, b'x' * 1024), lambda i, key: (b'GET', b'long:' + key)),
    'set1k': (None, lambda i, key: (b'SET', b'long:' + key, b'x' * 1024)),
}
for other in OTHERS:
    CASES[f'{other}_p16'] = (other, 16)
COMMAND_RULES = ('-@all', '+@read', '+@write', '-@dangerous', '+config|get', '-keys', '-sort', '+ping',
                 '-set', '+set', '-getex', '-getdel', '+incr', '-decr', '+@hash', '-hgetall', '+@list',
                 '-lrem', '+client|id', '+select|0')
KEY_RULES = ('~app:*', '~user:*', '%R~shared:*', '~session:*', '~key:*')


def request(*words):
    return b'*%d\r\n' % len(words) + b''.join(b'$%d\r\n%s\r\n' % (len(w), w) for w in words)


def requests_of(name, depth, first):
    """So many requests of a case."""
    for i in range(first, first + depth):
        key = b'key:%06d' % (i % KEYS)
        if name == 'set':
            yield request(b'SET', key, b'x' * 32)
        elif name in OTHERS:
            yield request(*OTHERS[name][1](i, key))
        elif name in SCRIPTS:
            sha = hashlib.sha1(SCRIPTS[name]).hexdigest().encode()
            words = {'evalsha_get': (b'1', key), 'evalsha_ten': (b'2', key, key + b'n'),
                     'evalsha_undeclared': (b'0', key)}[name]
            yield request(b'EVALSHA', sha, *words)
        else:
            yield request(b'GET', key)


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


def reply_end(got, at):
    """Where the reply that begins there ends; None: it has not come completely."""
    line = got.find(b'\r\n', at)
    if line < 0:
        return None
    kind, number, at = got[at:at + 1], got[at + 1:line], line + 2
    if kind == b'-':
        sys.exit(f'the server answered {got[:100]}')
    if kind == b'$' and number != b'-1':
        at += int(number) + 2
        return at if at <= len(got) else None
    if kind == b'*':
        for _ in range(int(number)):
            at = reply_end(got, at)
            if at is None:
                return None
    return at


def talk(peer, requests):
    requests = list(requests)
    peer.sendall(b''.join(requests))
    got, at, replies = b'', 0, 0
    while replies < len(requests):
        end = reply_end(got, at)
        if end is not None:
            replies, at = replies + 1, end
            continue
        more = peer.recv(1 << 16)
        if not more:
            sys.exit('the server closed the connection')
        got, at = got[at:] + more, 0


def run(server, port, name, depth, batches, profile=None):
    """Instructions of a whole life of the server."""
    is_redis = 'redis' in pathlib.Path(server).name
    toggles = () if is_redis else tuple(f'--toggle-collect={function}' for function in FUNCTIONS)
    ours = () if is_redis else ('--workers', '1', '--io-backend', 'epoll')
    with tempfile.TemporaryDirectory() as folder:
        if name == 'get_cluster':
            node = 'a' * 40
            pathlib.Path(folder, 'topology').write_text(
                f'slotcar-topology 1\nnode {node} ip=127.0.0.1 port={port}\nslots {node} 0-16383\nend\n')
            ours += ('--cluster-enabled', 'yes', '--cluster-topology', f'file:{folder}/topology')
        process = subprocess.Popen(
            ['valgrind', '--tool=callgrind', f'--callgrind-out-file={folder}/out', *toggles,
             str(server), '--port', str(port), '--bind', '127.0.0.1', '--dir', folder, '--save', '',
             '--appendonly', 'no', *ours],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        try:
            with connect(port, process) as peer:
                talk(peer, requests_of('set', KEYS, 0))
                if name in OTHERS and OTHERS[name][0] is not None:
                    talk(peer, (request(*OTHERS[name][0](b'key:%06d' % i)) for i in range(KEYS)))
                if name == 'get_user':
                    rules = [rule.encode() for rule in COMMAND_RULES + KEY_RULES]
                    talk(peer, [request(b'ACL', b'SETUSER', b'ann', b'on', b'nopass', *rules)])
                    talk(peer, [request(b'AUTH', b'ann', b'x')])
                if name in SCRIPTS:
                    talk(peer, [request(b'SCRIPT', b'LOAD', SCRIPTS[name])])
                for i in range(batches):
                    talk(peer, requests_of(name, depth, i * depth))
            process.send_signal(signal.SIGTERM)
            text = process.communicate(timeout=120)[1]
        finally:
            if process.poll() is None:
                process.kill()
                process.wait()
        if profile is not None:
            shutil.copy(f'{folder}/out', profile)
    found = re.findall(r'Collected : (\d+)', text)
    if not found:
        sys.exit('callgrind printed no count:\n' + text[-2000:])
    return int(found[-1])


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('servers', nargs='*', default=[ROOT / 'build/release/slotcar-server'])
    parser.add_argument('--port', type=int, default=21000)
    parser.add_argument('--cases', nargs='*', default=list(CASES), choices=list(CASES))
    parser.add_argument('--requests', type=int, default=19200, help='more in the longer run')
    parser.add_argument('--profile', help='where the callgrind file goes')
    parser.add_argument('--phases', action='store_true', help='where the instructions go')
    options = parser.parse_args()
    if shutil.which('valgrind') is None:
        sys.exit('valgrind is needed')
    print('server ' + ' '.join(f'{case:>9}' for case in options.cases))
    for server in options.servers:
        figures = []
        for name, depth in (CASES[case] for case in options.cases):
            few = 10
            many = few + options.requests // depth
            requests = (many - few) * depth
            with tempfile.TemporaryDirectory() as folder:
                files = [f'{folder}/few', f'{folder}/many']
                counts = [run(server, options.port, name, depth, batches, file)
                          for batches, file in zip((few, many), files)]
                if options.profile:
                    shutil.copy(files[1], options.profile)
                if options.phases:
                    print(f'{name}_p{depth}: ' + ', '.join(
                        f'{phase} {count:.0f}' for phase, count in callgrind_phases.table(*files, requests)))
            figures.append((counts[1] - counts[0]) / requests)
        print(f'{server} ' + ' '.join(f'{figure:9.1f}' for figure in figures), flush=True)


if __name__ == '__main__':
    main()
