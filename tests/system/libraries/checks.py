"""What the Python programs of this folder share; the protocol is that of checks.js."""
import concurrent.futures
import os
import pathlib
import signal
import subprocess
import sys
import time
import traceback

HERE = pathlib.Path(__file__).resolve().parent
SECONDS = 120  # far beyond what anything here takes on a loaded machine


def until(what, condition):
    """Waits until the condition holds, as long as that may take, and returns its value."""
    end = time.monotonic() + SECONDS
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise AssertionError(f'waited in vain until {what}')
        time.sleep(0.01)


def same(got, wanted, what=''):
    if got != wanted:
        raise AssertionError(f'{what}: got {got!r}, expected {wanted!r}')


class Process:
    """Another process of a check, with all that it starts itself. What it writes is shown where it ends badly."""

    def __init__(self, *words, **more):
        self.process = subprocess.Popen(words, cwd=HERE, start_new_session=True, stdout=subprocess.PIPE,
                                        stderr=subprocess.STDOUT, **more)

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        try:
            os.killpg(self.process.pid, signal.SIGKILL if kind else signal.SIGTERM)
        except ProcessLookupError:
            pass
        try:
            said, _ = self.process.communicate(timeout=30)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            said, _ = self.process.communicate()
        if kind:
            sys.stderr.write(said.decode(errors='replace')[-2000:])

    def kill(self):
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


def run(checks):
    """All at once: most of them wait most of the time. They use names of their own."""

    def one(name, check):
        try:
            check()
            print(f'ok {name}', flush=True)
        except Exception as error:
            where = ' < '.join(f'{frame.name}:{frame.lineno}' for frame in traceback.extract_tb(error.__traceback__)[::-1])
            print(f'bad {name}: {type(error).__name__}: {error} ({where})'.replace('\n', ' ')[:800], flush=True)

    with concurrent.futures.ThreadPoolExecutor(len(checks)) as pool:
        for check in checks:
            pool.submit(one, check.__name__.replace('_', ' '), check)
    print('end', flush=True)
