"""What one client has done and what it was promised, across the lives of the server.

An operation is a list of steps; a step is a list of commands that take effect together (one command,
or a transaction). The last step of each operation sets the client's counter to the operation's
number. So the counter tells after a restart how many operations survived, and the client's keys must
be what these have made of them, or that and the first steps of the next operation.
"""
import copy
import time

from model import SLACK_MS, apply, brief, now_ms, reading

FOLD_SECONDS = 10  # operations acknowledged longer ago than this cannot be among the lost ones


class Lost(Exception):
    """What was promised does not hold."""


class Operation:
    __slots__ = ('number', 'steps', 'strict', 'answered')

    def __init__(self, number, steps):
        self.number, self.steps = number, steps
        self.strict = False    # answered under `always`: nothing of it may be missing
        self.answered = None   # when (monotonic); None: not yet


class History:
    def __init__(self, name):
        self.name = name
        self.counter = f'{name}:count'.encode()
        self.base, self.base_number = {}, 0
        self.state = {}
        self.operations = []   # those after base

    @property
    def number(self):
        return self.operations[-1].number if self.operations else self.base_number

    def begin(self, steps):
        operation = Operation(self.number + 1, steps)
        self.operations.append(operation)
        return operation

    def fold(self):
        """Old operations become part of the base."""
        before = time.monotonic() - FOLD_SECONDS
        count = 0
        for operation in self.operations[:-1]:
            if operation.answered is None or operation.answered > before:
                break
            for step in operation.steps:
                for words in step:
                    apply(self.base, words)
            self.base_number = operation.number
            count += 1
        del self.operations[:count]

    # -------------------------------------------------------------------- after a restart
    def look(self, client, ended, loses_seconds):
        """Compares the server's keys with what they must be and goes on from there. Answers how many
        acknowledged operations are missing and how many seconds before the end the first was answered."""
        count = int(client('GET', self.counter) or 0)
        missing = [o for o in self.operations if o.number > count and o.answered is not None]
        if count < self.base_number or count > self.number:
            raise Lost(f'{self.name}: the counter is {count}, it was between {self.base_number} '
                       f'and {self.number}')
        strict = [o.number for o in missing if o.strict]
        if strict:
            raise Lost(f'{self.name}: {len(strict)} operations that were answered under `always` are '
                       f'missing: {strict[0]} to {strict[-1]}, the counter is {count}')
        age = max(0.0, ended - missing[0].answered) if missing else 0.0
        if missing and (age > loses_seconds or loses_seconds == 0):
            raise Lost(f'{self.name}: {len(missing)} operations are missing, the first was answered '
                       f'{age:.2f} s before the end; {loses_seconds} s are allowed')
        self._adopt(client, count)
        return len(missing), age

    def _adopt(self, client, count):
        state = self.base
        following = None
        for operation in self.operations:
            if operation.number <= count:
                for step in operation.steps:
                    for words in step:
                        apply(state, words)
            elif following is None:
                following = operation
        difference = self._difference(client, state)
        tried = [difference]
        for step in (following.steps[:-1] if following else ()):
            if difference is None:
                break
            for words in step:
                apply(state, words)
            difference = self._difference(client, state)
            tried.append(difference)
        if difference is not None:
            raise Lost(f'{self.name}, after {count} operations: {tried[0]}' + (
                f'; with steps of the next one, {brief(following.steps)}: {tried[1:]}' if following else ''))
        now = now_ms()
        for key in [key for key, (_, ends) in state.items() if ends is not None and ends < now + SLACK_MS]:
            client('DEL', key)  # it may be there or not; now it is not
            del state[key]
        self.base, self.base_number = state, count
        self.operations = []
        self.state = copy.deepcopy(state)

    def _read_all(self, client, state):
        """Every key of this client, and those that should be there."""
        cursor, keys = b'0', set(state)
        while True:
            cursor, some = client('SCAN', cursor, 'MATCH', f'{self.name}:*', 'COUNT', 500)
            keys.update(some)
            if cursor == b'0':
                break
        keys.discard(self.counter)
        seen = {}
        for key in keys:
            if key in state:
                (command, more), made = reading(state[key][0])
                reply = client(command, key, *more)
                seen[key] = made(reply) if not isinstance(reply, str) and reply is not None else reply
                if client('EXISTS', key) == 0:
                    del seen[key]
            elif client('EXISTS', key):
                seen[key] = client('TYPE', key)
        return seen

    def _difference(self, client, state):
        began = now_ms()
        seen = self._read_all(client, state)
        now = now_ms()
        for key in set(state) | set(seen):
            if key == self.counter:
                continue
            value, ends = state.get(key, (None, None))
            if ends is not None and began - SLACK_MS < ends < now + SLACK_MS:
                continue  # it may have ended before it was read, or after
            if ends is not None and ends < now:
                value = None
            if value is None and key in seen:
                return f'{key.decode()} is there: {brief(seen[key])}'
            if value is not None and key not in seen:
                return f'{key.decode()} is gone, it was {brief(value)}'
            if value is not None and seen[key] != value:
                return f'{key.decode()} is {brief(seen[key])}, it was {brief(value)}'
        return None
