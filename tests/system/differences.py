"""Rows of docs/differences-from-redis.md that no other test shows. Which row is shown by which test
is listed in tests/differences.txt; tools/tidy checks that none is missing."""
import socket
import time

from harness import ErrorReply, Server, encoded, expect, expect_true


def run(server, report):
    for check in (workers, debug_sleep_delays_its_caller_only, unread_replies_stop_the_reader,
                  whole_floats_are_integers, scan_pages, nul_in_an_inline_command,
                  a_bit_that_stays_writes_nothing, groups_are_watched, trimming_nothing, patterns_by_name,
                  watched_keys_are_counted_for_each_client, defaults_of_the_log, latency_shows_slow_calls,
                  cursors_are_signed_numbers, a_pause_holds_every_command, a_queue_counts_as_a_query,
                  monitors_see_the_beginning):
        report.check(check.__name__.replace('_', ' '), check, server)
    with Server(server.binary, '--requirepass', 'secret') as locked:
        report.check('strangers get little', strangers_get_little, locked)


def info(client, section, name):
    for line in client('INFO', section).decode().splitlines():
        if line.startswith(name + ':'):
            return line.split(':', 1)[1]
    return None


def until(condition, what):
    end = time.monotonic() + 30
    while not condition():
        expect_true(time.monotonic() < end, what)


def workers(server):
    with Server(server.binary, '--workers', '3') as three, three.client() as client:
        expect(info(client, 'server', 'workers'), '3')


def debug_sleep_delays_its_caller_only(server):
    with Server(server.binary, '--enable-debug-command', 'yes') as debugged, \
            debugged.client() as sleeper, debugged.client() as other:
        sleeper.raw(encoded('DEBUG', 'SLEEP', '2') + encoded('PING'))
        for i in range(200):
            expect(other('SET', f'k{i}', 'v'), 'OK')
        sleeper.socket.setblocking(False)
        try:
            answered = sleeper.socket.recv(1)
        except BlockingIOError:
            answered = b''
        sleeper.socket.settimeout(10)
        expect(answered, b'', 'the others waited for the sleeper')
        expect([sleeper.reply(), sleeper.reply()], ['OK', 'PONG'])


def latency_shows_slow_calls(server):
    """A SORT that takes milliseconds is a spike of `command`, in the slow log's absence, too."""
    with Server(server.binary) as own, own.client() as client:
        client('SADD', 'many', *range(100_000))
        client('CONFIG', 'SET', 'slowlog-log-slower-than', '-1')
        client('SLOWLOG', 'RESET')
        client('SORT', 'many', 'BY', 'nosuch:*', 'LIMIT', 0, 1)
        client('SORT', 'many', 'LIMIT', 0, 1)
        expect(client('LATENCY', 'LATEST'), [], 'without a threshold')
        client('CONFIG', 'SET', 'latency-monitor-threshold', '1')
        client('SORT', 'many', 'LIMIT', 0, 1)
        found = {event[0]: event for event in client('LATENCY', 'LATEST')}
        expect_true(b'command' in found, str(found))
        name, when, last, worst = found[b'command']
        expect_true(1 <= last <= worst, str(found))
        expect_true(abs(when - time.time()) < 60, str(found))
        expect(client('LATENCY', 'HISTORY', 'command')[-1], [when, last])
        expect(client('SLOWLOG', 'LEN'), 0)
        graph = client('LATENCY', 'GRAPH', 'command').decode()
        expect_true(graph.startswith('command - high '), graph)
        expect_true('command: ' in client('LATENCY', 'DOCTOR').decode(), 'DOCTOR')
        expect(client('LATENCY', 'RESET', 'command', 'nosuch'), 1)
        expect(client('LATENCY', 'HISTORY', 'command'), [])


def unread_replies_stop_the_reader(server):
    count = 300
    with server.client() as lazy, server.client() as other:
        other('CONFIG', 'RESETSTAT')
        other('SET', 'big', b'x' * (1 << 20))
        lazy.raw(encoded('GET', 'big') * count)

        def calls():
            line = info(other, 'commandstats', 'cmdstat_get') or 'calls=0,'
            return int(line.split(',')[0].split('=')[1])

        until(lambda: calls() >= 64, 'nothing is kept for it')
        ran = calls()
        while True:  # until it does not grow any more
            for _ in range(100):
                other('PING')
            if calls() == ran:
                break
            ran = calls()
        expect_true(ran < count, f'all {count} ran though none was read')
        for _ in range(count):
            expect(len(lazy.reply()), 1 << 20)
        other('DEL', 'big')


def strangers_get_little(server):
    with socket.create_connection(('127.0.0.1', server.port), 10) as stranger:
        stranger.settimeout(10)
        cut = False
        for _ in range(4000):
            try:
                stranger.sendall(b'PING\r\n' * 1000)
            except ConnectionError:
                cut = True
                break
            except TimeoutError:
                break
        expect_true(cut, 'whoever does not read refusals is cut off')


def whole_floats_are_integers(server):
    with server.client() as client:
        client('SET', 'f', '1.5')
        expect(client('INCRBYFLOAT', 'f', '1.5'), b'3')
        expect(client('OBJECT', 'ENCODING', 'f'), b'int')
        client('DEL', 'f')


def cursors_are_signed_numbers(server):
    """As in Redis: many clients keep a cursor in 63 bits."""
    with Server(server.binary) as own, own.client() as client:
        numbers = [str(i) for i in range(5000)]
        client('MSET', *[word for number in numbers for word in (number, number)])
        client('SADD', 'set', *['m' + number for number in numbers])
        client('HSET', 'hash', *[word for number in numbers for word in ('m' + number, number)])
        client('ZADD', 'zset', *[word for number in numbers for word in (number, 'm' + number)])
        for words in ['SCAN'], ['SSCAN', 'set'], ['HSCAN', 'hash'], ['ZSCAN', 'zset']:
            cursor, pages = b'0', 0
            while pages == 0 or cursor != b'0':
                cursor, _ = client(*words, cursor)
                expect_true(0 <= int(cursor) < 1 << 63, f'{words}: {cursor}')
                pages += 1
            expect_true(pages > 100, f'{words}: {pages} pages')


def a_pause_holds_every_command(server):
    """CLIENT PAUSE ALL: also those that touch no key. None is answered before the end of the pause."""
    with Server(server.binary) as own, own.client() as client:
        held = [['PING'], ['ECHO', 'x'], ['CLIENT', 'ID'], ['HELLO'], ['SELECT', '1'], ['AUTH', 'x'], ['RESET'],
                ['GET', 'k'], ['SET', 'k', 'v'], ['CLIENT', 'UNPAUSE'], ['INFO', 'server']]
        others = [own.client() for _ in held]
        began = time.monotonic()
        expect(client('CLIENT', 'PAUSE', '1000', 'ALL'), 'OK')
        for other, words in zip(others, held):
            other.raw(encoded(*words))
        for other, words in zip(others, held):
            other.reply()
            expect_true(time.monotonic() - began > 0.99, f'{words} was answered')
            other.close()


def a_queue_counts_as_a_query(server):
    """What MULTI has queued is bounded by client-query-buffer-limit, too."""
    with Server(server.binary) as own, own.client() as client, own.client() as greedy:
        client('CONFIG', 'SET', 'client-query-buffer-limit', '4mb')
        expect(greedy('MULTI'), 'OK')
        for _ in range(30):
            expect(greedy('SET', 'k', b'x' * 100_000), 'QUEUED')
        expect(greedy('DISCARD'), 'OK')
        for _ in range(2):  # what was discarded does not count any more
            expect(greedy('MULTI'), 'OK')
            for _ in range(20):
                expect(greedy('SET', 'k', b'x' * 100_000), 'QUEUED')
            expect(greedy('EXEC'), ['OK'] * 20)
        expect(greedy('MULTI'), 'OK')
        try:
            greedy.raw(encoded('SET', 'k', b'x' * 100_000) * 60)
        except ConnectionError:
            pass  # closed in the middle of it
        until(lambda: info(client, 'stats', 'client_query_buffer_limit_disconnections') == '1', 'it goes on')


def monitors_see_the_beginning(server):
    """Of a very long request, and of a very long EXEC."""
    with Server(server.binary) as own, own.client() as monitor, own.client() as client:
        expect(monitor('MONITOR'), 'OK')
        client('SET', 'k', b'x' * 100_000, 'EX', '100')
        line = monitor.line()
        expect_true(line.endswith(b'xx... (83622 more bytes)" "... (2 more arguments)"'), line[-80:])
        expect(line.split(b'] ', 1)[1].count(b'x'), 16378)
        client('MULTI')
        monitor.line()
        client.raw(encoded('PING') * 1100 + encoded('EXEC'))
        shown = 0
        while not (line := monitor.line()).endswith(b'"EXEC"'):
            expect_true(line.endswith(b'"PING"'), line)
            shown += 1
        expect(shown, 1024)


def scan_pages(server):
    with Server(server.binary, '--shards', '4096') as many, many.client() as client:
        for i in range(5000):
            client.raw(encoded('SET', f'page:{i}', 'v'))
        for _ in range(5000):
            client.reply()
        cursor, seen, pages = b'0', set(), 0
        while pages == 0 or cursor != b'0':
            cursor, keys = client('SCAN', cursor, 'COUNT', '1000000', 'MATCH', 'page:*')
            seen.update(keys)
            pages += 1
        expect(len(seen), 5000)
        expect_true(pages > 1, 'a huge COUNT is one page')


def nul_in_an_inline_command(server):
    with server.client() as client:
        client.raw(b'ECHO a\0b\r\n')
        expect(client.reply(), b'a\0b')


def lcs_with_two_mistakes(server):
    with server.client() as client:
        client('RPUSH', 'l', 'x')
        expect(client('LCS', 'l', 'l', 'NOSUCH'), ErrorReply('ERR syntax error'))
        client('DEL', 'l')


def watched_change(server, prepare, meanwhile):
    """What EXEC replies if `meanwhile` happened to the watched key `w`."""
    with server.client() as watcher, server.client() as other:
        other('DEL', 'w')
        for words in prepare:
            other(*words)
        watcher('WATCH', 'w')
        for words in meanwhile:
            other(*words)
        watcher('MULTI')
        watcher('PING')
        result = watcher('EXEC')
        other('DEL', 'w')
        return result


def a_bit_that_stays_writes_nothing(server):
    expect(watched_change(server, [('SET', 'w', '1')], [('SETBIT', 'w', '7', '1')]), ['PONG'])
    with server.client() as client:
        client('SET', 'b', '1')
        client('SETBIT', 'b', '7', '1')
        expect(client('OBJECT', 'ENCODING', 'b'), b'int')
        client('DEL', 'b')


def groups_are_watched(server):
    expect(watched_change(server, [('XADD', 'w', '*', 'f', 'v')],
                          [('XGROUP', 'CREATE', 'w', 'g', '$')]), None)


def trimming_nothing(server):
    expect(watched_change(server, [('RPUSH', 'w', 'a')], [('LTRIM', 'w', '0', '-1')]), ['PONG'])


def patterns_by_name(server):
    with server.client() as listener, server.client() as client:
        for pattern in ('n*', 'na*', 'n?me', '*'):
            listener('PSUBSCRIBE', pattern)
        expect(client('PUBLISH', 'name', 'm'), 4)
        expect([listener.reply()[1] for _ in range(4)], sorted([b'n*', b'na*', b'n?me', b'*']))


def defaults_of_the_log(server):
    with server.client() as client:
        expect(client('CONFIG', 'GET', 'auto-aof-rewrite-min-size')[1], b'1073741824')


def watched_keys_are_counted_for_each_client(server):
    with server.client() as one, server.client() as two:
        one('WATCH', 'a', 'b')
        two('WATCH', 'a')
        expect(info(one, 'clients', 'watching_clients'), '2')
        expect(info(one, 'clients', 'total_watched_keys'), '3')
        one('UNWATCH')
        expect(info(one, 'clients', 'watching_clients'), '1')
