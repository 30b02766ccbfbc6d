#!/usr/bin/env python3
"""Random scripts to this server and to Debian's redis-server; their replies and their keys must be equal.

    tests/diff/script_calls.py [--count N] [--seed S]

A script is drawn from a grammar: commands through redis.call and redis.pcall, errors that are caught and
errors that are not, values of every kind that a reply can have, RESP3 inside and outside, keys that are
declared and keys that are not, #! lines, EVALSHA and the read-only forms. Needs build/release/slotcar-server
and the package redis-tools. A failure prints the script.
"""
import argparse
import pathlib
import random
import socket
import subprocess
import sys
import tempfile
import time

from replies import Connection, encode

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
REFERENCE = '/usr/bin/redis-check-rdb'  # the program redis-server under another name
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
        """The words of a command. Members of sets are whole numbers, which both servers keep in order."""
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
        ])())

    def value(self, depth=0):
        r = self.random
        kind = r.randint(0, 15 if depth < 3 else 7)
        if kind <= 3:
            return r.choice([self.scalar(), '3.99', '-3.99', '1/0', '2^63', "'a\\0b'", "'\\r\\n'"])
        if kind <= 5:
            return r.choice(['true', 'false', 'nil', '#KEYS', '#ARGV', 'type(KEYS)', 'v'])
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

    def statement(self, depth=0):
        r = self.random
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
        flags = r.choice(['', '', '', '', '', '', '', '', '', '', '', '', '', '#!lua\n', '#!lua\n', '#!lua flags=no-writes\n', '#!lua flags=allow-oom,allow-stale\n',
                          '#!lua flags=nosuch\n', '#!nosuch\n', '#!lua nosuch=1\n'])
        return flags + 'local v\n' + '\n'.join(lines)

    def call(self, text):
        r = self.random
        name = r.choice(['EVAL', 'EVAL', 'EVAL', 'EVAL', 'EVALSHA', 'EVALSHA', 'EVAL_RO', 'EVALSHA_RO'])
        keys = KEYS[:r.choice([6, 6, 6, 6, 5, 4, 2, 0])]
        count = str(len(keys)) if r.random() < 0.98 else r.choice(['-1', '9', 'x', '1.5'])
        return name, [count, *keys, *(r.choice(['a', '1', '2.5', '']) for _ in range(r.randint(0, 2)))]


class Server:
    def __init__(self, name, command, executable, folder):
        with socket.socket() as probe:
            probe.bind(('127.0.0.1', 0))
            self.port = probe.getsockname()[1]
        folder = pathlib.Path(folder) / name
        folder.mkdir()
        self.process = subprocess.Popen(
            [*command, '--port', str(self.port), '--bind', '127.0.0.1', '--save', '', '--dir', str(folder)],
            executable=executable, stdout=open(folder / 'log', 'wb'), stderr=subprocess.STDOUT)
        for _ in range(200):
            try:
                self.connections = [Connection(self.port), Connection(self.port)]
                break
            except OSError:
                time.sleep(0.05)
        self.connections[1].call('HELLO', '3')

    def raw(self, which, *words):
        connection = self.connections[which]
        connection.send(encode([word if isinstance(word, bytes) else word.encode('latin-1') for word in words]))
        connection.skip()
        reply = bytes(connection.buffer[:connection.at])
        connection.forget()
        return reply

    def stop(self):
        self.process.kill()
        self.process.wait()


def is_known(script, ours, theirs):
    """Tables have no order, so neither have maps and sets that were one."""
    return (b'map' in script or b'set' in script) and sorted(ours) == sorted(theirs)


def contents(server):
    found = []
    for key in KEYS:
        found.append(server.raw(0, 'EVAL', "local t = redis.call('type', KEYS[1]).ok "
                                "local r = {t, redis.call('ttl', KEYS[1]) > 0} "
                                "if t == 'string' then r[3] = redis.call('get', KEYS[1]) "
                                "elseif t == 'list' then r[3] = redis.call('lrange', KEYS[1], 0, -1) "
                                "elseif t == 'hash' then r[3] = redis.call('hgetall', KEYS[1]) "
                                "elseif t == 'set' then r[3] = redis.call('smembers', KEYS[1]) "
                                "elseif t == 'zset' then r[3] = redis.call('zrange', KEYS[1], 0, -1, 'withscores') "
                                "elseif t == 'stream' then r[3] = redis.call('xrange', KEYS[1], '-', '+') end "
                                "return r", '1', key))
    return found


def compare(ours, theirs, options):
    scripts, failed, old, errors = Scripts(options.seed), 0, [], 0
    for number in range(options.count):
        # A text that was run before is run again, so that what is known of it matters.
        reused = old and scripts.random.random() < 0.6
        text = scripts.random.choice(old) if reused else scripts.script()
        old = ([text] + old)[:50] if not reused else old
        name, rest = scripts.call(text)
        what = text
        if name.startswith('EVALSHA'):
            replies = [server.raw(0, 'SCRIPT', 'LOAD', text) for server in (ours, theirs)]
            if replies[0] != replies[1]:
                failed += 1
                print(f'#{number} SCRIPT LOAD\n{text}\n  theirs {replies[1]!r}\n  ours   {replies[0]!r}')
            what = replies[1].split(b'\r\n')[1] if replies[1].startswith(b'$') else b'0' * 40
        which = scripts.random.randint(0, 1)
        replies = [server.raw(which, name, what, *rest) for server in (ours, theirs)]
        errors += replies[1].startswith(b'-')
        same = replies[0] == replies[1] or is_known(text.encode('latin-1'), *replies)
        if same and number % 20 == 0:
            replies = [contents(server) for server in (ours, theirs)]
            same = replies[0] == replies[1]
        if not same:
            failed += 1
            if failed <= options.shown:
                print(f'#{number} {name} {rest} RESP{which + 2}\n{text}\n  theirs {replies[1]!r}\n  ours   {replies[0]!r}')
            for server in (ours, theirs):
                server.raw(0, 'FLUSHALL')
        if number % 500 == 499:
            for server in (ours, theirs):
                server.raw(0, 'FLUSHALL')
                server.raw(0, 'SCRIPT', 'FLUSH')
            old = []
    print(f'{errors} replies were errors')
    return failed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--count', type=int, default=20000)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--shown', type=int, default=10)
    parser.add_argument('--server', default=str(ROOT / 'build/release/slotcar-server'))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        servers = []
        try:
            servers.append(Server('ours', [options.server, '--appendonly', 'no'], options.server, folder))
            servers.append(Server('theirs', ['redis-server'], REFERENCE, folder))
            failed = compare(*servers, options)
        finally:
            for server in servers:
                server.stop()
    print(f'PASS {options.count - failed} FAIL {failed}')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
