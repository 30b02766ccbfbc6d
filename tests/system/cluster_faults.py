"""Nodes of a cluster when something comes at the wrong moment: a slot that is lost while a call runs, keys of a slot that
leaves, a target that is no server, a start with an address that no topology can have, an etcd that loses its leader."""
import json
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import urllib.request

from cluster import slot_of, wait_until
from etcd import SLOTS, Etcd, Nodes, Writer, cli, tried
from harness import ROOT, ErrorReply, encoded, expect, expect_true, free_port

# Runs for two seconds on a key of its node.
LONG = """local ends = redis.call('TIME')[1] + 2
while tonumber(redis.call('TIME')[1]) < ends do end
return 'done'"""


def now(time):
    seconds, micros = (int(part) for part in time)
    return seconds * 1_000_000 + micros


# ------------------------------------------------------------------ one owner
def a_call_ends_before_its_slot_has_another_owner(binary, etcd):
    """An EXEC is in the middle of its queue when its slot is taken: the new owner waits for its end."""
    with Nodes(binary, etcd, 2, prefix='ends') as nodes:
        nodes.create()
        a, b = nodes.servers
        slot, ran = slot_of('b'), []

        def work():
            with a.client() as client:
                for words in ('MULTI', ), ('EVAL', LONG, 1, 'b'), ('INCR', 'b'), ('TIME', ):
                    client(*words)
                ran.append(client('EXEC'))

        worker = threading.Thread(target=work)
        worker.start()
        try:
            wait_until(lambda: a('FUNCTION', 'STATS')[1] is not None, 'the script')
            expect(b('CLUSTER', 'SETSLOT', slot, 'NODE', b.id()), 'OK')
            with b.client() as client:
                while True:
                    for words in ('MULTI', ), ('INCR', 'b'), ('TIME', ):
                        client(*words)
                    theirs = client('EXEC')
                    if not isinstance(theirs, ErrorReply):
                        break
        finally:
            worker.join()
        expect(ran[0][:2], [b'done', 1])
        expect_true(now(ran[0][2]) < now(theirs[1]), 'the new owner has served the slot before the former one had ended')


def a_move_ends_with_the_lease(binary, etcd):
    """A node is stopped in the middle of MIGRATE. When it goes on, its slots may be those of the target, whose values are
    newer: nothing more of the old one is sent."""
    with Nodes(binary, etcd, 2, prefix='move') as nodes:
        nodes.create()
        a, b = nodes.servers
        size = 64 * 1024 * 1024  # more than sockets hold
        expect(a('SET', 'b', b'x' * size), 'OK')
        expect(a('CONFIG', 'SET', 'rdbcompression', 'no'), 'OK')
        with socket.create_server(('127.0.0.1', 0)) as listener, a.client() as mover:
            mover.raw(encoded('MIGRATE', '127.0.0.1', listener.getsockname()[1], 'b', 0, 600000, 'REPLACE'))
            target, _ = listener.accept()
            with target:
                target.settimeout(60)
                received = len(target.recv(1))
                a.process.send_signal(signal.SIGSTOP)
                try:
                    nodes.wait_for_state('fail', [b])
                finally:
                    a.process.send_signal(signal.SIGCONT)
                wait_until(lambda: tried(a, 'PING') == 'PONG', 'the node')
                while received < size and (piece := target.recv(1 << 20)):
                    received += len(piece)
        expect_true(received < size, f'{received} bytes')


def no_key_comes_while_its_slot_is_given_away(binary, etcd):
    """SETSLOT NODE at the owner of an empty slot: until etcd has answered, nobody writes into it here."""
    with Nodes(binary, etcd, 2, prefix='given') as nodes:
        nodes.create()
        a, b = nodes.servers
        slot = slot_of('b')
        ask = ErrorReply(f'ASK {slot} 127.0.0.1:{b.port}')
        expect(a('SET', 'b', 1), 'OK')
        expect_true('still hold keys' in a('CLUSTER', 'SETSLOT', slot, 'NODE', b.id()), 'it has a key')
        expect(a('DEL', 'b'), 1)
        expect(a('GET', 'b'), None, 'it stays')
        target = b.id()
        with a.client() as client:
            etcd.process.send_signal(signal.SIGSTOP)
            try:
                client.raw(encoded('CLUSTER', 'SETSLOT', slot, 'NODE', target))
                wait_until(lambda: a('GET', 'b') == ask, 'the slot leaves')
                expect(a('SET', 'b', 1), ask)
            finally:
                etcd.process.send_signal(signal.SIGCONT)
            given = client.reply()
        if given == 'OK':
            wait_until(lambda: b('SET', 'b', 2) == 'OK', 'the new owner')
        else:
            wait_until(lambda: tried(a, 'SET', 'b', 2) == 'OK', f'it has not left: {given}')


def watched_keys_of_a_slot_that_leaves(binary, etcd):
    """WATCH is for keys that are here; others change at the target unseen."""
    with Nodes(binary, etcd, 2, prefix='watched') as nodes:
        nodes.create()
        a, b = nodes.servers
        slot = slot_of('b')
        expect(a('SET', '{b}here', 1), 'OK')
        expect(b('CLUSTER', 'SETSLOT', slot, 'IMPORTING', a.id()), 'OK')
        expect(a('CLUSTER', 'SETSLOT', slot, 'MIGRATING', b.id()), 'OK')
        again = ErrorReply('TRYAGAIN Multiple keys request during rehashing of slot')
        for words, reply in ((('{b}here', ), 'OK'),
                             (('{b}there', ), ErrorReply(f'ASK {slot} 127.0.0.1:{b.port}')),
                             (('{b}here', '{b}there'), again)):
            expect(a('WATCH', *words), reply, ' '.join(words))
        with b.client() as client:
            for words, reply in ((('{b}there', ), 'OK'), (('{b}there', '{b}other'), again)):
                expect(client('ASKING'), 'OK')
                expect(client('WATCH', *words), reply, ' '.join(words))


def transactions_in_a_slot_that_leaves(binary, etcd):
    """EXEC says where the keys are, and runs nothing."""
    with Nodes(binary, etcd, 2, prefix='transactions') as nodes:
        nodes.create()
        a, b = nodes.servers
        slot = slot_of('b')
        expect(a('SET', '{b}here', 1), 'OK')
        expect(a('CLUSTER', 'SETSLOT', slot, 'MIGRATING', b.id()), 'OK')
        for keys, reply in ((['here'], [2]),
                            (['there'], ErrorReply(f'ASK {slot} 127.0.0.1:{b.port}')),
                            (['here', 'there'], ErrorReply('TRYAGAIN Multiple keys request during rehashing of slot'))):
            with a.client() as client:
                expect(client('MULTI'), 'OK')
                for key in keys:
                    expect(client('INCR', '{b}' + key), 'QUEUED', key)
                expect(client('EXEC'), reply, ' '.join(keys))
                expect(client('EXEC'), ErrorReply('ERR EXEC without MULTI'), 'it was discarded')
        expect(a('GET', '{b}here'), b'2')


def a_slot_that_comes_loses_its_owner(binary, etcd):
    with Nodes(binary, etcd, 2, prefix='comes') as nodes:
        nodes.create()
        a, b = nodes.servers
        slot = slot_of('b')
        expect(b('CLUSTER', 'SETSLOT', slot, 'IMPORTING', a.id()), 'OK')
        expect_true(f'[{slot}-<-{a.id()}]' in b('CLUSTER', 'NODES').decode(), 'what comes')
        expect(a('CLUSTER', 'DELSLOTS', slot), 'OK')
        wait_until(lambda: 'cluster_slots_assigned:16383' in b('CLUSTER', 'INFO').decode(), 'a slot less')
        expect_true('[' not in b('CLUSTER', 'NODES').decode(), 'it comes from nowhere')
        with b.client() as client:
            expect([client('ASKING'), client('GET', 'b')], ['OK', ErrorReply('CLUSTERDOWN Hash slot not served')])
        expect(b('CLUSTER', 'SETSLOT', slot, 'STABLE'), 'OK')


def fixed_by_redis_cli(binary, etcd):
    """Slots that nobody has, and a move that was left in the middle."""
    with Nodes(binary, etcd, 3, prefix='fixed') as nodes:
        nodes.create()
        a, b, _ = nodes.servers
        slot = slot_of('b')

        def fix():
            done = subprocess.run(['redis-cli', '--cluster', 'fix', f'127.0.0.1:{a.port}', '--cluster-yes'],
                                  input='yes\nyes\n', capture_output=True, text=True, timeout=120)
            expect_true('ERR ' not in done.stdout and '[OK] All 16384 slots covered.' in cli(
                '--cluster', 'check', f'127.0.0.1:{b.port}'), done.stdout)
            nodes.wait_for_state('ok')

        expect(a('SET', 'b', 1), 'OK')
        expect(a('CLUSTER', 'DELSLOTS', 0, 1, slot), 'OK')
        fix()
        expect(a('GET', 'b'), b'1', 'the slot is where its key is')
        for key in '{b}1', '{b}2':
            expect(a('SET', key, key), 'OK')
        expect(b('CLUSTER', 'SETSLOT', slot, 'IMPORTING', a.id()), 'OK')
        expect(a('CLUSTER', 'SETSLOT', slot, 'MIGRATING', b.id()), 'OK')
        expect(a('MIGRATE', '127.0.0.1', b.port, '{b}1', 0, 60000), 'OK')
        fix()
        expect([a('GET', key) for key in ('b', '{b}1', '{b}2')], [b'1', b'{b}1', b'{b}2'])


# ------------------------------------------------------------------ what is no server, no address
def migrate_to_what_only_greets(binary, etcd):
    """What it says is no answer: the key stays."""
    with Nodes(binary, etcd, 1, prefix='greets') as nodes:
        node, = nodes.servers
        expect(node('CLUSTER', 'ADDSLOTSRANGE', 0, SLOTS - 1), 'OK')
        wait_until(lambda: node('SET', 'k', 'v') == 'OK', 'its slots')
        for greeting in b'+OK POP3 ready\r\n', b'+OK\r\n+OK\r\n+OK\r\n':
            with socket.create_server(('127.0.0.1', 0)) as listener:

                def greet():
                    connection, _ = listener.accept()
                    with connection:
                        connection.sendall(greeting)
                        connection.recv(1)  # until it is given up

                thread = threading.Thread(target=greet)
                thread.start()
                answer = node('MIGRATE', '127.0.0.1', listener.getsockname()[1], 'k', 0, 60000)
                thread.join()
            expect_true(str(answer).startswith('IOERR'), f'{greeting}: {answer}')
            expect(node('GET', 'k'), b'v', str(greeting))


def addresses_that_no_topology_has(binary, etcd):
    """They are refused before anything is written: with another address the same directory starts."""
    with tempfile.TemporaryDirectory(prefix='slotcar-faults.') as folder:
        words = [binary, '--dir', folder, '--cluster-enabled', 'yes', '--cluster-topology',
                 f'etcd://{etcd.addresses}/addresses']
        for options, reason in ((('--port', '0', '--unixsocket', folder + '/socket'), 'neither a port nor a tls-port'),
                                (('--port', str(free_port()), '--bind', 'name.invalid'), 'is no IP address'),
                                (('--port', str(free_port()), '--cluster-announce-ip', 'a b'), 'expected an IP address')):
            done = subprocess.run([*words, *options], capture_output=True, text=True, timeout=60)
            expect(done.returncode, 1, done.stdout + done.stderr)
            expect_true(reason in done.stdout + done.stderr, done.stdout + done.stderr)
        kept = json.loads(etcd.post('/v3/kv/range', '{"key":"YWRkcmVzc2Vz","range_end":"YWRkcmVzc2V0"}'))
        expect(kept.get('kvs', []), [], 'what is below the prefix')


# ------------------------------------------------------------------ three members of etcd
class Members:
    """Three members of one etcd; each one ended by its own handle."""

    def __init__(self):
        program = subprocess.run([ROOT / 'tools/etcd_server'], capture_output=True, text=True, check=True).stdout.strip()
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix='slotcar-etcd.'))
        self.scheme = 'http'
        ports = [free_port() for _ in range(6)]
        self.urls = [f'http://127.0.0.1:{port}' for port in ports[:3]]
        self.addresses = ','.join(f'127.0.0.1:{port}' for port in ports[:3])
        peers = [f'http://127.0.0.1:{port}' for port in ports[3:]]
        together = ','.join(f'm{i}={url}' for i, url in enumerate(peers))
        self.words = [[program, '--name', f'm{i}', '--data-dir', str(self.folder / f'm{i}'), '--listen-client-urls', url,
                       '--advertise-client-urls', url, '--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer,
                       '--initial-cluster', together] for i, (url, peer) in enumerate(zip(self.urls, peers))]
        self.processes = [None] * 3
        for i in range(3):
            self.start(i)
        wait_until(self.leader_is_known, 'a leader of etcd')

    def start(self, i):
        with open(self.folder / f'log{i}', 'ab') as log:
            self.processes[i] = subprocess.Popen(self.words[i], stdout=log, stderr=log)

    def leader(self):
        """Its place among the members; None: there is none now."""
        for i, url in enumerate(self.urls):
            request = urllib.request.Request(url + '/v3/maintenance/status', b'{}', method='POST')
            try:
                with urllib.request.urlopen(request, timeout=5) as answer:
                    status = json.loads(answer.read())
            except OSError:
                continue
            if status.get('leader') == status['header']['member_id']:
                return i
        return None

    def is_healthy(self, i):
        try:
            with urllib.request.urlopen(self.urls[i] + '/health', timeout=5) as answer:
                return b'true' in answer.read()
        except OSError:
            return False

    def leader_is_known(self):
        return self.leader() is not None

    def kill(self, i):
        self.processes[i].kill()
        self.processes[i].wait()

    def stop(self):
        for i in range(3):
            if self.processes[i]:
                self.kill(i)
        shutil.rmtree(self.folder, ignore_errors=True)


def the_leader_of_etcd_is_killed(binary, _):
    """Twice, under load on both nodes: nothing that was acknowledged is lost, and the topology can be changed again."""
    members = Members()
    try:
        with Nodes(binary, members, 2, prefix='leader') as nodes:
            nodes.create()
            a, b = nodes.servers
            writers = [Writer(a.port, 'b'), Writer(b.port, 'a')]
            expect([slot_of(writer.key) < SLOTS // 2 for writer in writers], [True, False])
            for writer in writers:
                writer.start()
            try:
                for _ in range(2):
                    leader = members.leader()
                    members.kill(leader)
                    wait_until(members.leader_is_known, 'the next leader')
                    wait_until(lambda: str(tried(a, 'CLUSTER', 'BUMPEPOCH'))[:6] in ('BUMPED', 'STILL '), 'a change')
                    seen = [len(writer.acknowledged) for writer in writers]
                    wait_until(lambda: all(len(writer.acknowledged) > before + 1000
                                           for writer, before in zip(writers, seen)), 'load')
                    members.start(leader)
                    wait_until(lambda: members.is_healthy(leader), 'the third member')
            finally:
                for writer in writers:
                    writer.end()
            nodes.wait_for_state('ok')
            for server, writer in zip(nodes.servers, writers):
                last = max(number for _, number in writer.acknowledged)
                expect_true(int(server('GET', writer.key)) >= last, 'an acknowledged write is lost')
            expect(b('CLUSTER', 'SETSLOT', slot_of('b'), 'NODE', b.id()), 'OK')
            wait_until(lambda: b('SET', 'b', 'theirs') == 'OK', 'the new owner')
            wait_until(lambda: tried(a, 'GET', 'b') == ErrorReply(f"MOVED {slot_of('b')} 127.0.0.1:{b.port}"), 'MOVED')
    finally:
        members.stop()


def run(server, report):
    binary = server.binary
    if 'slotcar' not in str(binary):
        return report.skip('cluster_faults', 'topologies in etcd are Slotcar\'s')
    etcd = Etcd()
    try:
        for check in (a_call_ends_before_its_slot_has_another_owner, a_move_ends_with_the_lease,
                      no_key_comes_while_its_slot_is_given_away, watched_keys_of_a_slot_that_leaves,
                      transactions_in_a_slot_that_leaves, a_slot_that_comes_loses_its_owner, fixed_by_redis_cli,
                      migrate_to_what_only_greets, addresses_that_no_topology_has, the_leader_of_etcd_is_killed):
            report.check(f'cluster_faults: {check.__name__.replace("_", " ")}', check, binary, etcd)
    finally:
        etcd.stop()
