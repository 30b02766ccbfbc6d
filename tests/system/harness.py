"""What the checks of tests/system share: a server, a plain RESP client, a count."""
import pathlib
import shutil
import socket
import subprocess
import tempfile
import time
import traceback

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


class Failed(Exception):
    """A check that did not hold."""


def expect(got, wanted, what=''):
    if got != wanted:
        raise Failed(f'{what + ": " if what else ""}got {got!r}, expected {wanted!r}')


def expect_true(condition, what):
    if not condition:
        raise Failed(what)


class Report:
    def __init__(self):
        self.passed = self.failed = 0

    def good(self, name):
        self.passed += 1
        print(f'  ok    {name}', flush=True)

    def bad(self, name, why):
        self.failed += 1
        print(f'  FAIL  {name}: {why}', flush=True)

    def skip(self, name, why):
        print(f'  SKIP  {name}: {why}', flush=True)

    def check(self, name, function, *arguments):
        try:
            function(*arguments)
        except Failed as failure:
            self.bad(name, failure)
        except Exception as error:  # a broken connection, a timeout, a client library's complaint
            where = traceback.extract_tb(error.__traceback__)[-1]
            self.bad(name, f'{type(error).__name__}: {error} ({where.filename}:{where.lineno})')
        else:
            self.good(name)


def serves(port, login=(), seconds=10):
    """Whether a server answers there, and not only that it is still loading. (Without a login that it
    asks for it would not say so.)"""
    try:
        with Client(port, seconds) as client:
            if login:
                client(*login)
            return client('PING') == 'PONG'
    except (OSError, Failed):
        return False


def forget_log_buffer(directory):
    """Removes what a killed server left for the next one in its directory."""
    manifest = pathlib.Path(directory) / 'slotcar.manifest'
    if not manifest.exists():
        return
    for line in manifest.read_text(errors='replace').splitlines():
        if line.startswith('life '):
            pathlib.Path('/dev/shm', 'slotcar-log-' + line.split()[1]).unlink(missing_ok=True)


_kept_ports = []


def free_port():
    """A port for servers of this process alone, until it ends: otherwise another test process may be
    given it while the server restarts, and a client would talk to the wrong one. The socket stays bound and
    never listens, so a server, which sets SO_REUSEADDR as this one does after it was bound, can listen there."""
    s = socket.socket()
    s.bind(('127.0.0.1', 0))
    s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    _kept_ports.append(s)
    return s.getsockname()[1]


class Server:
    """A server process on a free port, with a folder of its own; ended by its own handle."""

    def __init__(self, binary, *options, login=(), port=None):
        self.binary = binary
        self.dir = tempfile.mkdtemp(prefix='slotcar-system.')
        self.port = port or free_port()
        self.output = pathlib.Path(self.dir) / 'output'
        with open(self.output, 'wb') as output:
            self.process = subprocess.Popen(
                [binary, '--port', str(self.port), '--bind', '127.0.0.1', '--dir', self.dir,
                 *options], stdout=output, stderr=subprocess.STDOUT, cwd=self.dir)
        if '--requirepass' in options and not login:
            login = 'AUTH', options[options.index('--requirepass') + 1]
        until = time.monotonic() + 60
        while not serves(self.port, login):
            if self.process.poll() is not None or time.monotonic() > until:
                text = self.output.read_text(errors='replace')
                self.stop()
                raise SystemExit(f'{binary} did not start:\n{text}')
            time.sleep(0.02)

    def alive(self):
        return self.process.poll() is None

    def client(self):
        return Client(self.port)

    def stop(self):
        if self.alive():
            self.process.terminate()
            try:
                self.process.wait(60)
            except subprocess.TimeoutExpired:
                self.process.kill()
        self.process.wait()
        forget_log_buffer(self.dir)
        shutil.rmtree(self.dir, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


class ErrorReply(str):
    """An error as the server sent it, without the leading minus."""


class Client:
    """One connection. Replies come as Python values; `raw` is for what no client would send."""

    def __init__(self, port, seconds=60):
        self.socket = socket.create_connection(('127.0.0.1', port), seconds)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.file = self.socket.makefile('rb')

    def __call__(self, *words):
        self.raw(encoded(*words))
        return self.reply()

    def raw(self, data):
        self.socket.sendall(data)

    def line(self):
        line = self.file.readline()
        if not line.endswith(b'\r\n'):
            raise Failed(f'the connection ended after {line!r}')
        return line[:-2]

    def closed(self):
        """True if the server closes without another byte."""
        try:
            return self.file.read(1) == b''
        except ConnectionResetError:
            return True

    def reply(self):
        line = self.line()
        kind, text = line[:1], line[1:]
        if kind == b'+':
            return text.decode('latin1')
        if kind == b'-':
            return ErrorReply(text.decode('latin1'))
        if kind in b':(':
            return int(text)
        if kind == b',':
            return float(text)
        if kind == b'_':
            return None
        if kind == b'#':
            return text == b't'
        if kind in b'$=!':
            if text == b'-1':
                return None
            data = self.file.read(int(text) + 2)
            if len(data) != int(text) + 2:
                raise Failed(f'the connection ended after {len(data)} of {int(text)} bytes')
            return data[4:-2] if kind == b'=' else data[:-2]
        if kind in b'*~>':
            return None if text == b'-1' else [self.reply() for _ in range(int(text))]
        if kind in b'%|':
            return {_key(self.reply()): self.reply() for _ in range(int(text))}
        raise Failed(f'not RESP: {line[:80]!r}')

    def close(self):
        self.file.close()
        self.socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def _key(value):
    return tuple(value) if isinstance(value, list) else value


def encoded(*words):
    out = [b'*%d\r\n' % len(words)]
    for word in words:
        data = word if isinstance(word, bytes) else str(word).encode()
        out.append(b'$%d\r\n%s\r\n' % (len(data), data))
    return b''.join(out)
