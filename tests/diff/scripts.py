#!/usr/bin/env python3
"""The libraries of scripts, ours against redis-server's: random expressions over cmsgpack, struct,
cjson, bit and string patterns, whose replies must have the same bytes.

    tests/diff/scripts.py [--count N] [--seed S] [--port P]

Needs build/release/script_runner and the package redis-tools. Known differences are the messages
that name an address, and what is listed in `is_known`.
"""
import argparse
import pathlib
import random
import subprocess
import sys
import tempfile
import time

from replies import Connection

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
REFERENCE = '/usr/bin/redis-check-rdb'  # the program redis-server under another name


class Runner:
    """Our interpreter."""

    def __init__(self):
        self.process = subprocess.Popen([ROOT / 'build/release/script_runner'],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def reply(self, text):
        self.process.stdin.write(b'%d\n%s' % (len(text), text))
        self.process.stdin.flush()
        return self.process.stdout.read(int(self.process.stdout.readline()))


class Values:
    """Random texts of Lua expressions."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def number(self):
        r = self.random
        return r.choice([
            lambda: str(r.randint(-40, 300)), lambda: str(r.randint(-2**33, 2**33)),
            lambda: repr(r.uniform(-1e6, 1e6)), lambda: f'{r.choice("+-")}2^{r.randint(0, 70)}'[1:],
            lambda: f'-2^{r.randint(0, 70)}', lambda: repr(r.uniform(-1, 1) * 10**r.randint(-300, 300)),
            lambda: f'({r.randint(-2**31, 2**31)} + 0.5)',
            lambda: r.choice(['1/0', '-1/0', '2^31', '2^32', '2^53', '-2^31', '2^63', '0', '-0.5'])])()

    def text(self, most=40):
        r = self.random
        size = r.choice([0, 1, 2, 5, 31, 32, r.randint(0, most), r.randint(0, 300)])
        letters = r.choice([b'ab', b'abc %-.[]()^$*+?x1', bytes(range(1, 256)), bytes(range(256)),
                            b'{}[],:"\\/ntrue1eE.-+u0aF'])
        return self.quoted(bytes(r.choice(letters) for _ in range(size)))

    @staticmethod
    def quoted(text):
        return "'" + ''.join(f'\\{byte:03d}' for byte in text) + "'"

    def value(self, depth=0):
        r = self.random
        kind = r.randint(0, 9 if depth < 4 else 5)
        if kind <= 2:
            return self.number()
        if kind <= 4:
            return self.text()
        if kind == 5:
            return r.choice(['true', 'false', 'nil', 'cjson.null'])
        if kind <= 7:
            return '{' + ','.join(self.value(depth + 1) for _ in range(r.randint(0, 5))) + '}'
        key = r.choice([self.text, self.number])()
        return '{[' + key + ']=' + self.value(depth + 1) + '}'

    def json(self, depth=0):
        r = self.random
        kind = r.randint(0, 9 if depth < 4 else 6)
        if kind == 0:
            return r.choice(['true', 'false', 'null', 'nul', 'tru', 'nan', '-inf', '+1', 'Infinity', ''])
        if kind <= 3:
            return r.choice(['0', '-1', '01', '0x1F', '1e5', '1.5', '-', '1e', '.5', '1.', '-0',
                             str(r.randint(-10**20, 10**20)), repr(r.uniform(-1e9, 1e9))])
        if kind <= 6:
            return '"' + ''.join(r.choice(['a', '\\n', '\\u00e9', '\\ud83d\\ude00', '\\ud83d', '\\x',
                                           '\\/', '\\"', 'z', '\\u12', '\x01', ' '])
                                 for _ in range(r.randint(0, 4))) + r.choice(['"', '"', '"', '"', ''])
        space = r.choice(['', ' ', '\n'])
        if kind <= 8:
            return '[' + (space + ',').join(self.json(depth + 1) for _ in range(r.randint(0, 4))) + \
                r.choice([']', ']', ']', ''])
        return '{' + ','.join(f'"{r.choice("abc")}"{space}:{self.json(depth + 1)}'
                              for _ in range(r.randint(0, 3))) + '}'

    def format(self):
        r = self.random
        return ''.join(r.choice(['b', 'B', 'h', 'H', 'l', 'L', 'T', 'f', 'd', 'x', 's', 'c0', '>', '<',
                                 '!', '!4', '!2', '!3', ' ', 'i', 'I', f'i{r.randint(0, 34)}',
                                 f'I{r.randint(1, 9)}', f'c{r.randint(0, 6)}', 'q'])
                       for _ in range(r.randint(0, 6)))

    def pattern(self):
        r = self.random
        return self.quoted(''.join(
            r.choice(['a', 'b', '.', '%a', '%d', '%s', '%w', '%p', '%%', '[ab]', '[^a]', '[a-c]', '[%w_]',
                      '(', ')', '()', '%1', '%b()', '%f[%w]', '^', '$', '[', ']', '-', '%'])
            + r.choice(['', '', '', '*', '+', '-', '?']) for _ in range(r.randint(0, 5))).encode())

    # Bytes are shown in hexadecimal: a zero byte ends a status, and nothing here is one.
    SHOW = ('local function show(...) local t = {} for i = 1, select("#", ...) do '
            'local v = select(i, ...) t[i] = type(v) == "number" and ("%.17g"):format(v) or '
            'type(v) == "table" and {"table", cmsgpack.pack(v)} or {type(v), v} end return t end ')

    def script(self):
        r = self.random
        many = lambda make, most: ','.join(make() for _ in range(r.randint(1, most)))
        kind = r.randint(0, 11)
        if kind == 0:
            return f'return show(cmsgpack.pack({many(self.value, 3)}))'
        if kind == 1:
            return f'return show(cmsgpack.unpack({self.text(20)}))'
        if kind == 2:
            return f'return show(cmsgpack.unpack_limit({self.text(20)}, {r.randint(-1, 3)}, {r.randint(-1, 9)}))'
        if kind == 3:
            arguments = ''.join(',' + r.choice([self.number, self.number, self.text])()
                                for _ in range(r.randint(0, 6)))
            return f'return show(struct.pack({self.quoted(self.format().encode())}{arguments}))'
        if kind == 4:
            return f'return show(struct.unpack({self.quoted(self.format().encode())}, {self.text()}' + \
                r.choice(['', f', {r.randint(-1, 12)}']) + '))'
        if kind == 5:
            return f'return show(struct.size({self.quoted(self.format().encode())}))'
        if kind == 6:
            return f'return show(cjson.encode({self.value()}))'
        if kind == 7:
            return f'return show(cjson.decode({self.quoted(self.json().encode())}))'
        if kind == 8:
            name = r.choice(['tobit', 'bnot', 'band', 'bor', 'bxor', 'lshift', 'rshift', 'arshift', 'rol',
                             'ror', 'bswap', 'tohex'])
            return f'return show(bit.{name}({many(self.number, 3)}))'
        subject = self.quoted(bytes(r.choice(b'ab1 (_)-') for _ in range(r.randint(0, 12))))
        if kind == 9:
            name = r.choice(['find', 'match'])
            return f'return show(string.{name}({subject}, {self.pattern()}' + \
                r.choice(['', f', {r.randint(-14, 14)}']) + '))'
        if kind == 10:
            by = r.choice([self.quoted(b'<%0%1>'), self.quoted(b'%2'), '{a="x", b=false}',
                           'function(...) return select("#", ...) end'])
            return f'return show(string.gsub({subject}, {self.pattern()}, {by}' + \
                r.choice(['', f', {r.randint(-1, 3)}']) + '))'
        return (f'local t = {{}} for a, b in string.gmatch({subject}, {self.pattern()}) do '
                't[#t + 1] = tostring(a) .. tostring(b) end return t')


def is_known(script, ours, theirs):
    """Where redis-server prints an address, or orders the keys of a table by their addresses."""
    return b': 0x' in theirs or (b'cmsgpack' in script and sorted(ours) == sorted(theirs))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--count', type=int, default=20000)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--port', type=int, default=7391)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server = subprocess.Popen(
            ['redis-server', '--port', str(options.port), '--bind', '127.0.0.1', '--save', '', '--dir',
             folder], executable=REFERENCE, stdout=subprocess.DEVNULL)
        try:
            for _ in range(100):
                try:
                    connection = Connection(options.port)
                    break
                except OSError:
                    time.sleep(0.05)
            failed = compare(connection, Runner(), options)
        finally:
            server.kill()
            server.wait()
    print(f'PASS {options.count - failed} FAIL {failed}')
    return 1 if failed else 0


def raw_reply(connection, request):
    connection.send(request)
    connection.skip()
    reply = bytes(connection.buffer[:connection.at])
    connection.forget()
    return reply


def compare(connection, runner, options):
    values, failed = Values(options.seed), 0
    for number in range(options.count):
        script = (Values.SHOW + values.script()).encode('latin-1')
        request = b'*3\r\n$4\r\nEVAL\r\n$%d\r\n%s\r\n$1\r\n0\r\n' % (len(script), script)
        theirs = raw_reply(connection, request)
        ours = runner.reply(script)
        if ours != theirs and not is_known(script, ours, theirs):
            failed += 1
            if failed <= 20:
                print(f'#{number}\n  {script[len(Values.SHOW):]!r}\n  theirs {theirs!r}\n  ours   {ours!r}')
        if number % 500 == 499:  # redis-server keeps every script
            raw_reply(connection, b'SCRIPT FLUSH\r\n')
    return failed


if __name__ == '__main__':
    sys.exit(main())
