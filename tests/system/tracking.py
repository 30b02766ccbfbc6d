"""CLIENT TRACKING where a transcript cannot go: ids of other connections, numbers, bounds."""
import time

from harness import expect, expect_true

CHANNEL = b'__redis__:invalidate'


def run(server, report):
    report.check('tracking: redirected to a RESP2 subscriber', redirected, server)
    report.check('tracking: redirected to a RESP3 connection', redirected_resp3, server)
    report.check('tracking: a flush is told to the redirected, too', redirected_flush, server)
    report.check('tracking: a redirection that breaks', broken, server)
    report.check('tracking: RESP2 without a redirection is told nothing', unheard, server)
    report.check('tracking: INFO and CLIENT LIST', numbers, server)
    report.check('tracking: the table stays within its bound', bounded, server)
    report.check('tracking: an evicted key', evicted, server)
    report.check('tracking: two readers of two workers', two_readers, server)
    report.check('tracking: a slow read and a change meanwhile', slow_read, server)


def subscriber(server):
    client = server.client()
    number = client('CLIENT', 'ID')
    expect(client('SUBSCRIBE', CHANNEL), [b'subscribe', CHANNEL, 1])
    return client, number


def info(client, field):
    for line in client('INFO', 'everything').decode().split('\r\n'):
        if line.startswith(field + ':'):
            return int(line.split(':', 1)[1])
    raise RuntimeError(f'INFO has no {field}')


def redirected(server):
    told, number = subscriber(server)
    with server.client() as reader, server.client() as writer:
        expect(reader('CLIENT', 'TRACKING', 'ON', 'REDIRECT', number), 'OK')
        expect(reader('CLIENT', 'GETREDIR'), number)
        expect_true(b'redir=%d ' % number in reader('CLIENT', 'INFO'), 'CLIENT INFO has no redir')
        reader('MGET', 'r1', 'r2')
        writer('SET', 'r1', 1)
        expect(told.reply(), [b'message', CHANNEL, [b'r1']])
        writer('SET', 'r1', 2)
        writer('SET', 'r2', 2)
        expect(told.reply(), [b'message', CHANNEL, [b'r2']])
        expect(reader('CLIENT', 'TRACKING', 'ON', 'REDIRECT', number, 'REDIRECT', number),
               'ERR A client can only redirect to a single other client')
        reader('CLIENT', 'TRACKING', 'OFF')
        expect(reader('CLIENT', 'TRACKING', 'ON', 'BCAST', 'REDIRECT', number, 'PREFIX', 'p:'), 'OK')
        writer('MSET', 'p:1', 1, 'q', 1, 'p:2', 1)
        expect(told.reply(), [b'message', CHANNEL, [b'p:1', b'p:2']])
    told.close()


def redirected_resp3(server):
    with server.client() as told, server.client() as reader, server.client() as writer:
        told('HELLO', '3')
        reader('CLIENT', 'TRACKING', 'ON', 'REDIRECT', told('CLIENT', 'ID'))
        reader('GET', 'x3')
        writer('SET', 'x3', 1)
        expect(told.reply(), [b'invalidate', [b'x3']])


def redirected_flush(server):
    told, number = subscriber(server)
    with server.client() as reader, server.client() as writer:
        reader('CLIENT', 'TRACKING', 'ON', 'REDIRECT', number)
        reader('GET', 'f')
        writer('FLUSHALL')
        expect(told.reply(), [b'message', CHANNEL, None])
    told.close()


def broken(server):
    told, number = subscriber(server)
    with server.client() as reader, server.client() as writer:
        reader('HELLO', '3')
        reader('CLIENT', 'TRACKING', 'ON', 'REDIRECT', number)
        reader('GET', 'b')
        told.close()
        while writer('CLIENT', 'LIST', 'ID', number):
            time.sleep(0.01)
        writer('SET', 'b', 1)
        expect(reader.reply(), [b'tracking-redir-broken', number])
        expect(reader('CLIENT', 'TRACKINGINFO')[b'flags'], [b'on', b'broken_redirect'])
        expect_true(b'flags=tR ' in reader('CLIENT', 'INFO'), 'no R among the flags')
        reader('CLIENT', 'TRACKING', 'OFF')
        expect(reader('CLIENT', 'TRACKINGINFO')[b'flags'], [b'off'])


def unheard(server):
    with server.client() as reader, server.client() as writer:
        reader('CLIENT', 'TRACKING', 'ON')
        reader('GET', 'u')
        writer('SET', 'u', 1)
        expect(reader('PING'), 'PONG')


def numbers(server):
    with server.client() as admin:
        admin('FLUSHALL')
        until = time.monotonic() + 10
        while info(admin, 'tracking_clients') and time.monotonic() < until:
            time.sleep(0.01)  # connections of the checks before are on their way out
        expect(info(admin, 'tracking_total_keys'), 0)
        with server.client() as one, server.client() as two, server.client() as three:
            one('CLIENT', 'TRACKING', 'ON')
            two('CLIENT', 'TRACKING', 'ON')
            three('CLIENT', 'TRACKING', 'ON', 'BCAST', 'PREFIX', 'a', 'PREFIX', 'b')
            one('MGET', 'k1', 'k2')
            two('GET', 'k1')
            expect(info(admin, 'tracking_clients'), 3)
            expect(info(admin, 'tracking_total_keys'), 2)
            expect(info(admin, 'tracking_total_items'), 3)
            expect(info(admin, 'tracking_total_prefixes'), 2)
            expect_true(b'flags=t ' in one('CLIENT', 'INFO'), 'no t among the flags')
            expect_true(b'flags=tB ' in three('CLIENT', 'INFO'), 'no B among the flags')
        while info(admin, 'tracking_clients'):
            time.sleep(0.01)
        expect(info(admin, 'tracking_total_prefixes'), 0)
        admin('MSET', 'k1', 1, 'k2', 1)
        expect(info(admin, 'tracking_total_items'), 0)


def bounded(server):
    count = 200
    with server.client() as reader, server.client() as admin:
        reader('HELLO', '3')
        reader('CLIENT', 'TRACKING', 'ON')
        for i in range(count):
            reader('GET', f'many:{i}')
        admin('CONFIG', 'SET', 'tracking-table-max-keys', 5)
        for _ in range(count - 5):
            expect(reader.reply()[0], b'invalidate')
        expect(info(admin, 'tracking_total_keys'), 5)
        admin('CONFIG', 'SET', 'tracking-table-max-keys', 1000000)


def evicted(server):
    with server.client() as reader, server.client() as admin:
        admin('FLUSHALL')
        reader('HELLO', '3')
        reader('CLIENT', 'TRACKING', 'ON')
        for i in range(100):
            admin('SET', f'e:{i}', 'x' * 1000)
            reader('GET', f'e:{i}')
        admin('CONFIG', 'SET', 'maxmemory-policy', 'allkeys-random')
        admin('CONFIG', 'SET', 'maxmemory', 50000)
        admin('SET', 'more', 'x')
        expect(reader.reply()[0], b'invalidate')
        admin('CONFIG', 'SET', 'maxmemory', 0)


def two_readers(server):
    readers = [server.client() for _ in range(6)]
    with server.client() as writer:
        for reader in readers:
            reader('HELLO', '3')
            reader('CLIENT', 'TRACKING', 'ON')
            reader('GET', 'shared')
        writer('SET', 'shared', 1)
        for reader in readers:
            # After the writer's reply and a round trip here the invalidation is there, first.
            reader.raw(b'PING\r\n')
            expect(reader.reply(), [b'invalidate', [b'shared']])
            expect(reader.reply(), 'PONG')
            reader.close()


def slow_read(server):
    with server.client() as reader, server.client() as writer:
        reader('HELLO', '3')
        reader('CLIENT', 'TRACKING', 'ON')
        writer('DEL', 'long')
        writer('RPUSH', 'long', *range(20000))
        for i in range(50):
            reader.raw(b'*4\r\n$6\r\nLRANGE\r\n$4\r\nlong\r\n$1\r\n0\r\n$2\r\n-1\r\n')
            writer('LSET', 'long', 0, i)
            first = reader.reply()
            if first[0] == b'invalidate':  # of the round before, or it was read after the change
                raise RuntimeError('told before the reply that may be older')
            if first[0] != b'%d' % i:  # read before the change: it must be invalidated after
                expect(reader.reply(), [b'invalidate', [b'long']])
            else:
                writer('LSET', 'long', 0, 'x')
                expect(reader.reply(), [b'invalidate', [b'long']])
