"""Lists of a million elements, and SORT."""
from . import BOUNDED, batches, group, n, one, variadic

SIZE = 1_000_000


def fixtures():
    return (batches('RPUSH list{s}', n(SIZE), lambda i: (f'element:{i:08d}',)) +
            batches('RPUSH numbers{s}', n(SIZE), lambda i: (i * 7919 % 1000003,)))


AGAIN = 'DEL t{s}\nCOPY list{s} t{s}'
g = group('lists', fixtures)
g.add('LRANGE', '1 M', 'LRANGE list{s} 0 -1')
g.add('LPOS of the last', '1 M', lambda: one('LPOS', 'list{s}', f'element:{n(SIZE) - 1:08d}'))
g.add('LINDEX, LSET in the middle', '1 M', covers=('lindex', 'lset'), call=lambda: one(
    'LINDEX', 'list{s}', n(SIZE) // 2) + one('LSET', 'list{s}', n(SIZE) // 2, 'x'))
g.add('LINSERT before the last', '1 M', lambda: one(
    'LINSERT', 'list{s}', 'BEFORE', f'element:{n(SIZE) - 1:08d}', 'x'))
g.add('LREM of nothing', '1 M', 'LREM list{s} 0 nosuch')
g.add('LREM of all', '300 k', 'LREM t{s} 0 x', covers=('lrem',), prepare=lambda: one('DEL', 't{s}') + batches(
    'RPUSH t{s}', n(300_000), lambda i: ('x',)))
g.add('LTRIM to one', '1 M', 'LTRIM t{s} 0 0', prepare=AGAIN, tail=0.05)
g.add('LPOP of 500 k', '1 M', lambda: one('LPOP', 't{s}', n(500_000)), prepare=AGAIN)
g.add('RPOP of 500 k', '1 M', lambda: one('RPOP', 't{s}', n(500_000)), prepare=AGAIN)
g.add('LMPOP of 500 k', '1 M', lambda: one('LMPOP', 1, 't{s}', 'LEFT', 'COUNT', n(500_000)), prepare=AGAIN)
g.add('BLMPOP of 500 k', '1 M', lambda: one('BLMPOP', 1, 1, 't{s}', 'LEFT', 'COUNT', n(500_000)),
      prepare=AGAIN)
for push in ('LPUSH', 'RPUSH'):
    g.add(push, '300 k elements', prepare='DEL t{s}', call=lambda push=push: variadic(
        f'{push} t{{s}}', n(300_000), lambda i: (f'element:{i:08d}',)))
for push in ('LPUSHX', 'RPUSHX'):
    g.add(push, '300 k elements', prepare='DEL t{s}\nRPUSH t{s} x', call=lambda push=push: variadic(
        f'{push} t{{s}}', n(300_000), lambda i: (f'element:{i:08d}',)))
g.add('SORT', '1 M numbers', 'SORT numbers{s} LIMIT 0 10')
g.add('SORT_RO, all', '1 M numbers', 'SORT_RO numbers{s}')
g.add('SORT STORE', '1 M numbers', 'SORT numbers{s} STORE t{s}', covers=('sort',))
g.add('COPY of a list', '1 M', 'COPY list{s} t{s} REPLACE', covers=('copy',))
g.add('RENAME over a list', '1 M', 'RENAME u{s} t{s}', tail=0.05, prepare=AGAIN + '\nSET u{s} x')
g.add('DEL of a list', '1 M', 'DEL t{s}', prepare=AGAIN, covers=('del',), tail=0.05)
g.constant = '''
LLEN list{s}
RPUSH small{s} a b c d e f g h i j
LPUSH small{s} a b c d e f g h i j
LPOP small{s}
RPOP small{s}
LMOVE list{s} small{s} LEFT RIGHT
RPOPLPUSH list{s} small{s}
BRPOPLPUSH list{s} small{s} 1
BLMOVE list{s} small{s} LEFT LEFT 1
BLPOP list{s} 1
BRPOP list{s} 1
LTRIM small{s} 0 20
'''
BOUNDED['blpop'] = BOUNDED['brpop'] = 'N is the number of keys, 128 at most'
