"""Three nodes of one topology file: replies, redirections, real clients, a topology that changes under load."""
import contextlib
import logging
import pathlib
import shutil
import subprocess
import tempfile
import threading
import time

from harness import Client, ErrorReply, Failed, Server, expect, expect_true, free_port
from programs import Program, node_is_ready

IDS = ['a' * 40, 'b' * 40, 'c' * 40]
SLOTS = 16384
THIRDS = [(0, 5460), (5461, 10922), (10923, SLOTS - 1)]
# Keys and their slots; the first is of node 0, the second of node 1, the third of node 2.
KEYS = {'b': 3300, 'c': 7365, 'foo': 12182}
FILE_REFUSES = ErrorReply('ERR The topology of this cluster comes from a file (cluster-topology) and cannot be '
                          'changed by commands: change the file, and all nodes follow')


def slot_of(key):
    tag = key
    if '{' in key:
        inner = key[key.index('{') + 1:]
        if '}' in inner and inner.index('}') > 0:
            tag = inner[:inner.index('}')]
    crc = 0
    for byte in tag.encode():
        crc ^= byte << 8
        for _ in range(8):
            crc = (crc << 1 ^ 0x1021 if crc & 0x8000 else crc << 1) & 0xFFFF
    return crc % SLOTS


class Nodes:
    """A topology file, and a server for each node that it names."""

    def __init__(self, binary, *options):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix='slotcar-cluster.'))
        self.file = self.folder / 'nodes.topology'
        self.ports = [free_port() for _ in IDS]
        self.servers = []
        self.epoch = 0
        self.give(*[[part] for part in THIRDS])
        try:
            for port in self.ports:
                self.servers.append(Server(binary, '--cluster-enabled', 'yes', '--cluster-topology',
                                           f'file:{self.file}', *options, port=port))
        except BaseException:
            self.stop()
            raise

    def text(self, *ranges, more=(), attributes=('', '', '')):
        self.epoch += 1
        lines = ['slotcar-topology 1', f'epoch {self.epoch}']
        lines += [f'node {name} ip=127.0.0.1 port={port} {attribute}'
                  for name, port, attribute in zip(IDS, self.ports, attributes)]
        lines += [f'slots {name} ' + ' '.join(f'{first}-{last}' for first, last in part)
                  for name, part in zip(IDS, ranges) if part]
        return '\n'.join([*lines, *more, 'end', ''])

    def write(self, text):
        fresh = self.folder / 'fresh'
        fresh.write_text(text)
        fresh.rename(self.file)

    def give(self, *ranges, **options):
        """The file, and once they are there all nodes, have these slots."""
        self.write(self.text(*ranges, **options))
        for server in self.servers:
            wait_until(lambda: f'cluster_current_epoch:{self.epoch}\r\n' in info(server), 'the new topology')

    def clients(self):
        return contextlib.closing(Clients(self))

    def stop(self):
        for server in self.servers:
            server.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


class Clients(list):
    def __init__(self, nodes):
        super().__init__(Client(port) for port in nodes.ports)

    def close(self):
        for client in self:
            client.close()


def info(server):
    with server.client() as client:
        return client('CLUSTER', 'INFO').decode()


def wait_until(condition, what):
    until = time.monotonic() + 60
    while not condition():
        if time.monotonic() > until:
            raise Failed(f'{what} did not come')
        time.sleep(0.01)


def moved(nodes, key, node, word='MOVED'):
    return ErrorReply(f'{word} {slot_of(key)} 127.0.0.1:{nodes.ports[node]}')


CROSSSLOT = ErrorReply("CROSSSLOT Keys in request don't hash to the same slot")


# ------------------------------------------------------------------ replies of CLUSTER
def replies(nodes):
    def node(i):
        return [b'127.0.0.1', nodes.ports[i], IDS[i].encode(), []]

    with nodes.clients() as clients:
        a = clients[0]
        expect(a('CLUSTER', 'SLOTS'), [[first, last, node(i)] for i, (first, last) in enumerate(THIRDS)])
        expect(a('CLUSTER', 'MYID'), IDS[0].encode())
        expect(clients[2]('CLUSTER', 'MYID'), IDS[2].encode())
        expect(a('CLUSTER', 'MYSHARDID'), IDS[0].encode())
        expect(a('CLUSTER', 'KEYSLOT', 'foo'), 12182)
        expect(a('CLUSTER', 'KEYSLOT', 'x{foo}y'), 12182)
        expect(a('CLUSTER', 'REPLICAS', IDS[1]), [])
        expect(a('CLUSTER', 'COUNT-FAILURE-REPORTS', IDS[1]), 0)
        expect(a('CLUSTER', 'REPLICAS', 'x'), ErrorReply('ERR Unknown node x'))
        shards = a('CLUSTER', 'SHARDS')
        expect(len(shards), 3)
        expect(shards[1][:2], [b'slots', [5461, 10922]])
        expect(shards[1][3], [[b'id', IDS[1].encode(), b'port', nodes.ports[1], b'ip', b'127.0.0.1', b'endpoint',
                               b'127.0.0.1', b'role', b'master', b'replication-offset', 0, b'health', b'online']])
        expect(a('CLUSTER', 'NODES').decode().splitlines(), [
            f'{IDS[i]} 127.0.0.1:{nodes.ports[i]}@0 {"myself," if i == 0 else ""}master - 0 0 {nodes.epoch} '
            f'connected {first}-{last}' for i, (first, last) in enumerate(THIRDS)])
        lines = dict(line.split(':') for line in a('CLUSTER', 'INFO').decode().split('\r\n') if line)
        for name, value in (('cluster_state', 'ok'), ('cluster_slots_assigned', '16384'), ('cluster_size', '3'),
                            ('cluster_known_nodes', '3'), ('cluster_current_epoch', str(nodes.epoch))):
            expect(lines[name], value, name)
        expect_true('cluster_enabled:1' in a('INFO', 'cluster').decode(), 'INFO cluster')
        expect_true('redis_mode:cluster' in a('INFO', 'server').decode(), 'INFO server')
        expect(a('CLUSTER', 'HELP')[0], 'CLUSTER <subcommand> [<arg> [value] [opt] ...]. Subcommands are:')
        hello = a('HELLO', '3')
        expect(hello[b'mode'], b'cluster')
        expect(a('CLUSTER', 'SLOTS')[0], [0, 5460, [*node(0)[:3], {}]])
        expect(a('CLUSTER', 'SHARDS')[0][b'nodes'][0][b'role'], b'master')
        expect_true(a('CLUSTER', 'NODES').startswith(IDS[0].encode()), 'a verbatim text')


def keys_of_a_slot(nodes):
    with nodes.clients() as clients:
        a = clients[0]
        names = sorted(f'{{b}}{i}'.encode() for i in range(700))
        for name in names:
            a('SET', name, 'x')
        expect(a('CLUSTER', 'COUNTKEYSINSLOT', KEYS['b']), 700)
        expect(sorted(a('CLUSTER', 'GETKEYSINSLOT', KEYS['b'], 10000)), names)
        few = a('CLUSTER', 'GETKEYSINSLOT', KEYS['b'], 300)
        expect(len(set(few) & set(names)), 300)
        expect(a('CLUSTER', 'GETKEYSINSLOT', KEYS['b'], 0), [])
        expect(a('CLUSTER', 'COUNTKEYSINSLOT', 16384), ErrorReply('ERR Invalid slot'))
        expect(a('CLUSTER', 'COUNTKEYSINSLOT', 'x'), ErrorReply('ERR value is not an integer or out of range'))
        expect(a('CLUSTER', 'GETKEYSINSLOT', 0, -1), ErrorReply('ERR Invalid slot or number of keys'))
        expect(a('CLUSTER', 'GETKEYSINSLOT', -1, 1), ErrorReply('ERR Invalid slot or number of keys'))
        expect(a('DEL', *names), 700)


def slot_stats(nodes):
    def row(slot, keys):
        return [slot, [b'key-count', keys]]

    with nodes.clients() as clients:
        a, b, _ = clients
        for number in range(3):
            expect(a('SET', f'{{b}}{number}', 1), 'OK')
        for key in ('{b}3', '{b}4'):
            expect(a('SET', key, 1), 'OK')
        other = next(f'k{i}' for i in range(10_000) if 100 < slot_of(f'k{i}') < 3000)
        expect(a('SET', other, 1), 'OK')
        expect(a('CLUSTER', 'SLOT-STATS', 'SLOTSRANGE', 3299, 3301), [row(3299, 0), row(3300, 5), row(3301, 0)])
        expect(a('CLUSTER', 'SLOT-STATS', 'SLOTSRANGE', 5460, 5462), [row(5460, 0)], 'only slots of this node')
        expect(b('CLUSTER', 'SLOT-STATS', 'SLOTSRANGE', 3300, 3300), [])
        top = [row(3300, 5), row(slot_of(other), 1), row(0, 0)]
        expect(a('CLUSTER', 'SLOT-STATS', 'ORDERBY', 'KEY-COUNT', 'LIMIT', 3), top)
        expect(a('CLUSTER', 'SLOT-STATS', 'ORDERBY', 'key-count', 'DESC', 'LIMIT', 3), top)
        expect(a('CLUSTER', 'SLOT-STATS', 'ORDERBY', 'key-count', 'ASC', 'LIMIT', 2), [row(0, 0), row(1, 0)])
        ascending = a('CLUSTER', 'SLOT-STATS', 'ORDERBY', 'key-count', 'ASC')
        expect(len(ascending), 5461)
        expect(ascending[-2:], [row(slot_of(other), 1), row(3300, 5)])
        expect(len(a('CLUSTER', 'SLOT-STATS', 'SLOTSRANGE', 0, SLOTS - 1)), 5461)
        a('HELLO', 3)
        expect(a('CLUSTER', 'SLOT-STATS', 'SLOTSRANGE', 3300, 3300), [[3300, {b'key-count': 5}]])
        a('HELLO', 2)
        wrong = "ERR unknown subcommand or wrong number of arguments for 'SLOT-STATS'. Try CLUSTER HELP."
        limit = 'ERR Limit has to lie in between 1 and 16384 (maximum number of slots).'
        for words, error in ((('SLOTSRANGE', 5, 4), 'ERR Start slot number 5 is greater than end slot number 4'),
                             (('SLOTSRANGE', 0, SLOTS), 'ERR Invalid or out of range slot'),
                             (('SLOTSRANGE', 'x', 1), 'ERR Invalid or out of range slot'),
                             (('SLOTSRANGE', 1), wrong),
                             (('ORDERBY', 'cpu-usec'), 'ERR Unrecognized sort metric for ORDERBY.'),
                             (('ORDERBY', 'memory-bytes'), 'ERR Unrecognized sort metric for ORDERBY.'),
                             (('ORDERBY', 'key-count', 'LIMIT', 0), limit),
                             (('ORDERBY', 'key-count', 'LIMIT', SLOTS + 1), limit),
                             (('ORDERBY', 'key-count', 'LIMIT'), 'ERR syntax error'),
                             (('ORDERBY', 'key-count', 'UP'), 'ERR syntax error'),
                             (('ORDERBY', 'key-count', 'ASC', 'DESC'),
                              'ERR you cannot provide multiple filters of the same type.'),
                             (('NOTHING', 1, 2), wrong)):
            expect(a('CLUSTER', 'SLOT-STATS', *words), ErrorReply(error), words)
        expect(a('DEL', *[f'{{b}}{number}' for number in range(5)]), 5)
        expect(a('DEL', other), 1)


def no_changes_by_commands(nodes):
    with nodes.clients() as clients:
        a = clients[0]
        for words in ('ADDSLOTS 1', 'ADDSLOTSRANGE 1 2', 'DELSLOTS 1', 'DELSLOTSRANGE 1 2', 'FLUSHSLOTS',
                      f'SETSLOT 1 NODE {IDS[1]}', 'MEET 127.0.0.1 1', f'FORGET {IDS[1]}', 'RESET HARD', 'BUMPEPOCH',
                      'SET-CONFIG-EPOCH 5', 'SAVECONFIG'):
            expect(a('CLUSTER', *words.split()), FILE_REFUSES, words)
        for words in (f'REPLICATE {IDS[1]}', 'FAILOVER'):
            expect_true('Replication is not implemented yet' in a('CLUSTER', *words.split()), words)


# ------------------------------------------------------------------ redirections
def redirections(nodes):
    with nodes.clients() as clients:
        a, b, c = clients
        expect(a('SET', 'b', '1'), 'OK')
        expect(a('GET', 'foo'), moved(nodes, 'foo', 2))
        expect(c('SET', 'c', '1'), moved(nodes, 'c', 1))
        expect(a('MSET', 'b', 1, 'c', 2), CROSSSLOT)
        expect(a('MSET', '{b}1', 1, '{b}2', 2), 'OK')
        expect(a('SET', 'foo', 'x', 'NX', 'XX'), moved(nodes, 'foo', 2), 'before the handler')
        expect(a('GET', 'foo', 'x'), ErrorReply("ERR wrong number of arguments for 'get' command"))
        expect(a('XREAD', 'STREAMS', 'c', '0'), moved(nodes, 'c', 1))
        expect(a('SORT', '{b}l', 'STORE', 'foo'), CROSSSLOT)
        expect(a('PING'), 'PONG')
        expect(a('DBSIZE'), 3)
        expect(a('OBJECT', 'ENCODING', 'foo'), moved(nodes, 'foo', 2))
        expect(a('DEL', 'b', '{b}1', '{b}2'), 3)
        many = [f'{{foo}}{i}' for i in range(3000)]
        expect(a('MGET', *many), moved(nodes, 'foo', 2))
        expect(c('MGET', *many, 'b'), CROSSSLOT)
        expect(c('MGET', *many), [None] * 3000)
        a.raw(b'GET b\r\nGET foo\r\nGET b\r\n')
        expect([a.reply() for _ in range(3)], [None, moved(nodes, 'foo', 2), None])


def one_database(nodes):
    with nodes.clients() as clients:
        a = clients[0]
        expect(a('SELECT', 0), 'OK')
        expect(a('SELECT', 1), ErrorReply('ERR SELECT is not allowed in cluster mode'))
        expect(a('SELECT', 'x'), ErrorReply('ERR value is not an integer or out of range'))
        expect(a('SWAPDB', 0, 1), ErrorReply('ERR SWAPDB is not allowed in cluster mode'))
        expect(a('MOVE', 'b', 1), ErrorReply('ERR MOVE is not allowed in cluster mode'))
        expect(a('COPY', 'b', '{b}2', 'DB', 1),
               ErrorReply('ERR Copying to another database is not allowed in cluster mode'))
        expect(a('COPY', 'b', '{b}2', 'DB', 0), 0)
        expect(a('SORT', 'b', 'BY', 'w_*'), ErrorReply('ERR BY option of SORT denied in Cluster mode.'))
        expect(a('SORT', 'b', 'GET', '#'), ErrorReply('ERR GET option of SORT denied in Cluster mode.'))
        expect(a('SORT', 'b', 'BY', 'nosort'), [])
        expect(a('PUBLISH', 'x', 'y'), 0)
        expect([a('MULTI'), a('SELECT', 1), a('EXEC')],
               ['OK', 'QUEUED', [ErrorReply('ERR SELECT is not allowed in cluster mode')]])
        expect_true('SELECT is not allowed' in a('EVAL', "return redis.call('select', 1)", 0), 'by a script')


def transactions(nodes):
    with nodes.clients() as clients:
        a = clients[0]
        aborted = ErrorReply('EXECABORT Transaction discarded because of previous errors.')
        expect([a('MULTI'), a('SET', 'b', 1), a('INCR', 'b'), a('EXEC')], ['OK', 'QUEUED', 'QUEUED', ['OK', 2]])
        expect([a('MULTI'), a('SET', 'foo', 1), a('SET', 'b', 5), a('EXEC')],
               ['OK', moved(nodes, 'foo', 2), 'QUEUED', aborted])
        # Each command by itself; they are compared at EXEC.
        other = next(f'k{i}' for i in range(1000) if slot_of(f'k{i}') < 5461)
        expect([a('MULTI'), a('SET', 'b', 7), a('SET', other, 7), a('EXEC')], ['OK', 'QUEUED', 'QUEUED', CROSSSLOT])
        expect(a('GET', 'b'), b'2')
        expect(a('EXEC'), ErrorReply('ERR EXEC without MULTI'), 'it is over')
        expect([a('MULTI'), a('MSET', 'b', 1, other, 2), a('EXEC')], ['OK', CROSSSLOT, aborted])
        expect(a('WATCH', 'foo'), moved(nodes, 'foo', 2))
        expect(a('WATCH', 'b', other), CROSSSLOT)
        expect([a('WATCH', 'b'), a('SET', 'b', 3), a('MULTI'), a('GET', 'b'), a('EXEC')],
               ['OK', 'OK', 'OK', 'QUEUED', None])
        expect(a('DEL', 'b'), 1)


def scripts(nodes):
    with nodes.clients() as clients:
        a = clients[0]
        other = next(f'k{i}' for i in range(1000) if slot_of(f'k{i}') < 5461)
        two = "redis.call('set', ARGV[1], 1) redis.call('set', ARGV[2], 2) return 'done'"
        elsewhere = 'Script attempted to access a non local key in a cluster node'
        crossing = 'Script attempted to access keys that do not hash to the same slot'
        expect(a('EVAL', 'return KEYS[1]', 1, 'foo'), moved(nodes, 'foo', 2))
        expect(a('EVAL', 'return 1', 2, 'b', other), CROSSSLOT)
        expect(a('EVAL', two, 0, 'b', other), b'done', 'without flags, as ever')
        expect_true(elsewhere in a('EVAL', two, 0, 'b', 'foo'), 'a key of another node')
        expect_true(crossing in a('EVAL', '#!lua\n' + two, 0, 'b', other), 'two slots')
        expect_true(crossing in a('EVAL', '#!lua\n' + two, 1, '{b}', other, '{b}'), 'not the slot of its keys')
        expect(a('EVAL', '#!lua\n' + two, 0, 'b', '{b}2'), b'done')
        expect(a('EVAL', '#!lua flags=allow-cross-slot-keys\n' + two, 0, 'b', other), b'done')
        expect(a('EVAL', '#!lua flags=no-cluster\nreturn 1', 0),
               ErrorReply("ERR Can not run script on cluster, 'no-cluster' flag is set."))
        library = "#!lua name=lib\nredis.register_function('f', function(keys, args) " \
                  "redis.call('set', args[1], 1) redis.call('set', args[2], 2) return 'done' end)"
        expect(a('FUNCTION', 'LOAD', library), b'lib')
        expect(a('FCALL', 'f', 1, 'foo'), moved(nodes, 'foo', 2))
        expect_true(crossing in a('FCALL', 'f', 0, 'b', other), 'a function')
        expect(a('FCALL', 'f', 0, 'b', '{b}2'), b'done')
        expect(a('FUNCTION', 'DELETE', 'lib'), 'OK')
        a('DEL', 'b', '{b}2')
        a('DEL', other)


def shard_channels(nodes):
    with nodes.clients() as clients:
        a, b, c = clients
        expect(a('SSUBSCRIBE', 'foo'), moved(nodes, 'foo', 2))
        expect(a('SSUBSCRIBE', 'b', 'c'), CROSSSLOT)
        expect(a('SPUBLISH', 'foo', 'x'), moved(nodes, 'foo', 2))
        expect(c('SSUBSCRIBE', 'foo'), [b'ssubscribe', b'foo', 1])
        with Client(nodes.ports[2]) as publisher:
            expect(publisher('SPUBLISH', 'foo', 'hello'), 1)
        expect(c.reply(), [b'smessage', b'foo', b'hello'])
        expect(a('SUBSCRIBE', 'foo'), [b'subscribe', b'foo', 1], 'an ordinary channel has no slot')


def readonly(nodes):
    with nodes.clients() as clients:
        a = clients[0]
        expect([a('READONLY'), a('GET', 'foo'), a('READWRITE')], ['OK', moved(nodes, 'foo', 2), 'OK'])
        expect([a('ASKING'), a('GET', 'foo')], ['OK', moved(nodes, 'foo', 2)])


# ------------------------------------------------------------------ slots in motion
def asking(nodes):
    """A slot that goes from node 0 to node 1, key by key."""
    with nodes.clients() as clients:
        a, b, _ = clients
        again = ErrorReply('TRYAGAIN Multiple keys request during rehashing of slot')
        expect(a('SET', '{b}here', 1), 'OK')
        nodes.give(*[[part] for part in THIRDS], more=[f'move {KEYS["b"]} {IDS[1]}'])
        expect(a('GET', '{b}here'), b'1')
        expect(a('GET', '{b}gone'), moved(nodes, 'b', 1, 'ASK'))
        expect(a('MGET', '{b}here', '{b}gone'), again)
        expect(a('MGET', '{b}gone', '{b}lost'), moved(nodes, 'b', 1, 'ASK'))
        expect([a('MULTI'), a('GET', '{b}here'), a('GET', '{b}gone'), a('EXEC')],
               ['OK', 'QUEUED', 'QUEUED', again])
        expect(b('GET', '{b}gone'), moved(nodes, 'b', 0))
        expect([b('ASKING'), b('SET', '{b}gone', 2), b('GET', '{b}gone')],
               ['OK', 'OK', moved(nodes, 'b', 0)], 'for one request')
        expect([b('ASKING'), b('MULTI'), b('GET', '{b}gone'), b('INCR', '{b}gone'), b('EXEC'), b('GET', '{b}gone')],
               ['OK', 'OK', 'QUEUED', 'QUEUED', [b'2', 3], moved(nodes, 'b', 0)], 'until EXEC')
        expect([b('ASKING'), b('MGET', '{b}gone', '{b}here')], ['OK', again])
        b.raw(b'ASKING\r\nGET {b}gone\r\nGET {b}gone\r\n')
        expect([b.reply() for _ in range(3)], ['OK', b'3', moved(nodes, 'b', 0)])
        expect_true(f'[{KEYS["b"]}->-{IDS[1]}]' in a('CLUSTER', 'NODES').decode(), 'what leaves')
        expect_true(f'[{KEYS["b"]}-<-{IDS[0]}]' in b('CLUSTER', 'NODES').decode(), 'what comes')
        expect(a('DEL', '{b}here'), 1)
        expect([b('ASKING'), b('DEL', '{b}gone')], ['OK', 1])
        nodes.give(*[[part] for part in THIRDS])


def blocked_clients(nodes):
    with nodes.clients() as clients:
        a, b, _ = clients
        with Client(nodes.ports[0]) as waiter, Client(nodes.ports[0]) as stays:
            waiter.raw(b'BLPOP {b}list 0\r\n')
            stays.raw(b'BLPOP {stay}list 0\r\n')
            expect_true(slot_of('{stay}') < 5461, 'of node 0')
            wait_until(lambda: b'blocked_clients:2' in a('INFO', 'clients'), 'two blocked clients')
            nodes.give([(0, KEYS['b'] - 1), (KEYS['b'] + 1, 5460)], [(KEYS['b'], KEYS['b']), THIRDS[1]], [THIRDS[2]])
            expect(waiter.reply(), moved(nodes, 'b', 1))
            expect(b('RPUSH', '{b}list', 'x'), 1)
            expect(b('DEL', '{b}list'), 1)
            expect(a('RPUSH', '{stay}list', 'y'), 1)
            expect(stays.reply(), [b'{stay}list', b'y'])
        nodes.give(*[[part] for part in THIRDS])


def down(nodes):
    with nodes.clients() as clients:
        a = clients[0]
        expect(a('SET', 'b', 1), 'OK')
        nodes.give([THIRDS[0]], [THIRDS[1]], [(10923, 16000)])
        expect(a('GET', 'b'), ErrorReply('CLUSTERDOWN The cluster is down'))
        unserved = next(f'k{i}' for i in range(10000) if slot_of(f'k{i}') > 16000)
        expect(a('GET', unserved), ErrorReply('CLUSTERDOWN Hash slot not served'))
        expect_true('cluster_state:fail' in a('CLUSTER', 'INFO').decode(), 'the state')
        expect(a('CONFIG', 'SET', 'cluster-allow-reads-when-down', 'yes'), 'OK')
        expect(a('GET', 'b'), b'1')
        expect(a('SET', 'b', 2), ErrorReply('CLUSTERDOWN The cluster is down and only accepts read commands'))
        expect(a('CONFIG', 'SET', 'cluster-allow-reads-when-down', 'no'), 'OK')
        expect(a('SPUBLISH', 'b', 'x'), 0)
        expect(a('CONFIG', 'SET', 'cluster-allow-pubsubshard-when-down', 'no'), 'OK')
        expect(a('SPUBLISH', 'b', 'x'), ErrorReply('CLUSTERDOWN The cluster is down'))
        expect(a('CONFIG', 'SET', 'cluster-allow-pubsubshard-when-down', 'yes'), 'OK')
        expect(a('CONFIG', 'SET', 'cluster-require-full-coverage', 'no'), 'OK')
        expect(a('DEL', 'b'), 1)
        expect(a('CONFIG', 'SET', 'cluster-require-full-coverage', 'yes'), 'OK')
        nodes.give(*[[part] for part in THIRDS])


def endpoints(nodes):
    with nodes.clients() as clients:
        a = clients[0]
        nodes.give(*[[part] for part in THIRDS], attributes=('', '', 'hostname=c.example tls-port=7'))
        where = f'{nodes.ports[2]}'
        expect(a('CONFIG', 'SET', 'cluster-preferred-endpoint-type', 'hostname'), 'OK')
        expect(a('GET', 'foo'), ErrorReply(f'MOVED 12182 c.example:{where}'))
        expect(a('GET', 'c'), ErrorReply(f'MOVED 7365 ?:{nodes.ports[1]}'))
        expect(a('CLUSTER', 'SLOTS')[2][2],
               [b'c.example', nodes.ports[2], IDS[2].encode(), [b'ip', b'127.0.0.1']])
        expect(a('CONFIG', 'SET', 'cluster-preferred-endpoint-type', 'unknown-endpoint'), 'OK')
        expect(a('GET', 'foo'), ErrorReply(f'MOVED 12182 :{where}'))
        expect(a('CLUSTER', 'SLOTS')[2][2],
               [None, nodes.ports[2], IDS[2].encode(), [b'ip', b'127.0.0.1', b'hostname', b'c.example']])
        expect(a('CONFIG', 'SET', 'cluster-preferred-endpoint-type', 'ip'), 'OK')
        expect(a('CLUSTER', 'SLOTS')[2][2],
               [b'127.0.0.1', nodes.ports[2], IDS[2].encode(), [b'hostname', b'c.example']])
        shard = a('CLUSTER', 'SHARDS')[2][3][0]
        expect(shard[2:8], [b'port', nodes.ports[2], b'tls-port', 7, b'ip', b'127.0.0.1'])
        expect(a('CONFIG', 'SET', 'cluster-announce-hostname', 'a.example'), 'OK')
        expect_true(f'@0,a.example myself,' in a('CLUSTER', 'NODES').decode(), 'the announced name')
        expect(a('CONFIG', 'SET', 'cluster-announce-hostname', ''), 'OK')
        nodes.give(*[[part] for part in THIRDS])


# ------------------------------------------------------------------ the file
def bad_files(nodes):
    """A file that is not valid changes nothing, and the log names line and reason."""
    log = nodes.servers[0].output
    good = nodes.file.read_text()
    with nodes.clients() as clients:
        for text, reason in ((good.replace('end\n', ''), "the last line is not 'end'"),
                             (good.replace('slots', 'slot', 1), "line 6: 'slot' begins no line"),
                             (good.replace(IDS[1], IDS[0]), 'is there twice')):
            nodes.write(text)
            wait_until(lambda: reason in log.read_text(), reason)
            expect(clients[0]('GET', 'b'), None)
            expect(clients[0]('GET', 'foo'), moved(nodes, 'foo', 2))
        nodes.file.unlink()
        wait_until(lambda: 'cannot be read' in log.read_text(), 'a warning')
        expect(clients[0]('GET', 'b'), None)
    nodes.give(*[[part] for part in THIRDS])


def refused_starts(binary):
    folder = pathlib.Path(tempfile.mkdtemp(prefix='slotcar-cluster.'))
    good = f'slotcar-topology 1\nnode {IDS[0]} ip=127.0.0.1 port=7001\nslots {IDS[0]} 0-16383\nend\n'
    (folder / 'good').write_text(good)
    (folder / 'bad').write_text(good.replace('end', 'slots x y'))
    try:
        for options, words in ((('--cluster-topology', f'file:{folder}/none'), 'none'),
                               (('--cluster-topology', f'file:{folder}/bad'), "line 4: 'y' is no range"),
                               (('--cluster-topology', f'file:{folder}/good'), 'no node with the address'),
                               (('--cluster-topology', 'etcd://127.0.0.1:2379'), 'expected a prefix'),
                               (('--cluster-topology', f'file:{folder}/good', '--cluster-node-id', IDS[1]),
                                'has no node b'),
                               ((), 'cluster-topology file:PATH')):
            done = subprocess.run([binary, '--port', str(free_port()), '--dir', str(folder), '--cluster-enabled', 'yes',
                                   *options], capture_output=True, text=True, timeout=60)
            expect_true(done.returncode != 0 and words in done.stdout + done.stderr,
                        f'{options}: {done.returncode} {done.stdout}{done.stderr}')
    finally:
        shutil.rmtree(folder, ignore_errors=True)


# ------------------------------------------------------------------ real clients
def redis_cli(nodes):
    def cli(*words):
        done = subprocess.run(['redis-cli', *words], capture_output=True, text=True, timeout=60)
        return done.stdout + done.stderr

    port = str(nodes.ports[0])
    expect(cli('-c', '-p', port, 'SET', 'foo', 'bar').strip(), 'OK')
    expect(cli('-c', '-p', str(nodes.ports[1]), 'GET', 'foo').strip(), 'bar')
    address = f'127.0.0.1:{port}'
    check = cli('--cluster', 'check', address)
    expect_true('[OK] All nodes agree about slots configuration.' in check, check)
    expect_true('[OK] All 16384 slots covered.' in check, check)
    expect_true('1 keys in 3 masters' in cli('--cluster', 'info', address), 'info')
    expect(cli('--cluster', 'call', address, 'DBSIZE').count('DBSIZE'), 1)
    expect(cli('-c', '-p', port, 'DEL', 'foo').strip(), '1')


def python_cluster(nodes):
    import redis
    cluster = redis.RedisCluster(host='127.0.0.1', port=nodes.ports[0])
    try:
        for i in range(300):
            cluster.set(f'key{i}', i)
        expect([cluster.get(f'key{i}') for i in range(300)], [str(i).encode() for i in range(300)])
        with cluster.pipeline() as pipe:
            for i in range(300):
                pipe.incrby(f'key{i}', 1)
            expect(pipe.execute(), [i + 1 for i in range(300)])
        expect(cluster.mget_nonatomic([f'key{i}' for i in range(50)]), [str(i + 1).encode() for i in range(50)])
        expect(cluster.eval("return redis.call('get', KEYS[1])", 1, 'key7'), b'8')
        expect(cluster.dbsize(target_nodes='all'), 300)
        expect(cluster.delete(*[f'key{i}' for i in range(300)]), 300)
        expect(len(cluster.cluster_slots()), 3)
    finally:
        cluster.close()


def io_cluster(nodes, report):
    if node_is_ready(report, 'ioredis Cluster'):
        Program('ioredis Cluster', ['node', 'cluster_checks.js', *map(str, nodes.ports)]).end(report, 60)


def change_under_load(nodes):
    """The slots of node 0 go to node 1, which has none of their keys, and back, while clients write."""
    import redis
    logging.getLogger('redis.cluster').setLevel(logging.CRITICAL)  # it shows each redirection that it follows
    stop = threading.Event()
    errors, counts = [], [0] * 3

    def patiently(call, *words):
        """Nodes that have not read the same file yet send a client back and forth, until it gives up."""
        while True:
            try:
                return call(*words)
            except redis.exceptions.ClusterError as error:
                if 'TTL exhausted' not in str(error):
                    raise
                if stop.is_set():
                    return None

    def work(number):
        cluster = redis.RedisCluster(host='127.0.0.1', port=nodes.ports[number], cluster_error_retry_attempts=20)
        try:
            while not stop.is_set():
                key = f'load:{number}:{counts[number]}'
                patiently(cluster.set, key, number)
                patiently(cluster.incr, key)
                counts[number] += 1
        except Exception as error:
            errors.append(f'{type(error).__name__}: {error}')
        finally:
            cluster.close()

    threads = [threading.Thread(target=work, args=(i,)) for i in range(3)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(3):
            for ranges in (([], [THIRDS[0], THIRDS[1]], [THIRDS[2]]), tuple([part] for part in THIRDS)):
                before = list(counts)
                nodes.give(*ranges)
                wait_until(lambda: errors or all(now > then + 20 for now, then in zip(counts, before)), 'progress')
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    expect(errors, [])
    # What a node was given while it had the slots is where it was written.
    with nodes.clients() as clients:
        for client in clients:
            client('FLUSHALL')


def run(server, report):
    binary = server.binary
    if 'slotcar' not in str(binary):
        return report.skip('cluster', 'topology files are Slotcar\'s')
    report.check('cluster: starts that are refused', refused_starts, binary)
    with Nodes(binary) as nodes:
        for check in (replies, keys_of_a_slot, slot_stats, no_changes_by_commands, redirections, one_database, transactions,
                      scripts, shard_channels, readonly, asking, blocked_clients, down, endpoints, bad_files, redis_cli,
                      python_cluster, change_under_load):
            report.check(f'cluster: {check.__name__.replace("_", " ")}', check, nodes)
        io_cluster(nodes, report)
