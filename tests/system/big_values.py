"""Values too big for a worker: every reply from the slow lane equals redis-server's."""
import shutil

from harness import Server, expect, expect_true

COUNT = 3000


def run(server, report):
    reference = shutil.which('redis-server')
    if not reference:
        report.skip('big values', 'there is no redis-server to compare with')
        return
    with Server(reference, '--save', '') as redis:
        with server.client() as ours, redis.client() as theirs:
            fill(ours, theirs)
            for command in COMMANDS:
                report.check('big: ' + ' '.join(command)[:60], same, ours, theirs, command)
            report.check('big: inside EXEC', inside_exec, ours, theirs)
            report.check('big: the stores are equal', stores_equal, ours, theirs)
            report.check('big: SPOP of most', pop_most, ours)
            report.check('big: long changes', long_changes, ours, theirs)
    with Server(server.binary, '--enable-debug-command', 'yes') as debugged:
        report.check('big: counted with what the slow lane does', counted_whole, debugged)


def counted_whole(server):
    with server.client() as client:
        client('DEBUG', 'SLEEP', '0.05')
        line = next(line for line in client('INFO', 'commandstats').decode().splitlines()
                    if line.startswith('cmdstat_debug:'))
        counted = dict(field.split('=') for field in line.split(':')[1].split(','))
        expect(counted['calls'], '1')
        expect_true(int(counted['usec']) >= 49_000, line)


def both(ours, theirs, *words):
    a, b = ours(*words), theirs(*words)
    expect(a, b, ' '.join(map(str, words[:3])))


def fill(ours, theirs):
    numbers = range(COUNT)
    both(ours, theirs, 'RPUSH', 'list', *[i * 7919 % 10007 for i in numbers])
    both(ours, theirs, 'SADD', 'set:1', *[f'm:{i}' for i in numbers])
    both(ours, theirs, 'SADD', 'set:2', *[f'm:{i * 2}' for i in numbers])
    both(ours, theirs, 'ZADD', 'zset:1', *[w for i in numbers for w in (i % 97, f'm:{i}')])
    both(ours, theirs, 'ZADD', 'zset:2', *[w for i in numbers for w in (i, f'm:{i * 3}')])
    both(ours, theirs, 'ZADD', 'lex', *[w for i in numbers for w in (0, f'm:{i:05}')])
    both(ours, theirs, 'HSET', 'hash', *[w for i in numbers for w in (f'f:{i}', f'v:{i}')])
    both(ours, theirs, 'GEOADD', 'geo',
         *[w for i in numbers for w in (i % 170 / 10, i % 800 / 10, f'p:{i}')])
    for i in numbers:
        both(ours, theirs, 'XADD', 'stream', f'{i + 1}-1', 'f', i)
        both(ours, theirs, 'SET', f'w:{i * 7919 % 10007}', i)
    both(ours, theirs, 'SET', 'bits', 'abc' * 700_000)


UNORDERED = ('SMEMBERS', 'SUNION', 'SINTER', 'SDIFF', 'HGETALL', 'HKEYS', 'HVALS', 'ZRANDMEMBER',
             'GEOSEARCH')
COMMANDS = [line.split() for line in '''
LRANGE list 0 -1
LRANGE list 10 2500
LPOS list 6 RANK -1 COUNT 0
SMEMBERS set:1
SUNION set:1 set:2
SINTER set:1 set:2
SDIFF set:1 set:2
SINTERCARD 2 set:1 set:2
SUNIONSTORE union set:1 set:2
SINTERSTORE inter set:1 set:2
SDIFFSTORE diff set:1 set:2
ZRANGE zset:1 0 -1 WITHSCORES
ZRANGE zset:1 0 -1 REV
ZRANGE zset:1 (3 90 BYSCORE LIMIT 5 2000
ZRANGE lex [m:00100 (m:02900 BYLEX
ZRANGESTORE zrange zset:1 0 2500
ZUNION 2 zset:1 zset:2 WITHSCORES
ZINTER 2 zset:1 zset:2 AGGREGATE MAX WITHSCORES
ZDIFF 2 zset:1 zset:2
ZUNIONSTORE zunion 2 zset:1 zset:2 WEIGHTS 2 3
ZINTERSTORE zinter 2 zset:1 set:1
ZDIFFSTORE zdiff 2 zset:1 zset:2
HGETALL hash
HKEYS hash
HVALS hash
XRANGE stream - +
XREVRANGE stream + - COUNT 2000
XREAD STREAMS stream 0
SORT list
SORT list DESC LIMIT 100 1500
SORT list BY w:*
SORT list BY w:* GET # GET w:*
SORT list STORE sorted
GEOSEARCH geo FROMLONLAT 5 40 BYRADIUS 9000 km
GEOSEARCHSTORE near geo FROMLONLAT 5 40 BYRADIUS 9000 km
BITCOUNT bits
BITPOS bits 0 100 -1
BITOP NOT notbits bits
STRLEN notbits
COPY zset:1 copy
DEL copy
'''.strip().splitlines()]


def same(ours, theirs, command):
    a, b = ours(*command), theirs(*command)
    if command[0] in UNORDERED and 'WITHSCORES' not in command:
        a, b = sorted(map(repr, a)), sorted(map(repr, b))
    expect_true(a == b, f'{str(a)[:100]} against {str(b)[:100]}')


def inside_exec(ours, theirs):
    for client in (ours, theirs):
        client('MULTI')
        client('ZRANGE', 'zset:1', '0', '-1')
        client('SUNIONSTORE', 'union:2', 'set:1', 'set:2')
        client('SORT', 'list', 'STORE', 'sorted:2')
    expect(ours('EXEC'), theirs('EXEC'))


def stores_equal(ours, theirs):
    for name in ('union', 'union:2', 'inter', 'diff'):
        expect(set(ours('SMEMBERS', name)), set(theirs('SMEMBERS', name)), name)
    for name in ('zrange', 'zunion', 'zinter', 'zdiff', 'near'):
        both(ours, theirs, 'ZRANGE', name, '0', '-1', 'WITHSCORES')
    for name in ('sorted', 'sorted:2'):
        both(ours, theirs, 'LRANGE', name, '0', '-1')
    both(ours, theirs, 'GET', 'notbits')


def pop_most(ours):
    before = set(ours('SMEMBERS', 'set:1'))
    popped = ours('SPOP', 'set:1', COUNT - 100)
    expect(len(popped), COUNT - 100)
    left = set(ours('SMEMBERS', 'set:1'))
    expect(set(popped) | left, before)
    expect(len(left), 100)


def long_changes(ours, theirs):
    """Found to be long before they have changed anything, and then done on the slow lane."""
    both(ours, theirs, 'XGROUP', 'CREATE', 'stream', 'group', '0')
    both(ours, theirs, 'XREADGROUP', 'GROUP', 'group', 'ann', 'STREAMS', 'stream', '>')
    both(ours, theirs, 'XREADGROUP', 'GROUP', 'group', 'ann', 'STREAMS', 'stream', '0')
    both(ours, theirs, 'XPENDING', 'stream', 'group')
    both(ours, theirs, 'ZREMRANGEBYRANK', 'lex', '5', '2004')
    both(ours, theirs, 'ZRANGE', 'lex', '0', '-1')
    both(ours, theirs, 'ZREMRANGEBYSCORE', 'zset:2', '(10', '2500')
    both(ours, theirs, 'ZREMRANGEBYLEX', 'lex', '[m:02500', '+')
    both(ours, theirs, 'LTRIM', 'list', '100', '1600')
    both(ours, theirs, 'SETRANGE', 'zeros', '3000000', 'x')
    both(ours, theirs, 'SETBIT', 'zeros', '80000000', '1')
    both(ours, theirs, 'BITFIELD', 'zeros', 'SET', 'u8', '160000000', '255', 'GET', 'u8', '0')
    both(ours, theirs, 'BITCOUNT', 'zeros')
    for words in (('MULTI',), ('SETRANGE', 'more', '3000000', 'x'), ('BITCOUNT', 'more'),
                  ('ZREMRANGEBYRANK', 'zset:1', '0', '1999'), ('ZCARD', 'zset:1'), ('EXEC',)):
        both(ours, theirs, *words)
    for key in ('lex', 'zset:1', 'zset:2', 'list', 'zeros', 'more'):
        both(ours, theirs, 'DEL', key)
