"""Whole files between this server and Redis: Redis writes one, snapshot_copy reads it and writes it
again, redis-check-rdb must accept that, and Redis, which loads it, must find the same keys in it by
its own digest. Then files with encodings of old and new versions, and slotcar-check on all of them."""
import pathlib
import shutil
import struct
import subprocess
import tempfile

import rdb_values as rdb
from dump_restore import SAMPLES, flat_of, old_and_new, seen
from harness import ErrorReply, Server, expect, expect_true


def tool(binary, *words):
    done = subprocess.run([str(binary), *map(str, words)], capture_output=True, text=True,
                          errors='replace', timeout=120)
    return done.returncode, done.stdout, done.stderr


def file_of(values, version=11):
    """A file with these (name, value as RDB writes it)."""
    out = b'REDIS%04d' % version + b'\xfe\0'
    for name, value in values:
        out += value[:1] + rdb.string(name) + value[1:]
    out += b'\xff'
    return out + struct.pack('<Q', rdb.crc64(out))


def filled(client):
    """Every sample, each in its database; some expire. Returns how many keys."""
    for number, (name, commands) in enumerate(SAMPLES.items()):
        client('SELECT', number % 4)
        for command in commands:
            words = [name if word == 'k' and place in (1, 2) or
                     (word == 'k' and command[0] == 'XREADGROUP') else word
                     for place, word in enumerate(command)]
            reply = client(*words)
            expect_true(not isinstance(reply, ErrorReply), f'{words[:4]}: {reply}')
        if number % 3 == 0:
            expect(client('PEXPIREAT', name, 4000000000000 + number), 1, name)
    return len(SAMPLES)


def looked_at(client):
    """What the digest does not cover: expiry to the millisecond, groups of streams."""
    out = {}
    for number, name in enumerate(SAMPLES):
        client('SELECT', number % 4)
        out[name] = client('PEXPIRETIME', name), client('TYPE', name)
        if out[name][1] == 'stream':
            out[name] += (seen(client, name),)
    return client('DEBUG', 'DIGEST'), out


def keys_of(printed):
    """The lines of slotcar-check that are about a key: they begin with its database."""
    return sorted(line for line in printed.splitlines() if line[:1].isdigit())


def run(server, report):
    build = pathlib.Path(server.binary).resolve().parent
    copy, check = build / 'snapshot_copy', build / 'slotcar-check'
    reference = shutil.which('redis-server')
    if not copy.exists() or not check.exists() or not reference:
        return report.skip('whole files', f'needs {copy}, {check} and redis-server')
    place = pathlib.Path(tempfile.mkdtemp(prefix='slotcar-files.'))

    def loaded(path, look):
        """Starts Redis on a copy of this file."""
        folder = pathlib.Path(tempfile.mkdtemp(dir=place))
        shutil.copy(path, folder / 'dump.rdb')
        with Server(reference, '--dir', str(folder), '--save', '',
                    '--enable-debug-command', 'yes') as redis:
            with redis.client() as client:
                return look(client)

    def written_by_redis():
        with Server(reference, '--save', '', '--appendonly', 'yes', '--appendfsync', 'no',
                    '--enable-debug-command', 'yes') as redis:
            with redis.client() as client:
                filled(client)
                expect(client('SAVE'), 'OK')
                shutil.copy(pathlib.Path(redis.dir) / 'dump.rdb', place / 'theirs.rdb')
                looks.append(looked_at(client))
            redis.process.terminate()
            redis.process.wait(10)
            shutil.copytree(pathlib.Path(redis.dir) / 'appendonlydir', place / 'appendonlydir')

    looks = []
    report.check('Redis writes a file', written_by_redis)

    def copied(*options):
        name = '-'.join(('ours', *options)) + '.rdb'
        code, said, error = tool(copy, place / 'theirs.rdb', place, name, *options)
        expect(code, 0, said + error)
        code, said, error = tool('redis-check-rdb', place / name)
        expect(code, 0, said + error)
        expect_true('Checksum OK' in said, said)
        return place / name

    def comes_back(*options):
        expect(loaded(copied(*options), looked_at), looks[0])

    def only_ours_is_missing():
        path = copied('ours')
        sizes = loaded(path, lambda client: (client('DBSIZE'), client('HLEN', 'hash with times'),
                                             client('EXISTS', 'bloom filter')))
        expect(sizes, (len(range(0, len(SAMPLES), 4)) + 1, 1000, 0))
        # Read here, written again: all of it is still there.
        code, said, error = tool(copy, path, place, 'again.rdb')
        expect(code, 0, said + error)
        first, second = (tool(check, '--print', file) for file in (path, place / 'again.rdb'))
        expect((first[0], second[0]), (0, 0), first[2] + second[2])
        expect_true('0 "bloom filter" ' in second[1], second[1][:500])
        expect(keys_of(second[1]), keys_of(first[1]))

    def checked():
        code, said, error = tool(check, place / 'theirs.rdb')
        expect((code, error), (0, ''))
        expect_true(f': {len(SAMPLES)} keys, ' in said, said)
        whole = (place / 'theirs.rdb').read_bytes()
        (place / 'cut.rdb').write_bytes(whole[:len(whole) // 2])
        code, said, error = tool(check, place / 'cut.rdb')
        expect(code, 1)
        expect_true(error.startswith(f'{place}/cut.rdb: at byte '), error)

    def append_only():
        code, said, error = tool(check, place)
        expect((code, error), (0, ''))
        expect_true('append-only file of Redis, 2 files, 0 keys and ' in said, said)
        expect_true(tool(check, '--print', place)[1].count('"RPUSH"') > 10, 'no commands printed')

    def other_versions():
        values = [(name.encode(), value) for name, (value, _) in old_and_new().items()]
        (place / 'others.rdb').write_bytes(file_of(values))
        code, said, error = tool(copy, place / 'others.rdb', place, 'others-copied.rdb')
        expect(code, 0, said + error)

        def look(client):
            return {name: flat_of(seen(client, name)) for name in old_and_new()}
        found = loaded(place / 'others-copied.rdb', look)
        for name, (_, wanted) in old_and_new().items():
            expect(found[name], wanted, name)

    def expired_are_counted():
        """Five keys whose time was over long ago, and two without any."""
        out = b'REDIS0010\xfe\0'
        for number in range(7):
            if number < 5:
                out += b'\xfc' + struct.pack('<Q', 1000)
            out += b'\0' + rdb.string(b'key%d' % number) + rdb.string(b'v')
        out += b'\xff'
        found = []
        for binary, options in (reference, []), (server.binary, ['--appendonly', 'no']):
            folder = pathlib.Path(tempfile.mkdtemp(dir=place))
            (folder / 'dump.rdb').write_bytes(out + struct.pack('<Q', rdb.crc64(out)))
            with Server(binary, '--dir', str(folder), '--save', '', *options) as own:
                with own.client() as client:
                    info = client('INFO', 'persistence')
                    lines = (info.decode() if isinstance(info, bytes) else info).split('\r\n')
                    found.append(sorted(line for line in lines if line.startswith('rdb_last_load')))
                    expect(sorted(client('KEYS', '*')), sorted([b'key5', b'key6']))
        expect(found[0], ['rdb_last_load_keys_expired:5', 'rdb_last_load_keys_loaded:2'], 'Redis')
        expect(found[1], found[0])

    report.check('keys whose time is over are counted as Redis does', expired_are_counted)
    report.check('written here it comes back', comes_back)
    report.check('written here without packing it comes back', comes_back, 'plain')
    report.check('Redis loads all but what only this server knows', only_ours_is_missing)
    report.check('encodings of other versions', other_versions)
    report.check('slotcar-check reads the files of Redis', checked)
    report.check('slotcar-check reads append-only files', append_only)
    shutil.rmtree(place, ignore_errors=True)
