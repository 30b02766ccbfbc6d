#!/usr/bin/env python3
"""How long others wait beside every slow thing that a client can do, next to redis-server.

    bench/stalls.py [--only TEXT,...] [--out FILE] [--minutes 45]   measures, then prints the table
    bench/stalls.py --table [--out FILE]                            prints the table of what was measured
    bench/stalls.py --check                                         every command has a recipe, every
                                                                    recipe is accepted (some seconds)
    bench/stalls.py --memory                                        peak memory of long strings, log on
                                                                    against log off (bench/stalls_memory.py)
    bench/stalls.py --list                                          the rows

A row is a slow call (bench/stalls_rows): one client repeats it while a prober (build/release/steady_load)
GETs keys of other shards 2,000 times a second and a key of the same shard 1,000 times, at appointed
times, whether earlier ones were answered or not. So a stall of 100 ms counts with all requests that
fell into it. Only what was appointed while the slow call ran counts. Four servers take turns at each
row: ours and redis-server, without a log and with one (everysec).

Each measurement is appended to --out as a line of JSON as soon as it is there; a second run goes on
where the first one ended, so a run may be ended at any time. --only names rows or groups by a part of
their name. A row of ours that fails by less than 50 ms is measured twice more, and the median
counts. redis-server with a log is left out where a row only reads.

Verdict: beside the call, p99 of GETs on other keys is at most 5 ms above the quiet p99 of the same
server in the same group of rows. `turn` and `hold` are the server's own longest turn of an event
loop and longest hold of a token on a worker and on a slow thread (INFO longest_turn_us,
longest_hold_us, longest_slow_hold_us).
"""
import argparse
import json
import multiprocessing
import os
import pathlib
import shutil
import signal
import socket
import statistics
import struct
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path.insert(0, str(HERE))
import stalls_load  # noqa: E402
import stalls_rows  # noqa: E402

ALLOWED_MS = 5.0
TURNS = (('slotcar', 'off'), ('redis', 'off'), ('slotcar', 'on'), ('redis', 'on'))
QUIET_SECONDS = 0.25
QUIET_MAX_MS = 10.0  # a machine that is noisier when nothing is done cannot excuse a stall
CLEAR_MS = 50.0  # a row that fails by so much is not measured again
fork = multiprocessing.get_context('fork')


# ------------------------------------------------------------------------------------ servers
def crc16(data):
    crc = 0
    for byte in data:
        crc ^= byte << 8
        for _ in range(8):
            crc = (crc << 1 ^ 0x1021) & 0xffff if crc & 0x8000 else crc << 1 & 0xffff
    return crc


def other_keys(count=64, shards=1024):
    """Keys of as many shards, none of them that of the tag {s}."""
    taken, keys, i = {crc16(b's') % shards}, [], 0
    while len(keys) < count:
        name, i = f'other:{i}', i + 1
        shard = crc16(name.encode()) % shards
        if shard not in taken:
            taken.add(shard)
            keys.append(name)
    return keys


OTHERS = other_keys()


def redis_server():
    found = shutil.which('redis-server')
    if found:
        return [found]
    if shutil.which('redis-check-rdb'):  # Debian's redis-tools: one program, which looks at its name
        link = ROOT / 'build' / 'tools' / 'redis-server'
        link.parent.mkdir(parents=True, exist_ok=True)
        if not link.exists():
            link.symlink_to(shutil.which('redis-check-rdb'))
        return [str(link)]
    raise SystemExit('there is no redis-server (Debian: redis-tools)')


class Server:
    def __init__(self, kind, log, args, options=()):
        self.kind, self.log = kind, log
        self.dir = tempfile.mkdtemp(prefix=f'stalls-{kind}-', dir=args.dir)
        with socket.socket() as s:
            s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            s.bind(('127.0.0.1', args.port[kind, log]))
            self.port = s.getsockname()[1]
        words = redis_server() if kind == 'redis' else [args.server, '--workers', str(args.workers)]
        self.output = open(os.path.join(self.dir, 'output'), 'ab')
        config = os.path.join(self.dir, 'server.conf')  # for CONFIG REWRITE
        pathlib.Path(config).write_text('')
        # What the server does by itself in the background is not the question of a row.
        self.words = [words[0], config, *words[1:], '--port', str(self.port), '--bind', '127.0.0.1',
                      '--dir', self.dir, '--save', '', '--appendonly', 'yes' if log == 'on' else 'no',
                      '--appendfsync', 'everysec', '--auto-aof-rewrite-percentage', '0',
                      '--enable-debug-command', 'yes', '--maxclients', '10000', *options]
        self.process = subprocess.Popen(self.words, stdout=self.output, stderr=subprocess.STDOUT,
                                        cwd=self.dir)
        self.quiet = []
        self._wait()

    def _wait(self):
        until = time.monotonic() + 30
        while time.monotonic() < until and self.process.poll() is None:
            try:
                load = stalls_load.Load(self.port, 1)
                load.ask(stalls_rows.one('PING'))
                return
            except (OSError, stalls_load.Refused):
                time.sleep(0.02)
        text = pathlib.Path(self.dir, 'output').read_text(errors='replace')
        raise SystemExit(f'{self.kind} does not start:\n{text[-2000:]}')

    def load(self):
        return stalls_load.Load(self.port, 1)

    def fill(self, payload):
        load = self.load()
        load.do(b''.join(stalls_rows.one('SET', key, 'v' * 64) for key in OTHERS + ['near{s}']))
        load.client.do(payload)
        if self.log == 'on':
            time.sleep(0.1)

    def info(self):
        try:
            text = self.load().ask(stalls_rows.one('INFO', 'everything')).decode(errors='replace')
        except (OSError, stalls_load.Refused):
            return {}
        return dict(line.split(':', 1) for line in text.splitlines() if ':' in line)

    def reset(self):
        try:
            self.load().ask(stalls_rows.one('CONFIG', 'RESETSTAT'))
        except (OSError, stalls_load.Refused):
            pass

    def stop(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.output.close()
        shutil.rmtree(self.dir, ignore_errors=True)


# ------------------------------------------------------------------------------------ measuring
class Probe:
    def __init__(self, args, port, names, connections, rate):
        self.process = subprocess.Popen(
            [args.prober, str(port), '--names', ','.join(names), '--connections', str(connections),
             '--rate', str(rate), '--seconds', '600', '--patience', str(stalls_load.ANSWERED_WITHIN),
             '--raw', '1', '--until-closed', '1', '--set-ratio', '0'],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)

    def end(self):
        data, _ = self.process.communicate()
        whole = len(data) // 16 * 16
        return list(struct.iter_unpack('<qq', data[:whole]))


def within(samples, windows):
    """Latencies in ms, in order, of what was appointed in one of the windows."""
    return sorted(latency / 1e6 for appointed, latency in samples
                  if any(begin <= appointed < end for begin, end in windows))


def figures(latencies):
    if not latencies:
        return {'n': 0, 'p50': None, 'p99': None, 'max': None}

    def at(share):
        return round(latencies[min(int(share * len(latencies)), len(latencies) - 1)], 3)
    return {'n': len(latencies), 'p50': at(0.5), 'p99': at(0.99), 'max': at(1)}


def bytes_of(what):
    return what() if callable(what) else stalls_rows.lines(what) if what else b''


def measure(args, server, row, call, prepare):
    server.reset()
    others = Probe(args, server.port, OTHERS, 4, 2000)
    near = Probe(args, server.port, ['near{s}'], 2, 1000)
    time.sleep(0.1)
    quiet = (time.monotonic_ns(), time.monotonic_ns() + int(QUIET_SECONDS * 1e9))
    time.sleep(QUIET_SECONDS)
    here, there = fork.Pipe(duplex=False)
    child = fork.Process(target=stalls_load.run,
                         args=(there, row, call, prepare, server.port, args.seconds, False))
    child.start()
    there.close()
    try:
        answer = here.recv()
    except EOFError:
        answer = {'failed': 'the load has died', 'windows': [], 'call_ms': [], 'replies_ms': []}
    child.join()
    of_others, of_near = others.end(), near.end()
    server.quiet += within(of_others, [quiet])
    info = server.info() if server.kind == 'slotcar' and not answer.get('hangs') else {}
    beside = within(of_others, answer['windows'])
    found = {
        'row': row.name, 'server': server.kind, 'log': server.log, 'size': row.size,
        'calls': len(answer['call_ms']), 'failed': answer['failed'],
        'call_ms': round(statistics.median(answer['call_ms']), 2) if answer['call_ms'] else None,
        'quiet_p99': figures(sorted(server.quiet))['p99'],
        'others': figures(beside), 'near': figures(within(of_near, answer['windows'])),
        'longest_turn_us': info.get('longest_turn_us'), 'longest_hold_us': info.get('longest_hold_us'),
        'longest_slow_hold_us': info.get('longest_slow_hold_us'),
        'alive': server.process.poll() is None, 'hangs': bool(answer.get('hangs')),
    }
    if answer['replies_ms']:  # the row measures its own replies, not those of others
        worst, what = max(answer['replies_ms'])
        found['others'] = found['near'] = figures(sorted(ms for ms, _ in answer['replies_ms']))
        found['worst'] = f'{worst:.0f} ms: {what}'
    return found


def verdict(found):
    """What is wrong with a measurement of ours; None if nothing."""
    if found['failed']:
        return found['failed']
    p99, quiet = found['others']['p99'], min(found['quiet_p99'] or 0, QUIET_MAX_MS)
    if p99 is None:
        return 'no probe was answered'
    if p99 > quiet + ALLOWED_MS:
        return f'p99 {p99:.1f} ms, quiet {quiet:.1f}'
    return None


def middle(tries):
    """The measurement with the median p99; one that failed otherwise counts as the worst."""
    order = sorted(tries, key=lambda f: float('inf') if f['failed'] else f['others']['p99'] or 0)
    return order[len(order) // 2]


def turns(args, row):
    only_reads = row.covers and args.reading.issuperset(row.covers)
    return [turn for turn in TURNS if turn[0] == 'slotcar' or
            (row.known and not args.ours and not (turn[1] == 'on' and only_reads))]


def doubtful(found):
    return verdict(found) and not found['failed'] and found['others']['p99'] < CLEAR_MS


def measure_row(args, servers, group, row, note, done):
    call, prepare = bytes_of(row.call), bytes_of(row.prepare)
    for turn in turns(args, row):
        if (row.name, *turn) in done:
            continue
        tries, began = [], time.monotonic()
        while not tries or (turn[0] == 'slotcar' and doubtful(middle(tries)) and
                            len(tries) < 1 + args.retries):
            if turn not in servers:
                servers[turn] = Server(*turn, args, group.options)
                servers[turn].fill(group.fixtures())
            tries.append(measure(args, servers[turn], row, call, prepare))
            if tries[-1]['hangs'] or not tries[-1]['alive']:
                servers.pop(turn).stop()
        found = middle(tries)
        found['tries'] = [t['others']['p99'] for t in tries]
        found['seconds'] = round(time.monotonic() - began, 2)
        note(found)


# ------------------------------------------------------------------------------------ the table
def cell(found, which):
    if found is None:
        return ''
    if found['failed'] and found[which]['p99'] is None:
        return '-'
    f = found[which]
    return f'{f["p99"]:.1f} / {f["max"]:.0f}' if f['p99'] is not None else '-'


def took(found):
    return '' if found is None else '-' if found['call_ms'] is None else f'{found["call_ms"]:.0f}'


def micros(found, name):
    value = found and found.get(name)
    return f'{int(value) / 1000:.1f}' if value else ''


def table(results, rows):
    print('| what | size | call ms, ours / redis | quiet p99 | others: ours, log off | log on | '
          'redis, off | on | same shard: ours, off | on | redis, off | on | turn, hold, slow hold ms | verdict |')
    print('|' + '---|' * 14)
    bad = 0
    for row in rows:
        ours, peer, ours_on, peer_on = (results.get((row.name, *turn)) for turn in TURNS)
        if ours is None and ours_on is None:
            continue
        wrong = [f'log {found["log"]}: {verdict(found)}' for found in (ours, ours_on)
                 if found is not None and verdict(found)]
        bad += bool(wrong)
        quiet = max(found['quiet_p99'] or 0 for found in (ours, ours_on) if found)
        turn = ', '.join(filter(None, (micros(ours_on or ours, 'longest_turn_us'),
                                       micros(ours_on or ours, 'longest_hold_us'),
                                       micros(ours_on or ours, 'longest_slow_hold_us'))))
        words = [row.name, row.size, f'{took(ours)} / {took(peer)}', f'{quiet:.1f}',
                 cell(ours, 'others'), cell(ours_on, 'others'), cell(peer, 'others'),
                 cell(peer_on, 'others'), cell(ours, 'near'), cell(ours_on, 'near'),
                 cell(peer, 'near'), cell(peer_on, 'near'), turn,
                 '**' + '; '.join(wrong) + '**' if wrong else 'ok']
        print('| ' + ' | '.join(word.replace('|', '\\|') for word in words) + ' |')
    print(f'\n{bad} rows failed. Figures are p99 / max of GETs in ms.')
    return bad


# ------------------------------------------------------------------------------------ the check
def command_table(load):
    """Name -> declared cost, of commands and subcommands, as COMMAND DOCS has them."""
    found = {}

    def enter(docs):
        for name, fields in zip(docs[::2], docs[1::2]):
            about = dict(zip(fields[::2], fields[1::2]))
            subcommands = about.get(b'subcommands', [])
            if not subcommands:
                found[name.decode().lower()] = about.get(b'complexity', b'').decode()
            enter(subcommands)
    enter(load.ask(stalls_rows.one('COMMAND', 'DOCS')))
    names = {entry[0].decode().lower() for entry in load.ask(stalls_rows.one('COMMAND'))}
    for name in names:  # a container is its subcommands
        if not any(other == name or other.startswith(name + '|') for other in found):
            found[name] = ''
    return found


def reading_commands(args):
    """The names of commands that are declared to change nothing."""
    server = Server('slotcar', 'off', args)
    try:
        entries = server.load().ask(stalls_rows.one('COMMAND'))
    finally:
        server.stop()
    return {entry[0].decode().lower() for entry in entries if b'readonly' in entry[2]}


def constant_names(group, known):
    for line in filter(None, (group.constant + group.constant_new).splitlines()):
        words = line.lstrip('!').lower().split()
        two = '|'.join(words[:2])
        yield two if two in known else words[0]


def check_names(commands, groups):
    wrong, rows, constants = [], set(), set()
    for group in groups.values():
        constants |= set(constant_names(group, commands))
        for row in group.rows:
            rows |= set(row.covers)
    for name in sorted(commands):
        cost = commands[name]
        if name in rows or name in stalls_rows.LEFT_OUT:
            continue
        if name not in constants:
            wrong.append(f'{name} has no recipe in bench/stalls_rows')
        elif not cost.startswith(('O(1)', 'O(log')) and name not in stalls_rows.BOUNDED:
            wrong.append(f'{name} shares a row of O(1) commands, but its declared cost is: {cost}')
    for name in sorted((rows | set(stalls_rows.LEFT_OUT) | set(stalls_rows.BOUNDED)) - set(commands)):
        if not any(other.startswith(name + '|') for other in commands):
            wrong.append(f'{name} has a recipe, but is no command of the server')
    return wrong


def check(args, groups):
    """Names, then each recipe once with small sizes, which every server that knows it must accept."""
    stalls_rows.SCALE = 0.0005
    wrong = []
    for kind in ('slotcar', 'redis'):
        for group in groups.values():
            server = Server(kind, 'off', args, group.options)
            try:
                if kind == 'slotcar' and group is next(iter(groups.values())):
                    wrong += check_names(command_table(server.load()), groups)
                server.fill(group.fixtures())
                for row in group.all_rows():
                    if kind == 'redis' and not row.known:
                        continue
                    load = stalls_load.Load(server.port, 0.01, brief=True)
                    try:
                        load.play(row, bytes_of(row.call), bytes_of(row.prepare))
                    except (stalls_load.Refused, stalls_load.TimedOut, OSError) as error:
                        wrong.append(f'{row.name}, {kind}: {type(error).__name__} {error}')
                    if not load.windows and not load.replies_ms:
                        wrong.append(f'{row.name}, {kind}: nothing was measured')
            finally:
                server.stop()
    for line in wrong:
        print('FAIL', line)
    count = sum(len(group.all_rows()) for group in groups.values())
    print(f'{count} rows\nPASS {count if not wrong else 0} FAIL {len(wrong)}')
    return 1 if wrong else 0


# ------------------------------------------------------------------------------------ main
def read_results(path):
    results = {}
    if path.exists():
        for line in path.read_text().splitlines():
            found = json.loads(line)
            results[found['row'], found['server'], found['log']] = found
    return results


def wanted_rows(groups, only):
    for group in groups.values():
        rows = [row for row in group.all_rows() if not only or any(
            part.lower() in row.name.lower() or part.lower() == group.name for part in only)]
        if rows:
            yield group, rows


def measure_all(args, groups, path):
    until = time.monotonic() + 60 * args.minutes
    done = read_results(path)
    args.reading = reading_commands(args)

    def note(found):
        done[found['row'], found['server'], found['log']] = found
        with open(path, 'a') as out:
            out.write(json.dumps(found) + '\n')
        wrong = verdict(found) if found['server'] == 'slotcar' else found['failed']
        print(f'{found["row"]}, {found["server"]}, log {found["log"]}: call {found["call_ms"]} ms, others '
              f'p99 {found["others"]["p99"]} max {found["others"]["max"]}, same shard '
              f'p99 {found["near"]["p99"]} max {found["near"]["max"]}'
              f'{"   FAIL " + wrong if wrong else ""}', file=sys.stderr, flush=True)

    for group, rows in wanted_rows(groups, args.only):
        rows = [row for row in rows if any((row.name, *turn) not in done for turn in turns(args, row))]
        servers = {}
        try:
            for row in rows:
                if time.monotonic() > until:
                    print(f'out of time before {row.name}; run it again to go on', file=sys.stderr)
                    return done
                measure_row(args, servers, group, row, note, done)
        finally:
            for server in servers.values():
                server.stop()
    return done


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--only', type=lambda text: text.split(','), default=[])
    parser.add_argument('--out', default=str(ROOT / 'build/stalls/stalls.jsonl'))
    parser.add_argument('--minutes', type=float, default=45)
    parser.add_argument('--seconds', type=float, default=0.6, help='of slow calls per measurement')
    parser.add_argument('--retries', type=int, default=2)
    parser.add_argument('--workers', type=int, default=2)
    parser.add_argument('--dir', default=None, help='where the servers keep their files')
    parser.add_argument('--first-port', type=int, default=0, help='four ports from here; 0: any')
    parser.add_argument('--server', default=str(ROOT / 'build/release/slotcar-server'))
    parser.add_argument('--prober', default=str(ROOT / 'build/release/steady_load'))
    parser.add_argument('--ours', action='store_true', help='without redis-server, for a quick look')
    for mode in ('table', 'check', 'memory', 'list'):
        parser.add_argument('--' + mode, action='store_true')
    args = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit('ended by SIGTERM'))  # with its servers
    args.port = {turn: args.first_port and args.first_port + i for i, turn in enumerate(TURNS)}
    groups = stalls_rows.load_all()
    if args.check:
        return check(args, groups)
    if args.memory:
        import stalls_memory
        return stalls_memory.measure(args, Server)
    rows = [row for _, some in wanted_rows(groups, args.only) for row in some]
    if args.list:
        print('\n'.join(f'{row.name} ({row.size})' for row in rows))
        return 0
    path = pathlib.Path(args.out)
    path.parent.mkdir(parents=True, exist_ok=True)
    results = read_results(path) if args.table else measure_all(args, groups, path)
    return 1 if table(results, rows) else 0


if __name__ == '__main__':
    sys.exit(main())
