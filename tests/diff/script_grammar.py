"""The grammar of script_calls.py: scripts and how they are called, drawn at random."""
import random

KEYS = [f'key:{i}' for i in range(6)]
TYPES = 'string list hash set zset stream'.split()  # of each key, as a rule


class Scripts:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def key(self, kind=None):
        """Declared, or not, or built by the script; mostly one whose value has that type."""
        r = self.random
        number = r.randint(0, 5) if kind is None or r.random() < 0.05 else TYPES.index(kind)
        return r.choice([f'KEYS[{number + 1}]', f"'{KEYS[number]}'", f"('key:' .. {number})"])

    def scalar(self):
        r = self.random
        return r.choice([str(r.randint(-5, 20)), f"'{r.choice('abc')}'", "ARGV[1]", "ARGV[2]", '1.5', '2^53', '1e20',
                         '-0.25', "''"])

    def number(self):
        return str(self.random.randint(-3, 9))

    def command(self):
        """The words of a command. Members of sets are whole numbers, which both servers keep in order. Without what Redis 7.2 changed:
        doubles are sums of powers of two and no NaN, nothing blocks."""
        r, k, s, n = self.random, self.key, self.scalar, self.number
        t, l, h, m, z, x = ((lambda kind=kind: k(kind)) for kind in TYPES)
        if r.random() < 0.04:
            return ', '.join(r.choice([
                ["'nosuch'", s()], ["'get'"], ["'set'", k()], ["'subscribe'", "'c'"], ["'eval'", "'return 1'", '0'],
                ["'multi'"], ["'client'", "'nosuch'"], ["'set'", k(), 'nil'], ["'set'", k(), '{}'], [], ["'get'", 'true']]))
        return ', '.join(r.choice([
            lambda: ["'set'", t(), s()], lambda: ["'SET'", t(), s(), "'px'", '1000000', "'get'"],
            lambda: ["'get'", t()], lambda: ["'set'", t(), n()], lambda: ["'incrbyfloat'", t(), '0.5'],
            lambda: ["'append'", t(), s()], lambda: ["'mget'", k(), k(), k()], lambda: ["'mset'", t(), s(), t(), s()],
            lambda: ["'getrange'", t(), n(), n()], lambda: ["'del'", k(), k()], lambda: ["'exists'", k(), k()],
            lambda: ["'type'", k()], lambda: ["'rpush'", l(), s(), s()], lambda: ["'lpop'", l()],
            lambda: ["'lpop'", l(), n()], lambda: ["'lrange'", l(), n(), n()], lambda: ["'llen'", l()],
            lambda: ["'lmove'", l(), l(), "'left'", "'right'"],
            lambda: ["'hset'", h(), s(), s()], lambda: ["'hget'", h(), s()], lambda: ["'hgetall'", h()],
            lambda: ["'hincrby'", h(), s(), n()], lambda: ["'hmget'", h(), s(), s()], lambda: ["'hlen'", h()],
            lambda: ["'sadd'", m(), n(), n()], lambda: ["'smembers'", m()], lambda: ["'sismember'", m(), n()],
            lambda: ["'srem'", m(), n()], lambda: ["'scard'", m()], lambda: ["'sunionstore'", m(), m(), m()],
            lambda: ["'zadd'", z(), n(), s()], lambda: ["'zadd'", z(), "'incr'", '1.5', s()],
            lambda: ["'zscore'", z(), s()], lambda: ["'zrange'", z(), '0', '-1', "'withscores'"],
            lambda: ["'zpopmin'", z()], lambda: ["'zmscore'", z(), s(), s()], lambda: ["'zrank'", z(), s()],
            lambda: ["'xadd'", x(), f"'{r.randint(1, 99)}-{r.randint(1, 9)}'", "'f'", s()],
            lambda: ["'xrange'", x(), "'-'", "'+'"], lambda: ["'xlen'", x()], lambda: ["'del'", x()],
            lambda: ["'setbit'", t(), '7', '1'], lambda: ["'bitcount'", t()], lambda: ["'persist'", k()],
            lambda: ["'ping'"], lambda: ["'echo'", s()], lambda: ["'getdel'", t()], lambda: ["'copy'", t(), t()],
            lambda: ["'select'", '0'], lambda: ["'dbsize'"], lambda: ["'publish'", "'c'", s()],
            lambda: ["'incr'", t()], lambda: ["'setrange'", t(), '3', s()], lambda: ["'getex'", t(), "'persist'"],
            lambda: ["'lpos'", l(), s()], lambda: ["'linsert'", l(), "'before'", s(), s()], lambda: ["'lset'", l(), n(), s()],
            lambda: ["'hsetnx'", h(), s(), s()], lambda: ["'hincrbyfloat'", h(), s(), '0.25'], lambda: ["'hdel'", h(), s()],
            lambda: ["'smismember'", m(), n(), n()], lambda: ["'sintercard'", '2', m(), m()], lambda: ["'zincrby'", z(), '0.125', s()],
            lambda: ["'zrangebyscore'", z(), "'-inf'", "'(5'", "'withscores'", "'limit'", '0', '2'],
            lambda: ["'zunion'", '2', z(), z(), "'withscores'"], lambda: ["'zpopmax'", z(), '2'], lambda: ["'zadd'", z(), '2^40', s()],
            lambda: ["'zadd'", z(), "'inf'", s()], lambda: ["'xrevrange'", x(), "'+'", "'-'", "'count'", '1'],
            lambda: ["'xread'", "'count'", '1', "'streams'", x(), "'0'"],
            lambda: ["'getbit'", t(), '7'], lambda: ["'bitfield'", t(), "'get'", "'u4'", '0', "'incrby'", "'i5'", '3', '1'],
            lambda: ["'pfadd'", "'hll'", s()], lambda: ["'pfcount'", "'hll'"], lambda: ["'rename'", t(), t()],
            lambda: ["'touch'", k(), k()], lambda: ["'unlink'", k()],
            lambda: ["'keys'", "'key:0'"], lambda: ["'expireat'", t(), '33177117420'], lambda: ["'expiretime'", t()],
        ])())

    def value(self, depth=0):
        r = self.random
        kind = r.randint(0, 15 if depth < 3 else 7)
        if kind <= 3:
            return r.choice([self.scalar(), '3.99', '-3.99', '1/0', '2^63', "'a\\0b'", "'\\r\\n'", self.library()])
        if kind <= 5:
            return r.choice(['true', 'false', 'nil', '#KEYS', '#ARGV', 'type(KEYS)', 'v'])
        if kind <= 7 and r.random() < 0.5:
            return self.typed(depth)
        if kind <= 7:
            return r.choice(["{ok='fine'}", "{err='MY mistake'}", "{err='nospace'}", "{ok='a\\r\\nb'}",
                             "redis.status_reply('st')", "redis.error_reply('EE rr')", "redis.error_reply('-AA b')",
                             "redis.error_reply('plain')", "{double=3.25}", "{big_number='123456789012345678901234567890'}",
                             "{map={a=1}}", "{set={x=true}}", "{verbatim_string={string='txt', format='txt'}}",
                             "redis.sha1hex('x')", "{map={}}", "{set={}}", "cjson.encode({1, 'x'})"])
        if kind <= 10:
            return '{' + ', '.join(self.value(depth + 1) for _ in range(r.randint(0, 4))) + '}'
        if kind <= 13:
            return f"redis.{r.choice(['call', 'pcall', 'pcall'])}({self.command()})"
        return f"{{map={{a={self.value(depth + 1)}}}}}"

    def typed(self, depth):
        """Tables that are made into other replies than arrays, and some that only look like it."""
        r = self.random
        value = self.value(depth + 1) if depth < 3 else self.scalar()
        number = r.choice(['0', '-0', '1/0', '-1/0', '0.125', '2^53', '1e15', '123456789.125', "'3'", '{}', 'nil'])
        text = r.choice(["'12'", "'-12345678901234567890123'", "'a\\r\\nb'", "''", '12', '1.5', '{}'])
        return r.choice([
            f'{{double={number}}}', f'{{double={number}}}', f'{{big_number={text}}}', f'{{map={{[{self.scalar()}]={value}}}}}',
            f'{{map={{[true]={value}}}}}', f'{{set={{[{self.scalar()}]=true}}}}', f'{{set={{[{self.scalar()}]={value}}}}}',
            f"{{verbatim_string={{format={text}, string={text}}}}}", f"{{verbatim_string={text}}}", '{map=1}', "{set='x'}",
            f'{{ok={text}}}', f'{{err={text}}}', f"{{err='A b', ok='c'}}", f"{{err='A b', 1, 2}}", f"{{ok='c', map={{a=1}}}}",
            f'redis.status_reply({text})', f'redis.error_reply({text})', 'redis.status_reply()', 'redis.error_reply()',
            "redis.error_reply('A', 'b')", "redis.error_reply('-')", "redis.error_reply('--A b')", "redis.error_reply('')",
            f'{{1, nil, {value}}}', f'{{[2]={value}}}', f'{{nil, {value}}}', f'{{{value}, x=1}}', f'{{{{{value}}}, {{}}}}',
            f"setmetatable({{}}, {{__index=function(_, k) return {value} end}})", "setmetatable({1}, {__index={err='E x'}})",
            "setmetatable({}, {__tostring=function() return 'x' end})", 'function() end', 'coroutine.create(function() end)',
            'KEYS', 'ARGV', '{KEYS, ARGV}', '{false, true, 1.9, -1.9}', '{{map={a={set={b=true}}}}}', '{{double=1.5}, {map={}}}'])

    def plain(self, depth=0):
        """A value with at most one name in each table, so that its order is known."""
        r = self.random
        if depth < 3 and r.random() < 0.4:
            inner = [self.plain(depth + 1) for _ in range(r.randint(0, 3))]
            return '{' + ', '.join(inner) + '}' if r.random() < 0.6 else f"{{{r.choice(['a', 'long_name'])}={(inner + ['1'])[0]}}}"
        return r.choice(['1', '-1', '0', '127', '128', '-128', '255', '256', '65535', '65536', '2^31', '2^32', '2^53', '-2^31', '1.5',
                         '1e300', '-0.1', '1e15', '1/3', 'true', 'false', "''", "'x'", "'a\\0b'", "'\\195\\188'", "'\\255'", "'\\\\/\"'",
                         "('x'):rep(40)", "('x'):rep(300)", 'ARGV[1]', 'KEYS[1]', 'cjson.null', 'v', '{[1]=1, [3]=3}', '{[5]=1}'])

    def library(self):
        """What Redis gives to scripts beside redis.call."""
        r, p = self.random, self.plain
        json = r.choice(['[1,2.5,"x",null,true]', '{"a":{"b":[]}}', '[]', '{}', '"\\\\u00fc"', '1e5', '[1,]', '{"a"}', 'nul', '', '[[[1]]]',
                         '12345678901234567890', '-0', '{"a":1}x', '[1e400]', '"\\\\ud800"', '[0x10]', '[NaN]', '[01]', ' [ 1 ] '])
        number = lambda: r.choice(['0', '1', '-1', '255', '2^31', '2^32 - 1', '-2^31', '1.5', '1e10', '65536'])
        return r.choice([
            lambda: f'cjson.encode({p()})', lambda: f'cjson.decode(cjson.encode({p()}))', lambda: f"cjson.decode('{json}')",
            lambda: f'cmsgpack.pack({p()})', lambda: f'cmsgpack.pack({p()}, {p()})', lambda: f'cmsgpack.unpack(cmsgpack.pack({p()}))',
            lambda: f'{{cmsgpack.unpack(cmsgpack.pack({p()}, {p()}))}}', lambda: f'{{cmsgpack.unpack_one(cmsgpack.pack({p()}, {p()}))}}',
            lambda: f"cmsgpack.unpack('{r.choice(['', chr(92) + '193', chr(92) + '146' + chr(92) + '1', chr(92) + '129' + chr(92) + '1' + chr(92) + '2', chr(92) + '217' + chr(92) + '9x'])}')",
            lambda: f"struct.pack('{r.choice(['>I2', '<i4', 'Bb', 's', 'd', '>f', 'i8', '!4bi', 'c3'])}', {r.choice([number(), chr(39) + 'abc' + chr(39)])}, {number()})",
            lambda: f"{{struct.unpack('{r.choice(['>I2', '<i4', 'B', 's', 'h', 'c0'])}', {r.choice([chr(39) + 'abcdefg' + chr(39), 'ARGV[1]'])})}}",
            lambda: f"bit.{r.choice(['band', 'bor', 'bxor', 'lshift', 'rshift', 'arshift', 'rol', 'ror'])}({number()}, {number()})",
            lambda: f"bit.{r.choice(['tobit', 'bnot', 'bswap', 'tohex'])}({number()})",
            lambda: f'tostring({number()} / {number()})', lambda: f'{number()} .. {self.scalar()}', lambda: f'tonumber({self.scalar()}, {r.choice([2, 10, 16, 36])})',
            lambda: f"string.format('{r.choice(['%d', '%5.1f', '%s', '%q', '%x', '%g', '%c', '%i|', '%e'])}', {r.choice([number(), self.scalar()])})",
            lambda: f"('{r.choice(['hello world', 'a,b,c', 'x'])}'):{r.choice(['upper()', 'sub(2, -2)', 'find(%s)', 'rep(3)', 'reverse()', 'byte(1, -1)', 'gsub(%s, %s)', 'match(%s)', 'len()'])}".replace(
                '%s', "'" + r.choice(['o', '%a+', '(.)(.)', '[a-c]', '^x', '%', '', '%1', '.-$']) + "'"),
            lambda: f'table.concat({r.choice(["KEYS", "ARGV", "{1, 2.5, 1e20}", "{{}}"])}, {r.choice([chr(39) + "," + chr(39), "nil", "1"])})',
            lambda: f'{{unpack({{1, 2, 3}}, {r.choice([1, 0, -1, 2])}, {r.choice([1, 2, 3, 5])})}}', lambda: 'select("#", unpack(KEYS))',
            lambda: f'math.{r.choice(["floor", "ceil", "abs", "sqrt"])}({number()})', lambda: f'math.max({number()}, {number()})',
            lambda: '(function() math.randomseed(7) return math.random(1000) end)()', lambda: 'math.fmod(7, 3)', lambda: "#('x'):rep(1000)", lambda: f'redis.sha1hex({self.scalar()})',
            lambda: f"redis.acl_check_cmd({r.choice([chr(39) + 'get' + chr(39) + ', KEYS[1]', chr(39) + 'nosuch' + chr(39), '1'])})",
            lambda: f'redis.set_repl({r.choice(["redis.REPL_ALL", "redis.REPL_NONE", "7", ""])})', lambda: 'redis.replicate_commands()',
            lambda: f"redis.log({r.choice(['redis.LOG_DEBUG', '9', chr(39) + 'x' + chr(39)])}, 'text')", lambda: 'redis.breakpoint()',
            lambda: f'{r.choice(["type", "tonumber", "rawget", "rawequal", "next", "ipairs", "assert", "unpack", "#", "-", "not "])}({r.choice(["v", "{}", "nil", "KEYS", self.scalar()])})',
        ])()

    def caught(self):
        """What is seen of an error by the script, and what becomes of it when it is raised again."""
        call = f"redis.pcall({self.command() or chr(39) + 'ping' + chr(39)})"
        return self.random.choice([
            f"v = {call} if type(v) == 'table' and v.err then v = {{v.err, v.line or 'no line', v.source and #v.source, v.ignore_error_stats_update}} end",
            f"v = {call} if type(v) == 'table' and v.err then return v end", f"v = {call} if type(v) == 'table' and v.err then error(v) end",
            f"v = {call} if type(v) == 'table' and v.err then error(v.err) end", f"v = {call} if type(v) == 'table' and v.err then error(v.err, 0) end",
            f"v = {call} if type(v) == 'table' and v.err then v = redis.error_reply(v.err) end",
            f"local ok, e = pcall(error, {self.value(2)}) v = {{ok, type(e) == 'table' and (e.err or 'table') or tostring(e):gsub('0x%x+', '')}}",
            f"local ok, e = xpcall(function() v = redis.call({self.command()}) end, function(e) return type(e) == 'table' and e.err or 'other' end) v = {{ok, e}}",
            f"assert(pcall(redis.call, {self.command() or 'nil'}))", f"v = {{pcall(redis.pcall, {self.command() or 'nil'})}}"])

    def statement(self, depth=0):
        r = self.random
        if r.random() < 0.15:
            return self.caught()
        kind = r.randint(0, 14 if depth < 2 else 7)
        call = r.choice(['call', 'call', 'pcall'])
        if kind <= 5:
            return f"v = redis.{call}({self.command()})"
        if kind == 6:
            return f"redis.setresp({r.choice([2, 3, 3])})"
        if kind == 7:
            return r.choice([f"v = {self.value()}", "v = type(v)", "if type(v) == 'table' then v = v.err or v.ok or #v end",
                             "v = tostring(v == false) .. tostring(v == nil)", "v = tonumber(v) or v",
                             "if type(v) == 'table' and v.map then v = v.map.a or 'map' end"])
        if kind == 8:
            return f"local ok, e = pcall(redis.call, {self.command() or 'nil'}) v = {{ok, type(e) == 'table' and e.err or type(e)}}"
        if kind == 9:
            return f"for i = 1, {r.randint(0, 3)} do {self.statement(depth + 1)} end"
        if kind == 10:
            return f"if {r.choice(['v', 'not v', 'ARGV[1]', 'KEYS[1]'])} then {self.statement(depth + 1)} end"
        if kind == 11 and r.random() < 0.2:
            return r.choice(["error('mistake')", "error({err='MY own'})", "v = v.nosuch.field", "v = nosuch", "x = 1",
                             "v = redis.nosuch()", "error()", "v = {} .. 'x'", "error('a', 2)", "redis.setresp(4)"])
        if kind == 12:
            return f"v = select(2, pcall(function() {self.statement(depth + 1)} return {self.value()} end))" + \
                " if type(v) == 'string' then v = v:gsub('0x%x+', '') end"
        if kind == 13:
            return f"v = coroutine.wrap(function() {self.statement(depth + 1)} coroutine.yield(v) end)()"
        return f"local k = 'key:' .. {r.randint(0, 5)} v = redis.{call}('exists', k)"

    def script(self):
        r = self.random
        lines = [self.statement() for _ in range(r.randint(0, 5))]
        lines.append(r.choice(['return v', 'return v', f'return {self.value()}', f'return {{v, {self.value()}}}', '',
                               f"return redis.call({self.command() or chr(39) + 'ping' + chr(39)})"]))
        if r.random() < 0.01:
            lines.append('this is no Lua')
        good = ['#!lua', '#!lua flags=no-writes', '#!lua flags=allow-oom,allow-stale', '#!lua flags=no-cluster', '#!lua flags=',
                '#!lua flags=allow-cross-slot-keys', '#!lua flags=no-writes,allow-oom', '#!lua flags=no-writes flags=allow-oom']
        bad = ['#!lua flags=nosuch', '#!nosuch', '#!lua nosuch=1', '#!lua name=x', '#!', '#!lua  flags=,', '#!lua no-writes']
        flags = r.choices(['', r.choice(good) + '\n', r.choice(bad) + '\n'], [70, 26, 4])[0]
        return flags + 'local v\n' + '\n'.join(lines)

    def function_library(self):
        """A library with the functions `f`, `g` and `h`."""
        r = self.random
        text = r.choice(['#!lua name=lib\n'] * 20 + ['#!lua name=lib other=1\n', '#!lua\n', '#!lua name=a-b\n', 'return 1\n', '#!js name=lib\n'])
        text += r.choice([''] * 10 + ['local shared = 0\n', "redis.call('ping')\n", 'x = 1\n', 'local y = nosuch\n', 'error("early")\n', 'v.x = 1\n'])
        for name in 'fgh':
            names = r.choice(['KEYS, ARGV'] * 8 + ['keys, args', 'KEYS', ''])
            lines = [self.statement() for _ in range(r.randint(0, 3))] + [r.choice(['return v', f'return {self.value()}'])]
            body = f'function({names}) local v\n' + '\n'.join(lines) + '\nend'
            if r.random() < 0.5:
                text += f"redis.register_function('{name}', {body})\n"
            else:
                flags = r.choice(["", "flags={'no-writes'}, ", "flags={'no-writes'}, ", "flags={'allow-oom', 'allow-stale'}, ", "description='d', "] * 4
                                 + ["flags={'nosuch'}, ", 'flags=1, ', 'other=1, ', 'description={}, '])
                text += f"redis.register_function{{function_name='{name}', {flags}callback={body}}}\n"
        return text

    def call(self, text):
        """The name of the command, and what follows the script, its SHA or the name of a function."""
        r = self.random
        if text is None:
            name = r.choice(['FCALL'] * 5 + ['FCALL_RO'])
        else:
            name = r.choice(['EVAL'] * 7 + ['EVALSHA'] * 4 + ['EVAL_RO', 'EVALSHA_RO'])
        keys = KEYS[:r.choice([6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 5, 4, 2, 0])]
        count = str(len(keys)) if r.random() < 0.98 else r.choice(['-1', '9', 'x', '1.5'])
        return name, [count, *keys, *(r.choice(['a', '1', '2.5', '']) for _ in range(r.choice([2, 2, 2, 2, 1, 0])))]
