"""Settings of log and snapshots that change in the middle of a life, and in the middle of a snapshot:
each time the data is looked at after the next start."""
import pathlib
import tempfile
import threading

from durability import Client, Home, persistence, wait_for
from harness import ErrorReply, encoded, expect, expect_true

KEYS = 100_000


def fill(client, count=KEYS, value='v'):
    size = 1000
    for begin in range(0, count, size):
        client.raw(b''.join(encoded('SET', f'k{i}', value) for i in range(begin, begin + size)))
        for _ in range(size):
            expect(client.reply(), 'OK')


def at_rest(client):
    told = persistence(client)
    return told['rdb_bgsave_in_progress'] == told['aof_rewrite_in_progress'] == '0'


def begin_snapshot(client, command='BGSAVE'):
    """A snapshot that has not ended when this returns; with more keys it takes longer."""
    count = KEYS
    while True:
        client(command)
        if not at_rest(client):
            return
        expect_true(count < 100 * KEYS, 'no snapshot is ever seen under way')
        count *= 2
        fill(client, count)


class Writer(threading.Thread):
    """Counts up until it is stopped; every number is acknowledged before the next."""

    def __init__(self, port, name):
        super().__init__()
        self.port, self.name_, self.number, self.stop, self.wrong = port, name, 0, False, None
        self.start()

    def run(self):
        client = Client(self.port, 120)
        while not self.stop and not self.wrong:
            reply = client('SET', self.name_, self.number + 1)
            if reply == 'OK':
                self.number += 1
            else:
                self.wrong = reply

    def end(self):
        self.stop = True
        self.join()
        expect(self.wrong, None, 'a write was refused')
        return self.number


def proved(home, client, writer, *options):
    """Everything acknowledged is there after a kill. (All on the disk is asked for before it.)"""
    number = writer.end()
    expect(client('WAITAOF', 1, 0, 0), [1, 0])
    size = client('DBSIZE')
    home.kill()
    client = home.start(*options)
    expect(client('DBSIZE'), size)
    expect(client('GET', writer.name_), str(number))
    return client


def on_during_a_snapshot(binary):
    """The log does not continue the snapshot that was under way: there are changes between them."""
    with Home(binary, '--appendonly', 'no', '--save', '') as home:
        client = home.start()
        fill(client)
        writer = Writer(home.port, 'counter')
        begin_snapshot(client)
        client('SET', 'between', 1)
        expect(client('CONFIG', 'SET', 'appendonly', 'yes'), 'OK')
        client('SET', 'after', 1)
        wait_for(lambda: at_rest(client), 'the switch', 120)
        client = proved(home, client, writer, '--appendonly', 'yes')
        expect(client('MGET', 'between', 'after'), ['1', '1'])


def killed_while_switching(binary):
    """Until the log counts, the last snapshot does: all of it and nothing else."""
    with Home(binary, '--appendonly', 'no', '--save', '') as home:
        client = home.start()
        fill(client)
        expect(client('SAVE'), 'OK')
        client('SET', 'between', 1)
        begin_snapshot(client)
        expect(client('CONFIG', 'SET', 'appendonly', 'yes'), 'OK')
        client('SET', 'after', 1)
        home.kill()
        client = home.start('--appendonly', 'yes')
        seen = client('MGET', 'between', 'after')
        expect_true(seen in ([None, None], ['1', None], ['1', '1']), f'{seen}')
        expect(client('GET', 'k1'), 'v')


def off_and_on(binary):
    with Home(binary, '--appendonly', 'yes', '--save', '') as home:
        client = home.start()
        fill(client)
        writer = Writer(home.port, 'counter')
        for _ in range(5):
            for word in ('no', 'yes', 'no', 'no', 'yes'):
                expect(client('CONFIG', 'SET', 'appendonly', word), 'OK')
        wait_for(lambda: at_rest(client), 'the switch', 120)
        expect(persistence(client)['aof_enabled'], '1')
        client = proved(home, client, writer)
        # The other way round: off in the end.
        writer = Writer(home.port, 'counter')
        for word in ('no', 'yes', 'no'):
            expect(client('CONFIG', 'SET', 'appendonly', word), 'OK')
        wait_for(lambda: at_rest(client), 'the switch', 120)
        expect(persistence(client)['aof_enabled'], '0')
        number = writer.end()
        expect(client('SAVE'), 'OK')
        home.kill()
        expect(home.start('--appendonly', 'no')('GET', 'counter'), str(number))


def fsync_under_load(binary):
    with Home(binary, '--appendonly', 'yes', '--save', '') as home:
        client = home.start()
        writers = [Writer(home.port, f'counter{i}') for i in range(4)]
        for word in ('always', 'no', 'everysec', 'always', 'everysec', 'no', 'always') * 5:
            expect(client('CONFIG', 'SET', 'appendfsync', word), 'OK')
            before = writers[0].number
            wait_for(lambda: writers[0].number > before + 5 or writers[0].wrong, 'writes')
        # The last was always: what is acknowledged now is safe without asking.
        numbers = [writer.end() for writer in writers]
        home.kill()
        client = home.start()
        expect([int(client('GET', w.name_)) for w in writers], numbers)


def seen_from_the_beginning(binary):
    """A client that was told that a snapshot has begun finds one in progress."""
    with Home(binary, '--appendonly', 'yes', '--save', '') as home:
        client = home.start()
        for _ in range(200):
            saves = int(persistence(client)['rdb_saves'])
            expect(client('BGSAVE'), 'Background saving started')
            told = persistence(client)
            expect_true(told['rdb_bgsave_in_progress'] == '1' or int(told['rdb_saves']) > saves,
                        'no snapshot is seen')
            wait_for(lambda: at_rest(client), 'its end')
            expect(int(persistence(client)['rdb_saves']), saves + 1)


def snapshots_meet(binary):
    with Home(binary, '--appendonly', 'yes', '--save', '') as home:
        client = home.start()
        fill(client)
        writer = Writer(home.port, 'counter')
        begin_snapshot(client, 'BGREWRITEAOF')
        refused = client('BGSAVE')
        expect_true(isinstance(refused, ErrorReply), f'BGSAVE beside BGREWRITEAOF: {refused}')
        saves = int(persistence(client)['rdb_saves'])
        expect(client('BGSAVE', 'SCHEDULE'), 'Background saving scheduled')
        wait_for(lambda: int(persistence(client)['rdb_saves']) >= saves + 2, 'both', 120)
        client = proved(home, client, writer)
        writer = Writer(home.port, 'counter')
        begin_snapshot(client)
        expect_true('scheduled' in client('BGREWRITEAOF'), 'BGREWRITEAOF beside BGSAVE')
        client('CONFIG', 'SET', 'appendfsync', 'always')
        expect(client('SAVE').startswith('ERR'), True)
        wait_for(lambda: persistence(client)['aof_rewrites'] == '1', 'both', 120)
        proved(home, client, writer)


# ------------------------------------------------------------------ where files go

def refusal(reply, name, why):
    expect(reply, f"ERR CONFIG SET failed (possibly related to argument '{name}') - {why}")


def another_directory(binary):
    with Home(binary, '--appendonly', 'no', '--save', '', '--enable-protected-configs',
              'yes') as home, tempfile.TemporaryDirectory(prefix='slotcar-moved.') as moved:
        client = home.start()
        client('SET', 'kept', 'here')
        expect(client('SAVE'), 'OK')
        before = home.files()
        refusal(client('CONFIG', 'SET', 'dir', '/no/such/directory'), 'dir',
                'No such file or directory')
        refusal(client('CONFIG', 'SET', 'dir', str(home.dir / 'dump.rdb')), 'dir',
                'Not a directory')
        expect(client('CONFIG', 'GET', 'dir'), ['dir', str(home.dir)])
        expect(client('CONFIG', 'SET', 'dir', moved), 'OK')
        expect(client('CONFIG', 'GET', 'dir'), ['dir', moved])
        client('SET', 'kept', 'there')
        expect(client('SAVE'), 'OK')
        expect(home.files(), before)
        expect(sorted(p.name for p in pathlib.Path(moved).iterdir()),
               ['dump.rdb', 'slotcar.lock', 'slotcar.manifest'])
        home.kill()
        expect(home.start()('GET', 'kept'), 'here')
        home.kill()
        client = home.start('--dir', moved)
        expect(client('GET', 'kept'), 'there')
        # Relative to where it is; and a log that is begun later lives there.
        (pathlib.Path(moved) / 'inner').mkdir()
        expect(client('CONFIG', 'SET', 'dir', 'inner'), 'OK')
        expect(client('CONFIG', 'GET', 'dir'), ['dir', moved + '/inner'])
        expect(client('CONFIG', 'SET', 'appendonly', 'yes'), 'OK')
        wait_for(lambda: at_rest(client), 'the switch')
        client('SET', 'kept', 'within')
        expect(client('WAITAOF', 1, 0, 0), [1, 0])
        home.kill()
        client = home.start('--dir', moved + '/inner', '--appendonly', 'yes')
        expect(client('GET', 'kept'), 'within')


def a_log_does_not_move(binary):
    with Home(binary, '--enable-protected-configs', 'yes') as home, \
            tempfile.TemporaryDirectory(prefix='slotcar-moved.') as moved:
        client = home.start()
        refusal(client('CONFIG', 'SET', 'dir', moved), 'dir',
                'the log does not move: set appendonly to no, and start anew')
        client('CONFIG', 'SET', 'appendonly', 'no')
        wait_for(lambda: at_rest(client), 'the switch')
        refusal(client('CONFIG', 'SET', 'dir', moved), 'dir',
                'there was a log since the start, which does not move: start anew')
        expect(client('CONFIG', 'GET', 'dir'), ['dir', str(home.dir)])
        home.terminate()
        with Home(binary, '--appendonly', 'no', '--enable-protected-configs', 'yes') as other:
            refusal(other.start()('CONFIG', 'SET', 'dir', str(home.dir)), 'dir',
                    'there is a log in that directory already, of other data')


def another_name(binary):
    with Home(binary, '--appendonly', 'yes', '--save', '', '--enable-protected-configs',
              'yes') as home:
        client = home.start()
        client('SET', 'first', 1)
        expect(client('SAVE'), 'OK')
        for name in ('slotcar.manifest', 'slotcar-log', 'temp-7.rdb'):
            refusal(client('CONFIG', 'SET', 'dbfilename', name), 'dbfilename',
                    "dbfilename can't be a name that files of the server have")
        refusal(client('CONFIG', 'SET', 'dbfilename', 'a/b'), 'dbfilename',
                "dbfilename can't be a path, just a filename")
        expect(client('CONFIG', 'SET', 'dbfilename', 'other.rdb'), 'OK')
        client('SET', 'second', 1)
        expect(client('SAVE'), 'OK')
        client('SET', 'third', 1)
        expect(client('WAITAOF', 1, 0, 0), [1, 0])
        expect_true('other.rdb' in home.files(), f'{home.files()}')
        home.kill()
        # The manifest knows which it is, whatever the setting says now.
        expect(home.start()('MGET', 'first', 'second', 'third'), ['1', '1', '1'])


def ended_during_a_snapshot(binary):
    """The node stops during a snapshot that no client waits for."""
    with Home(binary, '--appendonly', 'no', '--save', '', '--workers', '2') as home:
        client = home.start()
        fill(client)
        expect(client('SAVE'), 'OK')
        client('SET', 'between', 1)
        begin_snapshot(client)
        client.raw(b'SHUTDOWN NOSAVE\r\n')
        expect(home.process.wait(10), 0)
        client = home.start()  # what was half written is gone
        expect(client('GET', 'between'), None)
        expect([name for name in home.files() if name.startswith('temp')], [])
        client('SET', 'between', 2)
        begin_snapshot(client)
        client('SET', 'after', 2)
        client.raw(b'SHUTDOWN SAVE\r\n')  # hurries the one under way, then makes its own
        expect(home.process.wait(30), 0)
        client = home.start()
        expect(client('MGET', 'between', 'after', 'k1'), ['2', '2', 'v'])


def of_one_moment(binary):
    """What is written together is together in the snapshot, however far apart the walk visits it; also
    if the log is switched on in its middle."""
    for switched in (False, True):
        with Home(binary, '--appendonly', 'no', '--save', '', '--workers', '2') as home:
            client = home.start()
            fill(client)
            stop = threading.Event()

            def write(name):
                writer, number = Client(home.port, 120), 0
                while not stop.is_set():
                    number += 1
                    writer('MSET', *[word for i in range(20) for word in (f'{name}:{i}', number)])
            threads = [threading.Thread(target=write, args=(name,)) for name in ('one', 'two')]
            for thread in threads:
                thread.start()
            wait_for(lambda: client('EXISTS', 'one:0', 'two:0') == 2, 'the writers')
            begin_snapshot(client)
            if switched:
                expect(client('CONFIG', 'SET', 'appendonly', 'yes'), 'OK')
            wait_for(lambda: at_rest(client), 'the snapshot', 120)
            stop.set()
            for thread in threads:
                thread.join()
            home.kill()
            client = home.start()
            for name in ('one', 'two'):
                seen = set(client('MGET', *[f'{name}:{i}' for i in range(20)]))
                expect_true(len(seen) == 1 and None not in seen, f'{name}: {seen}')
            expect_true(client('DBSIZE') >= KEYS + 40, 'keys are missing')


def back_and_forth(binary):
    """Off, on, off and on again, each before the last has taken effect: a snapshot that was cut while
    the log was off is not one that the log continues."""
    for rests in (False, True):
        with Home(binary, '--save', '') as home:
            client = home.start()
            client('SET', 'before', 1)
            home.kill()  # so that the log does not begin with record 1
            client = home.start()
            client('RPUSH', 'list', 1, 2, 3)
            fill(client, 3 * KEYS)
            for on in ('no', 'yes', 'no'):
                expect(client('CONFIG', 'SET', 'appendonly', on), 'OK')
            saves = lambda: int(persistence(client)['rdb_saves'])
            wait_for(lambda: persistence(client)['aof_enabled'] == '0', 'the log to be off', 60)
            client('RPUSH', 'list', 'gap')
            before = saves()
            expect(client('CONFIG', 'SET', 'appendonly', 'yes'), 'OK')
            if rests:
                wait_for(lambda: at_rest(client), 'the switch', 60)
            else:
                wait_for(lambda: saves() > before, 'the next snapshot', 60)
            client('RPUSH', 'list', 'after')
            home.kill()
            acknowledged = ['1', '2', '3', 'gap', 'after']
            there = home.start()('LRANGE', 'list', 0, -1)
            expect(there, acknowledged[:len(there)], 'a hole')
            if rests:
                expect(there, acknowledged, 'the log is on')


def run(server, report):
    for check in (on_during_a_snapshot, killed_while_switching, off_and_on, fsync_under_load,
                  seen_from_the_beginning, snapshots_meet, another_directory, a_log_does_not_move, another_name,
                  ended_during_a_snapshot, of_one_moment, back_and_forth):
        report.check(check.__name__.replace('_', ' '), check, server.binary)
