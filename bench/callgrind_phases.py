"""Where the instructions of a request go, by the folders of the source: what `instructions.py --phases` prints.

Every instruction counts where it was written: code that was inlined counts for the file that it comes from, but
for that of the standard library, which counts for the file whose function it was inlined into.
"""
import collections
import re

# The first that fits. Names of files as they stand in the debug information.
PHASES = (
    ('decode', r'src/resp/(decoder|arguments|words)'),
    ('encode', r'src/resp/|src/runtime/output|src/session/(outbox|send_queue|reply)'),
    ('route', r'src/(router|schema|acl|cluster)/|src/base/(crc16|first_eight|ascii)'),
    ('session', r'src/session/'),
    ('event loop, sockets', r'src/runtime/'),
    ('tokens, holds, counting', r'src/shard/|src/base/(histogram|shard_list|cycles)'),
    ('handler', r'src/commands/'),
    ('table', r'src/keyspace/|libxxhash'),
    ('values', r'src/types/'),
    ('allocator', r'mimalloc|malloc'),
    ('other own code', r'src/'),
    ('libc and others', r''),
)


def phase_of(place):
    return next(name for name, pattern in PHASES if re.search(pattern, place))


def costs_by_phase(path):
    """{phase: instructions} of a callgrind file."""
    names = {'ob': {}, 'file': {}}
    where = {'ob': '', 'fl': '', 'now': ''}
    found = collections.Counter()

    def name_of(kind, text):
        number, _, name = text.partition(' ')
        if name:
            names[kind][number] = name
        return names[kind][number]

    skip = False
    with open(path, encoding='utf-8', errors='replace') as lines:
        for line in lines:
            line = line.rstrip('\n')
            if re.match(r'(fl|fi|fe|ob|cfi|cfl|cob|fn|cfn)=', line):
                kind, _, text = line.partition('=')
                if kind in ('ob', 'cob'):
                    name = name_of('ob', text)
                    if kind == 'ob':
                        where['ob'] = name
                elif kind in ('fl', 'fi', 'fe', 'cfi', 'cfl'):
                    name = name_of('file', text)
                    if kind == 'fl':
                        where['fl'] = where['now'] = name
                    elif kind in ('fi', 'fe'):
                        where['now'] = name
            elif line.startswith('calls='):
                skip = True  # the next line is the cost of the called function
            elif re.match(r'[+\-*\d]', line):
                if skip:
                    skip = False
                    continue
                place = where['now']
                if place.startswith('/usr/include/'):
                    place = where['fl']
                if 'src/' not in place:
                    place += ' ' + where['ob']
                fields = line.split()
                found[phase_of(place)] += int(fields[1]) if len(fields) > 1 else 0
    return found


def table(few, many, requests):
    """Instructions per request between a short and a long run, largest first."""
    first, last = costs_by_phase(few), costs_by_phase(many)
    rows = {name: (last[name] - first[name]) / requests for name, _ in PHASES}
    return sorted(((name, count) for name, count in rows.items() if count >= 0.5), key=lambda row: -row[1])
