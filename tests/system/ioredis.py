"""ioredis, a client of Node.js."""
import json

from programs import Program, node_is_ready


def run(server, report):
    run_checks(server.port, report)


def run_checks(port, report, tls=None):
    """`tls`: the files ca, cert and key."""
    what = 'ioredis over TLS' if tls else 'ioredis'
    if node_is_ready(report, what):
        Program(what, ['node', 'ioredis_checks.js', str(port), json.dumps(tls)]).end(report, 60)
