"""Links between nodes: PUBLISH reaches the subscribers of all nodes, whatever happens to the nodes."""
import contextlib
import signal
import subprocess
import tempfile
import time

import etcd
from certificates import Authority
from cluster import IDS, THIRDS, Nodes, wait_until
from harness import Client, ErrorReply, Server, expect, expect_true, free_port, serves

NOT_A_LINK = ErrorReply('ERR This connection is not the link of a node of this cluster')


def lines(text):
    return dict(line.split(':', 1) for line in text.decode().splitlines() if ':' in line)


def section(client, *words):
    return lines(client(*(words or ('INFO', 'cluster'))))


def links_of(port, login=()):
    with Client(port) as client:
        if login:
            expect(client('AUTH', *login), 'OK')
        return section(client)


def wait_for_links(ports, up=None, login=()):
    up = len(ports) - 1 if up is None else up
    for port in ports:
        wait_until(lambda: links_of(port, login)['cluster_links_up'] == str(up), f'{up} links of {port}')


class Subscriber(Client):
    def __init__(self, port, *channels, login=(), pattern=False, protocol=2):
        super().__init__(port)
        if login:
            expect(self('AUTH', *login), 'OK')
        if protocol == 3:
            self('HELLO', 3)
        for channel in channels:
            expect(self('PSUBSCRIBE' if pattern else 'SUBSCRIBE', channel)[1], channel.encode())

    def payloads(self, last, count=1):
        """All payloads up to the `count`-th that begins with `last`."""
        got = []
        while count:
            got.append(self.reply()[-1].decode())
            count -= got[-1].startswith(last)
        return got


def exactly_once(ports, messages=200, login=()):
    """Each node publishes; each subscriber of each node gets each message once, those of one publisher in order."""
    with contextlib.ExitStack() as stack:
        subscribers = [stack.enter_context(Subscriber(port, 'news', login=login)) for port in ports]
        subscribers.append(stack.enter_context(Subscriber(ports[0], 'n?ws', login=login, pattern=True)))
        subscribers.append(stack.enter_context(Subscriber(ports[-1], 'news', login=login, protocol=3)))
        publishers = [stack.enter_context(Client(port)) for port in ports]
        for publisher in publishers:
            if login:
                expect(publisher('AUTH', *login), 'OK')
        local = [2, *[1] * (len(ports) - 2), 2]
        for number in range(messages):
            for node, publisher in enumerate(publishers):
                expect(publisher('PUBLISH', 'news', f'{node}:{number}'), local[node], 'receivers of the node itself')
        for publisher in publishers:
            publisher('PUBLISH', 'news', 'end')
        for subscriber in subscribers:
            got = subscriber.payloads('end', len(ports))
            expect(len(got), len(ports) * (messages + 1))
            for node in range(len(ports)):
                expect([text for text in got if text.startswith(f'{node}:')],
                       [f'{node}:{number}' for number in range(messages)], f'messages of node {node}')


# ------------------------------------------------------------------ a file
def every_subscriber(nodes):
    wait_for_links(nodes.ports)
    exactly_once(nodes.ports)


def other_ways_to_publish(nodes):
    """In MULTI, by scripts, deep in a pipeline; shard channels and keyspace events stay where they are."""
    with nodes.clients() as clients, Subscriber(nodes.ports[1], 'ways', 'b', '__keyspace@0__:b') as subscriber:
        a = clients[0]
        expect(a('CONFIG', 'SET', 'notify-keyspace-events', 'KEA'), 'OK')
        expect([a('MULTI'), a('PUBLISH', 'ways', 1), a('SET', 'b', 1), a('PUBLISH', 'ways', 2), a('EXEC')],
               ['OK', 'QUEUED', 'QUEUED', 'QUEUED', [0, 'OK', 0]])
        expect(a('EVAL', "redis.call('publish', 'ways', '3'); return redis.call('publish', 'ways', '4')", 0), 0)
        expect([a('MULTI'), a('PUBLISH', 'ways', 'never'), a('DISCARD')], ['OK', 'QUEUED', 'OK'])
        expect(a('SPUBLISH', 'b', 'sharded'), 0)
        pipeline = 500
        a.raw(b''.join(b'PUBLISH ways p%d\r\n' % i for i in range(pipeline)))
        expect([a.reply() for _ in range(pipeline)], [0] * pipeline)
        big = 'x' * 3_000_000
        expect(a('PUBLISH', 'ways', big), 0)
        expect(a('PUBLISH', 'ways', 'end'), 0)
        expect(subscriber.payloads('end'), ['1', '2', '3', '4', *[f'p{i}' for i in range(pipeline)], big, 'end'])
        expect(a('CONFIG', 'SET', 'notify-keyspace-events', ''), 'OK')
        expect(a('DEL', 'b'), 1)


def shown(nodes):
    """CLUSTER LINKS, CLUSTER INFO, INFO."""
    with nodes.clients() as clients:
        a = clients[0]
        names = [b'direction', b'node', b'create-time', b'events', b'send-buffer-allocated', b'send-buffer-used']
        flat = a('CLUSTER', 'LINKS')
        for link in flat:
            expect(link[::2], names)
            expect_true(isinstance(link[5], int) and abs(link[5] / 1000 - time.time()) < 3600, link)
            expect_true(link[7] in (b'r', b'rw') and isinstance(link[9], int) and isinstance(link[11], int), link)
        others = [IDS[1].encode(), IDS[2].encode()]
        expect(sorted((link[1], link[3]) for link in flat),
               sorted((way, other) for way in (b'to', b'from') for other in others))
        a('HELLO', 3)
        expect([sorted(link) for link in a('CLUSTER', 'LINKS')], [sorted(names)] * 4)
        a('HELLO', 2)
        before = [section(client, 'CLUSTER', 'INFO') for client in clients]
        for _ in range(10):
            a('PUBLISH', 'nobody', 'listens')
        count = 'cluster_stats_messages_publish_'
        for client, was in zip(clients[1:], before[1:]):
            wait_until(lambda: section(client, 'CLUSTER', 'INFO').get(count + 'received', '0')
                       == str(int(was.get(count + 'received', 0)) + 10), 'ten messages')
        wait_until(lambda: section(a, 'CLUSTER', 'INFO')[count + 'sent']
                   == str(int(before[0].get(count + 'sent', 0)) + 20), 'twenty confirmations')
        expect(section(a)['cluster_links_down'], '0')
        expect(section(a)['cluster_links_messages_dropped'], '0')
        expect(section(a, 'CLUSTER', 'INFO')['total_cluster_links_buffer_limit_exceeded'], '0')


def not_for_clients(nodes):
    with nodes.clients() as clients, Subscriber(nodes.ports[0], 'c') as subscriber:
        a = clients[0]
        expect(a('CLUSTER', 'LINK', 'PUBLISH', 'c', 'm'), NOT_A_LINK)
        expect(a('CLUSTER', 'LINK', 'PUBLISH', 'c', 'm', 'c'), ErrorReply('ERR syntax error'))
        expect_true('no other node' in a('CLUSTER', 'LINK', 'HELLO', 'f' * 40, IDS[0], 1), 'a stranger')
        expect_true('another node' in a('CLUSTER', 'LINK', 'HELLO', IDS[1], IDS[2], 1), 'for another node')
        expect_true('later link' in a('CLUSTER', 'LINK', 'HELLO', IDS[1], IDS[0], 1), 'an old connection')
        expect(a('CLUSTER', 'LINK', 'PUBLISH', 'c', 'm'), NOT_A_LINK)
        script = f"return redis.call('cluster', 'link', 'hello', '{IDS[1]}', '{IDS[0]}', '1')"
        expect_true('not allowed' in a('EVAL', script, 0), 'by a script')
        expect(a('ACL', 'SETUSER', 'plain', 'on', 'nopass', '+@all', '-@admin', '~*', '&*'), 'OK')
        expect(a('AUTH', 'plain', 'x'), 'OK')
        expect_true(a('CLUSTER', 'LINK', 'HELLO', IDS[1], IDS[0], 1).startswith('NOPERM'), 'a user without @admin')
        expect(clients[1]('PUBLISH', 'c', 'end'), 0)
        expect(subscriber.payloads('end'), ['end'])


def after_the_disk(binary):
    """With appendfsync always messages of transactions wait for the log, and those after them keep their place."""
    with Nodes(binary, '--appendonly', 'yes', '--appendfsync', 'always') as nodes:
        wait_for_links(nodes.ports)
        with Client(nodes.ports[0]) as a, Subscriber(nodes.ports[1], 'c') as subscriber:
            for number in range(50):
                a.raw(b'MULTI\r\nSET b %d\r\nPUBLISH c t%d\r\nEXEC\r\nPUBLISH c p%d\r\n' % (number, number, number))
            replies = [a.reply() for _ in range(50 * 5)]
            expect(replies[3::5], [['OK', 0]] * 50)
            a('PUBLISH', 'c', 'end')
            expect(subscriber.payloads('end'), [f'{way}{number}' for number in range(50) for way in 'tp'] + ['end'])


# ------------------------------------------------------------------ nodes that fail
class Restartable(Nodes):
    def kill(self, number):
        server = self.servers[number]
        server.process.kill()
        server.process.wait()

    def restart(self, number, login=()):
        server = self.servers[number]
        with open(server.output, 'ab') as output:
            server.process = subprocess.Popen(server.process.args, stdout=output, stderr=subprocess.STDOUT,
                                              cwd=server.dir)
        wait_until(lambda: serves(server.port, login), 'the restarted node')

    def log(self, number):
        return self.servers[number].output.read_text(errors='replace')


def killed_and_back(binary):
    with Restartable(binary) as nodes:
        wait_for_links(nodes.ports)
        with Client(nodes.ports[0]) as a, Subscriber(nodes.ports[1], 'c') as other:
            nodes.kill(2)
            wait_for_links(nodes.ports[:2], 1)
            expect(section(a)['cluster_links_down'], '1')
            for number in range(100):
                expect(a('PUBLISH', 'c', number), 0)
            a('PUBLISH', 'c', 'end')
            expect(other.payloads('end'), [*map(str, range(100)), 'end'])
            wait_until(lambda: int(section(a)['cluster_links_messages_dropped']) == 101, 'what the dead node misses')
            expect(len([one for one in a('CLUSTER', 'LINKS')]), 2)
            nodes.restart(2)
            wait_for_links(nodes.ports)
        exactly_once(nodes.ports, 50)


def stopped(binary):
    """A node that stands still stalls no publisher, takes bounded memory, and what it gets later is in order."""
    limit = 1_000_000
    options = ('--cluster-node-timeout', '2000', '--cluster-link-sendbuf-limit', str(limit))
    with Restartable(binary, *options) as nodes:
        wait_for_links(nodes.ports)
        with Client(nodes.ports[0]) as a, Subscriber(nodes.ports[1], 'c') as other, \
                Subscriber(nodes.ports[2], 'c') as late:
            victim = nodes.servers[2].process
            victim.send_signal(signal.SIGSTOP)
            try:
                padding, number, peak = 'x' * 10_000, 0, 0

                def publish(count):
                    nonlocal number, peak
                    for _ in range(count):
                        expect(a('PUBLISH', 'c', f'{number}:{padding}'), 0)
                        expect(other.reply()[-1].decode().split(':')[0], str(number))
                        number += 1
                    peak = max(peak, int(section(a, 'INFO', 'memory')['mem_cluster_links']))

                def dropped():
                    return int(section(a)['cluster_links_messages_dropped'])

                while dropped() < 100:
                    publish(100)
                    expect_true(number < 100_000, 'nothing is dropped')
                exceeded = section(a, 'CLUSTER', 'INFO')['total_cluster_links_buffer_limit_exceeded']
                expect_true(int(exceeded) > 0, 'counted')
                wait_until(lambda: publish(10) or section(a)['cluster_links_down'] == '1', 'the link is given up')
                # The queue, and what has not been confirmed.
                expect_true(peak < limit + 4_000_000, f'{peak} bytes')
            finally:
                victim.send_signal(signal.SIGCONT)
            wait_for_links(nodes.ports)
            a('PUBLISH', 'c', 'end')
            got = [text.split(':')[0] for text in late.payloads('end')]
            expect(got[:-1], [str(one) for one in sorted(set(map(int, got[:-1])))], 'in order, and none twice')
            expect_true(len(got) < number, 'some were dropped')
            wait_until(lambda: int(section(a, 'INFO', 'memory')['mem_cluster_links']) < 20_000, 'no memory is kept')
        exactly_once(nodes.ports, 50)


def wrong_password(binary):
    login = ('hush-right',)
    with Restartable(binary, '--requirepass', *login, '--masterauth', 'hush-wrong') as nodes:
        for number in range(3):
            wait_until(lambda: nodes.log(number).count('WRONGPASS') >= 2, 'both refusals')
        expect(links_of(nodes.ports[0], login)['cluster_links_up'], '0')
        for port in nodes.ports:
            with Client(port) as client:
                expect(client('AUTH', *login), 'OK')
                expect(client('CONFIG', 'GET', 'masterauth'), [b'masterauth', b'hush-wrong'])
                expect(client('CONFIG', 'SET', 'masterauth', *login), 'OK')
        wait_for_links(nodes.ports, login=login)
        exactly_once(nodes.ports, 50, login)
        # As a user of its own, which may do nothing else.
        for port in nodes.ports:
            with Client(port) as client:
                expect(client('AUTH', *login), 'OK')
                expect(client('ACL', 'SETUSER', 'node', 'on', '>hush-node', '+cluster|link', '+ping'), 'OK')
        nodes.kill(1)
        nodes.kill(2)
        for number in (1, 2):  # they forget the user, and log in with the first password
            nodes.restart(number, ('AUTH', *login))
        for port in nodes.ports[1:]:
            with Client(port) as client:
                expect(client('AUTH', *login), 'OK')
                expect(client('CONFIG', 'SET', 'masteruser', 'node', 'masterauth', 'hush-node'), 'OK')
        with Client(nodes.ports[0]) as client:
            expect(client('AUTH', *login), 'OK')
            wait_until(lambda: len([one for one in client('CLUSTER', 'LINKS') if one[1] == b'from']) == 2, 'two links')
            users = [line for line in client('CLIENT', 'LIST').decode().splitlines() if 'user=node' in line]
            expect(len(users), 2)
        for number in range(3):
            expect_true('hush' not in nodes.log(number), 'a password in the log')


def wrong_address(binary):
    """A node in the file has the address of another one: that one gets none of its messages."""
    with Nodes(binary) as nodes:
        wait_for_links(nodes.ports)
        log = nodes.servers[0].output
        with Server(binary) as alone:  # not of any cluster
            nodes.give(*[[part] for part in THIRDS], more=[f'node {"d" * 40} ip=127.0.0.1 port={alone.port}'])
            wait_until(lambda: 'cluster support disabled' in log.read_text(errors='replace'), 'the refusal')
            expect(links_of(nodes.ports[0])['cluster_links_down'], '1')
        right = list(nodes.ports)
        nodes.ports[1], nodes.ports[2] = right[2], right[1]
        nodes.give(*[[part] for part in THIRDS])
        wait_until(lambda: 'another node' in log.read_text(errors='replace'), 'the refusal')
        wait_until(lambda: links_of(right[0])['cluster_links_up'] == '0', 'no link')
        with Client(right[0]) as a, Subscriber(right[1], 'c') as b:
            a('PUBLISH', 'c', 'not for this one')
            wait_until(lambda: links_of(right[0])['cluster_links_messages_dropped'] != '0', 'the drop')
            nodes.ports = right
            nodes.give(*[[part] for part in THIRDS])
            wait_for_links(right)
            a('PUBLISH', 'c', 'end')
            expect(b.payloads('end'), ['end'])


def links_arrive_at(client, tls_port):
    peers = [line for line in client('CLIENT', 'LIST').decode().splitlines()
             if 'cmd=cluster|link' in line or 'cmd=ping' in line]
    return len(peers) == 2 and all(f'laddr=127.0.0.1:{tls_port} ' in line for line in peers)


def encrypted(binary):
    with tempfile.TemporaryDirectory(prefix='slotcar-links.') as folder:
        authority = Authority(folder)
        cert, key = authority.make('node')
        tls_ports = [free_port() for _ in IDS]
        attributes = [f'tls-port={port}' for port in tls_ports]
        options = ('--tls-cert-file', cert, '--tls-key-file', key, '--tls-ca-cert-file', authority.ca)
        with Restartable(binary, *options) as nodes:
            nodes.give(*[[part] for part in THIRDS], attributes=attributes)
            for port, tls_port in zip(nodes.ports, tls_ports):
                with Client(port) as client:
                    expect(client('CONFIG', 'SET', 'tls-port', tls_port), 'OK')
            wait_for_links(nodes.ports)
            for port in nodes.ports:
                with Client(port) as client:
                    expect(client('CONFIG', 'SET', 'tls-cluster', 'yes'), 'OK')
            wait_for_links(nodes.ports)
            for port, tls_port in zip(nodes.ports, tls_ports):
                with Client(port) as client:
                    # Links from before the change may be seen for a moment.
                    wait_until(lambda: links_arrive_at(client, tls_port), 'links on the port for TLS')
            wait_for_links(nodes.ports)
            exactly_once(nodes.ports, 50)
            # A node that another authority has signed for is not believed.
            other = Authority(folder, 'other')
            bad_cert, bad_key = other.make('bad')
            with Client(nodes.ports[2]) as client:
                expect(client('CONFIG', 'SET', 'tls-cert-file', bad_cert, 'tls-key-file', bad_key), 'OK')
                expect(client('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes') > 0, True)
            wait_until(lambda: 'certificate' in nodes.log(0), 'the refusal')
            wait_for_links(nodes.ports[:2], 1)


def keys_travel_encrypted(binary):
    """MIGRATE with tls-cluster, in both directions of a change of that setting."""
    with tempfile.TemporaryDirectory(prefix='slotcar-links.') as folder:
        authority = Authority(folder)
        cert, key = authority.make('server')
        client_cert, client_key = authority.make('client')
        options = ('--tls-cert-file', cert, '--tls-key-file', key, '--tls-ca-cert-file', authority.ca)
        own = ('--tls-client-cert-file', client_cert, '--tls-client-key-file', client_key)
        tls_port = free_port()
        with Server(binary, *options, *own) as from_, \
                Server(binary, *options, '--tls-port', str(tls_port)) as to, from_.client() as a, to.client() as b:
            value = 'x' * 2_000_000
            expect(a('MSET', 'k', value, 'plain', 1), 'OK')
            expect_true(a('MIGRATE', '127.0.0.1', tls_port, 'k', 0, 2000).startswith('IOERR'), 'no TLS yet')
            expect(a('CONFIG', 'SET', 'tls-cluster', 'yes'), 'OK')
            expect(a('MIGRATE', '127.0.0.1', tls_port, 'k', 0, 10000), 'OK')
            expect([a('EXISTS', 'k'), b('GET', 'k')], [0, value.encode()])
            expect_true(a('MIGRATE', '127.0.0.1', to.port, 'plain', 0, 1000).startswith('IOERR'), 'a port without TLS')
            expect(a('CONFIG', 'SET', 'tls-cluster', 'no'), 'OK')
            expect(a('MIGRATE', '127.0.0.1', to.port, 'plain', 0, 10000), 'OK')
            expect_true('nowhere' in a('CONFIG', 'SET', 'tls-ca-cert-file', '/nowhere', 'tls-cluster', 'yes'), 'bad')
            expect(a('CONFIG', 'GET', 'tls-cluster'), [b'tls-cluster', b'no'])


# ------------------------------------------------------------------ etcd
def with_etcd(binary, store):
    with etcd.Nodes(binary, store, 3, prefix='links') as nodes:
        nodes.create()
        wait_for_links(nodes.ports)
        exactly_once(nodes.ports)
        a, b, c = nodes.servers
        with Subscriber(c.port, 'c') as subscriber, a.client() as publisher:
            c.kill()
            wait_for_links(nodes.ports[:2], 1)
            subscriber.close()
        c.restart()
        wait_for_links(nodes.ports)
        exactly_once(nodes.ports, 50)
        # A node that was removed hears nothing more, and its own messages stay with it.
        expect(c('CLUSTER', 'FLUSHSLOTS'), 'OK')
        name = c.id()
        wait_until(lambda: a('CLUSTER', 'FORGET', name) == 'OK', 'it has no slots')
        wait_for_links(nodes.ports[:2], 1)
        with Subscriber(c.port, 'c') as alone, Subscriber(b.port, 'c') as member, a.client() as publisher:
            publisher('PUBLISH', 'c', 'for members')
            expect(c('PUBLISH', 'c', 'alone'), 1)
            publisher('PUBLISH', 'c', 'end')
            expect(member.payloads('end'), ['for members', 'end'])
            expect(alone.payloads('alone'), ['alone'])


def run(server, report):
    binary = server.binary
    if 'slotcar' not in str(binary):
        return report.skip('links', 'topology files are Slotcar\'s')
    with Nodes(binary) as nodes:
        for check in (every_subscriber, other_ways_to_publish, shown, not_for_clients):
            report.check(f'links: {check.__name__.replace("_", " ")}', check, nodes)
    for check in (after_the_disk, killed_and_back, stopped, wrong_password, wrong_address, encrypted,
                  keys_travel_encrypted):
        report.check(f'links: {check.__name__.replace("_", " ")}', check, binary)
    store = etcd.Etcd()
    try:
        report.check('links: with etcd', with_etcd, binary, store)
    finally:
        store.stop()
