"""Nodes with their topology in etcd: made by redis-cli, changed by commands, without etcd, stopped beyond their lease."""
import pathlib
import shutil
import signal
import ssl
import subprocess
import tempfile
import threading
import time
import urllib.request

from certificates import Authority
from cluster import info, slot_of, wait_until
from harness import Client, ErrorReply, Failed, ROOT, Server, expect, expect_true, free_port, serves

SLOTS = 16384
LEASE_MS = 3000
DOWN = ErrorReply('CLUSTERDOWN The cluster is down')
NOT_SERVED = ErrorReply('CLUSTERDOWN Hash slot not served')


class Etcd:
    """One member, in a folder of its own; ended by its own handle."""

    def __init__(self, authority=None):
        """`authority`: it speaks TLS, and asks its clients for certificates."""
        program = subprocess.run([ROOT / 'tools/etcd_server'], capture_output=True, text=True, check=True).stdout.strip()
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix='slotcar-etcd.'))
        self.port, peer = free_port(), free_port()
        self.scheme, self.context, options = 'http', None, []
        if authority:
            cert, key = authority.make('etcd')
            self.scheme, self.context = 'https', ssl.create_default_context(cafile=authority.ca)
            self.context.load_cert_chain(cert, key)
            options = ['--cert-file', cert, '--key-file', key, '--trusted-ca-file', authority.ca, '--client-cert-auth']
        self.addresses = f'127.0.0.1:{self.port}'
        self.url, peer_url = f'{self.scheme}://{self.addresses}', f'http://127.0.0.1:{peer}'
        self.words = [program, '--data-dir', str(self.folder / 'data'), '--listen-client-urls', self.url,
                      '--advertise-client-urls', self.url, '--listen-peer-urls', peer_url,
                      '--initial-advertise-peer-urls', peer_url, '--initial-cluster', f'default={peer_url}', *options]
        self.start()

    def start(self):
        with open(self.folder / 'log', 'ab') as log:
            self.process = subprocess.Popen(self.words, stdout=log, stderr=log)
        wait_until(self.is_healthy, 'etcd')

    def is_healthy(self):
        try:
            with urllib.request.urlopen(self.url + '/health', timeout=5, context=self.context) as answer:
                return b'true' in answer.read()
        except OSError:
            return False

    def post(self, path, body):
        request = urllib.request.Request(self.url + path, body.encode(), method='POST')
        with urllib.request.urlopen(request, timeout=10, context=self.context) as answer:
            return answer.read().decode()

    def kill(self):
        self.process.kill()
        self.process.wait()

    def stop(self):
        self.process.send_signal(signal.SIGCONT)
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)


class Node(Server):
    """A server whose directory outlives its process."""

    def __init__(self, binary, etcd, *options, prefix='test'):
        # The first endpoint does not answer.
        scheme = 'etcds' if etcd.scheme == 'https' else 'etcd'
        self.options = ('--cluster-enabled', 'yes', '--cluster-topology',
                        f'{scheme}://127.0.0.1:{free_port()},{etcd.addresses}/{prefix}',
                        '--cluster-node-timeout', str(LEASE_MS), *options)
        super().__init__(binary, *self.options)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def restart(self):
        with open(self.output, 'ab') as output:
            self.process = subprocess.Popen(
                [self.binary, '--port', str(self.port), '--bind', '127.0.0.1', '--dir', self.dir, *self.options],
                stdout=output, stderr=subprocess.STDOUT, cwd=self.dir)
        wait_until(lambda: serves(self.port) or not self.alive(), 'the restarted node')
        expect_true(self.alive(), self.output.read_text(errors='replace')[-500:])

    def __call__(self, *words):
        with self.client() as client:
            return client(*words)

    def id(self):
        return self('CLUSTER', 'MYID').decode()


class Nodes:
    """Empty nodes, each a cluster of its own."""

    def __init__(self, binary, etcd, count, *options, prefix='test'):
        self.servers = []
        try:
            for _ in range(count):
                self.servers.append(Node(binary, etcd, *options, prefix=prefix))
        except BaseException:
            self.stop()
            raise
        self.ports = [server.port for server in self.servers]

    def create(self):
        """Equal shares of the slots. (redis-cli makes no cluster of two nodes.)"""
        share = SLOTS // len(self.servers)
        for i, server in enumerate(self.servers):
            last = i + 1 == len(self.servers)
            expect(server('CLUSTER', 'ADDSLOTSRANGE', i * share, SLOTS - 1 if last else (i + 1) * share - 1), 'OK')
            expect(server('CLUSTER', 'MEET', '127.0.0.1', self.ports[0]), 'OK')
        self.wait_for_state('ok')

    def wait_for_state(self, state, servers=None):
        for server in servers or self.servers:
            wait_until(lambda: f'cluster_state:{state}\r\n' in str(tried(info, server)), f'cluster_state:{state}')

    def stop(self):
        for server in self.servers:
            if server.alive():
                server.process.send_signal(signal.SIGCONT)
            server.stop()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


def cli(*words):
    done = subprocess.run(['redis-cli', *words], capture_output=True, text=True, timeout=120)
    return done.stdout + done.stderr


def tried(call, *words):
    """Its reply; None: the connection was closed, because the node has lost its lease just now."""
    try:
        return call(*words)
    except (OSError, Failed):
        return None


def known(server):
    return int(next(line for line in info(server).split('\r\n') if line.startswith('cluster_known_nodes')).split(':')[1])


# ------------------------------------------------------------------ redis-cli
def slots_to_and_fro(nodes, addresses, owner, other):
    """reshard: the first slots of a node with their keys, and back again."""
    keys = [f'key:{i}' for i in range(3000)]
    moved = [key for key in keys if slot_of(key) < 30]
    expect_true(moved, 'some of them are in these slots')
    for key in moved:
        expect(cli('-c', '-p', str(nodes.ports[1]), 'SET', key, 'value of ' + key).strip(), 'OK')
    for source, target, at in ((owner, other, 3), (other, owner, 0)):
        said = cli('--cluster', 'reshard', addresses[1], '--cluster-from', source, '--cluster-to', target,
                   '--cluster-slots', '30', '--cluster-yes')
        expect_true('[ERR]' not in said and 'Moving slot 29 ' in said, said)
        wait_until(lambda: '[OK] All nodes agree' in cli('--cluster', 'check', addresses[2]), 'check')
        for key in moved:
            expect(cli('-p', str(nodes.ports[at]), 'GET', key).strip(), 'value of ' + key)
    cli('-p', str(nodes.ports[0]), 'FLUSHALL')


def created_by_redis_cli(binary, etcd):
    """create, check, info, add-node, reshard, del-node on empty nodes."""
    with Nodes(binary, etcd, 4, prefix='cli') as nodes:
        for server in nodes.servers:
            expect(known(server), 1, 'a fresh node is alone')
        *first, fourth = nodes.servers
        addresses = [f'127.0.0.1:{port}' for port in nodes.ports]
        said = cli('--cluster', 'create', *addresses[:3], '--cluster-yes')
        expect_true('[OK] All nodes agree about slots configuration.' in said, said)
        expect_true('[OK] All 16384 slots covered.' in said, said)
        nodes.wait_for_state('ok', first)
        expect_true('[OK] All 16384 slots covered.' in cli('--cluster', 'check', addresses[0]), 'check')
        expect(cli('-c', '-p', str(nodes.ports[0]), 'SET', 'foo', 'bar').strip(), 'OK')
        expect(cli('-c', '-p', str(nodes.ports[1]), 'GET', 'foo').strip(), 'bar')
        expect_true('1 keys in 3 masters' in cli('--cluster', 'info', addresses[0]), 'info')
        expect(known(fourth), 1, 'a cluster of its own below the same prefix')
        said = cli('--cluster', 'add-node', addresses[3], addresses[0])
        expect_true('[OK] New node added correctly.' in said, said)
        for server in nodes.servers:
            wait_until(lambda: known(server) == 4, 'four nodes')
        expect_true('[OK] All nodes agree' in cli('--cluster', 'check', addresses[3]), 'check with the fourth')
        slots_to_and_fro(nodes, addresses, first[0].id(), fourth.id())
        said = cli('--cluster', 'del-node', addresses[0], fourth.id())
        expect_true('[ERR]' not in said and 'Sending CLUSTER RESET SOFT' in said, said)
        for server in first:
            wait_until(lambda: known(server) == 3, 'three nodes')
        wait_until(lambda: known(fourth) == 1, 'the fourth is alone')
        expect(cli('-c', '-p', str(nodes.ports[2]), 'GET', 'foo').strip(), 'bar')


# ------------------------------------------------------------------ commands
def commands(binary, etcd):
    with Nodes(binary, etcd, 2, prefix='commands') as nodes:
        a, b = nodes.servers
        for words, reply in (
                ('ADDSLOTS 0 1 x', ErrorReply('ERR Invalid or out of range slot')),
                ('ADDSLOTS 16384', ErrorReply('ERR Invalid or out of range slot')),
                ('ADDSLOTS 5 5', ErrorReply('ERR Slot 5 specified multiple times')),
                ('ADDSLOTS 0 1 2', 'OK'),
                ('ADDSLOTS 2', ErrorReply('ERR Slot 2 is already busy')),
                ('ADDSLOTSRANGE 10 20 30', ErrorReply("ERR wrong number of arguments for 'cluster|addslotsrange' command")),
                ('ADDSLOTSRANGE 20 10', ErrorReply('ERR start slot number 20 is greater than end slot number 10')),
                ('ADDSLOTSRANGE 10 20 30 40', 'OK'),
                ('DELSLOTS 3', ErrorReply('ERR Slot 3 is already unassigned')),
                ('DELSLOTS 2', 'OK'),
                ('DELSLOTSRANGE 30 40', 'OK'),
                ('SETSLOT 1 NODE ' + 'e' * 40, ErrorReply('ERR Unknown node ' + 'e' * 40)),
                ('SETSLOT x NODE ' + 'e' * 40, ErrorReply('ERR Invalid or out of range slot')),
                ('FORGET ' + 'e' * 40, ErrorReply('ERR Unknown node ' + 'e' * 40)),
                ('SET-CONFIG-EPOCH -1', ErrorReply('ERR Invalid config epoch specified: -1')),
                ('SET-CONFIG-EPOCH 9223372036854775807',
                 ErrorReply('ERR Invalid config epoch specified: 9223372036854775807')),
                ('SET-CONFIG-EPOCH 3', 'OK'),
                ('SET-CONFIG-EPOCH 4', ErrorReply('ERR Node config epoch is already non-zero')),
                ('MEET x 1', ErrorReply('ERR Invalid node address specified: x:1')),
                ('MEET 127.0.0.1 x', ErrorReply('ERR Invalid base port specified: x')),
                ('MEET 127.0.0.1 1 70000', ErrorReply('ERR Invalid node address specified: 127.0.0.1:1')),
                ('MEET 127.0.0.1 1 2 3', ErrorReply("ERR unknown subcommand or wrong number of arguments for 'MEET'. "
                                                    'Try CLUSTER HELP.')),
                ('RESET WELL', ErrorReply('ERR syntax error')),
                ('RESET SOFT HARD', ErrorReply("ERR unknown subcommand or wrong number of arguments for 'RESET'. "
                                               'Try CLUSTER HELP.')),
                ('SAVECONFIG', 'OK'),
                ('BUMPEPOCH', 'STILL 3')):
            expect(a('CLUSTER', *words.split()), reply, words)
        expect_true('No node that lives' in a('CLUSTER', 'MEET', '127.0.0.1', '1'), 'nobody there')
        expect(a('CLUSTER', 'FORGET', a.id()), ErrorReply("ERR I tried hard but I can't forget myself..."))
        expect([range_[:2] for range_ in a('CLUSTER', 'SLOTS')], [[0, 1], [10, 20]])
        with a.client() as client:
            expect_true('not possible' in [client('MULTI'), client('CLUSTER', 'FLUSHSLOTS'), client('EXEC')][2][0],
                        'in a transaction')
            for words in ('MULTI', 'CLUSTER DELSLOTS 7', 'CLUSTER ADDSLOTS 7 8', 'CLUSTER SETSLOT 7 STABLE',
                          'CLUSTER ADDSLOTS 8', 'CLUSTER DELSLOTSRANGE 7 8', 'CLUSTER BUMPEPOCH', 'CLUSTER SAVECONFIG'):
                client(*words.split())
            expect(client('EXEC'), [ErrorReply('ERR Slot 7 is already unassigned'), 'OK', 'OK',
                                    ErrorReply('ERR Slot 8 is already busy'), 'OK', 'STILL 3', 'OK'])
        expect(b('CLUSTER', 'ADDSLOTS', 1), 'OK', 'another cluster')
        expect_true('is assigned in both clusters' in b('CLUSTER', 'MEET', '127.0.0.1', a.port), 'overlapping slots')
        expect([known(a), known(b)], [1, 1])
        expect(b('CLUSTER', 'DELSLOTS', 1), 'OK')
        expect(b('CLUSTER', 'MEET', '127.0.0.1', a.port), 'OK')
        wait_until(lambda: known(a) == 2, 'the other one')
        expect(b('CLUSTER', 'SETSLOT', 11, 'NODE', b.id()), 'OK')
        for server in a, b:
            wait_until(lambda: [range_[:2] for range_ in server('CLUSTER', 'SLOTS')] == [[0, 1], [10, 10], [11, 11], [12, 20]],
                       'the new owner')
        expect(a('CLUSTER', 'FLUSHSLOTS'), 'OK')
        expect(len(a('CLUSTER', 'SLOTS')), 1)
        before = a.id()
        expect(a('CLUSTER', 'RESET', 'HARD'), 'OK')
        expect_true(a.id() != before and known(a) == 1, 'a new id')
        wait_until(lambda: known(b) == 1, 'one less')


def keys_hold_their_slot(binary, etcd):
    with Nodes(binary, etcd, 2, prefix='keys') as nodes:
        nodes.create()
        a, b = nodes.servers
        expect_true(slot_of('b') < SLOTS // 2, 'a key of the first node')
        expect(a('SET', 'b', 1), 'OK')
        expect(a('CLUSTER', 'SETSLOT', slot_of('b'), 'NODE', b.id()),
               ErrorReply(f"ERR Can't assign hashslot {slot_of('b')} to a different node while I still hold keys for "
                          'this hash slot.'))
        expect(a('CLUSTER', 'FLUSHSLOTS'), ErrorReply('ERR DB must be empty to perform CLUSTER FLUSHSLOTS.'))
        expect(a('CLUSTER', 'RESET'), ErrorReply("ERR CLUSTER RESET can't be called with master nodes containing keys"))
        expect(a('DEL', 'b'), 1)
        expect(a('CLUSTER', 'SETSLOT', slot_of('b'), 'NODE', b.id()), 'OK')
        expect(a('SET', 'b', 1), ErrorReply(f"MOVED {slot_of('b')} 127.0.0.1:{b.port}"))
        wait_until(lambda: b('SET', 'b', 1) == 'OK', 'the new owner')


def restarts(binary, etcd):
    """Within the lease's time, and after it; a copied directory; a compacted history."""
    with Nodes(binary, etcd, 2, prefix='restarts') as nodes:
        nodes.create()
        a, b = nodes.servers
        before = a.id()
        expect(a('SET', 'b', 1), 'OK')
        a.kill()
        a.restart()
        expect([a.id(), a('GET', 'b')], [before, b'1'], 'at once')
        copy = tempfile.mkdtemp(prefix='slotcar-copy.')
        try:
            shutil.copy(pathlib.Path(a.dir) / 'slotcar.node', copy)
            done = subprocess.run([binary, '--port', str(free_port()), '--bind', '127.0.0.1', '--dir', copy, *a.options],
                                  capture_output=True, text=True, timeout=60)
            expect_true(done.returncode != 0 and 'this data directory is a copy' in done.stdout + done.stderr,
                        done.stdout + done.stderr)
        finally:
            shutil.rmtree(copy)
        a.kill()
        nodes.wait_for_state('fail', [b])
        expect_true(f'{before} 127.0.0.1:{a.port}@0 master,fail - ' in b('CLUSTER', 'NODES').decode(), 'it has failed')
        revision = etcd.post('/v3/kv/range', '{"key":"AA=="}').split('"revision":"')[1].split('"')[0]
        etcd.post('/v3/kv/compaction', '{"revision":"%s"}' % revision)
        a.port = free_port()
        a.restart()
        expect(a('GET', 'b'), b'1')
        nodes.wait_for_state('ok')
        wait_until(lambda: b('GET', 'b') == ErrorReply(f"MOVED {slot_of('b')} 127.0.0.1:{a.port}"), 'its new address')


# ------------------------------------------------------------------ leases
def without_etcd(binary, etcd):
    nodes_without(binary, etcd, 'without', etcd.kill, etcd.start)


def with_an_etcd_that_hangs(binary, etcd):
    nodes_without(binary, etcd, 'hangs', lambda: etcd.process.send_signal(signal.SIGSTOP),
                  lambda: etcd.process.send_signal(signal.SIGCONT))


def nodes_without(binary, etcd, prefix, stop_etcd, start_etcd):
    """Both nodes serve until their leases end, then nothing; then they recover by themselves."""
    with Nodes(binary, etcd, 2, prefix=prefix) as nodes:
        nodes.create()
        a, b = nodes.servers
        expect(a('SET', 'b', 1), 'OK')
        with a.client() as old:
            expect(old('GET', 'b'), b'1')
            stop_etcd()
            expect(a('GET', 'b'), b'1', 'the lease lasts')
            wait_until(lambda: tried(a, 'GET', 'b') == DOWN, 'CLUSTERDOWN after the end of the lease')
            old.raw(b'GET b\r\n')
            expect_true(old.closed(), 'a connection of before is closed without a word')
            expect_true('ERR The topology cannot be changed' in a('CLUSTER', 'DELSLOTS', 0), 'no changes')
            expect_true('cluster_state:fail' in info(a), 'the state')
        start_etcd()
        wait_until(lambda: tried(a, 'GET', 'b') == b'1', 'recovery')
        nodes.wait_for_state('ok')


class Writer(threading.Thread):
    """Sends SETs of growing numbers to one node, many at a time, and notes which were acknowledged."""

    def __init__(self, port, key):
        super().__init__()
        self.port, self.key, self.stopping = port, key, threading.Event()
        self.acknowledged = []  # (time, number)
        self.number = 0

    def run(self):
        while not self.stopping.is_set():
            try:
                with Client(self.port, 2) as client:
                    while not self.stopping.is_set():
                        batch = range(self.number, self.number + 50)
                        self.number += 50
                        client.raw(b''.join(b'SET %s %d\r\n' % (self.key.encode(), i) for i in batch))
                        for i in batch:
                            if client.reply() == 'OK':
                                self.acknowledged.append((time.monotonic(), i))
            except (OSError, Failed):
                time.sleep(0.05)

    def end(self):
        self.stopping.set()
        self.join()


def stopped_beyond_its_lease(binary, etcd):
    """A node is stopped under load for three lease times, and loses its slots to another one. What it had received and
    runs when it wakes up is not acknowledged, and a later write is acknowledged by its new owner alone."""
    with Nodes(binary, etcd, 2, prefix='stopped') as nodes:
        nodes.create()
        a, b = nodes.servers
        expect_true(slot_of('b') < SLOTS // 2, 'a key of the first node')
        writers = [Writer(a.port, 'b') for _ in range(3)]
        for writer in writers:
            writer.start()
        try:
            wait_until(lambda: all(len(writer.acknowledged) > 1000 for writer in writers), 'load')
            a.process.send_signal(signal.SIGSTOP)
            stopped = time.monotonic()
            nodes.wait_for_state('fail', [b])
            dead = next(line.split()[0] for line in b('CLUSTER', 'NODES').decode().splitlines() if ',fail' in line)
            expect(b('CLUSTER', 'FORGET', dead), 'OK')
            expect(b('CLUSTER', 'ADDSLOTSRANGE', 0, SLOTS // 2 - 1), 'OK')
            wait_until(lambda: b('SET', 'b', 'theirs') == 'OK', 'the new owner serves')
            taken = time.monotonic()
            time.sleep(max(0, 3 * LEASE_MS / 1000 - (taken - stopped)))
            # These are in its sockets when it wakes up.
            waiting = [Client(a.port, 10) for _ in range(5)]
            for client in waiting:
                client.raw(b'SET b late\r\nGET b\r\n' * 200)
            woken = time.monotonic()
            a.process.send_signal(signal.SIGCONT)
            for client in waiting:
                try:
                    replies = [client.reply() for _ in range(400)]
                except (OSError, Failed):
                    replies = []
                expect_true('OK' not in replies and b'late' not in replies, f'a late reply: {replies[:3]}')
                client.close()
            wait_until(lambda: tried(known, a) == 1, 'it learns that it was removed')
        finally:
            a.process.send_signal(signal.SIGCONT)
            for writer in writers:
                writer.end()
        late = [at for writer in writers for at, _ in writer.acknowledged if at > woken]
        expect(late, [], 'acknowledged after it was stopped')
        expect(b('GET', 'b'), b'theirs')


def taken_from_a_stopped_owner(binary, etcd):
    """The new owner serves only after the former one's lease has ended: until then it may still serve."""
    with Nodes(binary, etcd, 2, prefix='taken') as nodes:
        nodes.create()
        a, b = nodes.servers
        slot = slot_of('b')
        a.process.send_signal(signal.SIGSTOP)
        try:
            expect(b('CLUSTER', 'SETSLOT', slot, 'NODE', b.id()), 'OK')
            # It waits while the former owner lives; then that one's other slots are missing.
            first = b('SET', 'b', 1)
            expect_true(first in (NOT_SERVED, DOWN), f'the former owner had not confirmed: {first}')
            expect(b('CONFIG', 'SET', 'cluster-require-full-coverage', 'no'), 'OK')
            wait_until(lambda: b('SET', 'b', 1) == 'OK', 'the end of the lease')
        finally:
            a.process.send_signal(signal.SIGCONT)
        wait_until(lambda: tried(a, 'GET', 'b') == ErrorReply(f'MOVED {slot} 127.0.0.1:{b.port}'), 'MOVED')


def passwords(binary, _):
    """etcd with a user and a password."""
    etcd = Etcd()
    try:
        etcd.post('/v3/auth/user/add', '{"name":"root","password":"secret"}')
        etcd.post('/v3/auth/role/add', '{"name":"root"}')
        etcd.post('/v3/auth/user/grant', '{"user":"root","role":"root"}')
        etcd.post('/v3/auth/enable', '{}')
        options = ('--cluster-etcd-user', 'root', '--cluster-etcd-password')
        with Nodes(binary, etcd, 1, *options, 'secret') as nodes:
            a, = nodes.servers
            expect(a('CLUSTER', 'ADDSLOTSRANGE', 0, SLOTS - 1), 'OK')
            nodes.wait_for_state('ok')
            etcd.kill()  # it forgets its tokens
            etcd.start()
            expect(a('CLUSTER', 'DELSLOTS', 0), 'OK')
        done = subprocess.run([binary, '--port', str(free_port()), '--dir', str(etcd.folder), *a.options[:-1], 'wrong'],
                              capture_output=True, text=True, timeout=60)
        expect_true('authentication failed' in done.stdout + done.stderr, done.stdout + done.stderr)
    finally:
        etcd.stop()


def certificates(binary, _):
    """etcd with TLS, which asks for a certificate."""
    with tempfile.TemporaryDirectory(prefix='slotcar-etcd.') as folder:
        authority = Authority(folder)
        cert, key = authority.make('node')
        etcd = Etcd(authority)
        try:
            options = ('--cluster-etcd-ca-cert-file', authority.ca, '--cluster-etcd-cert-file', cert,
                       '--cluster-etcd-key-file', key)
            with Nodes(binary, etcd, 2, *options) as nodes:
                nodes.create()
                a, b = nodes.servers
                expect(a('SET', 'b', 1), 'OK')
                expect(b('GET', 'b'), ErrorReply(f"MOVED {slot_of('b')} 127.0.0.1:{a.port}"))
            other = Authority(folder, 'other')
            for wrong in ((*options[:2],), ('--cluster-etcd-ca-cert-file', other.ca, *options[2:])):
                done = subprocess.run([binary, '--port', str(free_port()), '--dir', folder, *a.options[:6], *wrong],
                                      capture_output=True, text=True, timeout=60)
                expect_true(done.returncode != 0 and 'cluster-topology' in done.stdout + done.stderr,
                            done.stdout + done.stderr)
        finally:
            etcd.stop()


def run(server, report):
    binary = server.binary
    if 'slotcar' not in str(binary):
        return report.skip('etcd', 'topologies in etcd are Slotcar\'s')
    etcd = Etcd()
    try:
        for check in (created_by_redis_cli, commands, keys_hold_their_slot, restarts, without_etcd,
                      with_an_etcd_that_hangs, stopped_beyond_its_lease, taken_from_a_stopped_owner, passwords,
                      certificates):
            report.check(f'etcd: {check.__name__.replace("_", " ")}', check, binary, etcd)
    finally:
        etcd.stop()
