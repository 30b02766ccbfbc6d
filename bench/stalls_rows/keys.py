"""A million keys: calls on many of them, walks, transactions, WATCH, the end of keys, snapshots."""
from . import BOUNDED, group, lines, n, one, variadic

KEYS = 1_000_000


def key(i):
    return f'k:{i:07d}'


def names(i):
    return (key(i),)


def pairs(i):
    return (key(i), i)


def sets(count):
    return b''.join(one('SET', key(i), i) for i in range(count))


def fixtures():
    from . import batches
    return (batches('MSET', n(KEYS), pairs, at_once=200) +
            batches('RPUSH ids{s}', n(KEYS), lambda i: (f'{i:07d}',)))


def restore(kind):
    def play(load):
        dump = load.ask(one('DUMP', kind))
        for _ in range(3):
            load.measured(one('RESTORE', 't{s}', 0, dump, 'REPLACE'))
    return play


def exec_of(queued):
    """The transaction is queued first; only its EXEC is measured."""
    def play(load):
        for _ in range(2):
            load.queue(queued())
            load.measured(one('EXEC'))
    return play


def watching(count, then=None, close=False):
    def play(load):
        watcher = load.connect()
        watcher.do(variadic('WATCH', n(count), names))
        if close:
            with load.window(tail=0.5):
                watcher.close()
        else:
            with load.window():
                watcher.do(then)
            watcher.close()
    return play


def exec_watched(load):
    load.do(variadic('WATCH', n(KEYS), names))
    load.queue(one('PING'))
    load.measured(one('EXEC'))


def keys_that_end(load):
    ends = load.server_ms() + 4000
    load.do(b''.join(one('SET', f'end:{i}', 'x', 'PXAT', ends) for i in range(n(KEYS))))
    load.wait_until_ms(ends - 5)
    load.watched(1.5)


def background(command, field):
    def play(load):
        load.wait_for_info('persistence', field, '0')
        with load.window():
            load.do(one(command))
            load.wait_for_info('persistence', field, '0', at_most=8)
    return play


def scan_all(load):
    at = b'0'
    with load.window():
        while True:
            at, _ = load.ask(one('SCAN', at, 'COUNT', 1000))
            if at == b'0':
                return


def other_database(command):
    fill = lines('SELECT 1') + b''.join(one('SET', f'd:{i}', i) for i in range(n(300_000))) + lines('SELECT 0')

    def play(load):
        load.do(fill)
        load.measured(command, tail=0.1)
    return play


g = group('keys', fixtures)
g.add('EXISTS', '300 k keys', lambda: variadic('EXISTS', n(300_000), names))
g.add('TOUCH', '300 k keys', lambda: variadic('TOUCH', n(300_000), names))
g.add('MGET', '100 k keys', lambda: variadic('MGET', n(100_000), names))
g.add('MGET of one shard', '100 k keys', covers=('mget',), call=lambda: variadic(
    'MGET', n(100_000), lambda i: (f'{i}{{s}}',)))
g.add('MSET', '100 k keys', lambda: variadic('MSET', n(100_000), pairs))
g.add('MSETNX', '100 k keys', lambda: variadic('MSETNX', n(100_000), lambda i: (f'new:{i}', i)),
      prepare=lambda: variadic('UNLINK', n(100_000), lambda i: (f'new:{i}',)))
g.add('DEL of many', '100 k keys', lambda: variadic('DEL', n(100_000), lambda i: (f'new:{i}',)),
      prepare=lambda: variadic('MSET', n(100_000), lambda i: (f'new:{i}', i)))
g.add('UNLINK of many', '100 k keys', lambda: variadic('UNLINK', n(100_000), lambda i: (f'new:{i}',)),
      covers=('unlink',), prepare=lambda: variadic('MSET', n(100_000), lambda i: (f'new:{i}', i)))
g.add('KEYS', '1 M keys', 'KEYS *')
g.add('KEYS of nothing', '1 M keys', 'KEYS nosuch*', covers=('keys',))
g.add('SCAN, whole', '1 M keys', play=scan_all)
g.add('SCAN with a COUNT of 1 M', '1 M keys', 'SCAN 0 COUNT 1000000', covers=('scan',))
g.add('RANDOMKEY', '1,000 of 1 M keys', lambda: one('RANDOMKEY') * n(1000))
g.add('SORT BY k:* GET k:*', '1 M', 'SORT ids{s} BY k:* GET k:*', covers=('sort',))
g.add('SORT BY nosort GET k:*', '1 M', 'SORT ids{s} BY nosort GET k:*', covers=('sort',))
g.add('SORT_RO BY k:* LIMIT', '1 M', 'SORT_RO ids{s} BY k:* LIMIT 0 10', covers=('sort_ro',))
g.add('RESTORE of a list', '1 M', play=restore('ids{s}'))
g.add('DUMP of a list', '1 M', 'DUMP ids{s}')
g.add('MULTI, 100 k SETs queued', '100 k commands', covers=('multi', 'discard'),
      call=lambda: lines('MULTI') + sets(n(100_000)) + lines('DISCARD'))
g.add('EXEC of SETs', '1 M SETs', play=exec_of(lambda: sets(n(KEYS))))
g.add('EXEC of SETs of one shard', '100 k SETs', covers=('exec',), play=exec_of(
    lambda: b''.join(one('SET', f'{i}{{s}}', i) for i in range(n(100_000)))))
for walk in ('KEYS *', 'SCAN 0 COUNT 1000000', 'DBSIZE', 'RANDOMKEY'):
    g.add(f'MULTI; {walk}; EXEC', '1 M keys', covers=('exec',), play=exec_of(lambda walk=walk: lines(walk)))
g.add('MULTI; SORT BY k:* GET k:*; EXEC', '1 M', covers=('exec',),
      play=exec_of(lambda: lines('SORT ids{s} BY k:* GET k:*')))
g.add('MULTI; LRANGE; EXEC', '1 M', covers=('exec',), play=exec_of(lambda: lines('LRANGE ids{s} 0 -1')))
for count, text in ((10_000, '10 k'), (100_000, '100 k'), (1_000_000, '1 M')):
    g.add(f'WATCH of {text}', f'{text} keys', prepare='UNWATCH',
          call=lambda count=count: variadic('WATCH', n(count), names))
g.add('UNWATCH of 1 M', '1 M keys', play=watching(KEYS, then=one('UNWATCH')))
g.add('EXEC with 1 M watches', '1 M keys', covers=('exec',), play=exec_watched)
g.add('close with 1 M watches', '1 M keys', covers=(), play=watching(KEYS, close=True))
g.add('keys that end in the same millisecond', '1 M keys', covers=(), play=keys_that_end)
g.add('SAVE', '1 M keys', 'SAVE')
g.add('BGSAVE', '1 M keys', play=background('BGSAVE', 'rdb_bgsave_in_progress'))
g.add('BGREWRITEAOF', '1 M keys', play=background('BGREWRITEAOF', 'aof_rewrite_in_progress'))
g.add('DEBUG SLEEP', '0.5 s', 'DEBUG SLEEP 0.5')
g.add('DEBUG DIGEST', '1 M keys', 'DEBUG DIGEST', covers=('debug',))
g.add('DEBUG RELOAD', '1 M keys', 'DEBUG RELOAD', covers=('debug',))
g.add('MEMORY USAGE of everything in a list', '1 M', 'MEMORY USAGE ids{s} SAMPLES 0', covers=('memory|usage',))
g.add('FLUSHDB', '300 k keys', play=other_database(lines('SELECT 1\nFLUSHDB\nSELECT 0')))
g.add('SWAPDB', '300 k and 1 M keys', play=other_database(lines('SWAPDB 0 1\nSWAPDB 0 1')))
g.add('FLUSHALL', '1.3 M keys', play=other_database(lines('FLUSHALL')))  # the last one: nothing is left
g.constant = '''
SET k:0000001 x
COPY k:0000001 c1 REPLACE
EXPIRE c1 1000
EXPIREAT c1 4000000000
EXPIRETIME c1
PEXPIRE c1 1000000
PEXPIREAT c1 4000000000000
PEXPIRETIME c1
PTTL c1
TTL c1
PERSIST c1
TYPE c1
!RENAME c1 c2
!RENAMENX c2 c1
!MOVE c1 3
OBJECT ENCODING k:0000001
!OBJECT FREQ k:0000001
OBJECT IDLETIME k:0000001
OBJECT REFCOUNT k:0000001
OBJECT HELP
DBSIZE
UNWATCH
WAIT 0 0
'''
g.constant_new = '''
WAITAOF 0 0 0
'''
BOUNDED['move'] = 'a key changes its database'
