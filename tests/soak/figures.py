"""What is measured of the server during a soak, and whether it is flat."""
import os
import pathlib
import statistics
import time

# RSS goes with the data, of which the load has now more and now less; what must be flat is what is not
# counted as used (unused_mb).
# Name -> (how much a later sample may be above an earlier one: as a ratio, and on top of that)
TOLERANCE = {
    'cpu_us': (1.4, 5.0),
    'rss_mb': (1.25, 60.0),
    'unused_mb': (1.25, 24.0),
    'files': (1.0, 6.0),
    'dir_mb': (1.25, 250.0),
    'descriptors': (1.0, 40.0),
    'threads': (1.0, 3.0),
}

STARVED = 1.0  # seconds of waiting for a processor per second on one
CALM_SAMPLES = 3


def cpu_seconds(pid):
    fields = pathlib.Path(f'/proc/{pid}/stat').read_text().rsplit(')', 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf('SC_CLK_TCK')


def waited_seconds(pid):
    """How long the threads of the process could have run and did not, because others had the processors."""
    total = 0
    for task in pathlib.Path(f'/proc/{pid}/task').iterdir():
        try:
            total += int((task / 'schedstat').read_text().split()[1])
        except FileNotFoundError:  # the thread has ended meanwhile, or the kernel does not count
            pass
    return total / 1e9


def status(pid, field):
    for line in pathlib.Path(f'/proc/{pid}/status').read_text().splitlines():
        if line.startswith(field + ':'):
            return int(line.split()[1])
    return 0


def directory(path):
    """Files, and megabytes that they take on the disk."""
    count = size = 0
    for folder, _, names in os.walk(path):
        for name in names:
            try:
                size += os.stat(os.path.join(folder, name)).st_blocks * 512
                count += 1
            except FileNotFoundError:
                pass
    return count, size / 1e6


class Sampler:
    """One life of the server; `info` gives its INFO as a dict."""

    def __init__(self, pid, path, info):
        self.pid, self.path, self.info = pid, path, info
        self.samples = []
        self._at = self._counted()

    def _counted(self):
        info = self.info()
        return (cpu_seconds(self.pid), waited_seconds(self.pid), int(info['total_commands_processed']),
                time.monotonic(), info)

    def sample(self):
        cpu, waited, commands, when, info = self._counted()
        rss, used = status(self.pid, 'VmRSS') / 1024, int(info['used_memory']) / 2**20
        before_cpu, before_waited, before_commands, before, _ = self._at
        self._at = cpu, waited, commands, when, info
        count, size = directory(self.path)
        self.samples.append({
            'cpu_us': 1e6 * (cpu - before_cpu) / max(1, commands - before_commands),
            'starved': (waited - before_waited) / max(1e-3, cpu - before_cpu),
            'per_second': (commands - before_commands) / max(1e-3, when - before),
            'rss_mb': rss, 'used_mb': used, 'unused_mb': rss - used, 'files': count, 'dir_mb': size,
            'descriptors': len(os.listdir(f'/proc/{self.pid}/fd')), 'threads': status(self.pid, 'Threads'),
        })


def medians(samples):
    """Of what all samples have."""
    names = [name for name in (samples[0] if samples else ()) if all(name in s for s in samples)]
    return {name: round(statistics.median(s[name] for s in samples), 2) for name in names}


def calm(samples):
    """Those in which the server did not wait longer for a processor than it ran: it handles single requests
    with cold caches then, instead of batches, and its CPU per request says nothing."""
    return [sample for sample in samples if sample['starved'] < STARVED]


def summary(samples, of_cpu=statistics.median):
    """The medians; of CPU per request, `of_cpu` of the calm samples, if there are enough."""
    figures = medians(samples)
    figures.pop('cpu_us', None)
    usable = [sample['cpu_us'] for sample in calm(samples)]
    return dict(figures, cpu_us=round(of_cpu(usable), 2)) if len(usable) >= CALM_SAMPLES else figures


def growth(series):
    """What has grown between the first and the last third of the samples beyond its tolerance. The first
    fifth does not count: caches fill, files get their size. Of CPU per request the best sample of each
    third counts, because what others do on the machine only adds to it. Less than a minute says nothing."""
    series = series[len(series) // 5:]
    third = len(series) // 3
    if third < 6:
        return []
    return grown(summary(series[:third], min), summary(series[-third:], min))


def grown(first, last):
    return [f'{name} {first[name]} -> {last[name]}' for name, (ratio, more) in TOLERANCE.items()
            if name in first and name in last and last[name] > first[name] * ratio + more]


def pieces_growth(pieces):
    """The same over pieces, each of which has a summary of its own."""
    usable = [piece['figures'] for piece in pieces if piece.get('figures')]
    if len(usable) < 2:
        return []
    half = len(usable) // 2
    return grown(medians(usable[:half]), medians(usable[-half:]))


def table(pieces):
    print('| piece | minutes | lives | kills | requests | lost at most | start s at most | cpu us | RSS MB | '
          'unused MB | files | dir MB | descriptors | threads | GET p99 ms, ours / redis | verdict |')
    print('|' + '---|' * 16)
    for number, piece in enumerate(pieces, 1):
        f = piece.get('figures') or {}
        latency = piece.get('latency') or {}
        verdict = 'ok' if not piece['failures'] else '**' + piece['failures'][0][:100].replace('|', ' ') + '**'
        print(f'| {number} | {piece["minutes"]:.1f} | {piece["lives"]} | {piece["kills"]} | '
              f'{piece["requests"]:,} | {piece["lost_operations"]} operations, {piece["lost_seconds"]:.2f} s | '
              f'{piece["start_seconds"]:.1f} | ' + ' | '.join(str(f.get(name, '')) for name in (
                  'cpu_us', 'rss_mb', 'unused_mb', 'files', 'dir_mb', 'descriptors', 'threads')) +
              f' | {latency.get("ours", "")} / {latency.get("redis", "")} | {verdict} |')
