"""Celery, with the server as its broker and as the place of its results. This file is the program of the checks, with the
port and a database as its arguments, and the module that Celery's workers load, with both in the environment."""
import os
import sys
import time

import celery
import redis
from checks import Process, run, same, until

PORT, DB = (int(word) for word in (sys.argv[1:3] if __name__ == '__main__' else os.environ['CELERY_JOBS'].split()))
URL = f'redis://127.0.0.1:{PORT}/{DB}'
store = redis.Redis(port=PORT, db=DB)
app = celery.Celery('celery_jobs', broker=URL, backend=URL)
app.conf.update(
    broker_transport_options={
        # A message that was taken this long ago and was not acknowledged is given to another worker.
        'visibility_timeout': 1 if os.environ.get('CELERY_HEIR') else 3600,
        'queue_order_strategy': 'priority', 'priority_steps': list(range(10))},
    worker_prefetch_multiplier=1, task_default_priority=5, result_extended=True, broker_connection_retry_on_startup=True)


@app.task(name='jobs.count')
def count(n):
    store.hincrby('runs', n, 1)
    return n * n


@app.task(name='jobs.total')
def total(numbers):
    return sum(numbers)


@app.task(name='jobs.now')
def now():
    return time.time()


@app.task(name='jobs.third', bind=True, max_retries=2)
def third(self, what):
    store.rpush(f'tries:{what}', time.time())
    if what == 'always' or self.request.retries < 2:
        raise self.retry(exc=ValueError(f'try {self.request.retries}'), countdown=0.2)
    return 'at last'


@app.task(name='jobs.note')
def note(n):
    store.rpush('order', n)


@app.task(name='jobs.hold', acks_late=True)
def hold():
    """Does not end in the first worker that has it."""
    times = store.incr('held')
    while times == 1:
        time.sleep(0.1)
    return times


def worker(db, pool, *more, **environment):
    return Process(sys.executable, '-m', 'celery', '-A', 'celery_jobs', 'worker', '--pool', pool, '--loglevel', 'WARNING',
                   '--without-gossip', '--without-mingle', '-n', f'{db}-{time.monotonic()}@here', *more,
                   env={**os.environ, 'CELERY_JOBS': f'{PORT} {db}', **environment})


def each_task_once():
    results = [count.delay(n) for n in range(60)]
    same([result.get(timeout=120) for result in results], [n * n for n in range(60)])
    group = celery.group(count.s(n) for n in range(60, 100))()
    same(group.get(timeout=120), [n * n for n in range(60, 100)])
    same({int(n): int(times) for n, times in store.hgetall('runs').items()}, {n: 1 for n in range(100)})
    until('all are acknowledged', lambda: store.zcard('unacked_index') == 0)
    same(store.llen('celery'), 0)


def chains_and_chords():
    chain = celery.chain(total.s([1, 2, 3]), celery.group(total_with.s(10), total_with.s(20)), total.s())
    same(chain.apply_async().get(timeout=120), 6 + 10 + 6 + 20)
    chords = [celery.chord([total.s([i, n]) for n in range(10)], total.s()).apply_async() for i in range(6)]
    same([chord.get(timeout=120) for chord in chords], [45 + 10 * i for i in range(6)])


@app.task(name='jobs.total_with')
def total_with(number, more):
    return number + more


def not_before_its_time():
    begun = time.time()
    results = {seconds: now.apply_async(countdown=seconds) for seconds in (1.2, 0.4, 0.8)}
    for seconds, result in results.items():
        took = result.get(timeout=120) - begun
        same(took >= seconds, True, f'{took} s instead of {seconds}')


def retries():
    good, bad = third.delay('good'), third.delay('always')
    same(good.get(timeout=120), 'at last')
    try:
        bad.get(timeout=120)
        raise AssertionError('it did not fail')
    except ValueError as error:
        same(str(error), 'try 2')
    same([bad.state, store.llen('tries:good'), store.llen('tries:always')], ['FAILURE', 3, 3])
    times = [float(text) for text in store.lrange('tries:good', 0, -1)]
    same(all(b - a >= 0.2 for a, b in zip(times, times[1:])), True, f'the pauses are too short: {times}')


def a_killed_worker_and_priorities():
    """In a database of its own. What a killed worker held is given to the next one; what waits is taken by priority (0 is
    the highest), then by age."""
    elsewhere = redis.Redis(port=PORT, db=DB + 1)
    url = f'redis://127.0.0.1:{PORT}/{DB + 1}'
    with app.connection_for_write(url) as connection:
        with worker(DB + 1, 'solo') as victim:
            held = hold.apply_async(connection=connection)
            until('it is held', lambda: elsewhere.get('held') == b'1')
            for n, priority in enumerate([3, 9, 0, 3, 0, 9]):
                note.apply_async((n,), priority=priority, connection=connection)
            victim.kill()
        same([elsewhere.hlen('unacked'), elsewhere.llen('order')], [1, 0])
        until('its time is over', lambda: elsewhere.zcount('unacked_index', 0, time.time() - 2) == 1)
        with worker(DB + 1, 'solo', CELERY_HEIR='yes'):
            until('the others are done', lambda: elsewhere.llen('order') == 6)
            until('it is done', lambda: elsewhere.exists(f'celery-task-meta-{held.id}'))
            same(elsewhere.get('held'), b'2')
            same([int(n) for n in elsewhere.lrange('order', 0, -1)], [2, 4, 0, 3, 1, 5])
            until('all are acknowledged', lambda: elsewhere.hlen('unacked') == 0)


def checks_of_one_worker():
    with worker(DB, 'prefork', '--concurrency', '2'):
        run([each_task_once, chains_and_chords, not_before_its_time, retries, a_killed_worker_and_priorities])


if __name__ == '__main__':
    checks_of_one_worker()
