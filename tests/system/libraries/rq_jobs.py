"""RQ: its workers run each job in a process of its own. This file is the program of the checks, its workers and the module
of their jobs; the port and a database are in the environment of the latter."""
import datetime
import os
import sys
import time

import redis
import rq
import rq.registry
from checks import Process, run, same, until

PORT, DB = (int(word) for word in (sys.argv[1:3] if __name__ == '__main__' else os.environ['RQ_JOBS'].split()))
store = redis.Redis(port=PORT, db=DB)


# ------------------------------------------------------------------ jobs
def note(key, value):
    store.rpush(key, value)
    return value * 2


def third(key):
    if store.incr(key) < 3:
        raise ValueError('not yet')
    return 'at last'


def always(key):
    raise ValueError(f'try {store.incr(key)}')


def now():
    return time.time()


def hold(key):
    """Does not end in the first worker that has it."""
    times = store.incr(key)
    while times == 1:
        time.sleep(0.1)
    return times


# ------------------------------------------------------------------ checks
def queue(name):
    return rq.Queue(name, connection=store)


def worker(*names, **more):
    """Ends when its queues are empty, if `burst` is among its words."""
    return Process(sys.executable, '-m', 'rq.cli', 'worker', '--url', f'redis://127.0.0.1:{PORT}/{DB}', '--quiet', *names,
                   env={**os.environ, 'RQ_JOBS': f'{PORT} {DB}', 'PYTHONPATH': os.path.dirname(os.path.abspath(__file__))}, **more)


def ended(*jobs):
    return all(job.get_status(refresh=True) in ('finished', 'failed') for job in jobs)


def each_job_once():
    jobs = [queue('once').enqueue('rq_jobs.note', 'once', n) for n in range(16)]
    with worker('once'), worker('once'):
        until('all are done', lambda: ended(*jobs))
    same(sorted(int(n) for n in store.lrange('once', 0, -1)), list(range(16)))
    same([job.result for job in jobs], [2 * n for n in range(16)])
    same(len(rq.registry.FinishedJobRegistry('once', connection=store)), 16)
    same([queue('once').count, len(rq.registry.StartedJobRegistry('once', connection=store))], [0, 0])


def order_dependencies_and_retries():
    high, low = queue('high'), queue('low')
    jobs = [low.enqueue('rq_jobs.note', 'order', n) for n in (4, 5)]
    jobs += [high.enqueue('rq_jobs.note', 'order', n) for n in (1, 2)]
    jobs.append(high.enqueue('rq_jobs.note', 'order', 0, at_front=True))
    last = low.enqueue('rq_jobs.note', 'order', 6, depends_on=jobs)
    jobs.append(high.enqueue('rq_jobs.note', 'order', 3))
    same(last.get_status(), 'deferred')
    good = low.enqueue('rq_jobs.third', 'third', retry=rq.Retry(max=2))
    bad = low.enqueue('rq_jobs.always', 'always', retry=rq.Retry(max=2))
    with worker('high', 'low'):
        until('all are done', lambda: ended(*jobs, last, good, bad))
    same([int(n) for n in store.lrange('order', 0, -1)], [0, 1, 2, 3, 4, 5, 6])
    same([good.result, store.get('third'), bad.get_status(), store.get('always')], ['at last', b'3', 'failed', b'3'])
    same(bad.id in rq.registry.FailedJobRegistry('low', connection=store), True)
    bad.refresh()
    same('try 3' in bad.exc_info, True, bad.exc_info)


def not_before_its_time():
    later = queue('later')
    begun = time.time()
    jobs = [later.enqueue_in(datetime.timedelta(seconds=seconds), 'rq_jobs.now') for seconds in (2, 1)]
    same(len(rq.registry.ScheduledJobRegistry('later', connection=store)), 2)
    with worker('later', '--with-scheduler'):
        until('both are done', lambda: ended(*jobs))
    # Times are kept in whole seconds.
    for job, seconds in zip(jobs, (2, 1)):
        same(job.result >= int(begun) + seconds, True, f'{job.result - begun} s instead of {seconds}')
    same(len(rq.registry.ScheduledJobRegistry('later', connection=store)), 0)


def a_killed_worker():
    """Its job is known to be lost after its time, and put into the queue again."""
    name = 'lost'
    job = queue(name).enqueue('rq_jobs.hold', 'held')
    with worker(name) as victim:
        until('it is held', lambda: store.get('held') == b'1')
        started = rq.registry.StartedJobRegistry(name, connection=store)
        until('it is known to run', lambda: started.get_job_ids() == [job.id])
        children = open(f'/proc/{victim.process.pid}/task/{victim.process.pid}/children').read().split()
        victim.kill()
        for child in children:  # it has a session of its own
            os.kill(int(child), 9)
    started.cleanup()
    same(started.get_job_ids(), [job.id], 'it is given up too early')
    started.cleanup(timestamp=time.time() + 1000)
    same(started.get_job_ids(), [])
    failed = rq.registry.FailedJobRegistry(name, connection=store)
    same(failed.get_job_ids(), [job.id])
    failed.requeue(job.id)
    with worker(name):
        until('it is done', lambda: job.get_status(refresh=True) == 'finished')
    same([job.result, failed.get_job_ids()], [2, []])


if __name__ == '__main__':
    run([each_job_once, order_dependencies_and_retries, not_before_its_time, a_killed_worker])
