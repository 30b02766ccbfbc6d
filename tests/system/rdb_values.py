"""Values as RDB writes them, made by hand: for encodings that no server at hand writes any more (or
yet), and for values that no server should ever have written."""
import struct

STRING, LIST, SET, ZSET, HASH, ZSET_2, MODULE, MODULE_2 = range(8)
ZIPMAP, LIST_ZIPLIST, INTSET, ZSET_ZIPLIST, HASH_ZIPLIST, QUICKLIST, STREAM = range(9, 16)
HASH_LISTPACK, ZSET_LISTPACK, QUICKLIST_2, STREAM_2, SET_LISTPACK, STREAM_3 = range(16, 22)

_CRC_TABLE = []
for _byte in range(256):
    _crc = _byte
    for _ in range(8):
        _crc = _crc >> 1 ^ 0x95ac9329ac4bc9b5 if _crc & 1 else _crc >> 1
    _CRC_TABLE.append(_crc)


def crc64(data):
    crc = 0
    for byte in data:
        crc = _CRC_TABLE[(crc ^ byte) & 0xff] ^ crc >> 8
    return crc


def payload(value, version=10):
    """What RESTORE takes."""
    covered = value + struct.pack('<H', version)
    return covered + struct.pack('<Q', crc64(covered))


def opened(dumped):
    """The value of what DUMP answered."""
    return dumped[:-10]


def length(n):
    if n < 1 << 6:
        return bytes([n])
    if n < 1 << 14:
        return struct.pack('>H', 0x4000 | n)
    if n < 1 << 32:
        return b'\x80' + struct.pack('>I', n)
    return b'\x81' + struct.pack('>Q', n)


def string(data):
    return length(len(data)) + data


def strings(kind, items):
    """A list, set, hash of single strings."""
    return bytes([kind]) + length(len(items)) + b''.join(map(string, items))


def pairs(kind, items):
    return bytes([kind]) + length(len(items) // 2) + b''.join(map(string, items))


def text_score(text):
    named = {b'nan': b'\xfd', b'inf': b'\xfe', b'-inf': b'\xff'}
    return named.get(text) or bytes([len(text)]) + text


def scores(kind, items):
    """(member, score) with scores as text (ZSET) or as doubles (ZSET_2)."""
    out = bytes([kind]) + length(len(items))
    for member, score in items:
        out += string(member)
        out += text_score(score) if kind == ZSET else struct.pack('<d', score)
    return out


def packed(kind, data):
    return bytes([kind]) + string(data)


# ------------------------------------------------------------------ packed arrays
def listpack(items, count=None):
    """Integers and bytes, in the shortest encodings."""
    body = b''
    for item in items:
        entry = _listpack_integer(item) if isinstance(item, int) else _listpack_string(item)
        body += entry + listpack_back(len(entry))
    return struct.pack('<IH', 6 + len(body) + 1, len(items) if count is None else count) + body + \
        b'\xff'


def _listpack_integer(n):
    if 0 <= n <= 127:
        return bytes([n])
    if -4096 <= n <= 4095:
        return struct.pack('>H', 0xc000 | n & 0x1fff)
    for mark, size in ((0xf1, 2), (0xf2, 3), (0xf3, 4), (0xf4, 8)):
        if -(1 << 8 * size - 1) <= n < 1 << 8 * size - 1:
            return bytes([mark]) + (n & (1 << 8 * size) - 1).to_bytes(size, 'little')
    raise ValueError(n)


def _listpack_string(data):
    if len(data) < 64:
        return bytes([0x80 | len(data)]) + data
    if len(data) < 4096:
        return struct.pack('>H', 0xe000 | len(data)) + data
    return b'\xf0' + struct.pack('<I', len(data)) + data


def listpack_back(size):
    if size <= 127:
        return bytes([size])
    if size < 16383:
        return bytes([size >> 7, size & 127 | 128])
    return bytes([size >> 14, size >> 7 & 127 | 128, size & 127 | 128])


def ziplist(items):
    body, before, last = b'', 0, 10
    for item in items:
        entry = bytes([before]) if before < 254 else b'\xfe' + struct.pack('<I', before)
        entry += _ziplist_entry(item)
        last = 10 + len(body)
        body += entry
        before = len(entry)
    return struct.pack('<IIH', 10 + len(body) + 1, last, len(items)) + body + b'\xff'


def _ziplist_entry(item):
    if isinstance(item, bytes):
        if len(item) < 64:
            return bytes([len(item)]) + item
        if len(item) < 1 << 14:
            return struct.pack('>H', 0x4000 | len(item)) + item
        return b'\x80' + struct.pack('>I', len(item)) + item
    if 0 <= item <= 12:
        return bytes([0xf1 + item])
    for mark, size in ((0xfe, 1), (0xc0, 2), (0xf0, 3), (0xd0, 4), (0xe0, 8)):
        if -(1 << 8 * size - 1) <= item < 1 << 8 * size - 1:
            return bytes([mark]) + (item & (1 << 8 * size) - 1).to_bytes(size, 'little')
    raise ValueError(item)


def zipmap(items, unused=0):
    body = b''
    for place, item in enumerate(items):
        body += bytes([len(item)]) if len(item) < 254 else b'\xfe' + struct.pack('<I', len(item))
        if place % 2:
            body += bytes([unused]) + item + b'?' * unused
        else:
            body += item
    return bytes([min(len(items) // 2, 254)]) + body + b'\xff'


def intset(numbers, width):
    return struct.pack('<II', width, len(numbers)) + b''.join(
        n.to_bytes(width, 'little', signed=True) for n in numbers)


def quicklist(nodes):
    return bytes([QUICKLIST]) + length(len(nodes)) + b''.join(string(ziplist(n)) for n in nodes)


def quicklist_2(nodes):
    """A node is bytes (one element alone) or a list of elements."""
    out = bytes([QUICKLIST_2]) + length(len(nodes))
    for node in nodes:
        plain = isinstance(node, bytes)
        out += length(1 if plain else 2) + string(node if plain else listpack(node))
    return out


# ------------------------------------------------------------------ streams
def raw_id(ms, seq):
    return struct.pack('>QQ', ms, seq)


def stream_node(entries, live=None, deleted=None):
    """Entries (flags, ms, seq, value) of the one field `f`, as differences of their ids."""
    gone = sum(flags & 1 for flags, *_ in entries)
    items = [len(entries) - gone if live is None else live, gone if deleted is None else deleted,
             1, b'f', 0]
    for flags, ms, seq, value in entries:
        if flags & 2:
            items += [flags, ms, seq, value, 4]
        else:
            items += [flags, ms, seq, 1, b'g', value, 6]
    return listpack(items)


def stream(kind, nodes, size, last, first=(0, 0), deleted=(0, 0), added=None, groups=()):
    """Nodes are ((ms, seq), listpack); groups (name, last id, entries read, pending, consumers) with
    pending (id, time, count) and consumers (name, seen, active, [id...])."""
    out = bytes([kind]) + length(len(nodes))
    for master, pack in nodes:
        out += string(raw_id(*master)) + string(pack)
    out += length(size) + _id(last)
    if kind != STREAM:
        out += _id(first) + _id(deleted) + length(size if added is None else added)
    out += length(len(groups))
    for name, group_last, read, pending, consumers in groups:
        out += string(name) + _id(group_last)
        if kind != STREAM:
            out += length(read)
        out += length(len(pending))
        for entry, when, count in pending:
            out += raw_id(*entry) + struct.pack('<q', when) + length(count)
        out += length(len(consumers))
        for consumer, seen, active, ids in consumers:
            out += string(consumer) + struct.pack('<q', seen)
            if kind == STREAM_3:
                out += struct.pack('<q', active)
            out += length(len(ids)) + b''.join(raw_id(*entry) for entry in ids)
    return out


def _id(pair):
    return length(pair[0]) + length(pair[1])
