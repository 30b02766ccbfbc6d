"""Calls for a slot that its new owner has in a moment wait and are answered as if nothing had been: with a topology
file whose fence the test lifts, and on etcd, with a former owner that is stopped or that is under load."""
import contextlib
import signal
import threading

from cluster import IDS, KEYS, SLOTS, THIRDS, Clients, Nodes, moved, slot_of, wait_until
from etcd import NOT_SERVED, Etcd, tried
from etcd import Nodes as EtcdNodes
from harness import Client, ErrorReply, encoded, expect, expect_true
from slots_in_motion import COUNTERS, WRITERS, Writer

SLOT = KEYS['b']
ROUNDS = 6


def run(server, report):
    if 'slotcar' not in str(server.binary):
        return report.skip('slots that come', 'fences are Slotcar\'s')
    with Nodes(server.binary) as nodes:
        report.check('calls wait for their slot', calls_wait, nodes)
        report.check('calls of a slot that went elsewhere', went_elsewhere, nodes)
        report.check('a client that leaves meanwhile', leaving_client, nodes)
        report.check('not for ever', not_for_ever, nodes)
        report.check('the end of the server', ending, nodes)
    etcd = Etcd()
    try:
        report.check('a former owner that is stopped', stopped_owner, server.binary, etcd)
        report.check('etcd goes meanwhile', etcd_goes, server.binary, etcd)
        report.check('slots to and fro under load', under_load, server.binary, etcd)
    finally:
        etcd.stop()


# ------------------------------------------------------------------ a file
def give_to_second(nodes, *more):
    nodes.give([(0, SLOT - 1), (SLOT + 1, THIRDS[0][1])], [(SLOT, SLOT), THIRDS[1]], [THIRDS[2]], more=more)


def fence(nodes):
    """The second node is the owner, and the first has not confirmed that."""
    give_to_second(nodes, f'fence {IDS[0]} {SLOT}')


def is_silent(client):
    """Nothing more has come."""
    client.socket.setblocking(False)
    come = client.file.peek(1)
    client.socket.settimeout(60)
    return not come


class Waiting:
    """Clients of the second node, each of which has sent some requests. `others` is a key of that node."""

    def __init__(self, nodes, *lists, others='c'):
        self.nodes, self.lists = nodes, lists
        self.clients = [Client(nodes.ports[1]) for _ in lists]
        for client, requests in zip(self.clients, lists):
            client.raw(b''.join(encoded(*request) for request in [('ECHO', 'here'), *requests]))
        for client in self.clients:
            expect(client.reply(), b'here', 'what needs no slot is answered')
        with nodes.servers[1].client() as other:
            for i in range(2):
                expect(other('SET', f'{{{others}}}{i}', 1), 'OK', 'others are served')

    def is_silent(self):
        return all(is_silent(client) for client in self.clients)

    def replies(self):
        return [[client.reply() for _ in requests] for client, requests in zip(self.clients, self.lists)]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for client in self.clients:
            client.close()


def calls_wait(nodes):
    many = [f'{{b}}{i}' for i in range(3000)]
    fence(nodes)
    with nodes.clients() as clients:
        second = clients[1]
        expect(second('SPUBLISH', 'b', 'x'), NOT_SERVED, 'a channel')
        expect(second('MGET', 'b', 'c'), ErrorReply("CROSSSLOT Keys in request don't hash to the same slot"))
        expect(clients[0]('GET', 'b'), moved(nodes, 'b', 1))
    with Waiting(nodes,
                 [('SET', '{b}1', 'x'), ('APPEND', '{b}1', 'y'), ('GET', '{b}1'), ('PING',)],
                 [('EVAL', "return redis.call('INCR', KEYS[1])", 1, '{b}2'), ('GET', '{b}2')],
                 [('BLPOP', '{b}3', '0.001')],
                 [('MSET', *[word for key in many for word in (key + 'm', 'v')]), ('EXISTS', *[key + 'm' for key in many])],
                 [('RESTORE', '{b}4', 0, 'x')],
                 [('SORT', '{b}6', 'STORE', '{b}7')]) as waiting:
        expect_true(waiting.is_silent(), 'a reply before the slot is here')
        with nodes.servers[1].client() as other:
            expect([other('WATCH', '{b}8'), other('MULTI'), other('INCR', '{b}8')], ['OK', 'OK', 'QUEUED'])
            other.raw(encoded('EXEC'))
            with nodes.servers[1].client() as third:
                expect(third('SET', 'c', 2), 'OK')
            expect_true(is_silent(other), 'EXEC waits, too')
            give_to_second(nodes)
            expect(other.reply(), [1])
        expect(waiting.replies(), [['OK', 2, b'xy', 'PONG'], [1, b'1'], [None], ['OK', len(many)],
                                   [ErrorReply('ERR DUMP payload version or checksum are wrong')], [0]])
    give_back(nodes)


def give_back(nodes):
    """The file moves no keys: they are removed first."""
    with nodes.clients() as clients:
        clients[1]('FLUSHALL')
    nodes.give(*[[part] for part in THIRDS])


def went_elsewhere(nodes):
    fence(nodes)
    with Waiting(nodes, [('GET', 'b')], [('SET', 'b', 1)]) as waiting:
        expect_true(waiting.is_silent(), 'they wait')
        nodes.give(*[[part] for part in THIRDS])
        expect(waiting.replies(), [[moved(nodes, 'b', 0)]] * 2)


def leaving_client(nodes):
    fence(nodes)
    with Waiting(nodes, [('INCR', 'b')], [('INCR', 'b')]) as waiting:
        waiting.clients.pop().close()
        waiting.lists = waiting.lists[:1]
        give_to_second(nodes)
        [[count]] = waiting.replies()
        expect_true(count in (1, 2), 'it stays as it is whether the other one was run')
    give_back(nodes)


def not_for_ever(nodes):
    """Twice the time of a lease; and then those that come later do not wait at all."""
    with nodes.clients() as clients:
        expect(clients[1]('CONFIG', 'SET', 'cluster-node-timeout', 1000), 'OK')
        fence(nodes)
        expect([clients[1]('GET', 'b'), clients[1]('SET', 'b', 1)], [NOT_SERVED] * 2)
        give_to_second(nodes)
        wait_until(lambda: clients[1]('SET', 'b', 1) == 'OK', 'the slot')
        expect(clients[1]('CONFIG', 'SET', 'cluster-node-timeout', 15000), 'OK')
    give_back(nodes)


def ending(nodes):
    fence(nodes)
    with Waiting(nodes, [('SET', 'b', 1)]) as waiting:
        nodes.servers[1].process.terminate()
        expect(nodes.servers[1].process.wait(60), 0)
        expect_true(waiting.clients[0].closed(), 'no reply')


# ------------------------------------------------------------------ etcd
def stopped_owner(binary, etcd):
    """Its lease has to end first. (The one who waits need not wait for the rest of the cluster.)"""
    with EtcdNodes(binary, etcd, 2, '--cluster-require-full-coverage', 'no', prefix='waits') as nodes:
        nodes.create()
        a, b = nodes.servers
        expect_true(slot_of('b') < SLOTS // 2, 'a key of the first node')
        a.process.send_signal(signal.SIGSTOP)
        try:
            expect(b('CLUSTER', 'SETSLOT', SLOT, 'NODE', b.id()), 'OK')
            expect(b('SET', 'b', 1), 'OK')
            expect_true('master,fail' in b('CLUSTER', 'NODES').decode(), 'before the end of the other one\'s lease')
        finally:
            a.process.send_signal(signal.SIGCONT)
        wait_until(lambda: tried(a, 'GET', 'b') == moved(nodes, 'b', 1), 'MOVED')


def etcd_goes(binary, etcd):
    """With etcd the new owner loses its lease: a call that waits is neither run nor answered."""
    with EtcdNodes(binary, etcd, 2, '--cluster-require-full-coverage', 'no', prefix='goes') as nodes:
        nodes.create()
        a, b = nodes.servers
        a.process.send_signal(signal.SIGSTOP)
        try:
            expect(b('CLUSTER', 'SETSLOT', SLOT, 'NODE', b.id()), 'OK')
            with Waiting(nodes, [('SET', 'b', 1)], others='foo') as waiting:
                etcd.kill()
                expect_true(waiting.clients[0].closed(), 'a reply')
        finally:
            a.process.send_signal(signal.SIGCONT)
            if etcd.process.poll() is not None:
                etcd.start()
        wait_until(lambda: tried(b, 'EXISTS', 'b') == 0, 'the slot, without the key')


def move(source, target, slot):
    """The slot of `b`, as redis-cli does it."""
    expect(target('CLUSTER', 'SETSLOT', slot, 'IMPORTING', source.id()), 'OK')
    expect(source('CLUSTER', 'SETSLOT', slot, 'MIGRATING', target.id()), 'OK')
    with source.client() as client:
        while keys := client('CLUSTER', 'GETKEYSINSLOT', slot, 10):
            said = client('MIGRATE', '127.0.0.1', target.port, '', 0, 20000, 'KEYS', *keys)
            expect_true(said in ('OK', 'NOKEY'), f'MIGRATE: {said}')
    expect(target('CLUSTER', 'SETSLOT', slot, 'NODE', target.id()), 'OK')
    wait_until(lambda: str(source('EXISTS', 'b')).startswith('MOVED '), 'the former owner knows')


class Load:
    """What a Writer asks of its nodes."""

    def __init__(self, nodes):
        self.ports = nodes.ports

    def clients(self):
        return contextlib.closing(Clients(self))


def under_load(binary, etcd):
    """Clients that only follow MOVED, ASK and TRYAGAIN never meet another error."""
    with EtcdNodes(binary, etcd, 2, prefix='load') as nodes:
        nodes.create()
        stop = threading.Event()
        writers = [Writer(Load(nodes), i, stop) for i in range(WRITERS)]
        for writer in writers:
            writer.start()
        try:
            for _ in range(ROUNDS):
                for source, target in (nodes.servers, nodes.servers[::-1]):
                    move(source, target, SLOT)
        finally:
            stop.set()
            for writer in writers:
                writer.join()
        for writer in writers:
            if writer.error:
                raise writer.error
        a = nodes.servers[0]
        for i in range(COUNTERS):
            expect(int(a('GET', f'{{b}}c{i}') or 0), sum(writer.counts[i] for writer in writers), f'counter {i}')
        pairs = sum(writer.pairs for writer in writers)
        expect(a('MGET', '{b}left', '{b}right'), [b'%d' % pairs] * 2)
        expect_true(pairs > 10, 'there was load')
