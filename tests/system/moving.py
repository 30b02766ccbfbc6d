"""One server in a directory; moving in from Redis and back; what is configured is not ignored."""
import os
import pathlib
import shutil
import socket
import subprocess
import tempfile

from durability import Client, Home, contents, picture, some_data, wait_for
from harness import ErrorReply, expect, expect_true

LIBRARY = "#!lua name=mylib\nredis.register_function('f', function() return 1 end)"
OTHER = "#!lua name=other\nredis.register_function('g', function() return 2 end)"


def check(binary, *paths):
    tool = pathlib.Path(binary).resolve().parent / 'slotcar-check'
    done = subprocess.run([str(tool), *map(str, paths)], capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


class Second(Home):
    """Another server in the directory of `first`."""

    def __init__(self, first, *options):
        super().__init__(first.binary, *options)
        shutil.rmtree(self.dir)
        self.dir = first.dir

    def launch(self, *more, binary=None):
        self.out = tempfile.TemporaryFile()
        self.process = subprocess.Popen(
            [binary or self.binary, '--port', str(self.port), '--bind', '127.0.0.1',
             '--dir', str(self.dir), *self.options, *more],
            stdout=self.out, stderr=subprocess.STDOUT, cwd=self.dir)

    def said(self):
        self.out.seek(0)
        return self.out.read().decode(errors='replace')

    def __exit__(self, *_):
        if self.process and self.process.poll() is None:
            self.kill()


# ------------------------------------------------------------------ the lock
def overlapping_restart(binary, *options):
    """The second is refused in words and harms nothing; it starts as soon as the first has ended."""
    with Home(binary, *options) as home, Second(home, *options) as second:
        client = home.start()
        some_data(client)
        (home.dir / 'temp-77.rdb').write_text('a snapshot under way')  # a start removes such files
        text = second.refuses()
        expect_true(f'pid {home.process.pid}' in text and str(home.dir) in text, text)
        expect_true((home.dir / 'temp-77.rdb').exists(), 'it has removed a file of the first')
        before = picture(client)
        home.terminate()
        client = second.start('--enable-debug-command', 'yes')
        expect(picture(client), before)
        text = home.refuses()
        expect_true(f'pid {second.process.pid}' in text, text)
        second.kill()
        expect(picture(home.start()), before)


def directory_by_config(binary):
    """CONFIG SET dir takes the new lock and gives the old one back."""
    options = '--appendonly', 'no', '--enable-protected-configs', 'yes'
    with Home(binary, *options) as home, Home(binary, *options) as other:
        client, neighbour = home.start(), other.start()
        answer = client('CONFIG', 'SET', 'dir', str(other.dir))
        expect_true(isinstance(answer, ErrorReply) and f'pid {other.process.pid}' in answer, answer)
        expect(client('CONFIG', 'GET', 'dir')[1], str(home.dir))
        client('SET', 'own', 1)
        neighbour('SET', 'neighbour', 1)
        expect(client('SAVE'), 'OK')
        alias = home.dir / 'alias'
        alias.symlink_to(home.dir)
        expect(client('CONFIG', 'SET', 'dir', str(alias)), 'OK')  # the same one
        new = home.dir / 'new'
        new.mkdir()
        expect(client('CONFIG', 'SET', 'dir', str(new)), 'OK')
        expect_true((new / 'slotcar.lock').exists(), 'no lock in the new directory')
        with Second(home, *options) as second:
            expect(second.start()('GET', 'own'), '1')  # the old one is free
        expect(client('SAVE'), 'OK')
        expect_true((new / 'dump.rdb').exists(), 'no snapshot in the new directory')


def checked_while_it_runs(binary):
    with Home(binary) as home:
        client = home.start()
        client('SET', 'a', 1)
        client('SAVE')
        code, text = check(binary, home.dir)
        expect_true(code == 0 and f'pid {home.process.pid}' in text, text)
        home.terminate()
        code, text = check(binary, home.dir)
        expect_true(code == 0 and 'another server' not in text, text)


def nothing_can_be_written(binary):
    """A server without a log may read where it cannot write, and says so."""
    if os.geteuid() == 0:
        return  # the superuser writes everywhere
    with Home(binary, '--appendonly', 'no') as home:
        home.start()('SET', 'a', 1)
        home.terminate()
        home.dir.chmod(0o555)
        try:
            expect(home.start()('GET', 'a'), '1')
        finally:
            home.dir.chmod(0o755)


# ------------------------------------------------------------------ from Redis and back
def redis_home(redis, *options):
    return Home(redis, '--save', '', *options)


def renamed(home):
    return [name for name in home.files() if '.imported-' in name]


def in_and_out(binary, redis):
    """The data of Redis moves in; what was its log has another name; going back loads the new data."""
    with redis_home(redis, '--appendonly', 'yes') as home:
        client = home.start()
        some_data(client)
        client('FUNCTION', 'LOAD', LIBRARY)
        client('FUNCTION', 'LOAD', OTHER)
        client('FUNCTION', 'DELETE', 'other')
        before = contents(client)
        home.terminate()
        code, text = check(binary, home.dir)
        expect_true(code == 0 and '1 libraries of functions' in text, text)
        home.binary, home.options = binary, ()
        client = home.start()
        expect(contents(client), before)
        expect(client('FCALL', 'f', '0'), 1)
        expect_true('appendonlydir' not in home.files() and len(renamed(home)) == 1, home.files())
        expect_true(renamed(home)[0] in home.said(), home.said())
        client('SET', 'since', 'then')
        expect(client('WAITAOF', 1, 0, 0), [1, 0])
        home.kill()
        client = home.start()  # from the log, with the snapshot's functions
        expect(client('GET', 'since'), 'then')
        home.terminate()  # the rules ask for snapshots: dump.rdb has everything
        code, text = check(binary, home.dir)
        expect_true(code == 0 and '1 libraries of functions' in text, text)
        home.options = '--save', '', '--appendonly', 'no'
        client = home.start(binary=redis)
        expect(client('GET', 'since'), 'then')
        expect(client('FCALL', 'f', '0'), 1)
        expect(client('CONFIG', 'SET', 'appendonly', 'yes'), 'OK')
        wait_for(lambda: 'aof_rewrite_in_progress:0' in client('INFO', 'persistence'), 'the rewrite')
        client('SET', 'in', 'redis')
        home.terminate()
        home.options = ()
        text = home.refuses()  # a Redis has written a log beside ours
        expect_true('there is a log of Redis' in text and 'appendonlydir' in text, text)
        for name in 'slotcar.manifest', 'slotcar-log', 'dump.rdb':
            os.rename(home.dir / name, home.dir / f'away.{name}')
        expect(home.start()('MGET', 'since', 'in'), ['then', 'redis'])


def one_old_file(binary, redis):
    """The one file of a Redis before 7.0, with the directory of a newer one beside it or without."""
    with Home(binary) as home:
        (home.dir / 'appendonly.aof').write_bytes(b'*3\r\n$3\r\nSET\r\n$1\r\na\r\n$3\r\nold\r\n')
        expect(home.start()('GET', 'a'), 'old')
        expect_true(renamed(home)[0].startswith('appendonly.aof.imported-'), home.files())


def renamed_commands(binary, redis):
    """A Redis logs the names that its clients used: with the same rename-command lines its log is
    read. Ours has the declared names, and is read with any lines."""
    names = '--rename-command', 'DEL', 'away', '--rename-command', 'SET', 'del', '--rename-command', 'GET', ''
    with redis_home(redis, '--appendonly', 'yes', *names) as home:
        client = home.start()
        expect(client('del', 'a', '1'), 'OK')
        expect(client('del', 'b', '1'), 'OK')
        expect(client('away', 'b'), 1)
        home.terminate()
        home.binary, home.options = binary, names
        client = home.start()
        expect(client('MGET', 'a', 'b'), ['1', None])
        expect(client('DEL', 'c', '1'), 'OK')
        expect(client('AWAY', 'a'), 1)
        home.kill()
        expect(home.start()('MGET', 'a', 'b', 'c'), [None, None, '1'])
        home.kill()
        home.options = ()
        client = home.start()
        expect(client('MGET', 'a', 'b', 'c'), [None, None, '1'])
        expect(client('DEL', 'c'), 1)


def functions_of_a_snapshot(binary, redis):
    """Also in place of the base of a log, and after every later snapshot and start."""
    with redis_home(redis) as home:
        client = home.start()
        client('SET', 'a', 1)
        client('FUNCTION', 'LOAD', LIBRARY)
        payload = client('FUNCTION', 'LIST', 'WITHCODE')
        client('SAVE')
        home.kill()
        home.binary, home.options = binary, ()
        client = home.start()
        info = client('INFO', 'memory')
        expect_true('number_of_libraries:1' in info, info)
        client('FLUSHALL')
        for _ in range(2):
            client('SAVE')
            home.kill()
            client = home.start()
        home.terminate()
        home.options = ('--save', '')
        expect(home.start(binary=redis)('FUNCTION', 'LIST', 'WITHCODE'), payload)


def import_needs_an_empty_place(binary, redis):
    with Home(binary) as home, Home(binary) as other:
        client = other.start()
        client('SET', 'a', 1)
        client('SAVE')
        other.kill()
        (home.dir / 'dump.rdb').write_bytes((other.dir / 'dump.rdb').read_bytes())
        text = home.refuses('--import', str(other.dir / 'dump.rdb'))
        expect_true('already holds dump.rdb' in text, text)


def cut_end(binary, redis):
    """aof-load-truncated no: an end that was cut off is a reason not to start."""
    with Home(binary) as home:
        whole = b'*3\r\n$3\r\nSET\r\n$1\r\na\r\n$3\r\nold\r\n'
        (home.dir / 'appendonly.aof').write_bytes(whole + whole[:-4])
        text = home.refuses('--aof-load-truncated', 'no')
        expect_true('aof-load-truncated is no' in text, text)
        expect(home.start()('GET', 'a'), 'old')


def shutdown_saves(binary, redis):
    """With rules, as in Redis: a dump.rdb that is copied after a shutdown has everything."""
    for end in 'SHUTDOWN', 'SIGTERM':
        with Home(binary, '--save', '3600', '1') as home:
            client = home.start()
            some_data(client)
            before = contents(client)
            if end == 'SHUTDOWN':
                client.raw(b'SHUTDOWN\r\n')
                home.process.wait(60)
            else:
                home.terminate()
            home.options = '--appendonly', 'no', '--save', ''
            expect(contents(home.start(binary=redis)), before)
    with Home(binary, '--save', '', '--shutdown-on-sigterm', 'save', 'force') as home:
        home.start()('SET', 'a', 1)
        home.terminate()
        expect_true('dump.rdb' in home.files(), home.files())
    with Home(binary, '--save', '') as home:
        home.start()('SET', 'a', 1)
        home.terminate()
        expect_true('dump.rdb' not in home.files(), home.files())


# ------------------------------------------------------------------ settings
REFUSED = (('loadmodule', 'x.so'), ('replicaof', '127.0.0.1', '6379'),
           ('min-replicas-to-write', '1'), ('tls-replication', 'yes'))


def refused_at_start(binary, redis):
    for words in REFUSED:
        with Home(binary) as home:
            (home.dir / 'x.conf').write_text(' '.join(words) + '\n')
            with open(home.dir / 'output', 'wb') as output:
                home.process = subprocess.Popen(
                    [binary, str(home.dir / 'x.conf'), '--port', str(home.port)], stdout=output,
                    stderr=subprocess.STDOUT, cwd=home.dir)
                expect_true(home.process.wait(60) != 0, f'{words} was taken')
            expect_true('not implemented' in home.said() and 'line 1' in home.said(), home.said())
            expect_true('secret' not in home.said(), 'it prints a password')


def save_lines(binary, redis):
    for arguments, wanted in ((('--save', '""'), ''), (('--save', "''"), ''), (('--save', '60 1'), '60 1'),
                              (('--save', '60', '1', '300', '2'), '60 1 300 2')):
        with Home(binary, *arguments) as home:
            expect(home.start()('CONFIG', 'GET', 'save'), ['save', wanted], str(arguments))


def supervised(binary, redis):
    """`supervised systemd` notifies the service manager when clients are served."""
    with Home(binary, '--supervised', 'systemd') as home:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
            manager.bind(str(home.dir / 'notify'))
            manager.settimeout(20)
            os.environ['NOTIFY_SOCKET'] = str(home.dir / 'notify')
            try:
                client = home.start()
            finally:
                del os.environ['NOTIFY_SOCKET']
            expect_true(b'READY=1' in manager.recv(1000), 'not told')
            expect(client('PING'), 'PONG')


def run(server, report):
    binary = server.binary
    if 'redis-server' in binary:
        return report.skip('moving', 'Redis has no lock')
    report.check('an overlapping restart is refused', overlapping_restart, binary)
    report.check('also without a log', overlapping_restart, binary, '--appendonly', 'no')
    report.check('CONFIG SET dir takes and gives back a lock', directory_by_config, binary)
    report.check('slotcar-check says that a server runs', checked_while_it_runs, binary)
    report.check('a directory that cannot be written', nothing_can_be_written, binary)
    redis = shutil.which('redis-server')
    if not redis:
        return report.skip('moving in from Redis and back', 'there is no redis-server')
    for check_one in (in_and_out, one_old_file, renamed_commands, functions_of_a_snapshot, import_needs_an_empty_place,
                      cut_end, shutdown_saves, refused_at_start, save_lines, supervised):
        report.check(check_one.__name__.replace('_', ' '), check_one, binary, redis)
