"""Scripts and functions of real clients on several workers: what they do is atomic, whichever keys
they declare; a long one delays those who need its keys alone; functions survive."""
import pathlib
import random
import threading
import time

from durability import Client, Home
from harness import Client as PlainClient, ErrorReply, Server, encoded, expect, expect_true

ACCOUNTS = [f'account:{i}' for i in range(8)]  # in as many shards
TOTAL = 8000
MOVE = """
local from, to = KEYS[1], KEYS[2]
local amount = tonumber(ARGV[1])
if tonumber(redis.call('get', from)) < amount then return 0 end
redis.call('decrby', from, amount)
redis.call('incrby', to, amount)
return 1"""
# Which keys it wants is known only when it has begun to write.
ROAM = """
redis.call('decrby', KEYS[1], 1)
local far = 'account:' .. ARGV[1]
redis.call('incrby', far, 1)
return redis.call('get', far)"""
SUM = """
local sum = 0
for i = 0, 7 do sum = sum + tonumber(redis.call('get', 'account:' .. i)) end
return sum"""
SUM_DECLARED = """
local sum = 0
for _, key in ipairs(KEYS) do sum = sum + tonumber(redis.call('get', key)) end
return sum"""


def run(server, report):
    binary = server.binary
    for check in (money_is_neither_made_nor_lost, a_try_that_is_undone_changes_no_counts,
                  a_long_script_delays_only_those_who_need_its_keys,
                  a_new_script_delays_only_those_who_need_its_keys, script_kill_ends_the_longest, what_has_written_is_not_killed,
                  a_quick_script_that_becomes_long_leaves_its_worker, exec_with_scripts,
                  blocked_clients_are_served_after_the_script, messages_come_after_the_script,
                  error_counts, memory_numbers, shutdown_ends_a_script,
                  scripts_of_python_redis, variables_of_a_library, a_watch_may_break,
                  monitors_see_the_commands_of_scripts, a_pause_of_writes_delays_scripts,
                  long_scripts_occupy_the_slow_threads):
        report.check(check.__name__.replace('_', ' '), check, binary)
    for check in (functions_survive_kills, half_a_script_is_never_kept, a_snapshot_has_all_of_a_script):
        report.check(check.__name__.replace('_', ' '), check, binary)


def number(client, section, name):
    for line in client('INFO', section).decode().splitlines():
        if line.startswith(name + ':'):
            return line.split(':', 1)[1]
    return None


def until(condition, what, seconds=30):
    end = time.monotonic() + seconds
    while not condition():
        expect_true(time.monotonic() < end, what)
        time.sleep(0.005)


class Mover(threading.Thread):
    """Moves money by scripts that declare their keys and by such that do not, until it is stopped."""

    def __init__(self, port, seed, stop):
        super().__init__(daemon=True)
        self.client, self.dice, self.stop_now, self.moves = Client(port), random.Random(seed), stop, 0
        self.start()

    def run(self):
        try:
            while not self.stop_now.is_set():
                a, b = self.dice.sample(range(8), 2)
                if self.dice.random() < 0.5:
                    self.client('EVAL', MOVE, 2, ACCOUNTS[a], ACCOUNTS[b], self.dice.randrange(20))
                else:
                    # It stays at home often enough to be trusted, and then roams.
                    far = a if self.dice.random() < 0.9 else b
                    self.client('EVAL', ROAM, 1, ACCOUNTS[a], far)
                self.moves += 1
        except Exception:  # the server is gone
            pass


def sums(client):
    yield client('EVAL', SUM, 0)
    yield client('EVAL', SUM_DECLARED, 8, *ACCOUNTS)
    yield sum(int(value) for value in client('MGET', *ACCOUNTS))
    client('MULTI')
    for account in ACCOUNTS:
        client('GET', account)
    yield sum(int(value) for value in client('EXEC'))


def money_is_neither_made_nor_lost(binary):
    with Server(binary, '--workers', '3') as server, server.client() as client:
        for account in ACCOUNTS:
            client('SET', account, TOTAL // 8)
        stop = threading.Event()
        movers = [Mover(server.port, seed, stop) for seed in range(4)]
        looks, again = 0, 0
        end = time.monotonic() + 60
        while looks < 400 or again == 0:
            for total in sums(client):
                expect(total, TOTAL)
                looks += 1
            again = int(number(client, 'stats', 'scripts_begun_anew_for_keys'))
            expect_true(time.monotonic() < end, 'no script ever found a token held')
        stop.set()
        for mover in movers:
            mover.join()
            expect_true(mover.moves > 10, 'a mover did nothing')
        expect_true(int(number(client, 'stats', 'script_tokens_gained')) > 0, 'no script gained a token')


def a_snapshot_has_all_of_a_script(binary):
    """Without a log: what a kill leaves is the state at some moment in the middle of the moves."""
    with Home(binary, '--appendonly', 'no', '--save', '', '--workers', '3') as home:
        client = home.start()
        for account in ACCOUNTS:
            client('SET', account, TOTAL // 8)
        client('DEBUG', 'POPULATE', 20000, 'filler')  # so that the snapshot's thread works for a while
        for _ in range(4):
            stop = threading.Event()
            movers = [Mover(home.port, seed, stop) for seed in range(4)]
            until(lambda: sum(mover.moves for mover in movers) > 50, 'they move')
            with PlainClient(home.port) as saver:
                saves = int(number(saver, 'persistence', 'rdb_saves'))
                for count in range(1, 4):
                    expect_true('Background' in saver('BGSAVE'), 'BGSAVE')
                    until(lambda: int(number(saver, 'persistence', 'rdb_saves')) == saves + count, 'it saves')
            home.kill()
            for mover in movers:
                mover.join()
                expect_true(mover.moves > 0, 'a mover did nothing')
            client = home.start()
            for total in sums(client):
                expect(total, TOTAL)


def half_a_script_is_never_kept(binary):
    """The sum is right after each of many kills, with every reply synced."""
    dice = random.Random(7)
    with Home(binary, '--appendfsync', 'always', '--workers', '3') as home:
        client = home.start()
        for account in ACCOUNTS:
            client('SET', account, TOTAL // 8)
        for _ in range(12):
            stop = threading.Event()
            movers = [Mover(home.port, dice.random(), stop) for _ in range(4)]
            wanted = dice.randrange(20, 200)
            until(lambda: sum(mover.moves for mover in movers) > wanted, 'they move')
            if dice.random() < 0.3:
                Client(home.port)('BGSAVE')
            home.kill()
            for mover in movers:
                mover.join()
            client = home.start()
            for total in sums(client):
                expect(total, TOTAL)


LOOP = "while true do end"
LOOP_ON_KEY = "redis.call('get', KEYS[1]) while true do end"
TRUSTED_LOOP = "redis.call('get', KEYS[1]) if ARGV[1] == 'loop' then while true do end end return 1"


def busy(client, *words):
    return str(client(*words)).startswith('BUSY')


def a_long_script_delays_only_those_who_need_its_keys(binary):
    with Server(binary, '--workers', '1', '--busy-reply-threshold', '200') as server, \
            server.client() as looper, server.client() as other:
        for _ in range(3):  # it is seen to stay with its key
            expect(looper('EVAL', TRUSTED_LOOP, 1, 'mine', 'x'), 1)
        looper.raw(encoded('EVAL', TRUSTED_LOOP, 1, 'mine', 'loop'))
        until(lambda: not isinstance(other('FUNCTION', 'STATS')[1], type(None)), 'it is seen')
        expect(other('SET', 'others', 1), 'OK')
        expect(other('PING'), 'PONG')
        reply = other('GET', 'mine')
        expect(str(reply), 'BUSY Redis is busy running a script. You can only call SCRIPT KILL or '
                           'SHUTDOWN NOSAVE.')
        expect_true(busy(other, 'EVAL', SUM, 0), 'who wants everything waits for its key, too')
        other('MULTI')
        other('SET', 'mine', 1)
        expect_true(str(other('EXEC')).startswith('EXECABORT Transaction discarded because of: BUSY'),
                    'EXEC')
        expect(other('GET', 'others'), b'1')
        expect(other('SCRIPT', 'KILL'), 'OK')
        expect_true(str(looper.reply()).startswith('ERR Script killed by user with SCRIPT KILL'), '')
        expect(other('GET', 'mine'), None)
        expect(str(other('SCRIPT', 'KILL')), 'NOTBUSY No scripts in execution right now.')


def a_new_script_delays_only_those_who_need_its_keys(binary):
    with Server(binary, '--workers', '1', '--busy-reply-threshold', '200') as server, \
            server.client() as looper, server.client() as other:
        looper.raw(encoded('EVAL', LOOP_ON_KEY, 1, 'mine'))
        until(lambda: other('FUNCTION', 'STATS')[1] is not None, 'it is seen')
        expect(other('SET', 'others', 1), 'OK')
        expect_true(busy(other, 'GET', 'mine'), 'its key')
        expect(other('SCRIPT', 'KILL'), 'OK')
        expect_true('killed' in str(looper.reply()), 'it ends')
        # A new one that wants more than it declares begins anew, and does the same.
        expect(other('EVAL', "redis.call('incr', KEYS[1]) return redis.call('get', 'others')", 1, 'n'), b'1')
        expect(other('GET', 'n'), b'1')


def script_kill_ends_the_longest(binary):
    with Server(binary, '--workers', '2') as server, server.client() as first, \
            server.client() as second, server.client() as other:
        for client, key in (first, 'a'), (second, 'b'):
            for _ in range(3):
                client('EVAL', TRUSTED_LOOP, 1, key, 'x')
        first.raw(encoded('EVAL', TRUSTED_LOOP, 1, 'a', 'loop'))
        until(lambda: other('FUNCTION', 'STATS')[1] is not None, 'the first is seen')
        second.raw(encoded('EVAL', TRUSTED_LOOP, 1, 'b', 'loop'))
        time.sleep(0.2)
        expect(other('SCRIPT', 'KILL'), 'OK')
        expect_true('killed' in str(first.reply()), 'the first')
        until(lambda: not isinstance(other('SCRIPT', 'KILL'), ErrorReply), 'the second')
        expect_true('killed' in str(second.reply()), 'the second')


def what_has_written_is_not_killed(binary):
    with Server(binary) as server, server.client() as looper, server.client() as other:
        looper.raw(encoded('EVAL', "redis.call('set', KEYS[1], 1) " + LOOP, 1, 'k'))
        until(lambda: other('FUNCTION', 'STATS')[1] is not None, 'it is seen')
        expect_true(str(other('SCRIPT', 'KILL')).startswith('UNKILLABLE'), 'SCRIPT KILL')
        expect_true(str(other('FUNCTION', 'KILL')).startswith('NOTBUSY'), 'FUNCTION KILL')


def a_quick_script_that_becomes_long_leaves_its_worker(binary):
    """And does what it did before only once."""
    text = """redis.call('incr', KEYS[1])
              local n = 0 for i = 1, tonumber(ARGV[1]) do n = n + 1 end return n"""
    with Server(binary, '--workers', '1') as server, server.client() as client:
        calls = 0
        while int(number(client, 'stats', 'scripts_begun_anew_for_time')) == 0:
            expect_true(calls < 2000, 'it stayed')
            for _ in range(20):  # on a machine with other work it takes some until it counts as quick
                client('EVAL', text, 1, 'n', 10)
            expect(client('EVAL', text, 1, 'n', 3000000), 3000000)
            calls += 21
        expect(client('GET', 'n'), b'%d' % calls)


def exec_with_scripts(binary):
    with Server(binary) as server, server.client() as client:
        client('MULTI')
        client('SET', 'a', 1)
        client('EVAL', "return redis.call('incr', 'a') + redis.call('incr', 'far')", 0)
        client('PING')
        client('EVAL', "return redis.call('nosuch')", 0)
        client('EVAL', "redis.call('select', 5) return redis.call('set', 'in5', 1)", 0)
        client('GET', 'in5')
        replies = client('EXEC')
        expect(replies[:3], ['OK', 3, 'PONG'])
        expect_true(str(replies[3]).startswith('ERR Unknown Redis command'), replies[3])
        expect(replies[4:], ['OK', None])


def blocked_clients_are_served_after_the_script(binary):
    with Server(binary) as server, server.client() as waiter, server.client() as client:
        waiter.raw(encoded('BLPOP', 'list', 0))
        until(lambda: number(client, 'clients', 'blocked_clients') == '1', 'it waits')
        expect(client('EVAL', "redis.call('rpush', 'list', 'a', 'b') "
                              "return redis.call('lrange', 'list', 0, -1)", 1, 'list'), [b'a', b'b'])
        expect(waiter.reply(), [b'list', b'a'])
        expect(client('LRANGE', 'list', 0, -1), [b'b'])


def messages_come_after_the_script(binary):
    with Server(binary) as server, server.client() as listener, server.client() as client:
        listener('SUBSCRIBE', 'c')
        for text in ("redis.call('publish', 'c', ARGV[1]) return redis.call('incr', 'seen')", ):
            expect(client('EVAL', text, 0, 'one'), 1)
            expect(listener.reply(), [b'message', b'c', b'one'])
            # A trusted one that is surprised after its message: it is sent once.
            near = "redis.call('publish', 'c', ARGV[1]) if ARGV[2] then redis.call('get', ARGV[2]) end"
            for _ in range(3):
                client('EVAL', near, 1, 'k', 'near')
                expect(listener.reply(), [b'message', b'c', b'near'])
            client('EVAL', near, 1, 'k', 'far', 'farther')
            client('PUBLISH', 'c', 'last')
            expect(listener.reply(), [b'message', b'c', b'far'])
            expect(listener.reply(), [b'message', b'c', b'last'])


def error_counts(binary):
    with Server(binary) as server, server.client() as client:
        client('CONFIG', 'RESETSTAT')
        client('EVAL', "redis.pcall('XGROUP', 'CREATECONSUMER', 's1', 'mygroup', 'consumer') return", 0)
        errors = client('INFO', 'errorstats').decode()
        expect_true('errorstat_ERR:count=1' in errors, errors)
        stats = client('INFO', 'commandstats').decode()
        expect_true('cmdstat_eval:calls=1' in stats, stats)
        for line in stats.splitlines():
            if line.startswith('cmdstat_eval:'):
                expect_true(line.endswith('failed_calls=0') or 'failed_calls=0' in line, line)
        client('EVALSHA', 'x' * 40, 0)
        expect_true('errorstat_NOSCRIPT:count=1' in client('INFO', 'errorstats').decode(), 'NOSCRIPT')


def memory_numbers(binary):
    with Server(binary) as server, server.client() as client:
        client('EVAL', 'return 1', 0)
        client('FUNCTION', 'LOAD', LIBRARY)
        expect(number(client, 'memory', 'number_of_cached_scripts'), '1')
        expect(number(client, 'memory', 'number_of_libraries'), '1')
        expect(number(client, 'memory', 'number_of_functions'), '2')
        expect_true(int(number(client, 'memory', 'used_memory_scripts')) > 0, 'used_memory_scripts')
        expect(number(client, 'stats', 'evicted_scripts'), '0')
        for i in range(502):
            client('EVAL', f'return {i}', 0)
        expect(number(client, 'memory', 'number_of_cached_scripts'), '500')
        # "return 1" is there already when it comes again.
        expect(number(client, 'stats', 'evicted_scripts'), '2')
        client('CONFIG', 'RESETSTAT')
        expect(number(client, 'stats', 'evicted_scripts'), '0')


def shutdown_ends_a_script(binary):
    server = Server(binary)
    try:
        with server.client() as looper, server.client() as other:
            looper.raw(encoded('EVAL', "redis.call('set', 'k', 1) " + LOOP, 0))
            until(lambda: other('FUNCTION', 'STATS')[1] is not None, 'it is seen')
            other.raw(encoded('SHUTDOWN', 'NOSAVE'))
            expect(server.process.wait(4.5), 0)  # it does not wait 5 s for last replies
    finally:
        server.stop()


def scripts_of_python_redis(binary):
    try:
        import redis
    except ImportError:
        return
    with Server(binary) as server:
        client = redis.Redis(port=server.port)
        script = client.register_script(MOVE)
        client.mset({'a': 10, 'b': 0})
        expect(script(keys=['a', 'b'], args=[3]), 1)
        client.script_flush()
        expect(script(keys=['a', 'b'], args=[3]), 1)  # NOSCRIPT, loaded again by the library
        expect(client.mget('a', 'b'), [b'4', b'6'])
        with client.pipeline() as pipeline:
            script(keys=['a', 'b'], args=[1], client=pipeline)
            pipeline.get('b')
            expect(pipeline.execute(), [1, b'7'])
        with client.lock('lock', timeout=5) as lock:  # made of scripts
            expect_true(lock.owned(), 'the lock')
            lock.extend(10)
        expect(client.exists('lock'), 0)


def variables_of_a_library(binary):
    """They exist, for each thread by itself."""
    with Server(binary, '--workers', '1') as server, server.client() as client:
        client('FUNCTION', 'LOAD', "#!lua name=counts\nlocal n = 0 redis.register_function('count', "
                                   "function() n = n + 1 return n end)")
        counts = [client('FCALL', 'count', 0) for _ in range(20)]
        expect_true(max(counts) > 2, f'each call has begun anew: {counts}')
        expect_true(len(set(counts)) < 20, f'the first run was on another thread: {counts}')


def a_try_that_is_undone_changes_no_counts(binary):
    """Commands that count their changes otherwise than by their effects, in scripts that are surprised."""
    with Home(binary, '--save', '') as home:
        home.start().close()
        client = PlainClient(home.port)
        client('SADD', '{k}set', *range(100))
        client('ZADD', '{k}zset', *[word for i in range(100) for word in (i, i)])

        def changes():
            return int(number(client, 'persistence', 'rdb_changes_since_last_save'))

        def restarts():
            return int(number(client, 'stats', 'scripts_begun_anew_for_keys'))
        before = changes()
        body = ("redis.call('SUNIONSTORE', '{k}a', '{k}set') redis.call('ZUNIONSTORE', '{k}b', 1, '{k}zset') "
                "redis.call('LPUSH', '{k}l', 1, 2, 3) redis.call('LPOP', '{k}l', 2) "
                "if ARGV[1] ~= '' then redis.call('KEYS', 'none') redis.call('SET', ARGV[1], 1) end")
        client('EVAL', body, 1, '{k}', '')
        first = changes() - before
        for _ in range(20):  # until it is trusted with the tokens of its keys alone
            client('EVAL', body, 1, '{k}', '')
        seen, again = changes(), restarts()
        client('EVAL', body, 1, '{k}', 'far')  # which needs all tokens
        expect(restarts(), again + 1, 'it was not surprised')
        expect(changes() - seen, first + 1)


def a_watch_may_break(binary):
    text = """redis.call('incr', KEYS[1]) if ARGV[1] then
                redis.call('set', KEYS[1], redis.call('get', ARGV[1]) or 0) end return 1"""
    with Server(binary) as server, server.client() as client, server.client() as watcher:
        for _ in range(3):
            client('EVAL', text, 1, 'n')
        watcher('WATCH', 'n')
        client('EVAL', text, 1, 'n', 'far')  # it has written when it wants another key
        watcher('MULTI')
        watcher('PING')
        expect(watcher('EXEC'), None)


def monitors_see_the_commands_of_scripts(binary):
    """After the script's own line and before the connection's next one, each once; wherever it runs."""
    text = "redis.call('set', KEYS[1], ARGV[1]) if ARGV[2] then redis.call('get', ARGV[2]) end"
    with Server(binary, '--workers', '2') as server, server.client() as client, \
            server.client() as monitor:
        expect(monitor('MONITOR'), 'OK')

        def shown(*words):
            line = str(monitor.line())
            for word in words:
                expect_true(word in line, f'{word} in {line}')

        for i in range(4):  # on a slow thread first, then on a worker
            client('EVAL', text, 1, 'a', i)
            client('GET', 'a')
            shown('"EVAL"')
            shown('[0 lua] "set" "a"', f'"{i}"')
            shown('"GET" "a"')
        client('EVAL', text, 1, 'a', 'x', 'far')  # starts again
        client('MULTI')
        client('EVAL', text, 1, 'a', 'y')
        client('EXEC')
        client('PING')
        shown('"EVAL"')
        shown('[0 lua] "set" "a" "x"')
        shown('[0 lua] "get" "far"')
        seen = [str(monitor.line()) for _ in range(5)]
        expect_true('lua] "set" "a" "y"' in seen[-2] and '"PING"' in seen[-1], seen)


def a_pause_of_writes_delays_scripts(binary):
    text = "#!lua flags=no-writes\nreturn redis.call('get', KEYS[1])"
    with Server(binary) as server, server.client() as client, server.client() as other:
        client('SET', 'k', 1)
        other('CLIENT', 'PAUSE', 100000, 'WRITE')
        expect(client('EVAL_RO', text, 1, 'k'), b'1')
        expect(client('EVAL', text, 1, 'k'), b'1')
        client.raw(encoded('EVAL', text.split('\n')[1], 1, 'k'))  # without the flag
        until(lambda: number(other, 'clients', 'blocked_clients') is not None, 'INFO')
        expect(other('CLIENT', 'UNPAUSE'), 'OK')
        expect(client.reply(), b'1')


def long_scripts_occupy_the_slow_threads(binary):
    """What needs a slow thread waits; everything else goes on, and SCRIPT KILL is heard."""
    with Server(binary, '--slow-lane-threads', '1') as server, server.client() as looper, \
            server.client() as waiter, server.client() as other:
        looper.raw(encoded('EVAL', LOOP, 0))
        until(lambda: other('FUNCTION', 'STATS')[1] is not None, 'it is seen')
        expect(other('SCRIPT', 'KILL'), 'OK')  # its first run has every token, its second none
        looper.reply()
        looper.raw(encoded('EVAL', LOOP, 0))
        until(lambda: other('FUNCTION', 'STATS')[1] is not None, 'it is seen')
        waiter.raw(encoded('EVAL', 'return 7', 0))
        expect(other('SET', 'k', 1), 'OK')
        expect(other('SCRIPT', 'KILL'), 'OK')
        expect_true('killed' in str(looper.reply()), 'it ends')
        expect(waiter.reply(), 7)


LIBRARY = """#!lua name=lib
redis.register_function('add', function(keys, args) return redis.call('incrby', keys[1], args[1]) end)
redis.register_function{function_name='look', flags={'no-writes'},
                        callback=function(keys) return redis.call('get', keys[1]) end}"""


def functions_survive_kills(binary):
    """In the log alone, in a snapshot and in the log behind it."""
    with Home(binary, '--appendfsync', 'always') as home:
        client = home.start()
        expect(client('FUNCTION', 'LOAD', LIBRARY), 'lib')
        expect(client('FUNCTION', 'LOAD', LIBRARY.replace('lib', 'gone').replace("'add'", "'add2'")
                      .replace("'look'", "'look2'")), 'gone')
        expect(client('FCALL', 'add', 1, 'n', 5), 5)
        expect(client('FUNCTION', 'DELETE', 'gone'), 'OK')
        listed = client('FUNCTION', 'LIST', 'WITHCODE')
        with PlainClient(home.port) as binary_client:
            payload = binary_client('FUNCTION', 'DUMP')
        home.kill()
        client = home.start()
        expect(client('FUNCTION', 'LIST', 'WITHCODE'), listed)
        expect(client('FCALL', 'add', 1, 'n', 5), 10)
        client('SAVE')
        expect(client('FUNCTION', 'FLUSH'), 'OK')
        home.kill()
        client = home.start()
        expect(client('FUNCTION', 'LIST'), [])
        expect(client('FUNCTION', 'RESTORE', payload), 'OK')
        client('SAVE')
        home.kill()
        client = home.start()
        expect(client('FUNCTION', 'LIST', 'WITHCODE'), listed)
        expect(client('FCALL_RO', 'look', 1, 'n'), '10')
