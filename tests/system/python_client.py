"""python3-redis: strings, pipelines, transactions; and RESP3 by hand, which that version lacks."""
import threading

from harness import ErrorReply, expect, expect_true

try:
    import redis
except ImportError:
    redis = None


def run(server, report):
    report.check('RESP3: HELLO and the types of replies', resp3, server)
    report.check('RESP3: unknown version', wrong_version, server)
    if redis is None:
        report.skip('python3-redis', 'the Debian package python3-redis is missing')
        return
    client = redis.Redis(port=server.port, socket_timeout=10)
    for check in (strings, expiry, keys, pipeline, transaction, watch, watch_counts, databases,
                  binary, errors, connection):
        client.flushall()
        report.check(f'python3-redis: {check.__name__}', check, client)
    client.close()


def strings(client):
    expect(client.set('k', 'v'), True)
    expect(client.get('k'), b'v')
    expect(client.set('k', 'w', nx=True), None)
    expect(client.set('k', 'w', get=True), b'v')
    expect(client.append('k', 'xyz'), 4)
    expect(client.getrange('k', 1, 2), b'xy')
    expect(client.incrbyfloat('f', '1.5'), 1.5)
    expect(client.mset({'a': 1, 'b': 2}), True)
    expect(client.mget('a', 'absent', 'b'), [b'1', None, b'2'])
    expect(client.msetnx({'a': 5, 'c': 5}), False)
    expect(client.getdel('a'), b'1')
    expect(client.strlen('k'), 4)


def expiry(client):
    client.set('k', 'v', ex=100)
    expect_true(95 <= client.ttl('k') <= 100, 'ttl')
    expect(client.persist('k'), True)
    expect(client.ttl('k'), -1)
    client.set('k', 'v', px=1)
    for _ in range(1000):
        if client.get('k') is None:
            break
    expect(client.exists('k'), 0)


def keys(client):
    client.mset({f'key:{i}': i for i in range(500)})
    expect(len(set(client.scan_iter('key:*', count=17))), 500)
    expect(sorted(client.keys('key:1?')), [b'key:%d' % i for i in range(10, 20)])
    expect(client.dbsize(), 500)
    expect(client.rename('key:1', 'other'), True)
    expect(client.type('other'), b'string')
    expect(client.delete('key:2', 'key:3', 'absent'), 2)
    expect(client.copy('other', 'copied'), True)
    expect_true(client.randomkey() is not None, 'randomkey')


def pipeline(client):
    with client.pipeline(transaction=False) as pipe:
        for i in range(1000):
            pipe.set(f'p{i}', i)
            pipe.get(f'p{i}')
        replies = pipe.execute()
    expect(replies[1::2], [b'%d' % i for i in range(1000)])


def transaction(client):
    with client.pipeline(transaction=True) as pipe:
        pipe.set('a', 1).incr('a').incr('b').get('absent')
        expect(pipe.execute(), [True, 2, 1, None])
    with client.pipeline(transaction=True) as pipe:
        pipe.set('text', 'x').incr('text').set('after', 1)
        replies = pipe.execute(raise_on_error=False)
    expect_true(isinstance(replies[1], redis.ResponseError), 'the error inside EXEC')
    expect(client.get('after'), b'1', 'what follows the error')


def watch(client):
    other = redis.Redis(port=client.connection_pool.connection_kwargs['port'])
    client.set('w', 1)
    with client.pipeline() as pipe:
        pipe.watch('w')
        other.set('w', 2)
        pipe.multi()
        pipe.set('w', 3)
        try:
            pipe.execute()
            raise AssertionError('EXEC ran though a watched key had changed')
        except redis.WatchError:
            pass
    expect(client.get('w'), b'2')
    other.close()


def watch_counts(client):
    """Many threads increment by WATCH, GET, SET: nothing is lost."""
    client.set('counter', 0)
    port = client.connection_pool.connection_kwargs['port']

    def work():
        own = redis.Redis(port=port)
        for _ in range(50):
            own.transaction(lambda pipe: (
                lambda value: (pipe.multi(), pipe.set('counter', value + 1)))(
                    int(pipe.get('counter'))), 'counter')
        own.close()
    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    expect(client.get('counter'), b'200')


def databases(client):
    port = client.connection_pool.connection_kwargs['port']
    second = redis.Redis(port=port, db=1)
    client.set('k', 'zero')
    second.set('k', 'one')
    expect(client.get('k'), b'zero')
    client.swapdb(0, 1)
    expect(client.get('k'), b'one')
    second.flushdb()
    expect(client.dbsize(), 1)
    second.close()


def binary(client):
    data = bytes(range(256)) * 4096
    client.set(b'\x00\r\n\xff', data)
    expect(client.get(b'\x00\r\n\xff') == data, True, 'a megabyte of every byte')
    expect(client.strlen(b'\x00\r\n\xff'), len(data))


def errors(client):
    for words, text in ((('INCR', 'text'), 'value is not an integer or out of range'),
                        (('SET', 'a', 'b', 'NX', 'XX'), 'syntax error'),
                        (('SELECT', '999999'), 'DB index is out of range')):
        client.set('text', 'x')
        try:
            client.execute_command(*words)
            raise AssertionError(f'{words} was accepted')
        except redis.ResponseError as error:
            expect(str(error), text)


def connection(client):
    name = redis.Redis(port=client.connection_pool.connection_kwargs['port'], client_name='ann')
    expect(name.client_getname(), 'ann')
    expect_true(any(c['name'] == 'ann' for c in name.client_list()), 'CLIENT LIST')
    expect(name.echo('x'), b'x')
    expect_true('redis_version' in name.info(), 'INFO')
    expect_true('maxmemory' in name.config_get('maxmemory'), 'CONFIG GET')
    expect_true(name.time()[0] > 0, 'TIME')
    name.close()


def resp3(server):
    with server.client() as client:
        hello = client('HELLO', '3')
        expect_true(isinstance(hello, dict), f'HELLO 3 answers a map, not {hello!r}')
        expect(hello[b'proto'], 3)
        client.raw(b'*2\r\n$3\r\nGET\r\n$6\r\nabsent\r\n')
        expect(client.line(), b'_', 'null')
        expect_true(isinstance(client('CONFIG', 'GET', 'maxmemory'), dict), 'CONFIG GET: a map')
        expect(client('HELLO', '2', 'SETNAME', 'bob')[1::2][2], 2)
        expect(client('CLIENT', 'GETNAME'), b'bob')
        expect_true(isinstance(client('CONFIG', 'GET', 'maxmemory'), list), 'back to RESP2')


def wrong_version(server):
    with server.client() as client:
        got = client('HELLO', '4')
        expect(got, ErrorReply('NOPROTO unsupported protocol version'))
        expect(client('PING'), 'PONG')
