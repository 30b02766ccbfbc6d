"""Values: what the arguments of random commands are made of.

All keys of a type share a few names, so that commands meet each other's work. Most commands get a key
of their own type, some another's, some one that is never set.
"""

TYPES = {
    'string': [b's1', b's2', b's3', b's4'],
    'number': [b'n1', b'n2', b'n3'],
    'bitmap': [b'b1', b'b2', b'b3'],
    'counter': [b'p1', b'p2', b'p3'],
    'list': [b'l1', b'l2', b'l3'],
    'hash': [b'h1', b'h2', b'h3'],
    'set': [b't1', b't2', b't3', b't4'],
    'zset': [b'z1', b'z2', b'z3'],
    'stream': [b'x1', b'x2'],
    'geo': [b'g1', b'g2'],
}
# Sorted sets all of whose scores are equal: only for those is an order by name defined, so no
# other command may touch them.
LEX_KEYS = [b'y1', b'y2']
COMMON_KEYS = [key for keys in TYPES.values() for key in keys]
ALL_KEYS = COMMON_KEYS + LEX_KEYS

INTEGER_EDGES = [
    b'0', b'-0', b'1', b'-1', b'2', b'3', b'10', b'-10', b'100', b'127', b'128', b'255', b'256',
    b'32767', b'32768', b'65535', b'65536', b'2147483647', b'2147483648', b'-2147483648',
    b'-2147483649', b'4294967295', b'4294967296', b'9007199254740993', b'9223372036854775807',
    b'-9223372036854775808', b'9223372036854775808', b'-9223372036854775809',
    b'18446744073709551615', b'18446744073709551616', b'+1', b'01', b' 1', b'1 ', b'', b'1.0',
    b'1e3', b'0x10', b'abc', b'99999999999999999999999999',
]
FLOAT_EDGES = [
    b'0', b'-0', b'1', b'-1', b'1.5', b'-1.5', b'3.0e3', b'1e-5', b'0.1', b'1e308', b'-1e308', b'1e309',
    b'5e-324', b'inf', b'-inf', b'+inf', b'Infinity', b'nan', b'-nan', b'NaN', b'', b'abc', b'1.', b'.5',
    b'0x1p4', b'1 ', b' 1', b'3.14159265358979323846', b'9007199254740993', b'17179869184.25',
]
TEXTS = [
    b'', b'a', b'b', b'c', b'd', b'foo', b'bar', b'foobar', b'Hello World', b'1', b'2', b'10', b'-5',
    b'3.25', b'\x00', b'\x00\xff\x80', b'a\r\nb', b'x' * 44, b'y' * 45, b'z' * 64, b'w' * 65,
    b'9223372036854775807', b'-9223372036854775808', b'9223372036854775808', b'007', b' 7', b'1e5',
]
MEMBERS = ([b'm%d' % i for i in range(12)] + [b'%d' % i for i in range(-3, 9)] +
           [b'', b'\x00\xff', b'70000', b'5000000000', b'v' * 70])


class Values:
    """Random arguments, from one seeded source."""

    def __init__(self, random):
        self.random = random

    def chance(self, one_in):
        return self.random.randrange(one_in) == 0

    def pick(self, choices):
        return choices[self.random.randrange(len(choices))]

    def key(self, kind):
        draw = self.random.randrange(100)
        if draw < 90:
            return self.pick(TYPES[kind])
        if draw < 97:
            return self.pick(COMMON_KEYS)
        return b'absent'

    def any_key(self):
        return b'absent' if self.chance(20) else self.pick(COMMON_KEYS)

    def lex_key(self):
        return self.pick(LEX_KEYS)

    def keys(self, kind, most=3):
        return [self.key(kind) for _ in range(1 + self.random.randrange(most))]

    def integer(self):
        draw = self.random.randrange(10)
        if draw < 7:
            return b'%d' % self.random.randrange(-20, 40)
        if draw < 8:
            return b'%d' % self.random.randrange(-(1 << 40), 1 << 40)
        return self.pick(INTEGER_EDGES)

    def small(self, low=-12, high=12):
        """Counts and ranks: mostly near the sizes that occur."""
        if self.chance(25):
            return self.pick(INTEGER_EDGES)
        return b'%d' % self.random.randrange(low, high)

    def count(self, high=8):
        """A number that is never large: where a large one makes a server work for ever."""
        return b'%d' % self.random.randrange(0, high)

    def real(self):
        draw = self.random.randrange(10)
        if draw < 4:
            return b'%d' % self.random.randrange(-10, 20)
        if draw < 7:
            return b'%.*g' % (self.random.randrange(1, 17), self.random.uniform(-100, 100))
        return self.pick(FLOAT_EDGES)

    def text(self):
        draw = self.random.randrange(12)
        if draw < 8:
            return self.pick(TEXTS)
        if draw < 10:
            return b'%d' % self.random.randrange(-1000, 100000)
        if draw < 11:
            return bytes(self.random.randrange(256) for _ in range(self.random.randrange(1, 40)))
        return self.pick([b'q', b'rs', b'\x00']) * self.random.randrange(1, 700)

    def member(self):
        draw = self.random.randrange(20)
        if draw < 17:
            return self.pick(MEMBERS)
        if draw < 19:
            return b'%d' % self.random.randrange(0, 400)
        return self.text()

    def members(self, most=6):
        # Now and then many, so that packed forms give way to the others.
        if self.chance(60):
            start = self.random.randrange(0, 1000)
            return [b'%d' % (start + i) for i in range(self.random.randrange(100, 700))]
        return [self.member() for _ in range(1 + self.random.randrange(most))]

    def score_bound(self):
        draw = self.random.randrange(12)
        if draw < 2:
            return b'-inf'
        if draw < 4:
            return b'+inf'
        prefix = b'(' if self.chance(4) else b''
        return prefix + self.real()

    def lex_bound(self):
        draw = self.random.randrange(12)
        if draw < 3:
            return b'-'
        if draw < 6:
            return b'+'
        if draw < 7:
            return self.text()
        return self.pick([b'[', b'(']) + self.member()

    def stream_id(self, open_ends=True):
        draw = self.random.randrange(14)
        if open_ends and draw < 2:
            return b'-'
        if open_ends and draw < 4:
            return b'+'
        if draw < 5:
            return b'%d' % self.random.randrange(0, 60)
        if draw < 6:
            return self.pick([b'0', b'0-0', b'0-1', b'abc', b'1-', b'-1-1', b'1-1-1', b'',
                              b'18446744073709551615-18446744073709551615',
                              b'18446744073709551616-0', b'18446744073709551615'])
        return b'%d-%d' % (self.random.randrange(0, 60), self.random.randrange(0, 4))

    def maybe(self, *words):
        """The words, or nothing."""
        return list(words) if self.chance(3) else []

    def far_time(self, unit):
        """A time to live that no test lives to see, or one that is over."""
        draw = self.random.randrange(10)
        if draw < 7:
            return b'%d' % (self.random.randrange(1000, 100000) * unit)
        if draw < 8:
            return b'%d' % -self.random.randrange(0, 1000)
        return self.pick([b'0', b'abc', b'', b'9223372036854775807', b'-9223372036854775808',
                          b'9223372036854775', b'10000000000000000000'])
