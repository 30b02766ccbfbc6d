"""Few elements and names, but very long ones; patterns as long; very many keys in calls on small values."""
from . import group, n, one, variadic

MEBIBYTE = 1 << 20
LONG = 64 * MEBIBYTE
NAME = 200_000


def text(size, letter=b'a'):
    return letter * n(size)


def fixtures():
    return (b''.join(one('HSET', 'hash{s}', f'f{i}', text(MEBIBYTE)) for i in range(100))
            + one('RPUSH', 'list{s}', text(LONG), 'x')
            + one('SADD', 'set{s}', text(LONG))
            + b''.join(one('SET', b'%s%d{s}' % (text(NAME), i), 'v') for i in range(4))
            + b''.join(one('HSET', 'names{s}', b'%s%d' % (text(NAME), i), 'v') for i in range(4)))


def keys(i):
    return (f'few:{i}',)


def monitored(load):
    listener = load.connect()
    listener.send(one('MONITOR'))
    load.measured(one('SET', 'k{s}', text(100 * MEBIBYTE)))
    listener.close()


def published(load):
    listener = load.connect()
    listener.send(one('PSUBSCRIBE', b'*' + b'a?' * n(500) + b'b*'))
    load.pause(0.1)
    load.measured(one('PUBLISH', text(NAME), 'x'))
    listener.close()


WILD = b'*' + b'a?' * 500 + b'b*'
PLAIN = b'*' + b'a' * (NAME // 2) + b'b*'
g = group('long elements', fixtures)
g.add('HGETALL of long values', '100 of 1 MB', 'HGETALL hash{s}')
g.add('HSET of a long value', '64 MB', lambda: one('HSET', 't{s}', 'f', text(LONG)), prepare='DEL t{s}')
g.add('LINDEX of a long element', '64 MB', 'LINDEX list{s} 0')
g.add('LMOVE of a long element', '64 MB', 'LMOVE list{s} list{s} LEFT LEFT')
g.add('SMEMBERS of a long member', '64 MB', 'SMEMBERS set{s}')
g.add('SET, GET, DEL of a long key', '64 MB', lambda: b''.join(
    one(name, b'{s}' + text(LONG), *value) for name, value in (('SET', ('v',)), ('GET', ()), ('DEL', ()))))
g.add('KEYS with a long plain pattern', '100 KB, 4 keys of 200 KB', lambda: one('KEYS', PLAIN))
g.add('KEYS with a long wild pattern', '1 KB, 4 keys of 200 KB', lambda: one('KEYS', WILD))
g.add('SCAN MATCH with a long plain pattern', '100 KB, 4 keys of 200 KB', lambda: one('SCAN', 0, 'MATCH', PLAIN))
g.add('HSCAN MATCH with a long wild pattern', '1 KB, 4 fields of 200 KB',
      lambda: one('HSCAN', 'names{s}', 0, 'MATCH', WILD))
g.add('PUBLISH to a long channel beside a wild pattern', '1 KB, 200 KB', play=published)
g.add('ECHO of a long text', '100 MB', lambda: one('ECHO', text(100 * MEBIBYTE)))
g.add('MONITOR beside SET of a long value', '100 MB', play=monitored)
for name in ('SUNION', 'BITOP AND d'):
    g.add(f'{name} of many keys', '300 k keys', lambda name=name: variadic(name, n(300_000), keys))
g.add('ZUNION of many keys', '300 k keys', lambda: variadic(f'ZUNION {n(300_000)}', n(300_000), keys))
g.add('EVAL of many keys', '300 k keys', lambda: variadic(
    f'EVAL return(1) {n(300_000)}', n(300_000), keys))
g.add('ACL SETUSER', '10 k patterns', covers=('acl|setuser',), prepare='!ACL DELUSER many',
      call=lambda: variadic('ACL SETUSER many', n(10_000), lambda i: (f'~key:{i}:*',)))
