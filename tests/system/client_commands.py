"""The client library's typed commands are what this server says of its commands."""
import subprocess
import sys

from harness import ROOT, Failed


def run(server, report):
    report.check('the typed commands of the client are not stale', check, server.binary)


def check(binary):
    done = subprocess.run([sys.executable, str(ROOT / 'client/generator/generate.py'), '--check', binary],
                          capture_output=True, text=True)
    if done.returncode != 0:
        raise Failed(done.stdout + done.stderr)
