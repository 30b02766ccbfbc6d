"""Replies: reading them from a socket, and comparing those of two servers.

A reply in RESP2 or RESP3 becomes a Python value that keeps its type: bytes for bulk strings, int,
None, list, and Typed for all others. Comparing goes by a rule, given by name with each command; the
rule says what Redis leaves open: order, chance, time.
"""
import re
import socket


class Typed:
    """A reply whose RESP type is not that of a plain Python value."""

    __slots__ = ('kind', 'value')

    def __init__(self, kind, value):
        self.kind = kind
        self.value = value

    def __eq__(self, other):
        return isinstance(other, Typed) and self.kind == other.kind and self.value == other.value

    def __hash__(self):
        return hash((self.kind, repr(self.value)))

    def __repr__(self):
        return f'{self.kind}{self.value!r}'


class Connection:
    """One client of one server. Bytes are kept as they came: equal bytes need no parsing."""

    def __init__(self, port):
        self.socket = socket.create_connection(('127.0.0.1', port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.settimeout(60)
        self.buffer = bytearray()
        self.at = 0

    def close(self):
        self.socket.close()

    def send(self, data):
        self.socket.sendall(data)

    def call(self, *words):
        self.send(encode([word if isinstance(word, bytes) else str(word).encode() for word in words]))
        value = self.reply()
        self.forget()
        return value

    def _more(self):
        data = self.socket.recv(1 << 18)
        if not data:
            raise ConnectionError('the server has closed the connection')
        self.buffer += data

    def _line(self):
        while True:
            end = self.buffer.find(b'\r\n', self.at)
            if end >= 0:
                line = self.buffer[self.at:end]
                self.at = end + 2
                return line
            self._more()

    def _bytes(self, size):
        while len(self.buffer) < self.at + size + 2:
            self._more()
        value = bytes(self.buffer[self.at:self.at + size])
        self.at += size + 2
        return value

    def forget(self):
        """Drops what was read, keeps what was not."""
        del self.buffer[:self.at]
        self.at = 0

    def skip(self):
        """Passes one reply without making values of it."""
        left = 1
        while left:
            left -= 1
            line = self._line()
            kind = line[0]
            if kind in b'$=':
                size = int(line[1:])
                if size >= 0:
                    while len(self.buffer) < self.at + size + 2:
                        self._more()
                    self.at += size + 2
            elif kind in b'*~>':
                left += max(int(line[1:]), 0)
            elif kind == 37:  # %
                left += 2 * int(line[1:])

    def reply(self):
        line = self._line()
        kind, rest = chr(line[0]), bytes(line[1:])
        if kind == ':':
            return int(rest)
        if kind == '$':
            size = int(rest)
            return None if size < 0 else self._bytes(size)
        if kind in '+-':
            return Typed(kind, rest)
        if kind == '*':
            count = int(rest)
            return None if count < 0 else [self.reply() for _ in range(count)]
        if kind == '_':
            return None
        if kind in '~>':
            return Typed(kind, [self.reply() for _ in range(int(rest))])
        if kind == '%':
            return Typed(kind, [self.reply() for _ in range(2 * int(rest))])
        if kind == '=':
            return Typed(kind, self._bytes(int(rest)))
        return Typed(kind, rest)


def encode(words):
    parts = [b'*%d\r\n' % len(words)]
    for word in words:
        parts.append(b'$%d\r\n%s\r\n' % (len(word), word))
    return b''.join(parts)


def is_error(value):
    return isinstance(value, Typed) and value.kind == '-'


# --- rules ----------------------------------------------------------------------------------------

def elements(value):
    """The elements of an aggregate of any kind, or None."""
    if isinstance(value, list):
        return value
    if isinstance(value, Typed) and isinstance(value.value, list):
        return value.value
    return None


def kind_of(value):
    if isinstance(value, Typed):
        return value.kind
    return type(value).__name__


def pairs(flat):
    return [(flat[i], flat[i + 1]) for i in range(0, len(flat) - 1, 2)]


def exact(a, b):
    return a == b


def unordered(a, b):
    x, y = elements(a), elements(b)
    if x is None or y is None:
        return a == b
    return kind_of(a) == kind_of(b) and sorted(map(repr, x)) == sorted(map(repr, y))


def unordered_pairs(a, b):
    x, y = elements(a), elements(b)
    if x is None or y is None:
        return a == b
    return (kind_of(a) == kind_of(b) and len(x) == len(y) and
            sorted(map(repr, pairs(x))) == sorted(map(repr, pairs(y))))


def cut_at_zero(a, b):
    """SORT ALPHA: Redis compares up to a zero byte, so what differs only behind it has no order."""
    x, y = elements(a), elements(b)
    if x is None or y is None or len(x) != len(y):
        return a == b
    return [i and i.split(b'\0')[0] for i in x] == [i and i.split(b'\0')[0] for i in y]


def near(a, b, tolerance):
    if isinstance(a, int) and isinstance(b, int):
        return abs(a - b) <= tolerance and (a < 0) == (b < 0)
    return a == b


def seconds(a, b):
    return near(a, b, 2)


def milliseconds(a, b):
    return near(a, b, 2000)


def shape(a, b):
    """Only what kind of reply, and how many elements: the rest is chance."""
    x, y = elements(a), elements(b)
    if x is not None and y is not None:
        return kind_of(a) == kind_of(b) and len(x) == len(y)
    if is_error(a) or is_error(b):
        return a == b
    return kind_of(a) == kind_of(b)


def scan(a, b):
    """A cursor and elements in any order."""
    if is_error(a) or is_error(b):
        return a == b
    return a[0] == b[0] and unordered(a[1], b[1])


def scan_pairs(a, b):
    if is_error(a) or is_error(b):
        return a == b
    return a[0] == b[0] and unordered_pairs(a[1], b[1])


def loose_times(a, b):
    """Numbers that differ by little are times; everything else is equal (XPENDING, XINFO)."""
    x, y = elements(a), elements(b)
    if x is not None and y is not None:
        return (kind_of(a) == kind_of(b) and len(x) == len(y) and
                all(loose_times(i, j) for i, j in zip(x, y)))
    return near(a, b, 5000) if isinstance(a, int) else a == b


def xinfo(a, b):
    """What both servers report, except for the size of Redis's own tree and for times."""
    if is_error(a) or is_error(b):
        return a == b
    if isinstance(a, list) and a and elements(a[0]) is not None:
        return len(a) == len(b) and all(xinfo(i, j) for i, j in zip(a, b))
    x, y = elements(a), elements(b)
    if x is None or y is None or not x:
        return a == b
    left, right = dict(pairs_of_names(x)), dict(pairs_of_names(y))
    own = {b'radix-tree-keys', b'radix-tree-nodes', b'inactive', b'active-time', b'seen-time'}
    for name in (set(left) & set(right)) - own:
        if name == b'consumers' and isinstance(left[name], int):
            continue  # since 7.2 XCLAIM makes one even if nothing is claimed
        if not xinfo_value(left[name], right[name]):
            return False
    return (set(left) ^ set(right)) <= own


def xinfo_value(a, b):
    x, y = elements(a), elements(b)
    if x and y and elements(x[0]) is not None and elements(x[0]) and \
            isinstance(elements(x[0])[0], bytes) and elements(x[0])[0] in (b'name', b'id'):
        return xinfo(a, b)
    return loose_times(a, b)


def pairs_of_names(flat):
    return [(bytes(name), value) for name, value in pairs(flat)]


def errors_alike(a, b):
    """Both fail or neither; the texts are Redis's own business (arguments echoed, line ends)."""
    if is_error(a) or is_error(b):
        return is_error(a) and is_error(b)
    return a == b


RULES = {rule.__name__: rule for rule in (
    exact, unordered, unordered_pairs, seconds, milliseconds, shape, scan, scan_pairs, loose_times,
    xinfo, errors_alike, cut_at_zero)}


def echoes(a, b):
    """Error texts that echo an argument, which Redis cuts at a zero byte."""
    if not (is_error(a) and is_error(b) and b'\0' in b.value):
        return False
    return a.value.startswith(b.value.split(b'\0')[0])


NUMBER = re.compile(rb'-?[0-9]+(\.[0-9]+)?(e[+-]?[0-9]+)?')


def plain_numbers(value):
    """Numbers in one form: 7.0 prints 0.1 as 0.10000000000000001, 7.2 in the shortest form.

    A zero has no sign: Redis loses it when it packs a score, and when it packs is not ours to repeat.
    """
    if value == b'-0':
        return b'0'
    if isinstance(value, bytes):
        if (b'.' in value or b'e' in value or len(value) > 15) and NUMBER.fullmatch(value):
            return b'%.17g' % float(value)
        return value
    if isinstance(value, list):
        return [plain_numbers(element) for element in value]
    if isinstance(value, Typed) and value.kind in ',~%':
        return Typed(value.kind, plain_numbers(value.value))
    return value


def same(rule, a, b):
    """Whether two replies are the same under a rule. A list of rules is for EXEC's array."""
    if isinstance(rule, list):
        x, y = elements(a), elements(b)
        if x is None or y is None or len(x) != len(rule) or len(y) != len(rule):
            return a == b
        return all(same(r, i, j) for r, i, j in zip(rule, x, y))
    return (RULES[rule](a, b) or echoes(a, b) or
            RULES[rule](plain_numbers(a), plain_numbers(b)))
