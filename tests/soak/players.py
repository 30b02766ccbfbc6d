"""The clients of the soak. Each runs in a thread of its own until it is stopped or the server ends.

A Writer has keys of its own, knows what each reply must be, and compares what is there after a restart.
The others make everything else happen meanwhile: walks, saves, settings, subscriptions, tracking, random
commands in a database of their own.
"""
import random
import threading
import time

from harness import Client, ErrorReply, Failed
from history import History, Lost
from model import SLACK_MS, apply, brief, now_ms, reading

REPLY_SECONDS = 30
GROUP = 8
KEYS = 12  # of each kind, for each writer


class Remembering(Client):
    """Knows what it has sent last, to explain a missing reply."""

    last = b''

    def raw(self, data):
        self.last = data[:100]
        super().raw(data)


class Gone(Exception):
    """The server has ended; the outcome of running calls is unknown."""


class Player(threading.Thread):
    def __init__(self, soak, name):
        super().__init__(daemon=True, name=name)
        self.soak, self.label = soak, name
        self.dice = random.Random(f'{soak.seed} {name} {soak.life}')
        self.clients = []

    def connect(self):
        try:
            client = Remembering(self.soak.port, REPLY_SECONDS)
        except OSError as error:
            raise Gone() from error
        self.clients.append(client)
        return client

    def run(self):
        try:
            self.play()
        except (Gone, Failed, ConnectionError, BrokenPipeError) as error:
            if not self.soak.ending.is_set():
                self.soak.fail(f'{self.label}: the connection broke: {error!r}')
        except TimeoutError:
            if not self.soak.ending.is_set():
                self.soak.diagnose()
                self.soak.fail(f'{self.label}: no reply within {REPLY_SECONDS} s; sent last: '
                               f'{[client.last for client in self.clients]}')
        except Lost as lost:
            self.soak.fail(str(lost))
        except Exception as error:  # whatever it is, the soak must not go on as if nothing were
            if not self.soak.ending.is_set():
                self.soak.fail(f'{self.label}: {type(error).__name__}: {error}')
        finally:
            for client in self.clients:
                client.close()

    def rounds(self, pause=0.0):
        while not self.soak.ending.is_set():
            yield
            if pause:
                self.soak.ending.wait(pause)

    def expect(self, got, wanted, what):
        if got != wanted:
            raise Lost(f'{self.label}: {brief(what)} answered {brief(got)}, expected {brief(wanted)}')


class Writer(Player):
    def __init__(self, soak, history):
        super().__init__(soak, history.name)
        self.history = history

    def key(self, kind, number=None):
        number = self.dice.randrange(KEYS) if number is None else number
        return f'{self.history.name}:{kind}:{number}'.encode()

    def text(self, size=40):
        return bytes(self.dice.choices(b'abcdefghijklmnopqrstuvwxyz0123456789', k=self.dice.randrange(1, size)))

    def texts(self, most=6):
        return [self.text(12) for _ in range(self.dice.randrange(1, most))]

    # ------------------------------------------------------------------------ commands
    def command(self):
        kind = self.dice.choice((self.string, self.string, self.list, self.hash, self.set, self.zset,
                                 self.stream, self.generic, self.ending_key))
        return kind()

    def string(self):
        key, draw = self.key('string'), self.dice.randrange(6)
        if draw == 0:
            return [b'INCRBY', self.key('number'), b'%d' % self.dice.randrange(-50, 50)]
        if draw == 1 and len(self.history.state.get(key, [b''])[0]) < 2000:
            return [b'APPEND', key, self.text()]
        if draw == 2:
            return [b'SETRANGE', key, b'%d' % self.dice.randrange(500), self.text()]
        if draw == 3:
            return [b'GETSET', key, self.text()]
        if draw == 4:
            return [b'DEL', key]
        return [b'SET', key, self.text(800)]

    def list(self):
        key, draw = self.key('list'), self.dice.randrange(6)
        if draw == 0:
            return [self.dice.choice((b'LPOP', b'RPOP')), key]
        if draw == 1:
            return [b'LTRIM', key, b'0', b'200']
        if draw == 2:
            return [b'LMOVE', key, self.key('list'), self.dice.choice((b'LEFT', b'RIGHT')),
                    self.dice.choice((b'LEFT', b'RIGHT'))]
        return [self.dice.choice((b'RPUSH', b'LPUSH')), key, *self.texts()]

    def hash(self):
        key, draw = self.key('hash'), self.dice.randrange(4)
        if draw == 0:
            return [b'HDEL', key, *self.field_names()]
        if draw == 1:
            return [b'HINCRBY', key, b'number', b'%d' % self.dice.randrange(-9, 10)]
        return [b'HSET', key, *sum(([name, self.text()] for name in self.field_names()), [])]

    def field_names(self):
        return [b'f%d' % self.dice.randrange(300) for _ in range(self.dice.randrange(1, 6))]

    def set(self):
        command = self.dice.choice((b'SADD', b'SADD', b'SREM'))
        if self.dice.randrange(3) == 0:
            return [command, self.key('ints'), *self.field_numbers()]
        return [command, self.key('set'), *self.field_names()]

    def field_numbers(self):
        return [b'%d' % self.dice.randrange(700) for _ in range(self.dice.randrange(1, 6))]

    def zset(self):
        key, draw = self.key('zset'), self.dice.randrange(6)
        if draw == 0:
            return [b'ZREM', key, *self.field_names()]
        if draw == 1:
            return [b'ZINCRBY', key, b'%d' % self.dice.randrange(-9, 10), b'f%d' % self.dice.randrange(300)]
        if draw == 2:
            return [b'ZREMRANGEBYRANK', key, b'0', b'%d' % self.dice.randrange(3)]
        if draw == 3:
            return [b'ZPOPMIN', key]
        return [b'ZADD', key, *sum(([b'%d' % self.dice.randrange(1000), name]
                                    for name in self.field_names()), [])]

    def stream(self):
        # Ids only grow, also over entries that were written by an operation that did not count.
        key, draw = self.key('stream'), self.dice.randrange(6)
        entries = self.history.state.get(key, [{}])[0]
        if draw == 0 and entries:
            return [b'XDEL', key, self.dice.choice(list(entries))]
        if draw == 1 and entries:
            return [b'XTRIM', key, b'MAXLEN', b'=', b'60']
        self.entry = max(self.entry + 1, int(now_ms() * 1000))
        return [b'XADD', key, b'%d-1' % self.entry, b'f', self.text(), b'g', b'1']

    def generic(self):
        kinds = [key for key in self.history.state if key.split(b':')[1] in (
            b'string', b'list', b'hash', b'set', b'zset')]
        if not kinds:
            return self.string()
        key = self.dice.choice(kinds)
        to = self.key(key.split(b':')[1].decode())
        draw = self.dice.randrange(4)
        if draw == 0 and key != to:
            return [b'RENAME', key, to]
        if draw == 1 and key != to:
            return [b'COPY', key, to, b'REPLACE']
        return [self.dice.choice((b'DEL', b'UNLINK')), key]

    def ending_key(self):
        key = self.key('ending')
        entry, now = self.history.state.get(key), int(now_ms())
        if entry and entry[1] is not None and entry[1] > now + 10_000:
            if self.dice.randrange(3) == 0:
                return [b'PEXPIREAT', key, b'%d' % (now + 20_000)]
            if self.dice.randrange(3) == 0:
                return [b'PERSIST', key]
        return [b'SET', key, self.text(), b'PXAT', b'%d' % (now + self.dice.choice((50, 500, 5_000, 60_000)))]

    # ------------------------------------------------------------------------ operations
    def play(self):
        self.client, self.second, self.entry = self.connect(), self.connect(), 0
        kinds = ([self.plain] * 12 + [self.pipeline] * 3 + [self.transaction] * 3 + [self.group] * 2 +
                 [self.look] * 3 + [self.watch, self.conflict, self.handover])
        for _ in self.rounds():
            if self.dice.randrange(800) == 0:
                self.big()
            else:
                self.dice.choice(kinds)()
            if self.history.number % 500 == 0:
                self.history.fold()

    def counted(self, number):
        return [b'SET', self.history.counter, b'%d' % number]

    def operate(self, steps, send):
        """`send` gets the number and returns replies, one per command, the counter's last."""
        number = self.history.number + 1
        steps = steps + [[self.counted(number)]] if not self.in_one else [steps[0] + [self.counted(number)]]
        operation = self.history.begin(steps)
        strict = self.soak.fsync == 'always'
        replies = send([words for step in steps for words in step])
        # The guarantee may have become weaker before the reply arrived.
        operation.strict = strict and self.soak.fsync == 'always'
        operation.answered = time.monotonic()
        self.soak.requests += len(replies)
        for words, reply in zip((words for step in steps for words in step), replies):
            self.expect(reply, apply(self.history.state, words), words)

    in_one = False

    def plain(self):
        self.operate([[self.command()]], lambda commands: [self.client(*words) for words in commands])

    def pipeline(self):
        # What a command looks like depends on the state, so the state must not change in between.
        steps = [[[b'HSET', self.key('hash'), *sum(([n, self.text()] for n in self.field_names()), [])]]
                 for _ in range(self.dice.randrange(2, 30))]
        steps += [[[b'RPUSH', self.key('list'), *self.texts()]] for _ in range(3)]
        steps += [[[b'LTRIM', self.key('list', number), b'0', b'100']] for number in range(KEYS)]

        def send(commands):
            for words in commands:
                self.client.raw(encoded(words))
            return [self.client.reply() for _ in commands]
        self.operate(steps, send)

    def transaction(self):
        commands = [[b'SET', self.key('string'), self.text()], [b'SADD', self.key('set'), *self.field_names()],
                    [b'RPUSH', self.key('list'), *self.texts()], [b'ZADD', self.key('zset'), b'5', b'f5']]
        self.in_one = True
        self.operate([self.dice.sample(commands, self.dice.randrange(1, 5))], self.execute)
        self.in_one = False

    def execute(self, commands):
        self.expect(self.client('MULTI'), 'OK', 'MULTI')
        for words in commands:
            self.expect(self.client(*words), 'QUEUED', words)
        return self.client('EXEC')

    def watch(self):
        self.expect(self.client('WATCH', self.key('string'), self.key('list')), 'OK', 'WATCH')
        self.transaction()

    def conflict(self):
        """The watched key changes; the transaction does nothing."""
        key = self.key('string')

        def send(commands):
            self.expect(self.client('WATCH', key), 'OK', 'WATCH')
            replies = [self.second(*words) for words in commands]
            self.client('MULTI')
            self.client('SET', key, 'never')
            self.expect(self.client('EXEC'), None, 'EXEC after a watched key changed')
            return replies
        self.operate([[[b'SET', key, self.text()]]], send)

    def group(self):
        """Keys of many shards that are only written together."""
        number = b'%d' % (self.history.number + 1)
        words = [b'MSET', *sum(([self.key('group', i), number] for i in range(GROUP)), [])]
        self.operate([[words]], lambda commands: [self.client(*words) for words in commands])

    def handover(self):
        """One connection waits, the other one gives."""
        value = self.text()
        kind = self.dice.randrange(3)
        # An operation that a kill has cut short may have left something there.
        left = [key for key in (self.key('waits', i) for i in range(4)) if key in self.history.state]
        if left:
            return self.operate([[[b'DEL', *left]]], lambda commands: [self.client(*c) for c in commands])
        if kind == 0:
            key = self.key('waits', 0)
            wait, steps = ['BLPOP', key, 20], [[[b'RPUSH', key, value]], [[b'LPOP', key]]]
            answer = [key, value]
        elif kind == 1:
            key, to = self.key('waits', 1), self.key('waits', 2)
            wait = ['BLMOVE', key, to, 'LEFT', 'RIGHT', 20]
            steps = [[[b'RPUSH', key, value]], [[b'LMOVE', key, to, b'LEFT', b'RIGHT']], [[b'DEL', to]]]
            answer = value
        else:
            key = self.key('waits', 3)
            wait, steps = ['BZPOPMIN', key, 20], [[[b'ZADD', key, b'7', value]], [[b'ZPOPMIN', key]]]
            answer = [key, value, b'7']

        def send(commands):
            self.second.raw(encoded(wait))
            if self.dice.randrange(2):
                time.sleep(0.001)
            first = self.client(*commands[0])
            self.expect(self.second.reply(), answer, wait)
            # What the waiting one took is the second step, with the reply that it would have had.
            taken = answer if kind == 1 else answer[1] if kind == 0 else answer[1:]
            return [first, taken, *(self.client(*words) for words in commands[2:])]
        self.operate(steps, send)

    def big(self):
        number = self.dice.randrange(2)
        if self.dice.randrange(2):
            words = [b'SET', self.key('big', number), self.text(60) * 200_000]
        else:
            words = [b'HSET', self.key('bighash', number), *sum((
                [b'field:%d' % i, self.text(20)] for i in range(5_000)), [])]
        self.operate([[words]], lambda commands: [self.client(*words) for words in commands])

    def look(self):
        """A key must be what it is, in the middle of everything."""
        if not self.history.state:
            return
        key = self.dice.choice(list(self.history.state))
        value, ends = self.history.state[key]
        if key == self.history.counter or (ends is not None and abs(ends - now_ms()) < SLACK_MS):
            return
        (command, more), made = reading(value)
        began = now_ms()
        reply = self.client(command, key, *more)
        self.soak.requests += 1
        if ends is not None and began < ends < now_ms() + SLACK_MS:
            return  # the reply took its time
        if ends is not None and ends < began:
            self.expect(reply, None, [command, key])
        else:
            self.expect(made(reply) if reply is not None else None, value, [command, key])


def encoded(words):
    parts = [b'*%d\r\n' % len(words)]
    for word in words:
        data = word if isinstance(word, bytes) else str(word).encode()
        parts.append(b'$%d\r\n%s\r\n' % (len(data), data))
    return b''.join(parts)


class GroupReader(Player):
    """Sees no half MSET, and under `always` nothing that a kill takes back."""

    def play(self):
        client, last = self.connect(), {}
        for _ in self.rounds():
            name = self.dice.choice(self.soak.histories).name
            strict = self.soak.fsync == 'always'
            values = client('MGET', *[f'{name}:group:{i}' for i in range(GROUP)])
            self.soak.requests += 1
            if len(set(values)) != 1:
                raise Lost(f'half an MSET of {name} was seen: {values}')
            number = int(values[0] or 0)
            if number < last.get(name, 0):
                raise Lost(f'{name}: {last[name]} was read, and then {number}')
            last[name] = number
            if strict and self.soak.fsync == 'always':
                self.soak.seen[name] = max(self.soak.seen.get(name, 0), number)


class Talk(Player):
    """Publishes and counts messages; in RESP3 also invalidations."""

    def play(self):
        listener, speaker = self.connect(), self.connect()
        listener('HELLO', 3)
        listener.raw(encoded(['SUBSCRIBE', self.label]))
        self.expect(listener.reply(), [b'subscribe', self.label.encode(), 1], 'SUBSCRIBE')
        listener('CLIENT', 'TRACKING', 'ON')
        key = f'talk:{self.label}'
        number = 0
        for _ in self.rounds(0.002):
            number += 1
            self.expect(speaker('PUBLISH', self.label, number), 1, 'PUBLISH')
            self.expect(self.heard(listener), [b'message', self.label.encode(), b'%d' % number], 'the message')
            speaker('SET', key, number)
            listener.raw(encoded(['GET', key]))
            self.expect(self.heard(listener), b'%d' % number, 'GET of a tracked key')
            speaker('SET', key, 'changed')
            self.expect_invalidation(listener, [b'invalidate', [key.encode()]])
            self.soak.requests += 4

    everything = [b'invalidate', None]  # what a FLUSHDB of another client makes all forget
    late = None

    def heard(self, listener):
        """The next thing that came, but for what such a FLUSHDB makes come, or come late."""
        while True:
            reply = listener.reply()
            if reply == self.everything:
                continue
            if reply is not None and reply == self.late:
                self.late = None
                continue
            return reply

    def expect_invalidation(self, listener, wanted):
        """A FLUSHDB between the GET and the SET has the key forgotten, and then the SET invalidates nothing."""
        reply = listener.reply()
        if reply == self.everything:
            self.late = wanted
        else:
            self.expect(reply, wanted, 'the invalidation')


class Waiters(Player):
    """Clients that wait and give up, or are closed while they wait."""

    def play(self):
        waits = (['BLPOP', 'nothing:1', 'nothing:2', 0.05], ['BZPOPMIN', 'nothing:3', 0.05],
                 ['BLMOVE', 'nothing:1', 'nothing:4', 'LEFT', 'LEFT', 0.05], ['WAIT', 1, 20],
                 ['XREAD', 'BLOCK', 50, 'STREAMS', 'nothing:5', '$'],
                 ['BLMPOP', 0.05, 2, 'nothing:1', 'nothing:6', 'LEFT'])
        for _ in self.rounds(0.01):
            crowd = [self.connect() for _ in range(8)]
            for client in crowd:
                client.raw(encoded(self.dice.choice(waits)))
            for client in crowd[:5]:
                reply = client.reply()
                if isinstance(reply, ErrorReply):
                    raise Lost(f'a wait answered {reply}')
            for client in crowd:
                client.close()
                self.clients.remove(client)
            self.soak.requests += 5


class Wild(Player):
    """Commands of every kind with arguments of every kind, in a database of their own."""

    def play(self):
        from diff import Generator
        from grammar import GRAMMAR
        names = [name for name in GRAMMAR if name not in WILD_NEVER]
        generator = Generator(self.dice.randrange(1 << 30), names, True)
        client = self.connect()
        client('SELECT', self.soak.life % 3 + 5)
        for _ in self.rounds(0.01):
            operations = generator.batch(50)
            client.raw(b''.join(encoded(op.words) for op in operations))
            for _ in operations:
                client.reply()
            self.soak.requests += len(operations)
            if self.dice.randrange(60) == 0:
                client('FLUSHDB')


WILD_NEVER = {'FLUSHALL', 'SWAPDB', 'SELECT', 'MOVE', 'COPY', 'KEYS', 'DBSIZE', 'SCAN', 'RANDOMKEY', 'RESET'}

# What may change while the server runs, with values that nothing that it promised depends on.
SETTINGS = {
    'hash-max-listpack-entries': (4, 128), 'hash-max-listpack-value': (16, 64), 'hz': (1, 10, 100),
    'zset-max-listpack-entries': (4, 128), 'set-max-intset-entries': (4, 512),
    'set-max-listpack-entries': (4, 128), 'list-max-listpack-size': (3, -2), 'stream-node-max-entries': (3, 100),
    'notify-keyspace-events': ('', 'KEA', 'Ex'), 'slowlog-log-slower-than': (0, 10_000, -1),
    'slowlog-max-len': (10, 128), 'latency-tracking': ('yes', 'no'), 'timeout': (0, 300),
    'tracking-table-max-keys': (100, 1_000_000), 'maxclients': (5_000, 10_000),
    'auto-aof-rewrite-percentage': (0, 100), 'auto-aof-rewrite-min-size': ('1mb', '64mb'),
    'appendonly-backlog-limit': ('4mb', '64mb'), 'save': ('', '1 100', '3600 1'),
    'maxmemory': (0, '8gb'), 'maxmemory-policy': ('noeviction', 'allkeys-lru', 'volatile-ttl'),
    'blocking-wakeup-batch-size': (2, 64), 'lazyfree-lazy-user-flush': ('yes', 'no'),
    'proto-max-bulk-len': ('16mb', '64mb'), 'client-query-buffer-limit': ('64mb', '1gb'),
    'tcp-keepalive': (0, 300), 'maxmemory-samples': (3, 10),
}


class Operator(Player):
    """Saves, rewrites, asks, and changes settings, appendfsync among them."""

    def play(self):
        client = self.connect()
        for _ in self.rounds(0.1):
            draw = self.dice.randrange(20)
            if draw < 2:
                self.save(client, 'BGSAVE' if draw else 'BGREWRITEAOF')
            elif draw < 8:
                name = self.dice.choice(list(SETTINGS))
                value = self.dice.choice(SETTINGS[name])
                self.expect(client('CONFIG', 'SET', name, value), 'OK', ['CONFIG SET', name, value])
            elif draw == 8 and self.dice.randrange(5) == 0:
                self.change_fsync(client)
            else:
                words = self.dice.choice((['INFO', 'everything'], ['CLIENT', 'LIST'], ['SLOWLOG', 'GET'],
                                          ['MEMORY', 'STATS'], ['CONFIG', 'GET', '*'], ['DBSIZE'],
                                          ['LATENCY', 'HISTOGRAM'], ['COMMAND', 'COUNT'],
                                          ['PUBSUB', 'CHANNELS'], ['TIME'], ['MEMORY', 'PURGE']))
                reply = client(*words)
                if isinstance(reply, ErrorReply):
                    raise Lost(f'{words} answered {reply}')
            self.soak.requests += 1

    def save(self, client, command):
        reply = client(command)
        if isinstance(reply, ErrorReply) and 'progress' not in reply and 'child process' not in reply:
            raise Lost(f'{command} answered {reply}')

    def change_fsync(self, client):
        mode = self.dice.choice(('always', 'everysec'))
        if mode == 'everysec':
            self.soak.fsync = mode  # before it holds: from now on nothing is promised under `always`
        self.expect(client('CONFIG', 'SET', 'appendfsync', mode), 'OK', 'CONFIG SET appendfsync')
        self.soak.fsync = mode


class Walker(Player):
    """SCAN, KEYS, SORT and other long reads."""

    def play(self):
        client = self.connect()
        for _ in self.rounds(0.2):
            cursor = b'0'
            while not self.soak.ending.is_set():
                cursor, _ = client('SCAN', cursor, 'COUNT', 200)
                self.soak.requests += 1
                if cursor == b'0':
                    break
            for words in (['KEYS', '*'], ['RANDOMKEY'], ['DBSIZE'],
                          ['SUNION', *[f'{h.name}:set:{i}' for h in self.soak.histories for i in range(KEYS)]]):
                reply = client(*words)
                if isinstance(reply, ErrorReply):
                    raise Lost(f'{words[0]} answered {reply}')
                self.soak.requests += 1


def everybody(soak):
    return ([Writer(soak, history) for history in soak.histories] +
            [kind(soak, f'{kind.__name__.lower()}{i}') for kind in (
                GroupReader, Talk, Waiters, Wild, Operator, Walker) for i in range(1)])


def new_histories(count):
    return [History(f'w{i}') for i in range(count)]
