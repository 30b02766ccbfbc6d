"""Peak memory of calls with long strings, log on against log off: `bench/stalls.py --memory`.

The peak is the kernel's (VmHWM), counted anew just before the calls and read a moment after the last
reply, because the log's thread may still hold what it has not written. Asked: with the log on at most
1.3 times of what it takes without.
"""
import pathlib
import time

from stalls_rows import lines, one

MB = 1 << 20
ALLOWED = 1.3
SETTLE_SECONDS = 1.5


def long(size):
    return one('SETRANGE', 'long{s}', size * MB - 1, 'x')


# What: (name, before, calls one after the other)
CASES = (
    ('SET of 256 MB', lambda: b'', lambda: [one('SET', 't{s}', b'v' * (256 * MB))]),
    ('SET of 256 MB, four times over', lambda: b'', lambda: [one('SET', 't{s}', b'v' * (256 * MB))] * 4),
    ('SET of 512 MB', lambda: b'', lambda: [one('SET', 't{s}', b'v' * (512 * MB))]),
    ('BITOP NOT of 256 MB, four times', lambda: long(256), lambda: [lines('BITOP NOT t{s} long{s}')] * 4),
    ('BITOP NOT of 512 MB, six times', lambda: long(512), lambda: [lines('BITOP NOT t{s} long{s}')] * 6),
    ('COPY of 512 MB, then SETBIT', lambda: long(512),
     lambda: [lines('COPY long{s} t{s}'), lines('SETBIT long{s} 5 1')]),
    ('SETRANGE of 500 MB', lambda: b'', lambda: [one('SETRANGE', 't{s}', 500 * MB - 1, 'x')]),
)


def status(process, field):
    for line in pathlib.Path(f'/proc/{process.pid}/status').read_text().splitlines():
        if line.startswith(field + ':'):
            return int(line.split()[1]) * 1024
    return 0


def peak(server, before, calls):
    load = server.load()
    if before:
        load.do(before)
    time.sleep(SETTLE_SECONDS)
    pathlib.Path(f'/proc/{server.process.pid}/clear_refs').write_text('5')
    for call in calls:
        load.do(call)
    time.sleep(SETTLE_SECONDS)
    return status(server.process, 'VmHWM')


def measure(args, start):
    print('| what | ours, log off MB | on MB | ratio | redis, off MB | on MB | ratio | verdict |')
    print('|' + '---|' * 8)
    bad = 0
    for name, before, calls in CASES:
        if args.only and not any(part.lower() in name.lower() for part in args.only):
            continue
        peaks = {}
        for kind in ('slotcar', 'redis'):
            for log in ('off', 'on'):
                server = start(kind, log, args)
                try:
                    peaks[kind, log] = peak(server, before(), calls()) / MB
                finally:
                    server.stop()
        ratio = {kind: peaks[kind, 'on'] / peaks[kind, 'off'] for kind in ('slotcar', 'redis')}
        wrong = ratio['slotcar'] > ALLOWED
        bad += wrong
        print(f'| {name} | {peaks["slotcar", "off"]:.0f} | {peaks["slotcar", "on"]:.0f} | '
              f'{ratio["slotcar"]:.2f} | {peaks["redis", "off"]:.0f} | {peaks["redis", "on"]:.0f} | '
              f'{ratio["redis"]:.2f} | {"**over " + str(ALLOWED) + "**" if wrong else "ok"} |', flush=True)
    return 1 if bad else 0
