"""Keyspace events: after each command, the same events in the same order as redis-server's.

Every command runs on both servers with all classes on; a message published after it by the same
client marks the end of its events, so nothing is waited for by the clock.
"""
import shutil
import time

from harness import Server, expect

# One command a line. The key space is empty at the beginning; what one leaves the next ones find.
COMMANDS = '''
SET s v
SET s v EX 100
SET s v PXAT 99999999999999 NX
SET s2 v KEEPTTL
SET s v XX GET
SETEX s 100 v
PSETEX s 100000 v
SETNX s v
SETNX nx v
GETSET s w
GETSET gs w
GETDEL gs
GETDEL gs
GETEX s
GETEX s EX 100
GETEX s PERSIST
GETEX s PERSIST
GETEX s PXAT 1
GETEX s
APPEND ap x
APPEND ap y
SETRANGE ap 5 z
SETRANGE none 0 ""
INCR n
INCRBY n 5
DECR n
DECRBY n 2
INCRBYFLOAT n 1.5
MSET m1 a m2 b m1 c
MSETNX m1 a m3 c
MSETNX m4 a m5 c
GET absent
GETRANGE absent 0 1
STRLEN absent
MGET absent absent2 m1
EXISTS absent m1
TTL absent
TYPE absent
OBJECT ENCODING absent
TOUCH absent m1
DUMP absent
LCS absent absent2
SETBIT bits 7 1
SETBIT bits 7 1
SETBIT bits 8 0
GETBIT absent 1
BITCOUNT absent
BITPOS absent 1
BITFIELD bits SET u8 0 255 INCRBY u8 100 1 GET u8 0
BITFIELD bits GET u8 0
BITFIELD bits SET u8 0 255
BITOP AND bits2 bits ap
BITOP AND bits2 absent absent2
BITOP NOT bits3 absent
PFADD hll a b c
PFADD hll a b c
PFADD hll2
PFMERGE hll3 hll hll2
PFMERGE hll3 hll
PFCOUNT hll
PFCOUNT absent
EXPIRE s2 100
EXPIRE s2 100 NX
EXPIRE absent 100
PEXPIRE s2 100000
EXPIREAT s2 99999999999
PEXPIREAT s2 99999999999999
PERSIST s2
PERSIST s2
EXPIRE s2 -1
SET s2 v
PEXPIREAT s2 1
SET a v
RENAME a b
SET a v
RENAME a b
RENAMENX b c
SET b v
RENAMENX b c
RENAME c c
COPY c d
COPY c d
COPY c d REPLACE
COPY c c2 DB 3
MOVE d 2
SET d v
MOVE d 2
DEL c d absent
SET e1 v
SET e2 v
UNLINK e1 e2
SET moved 1 EX 100
RENAME moved moved2
LPUSH l a b c
RPUSH l d
LPUSHX l e
RPUSHX l f
LPUSHX absent f
LINSERT l BEFORE a x
LINSERT l BEFORE nothing x
LSET l 0 y
LRANGE absent 0 -1
LLEN absent
LINDEX absent 0
LPOS absent x
LPOP l
RPOP l
LPOP l 2
LPOP l 0
LPOP absent
LREM l 0 nothing
LREM l 0 x
LTRIM l 0 100
LTRIM l 0 0
LTRIM absent 0 0
RPUSH l b c
LMOVE l l2 LEFT RIGHT
LMOVE l l LEFT RIGHT
RPOPLPUSH l l2
RPOPLPUSH l l
LMOVE l l LEFT LEFT
RPOPLPUSH l l2
RPOPLPUSH l l2
LMPOP 2 l l2 LEFT
LMPOP 2 l l2 RIGHT COUNT 10
LMPOP 1 l LEFT
RPUSH l a
LTRIM l 5 6
RPUSH l a a
LREM l 0 a
SADD st a b c
SADD st a
SREM st a z
SREM st z
SREM absent z
SMOVE st st2 b
SMOVE st st2 b
SADD st2 c
SMOVE st st2 c
SMEMBERS absent
SCARD absent
SISMEMBER absent a
SMISMEMBER absent a
SRANDMEMBER absent
SADD st a b c d e
SPOP st
SPOP st 2
SPOP st 100
SPOP st
SPOP st 1
SADD st a b
SADD st3 b c
SINTERSTORE so st st3
SUNIONSTORE so st st3
SDIFFSTORE so st st3
SDIFFSTORE so absent st
SDIFFSTORE so absent st
SINTER st absent
SUNION absent absent2
SDIFF absent st
SINTERCARD 1 absent
SUNIONSTORE st st st3
SADD st9 a
SREM st9 a
HSET h a 1 b 2
HSET h a 1
HMSET h c 3
HSETNX h c 3
HSETNX h d 3
HINCRBY h a 1
HINCRBYFLOAT h a 1.5
HDEL h a zz
HDEL h zz
HDEL h b c d
HGET absent a
HMGET absent a
HGETALL absent
HKEYS absent
HLEN absent
HEXISTS absent a
HSTRLEN absent a
HRANDFIELD absent
HSCAN absent 0
ZADD z 1 a 2 b 3 c
ZADD z 1 a
ZADD z XX 1 nothing
ZADD z CH 2 a
ZADD z INCR 2 a
ZADD z NX INCR 2 a
ZADD z INCR 0 a
ZINCRBY z 1 a
ZINCRBY znew 1 a
ZREM z a zz
ZREM z zz
ZREM znew a
ZADD z 1 a 4 d 5 e 6 f
ZPOPMIN z
ZPOPMAX z 2
ZPOPMIN z 0
ZPOPMIN absent
ZMPOP 2 absent z MIN
ZMPOP 1 z MAX COUNT 100
ZADD z 1 a 2 b 3 c 4 d 5 e
ZREMRANGEBYRANK z 0 0
ZREMRANGEBYSCORE z 2 2
ZREMRANGEBYSCORE z 200 201
ZREMRANGEBYRANK z 0 -1
ZADD z 0 a 0 b 0 c
ZREMRANGEBYLEX z [a [a
ZREMRANGEBYLEX z - +
ZADD z 1 a 2 b
ZADD z2 1 b 2 c
ZUNIONSTORE zo 2 z z2
ZINTERSTORE zo 2 z z2
ZDIFFSTORE zo 2 z z2
ZDIFFSTORE zo 2 absent z
ZDIFFSTORE zo 2 absent z
ZRANGESTORE zo z 0 -1
ZRANGESTORE zo z 5 6
ZRANGE absent 0 -1
ZSCORE absent a
ZRANK absent a
ZCARD absent
ZCOUNT absent 0 1
ZUNION 2 absent z
ZRANDMEMBER absent
GEOADD geo 13 38 a 15 37 b
GEOADD geo 13 38 a
GEOADD geo CH 13 39 a
GEOSEARCHSTORE go geo FROMLONLAT 15 37 BYRADIUS 200 km
GEOSEARCHSTORE go geo FROMLONLAT 0 0 BYRADIUS 1 km
GEORADIUS geo 15 37 200 km STORE go
GEORADIUS geo 0 0 1 km STORE go
GEORADIUSBYMEMBER geo a 500 km STOREDIST go
GEOPOS absent a
GEOSEARCH absent FROMLONLAT 15 37 BYRADIUS 200 km
RPUSH sl 3 1 2
SORT sl STORE so2
SORT sl LIMIT 5 6 STORE so2
SORT sl LIMIT 5 6 STORE so2
SORT absent STORE so2
SORT absent
XADD x 1-1 f v
XADD x 2-1 f v
XADD x MAXLEN 1 3-1 f v
XADD x NOMKSTREAM 4-1 f v
XADD absent NOMKSTREAM 4-1 f v
XTRIM x MAXLEN 1
XTRIM x MAXLEN 1
XDEL x 1-1
XDEL x 4-1
XADD x 5-1 f v
XADD x 6-1 f v
XGROUP CREATE x g $
XGROUP CREATE x2 g $ MKSTREAM
XGROUP SETID x g 0
XGROUP CREATECONSUMER x g alice
XGROUP CREATECONSUMER x g alice
XREADGROUP GROUP g bob COUNT 1 STREAMS x >
XREADGROUP GROUP g bob COUNT 1 STREAMS x >
XREADGROUP GROUP g bob STREAMS x 0
XACK x g 5-1
XCLAIM x g carol 0 6-1
XAUTOCLAIM x g dave 0 0
XPENDING x g
XGROUP DELCONSUMER x g alice
XGROUP DESTROY x g
XGROUP DESTROY x g
XSETID x 100-1
XLEN absent
XRANGE absent - +
XREAD STREAMS absent 0
XINFO STREAM absent
SWAPDB 0 5
SWAPDB 0 5
FLUSHDB
SET k v
FLUSHALL
'''

# What redis-server 7.0 does otherwise than 7.2, and what we do otherwise on purpose: the events that
# we tell, and why.
DIFFERENT = {
    'XREAD STREAMS absent 0': (['keymiss absent'], 'redis-server looks twice, and tells it twice'),
}

# Commands that redis-server 7.0 does not know, and their events.
OURS_ALONE = [
    ('HSET h a 1 b 2 c 3 d 4', ['new h', 'hset h']),
    ('HEXPIRE h 100 FIELDS 1 a', ['hexpire h']),
    ('HEXPIRE h 100 FIELDS 1 zz', []),
    ('HEXPIRE h 100 NX FIELDS 1 a', []),
    ('HPERSIST h FIELDS 1 a', ['hpersist h']),
    ('HPERSIST h FIELDS 1 a', []),
    ('HPEXPIREAT h 1 FIELDS 1 a', ['hdel h']),
    ('HGETEX h EX 100 FIELDS 1 b', ['hexpire h']),
    ('HGETEX h FIELDS 1 b', []),
    ('HGETEX h PERSIST FIELDS 1 b', ['hpersist h']),
    ('HGETDEL h FIELDS 2 b c', ['hdel h']),
    ('HSETEX h EX 100 FIELDS 1 e 5', ['hset h', 'hexpire h']),
    ('HSETEX h KEEPTTL FIELDS 1 e 5', ['hset h']),
    ('HSETEX h PXAT 1 FIELDS 1 e 5', ['hdel h']),
    ('HPEXPIREAT h 1 FIELDS 1 d', ['hdel h', 'del h']),
    ('SET s v', ['new s', 'set s']),
    ('SET s w IFEQ v', ['set s']),
    ('DELIFEQ s v', []),
    ('DELIFEQ s w', ['del s']),
    ('BF.RESERVE f 0.01 100', ['new f']),
    ('DEL f', ['del f']),
]


class Listener:
    """Receives all events of a server; `since` returns those up to a marker that a client publishes."""

    def __init__(self, server):
        self.client = server.client()
        self.client('CONFIG', 'SET', 'notify-keyspace-events', 'KEAmn')
        self.client.close()
        self.client = server.client()
        self.client('PSUBSCRIBE', '__key*@*__:*', 'marker')
        self.client.reply()

    def until_marker(self):
        heard = []
        while True:
            message = self.client.reply()
            if message[2] == b'marker':
                return heard
            heard.append(f'{message[2].decode()} {message[3].decode()}')

    def after(self, client, words):
        reply = client(*words)
        client('PUBLISH', 'marker', 'end')
        return reply, self.until_marker()


def same(ours, theirs, line):
    words = [w if w != '""' else '' for w in line.split()]
    our_reply, our_events = ours[1].after(ours[0], words)
    their_reply, their_events = theirs[1].after(theirs[0], words)
    if line in DIFFERENT:
        wanted, _ = DIFFERENT[line]
        return expect(keys_only(our_events), wanted)
    expect(our_events, their_events, f'{our_reply!r} | {their_reply!r}')


def keys_only(events):
    """The messages to the keys' channels as `event key`."""
    heard = []
    for event in events:
        channel, payload = event.split(' ', 1)
        if channel.startswith('__keyspace@'):
            heard.append(f'{payload} {channel.split(":", 1)[1]}')
    return heard


def alone(client, listener, line, wanted):
    _, events = listener.after(client, line.split())
    expect(keys_only(events), wanted)


def wait_for(listener, wanted):
    """Events without a command: reads until the wanted one has come."""
    heard = []
    until = time.monotonic() + 10
    while time.monotonic() < until:
        message = listener.client.reply()
        heard.append(f'{message[3].decode()} {message[2].decode()}')
        if heard[-1] == wanted:
            return
    expect(heard, [wanted])


def expires_on_time(client, listener):
    listener.after(client, ['SET', 'soon', 'v', 'PX', '20'])
    wait_for(listener, 'expired __keyspace@0__:soon')


def field_expires(client, listener):
    listener.after(client, ['HSET', 'fields', 'a', '1'])
    listener.after(client, ['HPEXPIRE', 'fields', '20', 'FIELDS', '1', 'a'])
    wait_for(listener, 'hexpired __keyspace@0__:fields')
    wait_for(listener, 'del __keyspace@0__:fields')


def inside_exec(client, listener):
    for words in (['MULTI'], ['SET', 'in', '1'], ['LPUSH', 'out', 'x'], ['RPOP', 'out']):
        client(*words)
    _, events = listener.after(client, ['EXEC'])
    expect(keys_only(events), ['new in', 'set in', 'new out', 'lpush out', 'rpop out', 'del out'])


def evicted(client, listener):
    client('CONFIG', 'SET', 'maxmemory-policy', 'allkeys-random')
    for i in range(200):
        listener.after(client, ['SET', f'fill:{i}', 'x' * 1000])
    client('CONFIG', 'SET', 'maxmemory', '100000')
    client('SET', 'one', 'more')
    while True:
        message = listener.client.reply()
        if message[2].startswith(b'__keyevent@0__:evicted'):
            break
    client('CONFIG', 'SET', 'maxmemory', '0')
    listener.after(client, ['PING'])


def long_commands(client, listener):
    """Sent from the threads of the slow lane, too."""
    members = [f'm:{i}' for i in range(5000)]
    _, events = listener.after(client, ['SADD', 'big', *members])
    expect(keys_only(events), ['new big', 'sadd big'])
    _, events = listener.after(client, ['SUNIONSTORE', 'bigger', 'big'])
    expect(keys_only(events), ['new bigger', 'sunionstore bigger'])
    _, events = listener.after(client, ['RPUSH', 'long', *members])
    expect(keys_only(events), ['new long', 'rpush long'])
    _, events = listener.after(client, ['SPOP', 'big', '4000'])
    expect(keys_only(events), ['spop big'])


def loading(ours, theirs):
    """Loading from a file causes no events."""
    for server in (ours, theirs):
        with server.client() as client:
            listener = Listener(server)
            client('SET', 'text', 'v')
            client('RPUSH', 'list', 'a', 'b')
            listener.after(client, ['PING'])
            reply, events = listener.after(client, ['DEBUG', 'RELOAD'])
            expect(reply, 'OK')
            expect(events, [])


def loading_the_log(server):
    with server.client() as client:
        listener = Listener(server)
        listener.after(client, ['SET', 'logged', 'v'])
        reply, events = listener.after(client, ['DEBUG', 'LOADAOF'])
        expect(reply, 'OK')
        expect(events, [])


def run(server, report):
    reference = shutil.which('redis-server')
    if not reference:
        report.skip('keyspace events', 'there is no redis-server to compare with')
        return
    with Server(reference, '--save', '') as redis:
        ours = (server.client(), Listener(server))
        theirs = (redis.client(), Listener(redis))
        for line in COMMANDS.strip().splitlines():
            report.check(f'events: {line}', same, ours, theirs, line)
    debugged = ('--enable-debug-command', 'yes', '--save', '')
    with Server(server.binary, *debugged) as loads, Server(reference, *debugged) as redis:
        report.check('events: loading tells nothing', loading, loads, redis)
    with Server(server.binary, '--appendonly', 'yes', *debugged) as loads:
        report.check('events: loading the log tells nothing', loading_the_log, loads)
    client, listener = ours
    for line, wanted in OURS_ALONE:
        report.check(f'events: {line}', alone, client, listener, line, wanted)
    report.check('events: a key expires', expires_on_time, client, listener)
    report.check('events: a field expires', field_expires, client, listener)
    report.check('events: inside EXEC', inside_exec, client, listener)
    report.check('events: long commands', long_commands, client, listener)
    report.check('events: a key is evicted', evicted, client, listener)
