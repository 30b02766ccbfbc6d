"""Sets of a million members."""
from . import batches, group, n, one, variadic

SIZE = 1_000_000


def fixtures():
    return (batches('SADD set{s}', n(SIZE), lambda i: (f'member:{i:08d}',)) +
            batches('SADD half{s}', n(SIZE), lambda i: (f'member:{i + n(SIZE) // 2:08d}',)))


def members(i):
    return (f'member:{i:08d}',)


AGAIN = 'DEL t{s}\nCOPY set{s} t{s}'
g = group('sets', fixtures)
for name in ('SDIFF', 'SINTER', 'SUNION'):
    g.add(name, '2 of 1 M', f'{name} set{{s}} half{{s}}')
    g.add(name + 'STORE', '2 of 1 M', f'{name}STORE t{{s}} set{{s}} half{{s}}')
g.add('SINTERCARD', '2 of 1 M', 'SINTERCARD 2 set{s} half{s}')
g.add('SMEMBERS', '1 M', 'SMEMBERS set{s}')
g.add('SMISMEMBER', '300 k members', lambda: variadic('SMISMEMBER set{s}', n(300_000), members))
g.add('SADD', '300 k members', lambda: variadic('SADD t{s}', n(300_000), members), prepare='DEL t{s}')
g.add('SREM', '300 k members', lambda: variadic('SREM t{s}', n(300_000), members), prepare=AGAIN)
g.add('SPOP of 500 k', '1 M', lambda: one('SPOP', 't{s}', n(500_000)), prepare=AGAIN)
g.add('SRANDMEMBER of 500 k', '1 M', lambda: one('SRANDMEMBER', 'set{s}', n(500_000)))
g.add('SRANDMEMBER of -1 M', '1 M', lambda: one('SRANDMEMBER', 'set{s}', -n(SIZE)), covers=('srandmember',))
g.add('SSCAN with a COUNT of 1 M', '1 M', 'SSCAN set{s} 0 COUNT 1000000')
g.add('COPY of a set', '1 M', 'COPY set{s} t{s} REPLACE', covers=('copy',))
g.add('DEL of a set', '1 M', 'DEL t{s}', prepare=AGAIN, covers=('del',), tail=0.05)
g.add('UNLINK of a set', '1 M', 'UNLINK t{s}', prepare=AGAIN, tail=0.05)
g.constant = '''
SCARD set{s}
SISMEMBER set{s} member:00000001
SMOVE set{s} half{s} member:00000001
SMOVE half{s} set{s} member:00000001
SADD set{s} a b c
SREM set{s} a b c
SPOP half{s}
SRANDMEMBER set{s}
SSCAN set{s} 0
'''
