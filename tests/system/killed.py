"""A process that is killed loses nothing that it acknowledged, whatever appendfsync says."""
import os
import pathlib
import random
import shutil
import tempfile
import threading

from durability import Client, Home, wait_for
from harness import encoded, expect_true

SHARED_MEMORY = pathlib.Path('/dev/shm')


class Writer(threading.Thread):
    """INCRs in pipelines, and remembers the last number that it was answered."""

    def __init__(self, port, key):
        super().__init__(daemon=True)
        self.client, self.key, self.acknowledged = Client(port), key, 0
        self.start()

    def run(self):
        try:
            while True:
                self.client.raw(encoded('INCR', self.key) * 16)
                for _ in range(16):
                    self.acknowledged = self.client.reply()
        except Exception:  # the server is gone
            pass


def kept(binary, fsync, *options):
    dice = random.Random(fsync)
    with Home(binary, '--appendfsync', fsync, *options) as home:
        for life in range(6):
            home.start().close()
            writers = [Writer(home.port, f'n{i}') for i in range(4)]
            for writer in writers:
                while writer.acknowledged < dice.randrange(2000) and writer.is_alive():
                    writer.join(0.005)
            home.kill()
            for writer in writers:
                writer.join()
            client = home.start()
            for writer in writers:
                there = int(client('GET', writer.key) or 0)
                expect_true(there >= writer.acknowledged,
                            f'life {life}: {writer.key} is {there}, {writer.acknowledged} was '
                            'acknowledged')
            client.close()
            home.terminate()


def long_values(binary):
    """Longer than a block of the buffer, and longer than all of it."""
    with Home(binary, '--appendfsync', 'everysec', '--appendonly-buffer-size', '4mb') as home:
        client = home.start()
        for megabytes in (1, 3, 9):
            client('SET', f'v{megabytes}', 'x' * (megabytes << 20))
        home.kill()
        client = home.start()
        for megabytes in (1, 3, 9):
            expect_true(client('STRLEN', f'v{megabytes}') == megabytes << 20, f'v{megabytes}')


def mapped_buffers(home):
    """The buffers that this server has mapped; other servers of the machine have theirs."""
    maps = pathlib.Path(f'/proc/{home.process.pid}/maps').read_text()
    return {word for word in maps.split() if word.startswith(f'{SHARED_MEMORY}/slotcar-log-')}


def leaves_no_buffers(binary):
    with Home(binary) as home:
        for _ in range(3):
            home.start()('INCR', 'n')
            seen = mapped_buffers(home)
            expect_true(len(seen) == 1, 'a running server has one buffer')
            home.kill()
            home.start()
            seen |= mapped_buffers(home)
            home.terminate()
            left = {name for name in seen if pathlib.Path(name).exists()}
            expect_true(not left, f'a server that was stopped leaves {left}')


def older_copy_is_refused(binary):
    with Home(binary) as home:
        client = home.start()
        for i in range(10):
            client('SET', f'k{i}', 'v')
        client('WAITAOF', '1', '0', '0')
        segment = min((home.dir / 'slotcar-log').iterdir())
        whole = segment.read_bytes()
        home.kill()
        # As a copy of the directory that was made before the last sync would have it.
        segment.write_bytes(whole[:64] + bytes(len(whole) - 64))
        said = home.refuses()
        expect_true('were on the disk' in said or 'slotcar-log-' in said or 'damaged' in said, said)


def copies_leave_the_buffer(binary):
    """A copy of the directory reads what the original's buffer has, and leaves it there."""
    with Home(binary, '--save', '') as home, Home(binary, '--save', '') as copy:
        client = home.start()
        client('SET', 'n', 0)
        buffer = buffer_of(home)
        copy_files(home, copy)
        expect_true('belongs to a server that runs' in started_and_stopped(copy), copy.said())
        expect_true(buffer.exists(), 'a copy took the buffer of a server that runs')
        for _ in range(100):
            client('INCR', 'n')
        home.kill()
        copy_files(home, copy)
        started_and_stopped(copy, '--recover-until', '1')
        expect_true(buffer.exists(), 'a copy took the buffer that the original needs')
        expect_true(home.start()('GET', 'n') == '100', 'the original has not all')
        expect_true(not buffer.exists(), 'the original leaves its old buffer')


def a_lost_buffer_is_reported(binary):
    with Home(binary, '--save', '') as home:
        home.start()('SET', 'k', 'v')
        home.kill()
        home.start().close()
        expect_true('is gone, though' not in home.said(), 'its buffer was there: ' + home.said())
        home.crash()
        home.start().close()
        expect_true('is gone, though the machine was not restarted' in home.said(), home.said())
        home.terminate()
        home.start().close()
        expect_true('is gone, though' not in home.said(), 'it was stopped: ' + home.said())


def orphans_are_removed(binary):
    """Of a directory that is gone: the buffer that holds nothing goes, one that holds records stays."""
    buffers = pathlib.Path(tempfile.mkdtemp(prefix='slotcar-buffers.', dir=SHARED_MEMORY))
    options = '--save', '', '--appendonly-buffer-dir', str(buffers)
    with Home(binary, *options) as synced, Home(binary, *options) as unsynced:
        for home in synced, unsynced:
            client = home.start()
            client('CONFIG', 'SET', 'appendfsync', 'no')
            client('SET', 'k', 'v')
            if home is synced:
                client('WAITAOF', '1', '0', '0')
            home.kill()
        useless, useful = (buffers / buffer_of(home).name for home in (synced, unsynced))
        moved = [home.dir.rename(home.dir.with_name(home.dir.name + '.moved')) for home in (synced, unsynced)]
        for buffer in useless, useful:
            os.utime(buffer, (0, 0))  # those of the last minutes are left alone
        with Home(binary, *options) as other:
            other.start().close()
            wait_for(lambda: '1 removed, 1 left' in other.said(), 'the buffers to be looked at')
            expect_true(not useless.exists(), 'the buffer of a directory that is gone stays')
            expect_true(useful.exists(), 'a buffer with records went')
        for home, path in zip((synced, unsynced), moved):
            path.rename(home.dir)
            expect_true(home.start()('GET', 'k') == 'v', 'what the buffer had is lost')
    shutil.rmtree(buffers)


def buffer_of(home):
    lines = (home.dir / 'slotcar.manifest').read_text().splitlines()
    life = next(line.split()[1] for line in lines if line.startswith('life '))
    return SHARED_MEMORY / f'slotcar-log-{life}'


def copy_files(home, copy):
    shutil.rmtree(copy.dir)
    shutil.copytree(home.dir, copy.dir, ignore=shutil.ignore_patterns('*.temp'))


def started_and_stopped(home, *options):
    home.start(*options).close()
    home.terminate()
    return home.said()


def run(server, report):
    for fsync in ('everysec', 'no', 'always'):
        report.check(f'kill -9 under {fsync}: nothing acknowledged is lost', kept, server.binary,
                     fsync)
    report.check('... with a small buffer', kept, server.binary, 'everysec',
                 '--appendonly-buffer-size', '2mb')
    report.check('... long values', long_values, server.binary)
    report.check('buffers are removed', leaves_no_buffers, server.binary)
    report.check('a copy leaves the buffer to the original', copies_leave_the_buffer, server.binary)
    report.check('a buffer that was removed is reported', a_lost_buffer_is_reported, server.binary)
    report.check('buffers of directories that are gone are removed', orphans_are_removed,
                 server.binary)
    report.check('a directory that is behind its buffer is refused', older_copy_is_refused,
                 server.binary)
