"""What describes or administers the server. None of it has a large input; what its reply is made from is
large by itself."""
from . import BOUNDED, group, lines, n, one, variadic

g = group('server', lambda: lines('SET one{s} 1'))
g.add('COMMAND', 'whole table, 20 times', lambda: one('COMMAND') * n(20))
g.add('COMMAND DOCS', 'whole table, 20 times', lambda: one('COMMAND', 'DOCS') * n(20), covers=('command|docs',))
g.add('COMMAND INFO, LIST', 'whole table, 20 times', lambda: lines('COMMAND INFO\nCOMMAND LIST') * n(20),
      covers=('command|info', 'command|list'))
g.add('COMMAND GETKEYS', '300 k keys', covers=('command|getkeys',),
      call=lambda: variadic('COMMAND GETKEYS MSET', n(300_000), lambda i: (f'k:{i}', 'x')))
g.add('COMMAND GETKEYSANDFLAGS', '300 k keys', covers=('command|getkeysandflags',),
      call=lambda: variadic('COMMAND GETKEYSANDFLAGS MSET', n(300_000), lambda i: (f'k:{i}', 'x')))
g.add('CONFIG GET *', '100 times', lambda: one('CONFIG', 'GET', '*') * n(100), covers=('config|get',))
g.add('CONFIG SET, RESETSTAT, REWRITE', '20 times', covers=('config|set', 'config|resetstat', 'config|rewrite'),
      call=lambda: lines('CONFIG SET timeout 0 hz 10\nCONFIG RESETSTAT\nCONFIG REWRITE') * n(20))
g.add('INFO everything', '100 times', lambda: one('INFO', 'everything') * n(100))
g.add('LATENCY HISTOGRAM', '100 times', lambda: one('LATENCY', 'HISTOGRAM') * n(100),
      covers=('latency|histogram',))
g.add('MEMORY STATS, DOCTOR, MALLOC-STATS', '100 times',
      lambda: lines('MEMORY STATS\nMEMORY DOCTOR\nMEMORY MALLOC-STATS') * n(100),
      covers=('memory|stats', 'memory|doctor', 'memory|malloc-stats'))
g.add('MEMORY PURGE', '', 'MEMORY PURGE', covers=('memory|purge',), prepare=lambda: lines(
    'DEL t{s}') + variadic('HSET t{s}', n(200_000), lambda i: (f'field:{i}', 'x' * 40)) + lines('DEL t{s}'))
g.add('SLOWLOG GET -1', '128 entries, 100 times', lambda: lines('SLOWLOG GET -1') * n(100),
      covers=('slowlog|get', 'slowlog|len', 'slowlog|reset'),
      prepare=lambda: lines('CONFIG SET slowlog-log-slower-than 0') + one('PING') * 200 + lines(
          'CONFIG SET slowlog-log-slower-than 10000\nSLOWLOG LEN'))
g.add('LOLWUT', '100 times', lambda: one('LOLWUT') * n(100))
g.constant = '''
COMMAND COUNT
COMMAND HELP
CONFIG HELP
LASTSAVE
LATENCY HELP
MEMORY HELP
SLOWLOG HELP
TIME
!AUTH nosuchpassword
!CLIENT CACHING YES
'''
BOUNDED['auth'] = 'N is the number of passwords of the user'
