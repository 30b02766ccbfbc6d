"""The rows of the client's command table (client/src/command_table.h), from a server's COMMAND: flags and key
specs. What COMMAND does not say is in command_traits.txt. A container (XGROUP) has one row, with the keys of its
subcommands."""
import pathlib

HERE = pathlib.Path(__file__).resolve().parent
FROM_FLAGS = {'readonly': 'reads', 'write': 'writes', 'blocking': 'blocks'}
ORDER = ['reads', 'writes', 'blocks', 'blocks_if_told', 'state', 'splits']

FILE = '''// Flags and keys of the server's commands. Written by client/generator/generate.py; do not edit.
#include "key_places.h"

namespace slotcar::client {{
namespace {{

constexpr CommandRow kRows[] = {{
{rows}
}};

}}  // namespace

std::span<const CommandRow> command_rows() {{
  return kRows;
}}

}}  // namespace slotcar::client
'''


def pairs(flat):
    return dict(zip(flat[::2], flat[1::2]))


def said_traits():
    said = {}
    for line in (HERE / 'command_traits.txt').read_text().splitlines():
        if line.strip() and not line.startswith('#'):
            trait, names = line.split(': ')
            for name in names.split():
                said.setdefault(name, set()).add(trait)
    return said


def traits_of(name, flags, said):
    traits = {FROM_FLAGS[flag] for flag in flags if flag in FROM_FLAGS} | said.get(name, set())
    if 'blocks_if_told' in traits:
        traits.discard('blocks')
    named = [f'Trait::{trait}' for trait in ORDER if trait in traits]
    return ' | '.join(named) or 'Trait::none'


def place(name, spec):
    """A key spec as C++; nothing for those that only a function finds (SORT's STORE)."""
    said = pairs(spec)
    begin, find = pairs(said['begin_search']), pairs(said['find_keys'])
    at, go_on = pairs(begin['spec']), pairs(find['spec'])
    match begin['type'], find['type']:
        case 'index', 'range' if go_on['limit'] == 0:
            first, last = at['index'], go_on['lastkey']
            if last == 0:
                return f'at({first})'
            return f'range({first}, {last if last < 0 else first + last}, {go_on["keystep"]})'
        case 'index', 'keynum' if (go_on['keynumidx'], go_on['firstkey'], go_on['keystep']) == (0, 1, 1):
            return f'counted({at["index"]})'
        case 'keyword', 'range' if go_on['keystep'] == 1:
            return f'after("{at["keyword"]}", {at["startfrom"]}, {go_on["lastkey"]}, {go_on["limit"]})'
        case _ if 'unknown' in (begin['type'], find['type']):
            return None
    raise SystemExit(f'{name}: a key spec that key_places.h has no word for: {spec}')


def keys_of(command):
    name, specs, subcommands = command[0], command[8], command[9]
    places = [place(name, spec) for spec in specs]
    for sub in subcommands:
        found = keys_of(sub)
        if found and places and found != places:
            raise SystemExit(f'{name}: its subcommands have their keys at different places')
        places = places or found
    return [one for one in places if one]


def generate(commands):
    said = said_traits()
    rows = []
    for command in sorted(commands):
        name = command[0].lower()
        keys = ', '.join(keys_of(command))
        rows.append(f'{{"{name}", {traits_of(name, command[2], said)}' + (f', {{{keys}}}' if keys else '') + '},')
    served = {command[0].lower() for command in commands}
    if said.keys() - served:
        raise SystemExit(f'command_traits.txt names commands that are not served: {" ".join(sorted(said.keys() - served))}')
    return FILE.format(rows='\n'.join(rows))
