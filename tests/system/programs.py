"""Programs in other languages that check the server: each prints `ok NAME` or `bad NAME: why` for each of its checks, then
`end`. What those of Node.js need is pinned in package-lock.json."""
import contextlib
import os
import pathlib
import shutil
import signal
import subprocess

HERE = pathlib.Path(__file__).resolve().parent


def node_is_ready(report, what):
    """Installs the packages if that is to be done. Skips where node, npm or a network is missing."""
    node, npm = shutil.which('node'), shutil.which('npm')
    if not node or not npm:
        report.skip(what, 'node or npm is missing')
        return False
    installed, lock = HERE / 'node_modules/.package-lock.json', HERE / 'package-lock.json'
    if not installed.exists() or installed.stat().st_mtime < lock.stat().st_mtime:
        # Not `npm ci`: it refuses a lock without the optional packages of other kinds of machines.
        done = subprocess.run([npm, 'install', '--no-save', '--omit=optional', '--no-audit', '--no-fund', '--ignore-scripts'],
                              cwd=HERE, capture_output=True, text=True)
        if done.returncode != 0:
            report.skip(what, 'npm install failed, is there a network? ' + done.stderr[-300:])
            return False
    return True


def descendants(process):
    """All that it has started, and what those have started."""
    found = []
    for children in pathlib.Path(f'/proc/{process}/task').glob('*/children'):
        for child in children.read_text().split():
            found += [int(child), *descendants(child)]
    return found


class Program:
    """One of them, which runs from now on."""

    def __init__(self, what, words, folder=HERE):
        self.what = what
        self.process = subprocess.Popen(words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def end(self, report, seconds):
        """Waits for its end, and reports its checks."""
        try:
            said, complaints = self.process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            for process in [self.process.pid, *descendants(self.process.pid)]:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)
            said, complaints = self.process.communicate()
            report.bad(self.what, f'no end after {seconds} s')
        for line in said.splitlines():
            verdict, _, rest = line.partition(' ')
            name, _, why = rest.partition(': ') if verdict == 'bad' else (rest, '', '')
            if verdict == 'ok':
                report.good(f'{self.what}: {name}')
            elif verdict == 'bad':
                report.bad(f'{self.what}: {name}', why)
        if self.process.returncode != 0 or 'end' not in said.splitlines():
            report.bad(self.what, f'ended early: {said[-300:]}{complaints[-2000:]}')
