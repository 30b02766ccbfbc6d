"""What survives: the log, snapshots, starting again, and moving in from Redis."""
import hashlib
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time

from harness import (Client as PlainClient, ErrorReply, encoded, expect, expect_true, free_port,
                     forget_log_buffer)


def text(value):
    """Bulk strings as text: nothing binary is written here."""
    if isinstance(value, bytes):
        return value.decode()
    return [text(item) for item in value] if isinstance(value, list) else value


class Client(PlainClient):
    def __call__(self, *words):
        return text(super().__call__(*words))


class Home:
    """A directory, and servers that live in it one after the other."""

    def __init__(self, binary, *options):
        self.binary, self.options = binary, options
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix='slotcar-home.'))
        self.port = free_port()
        self.process = None

    def launch(self, *more, binary=None):
        with open(self.dir / 'output', 'wb') as output:
            self.process = subprocess.Popen(
                [binary or self.binary, '--port', str(self.port), '--bind', '127.0.0.1',
                 '--dir', str(self.dir), '--enable-debug-command', 'yes', *self.options, *more],
                stdout=output, stderr=subprocess.STDOUT, cwd=self.dir)

    def start(self, *more, binary=None):
        self.launch(*more, binary=binary)
        until = time.monotonic() + 60
        while self.process.poll() is None and time.monotonic() < until:
            try:
                client = Client(self.port)
                if not isinstance(client('PING'), ErrorReply):  # Redis answers LOADING at first
                    return client
                client.close()
            except OSError:
                pass
            time.sleep(0.02)
        raise RuntimeError('it does not start: ' + self.said())

    def refuses(self, *more):
        """It ends by itself; returns its output."""
        self.launch(*more)
        expect_true(self.process.wait(60) != 0, 'it ended as if all were well')
        return self.said()

    def said(self):
        return (self.dir / 'output').read_text(errors='replace')

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def crash(self):
        """As if the machine had ended: what only memory had is gone, too."""
        self.kill()
        forget_log_buffer(self.dir)

    def terminate(self):
        self.process.terminate()
        expect(self.process.wait(60), 0, 'the exit code')

    def files(self):
        """Without the lock, which stays when a server ends."""
        return sorted(p.name for p in self.dir.iterdir()
                      if p.name not in ('output', 'slotcar.lock'))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process and self.process.poll() is None:
            self.kill()
        forget_log_buffer(self.dir)
        shutil.rmtree(self.dir, ignore_errors=True)


def persistence(client):
    lines = client('INFO', 'persistence').splitlines()
    return dict(line.split(':', 1) for line in lines if ':' in line)


def wait_for(condition, what, seconds=60):
    until = time.monotonic() + seconds
    while not condition():
        expect_true(time.monotonic() < until, f'waited in vain for {what}')
        time.sleep(0.01)


def some_data(client):
    client('SET', 'string', 'value')
    client('SET', 'ends', 'x', 'EX', 10000)
    client('RPUSH', 'list', *range(500))
    client('HSET', 'hash', *sum(([f'f{i}', i] for i in range(300)), []))
    client('SADD', 'set', *[f'm{i}' for i in range(300)])
    client('ZADD', 'zset', *sum(([i * 0.5, f'm{i}'] for i in range(300)), []))
    client('XADD', 'stream', '5-1', 'field', 'value')
    client('XGROUP', 'CREATE', 'stream', 'group', '0')
    client('SELECT', 3)
    client('SET', 'elsewhere', 1)
    client('SELECT', 0)


def picture(client):
    seen = {}
    for db in (0, 3):
        client('SELECT', db)
        for key in sorted(client('KEYS', '*')):
            seen[db, key] = (client('DEBUG', 'DIGEST-VALUE', key), client('PEXPIRETIME', key))
    client('SELECT', 0)
    return seen


def contents(client):
    """As `picture`, in words that Redis and Slotcar share."""
    seen = {}
    readers = {'string': lambda k: client('GET', k), 'list': lambda k: client('LRANGE', k, 0, -1),
               'hash': lambda k: sorted(client('HGETALL', k)),
               'set': lambda k: sorted(client('SMEMBERS', k)),
               'zset': lambda k: client('ZRANGE', k, 0, -1, 'WITHSCORES'),
               'stream': lambda k: (client('XRANGE', k, '-', '+'), client('XINFO', 'GROUPS', k))}
    for db in (0, 3):
        client('SELECT', db)
        for key in sorted(client('KEYS', '*')):
            value = readers[client('TYPE', key)](key)
            digest = hashlib.sha1(repr(value).encode()).hexdigest()
            seen[db, key] = (digest, client('PEXPIRETIME', key))
    client('SELECT', 0)
    return seen


# ------------------------------------------------------------------ starting again
def survives(binary, end, *options):
    with Home(binary, *options) as home:
        client = home.start()
        some_data(client)
        before = picture(client)
        if end == 'kill':
            expect(client('WAITAOF', 1, 0, 0), [1, 0])
            home.kill()
        elif end == 'terminate':
            home.terminate()
        elif end == 'save':
            expect(client('SAVE'), 'OK')
            client('SET', 'after', 'the snapshot')
            client('DEL', 'list')
            before = picture(client)
            client('WAITAOF', 1, 0, 0)
            home.kill()
        client = home.start()
        expect(picture(client), before)


def without_log(binary):
    with Home(binary, '--appendonly', 'no') as home:
        client = home.start()
        some_data(client)
        before = picture(client)
        home.terminate()  # the rules ask for snapshots, so there is one
        expect_true('dump.rdb' in home.files(), f'{home.files()}')
        client = home.start()
        expect(picture(client), before)
        client('SET', 'string', 'another')
        client.raw(b'SHUTDOWN NOSAVE\r\n')
        home.process.wait(60)
        client = home.start()
        expect(client('GET', 'string'), 'value')
        client('SET', 'string', 'third')
        client.raw(b'SHUTDOWN SAVE\r\n')
        home.process.wait(60)
        expect(home.start()('GET', 'string'), 'third')


def nothing_kept(binary):
    with Home(binary, '--appendonly', 'no', '--save', '') as home:
        client = home.start()
        client('SET', 'a', 1)
        home.terminate()
        expect(home.files(), [])
        expect(home.start()('DBSIZE'), 0)


def switched(binary):
    with Home(binary, '--appendonly', 'no', '--save', '') as home:
        client = home.start()
        client('SET', 'before', 1)
        client('CONFIG', 'SET', 'appendonly', 'yes')
        wait_for(lambda: persistence(client)['aof_rewrite_in_progress'] == '0', 'the switch')
        expect(persistence(client)['aof_enabled'], '1')
        client('SET', 'after', 1)
        client('WAITAOF', 1, 0, 0)
        home.kill()
        client = home.start('--appendonly', 'yes')
        expect(client('MGET', 'before', 'after'), ['1', '1'])
        client('CONFIG', 'SET', 'appendonly', 'no')
        wait_for(lambda: persistence(client)['aof_rewrite_in_progress'] == '0', 'the switch')
        expect(persistence(client)['aof_enabled'], '0')
        client('SET', 'after', 'not kept')
        home.kill()
        client = home.start('--appendonly', 'yes')
        expect(client('MGET', 'before', 'after'), ['1', '1'])
        client('SET', 'after', 2)
        client('WAITAOF', 1, 0, 0)
        home.kill()
        expect(home.start('--appendonly', 'yes')('GET', 'after'), '2')


def rules_save(binary):
    with Home(binary, '--save', '1', '3') as home:
        client = home.start()
        for i in range(5):
            client('SET', i, i)
        wait_for(lambda: persistence(client)['rdb_saves'] == '1', 'a snapshot by its rule')
        expect(persistence(client)['rdb_changes_since_last_save'], '0')
        expect_true(abs(client('LASTSAVE') - time.time()) < 30, 'LASTSAVE')


def log_is_trimmed(binary):
    with Home(binary, '--appendonly-segment-size', '1mb', '--auto-aof-rewrite-min-size', '3mb',
              '--save', '') as home:
        client = home.start()
        for i in range(60):
            client('SET', 'k', 'x' * 100_000)
        wait_for(lambda: int(persistence(client)['aof_rewrites']) > 0, 'a snapshot by growth')
        wait_for(lambda: len(list((home.dir / 'slotcar-log').iterdir())) <= 6, 'the trimming')
        home.kill()
        expect(home.start()('STRLEN', 'k'), 100_000)


# ------------------------------------------------------------------ in the middle of a life
def reloaded(binary, *options):
    """DEBUG RELOAD and LOADAOF: through the files and back, and no client sees an intermediate state."""
    with Home(binary, '--save', '', *options) as home:
        client = home.start()
        some_data(client)
        before = picture(client)
        expect(client('DEBUG', 'RELOAD'), 'OK')
        expect(picture(client), before)
        expect(client('DEBUG', 'RELOAD', 'MERGE'), 'OK')
        expect(picture(client), before)
        expect(client('DEBUG', 'RELOAD', 'WHAT')[:3], 'ERR')
        # Each value exists at any moment, and blocked clients stay blocked.
        waiter = Client(home.port)
        waiter.raw(encoded('BLPOP', 'queue', 0))
        other = Client(home.port)
        client.raw(encoded('DEBUG', 'RELOAD'))
        for _ in range(50):
            expect(other('MGET', 'string', 'ends'), ['value', 'x'])
        expect(text(client.reply()), 'OK')
        other('RPUSH', 'queue', 'element')
        expect(text(waiter.reply()), ['queue', 'element'])
        client('BGREWRITEAOF')
        expect(client('DEBUG', 'LOADAOF'), 'OK')
        expect(picture(client), before)
        if 'yes' in options:
            client('SET', 'string', 'newer')
            client('APPEND', 'string', '!')
            expect(client('DEBUG', 'LOADAOF'), 'OK')
            expect(client('GET', 'string'), 'newer!')
            expect(client('DEBUG', 'RELOAD', 'NOSAVE')[:3], 'ERR')
            before = picture(client)
            home.kill()
            expect(picture(home.start()), before)
        else:
            client('SET', 'string', 'not kept')
            expect(client('DEBUG', 'RELOAD', 'NOSAVE'), 'OK')
            expect(picture(client), before)


# ------------------------------------------------------------------ what is refused
def foreign_snapshot(binary):
    with Home(binary) as home, Home(binary) as other:
        client = other.start()
        client('SET', 'foreign', 1)
        client('SAVE')
        other.kill()
        client = home.start()
        client('SET', 'own', 1)
        client('SAVE')
        home.kill()
        shutil.copy(home.dir / 'dump.rdb', home.dir / 'own.rdb')
        shutil.copy(other.dir / 'dump.rdb', home.dir / 'dump.rdb')
        text = home.refuses()
        expect_true('must not be mixed' in text and 'slotcar.manifest' in text, text)
        shutil.copy(home.dir / 'own.rdb', home.dir / 'dump.rdb')
        expect(home.start()('GET', 'own'), '1')


def missing_parts(binary):
    with Home(binary) as home:
        client = home.start()
        client('SET', 'a', 1)
        client('SAVE')
        home.kill()
        os.rename(home.dir / 'dump.rdb', home.dir / 'away')
        expect_true('dump.rdb is missing' in home.refuses(), home.said())
        os.rename(home.dir / 'away', home.dir / 'dump.rdb')
        os.rename(home.dir / 'slotcar.manifest', home.dir / 'away')
        client = None
        os.rename(home.dir / 'away', home.dir / 'slotcar.manifest')
        client = home.start()
        client('SET', 'a', 2)
        client('WAITAOF', 1, 0, 0)
        home.kill()
        os.remove(home.dir / 'slotcar.manifest')
        expect_true('slotcar.manifest is missing' in home.refuses(), home.said())


def missing_dump(binary):
    """Without a log the snapshot is all the data, and the manifest knows it."""
    with Home(binary, '--appendonly', 'no', '--save', '') as home:
        client = home.start()
        client('SET', 'a', 1)
        client('SAVE')
        home.kill()
        (home.dir / 'dump.rdb').unlink()
        text = home.refuses()
        expect_true('dump.rdb is missing' in text and 'move slotcar.manifest' in text, text)
        (home.dir / 'slotcar.manifest').unlink()
        expect(home.start()('DBSIZE'), 0)


def damaged_log(binary):
    with Home(binary, '--save', '') as home:
        client = home.start()
        for i in range(200):
            client('SET', f'k{i}', i)
            if i % 50 == 0:
                client('WAITAOF', 1, 0, 0)
        client('WAITAOF', 1, 0, 0)
        home.crash()
        segment = sorted((home.dir / 'slotcar-log').iterdir())[0]
        whole = segment.read_bytes()
        end = len(whole.rstrip(b'\0'))
        # A torn end is cut, with a warning.
        torn = bytearray(whole)
        torn[end - 3:end] = b'???'
        segment.write_bytes(bytes(torn))
        client = home.start()
        expect_true('ends early' in home.said(), home.said())
        expect(client('GET', 'k198'), '198')
        expect(client('GET', 'k199'), None)
        home.crash()
        # A hole in the middle is not: the reason names the place, and the ways out work.
        hole = bytearray(whole)
        at = end // 4
        hole[at:at + 4] = b'????'
        segment.write_bytes(bytes(hole))
        text = home.refuses()
        expect_true('damaged' in text and 'slotcar-check' in text, text)
        expect_true(f'{segment.name}: at byte ' in text, text)
        until = re.search(r'--recover-until (\d+)', text).group(1)
        expect(home.start('--recover-until', until)('DBSIZE'), int(until))
        home.crash()
        # What came after it was given up, whatever becomes of the file.
        segment.write_bytes(whole)
        expect(home.start()('DBSIZE'), int(until))


def missing_segments(binary):
    """A snapshot and writes after it: the manifest knows which segments must be there."""
    with Home(binary, '--save', '') as home:
        client = home.start()
        for i in range(200):
            client('SET', f'before{i}', i)
        client('SAVE')
        for i in range(200):
            client('SET', f'after{i}', i)
        client('WAITAOF', 1, 0, 0)
        home.kill()
        log = home.dir / 'slotcar-log'
        whole = {file.name: file.read_bytes() for file in log.iterdir()}
        first = min(whole)

        def refused(what):
            text = home.refuses()
            way_out = '--recover-until' in text or 'move slotcar.manifest' in text
            expect_true(f'{first}: ' in text and way_out, f'{what}: {text}')
            for name, contents in whole.items():
                (log / name).write_bytes(contents)

        (log / first).unlink()
        refused('without the segment')
        (log / first).write_bytes(b'')
        refused('with an empty one')
        for file in log.iterdir():
            file.unlink()
        refused('without any')
        (log / first).write_bytes(whole[first][:20_000])
        refused('cut off')
        torn = bytearray(whole[first])
        torn[5000] ^= 1
        (log / first).write_bytes(bytes(torn))
        refused('damaged before what the snapshot rests on')
        expect(home.start()('DBSIZE'), 400)


def stopped_in_good_order(binary):
    """Then the last record is known, and is not taken for a torn end."""
    with Home(binary, '--save', '') as home:
        client = home.start()
        client('SET', 'a', 1)
        client('SET', 'b', 2)
        home.terminate()
        segment = min((home.dir / 'slotcar-log').iterdir())
        whole = segment.read_bytes()
        torn = bytearray(whole)
        torn[len(whole.rstrip(b'\0')) - 3] ^= 1
        segment.write_bytes(bytes(torn))
        text = home.refuses()
        expect_true('stopped in good order at LSN 2' in text, text)
        segment.write_bytes(whole)
        client = home.start()
        expect(client('MGET', 'a', 'b'), ['1', '2'])
        client('SET', 'c', 3)
        client('WAITAOF', 1, 0, 0)
        home.kill()
        expect(home.start()('MGET', 'a', 'b', 'c'), ['1', '2', '3'])


def files_stay_few(binary):
    """However often it starts: two prepared segments, and of each life what it wrote."""
    with Home(binary, '--save', '') as home:
        log = home.dir / 'slotcar-log'

        def taken():
            return sum(file.stat().st_blocks * 512 for file in log.iterdir())

        for _ in range(10):
            home.start()
            home.kill()
        expect(len(list(log.iterdir())), 2, 'files after ten idle lives')
        for life in range(10):
            client = home.start()
            client('SET', f'k{life}', life)
            client('WAITAOF', 1, 0, 0)
            home.kill() if life % 2 else home.terminate()
        client = home.start()
        expect(client('DBSIZE'), 10)
        expect_true(len(list(log.iterdir())) <= 12, 'too many files after ten lives that wrote')
        expect_true(taken() < 2.5 * 64 * 1024 * 1024, f'{taken()} bytes are taken')
        for _ in range(3):
            client('BGREWRITEAOF')
            wait_for(lambda: persistence(client)['aof_rewrite_in_progress'] == '0', 'the rewrite')
        wait_for(lambda: len(list(log.iterdir())) == 2, 'the trimming')


def until(binary):
    with Home(binary, '--save', '') as home:
        client = home.start()
        for i in range(10):
            client('SET', 'k', i)
        client('WAITAOF', 1, 0, 0)
        home.kill()
        client = home.start('--recover-until', '4')
        expect(client('GET', 'k'), '3')
        client('SET', 'other', 1)
        client('WAITAOF', 1, 0, 0)
        home.kill()
        client = home.start()
        expect(client('MGET', 'k', 'other'), ['3', '1'])
        home.kill()
        expect_true('takes the number of a record' in home.refuses('--recover-until', 'x'),
                    home.said())


# ------------------------------------------------------------------ moving in
def from_redis(binary, kind):
    redis = shutil.which('redis-server')
    expect_true(redis, 'there is no redis-server')
    with Home(binary) as home:
        log = kind in ('log', 'log without base')
        client = home.start('--appendonly', 'yes' if log else 'no', '--save', '', binary=redis)
        some_data(client)
        if kind == 'log':
            client('BGREWRITEAOF')
            wait_for(lambda: persistence(client)['aof_rewrite_in_progress'] == '0', 'Redis')
            client('MULTI')
            client('SET', 'later', 1)
            client('INCR', 'later')
            client('EXEC')
        before = contents(client)
        client.raw(b'SHUTDOWN NOSAVE\r\n' if log else b'SHUTDOWN SAVE\r\n')
        home.process.wait(60)
        if kind == 'import':
            os.makedirs(home.dir / 'x')
            os.rename(home.dir / 'dump.rdb', home.dir / 'x' / 'redis.rdb')
            client = home.start('--import', str(home.dir / 'x' / 'redis.rdb'))
        else:
            client = home.start()
        expect(contents(client), before)
        expect(client('LRANGE', 'list', 495, -1), [str(i) for i in range(495, 500)])
        expect(client('ZSCORE', 'zset', 'm7'), '3.5')
        expect(client('XINFO', 'GROUPS', 'stream')[0][1], 'group')
        client('SET', 'new', 'here')
        client('WAITAOF', 1, 0, 0)
        home.kill()
        client = home.start()
        expect(client('GET', 'new'), 'here')
        expect(len(contents(client)), len(before) + 1)
        # Again and again: the log keeps continuing what was imported.
        for life in range(3):
            client('SET', f'life{life}', life)
            client('WAITAOF', 1, 0, 0)
            home.kill()
            client = home.start()
            expect(client('GET', 'new'), 'here', f'life {life}')
            expect(len(contents(client)), len(before) + 2 + life, f'life {life}')


def into_redis(binary):
    """Redis loads our snapshot of every type; values and times are equal."""
    redis = shutil.which('redis-server')
    with Home(binary, '--appendonly', 'no') as home:
        client = home.start()
        some_data(client)
        expect(client('SAVE'), 'OK')
        before = contents(client)
        home.kill()
        checked = subprocess.run(['redis-check-rdb', str(home.dir / 'dump.rdb')],
                                 capture_output=True, text=True)
        expect(checked.returncode, 0, checked.stdout + checked.stderr)
        os.remove(home.dir / 'slotcar.manifest')
        home.options = ()
        client = home.start('--appendonly', 'no', '--save', '', binary=redis)
        expect(contents(client), before)
        expect(client('HGET', 'hash', 'f299'), '299')


def failing_saves(binary):
    """Snapshots that rules ask for fail: writes are refused if the setting says so, and until one
    succeeds."""
    with Home(binary, '--appendonly', 'no', '--save', '3600 1') as home:
        client = home.start()
        client('SET', 'kept', 1)
        in_the_way = [home.dir / f'temp-{number}.rdb' for number in range(1, 9)]
        for path in in_the_way:
            path.mkdir()
        client('BGSAVE')
        wait_for(lambda: persistence(client)['rdb_last_bgsave_status'] == 'err', 'the failure')
        expect_true(client('SET', 'kept', 2).startswith('MISCONF'), 'a write was let in')
        expect_true(client('MULTI') == 'OK' and client('INCR', 'kept').startswith('MISCONF'),
                    'a write was queued')
        client('DISCARD')
        expect(client('GET', 'kept'), '1')
        client('CONFIG', 'SET', 'stop-writes-on-bgsave-error', 'no')
        expect(client('SET', 'kept', 3), 'OK')
        client('CONFIG', 'SET', 'stop-writes-on-bgsave-error', 'yes')
        expect_true(client('DEL', 'kept').startswith('MISCONF'), 'a write was let in')
        for path in in_the_way:
            path.rmdir()
        expect(client('SAVE'), 'OK')
        expect(client('SET', 'kept', 4), 'OK')
        home.terminate()
        expect(home.start()('GET', 'kept'), '4')


def full_disk(binary):
    """On a file system of a few megabytes: writes are refused, reads go on, room heals it."""
    with Home(binary, '--appendonly-segment-size', '1mb', '--save', '') as home:
        mounted = subprocess.run(['mount', '-t', 'tmpfs', '-o', 'size=16m', 'none', str(home.dir)],
                                 capture_output=True)
        if mounted.returncode != 0:
            return  # not allowed here; the simulated disk fills up in the tests of tests/sim
        try:
            client = home.start()
            ballast = home.dir / 'ballast'
            client('SET', 'kept', 1)
            size = 32 * 1024 * 1024
            with open(ballast, 'wb') as file:
                try:
                    file.write(b'x' * size)
                except OSError:
                    pass
            refused = None
            for i in range(200):
                reply = client('SET', 'k', 'x' * 50_000)
                if isinstance(reply, ErrorReply):
                    refused = reply
                    break
            expect_true(refused is not None and refused.startswith('MISCONF'), f'{refused}')
            expect(client('GET', 'kept'), '1')
            expect(persistence(client)['aof_last_write_status'], 'err')
            os.remove(ballast)
            wait_for(lambda: not isinstance(client('SET', 'kept', 2), ErrorReply), 'recovery')
            expect(persistence(client)['aof_last_write_status'], 'ok')
            client('WAITAOF', 1, 0, 0)
            home.kill()
            expect(home.start()('GET', 'kept'), '2')
        finally:
            if home.process and home.process.poll() is None:
                home.kill()
            subprocess.run(['umount', str(home.dir)], capture_output=True)


def full_disk_under_always(binary):
    """The write that runs when the disk fills gets a truthful reply; others continue."""
    with Home(binary, '--appendonly-segment-size', '1mb', '--save', '', '--appendfsync', 'always',
              '--appendonly-sync-timeout', '300') as home:
        mounted = subprocess.run(['mount', '-t', 'tmpfs', '-o', 'size=16m', 'none', str(home.dir)],
                                 capture_output=True)
        if mounted.returncode != 0:
            return  # as above
        try:
            client = home.start()
            expect(client('SET', 'kept', 1), 'OK')
            ballast = home.dir / 'ballast'
            with open(ballast, 'wb') as file:
                try:
                    file.write(b'x' * 32 * 1024 * 1024)
                except OSError:
                    pass
            acknowledged = unsynced = None
            for i in range(1, 1000):
                value = f'{i}:' + 'x' * 50_000
                reply = client('SET', 'k', value)
                if reply != 'OK':
                    unsynced = value
                    break
                acknowledged = value
            expect_true(reply.startswith('UNSYNCED The command ran'), f'{reply}')
            # Clients that would see it get an error; all others are served.
            reader = Client(home.port)
            expect_true(reader('GET', 'k').startswith('UNSYNCED'), 'a reader was shown the value')
            expect(reader('GET', 'kept'), '1')
            expect(client('GET', 'kept'), '1')
            expect_true(client('SET', 'k', 'late').startswith('MISCONF'), 'a write was let in')
            for words in (['INFO'], ['CONFIG', 'GET', 'dir'], ['CLIENT', 'LIST'], ['TIME'],
                          ['DBSIZE'], ['SLOWLOG', 'LEN']):
                reply = Client(home.port)(*words)
                expect_true(not isinstance(reply, ErrorReply), f'{words}: {reply}')
            home.kill()
            os.remove(ballast)
            # It may have survived or not; what was acknowledged has.
            client = home.start()
            expect_true(client('GET', 'k') in (acknowledged, unsynced), 'an acknowledged write')
            expect(client('GET', 'kept'), '1')
        finally:
            if home.process and home.process.poll() is None:
                home.kill()
            subprocess.run(['umount', str(home.dir)], capture_output=True)


def space_returns_under_always(binary):
    """As above, and then room: everything continues by itself, the unsynced write included."""
    with Home(binary, '--appendonly-segment-size', '1mb', '--save', '', '--appendfsync', 'always',
              '--appendonly-sync-timeout', '300') as home:
        mounted = subprocess.run(['mount', '-t', 'tmpfs', '-o', 'size=16m', 'none', str(home.dir)],
                                 capture_output=True)
        if mounted.returncode != 0:
            return  # as above
        try:
            client = home.start()
            ballast = home.dir / 'ballast'
            with open(ballast, 'wb') as file:
                try:
                    file.write(b'x' * 32 * 1024 * 1024)
                except OSError:
                    pass
            value = ''
            while not value.startswith('UNSYNCED'):
                value = client('SET', 'k', 'x' * 50_000)
            os.remove(ballast)
            wait_for(lambda: client('GET', 'k') == 'x' * 50_000, 'the value')
            wait_for(lambda: client('SET', 'after', 1) == 'OK', 'recovery')
            expect(persistence(client)['aof_last_write_status'], 'ok')
            home.kill()
            client = home.start()
            expect(client('STRLEN', 'k'), 50_000)
            expect(client('GET', 'after'), '1')
        finally:
            if home.process and home.process.poll() is None:
                home.kill()
            subprocess.run(['umount', str(home.dir)], capture_output=True)


def run(server, report):
    binary = server.binary
    check = report.check
    check('what was written survives a kill', survives, binary, 'kill')
    check('... and under always', survives, binary, 'kill', '--appendfsync', 'always')
    check('... and a termination', survives, binary, 'terminate')
    check('a snapshot and the log after it', survives, binary, 'save')
    check('without a log: snapshots at the end', without_log, binary)
    check('without anything nothing is written', nothing_kept, binary)
    check('the log is switched on and off', switched, binary)
    check('rules ask for snapshots', rules_save, binary)
    check('the log is trimmed as it grows', log_is_trimmed, binary)
    check('reloaded, without a log', reloaded, binary, '--appendonly', 'no')
    check('reloaded, with a log', reloaded, binary, '--appendonly', 'yes')
    check('a foreign snapshot is refused', foreign_snapshot, binary)
    check('missing parts are named', missing_parts, binary)
    check('a missing snapshot is named', missing_dump, binary)
    check('a torn end is cut, a hole is not', damaged_log, binary)
    check('missing segments are named', missing_segments, binary)
    check('after a stop the last record is known', stopped_in_good_order, binary)
    check('files stay few', files_stay_few, binary)
    check('back to a record', until, binary)
    for kind in ('snapshot', 'import', 'log', 'log without base'):
        check(f'from Redis: {kind}', from_redis, binary, kind)
    check('into Redis', into_redis, binary)
    check('snapshots that fail stop writes', failing_saves, binary)
    check('a full disk', full_disk, binary)
    check('a full disk under always', full_disk_under_always, binary)
    check('... and space that returns', space_returns_under_always, binary)
