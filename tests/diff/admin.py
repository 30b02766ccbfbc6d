"""Administrative commands, each subcommand and option, sent to this server and to redis-server.

  ./dev diff --admin            all of them, in RESP2 and RESP3
  tests/system/admin_replies.py the same as a check of tests/system/run.py

The random part of diff.py compares what commands do to keys. These commands tell of the server itself,
so most values differ and only their form is compared: a line below names the rule. What differs on
purpose stands in admin_differences.txt.
"""
import pathlib
import re
import time

from replies import Typed, elements, encode, is_error, kind_of

KNOWN = pathlib.Path(__file__).resolve().parent / 'admin_differences.txt'

# --- rules: each makes of a reply what must be equal ------------------------------------------------


def exact(value):
    return value


def unordered(value):
    """An array or a map in any order."""
    inner = elements(value)
    if inner is None:
        return value
    if kind_of(value) == '%' or (inner and b'timeout' in inner):
        inner = [inner[i:i + 2] for i in range(0, len(inner), 2)]
    return kind_of(value), sorted(map(repr, inner))


def form(value):
    """Kinds and numbers of elements; names in maps, whether they come as pairs or as a map."""
    inner = elements(value)
    if inner is None:
        return value if is_error(value) else kind_of(value)
    if kind_of(value) == '%' or (len(inner) % 2 == 0 and inner and
                                 all(isinstance(word, bytes) for word in inner[::2]) and
                                 any(not isinstance(word, bytes) for word in inner[1::2])):
        return kind_of(value), [(inner[i], form(inner[i + 1])) for i in range(0, len(inner) - 1, 2)]
    return kind_of(value), [form(one) for one in inner]


def kind(value):
    """The kind alone, or the error."""
    return value if is_error(value) else kind_of(value)


def text_of(value):
    return value.value if isinstance(value, Typed) else value


def sections(value):
    """INFO: the sections and the names in them."""
    if is_error(value):
        return value
    lines = text_of(value).decode().splitlines()
    lines = [line.split(':')[0] for line in lines if line and not line.startswith('#')]
    return kind_of(value), sorted(re.sub(r'[0-9]+$', 'N', line) for line in lines)


def fields(value):
    """CLIENT LIST: the names of the fields, in order."""
    if is_error(value):
        return value
    lines = text_of(value).decode().splitlines()
    return kind_of(value), [[word.split('=')[0] for word in line.split(' ')] for line in lines[:1]]


def usage(value):
    """HELP: what can be typed. The explanations are each server's own."""
    inner = elements(value)
    if inner is None:
        return value
    return f'{kind_of(value)} of {kind_of(inner[0])}', sorted(
        one.value.split()[0].decode().upper() for one in inner[1:] if not one.value.startswith(b' '))


def version(value):
    """LOLWUT: clients look for the version in it."""
    return value if is_error(value) else (kind_of(value), b'Redis ver. ' in text_of(value))


RULES = {f.__name__: f for f in (exact, unordered, form, kind, sections, fields, usage, version)}
# Of these Redis's names must be there; there may be more.
AT_LEAST = ('sections', 'usage')

# --- the commands: rule, words ------------------------------------------------------------------------

# No slow log of either server's own slowness: the machine may be busy.
BEFORE = """
CONFIG SET slowlog-log-slower-than -1
SLOWLOG RESET
FLUSHALL
SET s value
SET i 12
RPUSH l a b c
SADD st 1 2 3
HSET h f v
ZADD z 1 a
XADD x 1-1 f v
XADD x 2-1 f v
XGROUP CREATE x g 0
XREADGROUP GROUP g c COUNT 1 STREAMS x >
SETRANGE long 100 x
"""

CONTAINERS = ('CLIENT', 'CONFIG', 'COMMAND', 'OBJECT', 'MEMORY', 'LATENCY', 'SLOWLOG', 'PUBSUB', 'XINFO',
              'XGROUP', 'DEBUG')

LINES = """
exact CLIENT GETNAME
exact CLIENT SETNAME admin
exact CLIENT SETNAME "a b"
exact CLIENT SETNAME
exact CLIENT GETNAME x
kind CLIENT ID
fields CLIENT INFO
fields CLIENT LIST
fields CLIENT LIST TYPE normal
exact CLIENT LIST TYPE pubsub
exact CLIENT LIST TYPE replica
exact CLIENT LIST TYPE foo
exact CLIENT LIST ID 999999
exact CLIENT LIST ID x
exact CLIENT LIST ID
exact CLIENT LIST FOO
exact CLIENT KILL 1.2.3.4:5
exact CLIENT KILL ID 999999
exact CLIENT KILL ID x
exact CLIENT KILL TYPE foo
exact CLIENT KILL USER nosuch
exact CLIENT KILL ADDR 1.2.3.4:5 SKIPME no
exact CLIENT KILL LADDR 1.2.3.4:5 SKIPME maybe
exact CLIENT KILL
exact CLIENT NO-EVICT on
exact CLIENT NO-EVICT off
exact CLIENT NO-EVICT x
exact CLIENT NO-EVICT
exact CLIENT PAUSE
exact CLIENT PAUSE x
exact CLIENT PAUSE -1
exact CLIENT PAUSE 1 foo
exact CLIENT PAUSE 0
exact CLIENT UNPAUSE
exact CLIENT UNPAUSE x
exact CLIENT REPLY x
exact CLIENT REPLY ON
exact CLIENT REPLY
exact CLIENT UNBLOCK 999999
exact CLIENT UNBLOCK 999999 ERROR
exact CLIENT UNBLOCK 999999 FOO
exact CLIENT UNBLOCK x
exact CLIENT TRACKING off
exact CLIENT TRACKING x
exact CLIENT TRACKING on REDIRECT 999999
exact CLIENT TRACKING on OPTIN OPTOUT
exact CLIENT TRACKING on PREFIX a
exact CLIENT TRACKING on BCAST PREFIX a PREFIX ab
exact CLIENT TRACKINGINFO
exact CLIENT GETREDIR
exact CLIENT CACHING yes
exact CLIENT CACHING x
exact CLIENT
exact CLIENT NOSUCH
exact CLIENT ID x
exact CONFIG GET maxmemory
exact CONFIG GET nosuch
unordered CONFIG GET maxmemory-samples timeout
exact CONFIG GET
exact CONFIG SET
exact CONFIG SET timeout
exact CONFIG SET timeout x
exact CONFIG SET timeout -1
exact CONFIG SET nosuch 1
exact CONFIG SET timeout 0 timeout 0
exact CONFIG SET maxmemory x
exact CONFIG SET maxmemory-policy x
exact CONFIG SET appendonly x
exact CONFIG SET port 99999
exact CONFIG SET dir /nosuch
exact CONFIG SET databases 3
exact CONFIG SET save x
exact CONFIG SET client-output-buffer-limit x
exact CONFIG SET notify-keyspace-events q
exact CONFIG RESETSTAT
exact CONFIG RESETSTAT x
exact CONFIG REWRITE
exact CONFIG
exact CONFIG NOSUCH
kind COMMAND COUNT
exact COMMAND COUNT x
exact COMMAND INFO nosuch
exact COMMAND INFO nosuch alsono
exact COMMAND DOCS nosuch
exact COMMAND GETKEYS SET a b
exact COMMAND GETKEYS MSET a 1 b 2
exact COMMAND GETKEYS nosuch a
exact COMMAND GETKEYS PING
exact COMMAND GETKEYS SET
exact COMMAND GETKEYS
exact COMMAND GETKEYSANDFLAGS SET a b
exact COMMAND GETKEYSANDFLAGS nosuch
unordered COMMAND LIST FILTERBY PATTERN xgrou*
exact COMMAND LIST FILTERBY MODULE nosuch
exact COMMAND LIST FILTERBY ACLCAT nosuch
exact COMMAND LIST FILTERBY FOO bar
exact COMMAND LIST FILTERBY
exact COMMAND NOSUCH
exact OBJECT ENCODING s
exact OBJECT ENCODING nosuch
exact OBJECT ENCODING
exact OBJECT FREQ s
exact OBJECT FREQ nosuch
exact OBJECT IDLETIME nosuch
kind OBJECT IDLETIME s
exact OBJECT REFCOUNT s
exact OBJECT REFCOUNT nosuch
exact OBJECT NOSUCH s
exact OBJECT
kind MEMORY USAGE s
kind MEMORY USAGE l SAMPLES 0
exact MEMORY USAGE nosuch
exact MEMORY USAGE s SAMPLES
exact MEMORY USAGE s SAMPLES -1
exact MEMORY USAGE s SAMPLES x
exact MEMORY USAGE s FOO
exact MEMORY USAGE
form MEMORY STATS
exact MEMORY STATS x
kind MEMORY DOCTOR
kind MEMORY MALLOC-STATS
exact MEMORY PURGE
exact MEMORY NOSUCH
exact MEMORY
form LATENCY HISTOGRAM set
exact LATENCY HISTOGRAM nosuch
exact LATENCY LATEST
exact LATENCY LATEST x
exact LATENCY HISTORY
exact LATENCY HISTORY nosuch
exact LATENCY HISTORY a b
exact LATENCY GRAPH
exact LATENCY GRAPH nosuch
exact LATENCY GRAPH a b
exact LATENCY RESET
exact LATENCY RESET nosuch command
kind LATENCY DOCTOR
exact LATENCY DOCTOR x
exact CONFIG GET latency-monitor-threshold
exact CONFIG SET latency-monitor-threshold -1
exact CONFIG SET latency-monitor-threshold x
exact CONFIG SET latency-monitor-threshold 1000000
exact LATENCY LATEST
kind LATENCY DOCTOR
exact CONFIG SET latency-monitor-threshold 0
exact LATENCY NOSUCH
exact LATENCY
exact SLOWLOG GET 0
exact SLOWLOG GET x
exact SLOWLOG GET -2
exact SLOWLOG GET 1 2
exact SLOWLOG LEN
exact SLOWLOG LEN x
exact SLOWLOG RESET
exact SLOWLOG NOSUCH
exact SLOWLOG
exact PUBSUB CHANNELS
exact PUBSUB CHANNELS nosuch*
exact PUBSUB CHANNELS a b
exact PUBSUB NUMSUB
exact PUBSUB NUMSUB a b
exact PUBSUB NUMPAT
exact PUBSUB NUMPAT x
exact PUBSUB SHARDCHANNELS
exact PUBSUB SHARDNUMSUB
exact PUBSUB SHARDNUMSUB a b
exact PUBSUB NOSUCH
exact PUBSUB
form XINFO STREAM x
form XINFO STREAM x FULL
exact XINFO STREAM x FULL COUNT x
exact XINFO STREAM nosuch
exact XINFO STREAM s
form XINFO GROUPS x
exact XINFO GROUPS nosuch
exact XINFO CONSUMERS x nosuch
exact XINFO CONSUMERS nosuch g
exact XINFO NOSUCH x
exact XINFO
exact XGROUP CREATE nosuch g 0
exact XGROUP CREATE x g 0
exact XGROUP NOSUCH x
exact XGROUP
sections INFO server
sections INFO clients
sections INFO memory
sections INFO persistence
sections INFO stats
sections INFO replication
sections INFO cpu
sections INFO modules
sections INFO cluster
sections INFO keyspace
sections INFO errorstats
exact INFO nosuch
sections INFO server clients
exact DBSIZE
exact DBSIZE x
exact LASTSAVE x
kind LASTSAVE
form TIME
exact TIME x
version LOLWUT
version LOLWUT VERSION 5 1 1 1
exact LOLWUT VERSION x
exact SWAPDB 0 99
exact SWAPDB 0 x
exact SWAPDB
exact SELECT 99
exact SELECT x
exact ECHO
exact ECHO a b
exact PING
exact PING x
exact PING x y
exact AUTH
exact AUTH x
exact AUTH default x
exact AUTH a b c
exact HELLO 1
exact HELLO x
exact HELLO 2 AUTH
exact HELLO 2 FOO
exact HELLO 2 SETNAME "a b"
exact RESET x
exact DEBUG JMAP
exact DEBUG NOSUCH
exact DEBUG
kind DEBUG OBJECT s
exact DEBUG OBJECT nosuch
exact DEBUG OBJECT
exact DEBUG SLEEP 0
exact DEBUG SLEEP x
exact DEBUG SET-ACTIVE-EXPIRE 0
exact DEBUG SET-ACTIVE-EXPIRE 1
exact DEBUG RELOAD
kind DEBUG DIGEST
form DEBUG DIGEST-VALUE s nosuch l
exact DEBUG PROTOCOL string
exact DEBUG PROTOCOL integer
exact DEBUG PROTOCOL double
exact DEBUG PROTOCOL bignum
exact DEBUG PROTOCOL null
exact DEBUG PROTOCOL array
exact DEBUG PROTOCOL set
exact DEBUG PROTOCOL map
exact DEBUG PROTOCOL verbatim
exact DEBUG PROTOCOL true
exact DEBUG PROTOCOL false
exact DEBUG PROTOCOL nosuch
exact DEBUG ERROR hello
exact DEBUG POPULATE 0
exact DEBUG QUICKLIST-PACKED-THRESHOLD 100B
exact DEBUG CHANGE-REPL-ID
exact DEBUG LOG hello
exact DEBUG PAUSE-CRON 0
kind DEBUG HTSTATS 0
exact DEBUG HTSTATS x
exact DEBUG HTSTATS 99
form COMMAND INFO get randomkey dbsize info scan
exact COMMAND INFO get randomkey dbsize
unordered CONFIG GET appendfsync hz
exact CONFIG GET save
exact CONFIG SET save ""
exact CONFIG GET save
exact CONFIG SET hz 10 hz 10
exact CLIENT NO-TOUCH x
exact CLIENT LIST ID 0
exact CLIENT KILL TYPE pubsub
exact CLIENT KILL ID 0
exact CLIENT TRACKING on NOLOOP REDIRECT x
exact CLIENT TRACKING on BCAST OPTIN
exact CLIENT CACHING
exact CLIENT UNBLOCK
exact CLIENT SETINFO
kind LATENCY HISTOGRAM
exact SLOWLOG GET
exact SLOWLOG GET -1
exact SLOWLOG RESET x
exact PUBSUB NUMSUB a a
kind MEMORY USAGE s SAMPLES 0
exact OBJECT FREQ
exact OBJECT IDLETIME
exact OBJECT HELP x y
exact COMMAND DOCS nosuch alsono
exact COMMAND LIST FILTERBY PATTERN nosuch*
exact COMMAND GETKEYSANDFLAGS MSET a 1 b 2
exact COMMAND GETKEYSANDFLAGS LMOVE a b left right
sections INFO all
sections INFO everything
sections INFO default
sections INFO
sections INFO commandstats
exact WAIT 0 0
exact WAIT x 0
exact WAIT 0 x
exact WAIT 0 -1
exact MONITOR x
exact SAVE x
exact BGSAVE x
exact BGSAVE SCHEDULE x
exact FLUSHALL x
exact FLUSHDB x
exact SHUTDOWN x
exact SHUTDOWN ABORT
exact SHUTDOWN SAVE NOSAVE
exact SCAN 0 TYPE nosuch
exact SCAN x
exact SCAN 0 COUNT 0
exact SCAN 0 FOO
exact DISCARD
exact EXEC
exact UNWATCH x
exact WATCH
exact SUBSCRIBE
exact PUBLISH a
exact SPUBLISH a
exact NOSUCH
exact NOSUCH a b
"""

# After each of these `rdb_changes_since_last_save` has grown as much.
CHANGES = """
SET k v
SET k v GET
SETNX k w
SETNX k2 w
GETSET k x
GETDEL k2
GETEX k EX 100
GETEX k PERSIST
GETEX k
APPEND k y
SETRANGE k 0 z
SETRANGE k 0 ""
MSET a 1 b 2 c 3
MSETNX a 1 d 2
MSETNX e 1 f 2
INCRBYFLOAT a 1.5
DEL a b nosuch
UNLINK c e f
SETBIT bits 7 1
SETBIT bits 7 1
BITFIELD bits SET u8 0 1 SET u8 8 2
BITFIELD bits SET u8 0 1
BITOP NOT bits2 bits
BITOP AND bits2 nosuch
PFADD hll a b c
PFADD hll a
PFMERGE hll2 hll
PFCOUNT hll
RPUSH q 1 2 3 4 5 6
RPUSHX q 7 8
LMOVE q r LEFT RIGHT
LMOVE q q LEFT RIGHT
RPOPLPUSH q r
BLMOVE q r LEFT RIGHT 0
BLPOP q 0
BLMPOP 0 1 q LEFT COUNT 2
LMPOP 1 r LEFT COUNT 2
LPOP r
LTRIM r 0 -1
RPUSH q 1 2 3 4 5 6
LTRIM q 0 2
LSET q 0 x
LSET q 0 x
LINSERT q BEFORE x y
LREM q 0 x
LPOP q 10
SADD u 1 2 3 a b
SADD u 1
SREM u 1 2
SPOP u2
SADD u 1 2 3 4 5 6
SMOVE u u2 a
SPOP u 100
SADD s1 1 2 3
SADD s2 2 3 4
SUNIONSTORE s3 s1 s2
SINTERSTORE s3 s1 s2
SDIFFSTORE s3 s1 s1
SUNIONSTORE s3 s1 s2
SPOP s3 100
HSET v a 1 b 2
HSET v a 1
HMSET v a 2 c 3
HSETNX v a 1
HSETNX v d 1
HINCRBY v a 1
HINCRBYFLOAT v a 1
HDEL v a b
INCR n
EXPIRE n 100
PEXPIRE n 100000
PERSIST n
EXPIRE n -1
INCR n
RENAME n n2
RENAMENX n2 n4
COPY n4 n3
COPY n4 n3 REPLACE
MOVE n4 5
ZADD w 1 a 2 b
ZADD w 1 a
ZADD w 3 a 4 b 5 c
ZADD w INCR 1 a
ZINCRBY w 1 a
ZREM w a nosuch
ZADD w 1 a 2 b 3 c 4 d 5 e 6 f
ZPOPMIN w 2
ZPOPMAX w
BZPOPMIN w 0
ZMPOP 1 w MIN COUNT 2
ZADD w 1 a 2 b 3 c 4 d 5 e 6 f
ZREMRANGEBYRANK w 0 1
ZREMRANGEBYSCORE w 3 4
ZREMRANGEBYLEX w - +
ZADD w 1 a 2 b 3 c 4 d
ZUNIONSTORE w2 1 w
ZINTERSTORE w3 2 w w2
ZDIFFSTORE w3 2 w w2
ZRANGESTORE w4 w 0 1
ZRANGESTORE w4 nosuch 0 1
GEOADD g 1 1 a 2 2 b
GEOSEARCHSTORE g2 g FROMMEMBER a BYRADIUS 1000 km
GEORADIUS g 1 1 1000 km STORE g2
SORT q STORE sorted
RPUSH q 3 1 2
SORT q STORE sorted
XADD y 1-1 a 1
XADD y 2-1 a 1
XADD y MAXLEN 1 3-1 a 1
XDEL y 3-1 4-1
XADD y 5-1 a 1
XADD y 6-1 a 1
XGROUP CREATE y g 0
XGROUP CREATECONSUMER y g c
XGROUP CREATECONSUMER y g c
XREADGROUP GROUP g c STREAMS y >
XREADGROUP GROUP g new STREAMS y >
XACK y g 5-1
XCLAIM y g c2 0 6-1
XAUTOCLAIM y g c3 0 0
XGROUP SETID y g 0
XGROUP DELCONSUMER y g c
XGROUP DESTROY y g
XSETID y 9-9
XTRIM y MAXLEN 0
XTRIM y MAXLEN 0
SWAPDB 3 4
SELECT 5
FLUSHDB
FLUSHDB
SELECT 0
DBSIZE
FLUSHDB
FLUSHDB
MSET a 1 b 2 c 3
FLUSHALL
FLUSHALL
"""


def words_of(line):
    return [(quoted or plain).encode() for quoted, plain in re.findall(r'"([^"]*)"|(\S+)', line)]


def changes(connection):
    text = text_of(connection.call('INFO', 'persistence')).decode()
    return int(re.search(r'rdb_changes_since_last_save:(\d+)', text)[1])


def asked(connection, words, rule):
    """The bytes themselves where nothing may differ: there are two kinds of null in RESP2."""
    if rule != 'exact':
        return RULES[rule](connection.call(*words))
    connection.send(encode(words))
    connection.skip()
    raw = bytes(connection.buffer[:connection.at])
    connection.forget()
    return raw


def compare(redis, slotcar, known, report):
    """Calls `report` with the words and both replies for each difference that is not known. Answers how many
    were compared. Both connections are to empty servers."""
    count = 0
    for protocol in 2, 3:
        for connection in redis, slotcar:
            connection.call('HELLO', protocol)
            for line in BEFORE.split('\n'):
                if line:
                    connection.call(*words_of(line))
        lines = [line.split(' ', 1) for line in LINES.strip().split('\n')]
        lines += [['usage', f'{name} HELP'] for name in CONTAINERS]
        lines += [['exact', f'{name} HELP x'] for name in CONTAINERS]
        for rule, line in lines:
            words = words_of(line)
            a, b = asked(redis, words, rule), asked(slotcar, words, rule)
            if rule in AT_LEAST and not is_error(a) and not is_error(b):
                a, b = (a[0], [name for name in a[1] if name not in b[1]]), (b[0], [])
            count += 1
            if a != b and not known.explains(words, a, b):
                report(protocol, words, a, b)
        count += compare_changes(redis, slotcar, known, report)
    # With a log there is more to record; it counts the same.
    switch_log_on(slotcar)
    return count + compare_changes(redis, slotcar, known, report)


def switch_log_on(connection):
    connection.call('CONFIG', 'SET', 'appendonly', 'yes')
    until = time.monotonic() + 60
    while b'aof_rewrite_in_progress:1' in text_of(connection.call('INFO', 'persistence')):
        if time.monotonic() > until:
            raise TimeoutError('the log is not switched on')
        time.sleep(0.01)


def compare_changes(redis, slotcar, known, report):
    lines = [line for line in CHANGES.strip().split('\n')]
    for connection in redis, slotcar:
        connection.call('FLUSHALL')
    for line in lines:
        grown = []
        for connection in redis, slotcar:
            before = changes(connection)
            connection.call(*words_of(line))
            grown.append(changes(connection) - before)
        if grown[0] != grown[1] and not known.explains(words_of(line), *grown):
            report('changes', words_of(line), *grown)
    return len(lines)
