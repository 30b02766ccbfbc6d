#!/usr/bin/python3
"""Real clients against a started server. Starts the servers itself, on free ports.

    tests/system/run.py                          build/release/slotcar-server, every part
    tests/system/run.py protocol ioredis         these parts
    tests/system/run.py --server redis-server    the same questions to Redis itself: the way to
                                                 find out whether a check or the server is wrong

The last line printed is `PASS n FAIL m`.
"""
import argparse
import functools
import shutil
import sys

import acl
import addresses
import admin_replies
import big_values
import client_commands
import client_programs
import cluster
import cluster_faults
import command_docs
import command_info
import command_surface
import crashes
import differences
import disk_faults
import dump_restore
import durability
import etcd
import growth
import ioredis
import keyspace_events
import killed
import libraries
import links
import listening
import loading
import long_values
import memory
import migrating
import moving
import protocol
import python_client
import rdb_files
import redis_tools
import scripting
import scripts_at_the_end
import slot_waits
import slots_in_motion
import switching
import tls
import tls_directives
import tracking
from harness import ROOT, Report, Server

PARTS = {
    'redis_tools': redis_tools.run,
    'python_client': python_client.run,
    'ioredis': ioredis.run,
    'protocol': protocol.run,
    'listening': listening.run,
    'addresses': addresses.run,
    'big_values': big_values.run,
    'command_surface': command_surface.run,
    'command_info': command_info.run,
    'command_docs': command_docs.run,
    'client_commands': client_commands.run,
    'client_programs': client_programs.run,
    'cluster': cluster.run,
    'etcd': etcd.run,
    'links': links.run,
    'cluster_faults': cluster_faults.run,
    'dump_restore': dump_restore.run,
    'keyspace_events': keyspace_events.run,
    'rdb_files': rdb_files.run,
    'durability': durability.run,
    'loading': loading.run,
    'long_values': long_values.run,
    'migrating': migrating.run,
    'slots_in_motion': slots_in_motion.run,
    'moving': moving.run,
    'slot_waits': slot_waits.run,
    'switching': switching.run,
    'crashes': crashes.run,
    'killed': killed.run,
    'tls': tls.run,
    'tls_directives': tls_directives.run,
    'disk_faults': disk_faults.run,
    'tracking': tracking.run,
    'acl': acl.run,
    'scripting': scripting.run,
    'scripts_at_the_end': scripts_at_the_end.run,
    'libraries': libraries.run,
    'memory': memory.run,
    'growth': growth.run,
    'differences': differences.run,
    'admin_replies': admin_replies.run,
}

# One library alone: a part that is only run when it is named.
ALONE = {name: functools.partial(libraries.run, names=[name]) for name in libraries.LIBRARIES}


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('parts', nargs='*', metavar='part', help=' '.join([*PARTS, *ALONE]))
    parser.add_argument('--server', default=str(ROOT / 'build/release/slotcar-server'))
    options = parser.parse_args()
    unknown = set(options.parts) - set(PARTS) - set(ALONE)
    if unknown:
        parser.error(f'no such part: {" ".join(unknown)}')
    binary = shutil.which(options.server)
    if not binary:
        sys.exit(f'{options.server} does not exist: ./dev build')
    report = Report()
    for name in options.parts or PARTS:
        print(f'{name}', flush=True)
        with Server(binary) as server:
            (PARTS | ALONE)[name](server, report)
            report.check(f'{name}: the server is still there', still_there, server)
    print(f'PASS {report.passed} FAIL {report.failed}')
    return 1 if report.failed else 0


def still_there(server):
    if not server.alive():
        raise RuntimeError('the server ended: '
                           + server.output.read_text(errors='replace')[-2000:])
    with server.client() as client:
        if client('PING') != 'PONG':
            raise RuntimeError('PING is not answered')


if __name__ == '__main__':
    sys.exit(main())
