"""The client of bench/stalls.py that does the slow things. It runs in a process of its own, notes when
(CLOCK_MONOTONIC) what it does is to be measured, and drains replies without looking into them, so that
it leaves the processors to the server and the prober."""
import contextlib
import os
import re
import select
import socket
import time

ANSWERED_WITHIN = 20.0   # seconds; who waits longer for a reply gives up, and the row has failed
WINDOW_MIN = 0.005       # so that some probes fall into each window


class TimedOut(Exception):
    pass


class Refused(Exception):
    """An error reply where none may be."""


class Client:
    def __init__(self, port):
        self.socket = socket.create_connection(('127.0.0.1', port), ANSWERED_WITHIN)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def send(self, data):
        self.socket.settimeout(ANSWERED_WITHIN)
        self.socket.sendall(data)

    def close(self):
        self.socket.close()

    def do(self, payload):
        """Sends it and reads all replies. Returns the first line of the first one."""
        marker = os.urandom(12).hex().encode()
        return self._exchange(payload, b'*2\r\n$4\r\nPING\r\n$24\r\n%s\r\n' % marker,
                              lambda got, count: marker in got)

    def queue(self, payload):
        """Queues these commands in a transaction, whose replies are all of one size."""
        count = len(re.findall(rb'(?:^|\r\n)\*\d+\r\n\$', payload))
        size = 5 + 9 * count
        self._exchange(b'*1\r\n$5\r\nMULTI\r\n' + payload, b'', lambda got, count: count >= size)

    def _exchange(self, payload, more, done):
        """Writes while it reads: neither side may fill the other's buffers and wait."""
        self.socket.setblocking(False)
        until, first, tail, count = time.monotonic() + ANSWERED_WITHIN, b'', b'', 0
        parts = [memoryview(payload), memoryview(more)]
        poll = select.poll()
        while True:
            parts = [part for part in parts if len(part)]
            poll.register(self.socket, select.POLLIN | (select.POLLOUT if parts else 0))
            events = poll.poll(max(0, (until - time.monotonic()) * 1000))
            if not events:
                raise TimedOut()
            if events[0][1] & select.POLLOUT:
                with contextlib.suppress(BlockingIOError):
                    parts[0] = parts[0][self.socket.send(parts[0][:1 << 20]):]
                until = time.monotonic() + ANSWERED_WITHIN
            if events[0][1] & ~select.POLLOUT:
                data = self.socket.recv(1 << 20)
                if not data:
                    raise ConnectionError('the server has closed the connection')
                count += len(data)
                first = first or data[:200]
                if not any(map(len, parts)) and done(tail + data, count):
                    return first.split(b'\r\n')[0]
                tail = data[-64:]


class Load:
    """What a recipe can do. Windows are pairs of nanoseconds."""

    def __init__(self, port, seconds, brief=False):
        self.port, self.seconds, self.brief = port, seconds, brief
        self.windows, self.call_ms, self.replies_ms = [], [], []
        self.client = Client(port)

    def connect(self):
        return Client(self.port)

    def do(self, payload):
        return self._checked(self.client.do(payload), payload)

    def queue(self, payload):
        self.client.queue(payload)

    def measured(self, payload, tail=0.0):
        with self.window(tail):
            first = self.client.do(payload)
        self._checked(first, payload)

    @contextlib.contextmanager
    def window(self, tail=0.0):
        begin = time.monotonic_ns()
        try:
            yield
        finally:
            end = time.monotonic_ns()
            self.call_ms.append((end - begin) / 1e6)
            until = max(end + int(tail * 1e9), begin + int(WINDOW_MIN * 1e9))
            time.sleep((until - end) / 1e9)
            self.windows.append((begin, until))

    def watched(self, seconds):
        with self.window():
            time.sleep(seconds)

    def pause(self, seconds):
        time.sleep(seconds)

    def ask(self, payload):
        """One reply, as Python values. Only for what is asked in between."""
        self.client.socket.settimeout(ANSWERED_WITHIN)
        self.client.socket.sendall(payload)
        with self.client.socket.makefile('rb') as file:
            return _reply(file)

    def server_ms(self):
        seconds, micros = self.ask(b'*1\r\n$4\r\nTIME\r\n')
        return int(seconds) * 1000 + int(micros) // 1000

    def wait_until_ms(self, when):
        time.sleep(max(0, (when - self.server_ms()) / 1000))

    def wait_for_info(self, section, field, value, at_most=20):
        until = time.monotonic() + at_most
        while time.monotonic() < until:
            info = self.ask(b'*2\r\n$4\r\nINFO\r\n$%d\r\n%s\r\n' % (len(section), section.encode()))
            if f'{field}:{value}\r\n'.encode() in info:
                return
            time.sleep(0.02)

    def first_reply(self, client, what):
        """How long the first byte takes to come, in milliseconds."""
        began = time.monotonic()
        client.socket.settimeout(ANSWERED_WITHIN)
        client.socket.recv(1)
        self.replies_ms.append(((time.monotonic() - began) * 1000, what))

    def _checked(self, first, payload):
        if first.startswith(b'-'):
            raise Refused(f'{first.decode(errors="replace")} to {payload[:80]!r}')
        return first

    def play(self, row, call, prepare):
        """The row again and again, until there is enough to look at."""
        began = time.monotonic()
        while True:
            if row.play:
                row.play(self)
            else:
                if prepare:
                    self.client.do(prepare)
                self.measured(call, row.tail)
            seen = sum(end - begin for begin, end in self.windows) / 1e9
            if self.brief or seen >= self.seconds or time.monotonic() - began > 3 * self.seconds:
                return


def _reply(file):
    line = file.readline()
    kind, text = line[:1], line[1:-2]
    if not line:
        raise ConnectionError('the server has closed the connection')
    if kind == b'-':
        raise Refused(text.decode(errors='replace'))
    if kind == b'$':
        return None if text == b'-1' else file.read(int(text) + 2)[:-2]
    if kind == b'*':
        return [_reply(file) for _ in range(int(text))]
    return int(text) if kind == b':' else text


def run(pipe, row, call, prepare, port, seconds, brief):
    """The whole life of the process."""
    os.nice(5)
    load = Load(port, seconds, brief)
    answer = {'failed': None}
    try:
        load.play(row, call, prepare)
    except TimedOut:
        answer['failed'] = f'no reply within {ANSWERED_WITHIN:.0f} s'
        answer['hangs'] = True
    except Refused as error:
        answer['failed'] = str(error)
    except OSError as error:
        answer['failed'] = f'{type(error).__name__}: {error}'
        answer['hangs'] = True
    answer.update(windows=load.windows, call_ms=load.call_ms, replies_ms=load.replies_ms)
    pipe.send(answer)
    pipe.close()
    os._exit(0)
