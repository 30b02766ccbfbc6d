"""redis-cli and redis-benchmark, as a user's first minute would use them."""
import csv
import subprocess

from harness import expect, expect_true


def run(server, report):
    def cli(*words, text=None):
        done = subprocess.run(['redis-cli', '-p', str(server.port), *words], input=text,
                              capture_output=True, text=True, timeout=30)
        return done.stdout.rstrip('\n')

    def one_command():
        expect(cli('SET', 'greeting', 'hello'), 'OK')
        expect(cli('GET', 'greeting'), 'hello')
        expect(cli('INCRBY', 'n', '41'), '41')
        expect(cli('--no-raw', 'INCR', 'n'), '(integer) 42')
        expect(cli('--no-raw', 'GET', 'absent'), '(nil)')
        expect(cli('DEL', 'greeting', 'n'), '2')

    def from_standard_input():
        expect(cli(text='SET a 1\nINCR a\nGET a\nNOSUCH\n').splitlines()[:3], ['OK', '2', '2'])

    def errors():
        expect_true(cli('NOSUCH', 'x').startswith("ERR unknown command 'NOSUCH'"),
                    cli('NOSUCH', 'x'))
        expect(cli('GET').splitlines()[0], "ERR wrong number of arguments for 'get' command")

    def resp3():
        expect(cli('-3', '--no-raw', 'GET', 'absent'), '(nil)')
        expect_true('1# "server" =>' in cli('-3', '--no-raw', 'HELLO', '3'),
                    cli('-3', '--no-raw', 'HELLO', '3'))

    def mass_insertion():
        lines = ''.join(f'*3\r\n$3\r\nSET\r\n$6\r\npipe{i:02}\r\n$1\r\nx\r\n' for i in range(100))
        done = subprocess.run(['redis-cli', '-p', str(server.port), '--pipe'], input=lines,
                              capture_output=True, text=True, timeout=30)
        expect_true('errors: 0, replies: 100' in done.stdout, done.stdout + done.stderr)

    def scan_and_info():
        expect(len(cli('--scan', '--pattern', 'pipe*').splitlines()), 100)
        expect_true('redis_version:' in cli('INFO'), 'INFO names no redis_version')
        expect_true('keys=' in cli('INFO', 'keyspace'), 'INFO keyspace counts no keys')

    def benchmark(options):
        tests = 'ping_inline,ping_mbulk,set,get,incr,mset'
        done = subprocess.run(
            ['redis-benchmark', '-p', str(server.port), '-t', tests, '-n', '2000', '-r', '1000',
             '--csv', *options], capture_output=True, text=True, timeout=120)
        expect(done.returncode, 0, done.stderr)
        rows = [row for row in csv.reader(done.stdout.splitlines()) if len(row) > 1][1:]
        expect(len(rows), 6, 'tests measured')
        for row in rows:
            expect_true(float(row[1]) > 0, f'{row[0]} measured nothing')

    report.check('redis-cli: commands', one_command)
    report.check('redis-cli: standard input', from_standard_input)
    report.check('redis-cli: errors', errors)
    report.check('redis-cli: RESP3', resp3)
    report.check('redis-cli: --pipe', mass_insertion)
    report.check('redis-cli: --scan, INFO', scan_and_info)
    report.check('redis-benchmark: 20 connections', benchmark, ['-c', '20'])
    report.check('redis-benchmark: pipeline of 16', benchmark, ['-c', '20', '-P', '16'])
