"""What a client's own keys must be: a small interpreter of the commands that tests/soak sends.

A state is a dict: key -> [value, when it ends in ms or None]. Strings are bytes, lists are lists, sets
are sets, hashes are dicts, sorted sets are SortedSet, streams are Stream. `apply` changes the state
and answers the reply that the server must give.
"""
import time

SLACK_MS = 1500  # around the end of a key it may be there or not


class SortedSet(dict):
    def ordered(self):
        return sorted(self.items(), key=lambda item: (item[1], item[0]))


class Stream(dict):
    """id -> fields, in order."""


def now_ms():
    return time.time() * 1000


def _get(state, key, kind):
    entry = state.get(key)
    return entry[0] if entry else kind()


def _put(state, key, value, keep_time=True):
    """An empty collection is no key."""
    if value is None or (not isinstance(value, (bytes, Stream)) and not value):
        state.pop(key, None)
    elif keep_time and key in state:
        state[key][0] = value
    else:
        state[key] = [value, None]


def _set(state, key, value, *more):
    state[key] = [value, int(more[1]) if more else None]
    return 'OK'


def _mset(state, *words):
    for key, value in zip(words[::2], words[1::2]):
        state[key] = [value, None]
    return 'OK'


def _append(state, key, value):
    whole = _get(state, key, bytes) + value
    _put(state, key, whole)
    return len(whole)


def _incrby(state, key, by):
    number = int(_get(state, key, bytes) or 0) + int(by)
    _put(state, key, b'%d' % number)
    return number


def _setrange(state, key, at, value):
    at, old = int(at), _get(state, key, bytes)
    whole = old[:at].ljust(at, b'\0') + value + old[at + len(value):]
    _put(state, key, whole)
    return len(whole)


def _getset(state, key, value):
    old = _get(state, key, lambda: None)
    state[key] = [value, None]
    return old


def _del(state, *keys):
    return sum(state.pop(key, None) is not None for key in keys)


def _rename(state, key, to):
    state[to] = state.pop(key)
    return 'OK'


def _copy(state, key, to, _replace):
    value, ends = state[key]
    state[to] = [value if isinstance(value, bytes) else type(value)(value), ends]
    return 1


def _hset(state, key, *words):
    fields = _get(state, key, dict)
    before = len(fields)
    fields.update(zip(words[::2], words[1::2]))
    _put(state, key, fields)
    return len(fields) - before


def _hdel(state, key, *names):
    fields = _get(state, key, dict)
    count = sum(fields.pop(name, None) is not None for name in names)
    _put(state, key, fields)
    return count


def _hincrby(state, key, name, by):
    fields = _get(state, key, dict)
    number = int(fields.get(name, 0)) + int(by)
    fields[name] = b'%d' % number
    _put(state, key, fields)
    return number


def _rpush(state, key, *values):
    items = _get(state, key, list)
    items.extend(values)
    _put(state, key, items)
    return len(items)


def _lpush(state, key, *values):
    items = _get(state, key, list)
    items[:0] = reversed(values)
    _put(state, key, items)
    return len(items)


def _pop(state, key, at):
    items = _get(state, key, list)
    if not items:
        return None
    value = items.pop(at)
    _put(state, key, items)
    return value


def _ltrim(state, key, first, last):
    items = _get(state, key, list)
    first, last = int(first), int(last)
    end = len(items) + last + 1 if last < 0 else last + 1
    _put(state, key, items[first:end])
    return 'OK'


def _lmove(state, key, to, where, where_to):
    value = _pop(state, key, 0 if where == b'LEFT' else -1)
    if value is not None:
        (_lpush if where_to == b'LEFT' else _rpush)(state, to, value)
    return value


def _sadd(state, key, *members):
    members_of = _get(state, key, set)
    before = len(members_of)
    members_of.update(members)
    _put(state, key, members_of)
    return len(members_of) - before


def _srem(state, key, *members):
    members_of = _get(state, key, set)
    before = len(members_of)
    members_of.difference_update(members)
    _put(state, key, members_of)
    return before - len(members_of)


def _zadd(state, key, *words):
    scores = _get(state, key, SortedSet)
    before = len(scores)
    scores.update((member, int(score)) for score, member in zip(words[::2], words[1::2]))
    _put(state, key, scores)
    return len(scores) - before


def _zincrby(state, key, by, member):
    scores = _get(state, key, SortedSet)
    scores[member] = scores.get(member, 0) + int(by)
    _put(state, key, scores)
    return b'%d' % scores[member]


def _zrem(state, key, *members):
    scores = _get(state, key, SortedSet)
    count = sum(scores.pop(member, None) is not None for member in members)
    _put(state, key, scores)
    return count


def _zremrangebyrank(state, key, first, last):
    scores = _get(state, key, SortedSet)
    gone = scores.ordered()[int(first):int(last) + 1]
    for member, _ in gone:
        del scores[member]
    _put(state, key, scores)
    return len(gone)


def _zpopmin(state, key):
    scores = _get(state, key, SortedSet)
    if not scores:
        return []
    member, score = scores.ordered()[0]
    del scores[member]
    _put(state, key, scores)
    return [member, b'%d' % score]


def _xadd(state, key, name, *words):
    entries = _get(state, key, Stream)
    entries[name] = list(words)
    _put(state, key, entries)
    return name


def _xdel(state, key, *names):
    entries = _get(state, key, Stream)
    return sum(entries.pop(name, None) is not None for name in names)


def _xtrim(state, key, _maxlen, _exact, count):
    entries = _get(state, key, Stream)
    gone = list(entries)[:max(0, len(entries) - int(count))]
    for name in gone:
        del entries[name]
    return len(gone)


def _pexpireat(state, key, when):
    if key not in state:
        return 0
    state[key][1] = int(when)
    return 1


def _persist(state, key):
    if key not in state or state[key][1] is None:
        return 0
    state[key][1] = None
    return 1


COMMANDS = {
    b'SET': _set, b'MSET': _mset, b'APPEND': _append, b'INCRBY': _incrby, b'SETRANGE': _setrange,
    b'GETSET': _getset, b'DEL': _del, b'UNLINK': _del, b'RENAME': _rename, b'COPY': _copy,
    b'HSET': _hset, b'HDEL': _hdel, b'HINCRBY': _hincrby, b'RPUSH': _rpush, b'LPUSH': _lpush,
    b'LPOP': lambda state, key: _pop(state, key, 0), b'RPOP': lambda state, key: _pop(state, key, -1),
    b'LTRIM': _ltrim, b'LMOVE': _lmove, b'SADD': _sadd, b'SREM': _srem, b'ZADD': _zadd,
    b'ZINCRBY': _zincrby, b'ZREM': _zrem, b'ZREMRANGEBYRANK': _zremrangebyrank, b'ZPOPMIN': _zpopmin,
    b'XADD': _xadd, b'XDEL': _xdel, b'XTRIM': _xtrim, b'PEXPIREAT': _pexpireat, b'PERSIST': _persist,
}


def apply(state, words):
    return COMMANDS[words[0]](state, *words[1:])


def reading(value):
    """The command that shows the whole of such a value, and how its reply becomes one."""
    if isinstance(value, bytes):
        return (b'GET', ()), lambda reply: reply
    if isinstance(value, list):
        return (b'LRANGE', (b'0', b'-1')), lambda reply: reply
    if isinstance(value, set):
        return (b'SMEMBERS', ()), set
    if isinstance(value, SortedSet):
        return (b'ZRANGE', (b'0', b'-1', b'WITHSCORES')), lambda reply: SortedSet(
            zip(reply[::2], map(int, reply[1::2])))
    if isinstance(value, Stream):
        return (b'XRANGE', (b'-', b'+')), lambda reply: Stream((name, fields) for name, fields in reply)
    return (b'HGETALL', ()), lambda reply: dict(zip(reply[::2], reply[1::2]))


def brief(value):
    text = repr(value)
    return text if len(text) < 200 else f'{text[:120]}... ({len(value)})'
