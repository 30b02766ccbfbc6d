"""Hashes of a million fields."""
from . import BOUNDED, batches, group, n, one, variadic

SIZE = 1_000_000


def fixtures():
    return batches('HSET hash{s}', n(SIZE), lambda i: (f'field:{i:08d}', f'value:{i:08d}'))


def fields(i):
    return (f'field:{i:08d}',)


def pairs(i):
    return (f'field:{i:08d}', f'value:{i}')


AGAIN = 'DEL t{s}\nCOPY hash{s} t{s}'
g = group('hashes', fixtures)
for name in ('HGETALL', 'HKEYS', 'HVALS'):
    g.add(name, '1 M', f'{name} hash{{s}}')
g.add('HMGET', '200 k fields', lambda: variadic('HMGET hash{s}', n(200_000), fields))
g.add('HSET', '200 k fields', lambda: variadic('HSET t{s}', n(200_000), pairs), prepare='DEL t{s}')
g.add('HMSET', '200 k fields', lambda: variadic('HMSET t{s}', n(200_000), pairs), prepare='DEL t{s}')
g.add('HDEL', '100 k fields', lambda: variadic('HDEL t{s}', n(100_000), fields), prepare=AGAIN)
g.add('HRANDFIELD of 500 k', '1 M', lambda: one('HRANDFIELD', 'hash{s}', n(500_000), 'WITHVALUES'))
g.add('HRANDFIELD of -1 M', '1 M', lambda: one('HRANDFIELD', 'hash{s}', -n(SIZE)), covers=('hrandfield',))
g.add('HSCAN with a COUNT of 1 M', '1 M', 'HSCAN hash{s} 0 COUNT 1000000')
g.add('COPY of a hash', '1 M', 'COPY hash{s} t{s} REPLACE', covers=('copy',))
g.add('DUMP of a hash', '1 M', 'DUMP hash{s}', covers=('dump',))
g.add('DEL of a hash', '1 M', 'DEL t{s}', prepare=AGAIN, covers=('del',), tail=0.05)
for name in ('HGETDEL', 'HPERSIST', 'HTTL', 'HPTTL', 'HEXPIRETIME', 'HPEXPIRETIME', 'HGETEX'):
    g.add(name, '100 k fields', known=False, prepare=AGAIN, call=lambda name=name: variadic(
        f'{name} t{{s}} FIELDS {n(100_000)}', n(100_000), fields))
for name, time in (('HEXPIRE', 1000), ('HPEXPIRE', 1_000_000), ('HEXPIREAT', 4_000_000_000),
                   ('HPEXPIREAT', 4_000_000_000_000)):
    g.add(name, '100 k fields', known=False, prepare=AGAIN, call=lambda name=name, time=time: variadic(
        f'{name} t{{s}} {time} FIELDS {n(100_000)}', n(100_000), fields))
g.add('HSETEX', '100 k fields', known=False, prepare='DEL t{s}', call=lambda: variadic(
    f'HSETEX t{{s}} EX 1000 FIELDS {n(100_000)}', n(100_000), pairs))


def fields_that_end(load):
    """300 k fields whose time comes in the same millisecond."""
    ends = load.server_ms() + 2500
    load.do(one('DEL', 't{s}') + batches('HSET t{s}', n(300_000), pairs) + b''.join(
        variadic(f'HPEXPIREAT t{{s}} {ends} FIELDS {min(1000, n(300_000) - first)}',
                 min(1000, n(300_000) - first), lambda i, first=first: fields(first + i))
        for first in range(0, n(300_000), 1000)))
    load.wait_until_ms(ends - 5)
    load.watched(1.0)


g.add('fields that end in the same millisecond', '300 k', play=fields_that_end, known=False, covers=())
g.constant = '''
HEXISTS hash{s} field:00000001
HGET hash{s} field:00000001
HINCRBY hash{s} count 1
HINCRBYFLOAT hash{s} float 1.5
HLEN hash{s}
HSETNX hash{s} field:00000001 x
HSTRLEN hash{s} field:00000001
HSET hash{s} field:00000001 x
HSCAN hash{s} 0
HRANDFIELD hash{s}
'''
