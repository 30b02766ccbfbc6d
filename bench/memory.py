#!/usr/bin/env python3
"""Bytes of memory per key, or per element of one large collection, beside redis-server.

    bench/memory.py [--server PATH] [--redis PATH] [--scale 1.0] [--only TEXT,...]

Each row fills an empty server (one worker, no log), and shows how much resident memory grew, divided by the number of
keys or elements. `least` is what the bytes of keys and values themselves take, without any structure: no server can
have less without compressing them. Values differ from each other, and are not numbers.
"""
import argparse
import pathlib
import random
import tempfile
import time

from bench_peers import Resp, Server, batched, bulk

ROOT = pathlib.Path(__file__).resolve().parent.parent
LETTERS = b'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
PIECES = bytes(random.Random(1).choice(LETTERS) for _ in range(1 << 16))


def value(i, size):
    at = (i * 2654435761) % (len(PIECES) - size)
    return PIECES[at:at + size]


def key(i, size):
    return b'key:%0*d' % (size - 4, i)


def strings(key_size, value_size):
    return (key_size + value_size, lambda n: (
        Resp.enc('SET', key(i, key_size), value(i, value_size)) for i in range(n)))


def many(command, elements, words):
    """Small collections: `words` makes the arguments of one element. Bytes are those of a whole key."""
    def make(n):
        for i in range(n):
            arguments = [word for j in range(elements) for word in words(i * elements + j)]
            yield Resp.enc(command, key(i, 16), *arguments)
    return 16 + elements * least(words), make


def one_large(command, words, per_call=100):
    """One collection of n elements. Bytes are those of an element."""
    def make(n):
        for i in range(0, n, per_call):
            yield Resp.enc(command, 'large', *[word for j in range(i, i + per_call) for word in words(j)])
    return least(words), make


def least(words):
    """The bytes of an element; a score is a number of 8 bytes."""
    return sum(8 if isinstance(word, float) else len(word) for word in words(0))


def field(i):
    return b'field:%04d' % (i % 10_000), value(i, 16)


def far_field(i):
    return b'field:%010d' % i, value(i, 16)


def member(i):
    return (b'member:%09d' % i,)


def scored(i):
    return float((i * 7919) % 1_000_003), b'member:%09d' % i


def element(i):
    return (value(i, 16),)


def stream(entries):
    """Streams of entries with two fields. An entry has an id of 16 bytes; names of fields count once per stream."""
    def make(n):
        for i in range(n):
            for j in range(entries):
                yield Resp.enc('XADD', key(i, 16), '*', 'name', value(i + j, 16), 'kind', value(i * j, 8))
    return 16 + 8 + entries * (16 + 24), make


# name, how many keys or elements, (least bytes, requests), lines of a reply
ROWS = [(f'string of {v}, key of {k}', 1_000_000, strings(k, v), 1) for v in (8, 64, 200) for k in (16, 40)]
ROWS += [
    ('hash of 10 fields', 100_000, many('HSET', 10, field), 1),
    ('set of 10 members', 100_000, many('SADD', 10, member), 1),
    ('list of 10 elements', 100_000, many('RPUSH', 10, element), 1),
    ('sorted set of 10 members', 100_000, many('ZADD', 10, scored), 1),
    ('stream of 10 entries', 30_000, stream(10), 2),
    ('field of a hash of 1 M', 1_000_000, one_large('HSET', far_field), 1),
    ('member of a set of 1 M', 1_000_000, one_large('SADD', member), 1),
    ('element of a list of 1 M', 1_000_000, one_large('RPUSH', element), 1),
    ('member of a sorted set of 1 M', 1_000_000, one_large('ZADD', scored), 1),
    ('entry of a stream of 300 k', 300_000, (40, lambda n: (
        Resp.enc('XADD', 'large', '*', 'name', value(i, 16), 'kind', value(i, 8)) for i in range(n))), 2),
]


def settled_rss(server):
    """When two looks in a row agree: freed memory is given back a little later."""
    before = server.rss()
    for _ in range(20):
        time.sleep(0.25)
        now = server.rss()
        if abs(now - before) < 64 * 1024:
            return now
        before = now
    return before


def measure(server, count, requests, lines):
    server.start(1)
    try:
        empty = settled_rss(server)
        bulk(server, ((bytes_, lines * n) for bytes_, n in batched(requests(count), 500)))
        return (settled_rss(server) - empty) / count
    finally:
        server.stop()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--server', default=str(ROOT / 'build/release/slotcar-server'))
    parser.add_argument('--redis', default='redis-server')
    parser.add_argument('--scale', type=float, default=1.0, help='of the numbers of keys and elements')
    parser.add_argument('--only', default='', help='rows whose names contain one of these texts')
    a = parser.parse_args()
    print('| | least | ours | redis-server | ours / redis-server |\n|---|---|---|---|---|', flush=True)
    with tempfile.TemporaryDirectory(prefix='slotcar-memory-') as folder:
        ours = Server('slotcar', a.server + " --port {port} --dir {dir} --workers 1 --appendonly no --save ''", root=folder)
        redis = Server('redis', a.redis + " --port {port} --dir {dir} --appendonly no --save ''", root=folder)
        for name, count, (bytes_, requests), lines in ROWS:
            if a.only and not any(text in name for text in a.only.split(',')):
                continue
            count = max(1000, int(count * a.scale) // 100 * 100)
            found = [measure(server, count, requests, lines) for server in (ours, redis)]
            print(f'| {name} | {bytes_} | {found[0]:.0f} | {found[1]:.0f} | {found[0] / found[1]:.2f} |', flush=True)


if __name__ == '__main__':
    main()
