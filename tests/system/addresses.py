"""CONFIG SET bind while the server runs: from all addresses to one, and back, on the same port; and the modes
of a Unix socket."""
import pathlib
import socket
import subprocess
import tempfile

from harness import Client, ErrorReply, Server, expect, expect_true, free_port


def run(server, report):
    for check in (all_and_back, what_fails_changes_nothing, the_port_is_ours_alone, an_old_port_is_closed,
                  modes_of_a_unix_socket):
        report.check(check.__name__.replace('_', ' '), check, server)


def reached(server, host):
    try:
        with socket.create_connection((host, server.port), 5) as connection:
            connection.sendall(b'PING\r\n')
            return connection.recv(7) == b'+PONG\r\n'
    except ConnectionError:
        return False


def all_and_back(server):
    with Client(server.port) as client:
        expect_true(not reached(server, '127.0.0.2'), 'more than one address at the beginning')
        for _ in range(20):
            expect(client('CONFIG', 'SET', 'bind', '*'), 'OK')
            expect_true(reached(server, '127.0.0.1') and reached(server, '127.0.0.2'), 'all')
            expect(client('CONFIG', 'SET', 'bind', '127.0.0.1'), 'OK')
            expect_true(reached(server, '127.0.0.1'), 'the one')
            expect_true(not reached(server, '127.0.0.2'), '127.0.0.2 is still served')
        # At once, so that what closes may not have closed yet.
        client.raw(b'CONFIG SET bind *\r\nCONFIG SET bind 127.0.0.1\r\n' * 50)
        for _ in range(100):
            expect(client.reply(), 'OK')
        expect_true(not reached(server, '127.0.0.2'), '127.0.0.2 is still served')
        expect_true(reached(server, '127.0.0.1'), 'the one, at the end')


def what_fails_changes_nothing(server):
    with Client(server.port) as client:
        for wrong in ('192.0.2.1', '127.0.0.3 192.0.2.1', '* 192.0.2.1'):
            expect(client('CONFIG', 'SET', 'bind', wrong), ErrorReply(
                "ERR CONFIG SET failed (possibly related to argument 'bind') - "
                'Failed to bind to specified addresses.'))
            expect(client('CONFIG', 'GET', 'bind'), [b'bind', b'127.0.0.1'])
            expect_true(reached(server, '127.0.0.1'), 'the one that was served before')
        expect_true(not reached(server, '127.0.0.3'), 'half of what failed is served')


def the_port_is_ours_alone(server):
    with Client(server.port) as client:
        expect(client('CONFIG', 'SET', 'bind', '*'), 'OK')
        expect(client('CONFIG', 'SET', 'bind', '127.0.0.1'), 'OK')
    second = subprocess.run([server.binary, '--port', str(server.port), '--bind', '127.0.0.1',
                             '--dir', server.dir], capture_output=True, timeout=20)
    expect_true(second.returncode != 0, 'a second server started on the same port')


def modes_of_a_unix_socket(server):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / 's'
        for mode in ('700', '770', '600'):
            with Server(server.binary, '--unixsocket', str(path), '--unixsocketperm', mode) as own:
                expect(oct(path.stat().st_mode & 0o777), oct(int(mode, 8)))
                with socket.socket(socket.AF_UNIX) as connection, own.client() as client:
                    connection.connect(str(path))
                    connection.sendall(b'PING\r\n')
                    expect(connection.recv(7), b'+PONG\r\n')
                    expect(client('CONFIG', 'GET', 'unixsocketperm'), [b'unixsocketperm', mode.encode()])
            expect_true(not path.exists(), 'the socket is still there')
        wrong = subprocess.run([server.binary, '--unixsocket', str(path), '--unixsocketperm', '888', '--port', '0',
                                '--dir', folder], capture_output=True, text=True, timeout=20)
        expect_true(wrong.returncode != 0 and 'unixsocketperm' in wrong.stdout + wrong.stderr, wrong)


def an_old_port_is_closed(server):
    """When CONFIG SET port is answered, the old port refuses: whichever worker listened there."""
    with Server(server.binary, '--workers', '3') as own:
        clients = [own.client() for _ in range(6)]
        try:
            for client in clients:
                expect(client('PING'), 'PONG')  # it has been accepted
            old = own.port
            for i in range(60):
                new = free_port()
                expect(clients[i % 6]('CONFIG', 'SET', 'port', str(new)), 'OK')
                try:
                    socket.create_connection(('127.0.0.1', old), 5).close()
                    expect_true(False, f'port {old} still accepts')
                except ConnectionRefusedError:
                    pass
                with Client(new) as client:
                    expect(client('PING'), 'PONG')
                old = new
        finally:
            for client in clients:
                client.close()
