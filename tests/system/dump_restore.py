"""DUMP and RESTORE between this server and Redis, every type and every encoding, in both ways; then
values that Redis wrote long ago or will write, and values that no server should have written."""
import shutil
import struct

import rdb_values as rdb
from harness import ErrorReply, Server, encoded, expect, expect_true

BAD_VALUE = 'ERR Bad data format'
BAD_TRAILER = 'ERR DUMP payload version or checksum are wrong'


# ------------------------------------------------------------------ values that servers make
def numbered(command, count, make):
    """Commands that add `count` elements, some at a time."""
    parts = [make(i) for i in range(count)]
    return [(command, 'k', *sum(parts[at:at + 200], ())) for at in range(0, count, 200)]


BINARY = bytes(range(256))

SAMPLES = {
    'string': [('SET', 'k', 'hello')],
    'string: empty': [('SET', 'k', '')],
    'string: binary': [('SET', 'k', BINARY * 3)],
    'string: 8 bits': [('SET', 'k', '-100')],
    'string: 16 bits': [('SET', 'k', '30000')],
    'string: 32 bits': [('SET', 'k', '-2000000000')],
    'string: 64 bits': [('SET', 'k', '9223372036854775807')],
    'string: not quite a number': [('SET', 'k', '0012')],
    'string: packed by LZF': [('SET', 'k', 'abc' * 5000)],
    'string: long': [('SETRANGE', 'k', 3000000, 'x'), ('SETRANGE', 'k', 1000, BINARY)],
    'list: listpack': [('RPUSH', 'k', 'a', '', '1', '-5000', '70000', str(2**40), BINARY)],
    'list: quicklist': numbered('RPUSH', 3000, lambda i: (f'element {i} {"x" * (i % 90)}',)),
    'list: long elements': [('RPUSH', 'k', 'a' * 20000, 'b', BINARY * 50, 'c' * 100)],
    'list: numbers': numbered('RPUSH', 5000, lambda i: (i * i * 12345 - 70000,)),
    'set: intset of 16 bits': [('SADD', 'k', 3, -4, 500, 0)],
    'set: intset of 32 bits': [('SADD', 'k', 3, 70000, -70000)],
    'set: intset of 64 bits': [('SADD', 'k', -2**63, 2**63 - 1, 5)],
    'set: many integers': numbered('SADD', 1000, lambda i: (i * 7,)),
    'set: small': [('SADD', 'k', 'a', 'b', '', '17', BINARY)],
    'set: big': numbered('SADD', 2000, lambda i: (f'member{i}',)) + [('SADD', 'k', 'x' * 300, 8)],
    'hash: listpack': [('HSET', 'k', 'a', '1', 'b', 'two', '3', BINARY[:60], 'e', '')],
    'hash: big': numbered('HSET', 1000, lambda i: (f'field{i}', f'value {i * 977}')),
    'hash: long values': [('HSET', 'k', 'a', 'x' * 5000, 'b' * 100, BINARY, '5', '6')],
    'zset: listpack': [('ZADD', 'k', 1, 'a', 1, 'b', 2.5, 'c', '-inf', 'd', 'inf', 'e', 1e300, 7)],
    'zset: big': numbered('ZADD', 1000, lambda i: (i % 50 * 0.1, f'member{i}')) +
                 [('ZADD', 'k', 'inf', 'x' * 200, '-inf', '', 1 / 3, '12')],
    'stream': [('XADD', 'k', f'{1000 + i // 3}-{i % 3}', 'f', i, 'g', f'v{i}') for i in range(10)],
    'stream: many nodes': [('XADD', 'k', f'{i + 1}-1', f'f{i % 3}', 'x' * (i % 70))
                           for i in range(450)],
    'stream: deleted entries': [('XADD', 'k', f'{i + 1}-0', 'f', i) for i in range(250)] +
                               [('XDEL', 'k', *[f'{i}-0' for i in range(1, 240, 3)]),
                                ('XTRIM', 'k', 'MAXLEN', 100)],
    'stream: empty': [('XADD', 'k', '5-1', 'f', 'v'), ('XDEL', 'k', '5-1')],
    'stream: ids set': [('XADD', 'k', '5-1', 'f', 'v'),
                        ('XSETID', 'k', '9-9', 'ENTRIESADDED', 77, 'MAXDELETEDID', '4-4')],
    'stream: groups': [('XADD', 'k', f'{i + 1}-0', 'f', i) for i in range(30)] +
                      [('XGROUP', 'CREATE', 'k', 'one', '0'),
                       ('XGROUP', 'CREATE', 'k', 'two', '$'),
                       ('XGROUP', 'CREATE', 'k', 'six', '7-0', 'ENTRIESREAD', 3),
                       ('XGROUP', 'CREATECONSUMER', 'k', 'two', 'idler'),
                       ('XREADGROUP', 'GROUP', 'one', 'ann', 'COUNT', 7, 'STREAMS', 'k', '>'),
                       ('XREADGROUP', 'GROUP', 'one', 'bob', 'COUNT', 5, 'STREAMS', 'k', '>'),
                       ('XACK', 'k', 'one', '2-0', '9-0'),
                       ('XCLAIM', 'k', 'one', 'eve', 0, '4-0', '11-0', 'RETRYCOUNT', 5),
                       ('XDEL', 'k', '3-0')],
    'hyperloglog: sparse': [('PFADD', 'k', *[f'e{i}' for i in range(20)])],
    'hyperloglog: dense': [('PFADD', 'k', *[f'e{i}' for i in range(start, start + 500)])
                           for start in range(0, 5000, 500)],
    'geo': [('GEOADD', 'k', '13.361389', '38.115556', 'Palermo', '15.087269', '37.502669', 'Catania')],
    'bitmap': [('SETBIT', 'k', 100000, 1), ('SETBIT', 'k', 7, 1)],
}


def made(client, commands):
    client('DEL', 'k')
    for command in commands:
        reply = client(*command)
        expect_true(not isinstance(reply, ErrorReply), f'{command[:3]}: {reply}')


def seen(client, key):
    """All that can be read of a value, in an order of its own."""
    kind = client('TYPE', key)
    if kind == 'string':
        return kind, client('GET', key)
    if kind == 'list':
        return kind, client('LRANGE', key, 0, -1)
    if kind == 'set':
        return kind, sorted(client('SMEMBERS', key))
    if kind == 'hash':
        flat = client('HGETALL', key)
        return kind, sorted(zip(flat[::2], flat[1::2]))
    if kind == 'zset':
        flat = client('ZRANGE', key, 0, -1, 'WITHSCORES')  # 7.0 prints scores with all digits
        return kind, [(member, float(score)) for member, score in zip(flat[::2], flat[1::2])]
    if kind == 'stream':
        return kind, stream_seen(client, key)
    return kind, None


def stream_seen(client, key):
    full = client('XINFO', 'STREAM', key, 'FULL', 'COUNT', 0)
    # How the entries are kept is each server's own; when a consumer was active, 7.0 does not know.
    drop = {b'radix-tree-keys', b'radix-tree-nodes', b'active-time'}

    def cleaned(value):
        if not isinstance(value, list):
            return value
        if value and len(value) % 2 == 0 and isinstance(value[0], bytes) and \
                all(isinstance(name, bytes) for name in value[::2]):
            return [(name, cleaned(item)) for name, item in zip(value[::2], value[1::2])
                    if name not in drop]
        return [cleaned(item) for item in value]

    return cleaned(full), client('XRANGE', key, '-', '+'), client('XREVRANGE', key, '+', '-')


def same(ours, theirs, what):
    if ours != theirs:
        expect(str(ours)[:400], str(theirs)[:400], what)


# ------------------------------------------------------------------ values of other times
def old_and_new():
    """Name -> (value, what is seen of it)."""
    elements = [b'a', b'', 5, -1, 12, 13, 300, -70000, 9000000, 2**40, b'x' * 70, b'y' * 17000]
    as_bytes = [e if isinstance(e, bytes) else b'%d' % e for e in elements]
    fields = [b'a', b'1', b'bb', b'', b'c' * 300, b'd' * 253, b'5', b'6']
    by_pairs = sorted(zip(fields[::2], fields[1::2]))
    node = rdb.stream_node([(2, 0, 0, b'x'), (0, 0, 1, 7), (3, 1, -5, b'gone'), (2, 3, 0, b'y')])
    entries = [[b'9-5', [b'f', b'x']], [b'9-6', [b'g', b'7']], [b'12-5', [b'f', b'y']]]
    group = (b'g', (9, 6), 2, [((9, 5), 1000, 1), ((9, 6), 2000, 3)],
             [(b'ann', 3000, 2500, [(9, 6)]), (b'bob', 4000, -1, [(9, 5)])])
    scored = [(b'a', b'-inf'), (b'b', b'1.5'), (b'c', b'3'), (b'd', b'inf')]
    flat_scored = [(member, float(score)) for member, score in scored]
    result = {
        'list of strings': (rdb.strings(rdb.LIST, as_bytes), as_bytes),
        'list as ziplist': (rdb.packed(rdb.LIST_ZIPLIST, rdb.ziplist(elements)), as_bytes),
        'list as nodes of ziplists': (rdb.quicklist([elements[:4], [], elements[4:]]), as_bytes),
        'list as nodes': (rdb.quicklist_2([elements[:4], b'plain', [], elements[4:]]),
                          as_bytes[:4] + [b'plain'] + as_bytes[4:]),
        'list of texts that are numbers': (
            rdb.quicklist_2([[b'1', b'-7', b'0x']]), [b'1', b'-7', b'0x']),
        'set of strings': (rdb.strings(rdb.SET, as_bytes), sorted(as_bytes)),
        'set as listpack': (rdb.packed(rdb.SET_LISTPACK, rdb.listpack([b'a', 5, b'c'])),
                            [b'5', b'a', b'c']),
        'set as wide intset': (rdb.packed(rdb.INTSET, rdb.intset([1, 2, 3], 8)),
                               [b'1', b'2', b'3']),
        'hash of strings': (rdb.pairs(rdb.HASH, fields), by_pairs),
        'hash as zipmap': (rdb.packed(rdb.ZIPMAP, rdb.zipmap(fields)), by_pairs),
        'hash as zipmap with gaps': (rdb.packed(rdb.ZIPMAP, rdb.zipmap(fields, 3)), by_pairs),
        'hash as ziplist': (rdb.packed(rdb.HASH_ZIPLIST, rdb.ziplist(fields)), by_pairs),
        'hash as listpack': (rdb.packed(rdb.HASH_LISTPACK, rdb.listpack(fields)), by_pairs),
        'zset with text scores': (rdb.scores(rdb.ZSET, scored), flat_scored),
        'zset with doubles': (rdb.scores(rdb.ZSET_2, [(m, float(s)) for m, s in scored[::-1]]),
                              flat_scored),
        'zset as ziplist': (rdb.packed(rdb.ZSET_ZIPLIST, rdb.ziplist(
            [b'a', b'-inf', b'b', b'1.5', b'c', 3, b'd', b'inf'])), flat_scored),
        'zset as listpack': (rdb.packed(rdb.ZSET_LISTPACK, rdb.listpack(
            [b'a', b'-inf', b'b', b'1.5', b'c', 3, b'd', b'inf'])), flat_scored),
    }
    for name, kind in (('1', rdb.STREAM), ('2', rdb.STREAM_2), ('3', rdb.STREAM_3)):
        result[f'stream, form {name}'] = (
            rdb.stream(kind, [((9, 5), node)], 3, (12, 5), (9, 5), (10, 0), 4, [group]), entries)
    return result


def flat_of(view):
    kind, value = view
    return value[1] if kind == 'stream' else value


# ------------------------------------------------------------------ values that nobody wrote
def hostile():
    node = rdb.stream_node([(2, 0, 0, b'x'), (2, 1, 0, b'y')])
    good = [((9, 5), node)]
    pending = [((9, 5), 1000, 1), ((9, 6), 2000, 1)]
    nan = struct.unpack('<d', b'\0\0\0\0\0\0\xf8\x7f')[0]

    def group(listed, *consumers):
        return rdb.stream(rdb.STREAM_2, good, 2, (10, 5), groups=[
            (b'g', (9, 6), 2, listed, [(f'c{i}'.encode(), 1, 1, ids)
                                       for i, ids in enumerate(consumers)])])

    def node_of(*entries, size=None, **counts):
        return rdb.stream(rdb.STREAM_2, [((9, 5), rdb.stream_node(list(entries), **counts))],
                          len(entries) if size is None else size, (99, 0))

    ziplist = rdb.ziplist([b'a', b'b'])
    listpack = rdb.listpack([b'a', b'b'])
    return {
        'nothing': b'',
        'an unknown kind': b'\x63abc',
        'a module': bytes([rdb.MODULE_2]) + rdb.length(2**62) + b'\0',
        'an opcode': b'\xfc' + b'\0' * 8 + rdb.strings(rdb.STRING, []),
        'a string cut short': b'\0\x05ab',
        'a string of exabytes': b'\0\x81\xff\xff\xff\xff\xff\xff\xff\xff',
        'bytes behind the value': b'\0\x01aX',
        'packed bytes that say gigabytes': b'\0\xc3\x02\x80\x40\0\0\0ab',
        'packed bytes of nothing': b'\0\xc3\x00\x05hello',
        'packed bytes that go back too far': b'\0\xc3\x03\x09\xe0\x00\xff',
        'an unknown string': b'\0\xc4ab',
        'a list of more than there is': bytes([rdb.LIST]) + rdb.length(2**50) + b'\1a',
        'a list of nothing': rdb.strings(rdb.LIST, []),
        'a list of empty nodes': rdb.quicklist_2([[], []]),
        'a node of an unknown container': b'\x12\1\3' + rdb.string(listpack),
        'a set of nothing': rdb.strings(rdb.SET, []),
        'a set with a member twice': rdb.strings(rdb.SET, [b'a', b'b', b'a']),
        'a big set with a member twice': rdb.strings(
            rdb.SET, [b'm%d' % i for i in range(999)] + [b'm7']),
        'a packed set with a member twice': rdb.packed(rdb.SET_LISTPACK, rdb.listpack([5, b'5'])),
        'a packed set of nothing': rdb.packed(rdb.SET_LISTPACK, rdb.listpack([])),
        'an intset out of order': rdb.packed(rdb.INTSET, rdb.intset([2, 1], 2)),
        'an intset with one twice': rdb.packed(rdb.INTSET, rdb.intset([2, 2], 2)),
        'an intset of nothing': rdb.packed(rdb.INTSET, rdb.intset([], 2)),
        'an intset of another size': rdb.packed(rdb.INTSET, rdb.intset([1, 2], 2) + b'\0'),
        'an intset of width 3': rdb.packed(rdb.INTSET, struct.pack('<II', 3, 1) + b'abc'),
        'a hash with a field twice': rdb.pairs(rdb.HASH, [b'a', b'1', b'a', b'2']),
        'a hash of nothing': rdb.pairs(rdb.HASH, []),
        'a packed hash with a field twice': rdb.packed(
            rdb.HASH_LISTPACK, rdb.listpack([1, b'a', b'1', b'b'])),
        'a packed hash of three': rdb.packed(rdb.HASH_LISTPACK, rdb.listpack([b'a', b'b', b'c'])),
        'a packed hash of nothing': rdb.packed(rdb.HASH_LISTPACK, rdb.listpack([])),
        'a ziplist hash of three': rdb.packed(rdb.HASH_ZIPLIST, rdb.ziplist([1, 2, 3])),
        'a zipmap with a field twice': rdb.packed(rdb.ZIPMAP, rdb.zipmap([b'a', b'1'] * 2)),
        'a zipmap cut short': rdb.packed(rdb.ZIPMAP, b'\1\1a\5\0x\xff'),
        'a zset with a member twice': rdb.scores(rdb.ZSET_2, [(b'a', 1.0), (b'a', 2.0)]),
        'a zset with NaN': rdb.scores(rdb.ZSET_2, [(b'a', nan)]),
        'a zset with the text nan': rdb.scores(rdb.ZSET, [(b'a', b'nan')]),
        'a zset with no number': rdb.scores(rdb.ZSET, [(b'a', b'1x')]),
        'a zset of nothing': rdb.scores(rdb.ZSET_2, []),
        'a packed zset out of order': rdb.packed(
            rdb.ZSET_LISTPACK, rdb.listpack([b'a', 2, b'b', 1])),
        'a packed zset with members out of order': rdb.packed(
            rdb.ZSET_LISTPACK, rdb.listpack([b'b', 1, b'a', 1])),
        'a packed zset with a member twice': rdb.packed(
            rdb.ZSET_LISTPACK, rdb.listpack([b'a', 1, b'a', 2])),
        'a packed zset with NaN': rdb.packed(rdb.ZSET_LISTPACK, rdb.listpack([b'a', b'nan'])),
        'a packed zset of three': rdb.packed(rdb.ZSET_LISTPACK, rdb.listpack([b'a', 1, b'b'])),
        'a listpack that counts wrong': b'\x12\1\2' + rdb.string(
            rdb.listpack([b'a', b'b'], count=3)),
        'a listpack of another size': b'\x12\1\2' + rdb.string(listpack + b'\xff'),
        'a listpack without end': b'\x12\1\2' + rdb.string(listpack[:-1] + b'\0'),
        'a listpack with a false back length': b'\x12\1\2' + rdb.string(
            listpack[:8] + b'\3' + listpack[9:]),
        'a listpack with an element too long': b'\x12\1\2' + rdb.string(
            listpack[:6] + b'\xbf' + listpack[7:]),
        'a ziplist with a false size before': rdb.packed(
            rdb.LIST_ZIPLIST, ziplist[:13] + b'\7' + ziplist[14:]),
        'a ziplist with a false tail': rdb.packed(
            rdb.LIST_ZIPLIST, ziplist[:4] + b'\x0a' + ziplist[5:]),
        'a ziplist that counts wrong': rdb.packed(
            rdb.LIST_ZIPLIST, ziplist[:8] + b'\5' + ziplist[9:]),
        'a ziplist entry beyond its end': rdb.packed(
            rdb.LIST_ZIPLIST, ziplist[:11] + b'\x3f' + ziplist[12:]),
        'a stream that counts wrong': rdb.stream(rdb.STREAM_2, good, 3, (10, 5)),
        'a stream whose last id is behind': rdb.stream(rdb.STREAM_2, good, 2, (10, 4)),
        'a stream with more than was added': rdb.stream(rdb.STREAM_2, good, 2, (10, 5), added=1),
        'a stream with deletions in the future': rdb.stream(
            rdb.STREAM_2, good, 2, (10, 5), deleted=(11, 0)),
        'a stream with nodes out of order': rdb.stream(
            rdb.STREAM_2, [((20, 0), node), ((9, 5), node)], 4, (30, 0)),
        'a stream with overlapping nodes': rdb.stream(
            rdb.STREAM_2, [((9, 5), node), ((10, 5), node)], 4, (30, 0)),
        'a stream with a short node id': bytes([rdb.STREAM_2, 1]) + rdb.string(b'short') +
            rdb.string(node) + b'\2\x0a\5' + b'\0' * 6,
        'a stream node of nothing': rdb.stream(rdb.STREAM_2, [((9, 5), rdb.listpack([]))], 0, (9, 5)),
        'a stream node of deleted entries': node_of((3, 0, 0, b'x'), size=0),
        'a stream node that counts wrong': node_of((2, 0, 0, b'x'), live=2),
        'a stream node that counts deletions wrong': node_of((2, 0, 0, b'x'), deleted=1),
        'a stream node with ids out of order': node_of((2, 1, 0, b'x'), (2, 0, 0, b'y')),
        'a stream node with an id twice': node_of((2, 1, 0, b'x'), (2, 1, 0, b'y')),
        'a stream node with ids before its own': node_of((2, -1, 0, b'x')),
        'a stream node with unknown flags': node_of((6, 0, 0, b'x')),
        'a stream node with a false entry length': rdb.stream(rdb.STREAM_2, [((9, 5), rdb.listpack(
            [1, 0, 1, b'f', 0, 2, 0, 0, b'x', 5]))], 1, (9, 5)),
        'a stream node with fields that are not there': rdb.stream(
            rdb.STREAM_2, [((9, 5), rdb.listpack([1, 0, 1, b'f', 0, 0, 0, 0, 2**40, 4]))], 1, (9, 5)),
        'an entry pending for two consumers': group(pending, [(9, 5)], [(9, 5), (9, 6)]),
        'an entry pending twice for one': group(pending, [(9, 5), (9, 5), (9, 6)]),
        'an entry pending for nobody': group(pending, [(9, 5)]),
        'an entry pending for a consumer alone': group(pending[:1], [(9, 5), (9, 6)]),
        'pending entries out of order': group(pending[::-1], [(9, 5), (9, 6)]),
        'a pending entry listed twice': group(pending[:1] * 2, [(9, 5)]),
        'a delivery before all time': group([((9, 5), -5, 1)], [(9, 5)]),
        'a consumer twice': rdb.stream(rdb.STREAM_2, good, 2, (10, 5), groups=[
            (b'g', (0, 0), 0, [], [(b'c', 1, 1, []), (b'c', 1, 1, [])])]),
        'a group twice': rdb.stream(rdb.STREAM_2, good, 2, (10, 5), groups=[
            (b'g', (0, 0), 0, [], []), (b'g', (0, 0), 0, [], [])]),
        'more groups than there is room for': rdb.stream(rdb.STREAM_2, good, 2, (10, 5))[:-1] +
            rdb.length(2**40),
    }


# ------------------------------------------------------------------ the part
def run(server, report):
    binary = shutil.which('redis-server')
    if not binary:
        return report.skip('dump_restore', 'there is no redis-server')
    with Server(binary, '--save', '', '--enable-debug-command', 'yes') as reference, \
            server.client() as ours, reference.client() as theirs:
        def round_trip(first, second, commands):
            """Made on one server, restored on the other and back."""
            made(first, commands)
            original = seen(first, 'k')
            second('DEL', 'copy')
            expect(second('RESTORE', 'copy', 0, first('DUMP', 'k')), 'OK', 'RESTORE')
            same(seen(second, 'copy'), original, 'restored')
            first('DEL', 'back')
            expect(first('RESTORE', 'back', 0, second('DUMP', 'copy')), 'OK', 'RESTORE back')
            same(seen(first, 'back'), original, 'restored back')
            if first is theirs:
                digests = theirs('DEBUG', 'DIGEST-VALUE', 'k', 'back')
                expect(digests[1], digests[0], 'digest')

        def encoding(commands):
            made(ours, commands)
            expect(ours('RESTORE', 'copy', 0, ours('DUMP', 'k'), 'REPLACE'), 'OK')
            expect(ours('OBJECT', 'ENCODING', 'copy'), ours('OBJECT', 'ENCODING', 'k'), 'encoding')

        def reads(value, wanted):
            ours('DEL', 'k')
            for version in (10, 11):
                expect(ours('RESTORE', 'k', 0, rdb.payload(value, version), 'REPLACE'), 'OK')
                same(flat_of(seen(ours, 'k')), wanted, 'read')
            theirs('DEL', 'k', 'back')
            expect(theirs('RESTORE', 'back', 0, ours('DUMP', 'k')), 'OK', 'at the reference')
            same(flat_of(seen(theirs, 'back')), wanted, 'read by the reference')
            if value[0] not in (rdb.SET_LISTPACK, rdb.STREAM_3):  # newer than the reference
                expect(theirs('RESTORE', 'k', 0, rdb.payload(value)), 'OK', 'the sample itself')
                expect(len(set(theirs('DEBUG', 'DIGEST-VALUE', 'k', 'back'))), 1, 'digests')

        def refused(value):
            ours('DEL', 'k')
            expect(ours('RESTORE', 'k', 0, rdb.payload(value)), BAD_VALUE)
            expect(ours('EXISTS', 'k'), 0)

        def trailers():
            good = rdb.payload(b'\0\1a')
            expect(ours('RESTORE', 't', 0, good), 'OK')
            for bad in (b'', good[:9], good[:-1], good[:-1] + bytes([good[-1] ^ 1]),
                        b'\0\1b' + good[3:], rdb.payload(b'\0\1a', 12)):
                expect(ours('RESTORE', 't', 0, bad, 'REPLACE'), BAD_TRAILER, repr(bad))
            expect(ours('GET', 't'), b'a')

        def unpacked():
            """rdbcompression is DUMP's setting, too."""
            for one in (ours, theirs):
                one('CONFIG', 'SET', 'rdbcompression', 'no')
            try:
                for commands in ([('SET', 'k', 'abc' * 5000)], [('RPUSH', 'k', *['x' * 50] * 20)],
                                 [('SET', 'k', 'x' * 100_000)]):
                    made(ours, commands)
                    made(theirs, commands)
                    expect(ours('DUMP', 'k'), theirs('DUMP', 'k'), commands[0][0])
            finally:
                for one in (ours, theirs):
                    one('CONFIG', 'SET', 'rdbcompression', 'yes')

        def own_kinds():
            """What version 10 has no word for: read back here, refused by Redis."""
            ours('DEL', 'h', 'h2', 'b', 'b2')
            ours('HSET', 'h', 'a', '1', 'b', '2')
            expect(ours('HPEXPIREAT', 'h', 5000000000000, 'FIELDS', 1, 'a'), [1])
            dumped = ours('DUMP', 'h')
            expect(dumped[0], 208)
            expect(ours('RESTORE', 'h2', 0, dumped), 'OK')
            expect(seen(ours, 'h2'), seen(ours, 'h'))
            expect(ours('HPEXPIRETIME', 'h2', 'FIELDS', 2, 'a', 'b'), [5000000000000, -1])
            expect(theirs('RESTORE', 'h2', 0, dumped), BAD_VALUE)
            ours('BF.RESERVE', 'b', '0.01', 1000)
            ours('BF.MADD', 'b', *[f'e{i}' for i in range(2000)])
            dumped = ours('DUMP', 'b')
            expect(dumped[0], 209)
            expect(ours('RESTORE', 'b2', 0, dumped), 'OK')
            expect(ours('BF.INFO', 'b2'), ours('BF.INFO', 'b'))
            expect(set(ours('BF.MEXISTS', 'b2', *[f'e{i}' for i in range(2000)])), {1})
            expect(ours('DUMP', 'b2'), dumped)
            expect(theirs('RESTORE', 'b2', 0, dumped), BAD_VALUE)

        def in_a_transaction():
            made(ours, SAMPLES['hash: big'])
            dumped = ours('DUMP', 'k')
            ours('MULTI')
            for command in (('DUMP', 'k'), ('RESTORE', 'k', 0, dumped), ('DEL', 'k'),
                            ('RESTORE', 'k', 0, dumped), ('HLEN', 'k')):
                expect(ours(*command), 'QUEUED')
            replies = ours('EXEC')
            expect(replies[1:], ['BUSYKEY Target key name already exists.', 1, 'OK', 1000])

        def many_at_once():
            """Long values are read concurrently with other calls; the first one gets the key."""
            made(ours, SAMPLES['hash: big'])
            dumped = ours('DUMP', 'k')
            clients = [server.client() for _ in range(8)]
            for _ in range(5):
                ours('DEL', 'race')
                for client in clients:
                    client.raw(encoded('RESTORE', 'race', 0, dumped))
                replies = sorted(client.reply() for client in clients)
                expect(replies, ['BUSYKEY Target key name already exists.'] * 7 + ['OK'])
            for client in clients:
                client.close()

        report.check('DUMP without rdbcompression', unpacked)
        report.check('kinds of our own', own_kinds)
        report.check('in a transaction', in_a_transaction)
        report.check('many at once', many_at_once)
        for name, commands in SAMPLES.items():
            report.check(f'{name}: from Redis and back', round_trip, theirs, ours, commands)
            report.check(f'{name}: to Redis and back', round_trip, ours, theirs, commands)
            report.check(f'{name}: the same encoding', encoding, commands)
        for name, (value, wanted) in old_and_new().items():
            report.check(f'reads a {name}', reads, value, wanted)
        for name, value in hostile().items():
            report.check(f'refuses {name}', refused, value)
        report.check('refuses false trailers', trailers)
