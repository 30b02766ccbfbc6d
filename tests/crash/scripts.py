#!/usr/bin/python3
"""Scripts move money while the server is killed with SIGKILL again and again under `appendfsync always`.

    tests/crash/scripts.py [--rounds 50] [--seed 1] [--server build/release/slotcar-server]

Several processes move it between accounts in as many shards, by scripts that declare their keys and by scripts that do not;
other processes sum it up by script, MULTI and MGET. What must hold:
  * every sum is the same, at every moment and after every start: no script is seen, logged or restored by half,
  * every acknowledged move is kept, and none is made twice: each mover counts its moves in the scripts themselves.
Fails, too, if nothing was shown: no script had to start again for a key that it did not declare.
"""
import argparse
import multiprocessing
import pathlib
import random
import shutil
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / 'tests' / 'system'))
sys.path.insert(0, str(ROOT / 'tests' / 'crash'))
from crash import Broken, Server  # noqa: E402
from harness import Client, ErrorReply, Failed, forget_log_buffer  # noqa: E402

ACCOUNTS = [f'account:{i}' for i in range(8)]
TOTAL = 8000
MOVERS, SUMMERS = 3, 2
DECLARED = """
redis.call('decrby', KEYS[1], ARGV[1])
redis.call('incrby', KEYS[2], ARGV[1])
return redis.call('incr', KEYS[3])"""
# Which keys it wants is known only when it has begun to write.
UNDECLARED = """
redis.call('decrby', KEYS[1], ARGV[1])
redis.call('incrby', 'account:' .. ARGV[2], ARGV[1])
return redis.call('incr', 'moves:' .. ARGV[3])"""
SUM = """
local sum = 0
for i = 0, 7 do sum = sum + redis.call('get', 'account:' .. i) end
return sum"""
SUM_DECLARED = """
local sum = 0
for _, key in ipairs(KEYS) do sum = sum + redis.call('get', key) end
return sum"""


def sums(client):
    yield client('EVAL', SUM, 0)
    yield client('EVAL', SUM_DECLARED, 8, *ACCOUNTS)
    yield sum(int(value) for value in client('MGET', *ACCOUNTS))
    client('MULTI')
    for account in ACCOUNTS:
        client('GET', account)
    yield sum(int(value) for value in client('EXEC'))


def until_it_ends(port, stop, failures, work):
    """Connects and works, again and again: the server is killed all the time."""
    while not stop.is_set():
        try:
            with Client(port) as client:
                while not stop.is_set():
                    work(client)
        except (OSError, Failed):
            time.sleep(0.01)
        except Exception as error:
            failures.put(f'{type(error).__name__}: {error}')
            return


def mover(number, port, seed, stop, failures, moves):
    dice = random.Random(seed)
    state = {'counted': 0, 'sent': 0}

    def move(client):
        a, b = dice.sample(range(8), 2)
        amount = dice.randrange(1, 20)
        state['sent'] += 1
        if dice.random() < 0.5:
            reply = client('EVAL', DECLARED, 3, ACCOUNTS[a], ACCOUNTS[b], f'moves:{number}', amount)
        else:
            # It stays with its declared keys often enough to be known for that, and then does not.
            keys = [ACCOUNTS[a], f'moves:{number}', ACCOUNTS[b]][:3 if dice.random() < 0.9 else 2]
            reply = client('EVAL', UNDECLARED, len(keys), *keys, amount, b, number)
        if isinstance(reply, ErrorReply):
            if str(reply).startswith('LOADING'):
                state['sent'] -= 1
                return
            raise Broken(reply)
        if not state['counted'] < reply <= state['counted'] + state['sent']:
            raise Broken(f'mover {number}: move {reply} after {state["counted"]}, {state["sent"]} sent since')
        state.update(counted=reply, sent=0)
        moves[number] = reply

    until_it_ends(port, stop, failures, move)


def summer(port, stop, failures, looks):
    def look(client):
        for found in sums(client):
            if isinstance(found, ErrorReply):
                return
            if found != TOTAL:
                raise Broken(f'the sum is {found}')
            with looks.get_lock():
                looks.value += 1

    until_it_ends(port, stop, failures, look)


def surprised(client):
    for line in client('INFO', 'stats').decode().splitlines():
        if line.startswith('scripts_begun_anew_for_keys:'):
            return int(line.split(':')[1])
    raise Broken('INFO does not say how many scripts started again')


def campaign(server, rounds, seed):
    dice = random.Random(seed)
    stop, failures = multiprocessing.Event(), multiprocessing.Queue()
    moves, looks = multiprocessing.Array('q', MOVERS), multiprocessing.Value('q', 0)
    server.start()
    with Client(server.port) as client:
        for account in ACCOUNTS:
            client('SET', account, TOTAL // 8)
    processes = [multiprocessing.Process(target=mover, args=(i, server.port, dice.random(), stop, failures, moves)) for i in range(MOVERS)]
    processes += [multiprocessing.Process(target=summer, args=(server.port, stop, failures, looks)) for _ in range(SUMMERS)]
    for process in processes:
        process.start()
    again = 0
    try:
        for number in range(rounds):
            wanted, end = sum(moves) + dice.randrange(20, 200), time.monotonic() + 120
            with Client(server.port) as client:
                if dice.random() < 0.4:
                    client(dice.choice(['BGSAVE', 'BGREWRITEAOF']))
                while sum(moves) < wanted:
                    if not failures.empty():
                        raise Broken(failures.get())
                    if time.monotonic() > end:
                        raise Broken('nothing moves')
                    time.sleep(0.001)
                again += surprised(client)
            server.kill()
            server.start()
            with Client(server.port) as client:
                for found in sums(client):
                    if found != TOTAL:
                        raise Broken(f'after kill {number + 1} the sum is {found}')
    finally:
        stop.set()
        for process in processes:
            process.join(60)
            if process.is_alive():
                process.kill()
    if not failures.empty():
        raise Broken(failures.get())
    if again == 0 or looks.value == 0:
        raise Broken(f'nothing was shown: {again} scripts started again, {looks.value} sums')
    print(f'{rounds} kills, {sum(moves)} moves, {looks.value} sums, {again} scripts started again for a key')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--rounds', type=int, default=50)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--server', default=str(ROOT / 'build/release/slotcar-server'))
    options = parser.parse_args()
    server = Server(options.server, ['--appendfsync', 'always', '--workers', '3'])
    try:
        campaign(server, options.rounds, options.seed)
    except Broken as broken:
        print(f'seed {options.seed}: {broken}\nfiles: {server.dir}')
        print('PASS 0 FAIL 1')
        return 1
    finally:
        if server.process and server.process.poll() is None:
            server.kill()
    forget_log_buffer(server.dir)
    shutil.rmtree(server.dir, ignore_errors=True)
    print(f'PASS {options.rounds} FAIL 0')
    return 0


if __name__ == '__main__':
    sys.exit(main())
