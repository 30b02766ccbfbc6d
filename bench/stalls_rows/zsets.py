"""Sorted sets of a million members, and positions."""
from . import BOUNDED, batches, group, n, one, variadic

SIZE = 1_000_000


def fixtures():
    return (batches('ZADD zset{s}', n(SIZE), lambda i: (i, f'member:{i:08d}')) +
            batches('ZADD half{s}', n(SIZE), lambda i: (i, f'member:{i + n(SIZE) // 2:08d}')) +
            batches('ZADD lex{s}', n(SIZE), lambda i: (0, f'member:{i:08d}')))


def members(i):
    return (f'member:{i:08d}',)


AGAIN = 'DEL t{s}\nCOPY zset{s} t{s}'
g = group('sorted sets', fixtures)
for name in ('ZDIFF', 'ZINTER', 'ZUNION'):
    g.add(name, '2 of 1 M', f'{name} 2 zset{{s}} half{{s}}')
    g.add(name + 'STORE', '2 of 1 M', f'{name}STORE t{{s}} 2 zset{{s}} half{{s}}')
g.add('ZINTERCARD', '2 of 1 M', 'ZINTERCARD 2 zset{s} half{s}')
g.add('ZRANGE', '1 M', 'ZRANGE zset{s} 0 -1')
g.add('ZREVRANGE', '1 M', 'ZREVRANGE zset{s} 0 -1 WITHSCORES')
g.add('ZRANGEBYSCORE', '1 M', 'ZRANGEBYSCORE zset{s} -inf +inf')
g.add('ZRANGEBYSCORE with a far LIMIT', '1 M', covers=('zrangebyscore',), call=lambda: one(
    'ZRANGEBYSCORE', 'zset{s}', '-inf', '+inf', 'LIMIT', n(SIZE) - 1, 1))
g.add('ZREVRANGEBYSCORE', '1 M', 'ZREVRANGEBYSCORE zset{s} +inf -inf')
g.add('ZRANGEBYLEX', '1 M', 'ZRANGEBYLEX lex{s} - +')
g.add('ZREVRANGEBYLEX', '1 M', 'ZREVRANGEBYLEX lex{s} + -')
g.add('ZRANGESTORE', '1 M', 'ZRANGESTORE t{s} zset{s} 0 -1')
g.add('ZRANDMEMBER of 500 k', '1 M', lambda: one('ZRANDMEMBER', 'zset{s}', n(500_000), 'WITHSCORES'))
g.add('ZRANDMEMBER of -1 M', '1 M', lambda: one('ZRANDMEMBER', 'zset{s}', -n(SIZE)), covers=('zrandmember',))
g.add('ZADD', '200 k members', lambda: variadic('ZADD t{s}', n(200_000), lambda i: (i, *members(i))),
      prepare='DEL t{s}')
g.add('ZREM', '100 k members', lambda: variadic('ZREM t{s}', n(100_000), members), prepare=AGAIN)
g.add('ZMSCORE', '300 k members', lambda: variadic('ZMSCORE zset{s}', n(300_000), members))
g.add('ZREMRANGEBYRANK of 500 k', '1 M', lambda: one('ZREMRANGEBYRANK', 't{s}', 0, n(500_000)), prepare=AGAIN)
g.add('ZREMRANGEBYSCORE of 500 k', '1 M', lambda: one('ZREMRANGEBYSCORE', 't{s}', 0, n(500_000)),
      prepare=AGAIN)
g.add('ZREMRANGEBYLEX of 500 k', '1 M', prepare='DEL t{s}\nCOPY lex{s} t{s}', call=lambda: one(
    'ZREMRANGEBYLEX', 't{s}', '-', f'[member:{n(500_000):08d}'))
for name in ('ZPOPMIN', 'ZPOPMAX'):
    g.add(name + ' of 500 k', '1 M', lambda name=name: one(name, 't{s}', n(500_000)), prepare=AGAIN)
g.add('ZMPOP of 500 k', '1 M', lambda: one('ZMPOP', 1, 't{s}', 'MIN', 'COUNT', n(500_000)), prepare=AGAIN)
g.add('BZMPOP of 500 k', '1 M', lambda: one('BZMPOP', 1, 1, 't{s}', 'MIN', 'COUNT', n(500_000)),
      prepare=AGAIN)
g.add('ZSCAN with a COUNT of 1 M', '1 M', 'ZSCAN zset{s} 0 COUNT 1000000')
g.add('COPY of a sorted set', '1 M', 'COPY zset{s} t{s} REPLACE', covers=('copy',))
g.add('DEL of a sorted set', '1 M', 'DEL t{s}', prepare=AGAIN, covers=('del',), tail=0.05)
g.constant = '''
ZCARD zset{s}
ZCOUNT zset{s} -inf +inf
ZLEXCOUNT lex{s} - +
ZINCRBY zset{s} 1 member:00000001
ZRANK zset{s} member:00000001
ZREVRANK zset{s} member:00000001
ZSCORE zset{s} member:00000001
ZADD zset{s} 1 member:00000001
ZPOPMIN half{s}
ZPOPMAX half{s}
BZPOPMIN half{s} 1
BZPOPMAX half{s} 1
ZSCAN zset{s} 0
ZRANDMEMBER zset{s}
'''

# --------------------------------------------------------------------------------- positions
PLACES = 300_000


def place(i):
    return (f'{i * 37 % 36000 / 100 - 180:.4f}', f'{i * 17 % 17000 / 100 - 85:.4f}', f'member:{i:08d}')


g = group('geo', lambda: batches('GEOADD places{s}', n(PLACES), place))
g.add('GEOADD', '100 k', lambda: variadic('GEOADD t{s}', n(100_000), place), prepare='DEL t{s}')
g.add('GEOHASH', '100 k members', lambda: variadic('GEOHASH places{s}', n(100_000), members))
g.add('GEOPOS', '100 k members', lambda: variadic('GEOPOS places{s}', n(100_000), members))
g.add('GEOSEARCH', '300 k', 'GEOSEARCH places{s} FROMLONLAT 0 0 BYRADIUS 25000 km ASC')
g.add('GEOSEARCHSTORE', '300 k', 'GEOSEARCHSTORE t{s} places{s} FROMLONLAT 0 0 BYRADIUS 25000 km')
g.add('GEORADIUS', '300 k', 'GEORADIUS places{s} 0 0 25000 km')
g.add('GEORADIUS_RO', '300 k', 'GEORADIUS_RO places{s} 0 0 25000 km WITHDIST')
g.add('GEORADIUSBYMEMBER', '300 k', 'GEORADIUSBYMEMBER places{s} member:00000001 25000 km')
g.add('GEORADIUSBYMEMBER_RO', '300 k', 'GEORADIUSBYMEMBER_RO places{s} member:00000001 25000 km WITHCOORD')
g.constant = '''
GEODIST places{s} member:00000001 member:00000000
GEOPOS places{s} member:00000001
'''
