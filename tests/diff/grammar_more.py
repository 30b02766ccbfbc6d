"""Grammar of streams, of keys whatever their type, and of the few that need care."""
from grammar import GRAMMAR, command, counted, on, some
from values import TYPES

# --- streams --------------------------------------------------------------------------------------

GROUPS = [b'g1', b'g2']
CONSUMERS = [b'c1', b'c2']


def group(v):
    return v.pick(GROUPS)


def consumer(v):
    return v.pick(CONSUMERS)


def entry_id(v):
    return v.stream_id(open_ends=False)


def trimming(v):
    if v.chance(2):
        words = [b'MAXLEN', v.pick([b'=', b'=']), v.small(-1, 12)]
    else:
        words = [b'MINID', v.pick([b'=', b'=']), entry_id(v)]
    if v.chance(4):
        del words[1]
    return words


def new_id(v):
    draw = v.random.randrange(10)
    if draw < 8:
        return b'%d-%d' % (v.random.randrange(1, 60), v.random.randrange(0, 4))
    if draw < 9:
        return b'%d-*' % v.random.randrange(0, 60)
    return entry_id(v)


def fields(v):
    words = [w for _ in range(1 + v.random.randrange(3)) for w in (v.member(), v.text())]
    return words[:-1] if v.chance(40) else words


def xadd(v):
    return [v.key('stream')] + v.maybe(b'NOMKSTREAM') + (trimming(v) if v.chance(5) else []) + \
        [new_id(v)] + fields(v)


def count_option(v):
    return [b'COUNT', v.small(-1, 5)] if v.chance(3) else []


def streams(v):
    keys = v.keys('stream', 2)
    return [b'STREAMS'] + keys + [entry_id(v) if not v.chance(6) else b'$' for _ in keys]


def group_streams(v):
    keys = v.keys('stream', 2)
    return [b'STREAMS'] + keys + [b'>' if v.chance(2) else entry_id(v) for _ in keys]


def xpending(v):
    words = [v.key('stream'), group(v)]
    if v.chance(2):
        words += [v.stream_id(), v.stream_id(), v.small(-1, 6)]
        if v.chance(3):
            words.append(consumer(v))
    return words


def xclaim(v):
    words = [v.key('stream'), group(v), consumer(v), v.pick([b'0', b'0', b'1000000', b'x'])]
    words += [entry_id(v) for _ in range(1 + v.random.randrange(3))]
    return words + v.pick([[], [b'FORCE'], [b'JUSTID'], [b'FORCE', b'JUSTID'],
                           [b'RETRYCOUNT', v.small(-1, 9)], [b'LASTID', entry_id(v)]])


command('XADD', xadd)
command('XLEN', on('stream'))
command('XDEL', on('stream', some(entry_id, 3)))
command('XTRIM', lambda v: [v.key('stream')] + trimming(v))
command('XRANGE', lambda v: [v.key('stream'), v.stream_id(), v.stream_id()] + count_option(v))
command('XREVRANGE', lambda v: [v.key('stream'), v.stream_id(), v.stream_id()] + count_option(v))
command('XREAD', lambda v: count_option(v) + streams(v))
command('XREADGROUP', lambda v: [b'GROUP', group(v), consumer(v)] + count_option(v) +
        v.maybe(b'NOACK') + group_streams(v))
command('XACK', lambda v: [v.key('stream'), group(v)] +
        [entry_id(v) for _ in range(1 + v.random.randrange(3))])
command('XSETID', on('stream', entry_id))
command('XPENDING', xpending, 'loose_times')
command('XCLAIM', xclaim)
command('XAUTOCLAIM', lambda v: [v.key('stream'), group(v), consumer(v), b'0', v.stream_id()] +
        ([b'COUNT', v.count(9)] if v.chance(2) else []) + v.maybe(b'JUSTID'))
command('XGROUP', lambda v: v.pick([
    lambda: [b'CREATE', v.key('stream'), group(v), v.pick([b'$', b'0', entry_id(v)])] +
    v.maybe(b'MKSTREAM'),
    lambda: [b'CREATE', v.key('stream'), group(v), b'0', b'MKSTREAM'],
    lambda: [b'SETID', v.key('stream'), group(v), entry_id(v)],
    lambda: [b'CREATECONSUMER', v.key('stream'), group(v), consumer(v)],
    lambda: [b'DELCONSUMER', v.key('stream'), group(v), consumer(v)],
    lambda: [b'DESTROY', v.key('stream'), group(v)] if v.chance(3) else [b'DESTROY'],
])())
command('XINFO', lambda v: v.pick([
    [b'STREAM', v.key('stream')], [b'GROUPS', v.key('stream')],
    [b'STREAM', v.key('stream'), b'FULL'],
    [b'CONSUMERS', v.key('stream'), group(v)]]), 'xinfo')

# --- keys -----------------------------------------------------------------------------------------


def when(v, unit):
    """A moment far from now, on either side."""
    if v.chance(6):
        return v.far_time(1)
    return b'%d' % (v.pick([4102444800, 4102444800, 1000000000]) * unit)


def condition(v):
    return v.pick([[], [], [], [b'NX'], [b'XX'], [b'GT'], [b'LT'], [b'NX', b'GT'], [b'XX', b'LT']])


def sort_options(v):
    words = []
    if v.chance(4):
        words += [b'BY', v.pick([b'nosort', b's*', b'h1->*', b'n*', b'absent*'])]
    if v.chance(4):
        words += [b'LIMIT', v.small(-2, 6), v.small(-2, 8)]
    if v.chance(4):
        words += [b'GET', v.pick([b'#', b's*', b'h*->m1', b'n*'])]
    words += v.pick([[], [b'ASC'], [b'DESC']])
    words += v.pick([[b'ALPHA'], [b'ALPHA'], []])
    return words


def sort(v, stores):
    # Not those of 'zset': Redis unpacks what it sorts, which the encodings would then show for ever.
    words = [v.pick(TYPES[v.pick(['list', 'list', 'list', 'geo', 'set', 'string'])])]
    words += sort_options(v)
    if b'BY' in words:
        # Equal weights have no order, and a set has none of its own.
        return words, 'shape' if b'LIMIT' in words else 'unordered'
    if stores and b'ALPHA' not in words and v.chance(4):
        words += [b'STORE', v.key('list')]
    return words, 'cut_at_zero' if b'ALPHA' in words else 'exact'


command('DEL', lambda v: [v.any_key() for _ in range(1 + v.random.randrange(2))])
command('UNLINK', lambda v: [v.any_key()])
command('EXISTS', lambda v: [v.any_key() for _ in range(1 + v.random.randrange(4))])
command('TOUCH', lambda v: [v.any_key() for _ in range(1 + v.random.randrange(4))])
command('TYPE', lambda v: [v.any_key()])
command('RENAME', lambda v: [v.any_key(), v.any_key()])
command('RENAMENX', lambda v: [v.any_key(), v.any_key()])
command('COPY', lambda v: [v.any_key(), v.any_key()] + v.maybe(b'REPLACE') +
        (v.pick([[b'DB', b'0'], [b'DB', b'99'], [b'DB', b'x']]) if v.chance(8) else []))
command('EXPIRE', lambda v: [v.any_key(), v.far_time(1)] + condition(v))
command('PEXPIRE', lambda v: [v.any_key(), v.far_time(1000)] + condition(v))
command('EXPIREAT', lambda v: [v.any_key(), when(v, 1)] + condition(v))
command('PEXPIREAT', lambda v: [v.any_key(), when(v, 1000)] + condition(v))
command('PERSIST', lambda v: [v.any_key()])
command('TTL', lambda v: [v.any_key()], 'seconds')
command('PTTL', lambda v: [v.any_key()], 'milliseconds')
command('EXPIRETIME', lambda v: [v.any_key()], 'seconds')
command('PEXPIRETIME', lambda v: [v.any_key()], 'milliseconds')
command('KEYS', lambda v: [v.pick([b'*', b's*', b'?1', b'[a-h]*', b'absent', b'\\*', b'[^s]1'])],
        'unordered')
command('DBSIZE', lambda v: [])
command('OBJECT', lambda v: [b'ENCODING', v.any_key()])
command('SORT', lambda v: sort(v, True))
command('SORT_RO', lambda v: sort(v, False))
command('ECHO', lambda v: [v.text()])
command('PING', lambda v: v.maybe(v.text()))

# --- commands that wait ---------------------------------------------------------------------------
# Only inside MULTI, where they never wait: outside redis-server would look ten times a second whether
# their time is over.


def timeout(v):
    return v.pick([b'0', b'0', b'1', b'0.5', b'-1', b'x', b'', b'inf', b'1e400'])


def popped(v, kind, ends):
    return [timeout(v)] + counted(v, kind) + [v.pick(ends)] + (
        [b'COUNT', v.small(-1, 5)] if v.chance(2) else [])


WAITING = {
    'BLPOP': lambda v: v.keys('list') + [timeout(v)],
    'BRPOP': lambda v: v.keys('list') + [timeout(v)],
    'BLMOVE': lambda v: [v.key('list'), v.key('list'), v.pick([b'LEFT', b'RIGHT', b'up']),
                         v.pick([b'LEFT', b'RIGHT']), timeout(v)],
    'BRPOPLPUSH': lambda v: [v.key('list'), v.key('list'), timeout(v)],
    'BLMPOP': lambda v: popped(v, 'list', [b'LEFT', b'RIGHT', b'x']),
    'BZPOPMIN': lambda v: v.keys('zset') + [timeout(v)],
    'BZPOPMAX': lambda v: v.keys('zset') + [timeout(v)],
    'BZMPOP': lambda v: popped(v, 'zset', [b'MIN', b'MAX', b'x']),
    'XREAD': lambda v: count_option(v) + [b'BLOCK', v.pick([b'0', b'5', b'-1', b'x'])] + streams(v),
    'XREADGROUP': lambda v: [b'GROUP', group(v), consumer(v), b'BLOCK', v.pick([b'0', b'9', b'x'])] +
                            count_option(v) + v.maybe(b'NOACK') + group_streams(v),
}

# How often a command comes, beside the others; 4 is the rule.
WEIGHTS = {name: 4 for name in GRAMMAR}
WEIGHTS.update({'DEL': 2, 'UNLINK': 1, 'RENAME': 1, 'RENAMENX': 1, 'COPY': 1, 'KEYS': 1, 'DBSIZE': 1,
                'ECHO': 1, 'PING': 1, 'TOUCH': 1, 'EXPIREAT': 1, 'PEXPIREAT': 1, 'EXPIRE': 2,
                'PEXPIRE': 2, 'OBJECT': 6, 'XADD': 14, 'XGROUP': 8, 'XREADGROUP': 8, 'LPUSH': 10,
                'RPUSH': 10, 'HSET': 12, 'SADD': 12, 'ZADD': 16, 'GEOADD': 8, 'PFADD': 6, 'SET': 10,
                'LTRIM': 2, 'ZREMRANGEBYRANK': 2, 'ZREMRANGEBYSCORE': 2, 'ZREMRANGEBYLEX': 2})

# Where a wild number makes a server reserve memory for it or answer for ever, or a key end at a time
# that one of the two reaches first.
NOT_WILD = {'SET', 'GETEX', 'SETEX', 'PSETEX', 'EXPIRE', 'PEXPIRE', 'EXPIREAT', 'PEXPIREAT',
            'BITFIELD', 'SORT', 'SORT_RO', 'SRANDMEMBER', 'HRANDFIELD', 'ZRANDMEMBER',
            'XAUTOCLAIM', 'KEYS', 'DBSIZE', 'LCS',
            'HSCAN', 'SSCAN', 'ZSCAN', 'SPOP', 'RENAME', 'COPY', 'XADD', 'ZLEXCOUNT', 'ZRANGEBYLEX',
            'ZREVRANGEBYLEX', 'ZREMRANGEBYLEX', 'ZADD'}
