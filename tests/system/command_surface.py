"""Every name of tests/command_names.txt is either served or missing, never neither and never both.

What is missing stands in tests/missing_commands.txt, GROUP<TAB>NAME<TAB>AREA: the area of work that
will bring it. A command that becomes served must leave that list in the same change.
"""
from harness import ROOT, Failed


def names():
    rows = [line.split('\t') for line in
            (ROOT / 'tests/command_names.txt').read_text().splitlines() if line]
    return [(group, name) for group, name in rows]


def missing():
    result = {}
    for line in (ROOT / 'tests/missing_commands.txt').read_text().splitlines():
        if line and not line.startswith('#'):
            group, name, area = line.split('\t')
            result[name] = (group, area)
    return result


def served(client, all_names):
    """The names that the server knows, asked one by one: "CLIENT KILL" is "client|kill" there."""
    asked = [name.replace(' ', '|') for name in all_names]
    replies = client('COMMAND', 'INFO', *asked)
    return {name for name, reply in zip(all_names, replies) if reply}


def run(server, report):
    all_names, waits = names(), missing()
    with server.client() as client:
        known = served(client, [name for _, name in all_names])
        report.check('COMMAND COUNT and COMMAND LIST agree with COMMAND INFO', lists_agree, client,
                     known)
    for group, name in all_names:
        if name in known and name in waits:
            report.bad(f'{group} {name}', 'is served and listed as missing: remove its line from '
                       'tests/missing_commands.txt')
        elif name not in known and name not in waits:
            report.bad(f'{group} {name}', 'is neither served nor listed as missing: serve it, or add it to '
                       'tests/missing_commands.txt with its area')
    listed = {name for _, name in all_names}
    for name in sorted(set(waits) - listed):
        report.bad(name, 'is listed as missing but not in tests/command_names.txt')
    report.good(f'{len(known)} served, {len(waits)} missing, of {len(all_names)} names')


def lists_agree(client, known):
    top = {name.lower().encode() for name in known if ' ' not in name}
    listed = set(client('COMMAND', 'LIST'))
    missing = top - listed
    if missing:
        raise Failed(f'COMMAND LIST lacks {sorted(missing)}')
    count = client('COMMAND', 'COUNT')
    if count != len({name for name in listed if b'|' not in name}):
        raise Failed(f'COMMAND COUNT says {count}, COMMAND LIST has {len(listed)}')
