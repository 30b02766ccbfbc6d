"""A disk whose syncs hang or fail: the server stops on request, reports what does not work, and nothing that
it acknowledged is lost. (disk_faults.cc makes the faults.)"""
import os
import pathlib
import signal
import subprocess

from durability import Client, Home, persistence, wait_for
from harness import ROOT, ErrorReply, expect, expect_true

FAULTS = 'libdisk_faults.so'


class FaultyHome(Home):
    def __init__(self, binary, library, *options):
        super().__init__(binary, *options)
        self.library, self.fault = library, self.dir / 'fault'

    def launch(self, *more, binary=None):
        os.environ['LD_PRELOAD'], os.environ['SLOTCAR_DISK_FAULT'] = str(self.library), str(self.fault)
        try:
            super().launch(*more, binary=binary)
        finally:
            del os.environ['LD_PRELOAD'], os.environ['SLOTCAR_DISK_FAULT']

    def begin(self, what):
        self.fault.write_text(what)

    def over(self):
        self.fault.unlink(missing_ok=True)


def end_by_second(home, first):
    """`first` asks for the end, which a sync that hangs keeps; a SIGTERM after it does not wait."""
    first()
    try:
        home.process.wait(1)
        raise RuntimeError('the sync did not hang: ' + home.said())
    except subprocess.TimeoutExpired:
        pass
    home.process.send_signal(signal.SIGTERM)
    home.process.wait(20)


def ends_though_a_sync_hangs(binary, library, fsync, save):
    with FaultyHome(binary, library, '--appendfsync', fsync, '--save', save) as home:
        client = home.start()
        client('SET', 'before', 1)
        home.begin('hang')
        if fsync == 'everysec':
            for i in range(1000):
                client('INCR', 'n')
        end_by_second(home, lambda: home.process.send_signal(signal.SIGTERM))
        home.over()
        client = home.start()
        expect(client('GET', 'before'), '1')
        if fsync == 'everysec':
            expect(client('GET', 'n'), '1000')


def shutdown_ends_though_a_sync_hangs(binary, library):
    with FaultyHome(binary, library, '--appendfsync', 'everysec', '--save', '') as home:
        client = home.start()
        home.begin('hang')
        client('SET', 'k', 'v')
        end_by_second(home, lambda: client.raw(b'*1\r\n$8\r\nSHUTDOWN\r\n'))
        home.over()
        expect(home.start()('GET', 'k'), 'v')


def a_log_that_fails_is_not_switched_off(binary, library):
    """The snapshot that would take its place fails as well: that is said, and the setting stays."""
    with FaultyHome(binary, library, '--appendfsync', 'everysec', '--save', '') as home:
        client = home.start()
        client('SET', 'k', 'v')
        home.begin('fail')
        client('SET', 'k', 'w')
        wait_for(lambda: persistence(client)['aof_last_write_status'] == 'err', 'the failure')
        refused = client('CONFIG', 'SET', 'appendonly', 'no')
        expect_true(isinstance(refused, ErrorReply) and 'cannot be written' in str(refused), refused)
        expect(client('CONFIG', 'GET', 'appendonly'), ['appendonly', 'yes'])
        home.over()
        wait_for(lambda: persistence(client)['aof_last_write_status'] == 'ok', 'the disk')
        expect(client('CONFIG', 'SET', 'appendonly', 'no'), 'OK')
        wait_for(lambda: persistence(client)['aof_enabled'] == '0', 'the switch')


def administration_answers(binary, library):
    """Under `always`, on a connection that has not written, while a sync hangs."""
    with FaultyHome(binary, library, '--appendfsync', 'always', '--appendonly-sync-timeout', '300') as home:
        client = home.start()
        client('SET', 'k', 'v')
        home.begin('hang')
        writer = Client(home.port)
        writer.raw(b'*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$1\r\nw\r\n')
        for words in (('INFO',), ('CONFIG', 'GET', 'dir'), ('CLIENT', 'LIST'), ('TIME',), ('DBSIZE',),
                      ('SLOWLOG', 'GET'), ('PING',)):
            expect_true(not isinstance(client(*words), ErrorReply), words)
        reply = writer.reply()
        expect_true(isinstance(reply, ErrorReply) and str(reply).startswith('UNSYNCED'), reply)
        home.over()
        wait_for(lambda: writer('GET', 'k') == 'w', 'the disk')


def run(server, report):
    library = pathlib.Path(server.binary).resolve().parent / FAULTS
    if not library.exists():
        library = ROOT / 'build/release' / FAULTS
    if not library.exists():
        return report.skip('disk faults', f'there is no {FAULTS}')
    for fsync in 'everysec', 'always':
        for save in '', '3600 1':
            report.check(f'a second SIGTERM ends a server whose sync hangs: {fsync}, save "{save}"',
                         ends_though_a_sync_hangs, server.binary, library, fsync, save)
    report.check('... after SHUTDOWN', shutdown_ends_though_a_sync_hangs, server.binary, library)
    report.check('CONFIG SET appendonly no says that the disk fails', a_log_that_fails_is_not_switched_off,
                 server.binary, library)
    report.check('administration answers while a sync hangs', administration_answers, server.binary,
                 library)
