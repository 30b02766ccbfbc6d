"""What a server says and does while it still loads its data."""
import hashlib
import signal
import time

from durability import Client, Home, persistence, wait_for
from harness import ErrorReply, expect, expect_true

KEYS = 500
LOADING = 'LOADING Redis is loading the dataset in memory'
SLOWLY = ('--key-load-delay', '1000000')  # for minutes, until it is set to 0


def filled(home, *options):
    """A home with data, whose server has ended."""
    client = home.start(*options)
    for i in range(KEYS):
        client('SET', f'k{i}', i)
    client('SET', 'ends', 1, 'EX', 10_000)
    home.terminate()


def loading(home, *options):
    """A client of a server that is loading, and keeps loading."""
    home.launch(*SLOWLY, *options)
    until = time.monotonic() + 20
    while True:
        try:
            client = Client(home.port)
            break
        except OSError:
            expect_true(home.process.poll() is None and time.monotonic() < until, home.said())
            time.sleep(0.01)
    expect(persistence(client)['loading'], '1')
    return client


def finish(client):
    client('CONFIG', 'SET', 'key-load-delay', 0)
    wait_for(lambda: persistence(client)['loading'] == '0', 'the end of loading')
    expect(client('DBSIZE'), KEYS + 1)
    expect(client('GET', f'k{KEYS - 1}'), str(KEYS - 1))


def digest(home):
    return {p: hashlib.sha256(p.read_bytes()).hexdigest()
            for p in home.dir.rglob('*') if p.is_file() and p.name not in ('output', 'slotcar.lock')}


def told_to_wait(binary, *options):
    with Home(binary, *options) as home:
        filled(home)
        client = loading(home)
        for request in (['PING'], ['GET', 'k1'], ['SET', 'k1', 'x'], ['DBSIZE'], ['SAVE'],
                        ['WATCH', 'k1'], ['DEBUG', 'OBJECT', 'k1'], ['FLUSHALL'], ['SCAN', 0]):
            expect(client(*request), LOADING, ' '.join(map(str, request)))
        expect(client('ECHO', 'hello'), 'hello')
        expect(client('SELECT', 1), 'OK')
        expect(client('SELECT', 0), 'OK')
        expect(client('CONFIG', 'GET', 'maxclients')[0], 'maxclients')
        # A limit that is passed already evicts nothing from data that is not there yet.
        expect(client('CONFIG', 'SET', 'maxmemory-policy', 'allkeys-random', 'maxmemory', 1), 'OK')
        expect(client('ECHO', 'hello'), 'hello')
        expect(client('CONFIG', 'SET', 'maxmemory', 0), 'OK')
        expect(client('MULTI'), 'OK')
        expect(client('TIME'), 'QUEUED')
        expect(client('GET', 'k1'), LOADING)
        expect_true(client('EXEC').startswith('EXECABORT'), 'EXEC')
        expect(client('MULTI'), 'OK')
        expect(client('ECHO', 1), 'QUEUED')
        expect(client('EXEC'), ['1'])
        finish(client)  # on the connection that was there before


def told_how_far(binary, *options):
    with Home(binary, *options) as home:
        filled(home)
        client = loading(home)
        wait_for(lambda: persistence(client)['loading_loaded_bytes'] != '0', 'the first key')
        told = persistence(client)
        expect(told['async_loading'], '0')
        expect_true(abs(int(told['loading_start_time']) - time.time()) < 60, 'loading_start_time')
        total, done = int(told['loading_total_bytes']), int(told['loading_loaded_bytes'])
        expect_true(0 < done <= total, f'{done} of {total} bytes')
        expect(told['loading_loaded_perc'], f'{100 * done / total:.2f}')
        expect_true(int(told['loading_eta_seconds']) >= 0, 'loading_eta_seconds')
        expect_true('eady to accept connections' not in home.said(), 'it calls itself ready')
        finish(client)
        expect_true('loading_total_bytes' not in persistence(client), 'it still loads')
        wait_for(lambda: 'Ready to accept connections' in home.said(), 'the line that says so')


def ended_meanwhile(binary, how, *options):
    """At once, and no file is touched: half of the data must not take the place of all."""
    with Home(binary, '--save', '3600', '1', *options) as home:
        filled(home)
        before = digest(home)
        client = loading(home)
        if how == 'SIGTERM':
            home.process.send_signal(signal.SIGTERM)
        else:
            client.raw(how.encode() + b'\r\n')
        expect(home.process.wait(20), 0, 'the exit code')
        expect(digest(home), before, 'the files')
        expect(home.start()('DBSIZE'), KEYS + 1)


def settings_meanwhile(binary):
    with Home(binary, '--appendonly', 'no', '--save', '3600', '1', '--enable-protected-configs',
              'yes') as home:
        filled(home)
        client = loading(home)
        expect(client('CONFIG', 'SET', 'appendonly', 'yes'), LOADING)
        expect(client('CONFIG', 'SET', 'maxclients', 500, 'dir', '/'), LOADING)
        expect(client('CONFIG', 'GET', 'appendonly'), ['appendonly', 'no'])
        expect(client('CONFIG', 'GET', 'maxclients'), ['maxclients', '10000'])
        # Of the next snapshot, not of the one that is being loaded.
        expect(client('CONFIG', 'SET', 'dbfilename', 'other.rdb'), 'OK')
        finish(client)


def messages_go_on(binary):
    with Home(binary) as home:
        filled(home)
        client, listener = loading(home), Client(home.port)
        expect(listener('SUBSCRIBE', 'news'), ['subscribe', 'news', 1])
        expect(client('PUBLISH', 'news', 'hello'), 1)
        expect(listener.reply(), [b'message', b'news', b'hello'])
        finish(client)


def fails_late(binary):
    """What is found out while clients wait still ends the server, with its reason."""
    with Home(binary, '--appendonly', 'no', '--save', '3600', '1') as home:
        filled(home)
        file = home.dir / 'dump.rdb'
        data = bytearray(file.read_bytes())
        data[-4] ^= 1  # of the checksum
        file.write_bytes(data)
        home.launch('--key-load-delay', '100')
        expect_true(home.process.wait(20) not in (0, -signal.SIGSEGV), 'the exit code')
        expect_true('checksum' in home.said(), home.said())


def run(server, report):
    binary, check = server.binary, report.check
    no_log = ('--appendonly', 'no', '--save', '3600', '1')
    check('loading a snapshot: everybody is told', told_to_wait, binary, *no_log)
    check('loading a log: everybody is told', told_to_wait, binary, '--save', '')
    check('how far a snapshot is', told_how_far, binary, *no_log)
    check('how far a log is', told_how_far, binary, '--save', '')
    for how in ('SIGTERM', 'SHUTDOWN', 'SHUTDOWN SAVE'):
        check(f'{how} while loading a snapshot', ended_meanwhile, binary, how, '--appendonly', 'no')
        check(f'{how} while loading a log', ended_meanwhile, binary, how)
    check('what is set while loading', settings_meanwhile, binary)
    check('messages go on while loading', messages_go_on, binary)
    check('a failure is found while loading', fails_late, binary)
