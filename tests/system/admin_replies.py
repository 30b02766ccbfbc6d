"""The replies of administrative commands, compared with redis-server's: tests/diff/admin.py."""
import pathlib
import shutil
import sys

from harness import Failed, Server

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / 'diff'))
import admin  # noqa: E402
from known import KnownDifferences  # noqa: E402
from replies import Connection  # noqa: E402


def compared(redis, slotcar):
    known = KnownDifferences(admin.KNOWN)
    found = []

    def report(protocol, words, a, b):
        found.append(f"RESP{protocol} {b' '.join(words).decode()}: redis {a!r}, here {b!r}")

    count = admin.compare(Connection(redis.port), Connection(slotcar.port), known, report)
    if found:
        raise Failed(f'{len(found)} of {count} differ:\n' + '\n'.join(found))


def run(server, report):
    redis = shutil.which('redis-server')
    if not redis:
        return report.skip('administrative replies', 'there is no redis-server')
    options = '--save', '', '--appendonly', 'no', '--enable-debug-command', 'yes'
    with Server(redis, *options) as theirs, Server(server.binary, *options) as ours:
        report.check('administrative replies are those of Redis', compared, theirs, ours)
