"""Scripts and functions that take long, over their own key and over many."""
from . import group, n, one

LIBRARY = """#!lua name=lib
redis.register_function('loop', function(keys, args)
  redis.call('get', keys[1]) for i = 1, tonumber(args[1]) do end return 1 end)
redis.register_function{function_name='look', flags={'no-writes'}, callback=function(keys, args)
  redis.call('get', keys[1]) for i = 1, tonumber(args[1]) do end return 1 end}"""
LOOP = "redis.call('get', KEYS[1]) for i = 1, tonumber(ARGV[1]) do end return 1"
ROAM = "for i = 1, tonumber(ARGV[1]) do redis.call('set', 'roam:' .. i, i) end return 1"
TURNS, KEYS = 20_000_000, 100_000


def fixtures():
    return one('FUNCTION', 'LOAD', 'REPLACE', LIBRARY) + one('SCRIPT', 'LOAD', LOOP) + one('SET', 'mine', 1)


scripts = group('scripts', fixtures)


def of(command, text):
    return lambda: one(command, text, 1, 'mine', n(TURNS))


for name in ('EVAL', 'EVAL_RO'):
    scripts.add(f'{name} of a loop', f'{TURNS} turns, one key', of(name, LOOP))
for name in ('EVALSHA', 'EVALSHA_RO'):
    scripts.add(f'{name} of a loop', f'{TURNS} turns, one key',
                of(name, '90de67a0574cca3b376ca8c87db99780540a12c5'))
scripts.add('FCALL of a loop', f'{TURNS} turns, one key', of('FCALL', 'loop'))
scripts.add('FCALL_RO of a loop', f'{TURNS} turns, one key', of('FCALL_RO', 'look'))
scripts.add('EVAL of many writes, undeclared', f'{KEYS} keys',
            lambda: one('EVAL', ROAM, 0, n(KEYS)), covers=('eval',))
scripts.add('SCRIPT LOAD of a long text', '2 MB',
            lambda: one('SCRIPT', 'LOAD', 'return 1 --' + 'x' * n(2_000_000)), covers=('script|load',))
scripts.add('SCRIPT FLUSH, EXISTS', '500 scripts',
            lambda: b''.join(one('SCRIPT', 'LOAD', f'return {i}') for i in range(n(500))) +
            one('SCRIPT', 'EXISTS', *['x' * 40] * n(1000)) + one('SCRIPT', 'FLUSH') +
            one('SCRIPT', 'LOAD', LOOP),
            covers=('script|flush', 'script|exists'))
scripts.add('FUNCTION LOAD, LIST, DUMP, RESTORE, DELETE, FLUSH', 'one library of 1 MB',
            lambda: one('FUNCTION', 'LOAD', 'REPLACE', '#!lua name=long\nredis.register_function("long", '
                        'function() return 1 end) --' + 'x' * n(1_000_000)) +
            one('FUNCTION', 'LIST') + one('FUNCTION', 'DUMP') + one('FUNCTION', 'DELETE', 'long') +
            one('FUNCTION', 'FLUSH') + one('FUNCTION', 'LOAD', 'REPLACE', LIBRARY),
            covers=('function|load', 'function|list', 'function|dump', 'function|delete',
                    'function|flush', 'function|restore'))
scripts.constant = """
SCRIPT DEBUG NO
!SCRIPT KILL
SCRIPT HELP
!FUNCTION KILL
FUNCTION STATS
FUNCTION HELP
"""
scripts.constant_new = """
!SCRIPT SHOW 90de67a0574cca3b376ca8c87db99780540a12c5
"""
