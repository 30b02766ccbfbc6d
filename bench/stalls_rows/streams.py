"""Streams of hundreds of thousands of entries, with a group that has all of them pending."""
from . import group, n, one, variadic

SIZE = 300_000


def fixtures():
    entries = b''.join(one('XADD', 'stream{s}', f'{i + 1}-1', 'field', f'value:{i:08d}')
                       for i in range(n(SIZE)))
    return entries + pending('stream{s}', 'all')


def pending(key, name):
    return (one('XGROUP', 'CREATE', key, name, '0') +
            one('XREADGROUP', 'GROUP', name, 'ann', 'COUNT', n(SIZE), 'STREAMS', key, '>'))


def ids(i):
    return (f'{i + 1}-1',)


AGAIN = 'DEL t{s}\nCOPY stream{s} t{s}'
g = group('streams', fixtures)
g.add('XRANGE', '300 k', 'XRANGE stream{s} - +')
g.add('XREVRANGE', '300 k', 'XREVRANGE stream{s} + -')
g.add('XREAD', '300 k', 'XREAD STREAMS stream{s} 0')
g.add('XREADGROUP of all', '300 k', lambda: one(
    'XREADGROUP', 'GROUP', 'new', 'bob', 'COUNT', n(SIZE), 'STREAMS', 't{s}', '>'),
    prepare=AGAIN + '\nXGROUP CREATE t{s} new 0')
g.add('XREADGROUP of the pending', '300 k', covers=('xreadgroup',), call=lambda: one(
    'XREADGROUP', 'GROUP', 'all', 'ann', 'COUNT', n(SIZE), 'STREAMS', 'stream{s}', '0'))
g.add('XACK', '100 k ids', lambda: variadic('XACK t{s} all', n(100_000), ids), prepare=AGAIN)
g.add('XCLAIM', '100 k ids', lambda: variadic('XCLAIM t{s} all bob 0', n(100_000), ids), prepare=AGAIN)
g.add('XAUTOCLAIM', '300 k', lambda: one('XAUTOCLAIM', 't{s}', 'all', 'bob', 0, 0, 'COUNT', n(SIZE)),
      prepare=AGAIN)
g.add('XDEL', '100 k ids', lambda: variadic('XDEL t{s}', n(100_000), ids), prepare=AGAIN)
g.add('XPENDING', '300 k', lambda: one('XPENDING', 'stream{s}', 'all', '-', '+', n(SIZE)))
g.add('XINFO STREAM FULL', '300 k', 'XINFO STREAM stream{s} FULL COUNT 0', covers=('xinfo|stream',))
g.add('XTRIM to one', '300 k', 'XTRIM t{s} MAXLEN = 1', prepare=AGAIN, tail=0.05)
g.add('XADD with MAXLEN 1', '300 k', 'XADD t{s} MAXLEN = 1 * field value', prepare=AGAIN, tail=0.05)
g.add('XADD of many fields', '200 k fields', covers=('xadd',), prepare='DEL t{s}', call=lambda: variadic(
    'XADD t{s} *', n(200_000), lambda i: (f'field:{i}', 'x')))
g.add('XGROUP DESTROY', '300 k pending', 'XGROUP DESTROY t{s} all', prepare=AGAIN, tail=0.05,
      covers=('xgroup|destroy',))
g.add('XGROUP DELCONSUMER', '300 k pending', 'XGROUP DELCONSUMER t{s} all ann', prepare=AGAIN,
      covers=('xgroup|delconsumer',))
g.add('XGROUP CREATE', '300 k', 'XGROUP CREATE t{s} more 0', prepare=AGAIN, covers=('xgroup|create',))
g.add('XINFO GROUPS, CONSUMERS', '10 k consumers', 'XINFO GROUPS c{s}\nXINFO CONSUMERS c{s} g',
      covers=('xinfo|groups', 'xinfo|consumers'),
      prepare=lambda: one('DEL', 'c{s}') + one('XGROUP', 'CREATE', 'c{s}', 'g', '0', 'MKSTREAM') + b''.join(
          one('XGROUP', 'CREATECONSUMER', 'c{s}', 'g', f'consumer:{i}') for i in range(n(10_000))))
g.add('COPY of a stream', '300 k', 'COPY stream{s} t{s} REPLACE', covers=('copy',))
g.add('DEL of a stream', '300 k', 'DEL t{s}', prepare=AGAIN, covers=('del',), tail=0.05)
g.constant = '''
XLEN stream{s}
XADD small{s} * field value
XSETID stream{s} 9999999-1
XGROUP CREATECONSUMER stream{s} all eve
XGROUP SETID stream{s} all $
XGROUP HELP
XINFO HELP
XINFO STREAM stream{s}
XREADGROUP GROUP all eve COUNT 1 STREAMS stream{s} >
'''
