"""COMMAND INFO of every command served, compared with Debian's redis-server started beside.

Compared are name, arity, flags, first and last key and step, ACL categories and key specifications.
Behaviour follows Redis 7.2 where Debian's 7.0 differs; such differences stand, with their reason, in
command_info_differences.txt: COMMAND<TAB>FIELD<TAB>REASON (FIELD * for a command that 7.0 lacks).
A line there that is no longer needed fails too.
"""
import shutil

from command_surface import names, served
from harness import ROOT, Server

FIELDS = ('name', 'arity', 'flags', 'first', 'last', 'step', 'categories', 'tips', 'keys')
COMPARED = ('name', 'arity', 'flags', 'first', 'last', 'step', 'categories', 'keys')


def known_differences():
    result = {}
    path = ROOT / 'tests/system/command_info_differences.txt'
    for line in path.read_text().splitlines():
        if line and not line.startswith('#'):
            command, field, reason = line.split('\t')
            result[command, field] = reason
    return result


def plain(value):
    """Replies in a form that can be compared: bytes to text; key specs without order of flags."""
    if isinstance(value, bytes):
        return value.decode('latin1')
    if isinstance(value, list):
        return [plain(item) for item in value]
    return value


def key_specification(flat):
    """One specification, a flat list of names and values, as a dictionary."""
    pairs = dict(zip(flat[::2], flat[1::2]))
    pairs['flags'] = sorted(pairs.get('flags', []))
    pairs.pop('notes', None)
    for part in ('begin_search', 'find_keys'):
        inner = pairs[part]
        inner = dict(zip(inner[::2], inner[1::2]))
        spec = inner.get('spec') or []
        pairs[part] = (inner.get('type'), tuple(sorted(zip(spec[::2], map(str, spec[1::2])))))
    return pairs


def described(client, names_asked):
    """Name -> fields, as one server describes its commands."""
    result = {}
    for name, reply in zip(names_asked, client('COMMAND', 'INFO', *names_asked)):
        if not reply:
            continue
        fields = dict(zip(FIELDS, plain(reply)))
        fields['flags'] = sorted(fields['flags'])
        fields['categories'] = sorted(fields['categories'])
        fields['keys'] = [key_specification(spec) for spec in fields['keys']]
        result[name] = fields
    return result


def run(server, report):
    reference = shutil.which('redis-server')
    if not reference:
        report.skip('command_info', 'redis-server is missing')
        return
    with Server(reference, '--save', '') as beside, beside.client() as theirs, \
            server.client() as ours:
        asked = sorted(name.replace(' ', '|')
                       for name in served(ours, [name for _, name in names()]))
        mine, others = described(ours, asked), described(theirs, asked)
    differences, used = known_differences(), set()
    for name in asked:
        wrong = []
        if name not in others:
            if (name, '*') in differences:
                used.add((name, '*'))
            else:
                wrong.append('the reference does not know it')
        else:
            for field in COMPARED:
                if mine[name].get(field) == others[name].get(field):
                    continue
                if (name, field) in differences:
                    used.add((name, field))
                else:
                    wrong.append(f'{field} is {mine[name].get(field)}, '
                                 f'Redis says {others[name].get(field)}')
        if wrong:
            report.bad(f'COMMAND INFO {name}', '; '.join(wrong) + ' (correct the declaration, or '
                       'give the reason in tests/system/command_info_differences.txt)')
        else:
            report.good(f'COMMAND INFO {name}')
    for command, field in sorted(set(differences) - used):
        if command in asked:
            report.bad(f'difference {command} {field}', 'is no longer one: remove its line')
