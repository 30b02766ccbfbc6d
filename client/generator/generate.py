#!/usr/bin/env python3
"""Writes the typed calls of the client library, and what it knows about a command before it is sent,
from what a server says of its commands.

    generate.py SERVER            writes client/include/slotcar/commands/GROUP.h, client/src/command_rows.cc
    generate.py --check SERVER    says which of them are stale, and changes nothing

The arguments come from COMMAND DOCS of SERVER, a slotcar-server program that is started for it on a
free port; the types of the replies from reply_types.txt; the rows from COMMAND (command_rows.py). How an
argument becomes C++:

    key, text, number, time          a parameter
    x [x ...]                        a range of them; numkeys and the like are counted, not given
    {a b} [...]                      a range of pairs or triples
    one of several words             an enum
    [anything]                       a member of the options, the last parameter
"""
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time

import command_rows

ROOT = pathlib.Path(__file__).resolve().parents[2]
OUT = pathlib.Path('client/include/slotcar/commands')
KEYWORDS = {'and', 'or', 'xor', 'not', 'delete', 'default', 'operator', 'new', 'union'}
NUMBERED = {'numkeys', 'numfields'}


# ------------------------------------------------------------------ what the server says
class Connection:
    def __init__(self, port):
        self.file = socket.create_connection(('127.0.0.1', port)).makefile('rwb')

    def __call__(self, *words):
        self.file.write(b'*%d\r\n' % len(words) +
                        b''.join(b'$%d\r\n%s\r\n' % (len(w), w.encode()) for w in words))
        self.file.flush()
        return self.read()

    def read(self):
        line = self.file.readline().decode().rstrip('\r\n')
        if line[0] == '$':
            return self.file.read(int(line[1:]) + 2)[:-2].decode() if line != '$-1' else None
        if line[0] == '*':
            return [self.read() for _ in range(int(line[1:]))]
        return int(line[1:]) if line[0] == ':' else line[1:]


def pairs(flat):
    return dict(zip(flat[::2], flat[1::2]))


def documented(program):
    with socket.socket() as probe:
        probe.bind(('127.0.0.1', 0))
        port = probe.getsockname()[1]
    folder = tempfile.mkdtemp()
    server = subprocess.Popen([program, '--bind', '127.0.0.1', '--port', str(port), '--dir', folder,
                               '--appendonly', 'no', '--save', ''], stdout=subprocess.DEVNULL)
    try:
        for _ in range(500):
            try:
                ask = Connection(port)
                break
            except OSError:
                time.sleep(0.02)
        return pairs(ask('COMMAND', 'DOCS')), ask('COMMAND')
    finally:
        server.kill()
        server.wait()
        shutil.rmtree(folder, ignore_errors=True)


def commands_of(docs):
    """(NAME, group, arguments) of everything that runs; subcommands as CONTAINER|NAME."""
    for name, flat in sorted(docs.items()):
        doc = pairs(flat)
        if 'subcommands' in doc:
            for sub, sub_flat in sorted(pairs(doc['subcommands']).items()):
                sub_doc = pairs(sub_flat)
                yield sub.upper(), doc['group'], [Arg(a) for a in sub_doc.get('arguments', [])]
        else:
            arguments = [Arg(a) for a in doc.get('arguments', [])]
            for arg in arguments:
                if (name.upper(), arg.name) in REALS:
                    arg.type = 'double'
            yield name.upper(), doc['group'], arguments


class Arg:
    def __init__(self, flat):
        said = pairs(flat)
        self.name = cpp_name(said['name'])
        self.type = said['type']
        self.token = said.get('token')
        flags = said.get('flags', [])
        self.optional = 'optional' in flags
        self.multiple = 'multiple' in flags
        self.multiple_token = 'multiple_token' in flags
        self.said_name = said['name']
        self.arguments = [Arg(a) for a in said.get('arguments', [])]
        # A word or a plain text (XADD's id): the text can be the word.
        if self.type == 'oneof' and len(self.arguments) == 2 and not self.token and \
                {'pure-token', 'string'} == {a.type for a in self.arguments}:
            self.type, self.arguments = 'string', []

    def words_only(self):
        return self.type == 'oneof' and all(a.type == 'pure-token' for a in self.arguments)


def cpp_name(text):
    name = re.sub(r'[^a-z0-9]', '_', text.lower())
    return name + '_' if name in KEYWORDS else name


def pascal(text):
    return ''.join(part.capitalize() for part in re.split(r'[^a-zA-Z0-9]', text) if part)


# ------------------------------------------------------------------ one command as C++
SCALARS = {'integer': 'std::int64_t', 'double': 'double', 'unix-time': 'std::int64_t'}
TIMES = {'seconds': 'std::chrono::seconds', 'milliseconds': 'std::chrono::milliseconds',
         'ms': 'std::chrono::milliseconds', 'min_idle_time': 'std::chrono::milliseconds',
         # Seconds with a fraction (BLPOP), or whole milliseconds (WAIT, CLIENT PAUSE).
         ('timeout', 'double'): 'std::chrono::duration<double>',
         ('timeout', 'integer'): 'std::chrono::milliseconds'}
# Documented as integers, but any number is accepted.
REALS = {('ZINCRBY', 'increment')}
BOUNDS = {'min', 'max', 'cursor'}  # "(1" and "-inf" too; a cursor is the server's own text


def scalar(arg):
    """The type of a value that an options struct holds."""
    if (arg.name, arg.type) in TIMES:
        return TIMES[arg.name, arg.type]
    if arg.name in TIMES and (arg.type in ('integer', 'double') or arg.name == 'min_idle_time'):
        return TIMES[arg.name]
    if arg.name in BOUNDS or arg.type not in SCALARS:
        return 'std::string'
    return SCALARS[arg.type]


def put(arg, what):
    """The statement's end that adds a value of `scalar` type."""
    if arg.type == 'key':
        return f'.key({what})'
    return f'.arg({what}.count())' if scalar(arg).startswith('std::chrono') else f'.arg({what})'


class Call:
    """One typed call: `given` are the optional arguments that make it another one, of `varied`."""

    def __init__(self, command, arguments, reply, given=(), varied=()):
        self.command, self.reply, self.given = command, reply, set(given)
        self.name = cpp_name(command)
        self.title = pascal(command)
        self.parameters, self.members, self.enums, self.structs, self.body = [], [], [], [], []
        self.empty_first = False
        self.used = set()
        self.varied = set(varied)
        self.sequence(arguments)

    def unique(self, name):
        while name in self.used:
            name += '_'
        self.used.add(name)
        return name

    def say(self, text):
        self.body.append(text)

    # ---- what must be given
    def sequence(self, arguments):
        counted = None
        for arg in arguments:
            if arg.said_name in NUMBERED:
                counted = len(self.body)
                self.say(None)
                continue
            if arg.optional and arg in self.given:
                self.variation(arg)
            elif arg.optional and arg in self.varied:
                continue
            elif arg.optional and not (arg.multiple and not arg.token and not arg.multiple_token
                                       and self.plain(arg)):
                self.option(arg)
            else:
                self.needed(arg)
            if counted is not None and self.body[-1] is not None:
                self.body[counted] = f'request.arg({self.last}.size());'
                counted = None

    def plain(self, arg):
        return arg.type not in ('oneof', 'block', 'pure-token')

    def variation(self, arg):
        if arg.type == 'pure-token':
            self.parameters.append((f'{arg.token.capitalize()}Word', ''))
            self.say(f'request.arg("{arg.token}");')
        else:
            self.needed(arg)

    def needed(self, arg):
        if arg.token and arg.type != 'pure-token':
            self.say(f'request.arg("{arg.token}");')
        if arg.multiple:
            return self.many(arg)
        if arg.type == 'pure-token':
            return self.say(f'request.arg("{arg.token}");')
        if arg.words_only():
            name = self.unique(arg.name)
            self.parameters.append((self.enum(arg), name))
            return self.say(f'request.arg(text_of({name}));')
        if arg.type == 'block':
            return self.sequence(arg.arguments)
        if arg.type == 'oneof':
            for one in arg.arguments:
                self.option(one)
            return None
        name = self.unique(arg.name)
        kind = scalar(arg)
        if arg.type == 'key':
            self.parameters.append(('std::string_view', name))
            return self.say(f'request.key({name});')
        if kind == 'std::string':
            self.parameters.append(('const Argument&', name))
            return self.say(f'request.arg({name}.text());')
        self.parameters.append((kind, name))
        return self.say(f'request{put(arg, name)};')

    def many(self, arg):
        if arg.type == 'block' and all(self.plain(a) and not a.optional for a in arg.arguments) \
                and len(arg.arguments) > 1:
            name = self.unique('rows')
            self.parameters.append((f'const Rows<{len(arg.arguments)}>&', name))
            keys = ', As::keys' if arg.arguments[0].type == 'key' else ''
            self.last = name
            return self.say(f'{name}.add_to(request{keys});')
        if arg.type == 'block' and len(arg.arguments) == 1:
            arg = arg.arguments[0]
        elif not self.plain(arg):
            name = self.unique('words')  # a little language (BITFIELD): as it is written
            self.parameters.append(('const Arguments&', name + (' = {}' if arg.optional else '')))
            return self.say(f'{name}.add_to(request);')
        name = self.unique(arg.name if arg.name.endswith('s') else arg.name + 's')
        default = ' = {}' if arg.optional else ''
        self.parameters.append(('const Arguments&', name + default))
        keys = ', As::keys' if arg.type == 'key' else ''
        self.last = name
        return self.say(f'{name}.add_to(request{keys});')

    # ---- what may be left out
    def option(self, arg, at='options', members=None):
        members = self.members if members is None else members
        if arg.said_name == 'condition' and {'NX', 'XX'} <= {a.token for a in arg.arguments}:
            return self.condition(arg, at, members)
        if arg.words_only() and not arg.multiple:
            kind, name = self.enum(arg), arg.name
            members.append((f'Given<{kind}>', name, '{}'))
            token = f'.arg("{arg.token}")' if arg.token else ''
            self.say(f'if ({at}.{name}) request{token}.arg(text_of(*{at}.{name}));')
        elif arg.type == 'oneof' and not arg.multiple:
            before, known = len(self.body), len(members)
            for one in arg.arguments:
                self.option(one, at, members)
            if arg.token:  # COMMAND LIST FILTERBY
                given = ' || '.join(f'{at}.{name}' for _, name, _ in members[known:])
                self.body.insert(before, f'if ({given}) request.arg("{arg.token}");')
        elif arg.type == 'pure-token':
            # By its word, as the others: SORT's ALPHA is documented as `sorting`.
            name = cpp_name(arg.token)
            members.append(('bool', name, 'false'))
            self.say(f'if ({at}.{name}) request.arg("{arg.token}");')
        elif arg.multiple:
            kind = 'std::vector<double>' if arg.type in ('double', 'integer') else 'std::vector<std::string>'
            name = arg.name if arg.name.endswith('s') else arg.name + 's'
            if arg.token:
                name = cpp_name(arg.token)
            if arg.type == 'block' and arg.multiple_token and len(arg.arguments) == 2:
                members.append(('std::vector<std::pair<std::string, std::string>>', name, '{}'))
                return self.say(f'for (const auto& [first, second] : {at}.{name}) '
                                f'request.arg("{arg.token}").arg(first).arg(second);')
            members.append((kind, name, '{}'))
            if arg.multiple_token:
                self.say(f'for (const auto& one : {at}.{name}) request.arg("{arg.token}").arg(one);')
            else:
                if arg.token:
                    self.say(f'if (!{at}.{name}.empty()) request.arg("{arg.token}");')
                self.say(f'for (const auto& one : {at}.{name}) request.arg(one);')
        elif arg.type == 'block':
            self.option_block(arg, at, members)
        else:
            name = cpp_name(arg.token) if arg.token else arg.name
            members.append((f'std::optional<{scalar(arg)}>', name, '{}'))
            token = f'.arg("{arg.token}")' if arg.token else ''
            self.say(f'if ({at}.{name}) request{token}{put(arg, f"(*{at}.{name})")};')
        return None

    def condition(self, arg, at, members):
        """NX, XX and the like are said by one member in all commands, behind the others."""
        members.append(('Given<OnlyIf>', 'only_if', '{}'))
        self.say(f'if ({at}.only_if) request.arg(text_of(*{at}.only_if));')
        for one in arg.arguments:
            if one.type != 'pure-token':
                self.option(one, at, members)

    def option_block(self, arg, at, members):
        name = arg.name if not arg.token else cpp_name(arg.token)
        inner = []
        self.say(f'if ({at}.{name}) {{')
        if arg.token:
            self.say(f'request.arg("{arg.token}");')
        self.say(f'const auto& {name} = *{at}.{name};')
        for one in arg.arguments:
            if one.optional or one.type == 'pure-token' and one.optional:
                self.option(one, name, inner)
            elif one.type == 'pure-token':
                self.say(f'request.arg("{one.token}");')
            elif one.words_only():
                inner.append((self.enum(one), one.name, '{}'))
                self.say(f'request.arg(text_of({name}.{one.name}));')
            else:
                if one.token:
                    self.say(f'request.arg("{one.token}");')
                inner.append((scalar(one), one.name, '{}'))
                self.say(f'request{put(one, f"{name}.{one.name}")};')
        self.say('}')
        struct = self.title + pascal(arg.said_name)
        self.structs.append((struct, inner))
        members.append((f'Given<{struct}>', name, '{}'))

    def enum(self, arg):
        name = self.title + pascal(arg.said_name)
        if arg.said_name == 'options':  # the name of the struct of all of them
            name = self.title + 'Option'
        words = [(cpp_name(a.said_name), a.token) for a in arg.arguments]
        if (name, words) not in self.enums:
            self.enums.append((name, words))
        return name

    # ---- text
    def declarations(self):
        out = [f'enum class {name} {{ {", ".join(w for w, _ in words)} }};' for name, words in self.enums]
        for name, members in self.structs + ([(self.title + 'Options', self.members)] if self.members else []):
            out.append(f'struct {name} {{')
            members = sorted(members, key=lambda member: member[1] == 'only_if')
            out += [f'{kind} {member} = {default};' for kind, member, default in members]
            out.append('};')
        return out

    def texts(self):
        """The words of the enums."""
        out = []
        for name, words in self.enums:
            out.append(f'constexpr std::string_view text_of({name} word) {{')
            out.append(f'constexpr std::string_view kTexts[] = {{{", ".join(chr(34) + t + chr(34) for _, t in words)}}};')
            out.append('return kTexts[static_cast<int>(word)];\n}')
        return out

    def signature(self, defaults=True):
        listed = [f'{kind} {name}'.strip() for kind, name in self.parameters]
        if self.members:
            listed.append(f'const {self.title}Options& options = {{}}')
        text = ', '.join(listed)
        return text if defaults else text.replace(' = {}', '')

    def passed(self):
        listed = [name.split(' ')[0] if name else kind + '{}' for kind, name in self.parameters]
        return ', '.join(listed + (['options'] if self.members else []))

    def request(self):
        """The function that builds the request; its declaration is without a body."""
        words = self.command.split('|')
        first = f'Request request("{words[0]}");'
        if len(words) > 1:
            first += f'\nrequest.arg("{words[1]}");'
        return [f'Request {self.name}({self.signature(defaults=False)}) {{', first] + \
            [text for text in self.body if text] + ['return request;\n}']

    def declared_request(self):
        return [f'Request {self.name}({self.signature(defaults=False)});']

    def function(self):
        return [f'template <class R = {self.reply}>', f'Typed<R> {self.name}({self.signature()}) {{',
                f'return Typed<R>{{requests::{self.name}({self.passed()})}};\n}}']

    def method(self):
        return [f'template <class R = {self.reply}>', f'auto {self.name}({self.signature()}) {{',
                f'return self().send(commands::{self.name}<R>({self.passed()}));\n}}']


# ------------------------------------------------------------------ files
def reply_types():
    types, varied = {}, {}
    for line in (pathlib.Path(__file__).parent / 'reply_types.txt').read_text().splitlines():
        if line.strip() and not line.startswith('#'):
            kind, names = line.rsplit(': ', 1)
            for name in names.split():
                types[name] = kind
                if '+' in name:
                    varied.setdefault(name.split('+')[0], []).append(name)
    return types, varied


def find(arguments, name):
    """The optional argument with that word, or of that name."""
    for arg in arguments:
        if arg.optional and name.lower() == (arg.token or arg.said_name).lower():
            return arg
        inside = find(arg.arguments, name) if arg.type == 'block' else None
        if inside:
            return inside
    return None


def calls_of(command, arguments, types, varied):
    given = {}
    for call in varied.get(command, []):
        given[call] = [find(arguments, name) for name in call.split('+')[1:]]
        if None in given[call]:
            raise SystemExit(f'reply_types.txt: {call}: there is no such argument')
    every = {name for names in given.values() for name in names}
    yield Call(command, arguments, types.get(command, 'Reply'), (), every)
    for call, names in given.items():
        yield Call(command, arguments, types[call], names, every)


def generate(docs):
    types, varied = reply_types()
    groups, used = {}, set()
    for command, group, arguments in commands_of(docs):
        groups.setdefault(group.replace('-', '_'), []).append(list(calls_of(command, arguments, types, varied)))
        used.add(command)
    unknown = {name.split('+')[0] for name in types} - used
    if unknown:
        print(f'reply_types.txt names commands that are not served: {" ".join(sorted(unknown))}', file=sys.stderr)
    files, texts, built = {}, [], []
    for group, commands in sorted(groups.items()):
        declared, requests, functions, methods = [], [], [], []
        for calls in commands:
            seen = set()
            for call in calls:
                key = '\n'.join(call.declarations())
                if key not in seen:
                    declared += call.declarations()
                    texts += call.texts()
                seen.add(key)
                requests += call.declared_request()
                built += call.request()
                functions += call.function()
                methods += call.method()
        files[OUT / f'{group}.h'] = FILE.format(group=group, title=pascal(group), declared='\n'.join(declared),
                                                requests='\n'.join(requests), functions='\n'.join(functions),
                                                methods='\n'.join(methods))
    files[OUT / 'all.h'] = all_file(sorted(groups))
    files[pathlib.Path('client/src/typed_requests.cc')] = REQUESTS.format(texts='\n'.join(texts), functions='\n'.join(built))
    return files


FILE = '''// Typed calls of the group {group}. Written by client/generator/generate.py; do not edit.
#pragma once

#include "slotcar/commands/typed.h"

namespace slotcar::client::commands {{
{declared}
namespace requests {{
{requests}
}}  // namespace requests

{functions}
template <class Self>
class {title}Commands {{
public:
{methods}
private:
Self& self() {{ return static_cast<Self&>(*this); }}
}};
}}  // namespace slotcar::client::commands
'''

REQUESTS = '''// The requests of all typed calls. Written by client/generator/generate.py; do not edit.
#include "slotcar/commands/all.h"

namespace slotcar::client::commands {{
namespace {{
{texts}
}}  // namespace

namespace requests {{
{functions}
}}  // namespace requests
}}  // namespace slotcar::client::commands
'''


def all_file(groups):
    includes = '\n'.join(f'#include "slotcar/commands/{g}.h"' for g in groups)
    bases = ', '.join(f'public {pascal(g)}Commands<Self>' for g in groups)
    return ('// All typed calls. Written by client/generator/generate.py; do not edit.\n#pragma once\n\n'
            f'{includes}\n\nnamespace slotcar::client::commands {{\n'
            f'template <class Self>\nclass AllCommands : {bases} {{}};\n'
            '}  // namespace slotcar::client::commands\n')


def formatted(name, text):
    return subprocess.run(['clang-format', f'--assume-filename={ROOT / name}'], input=text, text=True,
                          capture_output=True, check=True).stdout


def main():
    check = '--check' in sys.argv
    docs, info = documented(sys.argv[-1])
    files = generate(docs)
    files[pathlib.Path('client/src/command_rows.cc')] = command_rows.generate(info)
    stale = stale_files(files)
    for name in stale if not check else []:
        (ROOT / name).write_text(formatted(name, files[name]))
    for name in stale:
        print(f'{name} {"is stale: client/generator/generate.py" if check else "written"}')
    return 1 if check and stale else 0


def stale_files(files):
    """Compared without white space, so that only who writes needs clang-format."""
    def bare(text):
        return re.sub(r'\s+', '', text)
    return [name for name, text in files.items()
            if not (ROOT / name).exists() or bare((ROOT / name).read_text()) != bare(text)]


if __name__ == '__main__':
    sys.exit(main())
