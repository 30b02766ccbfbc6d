"""Subscriptions by the hundred thousand; connections by the thousand; tracking."""
from . import BOUNDED, group, lines, n, one, variadic

CHANNELS, PATTERNS = 200_000, 100_000


def channel(i):
    return (f'channel:{i}',)


def pattern(i):
    return (f'pattern:{i}:*',)


def sharded(i):
    return (f'channel:{i}{{s}}',)


def subscribing(command, count, name):
    def play(load):
        one_client = load.connect()
        with load.window():
            one_client.do(variadic(command, n(count), name))
        one_client.close()
        load.pause(0.5)
    return play


def closing(command, count, name):
    def play(load):
        one_client = load.connect()
        one_client.do(variadic(command, n(count), name))
        with load.window(tail=0.5):
            one_client.close()
    return play


def leaving(command, count, name, leave):
    def play(load):
        one_client = load.connect()
        one_client.do(variadic(command, n(count), name))
        with load.window():
            one_client.do(leave)
        one_client.close()
    return play


def beside(command, count, name, call):
    """The call while another client has these subscriptions."""
    def play(load):
        one_client = load.connect()
        one_client.do(variadic(command, n(count), name))
        for _ in range(3):
            load.measured(call())
        one_client.close()
        load.pause(0.5)
    return play


def fanout(load):
    listeners = [load.connect() for _ in range(n(1000))]
    for listener in listeners:
        listener.do(lines('SUBSCRIBE all'))
    with load.window(tail=0.1):
        load.do(one('PUBLISH', 'all', 'x' * 100) * 50)
    for listener in listeners:
        listener.close()


def crowd(call):
    """They subscribe, so that CLIENT KILL can distinguish them from the prober."""
    def play(load):
        clients = [load.connect() for _ in range(n(5000))]
        for client in clients:
            client.do(lines('SUBSCRIBE crowd'))
        load.measured(lines(call), tail=0.1)
        for client in clients:
            client.close()
    return play


def invalidated(load):
    """A client has read 300 k keys; then they change at once."""
    reader = load.connect()
    reader.do(lines('HELLO 3\nCLIENT TRACKING ON'))
    reader.do(variadic('MGET', n(300_000), lambda i: (f't:{i}',)))
    load.measured(variadic('MSET', n(300_000), lambda i: (f't:{i}', i)))
    with load.window(tail=0.3):
        reader.close()


def monitored(load):
    listener = load.connect()
    listener.send(one('MONITOR'))
    load.measured(b''.join(one('SET', f'm:{i}', i) for i in range(n(100_000))))
    listener.close()


def released(load):
    """2,000 clients are held back, then all go on."""
    clients = [load.connect() for _ in range(n(2000))]
    load.do(lines('CLIENT PAUSE 30000 WRITE'))
    for i, client in enumerate(clients):
        client.send(one('SET', f'held:{i}', i))
    load.pause(0.2)
    load.measured(lines('CLIENT UNPAUSE'), tail=0.1)
    for client in clients:
        client.close()


BLOCKING = '''
BLPOP no{s} 0.5
BRPOP no{s} 0.5
BLMOVE no{s} to{s} LEFT LEFT 0.5
BRPOPLPUSH no{s} to{s} 1
BLMPOP 0.5 1 no{s} LEFT
BZPOPMIN no{s} 0.5
BZPOPMAX no{s} 0.5
BZMPOP 0.5 1 no{s} MIN
XREAD BLOCK 500 STREAMS no{s} $
XREADGROUP GROUP g me BLOCK 500 STREAMS empty{s} >
WAIT 1 500
'''


def pipeline_that_blocks(load):
    """SET and a blocking command in one packet: how long until the SET is answered."""
    load.do(lines('DEL empty{s}\nXGROUP CREATE empty{s} g 0 MKSTREAM'))
    for line in BLOCKING.strip().splitlines():
        for _ in range(1 if load.brief else 2):
            client = load.connect()
            client.send(lines(f'SET first{{s}} 1\n{line}'))
            load.first_reply(client, line)
            client.close()


def served(load):
    """2,000 clients blocked on one list; one RPUSH serves them."""
    clients = [load.connect() for _ in range(n(2000))]
    for client in clients:
        client.send(one('BLPOP', 'wait{s}', 30))
    load.pause(0.3)
    load.measured(variadic('RPUSH wait{s}', n(2000), lambda i: (i,)), tail=0.1)
    for client in clients:
        client.close()


g = group('clients', lambda: lines('SET one{s} 1'))
g.add('a pipeline whose later command blocks', 'SET, then each blocking command', covers=(),
      play=pipeline_that_blocks)
g.add('RPUSH that serves blocked clients', '2,000 clients', covers=('blpop',), play=served)
g.add('SUBSCRIBE', '200 k channels', play=subscribing('SUBSCRIBE', CHANNELS, channel))
g.add('close with subscriptions', '200 k channels', covers=(), play=closing('SUBSCRIBE', CHANNELS, channel))
g.add('UNSUBSCRIBE of all', '200 k channels', play=leaving('SUBSCRIBE', CHANNELS, channel, one('UNSUBSCRIBE')))
g.add('PSUBSCRIBE', '100 k patterns', play=subscribing('PSUBSCRIBE', PATTERNS, pattern))
g.add('close with patterns', '100 k patterns', covers=(), play=closing('PSUBSCRIBE', PATTERNS, pattern))
g.add('PUNSUBSCRIBE of all', '100 k patterns',
      play=leaving('PSUBSCRIBE', PATTERNS, pattern, one('PUNSUBSCRIBE')))
g.add('SSUBSCRIBE', '100 k channels', play=subscribing('SSUBSCRIBE', PATTERNS, sharded))
g.add('SUNSUBSCRIBE of all', '100 k channels',
      play=leaving('SSUBSCRIBE', PATTERNS, sharded, one('SUNSUBSCRIBE')))
g.add('PUBLISH beside patterns', '100 k patterns, 20 messages',
      play=beside('PSUBSCRIBE', PATTERNS, pattern, lambda: one('PUBLISH', 'nobody', 'x') * 20))
g.add('PUBLISH to many', '1,000 clients, 50 messages', covers=('publish',), play=fanout)
g.add('PUBSUB CHANNELS', '200 k channels', covers=('pubsub|channels',),
      play=beside('SUBSCRIBE', CHANNELS, channel, lambda: lines('PUBSUB CHANNELS')))
g.add('PUBSUB NUMSUB', '200 k channels', covers=('pubsub|numsub',),
      play=beside('SUBSCRIBE', CHANNELS, channel, lambda: variadic('PUBSUB NUMSUB', n(CHANNELS), channel)))
g.add('PUBSUB SHARDCHANNELS', '100 k channels', covers=('pubsub|shardchannels',),
      play=beside('SSUBSCRIBE', PATTERNS, sharded, lambda: lines('PUBSUB SHARDCHANNELS')))
g.add('PUBSUB SHARDNUMSUB', '100 k channels', covers=('pubsub|shardnumsub',), play=beside(
    'SSUBSCRIBE', PATTERNS, sharded, lambda: variadic('PUBSUB SHARDNUMSUB', n(PATTERNS), sharded)))
g.add('CLIENT LIST', '5,000 clients', covers=('client|list',), play=crowd('CLIENT LIST'))
g.add('CLIENT KILL of all others', '5,000 clients', covers=('client|kill',), play=crowd(
    'CLIENT KILL TYPE pubsub'))
g.add('CLIENT UNPAUSE', '2,000 clients held back', covers=('client|unpause', 'client|pause'), play=released)
g.add('CLIENT TRACKING, keys change, close', '300 k keys', covers=('client|tracking',), play=invalidated)
g.add('CLIENT TRACKING with prefixes', '5,000 prefixes', covers=('client|tracking', 'client|trackinginfo'),
      prepare='CLIENT TRACKING OFF',
      call=lambda: lines('HELLO 3') + variadic('CLIENT TRACKING ON BCAST', n(5000), lambda i: (
          'PREFIX', f'prefix:{i:06d}:')) + lines('CLIENT TRACKINGINFO\nCLIENT TRACKING OFF\nHELLO 2'))
g.add('MONITOR', 'beside a pipeline of 100 k SETs', play=monitored)
g.constant = '''
PUBLISH nobody x
SPUBLISH nobody{s} x
PUBSUB NUMPAT
PUBSUB HELP
CLIENT ID
CLIENT INFO
CLIENT GETNAME
CLIENT SETNAME me
CLIENT GETREDIR
CLIENT HELP
CLIENT NO-EVICT OFF
CLIENT REPLY ON
CLIENT UNBLOCK 1
CLIENT TRACKINGINFO
CLIENT TRACKING OFF
ECHO x
PING
SELECT 0
HELLO 2
RESET
'''
g.constant_new = '''
CLIENT NO-TOUCH OFF
CLIENT SETINFO LIB-NAME x
'''
BOUNDED['client|unblock'] = 'looks one client up'
BOUNDED['spublish'] = BOUNDED['publish'] = 'N is the number of those who listen: rows of their own'
