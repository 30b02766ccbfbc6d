"""SETSLOT and MIGRATE in a cluster with a topology in a file: slots that leave and come, key by key, while clients write."""
import threading

import cluster
from cluster import IDS, KEYS, THIRDS, Nodes, moved, slot_of
from harness import Client, ErrorReply, Failed, expect, expect_true
from migrating import to


def run(server, report):
    with Nodes(server.binary) as nodes:
        report.check('SETSLOT', setslot, nodes)
        report.check('a slot in motion', slot_in_motion, nodes)
        report.check('subscribers of a lost slot', lost_channels, nodes)
        report.check('keys to and fro under load', under_load, nodes)


def setslot(nodes):
    slot = KEYS['b']
    with nodes.clients() as clients:
        a, b, _ = clients
        expect(a('CLUSTER', 'SETSLOT', 99999, 'STABLE'), ErrorReply('ERR Invalid or out of range slot'))
        expect(a('CLUSTER', 'SETSLOT', slot, 'MIGRATING', 'x'), ErrorReply("ERR I don't know about node x"))
        expect(b('CLUSTER', 'SETSLOT', slot, 'MIGRATING', IDS[0]), ErrorReply(f"ERR I'm not the owner of hash slot {slot}"))
        expect(a('CLUSTER', 'SETSLOT', slot, 'IMPORTING', IDS[1]),
               ErrorReply(f"ERR I'm already the owner of hash slot {slot}"))
        expect(a('CLUSTER', 'SETSLOT', slot, 'WHAT', IDS[1]),
               ErrorReply('ERR Invalid CLUSTER SETSLOT action or number of arguments. Try CLUSTER HELP'))
        expect(a('CLUSTER', 'SETSLOT', slot, 'NODE', IDS[1]), cluster.FILE_REFUSES)
        expect(b('CLUSTER', 'SETSLOT', slot, 'IMPORTING', IDS[0]), 'OK')
        expect(a('CLUSTER', 'SETSLOT', slot, 'MIGRATING', IDS[1]), 'OK')
        expect_true(f'[{slot}->-{IDS[1]}]' in a('CLUSTER', 'NODES').decode(), 'what leaves')
        expect_true(f'[{slot}-<-{IDS[0]}]' in b('CLUSTER', 'NODES').decode(), 'what comes')
        expect(a('GET', '{b}x'), moved(nodes, 'b', 1, 'ASK'))
        expect([b('ASKING'), b('GET', '{b}x')], ['OK', None])
        expect([a('CLUSTER', 'SETSLOT', slot, 'STABLE'), b('CLUSTER', 'SETSLOT', slot, 'STABLE')], ['OK', 'OK'])
        expect(a('GET', '{b}x'), None)
        expect([b('ASKING'), b('GET', '{b}x')], ['OK', moved(nodes, 'b', 0)])
        # A topology that gives the slot away ends the states at both ends.
        a('CLUSTER', 'SETSLOT', slot, 'MIGRATING', IDS[1]), b('CLUSTER', 'SETSLOT', slot, 'IMPORTING', IDS[0])
        nodes.give([(0, slot - 1), (slot + 1, 5460)], [(slot, slot), THIRDS[1]], [THIRDS[2]])
        expect([a('GET', '{b}x'), b('GET', '{b}x')], [moved(nodes, 'b', 1), None])
        for one in clients:
            expect_true('[' not in one('CLUSTER', 'NODES').decode(), 'no move is left')
        nodes.give(*[[part] for part in THIRDS])
        # One of the topology itself is not ended by this node.
        nodes.give(*[[part] for part in THIRDS], more=[f'move {slot} {IDS[1]}'])
        expect_true('comes from the topology' in a('CLUSTER', 'SETSLOT', slot, 'STABLE'), 'a move of the file')
        nodes.give(*[[part] for part in THIRDS])


def begin_move(nodes, clients, source, target, slot):
    expect(clients[target]('CLUSTER', 'SETSLOT', slot, 'IMPORTING', IDS[source]), 'OK')
    expect(clients[source]('CLUSTER', 'SETSLOT', slot, 'MIGRATING', IDS[target]), 'OK')


def move_keys(nodes, clients, source, target, slot):
    """All keys of the slot, a few at a time, and then the slot itself."""
    while keys := clients[source]('CLUSTER', 'GETKEYSINSLOT', slot, 1000):
        for first in range(0, len(keys), 7):
            expect(clients[source](*to(nodes.servers[target], 'KEYS', *keys[first:first + 7])), 'OK')
    if target == 0:
        return nodes.give(*[[part] for part in THIRDS])
    nodes.give([(0, slot - 1), (slot + 1, 5460)], [(slot, slot), THIRDS[1]], [THIRDS[2]])


def slot_in_motion(nodes):
    with nodes.clients() as clients:
        a, b, _ = clients
        slot = KEYS['b']
        a('MSET', '{b}1', 1, '{b}2', 2)
        refused = 'ERR Target instance replied with error: '
        expect(a(*to(nodes.servers[1], key='{b}1')), ErrorReply(refused + moved(nodes, 'b', 0)), 'it does not come')
        begin_move(nodes, clients, 0, 1, slot)
        expect(a(*to(nodes.servers[1], 'KEYS', '{b}1', '{b}none')), 'OK')
        expect(a('GET', '{b}1'), moved(nodes, 'b', 1, 'ASK'))
        expect(a('MGET', '{b}1', '{b}2'), ErrorReply('TRYAGAIN Multiple keys request during rehashing of slot'))
        expect([b('ASKING'), b('GET', '{b}1')], ['OK', b'1'])
        # At either end it runs, and what is not here is no reason to ask the other one.
        expect(a(*to(nodes.servers[1], key='{b}none')), 'NOKEY')
        expect(b(*to(nodes.servers[0], key='{b}1')), ErrorReply(refused + moved(nodes, 'b', 1, 'ASK')))
        move_keys(nodes, clients, 0, 1, slot)
        expect(b('MGET', '{b}1', '{b}2'), [b'1', b'2'])
        expect(a(*to(nodes.servers[1], key='{b}1')), moved(nodes, 'b', 1))
        begin_move(nodes, clients, 1, 0, slot)
        move_keys(nodes, clients, 1, 0, slot)
        expect(a('DEL', '{b}1', '{b}2'), 2)


def lost_channels(nodes):
    slot = KEYS['b']
    with nodes.clients() as clients, Client(nodes.ports[0]) as modern:
        a = clients[0]
        modern('HELLO', 3)
        for one in (a, modern):
            expect(one('SSUBSCRIBE', '{b}x'), [b'ssubscribe', b'{b}x', 1])
        expect(modern('SSUBSCRIBE', 'a{0}'), [b'ssubscribe', b'a{0}', 2]) if slot_of('0') < 5461 else None
        nodes.give([(0, slot - 1), (slot + 1, 5460)], [(slot, slot), THIRDS[1]], [THIRDS[2]])
        expect(a.reply(), [b'sunsubscribe', b'{b}x', 0])
        expect(modern.reply()[:2], [b'sunsubscribe', b'{b}x'])
        expect(a('GET', '{b}x'), moved(nodes, 'b', 1), 'it listens to nothing any more')
        nodes.give(*[[part] for part in THIRDS])


COUNTERS = 40
WRITERS = 8
ROUNDS = 6


class Writer(threading.Thread):
    """Increments counters of one slot through whichever node has them, and pairs of them in MULTI."""

    def __init__(self, nodes, number, stop):
        super().__init__()
        self.nodes, self.number, self.stop = nodes, number, stop
        self.counts = [0] * COUNTERS
        self.pairs = 0
        self.error = None

    def run(self):
        try:
            with self.nodes.clients() as clients:
                i = self.number
                while not self.stop.is_set():
                    i = (i * 7 + 3) % COUNTERS
                    if i % 5 == self.number % 5:
                        self.pair(clients)
                    else:
                        self.increment(clients, i)
        except Exception as error:
            self.error = error

    def ask(self, clients, *requests):
        """The replies of these requests, from the node that has their keys."""
        at, asking = 0, False
        for _ in range(100000):
            client = clients[at]
            if asking:
                expect(client('ASKING'), 'OK')
            replies = [client(*request) for request in requests]
            errors = [reply for reply in replies if isinstance(reply, ErrorReply) and not reply.startswith('EXECABORT')]
            if not errors:
                return replies
            word, *rest = errors[0].split()
            if word in ('MOVED', 'ASK'):
                at, asking = self.nodes.ports.index(int(rest[1].split(':')[1])), word == 'ASK'
            elif word == 'TRYAGAIN':
                at, asking = 0, False
            else:
                raise Failed(errors[0])
        raise Failed('no node took it')

    def increment(self, clients, i):
        self.ask(clients, ('INCR', f'{{b}}c{i}'))
        self.counts[i] += 1

    def pair(self, clients):
        replies = self.ask(clients, ('MULTI',), ('INCR', '{b}left'), ('INCR', '{b}right'), ('EXEC',))
        expect(replies[-1][0], replies[-1][1], 'both or none')
        self.pairs += 1


def under_load(nodes):
    slot = KEYS['b']
    stop = threading.Event()
    writers = [Writer(nodes, i, stop) for i in range(WRITERS)]
    with nodes.clients() as clients:
        for writer in writers:
            writer.start()
        try:
            for _ in range(ROUNDS):
                for source, target in ((0, 1), (1, 0)):
                    begin_move(nodes, clients, source, target, slot)
                    move_keys(nodes, clients, source, target, slot)
        finally:
            stop.set()
            for writer in writers:
                writer.join()
        for writer in writers:
            if writer.error:
                raise writer.error
        a = clients[0]
        for i in range(COUNTERS):
            wanted = sum(writer.counts[i] for writer in writers)
            expect(int(a('GET', f'{{b}}c{i}') or 0), wanted, f'counter {i}')
        pairs = sum(writer.pairs for writer in writers)
        expect(a('MGET', '{b}left', '{b}right'), [b'%d' % pairs] * 2)
        expect(clients[1]('CLUSTER', 'COUNTKEYSINSLOT', slot), 0)
        expect_true(sum(sum(writer.counts) for writer in writers) > 100 and pairs > 10, 'there was load')
        for key in a('CLUSTER', 'GETKEYSINSLOT', slot, 1000):
            a('DEL', key)
