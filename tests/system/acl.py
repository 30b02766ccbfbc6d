"""Users in files and in the configuration, what a start refuses, and what never shows a secret."""
import pathlib
import select
import shutil
import socket
import subprocess
import tempfile
import threading
import time

from harness import Client, ErrorReply, Failed, Server, encoded, expect, expect_true

try:
    import redis
except ImportError:
    redis = None

WRONG = ErrorReply('WRONGPASS invalid username-password pair or user is disabled.')
NO_KEY = ErrorReply('NOPERM No permissions to access a key')


def run(server, report):
    report.check('an aclfile: start, save, load', files, server.binary)
    report.check('an aclfile with a fault changes nothing', faulty_file, server.binary)
    report.check('user lines of the configuration', configured, server.binary)
    report.check('starts that are refused', refused_starts, server.binary)
    report.check('renamed commands', renamed, server.binary)
    report.check('AUTH by another name, and CONFIG REWRITE', renamed_login, server.binary)
    report.check('secrets on the command line', hidden_words, server.binary)
    report.check('requirepass is the password of default', requirepass, server.binary)
    report.check('an aclfile without default and requirepass', guarded_default, server.binary)
    report.check('nothing shows a secret', secrets, server.binary)
    report.check('guessing is bounded', guessing, server.binary)
    report.check('a request that was paused is checked again', paused, server.binary)
    report.check('requests that wait are checked again', waiting_for_others, server.binary)
    report.check('very many keys are checked', many_keys, server.binary)
    report.check('a check of an existing login', logins, server.binary)
    report.check('everything is taken away', everything_goes, server.binary)
    report.check('a deleted user is disconnected', deleted, server.binary)
    report.check('who listens to what it may not any more', revoked, server.binary)
    report.check('the same inside MULTI', revoked, server.binary, True)
    report.check('a long SUBSCRIBE under way when the rights go', long_subscribe, server.binary)
    report.check('rights that go while many connections work', racing, server.binary)
    report.check('CONFIG REWRITE keeps the users', rewritten, server.binary)
    report.check('rules that a file cannot give back', unwritable, server.binary)
    report.check('scripts have the rights of their callers', scripts, server.binary)
    report.check('ACL SAVE on several connections', saved_at_once, server.binary)
    report.check('lookups of SORT behind names of its options', hidden_lookups, server.binary)
    report.check('names of a megabyte are cut in ACL LOG', long_names, server.binary)
    report.check('redis-cli', redis_cli, server.binary)
    if redis:
        report.check('python3-redis', python_redis, server.binary)
    else:
        report.skip('python3-redis', 'python3-redis is missing')
    reference = shutil.which('redis-server')
    if reference:
        report.check('an aclfile moves to redis-server and back', moved, server.binary, reference)
    else:
        report.skip('an aclfile moves to redis-server and back', 'redis-server is missing')


def file_with(text):
    file = tempfile.NamedTemporaryFile('w', prefix='slotcar-acl.', delete=False)
    file.write(text)
    file.close()
    return file.name


def files(binary):
    path = file_with('user default on nopass ~* &* +@all\nuser alice on >one ~a* +@all\n')
    with Server(binary, '--aclfile', path) as server, server.client() as admin:
        with server.client() as alice, server.client() as bob:
            expect(alice('AUTH', 'alice', 'one'), 'OK')
            expect(admin('ACL', 'SETUSER', 'bob', 'on', 'nopass', '+ping'), 'OK')
            expect(bob('AUTH', 'bob', 'x'), 'OK')
            expect(admin('ACL', 'SAVE'), 'OK')
            saved = pathlib.Path(path).read_text()
            expect(saved.splitlines(), [line.decode() for line in admin('ACL', 'LIST')])
            pathlib.Path(path).write_text('user alice on >two ~b* +get\n')
            expect(admin('ACL', 'LOAD'), 'OK')
            # As in Redis every connection goes but those of default.
            expect_true(alice.closed() and bob.closed(), 'they are closed')
            expect(admin('AUTH', 'alice', 'one'), WRONG)
            with server.client() as again:
                expect(again('AUTH', 'alice', 'two'), 'OK')
                expect(again('GET', 'b1'), None)
                expect(again('GET', 'a1'), NO_KEY)
            # Who loads as another user is answered first.
            expect(admin('ACL', 'SETUSER', 'alice', '+@all'), 'OK')
            expect(admin('AUTH', 'alice', 'two'), 'OK')
            expect(admin('ACL', 'LOAD'), 'OK')
            expect_true(admin.closed(), 'closed')
    pathlib.Path(path).unlink()


def faulty_file(binary):
    path = file_with('user alice on >one\n')
    with Server(binary, '--aclfile', path) as server, server.client() as admin:
        before = admin('ACL', 'LIST')
        pathlib.Path(path).write_text('user alice on >hush +nosuch\nuser bob (+get\n')
        reply = admin('ACL', 'LOAD')
        expect_true(isinstance(reply, ErrorReply) and '+nosuch' in reply and 'hush' not in reply
                    and 'no change to the previously active' in reply, reply)
        expect(admin('ACL', 'LIST'), before)
    pathlib.Path(path).unlink()


def configured(binary):
    path = file_with('user alice on >one ~a* (+get ~b*) +set\nuser default off\n')
    with tempfile.TemporaryDirectory() as folder:
        server = subprocess.Popen([binary, path, '--port', '0', '--unixsocket', f'{folder}/s',
                                   '--dir', folder], stdout=subprocess.DEVNULL)
        try:
            with unix_client(f'{folder}/s') as client:
                expect(client('PING'), ErrorReply('NOAUTH Authentication required.'))
                expect(client('AUTH', 'alice', 'one'), 'OK')
                wait_until(lambda: not str(client('GET', 'b1')).startswith('LOADING'), 'it has loaded')
                expect(client('SET', 'a1', 'x'), 'OK')
                expect(client('GET', 'b1'), None)
                expect(client('GET', 'a1'), NO_KEY)
        finally:
            server.terminate()
            server.wait()
    pathlib.Path(path).unlink()


def unix_client(path):
    until = time.monotonic() + 10
    while True:
        try:
            client = Client.__new__(Client)
            client.socket = socket.socket(socket.AF_UNIX)
            client.socket.settimeout(10)
            client.socket.connect(path)
            client.file = client.socket.makefile('rb')
            return client
        except OSError:
            if time.monotonic() > until:
                raise
            time.sleep(0.02)


def refused_starts(binary):
    fine = file_with('user alice on\n')
    for options, words in ((['--aclfile', '/nonexistent/users.acl'], 'opening file'),
                           (['--user', 'alice', '+nosuch'], "'+nosuch'"),
                           (['--user', 'alice', '>hush', '#hush'], 'The password hash must be'),
                           (['--user', 'alice', 'on', '--user', 'alice', 'off'], 'Duplicate user'),
                           (['--user', 'alice', 'on', '--aclfile', fine], 'use one of the two'),
                           (['--rename-command', 'NOSUCH', 'x'], 'No such command'),
                           (['--rename-command', 'client|list', 'x'], 'No such command'),
                           (['--rename-command', 'CONFIG', 'get'], 'already exists'),
                           (['--rename-command', 'CONFIG'], 'needs a name and a new name'),
                           (['--replicaof', '127.0.0.1', '1'], 'not implemented'),
                           (['--cluster-enabled', 'yes'], 'cluster-topology'),
                           (['--min-replicas-to-write', '1'], 'not implemented')):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([binary, '--port', '0', '--unixsocket', f'{folder}/s', '--dir', folder,
                                   *options], capture_output=True, text=True, timeout=10)
            text = done.stdout + done.stderr
            expect_true(done.returncode != 0 and words in text and 'hush' not in text,
                        f'{options}: {done.returncode} {text}')
    pathlib.Path(fine).unlink()


NAMES = ('--rename-command', 'SET', 'Put-In-Its-Place', '--rename-command', 'CONFIG', '',
         '--rename-command', 'client', 'CONFIG', '--rename-command', 'AUTH', 'log-in',
         '--rename-command', 'hello', 'good-day', '--rename-command', 'EXEC', 'go')


def renamed(binary):
    """Clients use the new names; rules, COMMAND, the log and statistics the declared ones."""
    with tempfile.TemporaryDirectory() as folder:
        logged = ('--dir', folder, '--appendonly', 'yes', '--appendfsync', 'always')
        with Server(binary, *logged) as server, server.client() as client:
            expect(client('SET', 'before', 'v'), 'OK')
            expect(client('CLIENT', 'SETNAME', 'x'), 'OK')
        with Server(binary, *logged, *NAMES, '--slowlog-log-slower-than', '0') as server:
            with server.client() as client:
                expect(client('GET', 'before'), b'v')  # the log knows nothing of new names
                expect(client('PUT-in-its-PLACE', 'k', 'v'), 'OK')
                expect(client('SET', 'k', 'w'),
                       ErrorReply("ERR unknown command 'SET', with args beginning with: 'k' 'w' "))
                expect(client('put-in-its-place', 'k'), ErrorReply(
                    "ERR wrong number of arguments for 'set' command"))
                expect_true(client('CONFIG', 'ID') > 0, 'CLIENT by its new name')
                expect_true(b'cmd=client|list' in client('CONFIG', 'LIST'), 'CLIENT LIST')
                expect(client('CONFIG', 'GET', 'port'),
                       ErrorReply("ERR unknown subcommand 'GET'. Try CONFIG HELP."))
                declarations(client)
                calls(server, client)
                rules(server, client)
        with Server(binary, *logged) as server, server.client() as client:
            expect(client('MGET', 'k', 'a', 'multi', 'script'), [b'v', b'1', b'm', b's'])
            expect(client('SET', 'k', 'w'), 'OK')


def declarations(client):
    listed = client('COMMAND', 'LIST')
    expect((b'set' in listed, b'config' in listed, b'config|get' in listed, b'client' in listed),
           (True, False, False, True))
    expect(client('COMMAND', 'COUNT'), sum(b'|' not in name for name in listed))
    expect([found and found[0] for found in client('COMMAND', 'INFO', 'put-in-its-place', 'set',
                                                   'config|id', 'client')],
           [b'set', None, b'client|id', None])
    expect(client('COMMAND', 'DOCS', 'put-in-its-place', 'set')[0], b'set')
    expect(client('COMMAND', 'GETKEYS', 'put-in-its-place', 'k', 'v'), [b'k'])
    expect_true(client('COMMAND', 'GETKEYS', 'set', 'k', 'v').startswith('ERR Invalid command'), 'GETKEYS')
    expect_true(b'config|get' in client('ACL', 'CAT', 'admin'), 'ACL CAT has what is removed')


def calls(server, client):
    """MULTI, scripts, MONITOR, SLOWLOG, INFO."""
    with server.client() as monitor:
        expect(monitor('MONITOR'), 'OK')
        expect(client('MULTI'), 'OK')
        expect(client('Put-In-Its-Place', 'multi', 'm'), 'QUEUED')
        expect_true(client('EXEC').startswith("ERR unknown command 'EXEC'"), 'EXEC')
        expect(client('GO'), ErrorReply('EXECABORT Transaction discarded because of previous errors.'))
        expect(client('MULTI'), 'OK')
        expect(client('Put-In-Its-Place', 'multi', 'm'), 'QUEUED')
        expect(client('GO'), ['OK'])
        expect(client('EVAL', "return redis.call('PUT-IN-ITS-PLACE', KEYS[1], 's')", 1, 'script'), 'OK')
        expect_true('Unknown Redis command' in client('EVAL', "return redis.call('SET', KEYS[1], 's')", 1, 'k'),
                    'SET in a script')
        client('ECHO', 'the end')
        shown = b''
        while b'the end' not in shown:
            shown += monitor.line()
        expect_true(b'"Put-In-Its-Place" "multi"' in shown and b'"PUT-IN-ITS-PLACE" "script"' in shown, shown)
    expect_true(b'cmdstat_set:' in client('INFO', 'commandstats'), 'INFO')
    expect_true('Put-In-Its-Place' in repr(client('SLOWLOG', 'GET', '-1')), 'SLOWLOG')


def rules(server, client):
    expect(client('ACL', 'SETUSER', 'alice', 'on', '>hush', '~*', '+set', '+client|id', '+hello'), 'OK')
    expect_true('Unknown command' in str(client('ACL', 'SETUSER', 'alice', '+put-in-its-place')), 'a rule')
    expect(client('ACL', 'SETUSER', 'bob', '+config|get'), 'OK')  # nobody can call it
    with server.client() as alice, server.client() as monitor:
        expect(monitor('MONITOR'), 'OK')
        expect_true(alice('AUTH', 'alice', 'hush').startswith("ERR unknown command 'AUTH'"), 'AUTH')
        expect(alice('LOG-IN', 'alice', 'hush'), 'OK')
        expect(dict(zip(*[iter(alice('GOOD-DAY', '2', 'AUTH', 'alice', 'hush'))] * 2))[b'proto'], 2)
        expect(alice('Log-In', 'alice', 'wrong'), WRONG)
        expect(client('ACL', 'LOG', '1')[0][7], b'Log-In')
        expect(alice('Put-In-Its-Place', 'a', '1'), 'OK')
        expect(alice('GET', 'a'), ErrorReply(
            "NOPERM User alice has no permissions to run the 'get' command"))
        expect(alice('CONFIG', 'LIST'), ErrorReply(
            "NOPERM User alice has no permissions to run the 'client|list' command"))
        client('ECHO', 'the end')
        shown = b''
        while b'the end' not in shown:
            shown += monitor.line()
        expect_true(b'hush' not in shown, shown)
    expect_true('hush' not in repr(client('SLOWLOG', 'GET', '-1')), 'SLOWLOG')
    expect(client('ACL', 'DRYRUN', 'alice', 'put-in-its-place', 'a', '1'), 'OK')
    expect(client('ACL', 'DRYRUN', 'alice', 'set', 'a', '1'), ErrorReply("ERR Command 'set' not found"))


def renamed_login(binary):
    """AUTH by another name still is what a client without a password may call."""
    with tempfile.TemporaryDirectory() as folder:
        path = f'{folder}/server.conf'
        lines = 'requirepass one\nrename-command AUTH "log in"\nrename-command KEYS ""\n'
        pathlib.Path(path).write_text(lines)
        pathlib.Path(path).chmod(0o640)
        with ConfiguredServer(binary, path, 'log in', 'one') as server, server.client() as client:
            expect(client('PING'), ErrorReply('NOAUTH Authentication required.'))
            expect_true(client('AUTH', 'one').startswith("ERR unknown command 'AUTH'"), 'AUTH')
            expect(client('LOG IN', 'one'), 'OK')
            expect(client('CONFIG', 'SET', 'timeout', '77', 'requirepass', 'two'), 'OK')
            expect(client('CONFIG', 'REWRITE'), 'OK')
            text = pathlib.Path(path).read_text()
            for line in ('rename-command AUTH "log in"\n', 'rename-command KEYS ""\n', 'requirepass two\n'):
                expect_true(line in text, text)
            # The file has a password in it: it is not opened for others.
            expect(pathlib.Path(path).stat().st_mode & 0o777, 0o640)
        with ConfiguredServer(binary, path, 'log in', 'two') as server, server.client() as client:
            expect(client('log in', 'two'), 'OK')
            expect(client('CONFIG', 'GET', 'timeout'), [b'timeout', b'77'])
            expect_true('unknown command' in client('KEYS', '*'), 'KEYS')


def hidden_words(binary):
    """What every user of the machine can read of the process has no secret in it."""
    with Server(binary, '--requirepass', 'HUSH1', '--user', 'alice', 'on', '>HUSH2', '~*', '--rename-command',
                'CONFIG', 'HUSH3', '--masterauth HUSH4', '--timeout', '17') as server:
        words = pathlib.Path(f'/proc/{server.process.pid}/cmdline').read_bytes()
        expect_true(b'HUSH' not in words, words)
        expect_true(b'--requirepass' in words and b'--timeout\x0017' in words, words)
        with server.client() as client:
            expect(client('AUTH', 'HUSH1'), 'OK')
            expect(client('AUTH', 'alice', 'HUSH2'), 'OK')


def requirepass(binary):
    with Server(binary, '--requirepass', 'one') as server:
        with server.client() as client, server.client() as other:
            expect(client('GET', 'k'), ErrorReply('NOAUTH Authentication required.'))
            expect(client('HELLO', '3', 'AUTH', 'default', 'two'),
                   WRONG)
            expect(client('HELLO', '3', 'AUTH', 'default', 'one')[b'proto'], 3)
            expect(client('CONFIG', 'SET', 'requirepass', 'two'), 'OK')
            expect(client('GET', 'k'), None)  # who is in stays in
            expect(other('AUTH', 'one'),
                   WRONG)
            expect(other('AUTH', 'two'), 'OK')
            expect(client('ACL', 'SETUSER', 'default', '>three'), 'OK')
            expect(other('AUTH', 'three'), 'OK')
            expect(client('CONFIG', 'GET', 'requirepass'), {b'requirepass': b'two'})
            expect(client('CONFIG', 'SET', 'requirepass', ''), 'OK')
            with server.client() as third:
                expect(third('GET', 'k'), None)


def guarded_default(binary):
    path = file_with('user alice on nopass +ping\n')
    with Server(binary, '--requirepass', 'one', '--aclfile', path) as server:
        with server.client() as client:
            expect(client('PING'), ErrorReply('NOAUTH Authentication required.'))
    pathlib.Path(path).unlink()


# Every request that carries a secret: right ones and wrong ones, in any letters.
SECRET_REQUESTS = (('ACL', 'SETUSER', 'alice', 'on', '>HUSH', '+@all', '~*'), ('AUTH', 'alice', 'HUSH'),
                   ('AUTH', 'alice', 'HUSH wrong'), ('AUTH', 'alice', 'HUSH', 'HUSH'), ('AUTH', 'HUSH'),
                   ('HELLO', '2', 'AUTH', 'alice', 'HUSH'), ('hello', '2', 'auth', 'alice', 'HUSH wrong'),
                   ('HELLO', '2', 'SETNAME', 'x', 'AUTH', 'alice', 'HUSH'), ('HELLO', '9', 'AUTH', 'alice', 'HUSH'),
                   ('HELLO', '2', 'AUTH', 'alice', 'HUSH', 'SETNAME', 'no blanks'),
                   ('acl', 'setuser', 'alice', '#HUSH'), ('ACL', 'SETUSER', 'alice', '<HUSH'),
                   ('ACL', 'SETUSER', 'alice', '>HUSH', '+nosuch'), ('ACL', 'GETUSER', 'alice'),
                   ('ACL', 'DRYRUN', 'alice', 'AUTH', 'HUSH'),
                   ('CONFIG', 'SET', 'masterauth', 'HUSH'), ('config', 'set', 'MasterUser', 'HUSH'),
                   ('CONFIG', 'SET', 'tls-key-file-pass', 'HUSH'), ('CONFIG', 'SET', 'tls-client-key-file-pass', 'HUSH'),
                   ('CONFIG', 'SET', 'RequirePass', 'HUSH', 'timeout', 'x'), ('CONFIG', 'SET', 'requirepass', 'HUSH', 'nosuch', '1'),
                   ('CONFIG', 'SET', 'timeout', '0', 'requirepass', 'HUSH'), ('CONFIG', 'SET', 'requirepass', 'HUSH', 'x'),
                   ('MIGRATE', '127.0.0.1', '1', 'k', '0', '10', 'AUTH', 'HUSH'),
                   ('MIGRATE', '127.0.0.1', '1', 'k', '0', '10', 'AUTH2', 'HUSH', 'HUSH'))


def secrets(binary):
    with Server(binary, '--slowlog-log-slower-than', '0', '--slowlog-max-len', '1000', '--loglevel', 'debug') as server:
        with server.client() as admin, server.client() as client, server.client() as monitor:
            expect(monitor('MONITOR'), 'OK')
            for words in SECRET_REQUESTS:
                client(*words)
            for words in SECRET_REQUESTS:  # as EXEC shows and runs them
                client('MULTI')
                client(*words)
                client('EXEC')
            client.raw(b'AUTH "HUSH\r\n')  # a protocol error
            expect_true(client.reply().startswith('ERR Protocol error'), 'unbalanced quotes')
            admin('ECHO', 'the end')
            shown = b''
            while b'the end' not in shown:
                shown += monitor.line()
            expect_true(b'HUSH' not in shown, shown)
            slow = repr(admin('SLOWLOG', 'GET', '-1'))
            expect_true('HUSH' not in slow and 'alice' not in slow, slow)
            # They are there, without their secrets.
            for name in ('AUTH', 'hello', 'setuser', 'MasterUser', 'tls-key-file-pass', 'requirepass'):
                expect_true(f"b'{name}'" in slow, f'{name} in SLOWLOG')
            for words in (('ACL', 'LOG'), ('CLIENT', 'LIST'), ('INFO', 'everything'), ('LATENCY', 'DOCTOR')):
                expect_true('HUSH' not in repr(admin(*words)), words)
            expect_true('HUSH' not in server.output.read_text(), 'the log')


def guessing(binary):
    with Server(binary, '--requirepass', 'right', '--auth-failures-per-minute', '3') as server:
        with server.client() as client:
            for _ in range(3):
                expect(client('AUTH', 'wrong'),
                       WRONG)
            for password in ('wrong', 'right'):
                expect_true('too many failed authentications' in client('AUTH', password), password)
            expect_true('too many' in client('HELLO', '2', 'AUTH', 'default', 'right'), 'HELLO')


def paused(binary):
    with Server(binary) as server, server.client() as admin, server.client() as alice:
        admin('ACL', 'SETUSER', 'alice', 'on', 'nopass', '+@all', '~*')
        expect(alice('AUTH', 'alice', 'x'), 'OK')
        expect(admin('CLIENT', 'PAUSE', '100000', 'WRITE'), 'OK')
        alice.raw(b'SET a 1\r\nGET a\r\n')
        while b'paused_clients:1' not in admin('INFO', 'clients') and \
                b'clients_paused:1' not in admin('INFO', 'clients') and \
                not is_waiting(admin):
            pass
        expect(admin('ACL', 'SETUSER', 'alice', '-set'), 'OK')
        expect(admin('CLIENT', 'UNPAUSE'), 'OK')
        expect(alice.reply(),
               ErrorReply("NOPERM User alice has no permissions to run the 'set' command"))
        expect(alice.reply(), None)


def is_waiting(admin):
    """A paused client is counted as blocked."""
    return b'blocked_clients:1' in admin('INFO', 'clients')


def waiting_for_others(binary):
    """Requests that wait for tokens which another call holds, or for a slow thread, when their rights go."""
    endless = "redis.log(redis.LOG_WARNING, 'endless ' .. KEYS[1]) while true do end"
    many = [str(i) for i in range(50_000)]
    pipelines = ([('SET', 'k', '1')], [('GET', 'k'), ('SET', 'a', '1'), ('SET', 'b', '1')], [('MSET', 'k', '1', 'c', '1')],
                 [('INCR', 'k'), ('EVAL', "return redis.call('SET', KEYS[1], 1)", '1', 'd')],
                 [('EVAL', "return redis.call('SET', KEYS[1], 1)", '1', 'k')], [('RPUSH', 'e', *many)],
                 [('MSET', *(word for name in many for word in (f'f{name}', '1')))], [('BLPOP', 'k', '1')])
    # One worker: what was sent before a request of another connection has been taken when that is answered twice.
    with Server(binary, '--workers', '1', '--slow-lane-threads', '2', '--busy-reply-threshold', '100000') as server, \
            server.client() as admin, server.client() as first, server.client() as second:
        for number, how in enumerate((('-@all',), ('resetkeys',))):
            expect(admin('ACL', 'SETUSER', 'alice', 'reset', 'on', 'nopass', '+@all', '~*'), 'OK')
            clients = [server.client() for _ in (*pipelines, 'transaction')]
            for client in clients:
                expect(client('AUTH', 'alice', 'x'), 'OK')
            first.raw(encoded('EVAL', endless, '1', 'k'))
            second.raw(encoded('EVAL', endless, '1', 'other'))
            wait_until(lambda: server.output.read_text().count('endless') >= 2 * number + 2, 'both scripts run')
            for client, requests in zip(clients, pipelines):
                client.raw(b''.join(encoded(*words) for words in requests))
            clients[-1].raw(encoded('MULTI') + encoded('SET', 'g', '1') + encoded('SET', 'k', '1') + encoded('EXEC'))
            expect([clients[-1].reply() for _ in range(3)], ['OK', 'QUEUED', 'QUEUED'])
            for _ in range(3):
                expect(admin('PING'), 'PONG')
            expect(admin('ACL', 'SETUSER', 'alice', *how), 'OK')
            running = [first, second]
            while running:
                admin('SCRIPT', 'KILL')
                for client in running[:]:
                    if select.select([client.socket], [], [], 0.02)[0]:
                        expect_true('killed by user' in client.reply(), 'SCRIPT KILL')
                        running.remove(client)
            for client, requests in zip(clients, pipelines):
                for words in requests:
                    reply = client.reply()
                    expect_true(isinstance(reply, ErrorReply) and 'NOPERM' in reply, f'{how} {words[:4]}: {reply}')
            replies = clients[-1].reply()
            for reply in replies if isinstance(replies, list) else [replies]:
                expect_true(isinstance(reply, ErrorReply) and 'NOPERM' in reply, f'{how} EXEC: {replies}')
            expect(admin('DBSIZE'), 0)
            for client in clients:
                client.close()


def many_keys(binary):
    with Server(binary) as server, server.client() as admin, server.client() as alice:
        admin('ACL', 'SETUSER', 'alice', 'on', 'nopass', '+mget', '~a*')
        expect(alice('AUTH', 'alice', 'x'), 'OK')
        names = [f'a{i}' for i in range(100_000)]
        expect(len(alice('MGET', *names)), len(names))
        expect(alice('MGET', *names, 'b'), NO_KEY)
        expect(alice('GET', 'a'),
               ErrorReply("NOPERM User alice has no permissions to run the 'get' command"))
        expect(admin('ACL', 'LOG', '1')[0][7], b'get')


def logins(binary):
    """AUTH of a user who is off fails; who is logged in already stays."""
    with Server(binary) as server, server.client() as admin, server.client() as alice:
        admin('ACL', 'SETUSER', 'alice', 'on', 'nopass', '+ping', '+auth')
        expect(alice('AUTH', 'alice', 'x'), 'OK')
        admin('ACL', 'SETUSER', 'alice', 'off')
        expect(alice('PING'), 'PONG')
        expect(alice('AUTH', 'alice', 'x'),
               WRONG)
        expect(alice('PING'), 'PONG')


EVERY_KIND = (('PING',), ('ECHO', 'x'), ('GET', 'k'), ('SET', 'k', 'x'), ('MGET', 'k', 'l'), ('KEYS', '*'), ('DBSIZE',),
              ('CLIENT', 'ID'), ('CLIENT', 'SETNAME', 'x'), ('SELECT', '0'), ('ACL', 'WHOAMI'), ('CONFIG', 'GET', 'port'),
              ('INFO', 'server'), ('SUBSCRIBE', 'c'), ('PUBLISH', 'c', 'm'), ('WATCH', 'k'), ('MULTI',), ('EXEC',),
              ('MONITOR',), ('BLPOP', 'l', '0.01'), ('EVAL', 'return 1', '0'), ('FUNCTION', 'LIST'), ('WAIT', '0', '0'),
              ('CLIENT', 'TRACKING', 'ON'), ('SCAN', '0'), ('SORT', 'k'), ('TIME',))


def everything_goes(binary):
    """Of a user that might do everything: whichever thread and in whichever way a request would run."""
    with Server(binary) as server, server.client() as admin:
        for how in (('-@all',), ('reset', 'on')):
            expect(admin('ACL', 'SETUSER', 'alice', 'reset', 'on', 'nopass', '+@all', '~*', '&*'), 'OK')
            clients = [server.client() for _ in (*EVERY_KIND, 'pipeline', 'transaction')]
            for client in clients:
                expect(client('AUTH', 'alice', 'x'), 'OK')
            expect(clients[-1]('MULTI'), 'OK')
            expect(admin('ACL', 'SETUSER', 'alice', *how), 'OK')
            for client, words in zip(clients, EVERY_KIND):
                reply = client(*words)
                expect_true(isinstance(reply, ErrorReply) and 'NOPERM' in reply, f'{how} {words}: {reply}')
            # One of them in a pipeline, where a batch may be under way.
            clients[-2].raw(b''.join(encoded(*words) for words in EVERY_KIND))
            for words in EVERY_KIND:
                reply = clients[-2].reply()
                expect_true(isinstance(reply, ErrorReply) and 'NOPERM' in reply, f'{how} pipelined {words}: {reply}')
            reply = clients[-1]('SET', 'k', 'x')
            expect_true(isinstance(reply, ErrorReply) and 'NOPERM' in reply, f'{how} queued: {reply}')
            expect(admin('EXISTS', 'k'), 0)
            # And back: the same connections may do everything again.
            expect(admin('ACL', 'SETUSER', 'alice', 'on', 'nopass', '+@all', '~*', '&*'), 'OK')
            expect(clients[0]('SET', 'k', 'x'), 'OK')
            expect(clients[0]('DEL', 'k'), 1)
            for client in clients:
                client.close()


def deleted(binary):
    """Idle, blocked, subscribed, in MULTI, half a request sent: all of them go; others stay."""
    with Server(binary) as server, server.client() as admin, server.client() as other:
        admin('ACL', 'SETUSER', 'alice', 'on', 'nopass', '+@all', '~*', '&*')
        admin('ACL', 'SETUSER', 'bob', 'on', 'nopass', '+@all', '~*', '&*')
        expect(other('AUTH', 'bob', 'x'), 'OK')
        clients = []
        for words in ((), ('BLPOP', 'l', '0'), ('SUBSCRIBE', 'c'), ('MULTI',), None):
            client = server.client()
            clients.append(client)
            expect(client('AUTH', 'alice', 'x'), 'OK')
            if words is None:
                client.raw(b'*2\r\n$3\r\nGET\r\n')
            elif words and words[0] != 'BLPOP':
                client(*words)
            elif words:
                client.raw(b'BLPOP l 0\r\n')
        wait_until(lambda: is_waiting(admin), 'BLPOP waits')
        expect(admin('ACL', 'DELUSER', 'alice'), 1)
        for client in clients:
            expect_true(client.closed(), 'closed')
            client.close()
        expect(other('PING'), 'PONG')
        expect(admin('RPUSH', 'l', 'x'), 1)
        expect(admin('LLEN', 'l'), 1)  # no client took it
        # One who deletes itself, at the end of a pipeline and in a transaction.
        with server.client() as me:
            expect(me('AUTH', 'bob', 'x'), 'OK')
            me.raw(b'MULTI\r\nACL DELUSER bob\r\nSET k v\r\nEXEC\r\nPING\r\n')
            expect([me.reply() for _ in range(3)], ['OK', 'QUEUED', 'QUEUED'])
            answers = me.reply()
            expect(answers[0], 1)
            expect_true(isinstance(answers[1], ErrorReply) and 'NOPERM' in answers[1], answers)
            expect_true(me.closed(), 'PING behind it is not served')
        expect(admin('EXISTS', 'k'), 0)


def wait_until(condition, what, seconds=10):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise Failed(f'waited in vain: {what}')
        time.sleep(0.01)


def revoked(binary, inside_multi=False):
    """When SETUSER, or its EXEC, is answered the subscriber is gone, whichever worker it is on."""
    with Server(binary, '--workers', '4') as server, server.client() as admin:
        for kind, name in (('SUBSCRIBE', 'news'), ('PSUBSCRIBE', 'n*'), ('SSUBSCRIBE', 'news')) * 40:
            admin('ACL', 'SETUSER', 'alice', 'on', 'nopass', '+@all', 'resetchannels', '&news', '&n*')
            with server.client() as alice, server.client() as other:
                expect(alice('AUTH', 'alice', 'x'), 'OK')
                expect(other('AUTH', 'alice', 'x'), 'OK')
                expect(alice(kind, name)[2], 1)
                if inside_multi:
                    admin.raw(b'MULTI\r\nACL SETUSER alice resetchannels &sport\r\n'
                              b'ACL SETUSER bob on resetchannels\r\nSET k v\r\n'
                              b'ACL SETUSER alice &chess\r\nEXEC\r\n')
                    expect([admin.reply() for _ in range(6)],
                           ['OK', *['QUEUED'] * 4, ['OK'] * 4])
                else:
                    expect(admin('ACL', 'SETUSER', 'alice', 'resetchannels', '&sport'), 'OK')
                expect_true(line_of(admin, b'user=alice').count(b'user=alice') == 1, f'after {kind}')
                admin('PUBLISH' if kind != 'SSUBSCRIBE' else 'SPUBLISH', 'news', 'secret')
                expect_true(alice.closed(), 'it hears what is published later')
                expect(other('PING'), 'PONG')
        with server.client() as alice:  # who revokes its own rights is answered
            admin('ACL', 'SETUSER', 'alice', 'allchannels', '+@all')
            expect(alice('AUTH', 'alice', 'x'), 'OK')
            expect(alice('ACL', 'SETUSER', 'alice', 'resetchannels'), 'OK')
            expect(alice('MULTI'), 'OK')
            alice('ACL', 'SETUSER', 'alice', 'allchannels')
            alice('ACL', 'SETUSER', 'alice', 'resetchannels')
            expect(alice('EXEC'), ['OK', 'OK'])


def long_subscribe(binary):
    """Its names are worked off in turns: none of them may be added with rights that are gone. Those that it
    has added first are allowed afterwards, too, or are not."""
    names = [b'a%d' % i for i in range(200_000)] + [b'b%d' % i for i in range(200_000)]
    request = b'*%d\r\n$9\r\nSUBSCRIBE\r\n' % (len(names) + 1) + \
        b''.join(b'$%d\r\n%s\r\n' % (len(name), name) for name in names)
    for left in ('&a1', '&a*'):
        with Server(binary) as server, server.client() as admin, server.client() as alice:
            admin('ACL', 'SETUSER', 'alice', 'on', 'nopass', '+subscribe', '&*')
            expect(alice('AUTH', 'alice', 'x'), 'OK')
            alice.raw(request)
            wait_until(lambda: b' sub=0 ' not in line_of(admin, b'user=alice'), 'the first are there')
            expect(admin('ACL', 'SETUSER', 'alice', 'resetchannels', left), 'OK')
            wait_until(lambda: not line_of(admin, b'user=alice'), f'it is closed: {left}')
            expect(admin('PUBSUB', 'NUMSUB', 'b199999'), [b'b199999', 0])


def line_of(admin, words):
    return b''.join(line for line in admin('CLIENT', 'LIST').splitlines() if words in line)


def racing(binary):
    """A change is seen by every request that is sent after its answer, on every worker."""
    with Server(binary, '--workers', '2') as server, server.client() as admin:
        admin('ACL', 'SETUSER', 'alice', 'on', 'nopass', '+set', '+get', '~*')
        clients = [server.client() for _ in range(8)]
        for client in clients:
            expect(client('AUTH', 'alice', 'x'), 'OK')
        for turn in range(300):
            allowed = turn % 2 == 1
            for client in clients:  # under way while the rights change: either answer is right
                client.raw(b'SET k %d\r\nGET k\r\n' % turn)
            expect(admin('ACL', 'SETUSER', 'alice', '+set' if allowed else '-set'), 'OK')
            for client in clients:
                client.raw(b'SET k x\r\n')
            for client in clients:
                client.reply()
                client.reply()
                expect(client.reply() == 'OK', allowed, f'turn {turn}')
        for client in clients:
            client.close()


def rewritten(binary):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / 'slotcar.conf'
        path.write_text('user alice on >one ~a* (+get ~b*) +set\n')
        with ConfiguredServer(binary, path) as server, server.client() as admin:
            expect(admin('ACL', 'SETUSER', 'bob', 'on', '>two', '+@read', '-get', '%R~x*', '~"q"', "~it's",
                         '~a\\b'), 'OK')
            expect(admin('ACL', 'DELUSER', 'alice'), 1)
            expect(admin('CONFIG', 'REWRITE'), 'OK')
            users = admin('ACL', 'LIST')
        text = path.read_text()
        expect_true('user alice' not in text and '>two' not in text, text)
        with ConfiguredServer(binary, path) as server, server.client() as admin:
            expect(admin('ACL', 'LIST'), users)
            expect(admin('AUTH', 'bob', 'two'), 'OK')


def unwritable(binary):
    """Rules that a file could not give back are not taken."""
    with Server(binary) as server, server.client() as admin:
        users = admin('ACL', 'LIST')
        for name, rule in (('u', '+set|a b'), ('u', '+set|x +@all'), ('u', '+set|x\nuser evil on nopass'),
                           ('u', '(~a) +get)'), ('u', '(~(a)'), ('', 'on')):
            reply = admin('ACL', 'SETUSER', name, rule)
            expect_true(isinstance(reply, ErrorReply), f'{name!r} {rule!r}: {reply}')
        expect(admin('ACL', 'LIST'), users)


def hidden_lookups(binary):
    """The names of SORT's options may also be names of keys."""
    with Server(binary) as server, server.client() as admin, server.client() as alice:
        admin('RPUSH', 'k', 1)
        admin('SET', 'secret1', 'TOPSECRET')
        admin('ACL', 'SETUSER', 'alice', 'on', 'nopass', '+@all', '~k', '~by', '~get', '~store', '~limit')
        expect(alice('AUTH', 'alice', 'x'), 'OK')
        for words in (('GET', 'secret*'), ('STORE', 'by', 'GET', 'secret*'), ('STORE', 'get', 'BY', 'secret*'),
                      ('LIMIT', '0', '1', 'STORE', 'get', 'get', 'secret*'), ('BY', 'nosort', 'GET', '#'),
                      ('STORE', 'store', 'STORE', 'limit', 'by', 'secret*')):
            reply = alice('SORT', 'k', *words)
            expect_true(isinstance(reply, ErrorReply) and 'denied due to' in reply, f'{words}: {reply}')
        expect(admin('EXISTS', 'by', 'get', 'store', 'limit'), 0)
        expect(alice('SORT', 'k', 'STORE', 'get', 'ASC'), 1)
        expect(alice('SORT', 'k', 'BY', 'get', 'STORE', 'by'), 1)


def scripts(binary):
    """A script may do what its caller may, whichever keys it declares and whoever loaded a function."""
    failure = 'ACL failure in script: '
    with Server(binary) as server, server.client() as admin, server.client() as alice:
        admin('SET', 'secret', 's')
        admin('FUNCTION', 'LOAD', "#!lua name=lib\nredis.register_function('read', function(keys, args) "
              "return redis.call('GET', args[1]) end)")
        admin('ACL', 'SETUSER', 'alice', 'on', 'nopass', '+@all', '-incr', '~own*', '&news')
        expect(alice('AUTH', 'alice', 'x'), 'OK')
        for number, (body, denied) in enumerate((
                ("return redis.call('SET', 'own1', 'v')", None),
                ("return redis.call('GET', 'secret')", 'No permissions to access a key'),
                ("redis.call('SET', 'own1', 'w'); return redis.call('GET', 'secret')",
                 'No permissions to access a key'),
                ("return redis.call('INCR', 'own2')", "User alice has no permissions to run the 'incr' command"),
                ("return redis.call('PUBLISH', 'other', 'm')", 'No permissions to access a channel'),
                ("return redis.call('SORT', 'own3', 'STORE', 'own4', 'GET', 'secret*')", 'GET option of SORT'))):
            for _ in range(3):  # with all tokens, with those of its keys, from the cache
                reply = alice('EVAL', f'{body} -- {number}', 1, 'own1')
                expect_true(denied in reply if denied else reply == 'OK', f'{body}: {reply}')
                if denied and 'SORT' not in denied:
                    expect_true(failure in reply, reply)
        expect_true(failure in alice('FCALL', 'read', 0, 'secret'), 'a function')
        expect(alice('EVAL', "return redis.call('GET', 'own1')", 1, 'own1'), b'w')
        expect(alice('EVAL', 'return 1', 1, 'secret'), NO_KEY)
        check = "return {redis.acl_check_cmd('GET', 'own1'), redis.acl_check_cmd('GET', 'secret'), 1}"
        expect(alice('EVAL', check, 0), [1, None, 1])
        contexts = {entry[entry.index(b'context') + 1] for entry in admin('ACL', 'LOG')}
        expect(contexts, {b'lua', b'toplevel'})
        admin('ACL', 'SETUSER', 'alice', '-@scripting')
        expect_true('no permissions to run' in alice('EVAL', 'return 1', 0), 'EVAL itself')


def saved_at_once(binary):
    """The file is always a whole one, and nobody but the server's user reads it."""
    path = file_with('user default on nopass ~* &* +@all\nuser other off\n')
    pathlib.Path(path).chmod(0o600)
    with Server(binary, '--aclfile', path, '--workers', '4') as server:
        wrong = []

        def save():
            with server.client() as client:
                wrong.extend(reply for reply in (client('ACL', 'SAVE') for _ in range(300)) if reply != 'OK')
        threads = [threading.Thread(target=save) for _ in range(3)]
        for thread in threads:
            thread.start()
        with server.client() as admin:
            while any(thread.is_alive() for thread in threads):
                expect(admin('ACL', 'LOAD'), 'OK')
                expect(admin('ACL', 'USERS'), [b'default', b'other'])
        for thread in threads:
            thread.join()
        expect(wrong, [])
        expect(pathlib.Path(path).stat().st_mode & 0o777, 0o600)


class ConfiguredServer(Server):
    """With a configuration file in the first place of its words."""

    def __init__(self, binary, path, *login):
        wrapper = pathlib.Path(path).with_suffix('.sh')
        wrapper.write_text(f'#!/bin/sh\nexec {binary} {path} "$@"\n')
        wrapper.chmod(0o755)
        super().__init__(str(wrapper), login=login)


def long_names(binary):
    with Server(binary) as server, server.client() as admin, server.client() as alice:
        admin('ACL', 'SETUSER', 'alice', 'on', 'nopass', '+get', '+auth')
        expect(alice('CLIENT', 'SETNAME', 'n' * (1 << 20)), 'OK')
        expect(alice('AUTH', 'alice', 'x'), 'OK')
        expect(alice('GET', 'k' * (1 << 20)), NO_KEY)
        expect(alice('AUTH', 'u' * (1 << 20), 'x'), WRONG)
        entries = [dict(zip(entry[::2], entry[1::2])) for entry in admin('ACL', 'LOG')]
        expect([len(entry[b'object']) for entry in entries], [4, 1024])
        expect([len(entry[b'username']) for entry in entries], [1024, 5])
        expect_true(all(len(entry[b'client-info']) < 2048 for entry in entries), 'client-info')
        too_long = 'p' * 65537
        expect_true('too long' in admin('CONFIG', 'SET', 'requirepass', too_long), 'requirepass')
        expect_true('65536' in admin('ACL', 'SETUSER', 'alice', '>' + too_long), 'SETUSER')
        expect(alice('AUTH', 'alice', too_long), 'OK')  # it needs none


def redis_cli(binary):
    with Server(binary) as server, server.client() as admin:
        admin('ACL', 'SETUSER', 'alice', 'on', '>secret', '+get', '+hello', '~a*')

        def cli(*words):
            done = subprocess.run(['redis-cli', '-p', str(server.port), '--no-auth-warning', *words],
                                  capture_output=True, text=True, timeout=20)
            return (done.stdout + done.stderr).strip()

        expect(cli('--user', 'alice', '--pass', 'secret', 'GET', 'a'), '')
        expect(cli('--user', 'alice', '--pass', 'secret', '-3', 'GET', 'b'),
               'NOPERM No permissions to access a key')
        expect_true('WRONGPASS' in cli('--user', 'alice', '--pass', 'wrong', 'PING'), 'WRONGPASS')
        expect(cli('ACL', 'WHOAMI'), 'default')
        expect_true('user alice on' in cli('ACL', 'LIST'), 'ACL LIST')
        expect(cli('ACL', 'DRYRUN', 'alice', 'SET', 'a', 'x'),
               "User alice has no permissions to run the 'set' command")


def python_redis(binary):
    with Server(binary) as server:
        admin = redis.Redis(port=server.port)
        expect(admin.acl_setuser('alice', enabled=True, passwords=['+secret'], commands=['+get', '+set'],
                                 keys=['a*']), True)
        shown = admin.acl_getuser('alice')
        expect((shown['enabled'], shown['commands'], shown['categories']),
               (True, ['+get', '+set'], ['-@all']))
        expect(sorted(admin.acl_users()), ['alice', 'default'])
        expect(admin.acl_whoami(), 'default')
        alice = redis.Redis(port=server.port, username='alice', password='secret')
        expect(alice.set('a1', 'x'), True)
        for call in (lambda: alice.get('b'), lambda: alice.delete('a1')):
            try:
                call()
                raise Failed('it ran')
            except redis.exceptions.NoPermissionError:
                pass
        expect([entry['reason'] for entry in admin.acl_log()], ['command', 'key'])
        expect(admin.acl_log_reset(), True)
        expect(admin.acl_deluser('alice'), 1)
        try:
            redis.Redis(port=server.port, username='alice', password='secret').ping()
            raise Failed('it was let in')
        except (redis.exceptions.AuthenticationError, redis.exceptions.ResponseError):
            pass
        expect(len(admin.acl_genpass()), 64)
        expect('get' in admin.acl_cat('read'), True)


MOVED = (['alice', 'on', '>one', '>two', '~a*', '%R~b*', '%W~c*', '&news.*', '+@all', '-@dangerous',
          '+config|get', '-get', '+select|0'],
         ['bob', 'off', 'nopass', 'allkeys', 'allchannels', '+@read', '(+set ~x)', '(%R~y &z -@all +get)'],
         ['carol', 'on', '#' + '0' * 64, 'resetchannels', '-@all', '+client|id', '+client|setname'])


def moved(binary, reference):
    """Our file is read by redis-server and its by us: the same users, and the same verdicts."""
    path = file_with('')
    shown = None
    for program in (binary, reference, binary):
        with Server(program, '--aclfile', path, '--requirepass', 'guarded') as server, \
                server.client() as admin:
            expect(admin('AUTH', 'guarded'), 'OK')
            if shown is None:
                for words in MOVED:
                    expect(admin('ACL', 'SETUSER', *words), 'OK')
            rights = {}
            for words in MOVED:
                rules = admin('ACL', 'GETUSER', words[0])
                pairs = dict(zip(rules[::2], rules[1::2]))
                rights[words[0]] = (sorted(pairs[b'passwords']), pairs[b'keys'], pairs[b'channels'],
                                    b'on' in pairs[b'flags'], b'nopass' in pairs[b'flags'],
                                    [admin('ACL', 'DRYRUN', words[0], *request) == 'OK'
                                     for request in (('GET', 'a1'), ('SET', 'c1', 'x'), ('GET', 'y'),
                                                     ('SET', 'x', '1'), ('CONFIG', 'GET', 'a'),
                                                     ('CONFIG', 'SET', 'a', 'b'), ('SELECT', '0'),
                                                     ('CLIENT', 'ID'), ('PUBLISH', 'news.1', 'm'))])
            shown = shown or rights
            expect(rights, shown, program)
            expect(admin('ACL', 'SAVE'), 'OK')
    pathlib.Path(path).unlink()
