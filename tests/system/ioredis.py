"""ioredis, the client of Node.js, pinned in package-lock.json. Skipped where node is missing."""
import json
import pathlib
import shutil
import subprocess

HERE = pathlib.Path(__file__).resolve().parent


def run(server, report):
    run_checks(server.port, report)


def run_checks(port, report, tls=None):
    """`tls`: the files ca, cert and key."""
    node, npm = shutil.which('node'), shutil.which('npm')
    if not node or not npm:
        report.skip('ioredis', 'node or npm is missing')
        return
    installed, lock = HERE / 'node_modules/.package-lock.json', HERE / 'package-lock.json'
    if not installed.exists() or installed.stat().st_mtime < lock.stat().st_mtime:
        done = subprocess.run([npm, 'ci', '--no-audit', '--no-fund', '--ignore-scripts'], cwd=HERE,
                              capture_output=True, text=True)
        if done.returncode != 0:
            report.skip('ioredis', 'npm ci failed, is there a network? ' + done.stderr[-300:])
            return
    try:
        done = subprocess.run([node, 'ioredis_checks.js', str(port), json.dumps(tls)], cwd=HERE,
                              capture_output=True, text=True, timeout=60)
    except subprocess.TimeoutExpired as late:
        report.bad('ioredis', f'no end after 60 s: {late.stdout}')
        return
    what = 'ioredis over TLS' if tls else 'ioredis'
    for line in done.stdout.splitlines():
        verdict, _, rest = line.partition(' ')
        name, _, why = rest.partition(': ')
        if verdict == 'ok':
            report.good(f'{what}: {name}')
        elif verdict == 'bad':
            report.bad(f'{what}: {name}', why)
    if done.returncode != 0 or 'end' not in done.stdout:
        report.bad('ioredis', f'ended early: {done.stdout[-300:]}{done.stderr[-800:]}')
