"""Publishing to many listeners on all workers: order, limits, what a listener may do."""
import threading

from harness import ErrorReply, Server, encoded, expect, expect_true


def run(server, report):
    for check in (listeners_say_little, third_protocol_says_anything, order_of_each_publisher,
                  own_messages_come_after_the_replies, names_in_client_list, reset_ends_it,
                  quick_calls_keep_their_place):
        report.check(check.__name__.replace('_', ' '), check, server)
    with Server(server.binary, '--client-output-buffer-limit', 'pubsub 1mb 0 0') as small:
        report.check('a listener that does not read is cut off', slow_listener, small)


def listeners_say_little(server):
    with server.client() as client:
        expect(client('SUBSCRIBE', 'c'), [b'subscribe', b'c', 1])
        expect(client('GET', 'k'), ErrorReply(
            "ERR Can't execute 'get': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET "
            'are allowed in this context'))
        expect(client('PING'), [b'pong', b''])
        expect(client('PING', 'x'), [b'pong', b'x'])
        expect(client('PSUBSCRIBE', 'p*'), [b'psubscribe', b'p*', 2])
        expect(client('UNSUBSCRIBE'), [b'unsubscribe', b'c', 1])
        expect(client('PUNSUBSCRIBE'), [b'punsubscribe', b'p*', 0])
        expect(client('PING'), 'PONG')
        expect(client('GET', 'k'), None)


def third_protocol_says_anything(server):
    with server.client() as client:
        client('HELLO', '3')
        expect(client('SUBSCRIBE', 'c'), [b'subscribe', b'c', 1])
        expect(client('GET', 'k'), None)
        expect(client('PING'), 'PONG')


def order_of_each_publisher(server):
    """Eight publishers, twenty listeners; every listener gets each publisher's messages in order."""
    count = 500
    listeners = [server.client() for _ in range(20)]
    for listener in listeners:
        expect(listener('SUBSCRIBE', 'order'), [b'subscribe', b'order', 1])

    def publish(who):
        with server.client() as client:
            client.raw(b''.join(encoded('PUBLISH', 'order', f'{who} {i}') for i in range(count)))
            for _ in range(count):
                expect(client.reply(), len(listeners))

    threads = [threading.Thread(target=publish, args=(who,)) for who in range(8)]
    for thread in threads:
        thread.start()
    for listener in listeners:
        heard = {}
        for _ in range(8 * count):
            kind, _, text = listener.reply()
            expect(kind, b'message')
            who, number = map(int, text.split())
            expect(number, heard.get(who, 0), f'from publisher {who}')
            heard[who] = number + 1
    for thread in threads:
        thread.join()
    for listener in listeners:
        listener.close()


def own_messages_come_after_the_replies(server):
    with server.client() as client:
        client('HELLO', '3')
        client('SUBSCRIBE', 'mine')
        client.raw(encoded('SET', 'k', '1') + encoded('PUBLISH', 'mine', 'm') + encoded('GET', 'k'))
        expect([client.reply() for _ in range(4)],
               ['OK', 1, b'1', [b'message', b'mine', b'm']])
        client('DEL', 'k')


def names_in_client_list(server):
    with server.client() as listener, server.client() as client:
        listener('SUBSCRIBE', 'a')
        listener('SSUBSCRIBE', 's')
        expect(listener('PSUBSCRIBE', 'p'), [b'psubscribe', b'p', 2])
        lines = client('CLIENT', 'LIST', 'TYPE', 'pubsub').decode().splitlines()
        expect(len(lines), 1)
        expect_true(' flags=P ' in lines[0] and ' sub=1 psub=1 ssub=1 ' in lines[0], lines[0])
        info = client('INFO', 'all').decode()
        for line in ('pubsub_clients:1', 'pubsub_channels:1', 'pubsub_patterns:1',
                     'pubsubshard_channels:1'):
            expect_true(line + '\r\n' in info, line)


def reset_ends_it(server):
    with server.client() as listener, server.client() as client:
        listener('SUBSCRIBE', 'r')
        expect(client('PUBLISH', 'r', 'x'), 1)
        expect(listener.reply(), [b'message', b'r', b'x'])
        expect(listener('RESET'), 'RESET')
        expect(client('PUBLISH', 'r', 'x'), 0)
        expect(listener('GET', 'k'), None)


def quick_calls_keep_their_place(server):
    """What is answered as soon as it is decoded: in its place among others, and seen by others."""
    with server.client() as client, server.client() as other:
        me = client('CLIENT', 'ID')
        requests = (['PING'], ['SET', 'k', '1'], ['PUBLISH', 'nobody', 'x'], ['GET', 'k'], ['ECHO', 'e'],
                    ['SELECT', '1'], ['GET', 'k'], ['SELECT', '0'], ['DEL', 'k'], ['PUBLISH', 'nobody', 'x'])
        answers = ['PONG', 'OK', 0, b'1', b'e', 'OK', None, 'OK', 1, 0]
        client.raw(b''.join(encoded(*words) for words in requests))
        expect([client.reply() for _ in requests], answers)
        for last in ('PUBLISH', 'nobody', 'x'), ('GET', 'k'), ('PING',):
            client.raw(encoded('ECHO', 'first') + encoded(*last))
            client.reply(), client.reply()
            line = other('CLIENT', 'LIST', 'ID', str(me)).decode()
            expect_true(f' cmd={last[0].lower()} ' in line, line)
        # Not while writes are paused: it waits with the others for the end of the pause.
        other('CLIENT', 'PAUSE', '60000', 'WRITE')
        client.raw(encoded('PUBLISH', 'nobody', 'x'))
        while 'blocked_clients:1\r\n' not in other('INFO', 'clients').decode():
            pass
        other('CLIENT', 'UNPAUSE')
        expect(client.reply(), 0)
        # And in silence where silence was asked for.
        client.raw(encoded('CLIENT', 'REPLY', 'SKIP') + encoded('PUBLISH', 'nobody', 'x') +
                   encoded('PING', 'heard'))
        expect(client.reply(), b'heard')


def slow_listener(server):
    with server.client() as listener, server.client() as quick, server.client() as client:
        listener('SUBSCRIBE', 'flood')
        quick('SUBSCRIBE', 'calm')
        sent = 0
        while client('PUBLISH', 'flood', 'x' * 100_000) == 1:
            sent += 1
            expect_true(sent < 1000, 'it was never cut off')
        expect(client('PUBLISH', 'calm', 'x'), 1)
        expect(quick.reply(), [b'message', b'calm', b'x'])
        info = client('INFO', 'stats').decode()
        expect_true('client_output_buffer_limit_disconnections:1\r\n' in info, 'it is not counted')
