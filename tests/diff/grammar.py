"""Grammar: how to make one random call of each command.

GRAMMAR maps a command's name to a rule of replies.py and a function that makes the arguments from
Values. Where the rule depends on the arguments the function answers (arguments, rule). A command
without a line here is not tried; diff.py names those that both servers have.
"""
from values import FLOAT_EDGES, INTEGER_EDGES

GRAMMAR = {}


def command(name, make, rule='exact'):
    GRAMMAR[name] = (rule, make)


def on(kind, *makers):
    """Arguments: a key of that kind, and what each maker says."""
    def make(v):
        words = [v.key(kind)]
        for maker in makers:
            made = maker(v)
            words.extend(made if isinstance(made, list) else [made])
        return words
    return make


def integer(v):
    return v.integer()


def small(v):
    return v.small()


def real(v):
    return v.real()


def text(v):
    return v.text()


def member(v):
    return v.member()


def members(v):
    return v.members()


def one_of(*words):
    return lambda v: v.pick(words)


def some(maker, most):
    return lambda v: [maker(v) for _ in range(1 + v.random.randrange(most))]


def optional(*makers):
    """All of them or none."""
    def make(v):
        words = []
        if v.chance(2):
            for maker in makers:
                made = maker(v) if callable(maker) else maker
                words.extend(made if isinstance(made, list) else [made])
        return words
    return make


# --- strings --------------------------------------------------------------------------------------

def expiry_words(v):
    unit = v.pick([(b'EX', 1), (b'PX', 1000)])
    return [unit[0], v.far_time(unit[1])]


def set_options(v):
    words = []
    if v.chance(4):
        words.append(v.pick([b'NX', b'XX', b'nx']))
    if v.chance(4):
        words.append(b'GET')
    if v.chance(5):
        words.extend(v.pick([[b'KEEPTTL'], expiry_words(v)]))
    v.random.shuffle(words) if v.chance(10) else None
    return words


command('SET', lambda v: [v.key(v.pick(['string', 'number', 'bitmap'])), v.text()] + set_options(v))
command('GET', on('string'))
command('GETSET', on('string', text))
command('GETDEL', on('string'))
command('GETEX', lambda v: [v.key('string')] +
        (v.pick([[b'PERSIST'], expiry_words(v)]) if v.chance(2) else []))
command('SETNX', on('string', text))
command('SETEX', lambda v: [v.key('string'), v.far_time(1), v.text()])
command('PSETEX', lambda v: [v.key('string'), v.far_time(1000), v.text()])
command('MGET', lambda v: v.keys(v.pick(['string', 'number', 'hash'])))
command('MSET', lambda v: [w for _ in range(1 + v.random.randrange(3))
                           for w in (v.key('string'), v.text())])
command('MSETNX', lambda v: [w for _ in range(1 + v.random.randrange(3))
                             for w in (v.key('string'), v.text())])
command('APPEND', on('string', text))
command('STRLEN', on('string'))
command('GETRANGE', on('string', small, small))
command('SUBSTR', on('string', small, small))
command('SETRANGE', lambda v: [v.key('string'), v.small(-2, 600), v.text()])
command('INCR', on('number'))
command('DECR', on('number'))
command('INCRBY', on('number', integer))
command('DECRBY', on('number', integer))
command('INCRBYFLOAT', on('number', real))
command('LCS', lambda v: [v.key('string'), v.key('string')] +
        v.pick([[], [b'LEN'], [b'IDX'], [b'IDX', b'WITHMATCHLEN'],
                [b'IDX', b'MINMATCHLEN', v.small()]]))

# --- bitmaps and HyperLogLogs ---------------------------------------------------------------------


def bit_offset(v):
    return b'%d' % v.random.randrange(0, 3000) if not v.chance(12) else v.pick(INTEGER_EDGES)


def bit_range(v):
    words = []
    if v.chance(2):
        words = [v.small(-40, 40), v.small(-40, 40)]
        if v.chance(2):
            words.append(v.pick([b'BIT', b'BYTE', b'bit']))
    return words


def bitpos_range(v):
    words = [v.small(-40, 40), v.small(-40, 40), v.pick([b'BIT', b'BYTE'])]
    return words[:v.random.randrange(4)]


def field(v):
    return v.pick([b'u', b'i']) + (b'%d' % v.random.randrange(1, 65) if not v.chance(30) else b'0')


def field_offset(v):
    return v.pick([b'', b'#']) + b'%d' % v.random.randrange(0, 100)


def bitfield(v, writes=True):
    words = []
    for _ in range(1 + v.random.randrange(3)):
        draw = v.random.randrange(4 if writes else 1)
        if draw == 0:
            words += [b'GET', field(v), field_offset(v)]
        elif draw == 1:
            words += [b'OVERFLOW', v.pick([b'WRAP', b'SAT', b'FAIL', b'sat'])]
        elif draw == 2:
            # Not the extremes: Redis takes the smallest integer for too large.
            words += [b'SET', field(v), field_offset(v), b'%d' % v.random.randrange(-1000, 1 << 40)]
        else:
            words += [b'INCRBY', field(v), field_offset(v), v.integer()]
    return words


command('SETBIT', on('bitmap', bit_offset, one_of(b'0', b'1', b'1', b'2')))
command('GETBIT', on('bitmap', bit_offset))
command('BITCOUNT', on('bitmap', bit_range))
command('BITPOS', on('bitmap', one_of(b'0', b'1', b'1', b'0', b'2'), bitpos_range))
command('BITOP', lambda v: [v.pick([b'AND', b'OR', b'XOR', b'NOT', b'not']), v.key('bitmap')] +
        v.keys(v.pick(['bitmap', 'string'])))
command('BITFIELD', on('bitmap', bitfield))
command('BITFIELD_RO', on('bitmap', lambda v: bitfield(v, v.chance(8))))
command('PFADD', on('counter', lambda v: v.members()))
command('PFCOUNT', lambda v: v.keys('counter'))
command('PFMERGE', lambda v: v.keys('counter', 4))
command('PFDEBUG', lambda v: [v.pick([b'ENCODING', b'DECODE', b'TODENSE']), v.key('counter')])

# --- lists ----------------------------------------------------------------------------------------


def ends(v):
    return v.pick([b'LEFT', b'RIGHT', b'left'])


def lpos_options(v):
    words = []
    for word in (b'RANK', b'COUNT', b'MAXLEN'):
        if v.chance(3):
            words += [word, v.small(-4, 6)]
    return words


for name in ('LPUSH', 'RPUSH', 'LPUSHX', 'RPUSHX'):
    command(name, on('list', members))
for name in ('LPOP', 'RPOP'):
    command(name, on('list', lambda v: [v.small(-1, 6)] if v.chance(3) else []))
command('LLEN', on('list'))
command('LRANGE', on('list', small, small))
command('LINDEX', on('list', small))
command('LSET', on('list', small, text))
command('LINSERT', on('list', one_of(b'BEFORE', b'AFTER', b'after', b'MIDDLE'), member, text))
command('LREM', on('list', small, member))
command('LTRIM', on('list', small, small))
command('LPOS', on('list', member, lpos_options))
command('LMOVE', lambda v: [v.key('list'), v.key('list'), ends(v), ends(v)])
command('RPOPLPUSH', lambda v: [v.key('list'), v.key('list')])
command('LMPOP', lambda v: counted(v, 'list') + [ends(v)] +
        ([b'COUNT', v.small(-1, 5)] if v.chance(2) else []))


def counted(v, kind, most=3):
    """numkeys and keys; now and then the number is wrong."""
    keys = v.keys(kind, most)
    return [b'%d' % len(keys) if not v.chance(20) else v.small(-1, 5)] + keys


# --- hashes ---------------------------------------------------------------------------------------

def fields_and_values(v):
    if v.chance(60):
        return [w for m in v.members() for w in (m, b'v')]
    return [w for _ in range(1 + v.random.randrange(4)) for w in (v.member(), v.text())]


command('HSET', on('hash', fields_and_values))
command('HMSET', on('hash', fields_and_values))
command('HSETNX', on('hash', member, text))
command('HGET', on('hash', member))
command('HMGET', on('hash', members))
command('HDEL', on('hash', some(member, 3)))
command('HEXISTS', on('hash', member))
command('HLEN', on('hash'))
command('HSTRLEN', on('hash', member))
command('HGETALL', on('hash'), 'unordered_pairs')
command('HKEYS', on('hash'), 'unordered')
command('HVALS', on('hash'), 'unordered')
command('HINCRBY', on('hash', member, integer))
command('HINCRBYFLOAT', on('hash', member, real))
command('HRANDFIELD', lambda v: [v.key('hash')] +
        v.pick([[], [v.count()], [b'-' + v.count()], [v.count(), b'WITHVALUES'],
                [v.count(), b'WITHSCORES']]), 'shape')
command('HSCAN', on('hash', one_of(b'0'), one_of(b'COUNT'), one_of(b'100000')), 'scan_pairs')

# --- sets -----------------------------------------------------------------------------------------

command('SADD', on('set', members))
command('SREM', on('set', some(member, 4)))
command('SISMEMBER', on('set', member))
command('SMISMEMBER', on('set', members))
command('SCARD', on('set'))
command('SMEMBERS', on('set'), 'unordered')
command('SMOVE', lambda v: [v.key('set'), v.key('set'), v.member()])
command('SRANDMEMBER', lambda v: [v.key('set')] +
        v.pick([[], [v.count()], [b'-' + v.count()], [b'abc']]), 'shape')
for name in ('SINTER', 'SUNION', 'SDIFF'):
    command(name, lambda v: v.keys('set'), 'unordered')
for name in ('SINTERSTORE', 'SUNIONSTORE', 'SDIFFSTORE'):
    command(name, lambda v: [v.key('set')] + v.keys('set'))
command('SINTERCARD', lambda v: counted(v, 'set') + ([b'LIMIT', v.small()] if v.chance(3) else []))
command('SSCAN', on('set', one_of(b'0'), one_of(b'COUNT'), one_of(b'100000')), 'scan')

# --- sorted sets ----------------------------------------------------------------------------------


def zadd_options(v):
    words = []
    for word in (b'NX', b'XX', b'GT', b'LT', b'CH', b'INCR'):
        if v.chance(8):
            words.append(word)
    return words


def scores_and_members(v):
    if v.chance(60):
        return [w for m in v.members() for w in (b'%d' % v.random.randrange(50), m)]
    return [w for _ in range(1 + v.random.randrange(4)) for w in (v.real(), v.member())]


def limit(v):
    return [b'LIMIT', v.small(-2, 6), v.small(-2, 8)] if v.chance(3) else []


def zrange(v):
    words = v.pick([
        lambda: [v.key('zset'), v.small(), v.small()],
        lambda: [v.key('zset'), v.score_bound(), v.score_bound(), b'BYSCORE'],
        lambda: [v.lex_key(), v.lex_bound(), v.lex_bound(), b'BYLEX'],
    ])()
    if v.chance(3):
        words.append(b'REV')
    words += limit(v)
    return words


def zset_algebra(v, stores):
    keys = counted(v, v.pick(['zset', 'zset', 'set']))
    if v.chance(3):
        keys += [b'WEIGHTS'] + [v.real() for _ in range(len(keys) - 1)]
    if v.chance(3):
        keys += [b'AGGREGATE', v.pick([b'SUM', b'MIN', b'MAX', b'max', b'AVG'])]
    if not stores and v.chance(2):
        keys.append(b'WITHSCORES')
    return keys


command('ZADD', lambda v: [v.lex_key()] + [w for m in v.members() for w in (b'0', m)]
        if v.chance(6) else [v.key('zset')] + zadd_options(v) + scores_and_members(v))
command('ZINCRBY', on('zset', real, member))
command('ZREM', on('zset', some(member, 3)))
command('ZCARD', on('zset'))
command('ZSCORE', on('zset', member))
command('ZMSCORE', on('zset', members))
command('ZRANK', on('zset', member))
command('ZREVRANK', on('zset', member))
command('ZCOUNT', lambda v: [v.key('zset'), v.score_bound(), v.score_bound()])
command('ZLEXCOUNT', lambda v: [v.lex_key(), v.lex_bound(), v.lex_bound()])
command('ZRANGE', lambda v: zrange(v) + v.maybe(b'WITHSCORES'))
command('ZRANGESTORE', lambda v: [v.key('zset')] + zrange(v))
command('ZREVRANGE', lambda v: [v.key('zset'), v.small(), v.small()] + v.maybe(b'WITHSCORES'))
command('ZRANGEBYSCORE', lambda v: [v.key('zset'), v.score_bound(), v.score_bound()] +
        v.maybe(b'WITHSCORES') + limit(v))
command('ZREVRANGEBYSCORE', lambda v: [v.key('zset'), v.score_bound(), v.score_bound()] +
        v.maybe(b'WITHSCORES') + limit(v))
command('ZRANGEBYLEX', lambda v: [v.lex_key(), v.lex_bound(), v.lex_bound()] + limit(v))
command('ZREVRANGEBYLEX', lambda v: [v.lex_key(), v.lex_bound(), v.lex_bound()] + limit(v))
command('ZREMRANGEBYRANK', on('zset', small, small))
command('ZREMRANGEBYSCORE', lambda v: [v.key('zset'), v.score_bound(), v.score_bound()])
command('ZREMRANGEBYLEX', lambda v: [v.lex_key(), v.lex_bound(), v.lex_bound()])
command('ZPOPMIN', on('zset', lambda v: [v.small(-1, 5)] if v.chance(3) else []))
command('ZPOPMAX', on('zset', lambda v: [v.small(-1, 5)] if v.chance(3) else []))
command('ZMPOP', lambda v: counted(v, 'zset') + [v.pick([b'MIN', b'MAX', b'MID'])] +
        ([b'COUNT', v.small(-1, 5)] if v.chance(2) else []))
command('ZRANDMEMBER', lambda v: [v.key('zset')] +
        v.pick([[], [v.count()], [b'-' + v.count()], [v.count(), b'WITHSCORES']]), 'shape')
command('ZUNION', lambda v: zset_algebra(v, False))
command('ZINTER', lambda v: zset_algebra(v, False))
command('ZDIFF', lambda v: counted(v, 'zset') + v.maybe(b'WITHSCORES'))
command('ZUNIONSTORE', lambda v: [v.key('zset')] + zset_algebra(v, True))
command('ZINTERSTORE', lambda v: [v.key('zset')] + zset_algebra(v, True))
command('ZDIFFSTORE', lambda v: [v.key('zset')] + counted(v, 'zset'))
command('ZINTERCARD', lambda v: counted(v, 'zset') + ([b'LIMIT', v.small()] if v.chance(3) else []))
command('ZSCAN', on('zset', one_of(b'0'), one_of(b'COUNT'), one_of(b'100000')), 'scan_pairs')

# --- geo ------------------------------------------------------------------------------------------

PLACES = [(b'13.361389', b'38.115556', b'Palermo'), (b'15.087269', b'37.502669', b'Catania'),
          (b'2.3522', b'48.8566', b'Paris'), (b'-180', b'85', b'far'), (b'180', b'-85', b'south'),
          (b'0', b'0', b'null'), (b'181', b'0', b'bad'), (b'0', b'86', b'bad'), (b'x', b'1', b'bad')]


def place_name(v):
    return v.pick(PLACES)[2]


def unit(v):
    return v.pick([b'm', b'km', b'mi', b'ft', b'KM', b'yd'])


def around(v):
    if v.chance(2):
        center = [b'FROMMEMBER', place_name(v)]
    else:
        center = [b'FROMLONLAT', *v.pick(PLACES)[:2]]
    size = v.pick([[b'BYRADIUS', v.pick([b'200', b'2000', b'20000', b'0', b'-1', b'x'])],
                   [b'BYBOX', v.pick([b'400', b'9000']), v.pick([b'400', b'9000', b'0'])]])
    words = center + size + [unit(v)]
    ordered = v.pick([[b'ASC'], [b'DESC'], []])
    words += ordered
    if v.chance(4):
        words += [b'COUNT', v.small(-1, 4)]
        ordered = ordered or [b'COUNT']  # without an order COUNT sorts
    return words, bool(ordered)


def with_words(v):
    return [word for word in (b'WITHCOORD', b'WITHDIST', b'WITHHASH') if v.chance(3)]


def geosearch(v):
    words, ordered = around(v)
    return [v.key('geo')] + words + with_words(v), 'exact' if ordered else 'unordered'


def georadius(v):
    words = [v.key('geo'), *v.pick(PLACES)[:2], v.pick([b'200', b'20000', b'x']), unit(v)]
    return words + with_words(v) + [v.pick([b'ASC', b'DESC'])]


command('GEOADD', lambda v: [v.key('geo')] + v.maybe(b'CH') + v.maybe(v.pick([b'NX', b'XX'])) +
        [w for _ in range(1 + v.random.randrange(3)) for w in v.pick(PLACES)])
command('GEOPOS', lambda v: [v.key('geo')] + [place_name(v) for _ in range(v.random.randrange(3))])
command('GEOHASH', lambda v: [v.key('geo')] + [place_name(v) for _ in range(v.random.randrange(3))])
command('GEODIST', lambda v: [v.key('geo'), place_name(v), place_name(v)] + v.maybe(unit(v)))
command('GEOSEARCH', geosearch)
command('GEOSEARCHSTORE', lambda v: [v.key('geo'), v.key('geo')] + around(v)[0] +
        v.maybe(b'STOREDIST'))
command('GEORADIUS', georadius)
command('GEORADIUS_RO', georadius)
command('GEORADIUSBYMEMBER', lambda v: [v.key('geo'), place_name(v), b'9000', unit(v)] +
        with_words(v) + [v.pick([b'ASC', b'DESC'])])
command('GEORADIUSBYMEMBER_RO', lambda v: [v.key('geo'), place_name(v), b'9000', unit(v)] +
        with_words(v) + [v.pick([b'ASC', b'DESC'])])
