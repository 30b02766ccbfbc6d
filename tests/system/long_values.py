"""What is long on its way to the disk and back: strings that are written to while a snapshot reads them
(in its file they are as they were at one moment, all of the same one), and values of every type with many
elements, or with long ones."""
import os
import shutil
import subprocess

from durability import Home
from harness import Client, ErrorReply, encoded, expect, expect_true

PLACES = 1 << 20
WIDTH = 8
STRIDE = 611_953  # a prime: each place in turn, from everywhere
BATCH = 50


def place(number):
    return number * STRIDE % PLACES


def requests(number):
    """The number is written into three strings, in one step."""
    return b''.join(encoded(*words) for words in (
        ('MULTI',),
        ('SETRANGE', '{k}places', place(number) * WIDTH, b'%08d' % number),
        ('SETBIT', '{k}bits', place(number), 1),
        ('BITFIELD', '{k}fields', 'SET', 'u32', f'#{place(number)}', number),
        ('APPEND', '{k}grows', b'%08d' % number),
        ('EXEC',)))


def as_of(count):
    """The strings after the first `count` numbers."""
    places = bytearray(b'%08d' % 0 * PLACES)
    bits = bytearray(PLACES // 8)
    fields = bytearray(PLACES * 4)
    for number in range(1, count + 1):
        at = place(number)
        places[at * WIDTH:(at + 1) * WIDTH] = b'%08d' % number
        bits[at // 8] |= 0x80 >> at % 8
        fields[at * 4:at * 4 + 4] = number.to_bytes(4, 'big')
    grows = b''.join(b'%08d' % number for number in range(1, count + 1))
    return {b'{k}places': bytes(places), b'{k}bits': bytes(bits), b'{k}fields': bytes(fields),
            b'{k}grows': b'x' * 100_000 + grows}


def saving(client):
    return b'rdb_bgsave_in_progress:1' in client('INFO', 'persistence')


def as_they_were(binary, packed):
    redis = shutil.which('redis-server')
    expect_true(redis, 'there is no redis-server')
    with Home(binary, '--appendonly', 'no', '--save', '', '--rdbcompression', packed) as home:
        home.start().close()
        with Client(home.port) as client, Client(home.port) as other:
            for key, value in as_of(0).items():
                expect(client('SET', key, value), 'OK')
            number = asked_at = during = 0
            while during < 20 * BATCH:
                client.raw(b''.join(requests(number + i + 1) for i in range(BATCH)))
                for _ in range(6 * BATCH):
                    client.reply()
                number += BATCH
                if asked_at and saving(other):
                    during += BATCH
                elif during:
                    break
                else:  # the first one, or one that was over before anything was written
                    expect_true(other('BGSAVE').startswith('Background'), 'BGSAVE')
                    asked_at = number
            while saving(other):
                pass
        home.kill()
        checked = subprocess.run(['redis-check-rdb', str(home.dir / 'dump.rdb')],
                                 capture_output=True, text=True)
        expect(checked.returncode, 0, checked.stdout + checked.stderr)
        for life in ('ours', 'redis'):
            if life == 'redis':
                os.remove(home.dir / 'slotcar.manifest')
                home.options = ('--appendonly', 'no', '--save', '')
            home.start(binary=redis if life == 'redis' else None).close()
            with Client(home.port) as client:
                count = (client('STRLEN', '{k}grows') - 100_000) // WIDTH
                expect_true(asked_at <= count < number, f'{life}: {count} of {number}')
                for key, value in as_of(count).items():
                    expect_true(client('GET', key) == value, f'{life}: {key} is not of the moment')
            home.kill()


def fill(client):
    many = range(30_000)
    long = os.urandom(700_000)

    def each(command, key, *words):
        for at in range(0, len(words), 3000):
            reply = client(command, key, *words[at:at + 3000])
            expect_true(not isinstance(reply, ErrorReply), f'{command}: {reply}')
    each('RPUSH', 'list', *[f'element {i}' for i in many], long, bytes(500_000))
    each('SADD', 'set', *[f'member {i}' for i in many], long)
    each('SADD', 'numbers', *many)
    each('ZADD', 'zset', *[w for i in many for w in (i / 4, f'member {i}')], 7, long)
    each('HSET', 'hash', *[w for i in many for w in (f'field {i}', f'value {i}')], 'long', long)
    each('HSET', 'timed', *[w for i in many for w in (f'field {i}', f'value {i}')], long, 'long')
    fields = [f'field {i}' for i in many]
    client('HPEXPIREAT', 'timed', 4_000_000_000_000, 'FIELDS', len(fields), *fields)
    for i in range(1, 5001):
        client('XADD', 'stream', f'{i}-1', 'field', f'value {i}', 'same', 'x')
    client('XADD', 'stream', '6000-1', 'long', long)
    for group in ('one', 'two'):
        client('XGROUP', 'CREATE', 'stream', group, '0')
        client('XREADGROUP', 'GROUP', group, 'reader', 'COUNT', 3000, 'STREAMS', 'stream', '>')
    client('BF.RESERVE', 'filter', '0.01', 1_000_000)
    each('BF.MADD', 'filter', *many)
    each('PFADD', 'counted', *many)
    client('SET', 'string', long)
    client('SET', b'name ' + long[:200_000], 'short')
    client('SET', 'timed string', bytes(300_000), 'PXAT', 4_000_000_000_000)


def picture(client):
    return {key: (client('DEBUG', 'DIGEST-VALUE', key), client('TYPE', key),
                  client('PEXPIRETIME', key)) for key in client('KEYS', '*')} | {
        'filter': (client('BF.INFO', 'filter'), client('BF.MEXISTS', 'filter', *range(100))),
        'timed': client('HPEXPIRETIME', 'timed', 'FIELDS', 2, 'field 1', 'field 29999'),
        'pending': [client('XPENDING', 'stream', group) for group in ('one', 'two')]}


def survive(binary, way):
    with Home(binary, '--enable-debug-command', 'yes') as home:
        home.start().close()
        with Client(home.port) as client:
            fill(client)
            before = picture(client)
            expect(len(before), 12 + 3)
            if way == 'snapshot':
                expect(client('SAVE'), 'OK')
            elif way == 'dump':
                for key in client('KEYS', '*'):
                    expect(client('RESTORE', key, 0, client('DUMP', key), 'REPLACE'), 'OK', str(key[:20]))
                    ends = before[key][2] if key == b'timed string' else -1
                    if ends != -1:
                        client('PEXPIREAT', key, ends)
                expect_same(picture(client), before)
        home.kill()
        home.start().close()
        with Client(home.port) as client:
            expect_same(picture(client), before)


def expect_same(after, before):
    for key in before:
        expect_true(after[key] == before[key],
                    f'{key[:20]}: {str(after[key])[:200]} and not {str(before[key])[:200]}')
    expect(len(after), len(before))


def run(server, report):
    for way in ('log', 'snapshot', 'dump'):
        report.check(f'long values of every type survive: {way}', survive, server.binary, way)
    for packed in ('yes', 'no'):
        report.check(f'long strings beside a snapshot, rdbcompression {packed}', as_they_were,
                     server.binary, packed)
