"""Libraries that people run on Redis, most of them made of scripts: each has work to do, and what comes of it is checked.
They run at the same time, each in databases of its own, so they wait beside each other and are a mixed load together."""
import importlib.util
import pathlib
import shutil
import sys

from programs import Program, node_is_ready

FOLDER = pathlib.Path(__file__).resolve().parent / 'libraries'
SECONDS = 200
# The program, and the first of its databases.
LIBRARIES = {
    'bullmq': ('bullmq.js', 1),
    'redlock': ('redlock.js', 2),
    'rate-limiter-flexible': ('rate_limiter.js', 5),
    'bee-queue': ('bee_queue.js', 6),
    'celery': ('celery_jobs.py', 7),
    'rq': ('rq_jobs.py', 9),
    'sidekiq': ('sidekiq_jobs.rb', 10),
}


def run(server, report, names=tuple(LIBRARIES)):
    programs = [program for program in (start(name, server.port, report) for name in names) if program]
    for program in programs:
        program.end(report, SECONDS)


def start(name, port, report):
    file, database = LIBRARIES[name]
    if file.endswith('.js'):
        interpreter = 'node'
        if not node_is_ready(report, name):
            return None
    elif file.endswith('.rb'):
        interpreter = 'ruby'
        if not shutil.which('sidekiq'):
            report.skip(name, 'the package ruby-sidekiq is missing')
            return None
    else:
        interpreter = sys.executable
        if not importlib.util.find_spec(name):
            report.skip(name, f'the package python3-{name} is missing')
            return None
    return Program(name, [interpreter, file, str(port), str(database)], FOLDER)
