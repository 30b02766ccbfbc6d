"""The recipes of bench/stalls.py: what makes each command slow.

A Row is one line of the table. `covers` names the commands that it stands for, as COMMAND spells them
(`config|get` for a subcommand). `call` is what is measured, again and again; `prepare` comes before
each call and is not measured; the fixtures of the row's group are made once. All keys of the slow call
have the hash tag {s}, so that `near{s}` is a key of the same shard.

A command whose declared cost does not depend on anything large stands in a CONSTANT text instead: all
of a group share one row, a pipeline of them on the group's big values.
"""
import dataclasses
import typing

SCALE = 1.0  # sizes are multiplied by this; the check of the recipes uses small ones
GROUPS = {}


def n(size):
    """A size, scaled."""
    return max(2, int(size * SCALE))


def one(*words):
    """A request."""
    parts = [b'*%d\r\n' % len(words)]
    for word in words:
        data = word if isinstance(word, bytes) else str(word).encode()
        parts.append(b'$%d\r\n%s\r\n' % (len(data), data))
    return b''.join(parts)


def lines(text):
    """Requests, one a line. One that begins with `!` may get an error."""
    return b''.join(one(*line.lstrip('!').split()) for line in text.strip().splitlines())


def batches(head, count, item, at_once=500):
    """`head item(0) item(1)...`, so many items to a request, until there are `count`."""
    out, head = [], head.split()
    for first in range(0, count, at_once):
        words = list(head)
        for i in range(first, min(first + at_once, count)):
            words += item(i)
        out.append(one(*words))
    return b''.join(out)


def variadic(head, count, item):
    """One request with all items."""
    return batches(head, count, item, at_once=count)


@dataclasses.dataclass
class Row:
    name: str
    size: str
    call: typing.Union[str, typing.Callable]      # lines of text, or a function that gives bytes
    covers: tuple = ()
    prepare: typing.Union[str, typing.Callable] = ''
    play: typing.Callable = None                  # instead of call: function(load), see stalls_load.py
    tail: float = 0.0                             # seconds after each call that count as well
    known: bool = True                            # redis-server 7.0 has it


@dataclasses.dataclass
class Group:
    name: str
    fixtures: typing.Callable                     # gives bytes: requests made once on each server
    rows: list = dataclasses.field(default_factory=list)
    constant: str = ''
    constant_new: str = ''                        # likewise, for commands that redis-server 7.0 lacks
    options: tuple = ()

    def add(self, name, size, call='', covers=None, **more):
        if covers is None:
            covers = (name.split()[0].rstrip(',;').lower(),)
        self.rows.append(Row(name, size, call, tuple(covers), **more))

    def all_rows(self):
        made = list(self.rows)
        for text, known in ((self.constant, True), (self.constant_new, False)):
            if text:
                made.append(Row(f'O(1) commands: {self.name}' + ('' if known else ', newer ones'),
                                f'{len(text.strip().splitlines())} in a pipeline, {n(5000)} in all',
                                pipeline(text), known=known))
        return made


def pipeline(text):
    def build():
        block = lines(text)
        return block * max(1, n(5000) // len(text.strip().splitlines()))
    return build


def group(name, fixtures, **more):
    GROUPS[name] = Group(name, fixtures, **more)
    return GROUPS[name]


# Commands that are in a CONSTANT text although their declared cost names a size, and why that is right.
BOUNDED = {}
# Commands that no row can run, and why.
LEFT_OUT = {
    'shutdown': 'ends the server',
    'quit': 'closes the connection, nothing else',
    'restore-asking': 'RESTORE under another name',
    # The measured servers are no nodes of a cluster, where all of these are refused.
    **{f'cluster|{name}': 'needs a cluster' for name in (
        'addslots addslotsrange bumpepoch count-failure-reports countkeysinslot delslots delslotsrange failover '
        'flushslots forget getkeysinslot help info keyslot link links meet myid myshardid nodes replicas replicate '
        'reset saveconfig set-config-epoch setslot shards slaves slot-stats slots').split()},
    **{name: 'needs a cluster' for name in ('asking', 'readonly', 'readwrite')},
}


def load_all():
    from . import (strings, lists, sets, zsets, hashes, streams, keys, pubsub, server, scripts,  # noqa: F401
                   long_elements, access)
    return GROUPS
