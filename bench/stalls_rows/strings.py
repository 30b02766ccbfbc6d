"""Strings of hundreds of megabytes; bitmaps; HyperLogLog; Bloom filters."""
from . import BOUNDED, group, lines, n, one, variadic

MB = 1 << 20


def long(size):
    return n(size * MB)


def fixtures():
    return b''.join([
        one('SETRANGE', 'long{s}', long(256) - 1, 'x'), one('SETRANGE', 'other{s}', long(256) - 1, 'y'),
        one('SET', 'text1{s}', 'abcdefghij' * n(800)), one('SET', 'text2{s}', 'bcdefghija' * n(800)),
        one('SET', 'one{s}', '1'), one('SETRANGE', 'bits{s}', 1 << 20, 'x'),
    ])


def value(size):
    return b'v' * long(size)


def get_then_append(load):
    """A reply that is not read keeps the version of the value while it is changed."""
    size = long(500)
    load.do(lines(f'DEL t{{s}}\nSETRANGE t{{s}} {size - 1} x'))
    reader = load.connect()
    reader.send(one('GET', 't{s}'))
    load.pause(0.3)
    load.measured(one('APPEND', 't{s}', 'x'))
    reader.close()


g = group('strings', fixtures)
g.add('SET of a long value', '256 MB', lambda: one('SET', 't{s}', value(256)), prepare='DEL t{s}')
g.add('GET of a long value', '256 MB', 'GET long{s}')
g.add('GET, not read, then APPEND', '500 MB', play=get_then_append, covers=('append', 'get'))
g.add('GETSET, GETDEL, GETEX of long values', '64 MB', f'GETEX t{{s}}\nGETSET t{{s}} x\nGETDEL t{{s}}',
      covers=('getset', 'getdel', 'getex'),
      prepare=lambda: one('SETRANGE', 't{s}', long(64) - 1, 'x'))
g.add('GETRANGE', '256 MB', 'GETRANGE long{s} 0 -1')
g.add('SUBSTR', '256 MB', 'SUBSTR long{s} 0 -1')
g.add('SETRANGE that makes zeros', '500 MB', lambda: one('SETRANGE', 't{s}', long(500) - 1, 'x'),
      prepare='DEL t{s}')
g.add('SETRANGE of a long argument', '128 MB', lambda: one('SETRANGE', 't{s}', 10, value(128)),
      prepare='DEL t{s}', covers=('setrange',))
g.add('SETBIT far away', '500 MB', lambda: one('SETBIT', 't{s}', long(500) * 8 - 1, 1), prepare='DEL t{s}')
g.add('COPY', '512 MB', 'COPY huge{s} t{s} REPLACE',
      prepare=lambda: one('SETRANGE', 'huge{s}', long(512) - 1, 'x'))
g.add('COPY, then SETBIT', '512 MB', 'SETBIT huge{s} 5 1', covers=('setbit',),
      prepare=lambda: one('SETRANGE', 'huge{s}', long(512) - 1, 'x') + lines('COPY huge{s} t{s} REPLACE'))
g.add('BITCOUNT', '256 MB', 'BITCOUNT long{s}')
g.add('BITPOS', '256 MB', 'BITPOS long{s} 1 1')
g.add('BITOP NOT', '256 MB', 'BITOP NOT t{s} long{s}')
g.add('BITOP AND', '2 of 256 MB', 'BITOP AND t{s} long{s} other{s}', covers=('bitop',))
g.add('BITFIELD', '100 k operations',
      lambda: variadic('BITFIELD bits{s}', n(100_000), lambda i: ('SET', 'u8', i * 8, i % 256)))
g.add('BITFIELD_RO', '100 k operations',
      lambda: variadic('BITFIELD_RO bits{s}', n(100_000), lambda i: ('GET', 'u8', i * 8)))
g.add('LCS', '2 of 8 KB', 'LCS text1{s} text2{s} LEN')
g.add('DELIFEQ that differs in the last byte', '64 MB', known=False,
      call=lambda: one('DELIFEQ', 't{s}', b'\0' * (long(64) - 1) + b'y'),
      prepare=lambda: one('SETRANGE', 't{s}', long(64) - 1, 'x'))
g.add('DEL of a long value', '256 MB', 'DEL t{s}', covers=('del',), tail=0.05,
      prepare=lambda: one('SETRANGE', 't{s}', long(256) - 1, 'x'))
g.add('DUMP of a long value', '64 MB', 'DUMP t{s}', covers=('dump',),
      prepare=lambda: one('SETRANGE', 't{s}', long(64) - 1, 'x'))
g.constant = '''
APPEND a{s} x
DECR one{s}
DECRBY one{s} 2
INCR one{s}
INCRBY one{s} 2
INCRBYFLOAT f{s} 1.5
GET one{s}
GETBIT long{s} 100000
SETBIT bits{s} 100 1
GETRANGE long{s} 100 110
PSETEX e{s} 100000 x
SETEX e{s} 100 x
SETNX one{s} 1
SET one{s} 1
STRLEN long{s}
SETRANGE long{s} 1000 abc
GETEX one{s}
GETSET one{s} 1
'''


def hll_fixtures():
    return b''.join(variadic(f'PFADD hll:{h}{{s}}', 200, lambda i: (f'{h}:{i}',)) for h in range(n(1000)))


def hlls(i):
    return (f'hll:{i}{{s}}',)


def load_chunks(load):
    """A filter that BF.SCANDUMP has answered, loaded again."""
    chunks, at = [], 0
    while True:
        at, data = load.ask(one('BF.SCANDUMP', 'bloom{s}', at))
        if at == 0:
            break
        chunks.append((at, data))
    for _ in range(3):
        load.do(one('DEL', 't{s}'))
        for at, data in chunks:
            load.measured(one('BF.LOADCHUNK', 't{s}', at, data))


g = group('hyperloglog', hll_fixtures)
g.add('PFADD', '300 k elements', lambda: variadic('PFADD t{s}', n(300_000), lambda i: (f'e:{i}',)))
g.add('PFCOUNT', '1,000 keys', lambda: variadic('PFCOUNT', n(1000), hlls))
g.add('PFMERGE', '1,000 keys', lambda: variadic('PFMERGE t{s}', n(1000), hlls))
g.add('PFDEBUG', 'GETREG', 'PFDEBUG GETREG hll:1{s}')
g.add('PFSELFTEST', '', 'PFSELFTEST')

g = group('bloom', lambda: one('BF.RESERVE', 'bloom{s}', '0.001', n(10_000_000)) + variadic(
    'BF.MADD bloom{s}', n(100_000), lambda i: (f'item:{i}',)))
g.add('BF.MADD', '100 k elements', known=False,
      call=lambda: variadic('BF.MADD bloom{s}', n(100_000), lambda i: (f'item:{i}',)))
g.add('BF.INSERT', '100 k elements', known=False, prepare='DEL t{s}',
      call=lambda: variadic('BF.INSERT t{s} ITEMS', n(100_000), lambda i: (f'item:{i}',)))
g.add('BF.MEXISTS', '100 k elements', known=False,
      call=lambda: variadic('BF.MEXISTS bloom{s}', n(100_000), lambda i: (f'item:{i}',)))
g.add('BF.RESERVE', '1 G elements', known=False, prepare='DEL t{s}',
      call=lambda: one('BF.RESERVE', 't{s}', '0.001', n(1_000_000_000)))
g.add('BF.SCANDUMP', '10 M elements', 'BF.SCANDUMP bloom{s} 1', known=False)
g.add('BF.LOADCHUNK', '10 M elements', play=load_chunks, known=False)
g.constant_new = '''
BF.ADD bloom{s} x
BF.EXISTS bloom{s} x
BF.CARD bloom{s}
BF.INFO bloom{s}
'''
BOUNDED['bf.add'] = BOUNDED['bf.exists'] = 'K is the number of hashes and layers'
