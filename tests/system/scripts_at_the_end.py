"""What scripts and transactions keep until their end, and what is answered beside a script that does
not end: messages, counts, denials, memory, a second SCRIPT KILL."""
import threading

from harness import ErrorReply, Server, encoded, expect, expect_true
from scripting import LOOP, number, until


def run(server, report):
    binary = server.binary
    for check in (messages_and_events_keep_their_order, scripts_that_fail_are_counted,
                  slow_commands_of_an_undone_try_count_once, a_script_keeps_little_until_its_end,
                  two_loops_are_killed_by_two_orders, saves_beside_a_loop_are_busy,
                  a_full_memory_queues_nothing):
        report.check(check.__name__.replace('_', ' '), check, binary)


def messages_and_events_keep_their_order(binary):
    script = """redis.call('set', KEYS[1], 1) redis.call('publish', 'news', 'm1')
                redis.call('del', KEYS[1]) redis.call('publish', 'news', 'm2')"""
    with Server(binary, '--notify-keyspace-events', 'KA') as server, server.client() as ear, \
            server.client() as client:
        ear('PSUBSCRIBE', '__key*__:*')
        ear.raw(encoded('SUBSCRIBE', 'news'))
        ear.reply()
        wanted = [b'set', b'm1', b'del', b'm2']
        client('EVAL', script, 1, 'a')
        expect([ear.reply()[-1] for _ in wanted], wanted)
        for words in (['MULTI'], ['SET', 'a', 1], ['PUBLISH', 'news', 'm1'], ['DEL', 'a'],
                      ['PUBLISH', 'news', 'm2'], ['EXEC']):
            client(*words)
        expect([ear.reply()[-1] for _ in wanted], wanted)


def statistics(client, section, name):
    fields = dict(field.split('=') for field in (number(client, section, name) or '').split(',')
                  if field)
    return {key: int(value) for key, value in fields.items() if value.isdigit()}


def scripts_that_fail_are_counted(binary):
    with Server(binary) as server, server.client() as client:
        client('SET', 'k', 'text')
        for script, code in (("return redis.call('incr', KEYS[1])", 'ERR'),
                             ("return redis.pcall('lpush', KEYS[1], 1)", 'WRONGTYPE'),
                             ("return {err='bla'}", 'ERR'), ("return {err=''}", 'ERR')):
            client('CONFIG', 'RESETSTAT')
            expect(type(client('EVAL', script, 1, 'k')), ErrorReply)
            expect(statistics(client, 'commandstats', 'cmdstat_eval')['failed_calls'], 1)
            expect(statistics(client, 'errorstats', 'errorstat_' + code)['count'], 1)
            expect(number(client, 'stats', 'total_error_replies'), '1')


def slow_commands_of_an_undone_try_count_once(binary):
    """A script that writes, and then wants every shard, begins anew."""
    with Server(binary, '--slowlog-log-slower-than', '0') as server, server.client() as client:
        client('CONFIG', 'RESETSTAT')
        client('EVAL', "redis.call('set', KEYS[1], 1) return #redis.call('keys', '*')", 1, 'k')
        expect(statistics(client, 'commandstats', 'cmdstat_set')['calls'], 1)
        expect(statistics(client, 'commandstats', 'cmdstat_eval')['calls'], 1)


def a_script_keeps_little_until_its_end(binary):
    """However many commands it calls, is denied or publishes, and however long their words are."""
    text = 'x' * 100000
    with Server(binary, '--acllog-max-len', '10') as server, server.client() as client, \
            server.client() as ear, server.client() as admin:
        expect(admin('ACL', 'SETUSER', 'few', 'on', '>p', '~*', '&*', '+eval', '+get', '+publish'), 'OK')
        expect(client('AUTH', 'few', 'p'), 'OK')
        ear('SUBSCRIBE', 'news')
        before = int(number(admin, 'memory', 'used_memory_rss'))
        client('EVAL', "for i = 1, 20000 do redis.pcall('set', KEYS[1], ARGV[1]) end", 1, 'k', text)
        client('EVAL', "for i = 1, 200000 do redis.call('get', KEYS[1]) end", 1, 'k')
        expect(statistics(admin, 'commandstats', 'cmdstat_get')['calls'], 200000)
        expect_true(statistics(admin, 'commandstats', 'cmdstat_set')['rejected_calls'] >= 20000,
                    'each is counted')
        reply = client('EVAL', "local last for i = 1, 4000 do last = redis.pcall('publish', 'news', "
                       "ARGV[1]) end return last", 1, 'k', text)
        expect(str(reply), 'ERR too many messages are published by one script')
        # 2 GB were denied, 400 MB published.
        grown = int(number(admin, 'memory', 'used_memory_rss')) - before
        expect_true(grown < 400 << 20, f'{grown >> 20} MB more')


def two_loops_are_killed_by_two_orders(binary):
    """An order that comes while another script is ending already is no order for one that wrote."""
    with Server(binary, '--slow-lane-threads', '2') as server, server.client() as one, \
            server.client() as two, server.client() as other:
        ended = []
        loops = [threading.Thread(target=lambda client=client, key=key: ended.append(
            str(client('EVAL', LOOP, 1, key)))) for client, key in ((one, 'k1'), (two, 'k2'))]
        for loop in loops:
            loop.start()
        until(lambda: other('FUNCTION', 'STATS')[1] is not None, 'one is seen')

        def kill_twice():
            other.raw(encoded('SCRIPT', 'KILL') * 2)
            for _ in range(2):
                expect_true('UNKILLABLE' not in str(other.reply()), 'neither has written')
            return len(ended) == 2
        until(kill_twice, 'both have ended')
        for loop in loops:
            loop.join()
        expect_true(all('killed' in reply for reply in ended), ended)


def saves_beside_a_loop_are_busy(binary):
    with Server(binary, '--busy-reply-threshold', '100') as server, server.client() as looper, \
            server.client() as other:
        looper.raw(encoded('EVAL', LOOP, 1, 'k'))
        until(lambda: str(other('GET', 'k')).startswith('BUSY'), 'it is busy')
        for words in (['SAVE'], ['SHUTDOWN'], ['SHUTDOWN', 'SAVE']):
            expect_true(str(other(*words)).startswith('BUSY'), ' '.join(words))
        expect(other('SCRIPT', 'KILL'), 'OK')
        expect_true('killed' in str(looper.reply()), 'it ends')
        expect(other('SAVE'), 'OK')


def a_full_memory_queues_nothing(binary):
    """As in Redis: what MULTI queues takes memory, whatever it is."""
    with Server(binary) as server, server.client() as client:
        client('SET', 'k', 'x' * 100000)
        client('CONFIG', 'SET', 'maxmemory', 1)
        expect(client('GET', 'nothing'), None)
        expect(client('MULTI'), 'OK')
        expect_true(str(client('GET', 'k')).startswith('OOM'), 'a read')
        expect_true(str(client('PING')).startswith('OOM'), 'a PING')
        expect_true(str(client('EXEC')).startswith('EXECABORT'), 'EXEC')
        expect(client('MULTI'), 'OK')
        expect(client('DISCARD'), 'OK')
        expect(client('MULTI'), 'OK')
        expect(client('EXEC'), [])
