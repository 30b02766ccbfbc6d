"""What no well-behaved client sends. Each gets Redis's error, and the server survives."""
import socket

from harness import ErrorReply, Failed, Server, encoded, expect, expect_true


def run(server, report):
    for name, data, text in REFUSED:
        report.check(f'refused: {name}', refused, server, data, text)
    for check in (cut_off, inline, empty_requests, drip, deep_pipeline, big_value, http, echo_of_crlf,
                  long_name, half_closed, own_message, quit_after_pipeline, many_connections, bad_then_good,
                  killed_and_gone, killed_without_reading, killed_listener):
        report.check(check.__name__.replace('_', ' '), check, server)
    with Server(server.binary, '--requirepass', 'secret') as guarded:
        report.check('before AUTH: many arguments', refused, guarded, b'*100\r\n',
                     'unauthenticated multibulk length')
        report.check('before AUTH: long argument', refused, guarded, b'*1\r\n$200000\r\n',
                     'unauthenticated bulk length')
        report.check('before AUTH: commands', before_auth, guarded)
        report.check('before AUTH: replies that are not read', unread_before_auth, guarded)
    for options in (('--appendonly', 'no'), ('--appendfsync', 'always'),
                    ('--appendfsync', 'everysec'), ('--io-backend', 'epoll')):
        with Server(server.binary, '--enable-debug-command', 'local', *options) as other:
            report.check(f'half closed, {" ".join(options)}', half_closed_in_work, other)
    with Server(server.binary) as bounded:
        report.check('no more connections are evicted than must be', half_evicted, bounded)


# What is sent, and how the protocol error ends. The connection is closed after it.
REFUSED = [
    ('negative bulk length', b'*3\r\n$3\r\nSET\r\n$1\r\nx\r\n$-10\r\n', 'invalid bulk length'),
    ('bulk length too large', b'*3\r\n$3\r\nSET\r\n$1\r\nx\r\n$2000000000\r\n',
     'invalid bulk length'),
    ('bulk length not a number', b'*3\r\n$3\r\nSET\r\n$1\r\nx\r\n$blabla\r\n',
     'invalid bulk length'),
    ('count too large', b'*3000000000\r\n', 'invalid multibulk length'),
    ('count not a number', b'*foo\r\n', 'invalid multibulk length'),
    ('no bulk where one must be', b'*3\r\n$3\r\nSET\r\n$1\r\nx\r\nfooz\r\n',
     "expected '$', got 'f'"),
    ('quotes left open', b'set """test-key""" test-value\r\n', 'unbalanced quotes in request'),
    ('inline without an end', b'x' * 70000, 'too big inline request'),
    ('count without an end', b'*' + b'1' * 70000, 'too big mbulk count string'),
    ('length without an end', b'*1\r\n$' + b'1' * 70000, 'too big bulk count string'),
]


def refused(server, data, text):
    with server.client() as client:
        client.raw(data)
        expect(client.reply(), ErrorReply('ERR Protocol error: ' + text))
        expect_true(client.closed(), 'the connection stays open')


def cut_off(server):
    for data in (b'*', b'*3\r\n', b'*3\r\n$3\r\nSET\r\n$1', b'*2\r\n$3\r\nGET\r\n$5\r\nab', b'SET a'):
        with server.client() as client:
            client.raw(data)
    with server.client() as client:
        expect(client('PING'), 'PONG')


def inline(server):
    with server.client() as client:
        client.raw(b'set inline "a b\\x41"\r\nGET \'inline\'\nPING\r\n')
        expect([client.reply() for _ in range(3)], ['OK', b'a bA', 'PONG'])


def empty_requests(server):
    with server.client() as client:
        client.raw(b'\r\n\r\n*0\r\n*-10\r\n  \r\nPING\r\n')
        expect(client.reply(), 'PONG')


def drip(server):
    with server.client() as client:
        for byte in encoded('SET', 'drip', 'slow') + encoded('GET', 'drip'):
            client.raw(bytes([byte]))
        expect([client.reply(), client.reply()], ['OK', b'slow'])


def deep_pipeline(server):
    with server.client() as client:
        count = 20000
        client.raw(b''.join(encoded('ECHO', i) for i in range(count)))
        for i in range(count):
            expect(client.reply(), b'%d' % i, 'order')


def big_value(server):
    data = bytes(range(256)) * (16 * 4096)  # 16 MiB
    with server.client() as client:
        expect(client('SET', 'big', data), 'OK')
        expect(client('GET', 'big') == data, True, 'the same bytes')
        expect(client('APPEND', 'big', 'x'), len(data) + 1)
        expect(client('DEL', 'big'), 1)


def killed_and_gone(server):
    """On whichever worker it is: no client sees it any more."""
    with server.client() as client:
        for _ in range(50):
            with server.client() as victim:
                who = str(victim('CLIENT', 'ID'))
                expect(client('CLIENT', 'KILL', 'ID', who), 1)
                expect(client('CLIENT', 'LIST', 'ID', who), b'')


def killed_without_reading(server):
    """What a killed client has not read is dropped; only the kernel's buffers still reach it."""
    with server.client() as client, server.client() as victim:
        client('SET', 'long', 'x' * 1_000_000)
        who = victim('CLIENT', 'ID')
        victim.raw(encoded('GET', 'long') * 60 + encoded('SET', 'long:read', '1'))
        while client('EXISTS', 'long:read') == 0:
            pass
        expect(client('CLIENT', 'KILL', 'ID', who), 1)
        got = 0
        while data := victim.socket.recv(1 << 20):
            got += len(data)
        expect_true(got < 40_000_000, f'{got} bytes after CLIENT KILL')


def killed_listener(server):
    """A message that is published after CLIENT KILL was answered does not reach it."""
    with server.client() as client:
        for _ in range(100):
            with server.client() as victim:
                who = victim('CLIENT', 'ID')
                victim('SUBSCRIBE', 'killed')
                client.raw(encoded('CLIENT', 'KILL', 'ID', who) + encoded('PUBLISH', 'killed', 'm'))
                expect(client.reply(), 1)
                client.reply()
                expect(victim.socket.recv(1000), b'')


def half_evicted(server):
    """Ten of equal size, over all workers, and room for five."""
    size = 1 << 20
    with server.client() as control:
        def lines():
            return [line for line in control('CLIENT', 'LIST').decode().splitlines()
                    if int(line.split(' tot-mem=')[1].split()[0]) >= size]
        control('CLIENT', 'NO-EVICT', 'on')
        for _ in range(10):
            clients = [server.client() for _ in range(10)]
            for client in clients:
                client.raw(b'*2\r\n$%d\r\n' % size + b'x' * size)
            while len(lines()) < len(clients):
                pass
            each = max(int(line.split(' tot-mem=')[1].split()[0]) for line in lines())
            control('CONFIG', 'SET', 'maxmemory-clients', str(5 * each + size // 2))
            expect(len(lines()), 5)
            control('CONFIG', 'SET', 'maxmemory-clients', '0')
            for client in clients:
                client.close()
            while lines():
                pass


def http(server):
    for start in (b'POST / HTTP/1.1\r\n', b'GET / HTTP/1.1\r\n'):
        with server.client() as client:
            client.raw(start + b'Host: example\r\n\r\nSET pwned 1\r\n')
            client.file.read()  # whatever it says, it closes
    with server.client() as client:
        expect(client('EXISTS', 'pwned'), 0, 'a request hidden in HTTP ran')


def echo_of_crlf(server):
    with server.client() as client:
        got = client('no\r\n+OK\r\nsuch', 'a\r\n$1\r\nb')
        expect_true(isinstance(got, ErrorReply) and '\n' not in got, repr(got))
        expect(client('PING'), 'PONG', 'the reply after it')


def long_name(server):
    with server.client() as client:
        got = client('x' * 1000000, 'y' * 1000000)
        expect_true(isinstance(got, ErrorReply) and len(got) < 1000, 'the error repeats it all')


def half_closed(server):
    with server.client() as client:
        client.raw(encoded('PING'))
        client.socket.shutdown(1)
        expect(client.reply(), 'PONG')
        expect_true(client.closed(), 'the connection stays open')


def half_closed_in_work(server):
    """`printf ... | nc -N`: what was asked for before the end is answered, however long it takes."""
    with server.client() as client:
        for begin in range(0, 100_000, 10_000):
            client('RPUSH', 'l', *range(begin, begin + 10_000))
    for commands, replies in ((['SET', 'a', '1'],), ['OK']), \
            ((['SORT', 'l', 'LIMIT', '0', '1', 'DESC'], ['PING']), [[b'99999'], 'PONG']), \
            ((['KEYS', 'nosuch*'],), [[]]), \
            ((['DEBUG', 'SLEEP', '0.05'], ['INCR', 'n']), ['OK', None]), \
            ((['MULTI'], ['SET', 'a', '2'], ['EXEC']), ['OK', 'QUEUED', ['OK']]), \
            ((['LRANGE', 'l', '0', '-1'],), [[b'%d' % i for i in range(100_000)]]):
        for _ in range(5):
            with server.client() as client:
                client.raw(b''.join(encoded(*command) for command in commands))
                client.socket.shutdown(1)
                for expected in replies:
                    got = client.reply()
                    expect_true(expected is None or got == expected, f'{commands}: {got!r:.80}')
                expect_true(client.closed(), f'{commands}: the connection stays open')
    # One that waits for keys is given up, as Redis does.
    with server.client() as client, server.client() as other:
        client.raw(encoded('SET', 'a', '3') + encoded('BLPOP', 'nolist', '0'))
        client.socket.shutdown(1)
        expect(client.reply(), 'OK')
        expect_true(client.closed(), 'BLPOP keeps the connection open')
        other('RPUSH', 'nolist', 'x')
        expect(other('LLEN', 'nolist'), 1, 'the element went to a client that was gone')


def own_message(server):
    with server.client() as client:
        client('HELLO', '3')
        client.raw(encoded('SUBSCRIBE', 'own') + encoded('PUBLISH', 'own', 'm') +
                   encoded('UNSUBSCRIBE', 'own'))
        replies = [client.reply() for _ in range(4)]
        expect_true([b'message', b'own', b'm'] in replies, f'the message is lost: {replies}')


def quit_after_pipeline(server):
    with server.client() as client:
        client.raw(encoded('SET', 'q', '1') + encoded('QUIT') + encoded('SET', 'q', '2'))
        expect([client.reply(), client.reply()], ['OK', 'OK'])
        expect_true(client.closed(), 'the connection stays open')
    with server.client() as client:
        expect(client('GET', 'q'), b'1', 'what follows QUIT does not run')


def many_connections(server):
    clients = [server.client() for _ in range(300)]
    for number, client in enumerate(clients):
        client.raw(encoded('SET', f'many{number}', number))
    for client in clients:
        expect(client.reply(), 'OK')
        client.close()


def bad_then_good(server):
    """Good requests before the bad one are answered; it and what follows are not run."""
    with server.client() as client:
        client.raw(encoded('SET', 'before', '1') + b'*1\r\nx\r\n' + encoded('SET', 'behind', '1'))
        expect(client.reply(), 'OK')
        expect_true(str(client.reply()).startswith('ERR Protocol error'), 'no protocol error')
        expect_true(client.closed(), 'the connection stays open')
    with server.client() as client:
        expect(client('EXISTS', 'behind'), 0)


def before_auth(guarded):
    with guarded.client() as client:
        expect(client('GET', 'x'), ErrorReply('NOAUTH Authentication required.'))
        expect_true(str(client('AUTH', 'wrong')).startswith('WRONGPASS'), 'a wrong password')
        expect(client('AUTH', 'secret'), 'OK')
        expect(client('GET', 'x'), None)


def unread_before_auth(guarded):
    """Who has not logged in and does not read its replies is closed when they are more than a few."""
    with socket.socket() as silent:
        silent.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        silent.settimeout(60)
        silent.connect(('127.0.0.1', guarded.port))
        try:
            for _ in range(1000):  # 33 MB of replies: more than the kernel keeps
                silent.sendall(b'GET x\r\n' * 1000)
        except ConnectionError:
            pass
        else:
            raise Failed('it is still connected')
    with guarded.client() as client:
        expect(client('AUTH', 'secret'), 'OK')
        expect(client('PING'), 'PONG')
