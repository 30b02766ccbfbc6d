"""MIGRATE: between two servers, to and from redis-server, to a target that answers as the test says. Of slots in motion:
slots_in_motion.py."""
import shutil
import socket
import threading

from cluster import wait_until
from durability import Home
from harness import ErrorReply, Server, encoded, expect, expect_true, free_port

TIMEOUT = 20000
CONNECTING = ErrorReply('IOERR error or timeout connecting to the client')
READING = ErrorReply('IOERR error or timeout reading to target instance')


def run(server, report):
    with Server(server.binary) as other:
        report.check('values of every type', every_type, server, other)
        report.check('options and errors', options_and_errors, server, other)
        report.check('another user, another database', another_user, server)
        report.check('a long value and many keys', much, server, other)
        report.check('the log has the removal', logged, server.binary, other)
    reference = shutil.which('redis-server')
    if reference:
        with Server(reference) as redis:
            report.check('to redis-server and back', every_type, server, redis)
            report.check('from redis-server and back', every_type, redis, server)
    else:
        report.skip('to redis-server and back', 'redis-server is missing')
    for backend in ('epoll', 'uring'):
        with Server(server.binary, '--io-backend', backend) as one:
            report.check(f'{backend}: no target', no_target, one)
            report.check(f'{backend}: a part of the keys', partial, one)
            report.check(f'{backend}: a long value and many keys', much, server, one)
            report.check(f'{backend}: the end of the server', ending, one)
    report.check('writers wait, readers do not', writers_wait, server)
    report.check('a value that changes on the way', changed, server)
    report.check('a target that falls silent', silent, server)
    report.check('a target that closes', closing, server)
    report.check('a part of the keys', partial, server)
    report.check('a kept connection that has ended', kept_connection, server)
    report.check('a client that leaves', leaving_client, server)
    report.check('a target that is killed', killed_target, server)


def to(server, *rest, timeout=TIMEOUT, db=0, key=''):
    return 'MIGRATE', '127.0.0.1', server.port, key, db, timeout, *rest


# ------------------------------------------------------------------ real targets
def fill(client):
    client('SET', 'string', 'hello')
    client('SET', 'number', 12345)
    client('SET', 'long', 'x' * 100000)
    client('SET', 'timed', 'soon', 'PX', 1000000)
    client('RPUSH', 'list', *range(10))
    client('RPUSH', 'long list', *range(3000))
    client('SADD', 'set', 'a', 'b', 'c')
    client('SADD', 'numbers', *range(1000))
    client('HSET', 'hash', 'f', 'v', 'g', 'w')
    client('ZADD', 'zset', 1, 'a', 2.5, 'b')
    client('XADD', 'stream', '1-1', 'f', 'v')
    client('XGROUP', 'CREATE', 'stream', 'group', '0')
    return ['string', 'number', 'long', 'timed', 'list', 'long list', 'set', 'numbers', 'hash', 'zset', 'stream']


def picture(client):
    """Everything that `fill` has made."""
    pairs = client('HGETALL', 'hash')
    return [client('MGET', 'string', 'number', 'long', 'timed'), client('LRANGE', 'list', 0, -1),
            client('LRANGE', 'long list', 0, -1), sorted(client('SMEMBERS', 'set')), sorted(client('SMEMBERS', 'numbers')),
            dict(zip(pairs[::2], pairs[1::2])), client('ZRANGE', 'zset', 0, -1, 'WITHSCORES'),
            client('XRANGE', 'stream', '-', '+')]


def every_type(source, target):
    with source.client() as here, target.client() as there:
        here('FLUSHALL'), there('FLUSHALL')
        keys = fill(here)
        before = picture(here)
        for key in keys:
            expect(here(*to(target, key=key)), 'OK', key)
            expect([here('EXISTS', key), there('EXISTS', key)], [0, 1], key)
        expect(picture(there), before)
        expect_true(900000 < there('PTTL', 'timed') <= 1000000, 'the time to live')
        expect(there('TTL', 'string'), -1)
        expect(there('XINFO', 'GROUPS', 'stream')[0][1], b'group')
        expect(there(*to(source, 'KEYS', *keys)), 'OK')
        expect([there('DBSIZE'), here('DBSIZE')], [0, len(keys)])
        expect(picture(here), before)
        here('FLUSHALL')


def options_and_errors(source, target):
    with source.client() as here, target.client() as there:
        here('FLUSHALL'), there('FLUSHALL')
        expect(here(*to(target, key='missing')), 'NOKEY')
        expect(here(*to(target, 'KEYS', 'missing', 'gone')), 'NOKEY')
        here('SET', 'k', 'new')
        there('SET', 'k', 'old')
        busy = ErrorReply('ERR Target instance replied with error: BUSYKEY Target key name already exists.')
        expect(here(*to(target, key='k')), busy)
        expect([here('GET', 'k'), there('GET', 'k')], [b'new', b'old'])
        expect(here(*to(target, 'COPY', 'REPLACE', key='k')), 'OK')
        expect([here('GET', 'k'), there('GET', 'k')], [b'new', b'new'])
        here('SET', 'k', 'newer')
        expect(here(*to(target, 'REPLACE', key='k')), 'OK')
        expect([here('GET', 'k'), there('GET', 'k')], [None, b'newer'])
        here('SET', 'a', 1), here('SET', 'b', 2), there('SET', 'a', 0)
        expect(here(*to(target, 'KEYS', 'a', 'none', 'b')), busy, 'the first error')
        expect([here('GET', 'a'), here('EXISTS', 'b'), there('MGET', 'a', 'b')], [b'1', 0, [b'0', b'2']])
        expect(here('MIGRATE', '127.0.0.1', free_port(), 'a', 0, TIMEOUT), CONNECTING)
        expect(here('GET', 'a'), b'1')
        alone = 'MIGRATE inside MULTI or a script is not possible'
        here('MULTI'), here(*to(target, key='a'))
        expect_true(alone in here('EXEC')[0], 'MULTI')
        expect_true(alone in here('EVAL', "return redis.call('migrate', '127.0.0.1', ARGV[1], KEYS[1], 0, 1000)", 1, 'a',
                                  target.port), 'a script')
        here('CONFIG', 'SET', 'notify-keyspace-events', 'KEA')
        with source.client() as listener:
            listener('SUBSCRIBE', '__keyspace@0__:a')
            expect(here(*to(target, 'REPLACE', key='a')), 'OK')
            expect(listener.reply()[2], b'del')
        here('CONFIG', 'SET', 'notify-keyspace-events', '')
        here('FLUSHALL'), there('FLUSHALL')


def another_user(source):
    with Server(source.binary, '--requirepass', 'word') as target, source.client() as here, target.client() as there:
        there('AUTH', 'word')
        there('ACL', 'SETUSER', 'ann', 'on', '>secret', '~a*', '+restore', '+select')
        here('MSET', 'a', 1, 'b', 2, 'c', 3)
        said = 'ERR Target instance replied with error: '
        expect_true(here(*to(target, key='a')).startswith(said + 'NOAUTH'), 'no password')
        expect_true(here(*to(target, 'AUTH', 'wrong', key='a')).startswith(said + 'WRONGPASS'), 'a wrong one')
        expect(here(*to(target, 'AUTH2', 'ann', 'secret', key='a', db=3)), 'OK')
        expect_true(here(*to(target, 'AUTH2', 'ann', 'secret', key='b')).startswith(said + 'NOPERM'), 'not its key')
        expect(here(*to(target, 'AUTH', 'word', key='b', db=2)), 'OK')
        expect_true(here(*to(target, 'AUTH', 'word', key='c', db=99)).startswith(said + 'ERR'), 'no such database')
        expect(here('GET', 'c'), b'3')
        expect([there('SELECT', 3), there('GET', 'a'), there('SELECT', 2), there('GET', 'b'), there('SELECT', 0)],
               ['OK', b'1', 'OK', b'2', 'OK'])
        here('SLOWLOG', 'RESET'), here('CONFIG', 'SET', 'slowlog-log-slower-than', 0)
        here(*to(target, 'AUTH2', 'ann', 'secret', key='c', db=1))
        here('CONFIG', 'SET', 'slowlog-log-slower-than', 10000)
        shown = repr(here('SLOWLOG', 'GET', -1))
        expect_true('(redacted)' in shown and 'secret' not in shown, 'SLOWLOG shows no password')
        here('FLUSHALL')


def much(source, target):
    with source.client() as here, target.client() as there:
        keys = [f'many:{i}' for i in range(3000)]
        for first in range(0, 3000, 500):
            here('MSET', *[word for key in keys[first:first + 500] for word in (key, 'y' * 1000)])
        here('SET', 'huge', b'z' * (40 << 20))
        here('SADD', 'big', *range(50000))
        expect(here(*to(target, 'KEYS', *keys, 'huge', 'big')), 'OK')
        expect([here('DBSIZE'), there('DBSIZE'), there('STRLEN', 'huge'), there('SCARD', 'big')],
               [0, 3002, 40 << 20, 50000])
        here('FLUSHALL'), there('FLUSHALL')


def logged(binary, target):
    """After a kill the keys that were moved are gone, and the others are there."""
    with Home(binary, '--appendonly', 'yes', '--appendfsync', 'always') as home, target.client() as there:
        here = home.start()
        here('MSET', 'a', 1, 'b', 2, 'c', 3)
        expect(here(*to(target, 'KEYS', 'a', 'b')), 'OK')
        here.close()
        home.crash()
        with home.start() as again:
            expect(again('EXISTS', 'a', 'b', 'c'), 1)
            expect(again('EXISTS', 'c'), 1)
        there('FLUSHALL')


# ------------------------------------------------------------------ a target that does as the test says
class Target:
    """Takes connections, and answers requests only when the test says so."""

    def __init__(self):
        self.listener = socket.create_server(('127.0.0.1', 0))
        self.listener.settimeout(60)
        self.port = self.listener.getsockname()[1]

    def accept(self):
        self.socket, _ = self.listener.accept()
        self.socket.settimeout(60)
        self.file = self.socket.makefile('rb')

    def request(self):
        count = int(self.file.readline()[1:])
        words = []
        for _ in range(count):
            size = int(self.file.readline()[1:])
            words.append(self.file.read(size + 2)[:-2])
        return words

    def answer(self, *lines):
        self.socket.sendall(b''.join(line.encode() + b'\r\n' for line in lines))

    def hang_up(self):
        self.file.close()
        self.socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.listener.close()


def writers_wait(server):
    with Target() as target, server.client() as mover, server.client() as other, server.client() as third, \
            server.client() as fourth:
        other('MSET', 'k', 1, 'free', 1), other('SET', 'later', 1)
        mover.raw(encoded(*to(target, 'KEYS', 'k', 'later')))
        target.accept()
        expect(target.request(), [b'SELECT', b'0'])
        expect(target.request()[:3], [b'RESTORE', b'k', b'0'])
        target.request()
        # Both values are on their way: they can be read, and nothing changes them.
        expect(other('MGET', 'k', 'later', 'free'), [b'1', b'1', b'1'])
        expect(other('INCR', 'free'), 2)
        third.raw(encoded('INCR', 'k'))
        fourth.raw(encoded('MULTI') + encoded('GET', 'free') + encoded('APPEND', 'later', 'x') + encoded('EXEC'))
        expect([fourth.reply() for _ in range(3)], ['OK', 'QUEUED', 'QUEUED'])
        script = server.client()
        script.raw(encoded('EVAL', "return redis.call('incr', ARGV[1])", 0, 'later'))
        expect(other('MGET', 'k', 'later', 'free'), [b'1', b'1', b'2'])
        target.answer('+OK', '+OK', '-ERR no')
        expect(mover.reply(), ErrorReply('ERR Target instance replied with error: ERR no'))
        expect(third.reply(), 1, 'it was moved, and begins anew')
        expect(fourth.reply()[0], b'2')
        said = script.reply()
        expect_true(said == 2 or 'not an integer' in str(said), f'the script: {said}')
        script.close()
        expect(other('GET', 'k'), b'1')
        target.hang_up()
        other('FLUSHALL')


def changed(server):
    """A blocked client is served while its destination is on its way: the new value follows the old one."""
    with Target() as target, server.client() as mover, server.client() as other, server.client() as blocked:
        other('RPUSH', 'to', 'a')
        blocked.raw(encoded('BLMOVE', 'from', 'to', 'LEFT', 'RIGHT', 0))
        wait_until(lambda: b'blocked_clients:1\r' in other('INFO', 'clients'), 'a blocked client')
        mover.raw(encoded(*to(target, key='to')))
        target.accept()
        target.request()
        first = target.request()
        expect(other('RPUSH', 'from', 'b'), 1)
        expect(blocked.reply(), b'b')
        target.answer('+OK', '+OK')
        again = target.request()
        expect([again[:2], again[4:], again[3] != first[3]], [[b'RESTORE', b'to'], [b'REPLACE'], True])
        target.answer('+OK')
        expect(mover.reply(), 'OK')
        expect(other('EXISTS', 'to'), 0)
        expect(other('RESTORE', 'to', 0, again[3]), 'OK')
        expect(other('LRANGE', 'to', 0, -1), [b'a', b'b'])
        target.hang_up()
        other('FLUSHALL')


def silent(server):
    with Target() as target, server.client() as mover, server.client() as other:
        other('SET', 'k', 1)
        mover.raw(encoded(*to(target, key='k', timeout=300)))
        target.accept()
        target.request(), target.request()
        expect(other('INCR', 'k'), 2, 'it waits for the end of the move at most')
        expect(mover.reply(), READING)
        target.hang_up()
        other('FLUSHALL')


def closing(server):
    with Target() as target, server.client() as mover:
        mover('SET', 'k', 1)
        mover.raw(encoded(*to(target, key='k')))
        target.accept()
        target.request(), target.request()
        target.hang_up()
        expect(mover.reply(), READING)
        expect(mover('GET', 'k'), b'1')
        mover.raw(encoded(*to(target, key='k')))
        target.accept()
        target.request(), target.request()
        target.answer('$5', 'hello')
        expect(mover.reply(), READING, 'what is no answer')
        expect(mover('GET', 'k'), b'1')
        mover('FLUSHALL')


def no_target(server):
    with server.client() as mover:
        mover('SET', 'k', 1)
        for host, port in (('127.0.0.1', free_port()), ('localhost', free_port()), ('127.0.0.1', 'x')):
            expect(mover('MIGRATE', host, port, 'k', 0, TIMEOUT), CONNECTING, f'{host} {port}')
        expect(mover('INCR', 'k'), 2)
        mover('FLUSHALL')


def ending(server):
    """A server that ends does not wait for the target."""
    with Target() as target, server.client() as mover, server.client() as writer:
        mover('SET', 'k', 1)
        mover.raw(encoded(*to(target, key='k', timeout=600000)))
        target.accept()
        target.request(), target.request()
        writer.raw(encoded('INCR', 'k'))
        server.process.terminate()
        expect(mover.reply(), READING)
        expect(server.process.wait(60), 0)
        target.hang_up()


def partial(server):
    """What was confirmed before the connection ended is moved, the rest stays."""
    with Target() as target, server.client() as mover:
        mover('MSET', 'a', 1, 'b', 2, 'c', 3)
        mover.raw(encoded(*to(target, 'KEYS', 'a', 'b', 'c')))
        target.accept()
        for _ in range(4):
            target.request()
        target.answer('+OK', '+OK', '+OK')
        target.hang_up()
        expect(mover.reply(), READING)
        expect(mover('MGET', 'a', 'b', 'c'), [None, None, b'3'])
        mover('FLUSHALL')


def kept_sockets(client):
    text = client('INFO', 'stats').decode()
    return int(text.split('migrate_cached_sockets:')[1].split('\r')[0])


def kept_connection(server):
    with Target() as target, server.client() as mover:
        mover('MSET', 'a', 1, 'b', 2, 'c', 3)
        mover.raw(encoded(*to(target, key='a')))
        target.accept()
        target.request(), target.request()
        target.answer('+OK', '+OK')
        expect(mover.reply(), 'OK')
        expect_true(kept_sockets(mover) >= 1, 'it is kept')
        mover.raw(encoded(*to(target, key='b')))
        expect(target.request()[0], b'RESTORE', 'the same connection, in the same database')
        # It ends before it has answered: the request comes again, on a new one.
        target.hang_up()
        target.accept()
        expect(target.request(), [b'SELECT', b'0'])
        expect(target.request()[:2], [b'RESTORE', b'b'])
        target.answer('+OK', '+OK')
        expect(mover.reply(), 'OK')
        expect(mover('MGET', 'a', 'b', 'c'), [None, None, b'3'])
        target.hang_up()
        mover('FLUSHALL')


def leaving_client(server):
    with Target() as target, server.client() as other:
        other('SET', 'k', 1)
        mover = server.client()
        mover.raw(encoded(*to(target, key='k')))
        target.accept()
        target.request(), target.request()
        mover.close()
        target.answer('+OK', '+OK')
        wait_until(lambda: other('EXISTS', 'k') == 0, 'the removal')
        expect(other('INCR', 'k'), 1, 'nothing holds it any more')
        target.hang_up()
        other('FLUSHALL')


def killed_target(server):
    with server.client() as here:
        for i in range(200):
            here('SET', f'k{i}', 'v' * 20000)
        target = Server(server.binary)
        died = threading.Timer(0.02, target.process.kill)
        died.start()
        said = here(*to(target, 'KEYS', *[f'k{i}' for i in range(200)]))
        died.join()
        target.stop()
        expect_true(said == 'OK' or said.startswith('IOERR'), said)
        if said != 'OK':
            expect_true(here('DBSIZE') > 0, 'what was not confirmed is here')
        expect(here('SET', 'k0', 'x'), 'OK', 'no writer waits any more')
        here('FLUSHALL')
