"""The TLS port: real clients, certificates of every kind, reloading, floods and garbage."""
import contextlib
import os
import pathlib
import random
import shutil
import socket
import ssl
import subprocess
import tempfile
import threading
import time

from certificates import Authority
from harness import ROOT, Client, Failed, Server, encoded, expect, expect_true

import ioredis

try:
    import redis
except ImportError:
    redis = None

HANDSHAKES_MAX = 512  # of one worker: limits::kTlsHandshakesPerWorkerMax


def run(server, report):
    if not shutil.which('openssl'):
        return report.skip('tls', 'the program openssl is missing')
    with tempfile.TemporaryDirectory(prefix='slotcar-tls.') as folder:
        made = Made(folder)
        report.check('a wrong start is refused in words', wrong_starts, server.binary, made)
        report.check('only a TLS port', only_tls, server.binary, made)
        for backend in ('epoll', 'uring'):
            with TlsServer(server.binary, made, '--io-backend', backend) as secure:
                for check in CHECKS:
                    name = check.__name__.replace('_', ' ')
                    report.check(f'{backend}: {name}', check, secure, made)
                if redis:
                    report.check(f'{backend}: python3-redis', python_redis, secure, made)
                else:
                    report.skip(f'{backend}: python3-redis', 'python3-redis is missing')
                ioredis.run_checks(secure.tls_port, report, made.for_node())
                report.check(f'{backend}: the server is still there', still_there, secure)


class Made:
    """Every certificate that the checks need."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.authority = Authority(folder)
        self.server = self.authority.make('server')
        self.server2 = self.authority.make('server2')
        self.rsa = self.authority.make('rsa', kind='rsa')
        self.client = self.authority.make('client', 'ann')
        self.late = self.authority.make('late', days=-1)
        self.elsewhere = self.authority.make('elsewhere', names='DNS:other.example')
        other = self.folder / 'other'
        other.mkdir()
        self.stranger = Authority(other, 'stranger')
        self.strange = self.stranger.make('strange')

    def context(self, pair=None, ca=None):
        made = ssl.create_default_context(cafile=ca or self.authority.ca)
        if pair:
            made.load_cert_chain(*pair)
        return made

    def for_node(self):
        return {'ca': self.authority.ca, 'cert': self.client[0], 'key': self.client[1]}


class TlsServer(Server):
    """A server with both ports. Clients need a certificate, as by default."""

    def __init__(self, binary, made, *options, pair=None):
        with socket.socket() as s:
            s.bind(('127.0.0.1', 0))
            self.tls_port = s.getsockname()[1]
        certificate, key = pair or made.server
        super().__init__(binary, '--tls-port', str(self.tls_port), '--tls-cert-file', certificate,
                         '--tls-key-file', key, '--tls-ca-cert-file', made.authority.ca, *options)

    def said(self):
        return self.output.read_text(errors='replace')

    def secure(self, context, name='127.0.0.1', session=None):
        return TlsClient(self.tls_port, context, name, session)

    @contextlib.contextmanager
    def with_setting(self, name, value):
        with self.client() as admin:
            before = admin('CONFIG', 'GET', name)[1]
            expect(admin('CONFIG', 'SET', name, value), 'OK')
        try:
            yield
        finally:
            with self.client() as admin:
                expect(admin('CONFIG', 'SET', name, before), 'OK')


class TlsClient(Client):
    def __init__(self, port, context, name, session=None):
        plain = socket.create_connection(('127.0.0.1', port), 20)
        self.socket = context.wrap_socket(plain, server_hostname=name, session=session)
        self.file = self.socket.makefile('rb')


def command_line(words):
    done = subprocess.run(words, capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout + done.stderr


def until(condition, what, seconds=60):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise Failed(f'waited in vain for {what}')
        time.sleep(0.02)


def still_there(server):
    expect_true(server.alive(), 'the server ended: ' + server.said()[-2000:])


def refused(server, context, words, name='127.0.0.1'):
    """The client is not served, and the server's log says why. (With TLS 1.3 a client learns of
    its refusal only when it reads.)"""
    before = len(server.said())

    def named():  # again and again: only so many failures are logged in a second
        try:
            with server.secure(context, name) as client:
                client('PING')
        except (OSError, Failed):
            return words in server.said()[before:]
        raise Failed('it was let in')

    until(named, f'"{words}" in the log')


# ------------------------------------------------------------------ starting
def wrong_starts(binary, made):
    certificate, key = made.server
    cases = ((('--tls-cert-file', certificate), 'No tls-key-file configured'),
             (('--tls-cert-file', '/nowhere.pem', '--tls-key-file', key), '/nowhere.pem'),
             (('--tls-cert-file', certificate, '--tls-key-file', made.client[1]), 'mismatch'),
             (('--tls-cert-file', certificate, '--tls-key-file', key), 'tls-ca-cert-file'),
             (('--tls-cert-file', certificate, '--tls-key-file', key, '--tls-ca-cert-dir', '/nowhere'),
              '/nowhere: No such file or directory'),
             (('--tls-cert-file', certificate, '--tls-key-file', key, '--tls-auth-clients', 'no',
               '--tls-auth-clients-user', 'CN'), 'tls-auth-clients-user'),
             (('--tls-replication', 'yes'), 'not implemented'),
             (('--tls-protocols', 'TLSv4'), 'Invalid tls-protocols'))
    for options, words in cases:
        with tempfile.TemporaryDirectory() as folder:
            code, said = command_line([binary, '--port', '0', '--tls-port', '16380', '--bind',
                                       '127.0.0.1', '--dir', folder, *options])
            expect_true(code != 0 and words in said, f'{options}: {said}')


def refuses(connect):
    """Workers close their old listeners a moment after the command was answered."""
    try:
        connect().close()
    except OSError:
        return True
    return False


def only_tls(binary, made):
    with TlsServer(binary, made) as server:
        with server.secure(made.context(made.client)) as client:
            expect(client('CONFIG', 'SET', 'port', 0), 'OK')
            expect_true(f'tcp_port:{server.tls_port}'.encode() in client('INFO', 'server'), 'INFO')
            until(lambda: refuses(lambda: Client(server.port)), 'the plain port to close')
            expect(str(client('CONFIG', 'SET', 'port', server.tls_port))[:4], 'ERR ')
            expect(client('CONFIG', 'SET', 'port', server.port), 'OK')
            expect(client('CONFIG', 'SET', 'tls-port', 0), 'OK')
            expect(client('PING'), 'PONG')  # those that are there stay
        until(lambda: refuses(lambda: server.secure(made.context(made.client))),
              'the TLS port to close')
        with server.client() as client:
            expect(client('CONFIG', 'SET', 'tls-port', server.tls_port), 'OK')
        with server.secure(made.context(made.client)) as client:
            expect(client('PING'), 'PONG')


# ------------------------------------------------------------------ clients
def redis_cli(server, made):
    tls = ['redis-cli', '-p', str(server.tls_port), '--tls', '--cacert', made.authority.ca]
    mine = ['--cert', made.client[0], '--key', made.client[1]]
    expect(command_line(tls + mine + ['PING']), (0, 'PONG\n'))
    value = 'x' * 100_000
    expect(command_line(tls + mine + ['SET', 'k', value]), (0, 'OK\n'))
    expect(command_line(tls + mine + ['GET', 'k']), (0, value + '\n'))
    expect_true('PONG' not in command_line(tls + ['PING'])[1], 'let in without a certificate')
    for asked in ('no', 'optional'):
        with server.with_setting('tls-auth-clients', asked):
            expect(command_line(tls + ['PING']), (0, 'PONG\n'))
            expect(command_line(tls + mine + ['PING']), (0, 'PONG\n'))


def redis_benchmark(server, made):
    code, said = command_line(
        ['redis-benchmark', '-p', str(server.tls_port), '--tls', '--cacert', made.authority.ca,
         '--cert', made.client[0], '--key', made.client[1], '-t', 'get,set,lpush', '-n', '5000',
         '-P', '16', '-q'])
    expect_true(code == 0 and 'LPUSH' in said and 'rror' not in said, said)


def client_library(server, made):
    quick_start = ROOT / 'build/release/example_quick_start'
    if not quick_start.exists():
        raise Failed(f'{quick_start} is not built')
    base = f'rediss://127.0.0.1:{server.tls_port}?timeout=2s'
    mine = f'&tls-certificate={made.client[0]}&tls-key={made.client[1]}'
    trust = f'&tls-ca={made.authority.ca}'
    code, said = command_line([quick_start, base + mine + trust])
    expect_true(code == 0, said)
    for words, uri in (('certificate verify failed (self-signed certificate in certificate chain)',
                        base + mine + f'&tls-ca={made.stranger.ca}'),
                       ('hostname mismatch', base + mine + trust + '&tls-server-name=other.example'),
                       ('asks for a certificate', base + trust)):
        code, said = command_line([quick_start, uri])
        expect_true(code != 0 and words.lower() in said.lower(), f'{words}: {code} {said}')
    with server.with_setting('tls-auth-clients', 'no'):
        with server.client() as admin:
            expect(admin('CONFIG', 'SET', 'tls-cert-file', made.late[0], 'tls-key-file',
                         made.late[1]), 'OK')
            try:
                code, said = command_line([quick_start, base + trust])
                expect_true(code != 0 and 'certificate has expired' in said, said)
                expect_true('has expired: clients will refuse it' in server.said(), 'no warning')
            finally:
                expect(admin('CONFIG', 'SET', 'tls-cert-file', made.server[0], 'tls-key-file',
                             made.server[1]), 'OK')


def python_redis(server, made):
    client = redis.Redis(port=server.tls_port, ssl=True, ssl_ca_certs=made.authority.ca,
                         ssl_certfile=made.client[0], ssl_keyfile=made.client[1],
                         socket_timeout=10)
    client.flushall()
    expect(client.set('k', b'v' * 200_000), True)
    expect(client.get('k'), b'v' * 200_000)
    with client.pipeline(transaction=True) as pipe:
        for i in range(1000):
            pipe.set(f'k{i}', i).get(f'k{i}')
        expect(pipe.execute()[1999], b'999')
    listener = client.pubsub()
    listener.subscribe('c')
    expect(listener.get_message(timeout=5)['type'], 'subscribe')
    client.publish('c', 'm')
    expect(listener.get_message(timeout=5)['data'], b'm')
    listener.close()
    client.close()


# ------------------------------------------------------------------ bytes
def values_of_all_sizes_and_pipelines(server, made):
    with server.secure(made.context(made.client)) as client:
        for size in (0, 1, 4095, 16 * 1024 - 3, 16 * 1024, 40_000, 1_000_000, 20_000_000):
            value = os.urandom(size)
            expect(client('SET', 'v', value), 'OK')
            expect_true(client('GET', 'v') == value, f'a value of {size} bytes')
        count = 3000
        client.raw(b''.join(encoded('SET', f'p{i}', i) + encoded('GET', f'p{i}')
                            for i in range(count)))
        for i in range(count):
            expect(client.reply(), 'OK')
            expect(client.reply(), str(i).encode())
        # More than all buffers hold, and the client does not read until all is requested.
        client('SET', 'v', 'y' * 100_000)
        client.raw(encoded('GET', 'v') * 200)
        for _ in range(200):
            expect(len(client.reply()), 100_000)


def one_byte_at_a_time(server, made):
    with server.secure(made.context(made.client)) as client:
        for byte in encoded('SET', 'k', 'value') + encoded('GET', 'k'):
            client.socket.sendall(bytes([byte]))
        expect(client.reply(), 'OK')
        expect(client.reply(), b'value')


def ends_with_and_without_goodbye(server, made):
    client = server.secure(made.context(made.client))
    expect(client('PING'), 'PONG')
    expect(client('QUIT'), 'OK')
    expect(client.file.read(1), b'')  # a goodbye: without one Python would raise an SSLEOFError
    client.close()
    client = server.secure(made.context(made.client))
    expect(client('CLIENT', 'SETNAME', 'rude'), 'OK')
    client.raw(encoded('SET', 'last', 'words'))
    fd = client.socket.detach()  # the socket alone, no TLS goodbye
    socket.socket(fileno=fd).close()
    with server.client() as plain:
        until(lambda: b'name=rude' not in plain('CLIENT', 'LIST'), 'the end of the connection')
        expect(plain('GET', 'last'), b'words')


def clients_are_listed_and_killed(server, made):
    clients = [server.secure(made.context(made.client)) for _ in range(20)]
    for i, client in enumerate(clients):
        expect(client('CLIENT', 'SETNAME', f'secure{i}'), 'OK')
    with server.client() as admin:
        listed = admin('CLIENT', 'LIST').decode()
        expect(listed.count('name=secure'), 20)
        expect_true(f'laddr=127.0.0.1:{server.tls_port}' in listed, listed)
        stop = threading.Event()

        def load(client):
            try:
                while not stop.is_set():
                    client.raw(encoded('SET', 'k', 'x' * 30_000) * 5)
                    for _ in range(5):
                        client.reply()
            except (OSError, Failed, ValueError):
                pass

        threads = [threading.Thread(target=load, args=(client,)) for client in clients]
        for thread in threads:
            thread.start()
        for line in listed.splitlines():
            if 'name=secure' in line:
                number = line.split()[0].partition('=')[2]
                expect(admin('CLIENT', 'KILL', 'ID', number), 1)
        stop.set()
        for thread in threads:
            thread.join(20)
        until(lambda: b'name=secure' not in admin('CLIENT', 'LIST'), 'their end')
    for client in clients:
        client.close()


# ------------------------------------------------------------------ rules
def refusals_in_words(server, made):
    refused(server, made.context(), 'the client sent no certificate')
    refused(server, made.context(made.late), 'certificate has expired')
    refused(server, made.context(made.strange), 'unable to get local issuer certificate')
    refused(server, made.context(made.client, made.stranger.ca), 'does not know the authority')
    old = made.context(made.client)
    with server.with_setting('tls-protocols', 'TLSv1.3'):
        old.maximum_version = ssl.TLSVersion.TLSv1_2
        refused(server, old, 'protocol version')
    with server.with_setting('tls-protocols', 'TLSv1.2'):
        with server.with_setting('tls-ciphers', 'ECDHE-ECDSA-AES256-GCM-SHA384'):
            other = made.context(made.client)
            other.set_ciphers('ECDHE-ECDSA-AES128-GCM-SHA256')
            refused(server, other, 'no cipher in common')
            with server.secure(made.context(made.client)) as client:
                expect(client.socket.version(), 'TLSv1.2')
                expect(client.socket.cipher()[0], 'ECDHE-ECDSA-AES256-GCM-SHA384')
    for first, words in ((b'GET / HTTP/1.1\r\n\r\n', 'an HTTP request came'),
                         (b'*1\r\n$4\r\nPING\r\n', 'a plain request came')):
        before = len(server.said())

        def named():  # again and again: only so many failures are logged in a second
            with socket.create_connection(('127.0.0.1', server.tls_port), 20) as raw:
                raw.sendall(first)
                while raw.recv(100):
                    pass
            return words in server.said()[before:]

        until(named, words)


def sessions_are_resumed_if_allowed(server, made):
    def resumed():
        context = made.context(made.client)
        context.maximum_version = ssl.TLSVersion.TLSv1_2
        with server.secure(context) as first:
            first('PING')
            session = first.socket.session
        with server.secure(context, session=session) as second:
            expect(second('PING'), 'PONG')
            return second.socket.session_reused
    expect(resumed(), True)
    with server.with_setting('tls-session-caching', 'no'):
        expect(resumed(), False)
    expect(resumed(), True)


def wrong_settings_change_nothing(server, made):
    with server.client() as admin:
        for words, *change in (
                ('/nowhere', 'tls-cert-file', '/nowhere.pem'),
                ('mismatch', 'tls-key-file', made.client[1]),
                ('/nowhere', 'tls-ca-cert-file', '/nowhere.pem'),
                ('/nowhere', 'tls-ca-cert-dir', '/nowhere'),
                ('tls-auth-clients-user', 'tls-auth-clients', 'no', 'tls-auth-clients-user', 'CN'),
                ('mismatch', 'tls-cert-file', made.server2[0]),
                ('tls-ciphers', 'tls-ciphers', 'NONSENSE'),
                ('tls-protocols', 'tls-protocols', 'SSLv2'),
                ('not implemented', 'tls-replication', 'yes'),
                ('belong together', 'tls-client-cert-file', made.client[0])):
            before = admin('CONFIG', 'GET', 'tls-*')
            said = str(admin('CONFIG', 'SET', *change))
            expect_true(said.startswith('ERR CONFIG SET failed') and words in said, said)
            expect(admin('CONFIG', 'GET', 'tls-*'), before)
            with server.secure(made.context(made.client)) as client:
                expect(client('PING'), 'PONG')


def presented(server, made):
    with server.secure(made.context(made.client)) as client:
        return dict(pair[0] for pair in client.socket.getpeercert()['subject'])['commonName']


def certificates_are_reloaded_under_load(server, made):
    here = made.folder / 'here.pem', made.folder / 'here.key'
    for source, target in zip(made.server, here):
        shutil.copy(source, target)
    stop, failures, done = threading.Event(), [], [0] * 4

    def load(who):
        try:
            with server.secure(made.context(made.client)) as client:
                while not stop.is_set():
                    expect(client('SET', f'load{who}', done[who]), 'OK')
                    done[who] += 1
        except (OSError, Failed) as failure:
            failures.append(failure)

    with server.client() as admin:
        expect(admin('CONFIG', 'SET', 'tls-cert-file', str(here[0]), 'tls-key-file',
                     str(here[1])), 'OK')
        threads = [threading.Thread(target=load, args=(who,)) for who in range(4)]
        for thread in threads:
            thread.start()
        until(lambda: min(done) > 0, 'the load')
        expect(presented(server, made), 'server')
        for round_ in range(10):
            # New contents under the same names: a renewed certificate.
            for source, target in zip(made.server2 if round_ % 2 == 0 else made.server, here):
                shutil.copy(source, target)
            expect(admin('CONFIG', 'SET', 'tls-cert-file', str(here[0]), 'tls-key-file',
                         str(here[1])), 'OK')
            expect(presented(server, made), 'server2' if round_ % 2 == 0 else 'server')
        here[0].write_text('no certificate')
        expect_true(str(admin('CONFIG', 'SET', 'tls-cert-file', str(here[0]))).startswith('ERR'),
                    'a bad certificate was taken')
        expect(presented(server, made), 'server')
        so_far = list(done)
        until(lambda: all(now > then for now, then in zip(done, so_far)) or failures, 'the load')
        stop.set()
        for thread in threads:
            thread.join(20)
        expect(failures, [])
        expect(admin('CONFIG', 'SET', 'tls-cert-file', made.server[0], 'tls-key-file',
                     made.server[1]), 'OK')


# ------------------------------------------------------------------ attacks
def recorded_hello(made):
    """The first message of a client, as bytes."""
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    client = made.context(made.client).wrap_bio(incoming, outgoing, server_hostname='127.0.0.1')
    try:
        client.do_handshake()
    except ssl.SSLWantReadError:
        pass
    return outgoing.read()


def garbage_and_truncated_handshakes(server, made):
    dice = random.Random(7)
    hello = recorded_hello(made)
    for number in range(400):
        data = bytearray(hello)
        if number % 4 == 0:
            data = bytearray(dice.randbytes(dice.randrange(1, 3000)))
        elif number % 4 == 1:
            data = data[:dice.randrange(1, len(data))]
        else:
            for _ in range(dice.randrange(1, 8)):
                data[dice.randrange(len(data))] = dice.randrange(256)
        with socket.create_connection(('127.0.0.1', server.tls_port), 20) as raw:
            raw.sendall(bytes(data))
            if number % 3 == 0:
                raw.shutdown(socket.SHUT_WR)
            raw.setblocking(False)
            with contextlib.suppress(OSError):
                raw.recv(10_000)
    with server.secure(made.context(made.client)) as client:
        expect(client('PING'), 'PONG')


def a_flood_of_half_open_connections(server, made):
    with server.client() as admin:
        workers = int(admin('CONFIG', 'GET', 'workers')[1]) or os.cpu_count()
        bound = workers * HANDSHAKES_MAX
        hello = recorded_hello(made)
        silent = []
        try:
            for number in range(bound + 300):
                silent.append(socket.create_connection(('127.0.0.1', server.tls_port), 20))
                if number % 2 == 0:  # half of them cost a signature and then say nothing more
                    silent[-1].sendall(hello)
            with server.secure(made.context(made.client)) as client:
                expect(client('PING'), 'PONG')
            expect(admin('PING'), 'PONG')

            def closed():
                count = 0
                for one in silent:
                    one.setblocking(False)
                    try:
                        while True:
                            if one.recv(10_000) == b'':
                                count += 1
                                break
                    except BlockingIOError:
                        pass
                    except OSError:
                        count += 1
                return count

            until(lambda: closed() >= 200, 'the oldest to be closed')
            until(lambda: b'connected_clients:1\r\n' in admin('INFO', 'clients'), 'the live one to be gone')
        finally:
            for one in silent:
                one.close()
        failures = server.said().count('Error accepting')
        expect_true(failures < 1000, f'{failures} lines in the log')


def connections_that_end_in_the_middle(server, made):
    """Many handshakes whose clients vanish at some moment, some while the server computes."""
    dice = random.Random(11)
    context = made.context(made.client)
    for _ in range(150):
        raw = socket.create_connection(('127.0.0.1', server.tls_port), 20)
        incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        client = context.wrap_bio(incoming, outgoing, server_hostname='127.0.0.1')
        done = False
        for _ in range(dice.randrange(1, 4)):
            try:
                client.do_handshake()
                done = True
            except ssl.SSLWantReadError:
                pass
            raw.sendall(outgoing.read())
            if done or dice.random() < 0.5:  # after the last step the server may have nothing to say
                break
            incoming.write(raw.recv(20_000))
        if dice.random() < 0.5:
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b'\1\0\0\0\0\0\0\0')
        raw.close()
    with server.secure(context) as client:
        expect(client('PING'), 'PONG')


def certificates_name_users(server, made):
    with server.with_setting('tls-auth-clients-user', 'CN'), \
            server.with_setting('tls-auth-clients', 'optional'), server.client() as admin:
        who = (lambda: server.secure(made.context(made.client)))
        with who() as client:  # no such user
            expect(client('ACL', 'WHOAMI'), b'default')
        expect(admin('ACL', 'SETUSER', 'ann', 'on', '>secret', '+acl|whoami', '+get', '~a'), 'OK')
        with who() as client:
            expect(client('ACL', 'WHOAMI'), b'ann')
            expect(client('GET', 'a'), None)
            expect(str(client('GET', 'b')), 'NOPERM No permissions to access a key')
            expect(admin('ACL', 'DELUSER', 'ann'), 1)
            expect_true(client.closed(), 'its user is gone')
        expect(admin('ACL', 'SETUSER', 'ann', 'off', '+@all'), 'OK')
        with who() as client:
            expect(client('ACL', 'WHOAMI'), b'default')
        expect(admin('ACL', 'SETUSER', 'ann', 'on'), 'OK')
        with server.secure(made.context()) as client:  # without a certificate
            expect(client('ACL', 'WHOAMI'), b'default')
        expect(admin('ACL', 'DELUSER', 'ann'), 1)
    with server.secure(made.context(made.client)) as client:
        expect(client('ACL', 'WHOAMI'), b'default')


CHECKS = (redis_cli, redis_benchmark, client_library, values_of_all_sizes_and_pipelines,
          one_byte_at_a_time, ends_with_and_without_goodbye, clients_are_listed_and_killed,
          refusals_in_words, sessions_are_resumed_if_allowed, wrong_settings_change_nothing,
          certificates_are_reloaded_under_load, garbage_and_truncated_handshakes,
          connections_that_end_in_the_middle, certificates_name_users,
          a_flood_of_half_open_connections)
