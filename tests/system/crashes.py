"""A few of the kills of tests/crash; `./dev crash` does more."""
import sys

from harness import ROOT, expect_true

sys.path.insert(0, str(ROOT / 'tests' / 'crash'))
import again  # noqa: E402
import crash  # noqa: E402


def kills(binary):
    expect_true(crash.run(8, 7, binary) is not None, 'something was lost: see above')


def same_again(binary, seed):
    expect_true(again.play(seed, 3, 3000, binary) is not None, 'a key has changed: see above')


def run(server, report):
    report.check('kills under always: nothing acknowledged is lost', kills, server.binary)
    for seed in (11, 12):
        report.check(f'random commands and a kill, seed {seed}: every key as it was', same_again,
                     server.binary, seed)
