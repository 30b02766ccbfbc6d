"""COMMAND DOCS of every command served: its tree of arguments, compared with Debian's redis-server.

The whole tree is compared, names, types, words, flags and versions, in RESP2 and in RESP3. Where ours is
meant to differ, the reason stands in command_docs_differences.txt: COMMAND<TAB>REASON. A line there
that is no longer needed fails too.
"""
import shutil

from command_surface import names, served
from harness import ROOT, Server


def known_differences():
    path = ROOT / 'tests/system/command_docs_differences.txt'
    return dict(line.split('\t') for line in path.read_text().splitlines()
                if line and not line.startswith('#'))


def arguments_of(reply):
    """The arguments of the one command a reply of COMMAND DOCS describes; None if unknown."""
    if isinstance(reply, dict):
        docs = next(iter(reply.values()), None)
        return None if docs is None else docs.get(b'arguments', [])
    if not reply:
        return None
    docs = reply[1]
    return dict(zip(docs[::2], docs[1::2])).get(b'arguments', [])


def described(client, protocol, asked):
    client('HELLO', protocol)
    return {name: arguments_of(client('COMMAND', 'DOCS', name)) for name in asked}


def compare(mine, others, asked, differences):
    """Name -> what is wrong with it, or None; and the differences that were met."""
    verdicts, used = {}, set()
    for name in asked:
        wrong = None
        if mine[name] != others[name]:
            wrong = f'ours {mine[name]}, theirs {others[name]}'
            if name in differences:
                used.add(name)
                wrong = None
        verdicts[name] = wrong
    return verdicts, used


def run(server, report):
    reference = shutil.which('redis-server')
    if not reference:
        report.skip('command_docs', 'redis-server is missing')
        return
    differences = known_differences()
    with Server(reference, '--save', '') as beside, beside.client() as theirs, \
            server.client() as ours:
        asked = sorted(name.replace(' ', '|')
                       for name in served(ours, [name for _, name in names()]))
        for protocol in (2, 3):
            verdicts, used = compare(described(ours, protocol, asked),
                                     described(theirs, protocol, asked), asked, differences)
            for name, wrong in verdicts.items():
                if wrong:
                    report.bad(f'COMMAND DOCS {name} RESP{protocol}', wrong + ' (correct .syntax, '
                               'or give the reason in tests/system/command_docs_differences.txt)')
                else:
                    report.good(f'COMMAND DOCS {name} RESP{protocol}')
            for name in sorted(set(differences) - used):
                report.bad(f'COMMAND DOCS difference {name} RESP{protocol}',
                           'is no longer one: remove its line')
