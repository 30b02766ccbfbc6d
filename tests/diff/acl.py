#!/usr/bin/python3
"""Access control against redis-server: random rules, and what they then allow.

  tests/diff/acl.py [--steps 100000] [--seed 1] [--redis redis-server] [--server ...]
  tests/diff/acl.py --sequences 100000 [--first 0] [--seed 1]

A step sends ACL SETUSER with random rules, ACL DRYRUN of a random request, or the request itself on a
connection of that user, to both servers, and compares: whether the rules are taken and with which
error, and the verdict with its text. A sequence begins with a user without rights: some ACL SETUSER,
then for several requests ACL DRYRUN and, where that does no harm, the request itself. Each is made from
its number alone, so that 100,000 can be run in pieces. Debian's redis-server is a 7.0; what Redis 7.2 says otherwise is
translated by `as_in_7_2`. Commands whose declaration the two do not share are left out, and named.
The last line is `PASS n FAIL m`.
"""
import argparse
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'system'))
from harness import Client, ErrorReply, encoded, free_port, serves  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
USERS = ('alice', 'bob', 'carol')
KEYS = ('app:1', 'app:2', 'out:1', 'x', 'app:', 'news', 'é')
PATTERNS = ('app:*', 'out:*', '*:1', 'x', 'a[p-r]p:?', '*', 'news', '\\x', 'nothing', '?')
CHANNELS = ('news', 'news.1', 'sport', 'app:1')
CHANNEL_PATTERNS = ('news', 'news*', 'sport', '*', 'news.?')

# Requests that may really be made: they neither wait nor change what their connection is.
REQUESTS = """
GET K|SET K v|SET K v GET|SET K v XX KEEPTTL|GETEX K|GETDEL K|APPEND K v|STRLEN K|GETRANGE K 0 -1
SETRANGE K 1 v|MGET K K K|MSET K v K v|MSETNX K v K v|INCR K|INCRBYFLOAT K 1|LCS K K|SUBSTR K 0 1
DEL K K|UNLINK K|EXISTS K K|TOUCH K|TYPE K|TTL K|EXPIRE K 100|PERSIST K|RENAME K K|RENAMENX K K
COPY K K|COPY K K REPLACE|DUMP K|OBJECT ENCODING K|OBJECT FREQ K|MEMORY USAGE K|RANDOMKEY|KEYS K
SCAN 0|DBSIZE|SORT K|SORT K BY w*|SORT K GET #|SORT K BY nosort|SORT K STORE K|SORT_RO K BY w*
SORT K GET a* STORE K|HSET K f v|HGET K f|HGETALL K|HDEL K f|HRANDFIELD K|HSCAN K 0|HLEN K
LPUSH K a|LPOP K|LRANGE K 0 -1|LMOVE K K LEFT RIGHT|RPOPLPUSH K K|LMPOP 2 K K LEFT|LLEN K|LPOS K a
SADD K a|SMEMBERS K|SCARD K|SMOVE K K a|SINTER K K|SINTERSTORE K K K|SINTERCARD 2 K K|SUNION K
SRANDMEMBER K|SPOP K|SSCAN K 0|ZADD K 1 a|ZRANGE K 0 -1|ZRANGESTORE K K 0 -1|ZUNIONSTORE K 2 K K
ZUNION 2 K K|ZINTERCARD 1 K|ZDIFF 1 K|ZCARD K|ZMPOP 1 K MIN|ZRANDMEMBER K|ZSCAN K 0|ZPOPMIN K
GEOADD K 1 1 a|GEOSEARCH K FROMMEMBER a BYRADIUS 1 km|GEOSEARCHSTORE K K FROMMEMBER a BYRADIUS 1 km
GEORADIUS K 1 1 1 km|GEORADIUS K 1 1 1 km STORE K|GEORADIUSBYMEMBER K a 1 km STOREDIST K
BITCOUNT K|SETBIT K 1 1|GETBIT K 1|BITOP AND K K K|BITFIELD K GET u8 0|BITFIELD K SET u8 0 1
BITFIELD_RO K GET u8 0|BITPOS K 1|PFADD K a|PFCOUNT K K|PFMERGE K K|XADD K * f v|XLEN K|XRANGE K - +
XREAD STREAMS K K 0 0|XREADGROUP GROUP g c STREAMS K >|XGROUP CREATE K g 0 MKSTREAM|XINFO STREAM K
XDEL K 1-1|XACK K g 1-1|XTRIM K MAXLEN 10|PUBLISH C v|SPUBLISH C v|PUBSUB CHANNELS|PUBSUB NUMSUB C
PING|ECHO v|TIME|SELECT 0|SELECT 1|CLIENT ID|CLIENT GETNAME|CLIENT LIST|COMMAND COUNT|CONFIG GET port
ACL WHOAMI|ACL USERS|ACL CAT|LASTSAVE|INFO server|OBJECT HELP|LATENCY HELP|SLOWLOG LEN|DBSIZE
"""
# Only asked about.
ASKED = """
SUBSCRIBE C|SUBSCRIBE C C|PSUBSCRIBE P|PSUBSCRIBE P P|SSUBSCRIBE C|UNSUBSCRIBE C|PUNSUBSCRIBE P
BLPOP K K 0|BRPOP K 0|BLMOVE K K LEFT LEFT 0|BZPOPMIN K K 0|BLMPOP 0 2 K K LEFT|BZMPOP 0 1 K MAX
XREAD BLOCK 0 STREAMS K K $ $|WAIT 0 0|MULTI|EXEC|DISCARD|WATCH K K|UNWATCH|AUTH x|AUTH a b|HELLO 3
RESET|QUIT|FLUSHALL|FLUSHDB|SHUTDOWN|SAVE|BGSAVE|MONITOR|CONFIG SET a b|CONFIG RESETSTAT|SWAPDB 0 1
ACL SETUSER a|ACL DELUSER a|ACL GETUSER a|ACL LIST|ACL LOG|ACL DRYRUN a GET K|CLIENT KILL ID 1
CLIENT TRACKING on|CLIENT REPLY on|CLIENT NO-EVICT on|RESTORE K 0 x|MOVE K 1|DEBUG SLEEP 0|SLOWLOG GET
ZUNIONSTORE K x K|ZUNION 9 K K|SINTERCARD 0 K|LMPOP 1 K|XREAD K|XREADGROUP GROUP g c K|SORT K STORE
GEORADIUS K 1 1 1 km STORE|BITOP NOT K K|SET K|GET|NOSUCH K|OBJECT NOSUCH K|CONFIG NOSUCH|GET K K
"""


def split(text):
    return [line.split(' ') for part in text.strip().splitlines() for line in part.split('|')]


def as_in_7_2(reply, user):
    """What a 7.0 says, in the words of 7.2."""
    if isinstance(reply, bytes):
        return re.sub(rb'^This user has', b'User ' + user.encode() + b' has', reply)
    if not isinstance(reply, ErrorReply):
        return reply
    who = f'User {user} has no permissions to run the'
    for old, new in (('this user has no permissions to run the', who),
                     ('this user has no permissions to access one of the keys used as arguments',
                      'No permissions to access a key'),
                     ('this user has no permissions to access one of the channels used as arguments',
                      'No permissions to access a channel')):
        reply = ErrorReply(reply.replace(old, new))
    return reply


class Both:
    """The two servers and, for each user, a connection to both."""

    def __init__(self, ports):
        self.ports = ports
        self.admin = [Client(port, 60) for port in ports]
        self.users = {}

    def ask(self, ends, words):
        return [replies[0] for replies in self.ask_all(ends, [words])]

    def ask_all(self, ends, requests):
        data = b''.join(encoded(*words) for words in requests)
        for end in ends:
            end.raw(data)
        return [[end.reply() for _ in requests] for end in ends]

    def log_in(self, user):
        self.ask(self.admin, ['ACL', 'SETUSER', user, 'on', 'nopass'])
        self.users[user] = [Client(port, 60) for port in self.ports]
        for reply in self.ask(self.users[user], ['AUTH', user, 'x']):
            assert reply == 'OK', reply


def declarations(client):
    """What rules look at: categories, and whether a subcommand is one."""
    found = {}

    def add(row):
        name = row[0].decode()
        found[name] = (row[1], sorted(row[6]), [spec_of(spec) for spec in row[8]])
        for sub in row[9]:
            add(sub)

    def spec_of(spec):
        parts = dict(zip(spec[::2], spec[1::2]))
        parts.pop(b'notes', None)
        parts[b'flags'] = sorted(parts[b'flags'])
        return repr(parts)

    for row in client('COMMAND'):
        add(row)
    return found


class Dice(random.Random):
    def fill(self, words):
        chosen = {'K': KEYS, 'C': CHANNELS, 'P': CHANNEL_PATTERNS}
        return [self.choice(chosen[word]) if word in chosen else word for word in words]

    def root_rule(self, names, categories):
        kind = self.randrange(100)
        if kind < 30:
            name = self.choice(names)
            return self.choice('++-') + (name.upper() if self.randrange(4) == 0 else name)
        if kind < 45:
            return self.choice('++-') + '@' + self.choice(categories)
        if kind < 65:
            return self.choice(('~', '~', '%R~', '%W~', '%RW~', '%r~', '%~', '%RR~', '%X~')) + \
                self.choice(PATTERNS)
        if kind < 75:
            return '&' + self.choice(CHANNEL_PATTERNS)
        if kind < 80:
            return self.choice(('+select|0', '+SELECT|1', '+get|x', '+config|get|x', '+config|nosuch',
                                '-config|get', '+client|', '-select|0', '+nosuch', '+@nosuch'))
        return self.choice(('allkeys', 'resetkeys', 'allchannels', 'resetchannels', 'allcommands',
                            'nocommands', '+@all', '-@all', 'AllKeys', '~*', '&*', 'resetkeys',
                            'resetchannels'))

    def rule(self, names, categories):
        kind = self.randrange(100)
        if kind < 80:
            return self.root_rule(names, categories)
        if kind < 90:
            inner = [self.root_rule(names, categories) for _ in range(self.randrange(1, 5))]
            return '(' + ' '.join(inner) + ')'
        return self.choice(('reset', 'clearselectors', 'on', 'off', 'nopass', 'resetpass', '>secret',
                            '<secret', '#' + 'ab' * 32, '!' + 'ab' * 32, '#12', 'nonsense', '(+get',
                            'sanitize-payload', 'skip-sanitize-payload', '', '~a b', '(on)'))


def rights_without_commands(reply):
    """ACL GETUSER without the command rules, which 7.0 prints by a guess."""
    pairs = dict(zip(reply[::2], reply[1::2]))
    shown = [sorted(pairs[b'passwords']), pairs[b'keys'], pairs[b'channels'],
             [flag for flag in pairs[b'flags'] if not flag.endswith(b'sanitize-payload')]]
    for selector in pairs[b'selectors']:
        inner = dict(zip(selector[::2], selector[1::2]))
        shown.append((inner[b'keys'], inner[b'channels']))
    return shown


class Words:
    """What both servers know in the same way: names and categories for rules, and requests."""

    def __init__(self, both):
        theirs, ours = (declarations(end) for end in both.admin)
        self.names = sorted(name for name in theirs if ours.get(name) == theirs[name])
        self.categories = [word.decode() for word in both.admin[0]('ACL', 'CAT')]
        left_out = sorted(name for name in theirs if name in ours and ours[name] != theirs[name])
        print('declared differently, left out of the requests:')
        for name in left_out:
            for part, their, our in zip(('arity', 'categories', 'keys'), theirs[name], ours[name]):
                if their != our:
                    print(f'  {name}: {part}: redis {their}, slotcar {our}')

        def full_name(words):
            name = words[0].lower()
            sub = f'{name}|{words[1].lower()}' if len(words) > 1 else name
            return sub if sub in theirs or sub in ours else name

        def askable(words):
            name = full_name(words)
            return name in self.names or (name not in ours and name not in theirs)

        self.real = [words for words in split(REQUESTS) if askable(words)]
        self.asked = self.real + [words for words in split(ASKED) if askable(words)]


def verdict(reply):
    """Of a request that was really made: only whether it was allowed, and the words if not."""
    denied = isinstance(reply, ErrorReply) and (reply.startswith('NOPERM') or 'denied due to' in reply)
    return reply if denied else 'it ran'


def sequences(both, count, first, seed):
    known = Words(both)
    for user in USERS:
        both.log_in(user)
    failures = passed = 0
    for number in range(first, first + count):
        dice = Dice(f'{seed}/{number}')
        user = dice.choice(USERS)
        said = [['ACL', 'SETUSER', user, 'reset', 'on', 'nopass']]
        for _ in range(dice.randrange(1, 5)):
            rules = [dice.rule(known.names, known.categories) for _ in range(dice.randrange(1, 6))]
            # What follows would be inside the selector, where we refuse parentheses in other words.
            if '(+get' in rules:
                rules = rules[:rules.index('(+get') + 1]
            # Who is off, or has a password, stays logged in: all of them can be asked.
            said.append(['ACL', 'SETUSER', user, *rules])
        made = [dice.fill(dice.choice(known.real)) for _ in range(dice.randrange(2, 6))]
        asked = made + [dice.fill(dice.choice(known.asked)) for _ in range(dice.randrange(1, 4))]
        said += [['ACL', 'DRYRUN', user, *words] for words in asked]
        answers = list(zip(said, *both.ask_all(both.admin, said)))
        runs = both.ask_all(both.users[user], made)
        answers += [(words, verdict(their), verdict(our)) for words, their, our in zip(made, *runs)]
        wrong = [(words, their, our) for words, their, our in answers
                 if as_in_7_2(their, user) != our]
        if not wrong:
            passed += 1
            continue
        failures += 1
        print(f'\n=== seed {seed}, sequence {number}: {said}')
        for words, their, our in wrong:
            print(f'    {words}\n    redis    {their!r}\n    slotcar  {our!r}')
        if failures == 20:
            break
    print(f'PASS {passed} FAIL {failures}')
    return failures


def compare(both, steps, seed):
    dice = Dice(seed)
    known = Words(both)
    shared, categories, real, asked = known.names, known.categories, known.real, known.asked
    for user in USERS:
        both.log_in(user)
    failures = passed = 0
    since = {user: [] for user in USERS}  # what has been said of it since it was reset
    for step in range(steps):
        user = dice.choice(USERS)
        kind = dice.randrange(100)
        if kind < 30:
            rules = [dice.rule(shared, categories) for _ in range(dice.randrange(1, 5))]
            words = ['ACL', 'SETUSER', user, *rules]
            replies = both.ask(both.admin, words)
            since[user] = (since[user] + [rules])[-20:]
        elif kind < 32:
            words = ['ACL', 'GETUSER', user]
            replies = [rights_without_commands(one) for one in both.ask(both.admin, words)]
        elif kind < 33:
            words = ['ACL', 'DELUSER', user]
            replies = both.ask(both.admin, words)
            for end in both.users[user]:
                assert end.closed()
            both.log_in(user)
            since[user] = []
        elif kind < 66:
            words = ['ACL', 'DRYRUN', user, *dice.fill(dice.choice(asked))]
            replies = both.ask(both.admin, words)
        else:
            words = dice.fill(dice.choice(real))
            replies = [verdict(one) for one in both.ask(both.users[user], words)]
        if as_in_7_2(replies[0], user) == replies[1]:
            passed += 1
            continue
        failures += 1
        print(f'\n=== seed {seed}, step {step}, {user}: {words}\n    redis    {replies[0]!r}\n'
              f'    slotcar  {replies[1]!r}\n    rules    {since[user]}')
        if failures == 20:
            break
    print(f'PASS {passed} FAIL {failures}')
    return failures


def start(command, directory):
    log = open(os.path.join(directory, 'log'), 'wb')
    return subprocess.Popen(command, stdout=log, stderr=log, cwd=directory)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--steps', type=int, default=100_000)
    parser.add_argument('--sequences', type=int, default=0)
    parser.add_argument('--first', type=int, default=0)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--redis', default='redis-server')
    parser.add_argument('--server', default=str(ROOT / 'build/release/slotcar-server'))
    options = parser.parse_args()
    if shutil.which(options.redis) is None:
        print('SKIP there is no redis-server to compare with')
        return 0
    folders = [tempfile.mkdtemp(prefix='slotcar-acl-') for _ in range(2)]
    ports = [free_port(), free_port()]
    common = ['--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--enable-debug-command', 'yes']
    processes = [start([binary, '--port', str(port), '--dir', folder, *common], folder)
                 for binary, port, folder in zip((options.redis, os.path.abspath(options.server)),
                                                 ports, folders)]
    try:
        for port in ports:
            until = time.monotonic() + 10
            while not serves(port):
                assert time.monotonic() < until, f'no server at port {port}'
                time.sleep(0.02)
        both = Both(ports)
        if options.sequences:
            return 1 if sequences(both, options.sequences, options.first, options.seed) else 0
        return 1 if compare(both, options.steps, options.seed) else 0
    finally:
        for process, folder in zip(processes, folders):
            process.terminate()
            process.wait()
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == '__main__':
    sys.exit(main())
