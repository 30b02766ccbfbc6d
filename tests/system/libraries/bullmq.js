// BullMQ: what it promises of jobs, seen from outside. Its scripts build most of their keys from a prefix.
'use strict';
const assert = require('node:assert/strict');
const Redis = require('ioredis');
const {FlowProducer, Queue, QueueEvents, UnrecoverableError, Worker} = require('bullmq');
const {again, connection, run, until, words} = require('./checks');

const redis = new Redis(connection);
const range = (n) => [...Array(n).keys()];

function worker(name, processor, options = {}) {
  const made = new Worker(name, processor, {connection, ...options});
  made.on('error', (error) => console.log(`bad worker of ${name}: ${error.message}`));
  return made;
}

const close = (...all) => Promise.all(all.map((one) => one.close()));

async function counts(queue, wanted) {
  const found = await queue.getJobCounts();
  for (const [state, number] of Object.entries(found)) assert.equal(number, wanted[state] ?? 0, `${queue.name}: ${state}`);
}

const checks = {
  async 'each job once'(name) {
    const queue = new Queue(name, {connection}), events = new QueueEvents(name, {connection});
    queue.setMaxListeners(0);
    await events.waitUntilReady();
    const runs = new Map();
    const work = async (job) => {
      runs.set(job.data.n, (runs.get(job.data.n) ?? 0) + 1);
      await job.updateProgress(job.data.n);
      return {square: job.data.n ** 2};
    };
    const workers = range(3).map(() => worker(name, work, {concurrency: 4}));
    const one = Promise.all(range(60).map((n) => queue.add('one', {n})));
    const bulk = queue.addBulk(range(60).map((n) => ({name: 'bulk', data: {n: n + 60}})));
    const jobs = [...await one, ...await bulk];
    const results = await Promise.all(jobs.map((job) => job.waitUntilFinished(events)));
    results.forEach((result, n) => assert.deepEqual(result, {square: n ** 2}));
    assert.deepEqual([...runs.keys()].sort((a, b) => a - b), range(120));
    assert.ok([...runs.values()].every((times) => times === 1), 'a job was run twice');
    await counts(queue, {completed: 120});
    assert.equal(new Set(jobs.map((job) => job.id)).size, 120);
    const kept = await queue.getJob(jobs[7].id);
    assert.deepEqual([kept.progress, kept.returnvalue, await kept.getState()], [7, {square: 49}, 'completed']);
    const events_seen = await redis.xrange(`bull:${name}:events`, '-', '+');
    const completed = events_seen.filter(([, fields]) => fields[1] === 'completed').map(([, fields]) => fields[3]);
    assert.equal(new Set(completed).size, 120);
    assert.equal(completed.length, 120);
    await close(queue, events, ...workers);
  },

  async 'order'(name) {
    const queue = new Queue(name, {connection});
    await queue.pause();
    for (const n of range(5)) await queue.add('first in first out', {n});
    for (const n of [5, 6]) await queue.add('last in first out', {n}, {lifo: true});
    for (const [n, priority] of [[7, 3], [8, 1], [9, 2], [10, 1]]) await queue.add('after all others', {n}, {priority});
    const order = [];
    const done = worker(name, async (job) => { order.push(job.data.n); });
    await done.waitUntilReady();
    await counts(queue, {[(await queue.getJobCounts()).paused ? 'paused' : 'waiting']: 7, prioritized: 4});
    assert.deepEqual(order, [], 'the queue is paused');
    await queue.resume();
    await until('all are done', () => order.length === 11);
    assert.deepEqual(order, [6, 5, 0, 1, 2, 3, 4, 8, 10, 9, 7]);
    await close(queue, done);
  },

  async 'delayed'(name) {
    const queue = new Queue(name, {connection});
    const started = [];
    const workers = range(2).map(() => worker(name, async (job) => { started.push([job, Date.now()]); }));
    const delays = [400, 50, 300, 700, 200, 600, 100, 500];
    await Promise.all(delays.map((delay) => queue.add('late', {}, {delay})));
    await until('all are done', async () => await queue.getCompletedCount() === delays.length);
    for (const [job, at] of started) {
      assert.ok(at >= job.timestamp + job.opts.delay, `${at - job.timestamp} ms instead of ${job.opts.delay}`);
    }
    assert.deepEqual(started.map(([job]) => job.id).sort(), (await queue.getCompleted()).map((job) => job.id).sort());
    const far = await queue.add('far', {}, {delay: 1e8});
    await counts(queue, {completed: 8, delayed: 1});
    await far.promote();
    await until('it is done at once', async () => await far.getState() === 'completed');
    await close(queue, ...workers);
  },

  async 'order of delayed jobs'(name) {
    const queue = new Queue(name, {connection});
    const timestamp = Date.now();
    for (const n of [4, 2, 0, 3, 1]) await queue.add('late', {n}, {timestamp, delay: 50 + 40 * n});
    await until('all are due', () => Date.now() > timestamp + 300);
    const order = [];
    const one = worker(name, async (job) => { order.push(job.data.n); });
    await until('all are done', () => order.length === 5);
    assert.deepEqual(order, [0, 1, 2, 3, 4]);
    await close(queue, one);
  },

  async 'retries'(name) {
    const queue = new Queue(name, {connection});
    const tries = {};
    const one = worker(name, async (job) => {
      (tries[job.name] ??= []).push(Date.now());
      if (job.name === 'never') throw new UnrecoverableError('no use');
      if (job.name === 'always' || job.attemptsMade < 2) throw new Error(`try ${job.attemptsMade}`);
      return 'at last';
    }, {concurrency: 3});
    const options = {attempts: 3, backoff: {type: 'exponential', delay: 100}};
    const [third, never, always] = await Promise.all(['third', 'never', 'always'].map((what) => queue.add(what, {}, options)));
    await until('each has ended', async () => await queue.getFailedCount() === 2 && await queue.getCompletedCount() === 1);
    assert.deepEqual([tries.third.length, tries.never.length, tries.always.length], [3, 1, 3]);
    assert.ok(tries.third[1] - tries.third[0] >= 100 && tries.third[2] - tries.third[1] >= 200, 'the pauses are too short');
    const [failed, given_up, completed] = await Promise.all([always, never, third].map((job) => queue.getJob(job.id)));
    assert.deepEqual([failed.failedReason, failed.attemptsMade, failed.stacktrace.length], ['try 2', 3, 3]);
    assert.deepEqual([given_up.failedReason, given_up.attemptsMade], ['no use', 1]);
    assert.deepEqual([completed.returnvalue, completed.attemptsMade], ['at last', 3]);
    await failed.retry();
    await until('it has failed again', () => tries.always.length === 4);
    await until('it is kept', async () => await queue.getFailedCount() === 2);
    await close(queue, one);
  },

  async 'repeated'(name) {
    const queue = new Queue(name, {connection});
    const runs = [];
    const workers = range(3).map(() => worker(name, async (job) => { runs.push([job.id, Date.now()]); }));
    await queue.upsertJobScheduler('each', {every: 200, limit: 5}, {name: 'tick', data: {x: 1}});
    await until('the last has run', () => runs.length >= 5);
    await until('nothing is left', async () => (await queue.getJobCounts('delayed', 'waiting', 'active')).delayed === 0);
    assert.equal(runs.length, 5);
    assert.equal(new Set(runs.map(([id]) => id)).size, 5);
    const due = runs.map(([id]) => Number(id.split(':').at(-1))).sort();
    due.slice(1).forEach((at, i) => assert.ok(at - due[i] >= 200 && (at - due[i]) % 200 === 0, `${due}`));
    runs.forEach(([id, at]) => assert.ok(at >= Number(id.split(':').at(-1)), 'before its time'));
    await queue.upsertJobScheduler('each', {pattern: '0 0 1 1 *', tz: 'UTC'}, {name: 'tick'});
    const [scheduler] = await queue.getJobSchedulers();
    assert.equal(scheduler.pattern, '0 0 1 1 *');
    assert.match(new Date(scheduler.next).toISOString(), /-01-01T00:00:00.000Z$/);
    assert.equal(await queue.removeJobScheduler('each'), true);
    await counts(queue, {completed: 5});
    await close(queue, ...workers);
  },

  async 'flow'(name) {
    const order = [];
    const work = async (job) => {
      const children = Object.values(await job.getChildrenValues());
      order.push(job.name);
      return children.reduce((sum, value) => sum + value, job.data.n ?? 0);
    };
    const [below, above] = ['below', 'above'].map((where) => `${name}-${where}`);
    const workers = [worker(below, work, {concurrency: 3}), worker(below, work), worker(above, work)];
    const events = new QueueEvents(above, {connection});
    await events.waitUntilReady();
    const producer = new FlowProducer({connection});
    const leaf = (n) => ({name: `leaf ${n}`, queueName: below, data: {n}});
    const tree = (i) => ({name: `root ${i}`, queueName: above, data: {n: 1000}, children: [
      {name: `left ${i}`, queueName: below, data: {n: 100}, children: range(6).map((n) => leaf(i * 10 + n))},
      {name: `right ${i}`, queueName: above, children: [leaf(i * 10 + 7), leaf(i * 10 + 8)]}]});
    const flows = await producer.addBulk(range(5).map(tree));
    const sums = await Promise.all(flows.map((flow) => flow.job.waitUntilFinished(events)));
    assert.deepEqual(sums, range(5).map((i) => 1130 + 80 * i));
    const place = (what) => order.indexOf(what);
    for (const i of range(5)) {
      assert.ok(place(`root ${i}`) > Math.max(place(`left ${i}`), place(`right ${i}`)), 'a root before its children');
      range(6).forEach((n) => assert.ok(place(`leaf ${i * 10 + n}`) < place(`left ${i}`), 'a leaf after its parent'));
    }
    assert.equal(order.length, 5 * 11);
    assert.equal(new Set(order).size, 5 * 11);
    assert.deepEqual(await flows[0].job.getDependenciesCount(), {failed: 0, ignored: 0, processed: 2, unprocessed: 0});
    const failing = `${name}-failing`, parents = `${name}-parents`;
    workers.push(worker(failing, async () => { throw new Error('it fails'); }), worker(parents, work));
    const {job} = await producer.add({name: 'unlucky', queueName: parents,
                                      children: [{name: 'x', queueName: failing, opts: {failParentOnFailure: true}}]});
    await until('the parent fails, too', async () => await job.getState() === 'failed');
    await close(producer, events, ...workers);
  },

  // A window begins with its first job and ends by the server's clock. A job has been counted before it runs and its
  // `processedOn` was read before it was counted, so these bounds hold however slow the machine is.
  async 'rate limit'(name) {
    const queue = new Queue(name, {connection}), max = 4, duration = 300;
    await queue.addBulk(range(18).map((n) => ({name: 'limited', data: {n}})));
    const runs = [];
    const workers = range(2).map(() => worker(
        name, async (job) => { runs.push([job.data.n, job.processedOn, Date.now()]); }, {limiter: {max, duration}, concurrency: 3}));
    await until('all are done', async () => await queue.getCompletedCount() === 18);
    assert.deepEqual(runs.map(([n]) => n).sort((a, b) => a - b), range(18));
    const first = Math.min(...runs.map(([, processed_on]) => processed_on));
    const ends = runs.map(([, , at]) => at).sort((a, b) => a - b);
    ends.forEach((at, i) => {
      const least = Math.floor(i / max) * duration;
      assert.ok(at - first >= least - 2, `job ${i} after ${at - first} ms, not ${least}`);
    });
    await close(queue, ...workers);
  },

  async 'global concurrency'(name) {
    const queue = new Queue(name, {connection});
    await queue.setGlobalConcurrency(2);
    let now = 0, most = 0, ended = 0;
    const workers = range(3).map(() => worker(name, async () => {
      most = Math.max(most, ++now);
      await redis.ping();
      now--, ended++;
    }, {concurrency: 5}));
    await queue.addBulk(range(40).map((n) => ({name: 'x', data: {n}})));
    await until('all are done', () => ended === 40);
    assert.ok(most <= 2, `${most} at once`);
    await close(queue, ...workers);
  },

  async 'deduplication'(name) {
    const queue = new Queue(name, {connection});
    const jobs = await Promise.all(range(20).map((n) => queue.add('x', {n}, {deduplication: {id: 'same'}})));
    assert.equal(new Set(jobs.map((job) => job.id)).size, 1);
    const named = await Promise.all(range(20).map((n) => queue.add('x', {n}, {jobId: 'mine'})));
    assert.ok(named.every((job) => job.id === 'mine'));
    assert.equal((await queue.getWaitingCount()) + (await queue.getPrioritizedCount()), 2);
    await queue.remove('mine');
    await queue.drain();
    await counts(queue, {});
    await queue.addBulk(range(30).map((n) => ({name: 'x', data: {n}})));
    await queue.obliterate();
    assert.deepEqual(await redis.keys(`bull:${name}:*`), []);
    await close(queue);
  },

  // A worker in another process takes two jobs and is killed. Another worker notices, and does them and the others.
  async 'stalled'(name) {
    const queue = new Queue(name, {connection});
    await queue.addBulk(range(6).map((n) => ({name: 'x', data: {n}})));
    const victim = again('victim', name);
    await until('the other worker holds two jobs', async () => await queue.getActiveCount() === 2);
    const held = new Set((await queue.getActive()).map((job) => job.id));
    victim.kill('SIGKILL');
    const runs = new Map(), stalled = [];
    const heir = worker(name, async (job) => { runs.set(job.id, (runs.get(job.id) ?? 0) + 1); return 'heir'; },
                        {lockDuration: 60000, stalledInterval: 300, concurrency: 2});
    heir.on('stalled', (id) => stalled.push(id));
    await until('all are done', async () => await queue.getCompletedCount() === 6);
    assert.ok([...runs.values()].every((times) => times === 1), 'a job was run twice by the living worker');
    assert.deepEqual(new Set(stalled), held);
    for (const job of await queue.getCompleted()) {
      assert.equal(job.returnvalue, 'heir');
      assert.equal(job.attemptsStarted, held.has(job.id) ? 2 : 1);
      assert.equal(job.stalledCounter, held.has(job.id) ? 1 : 0);
    }
    await close(queue, heir);
  },
};

if (words[0] === 'victim') {
  worker(words[1], () => new Promise(() => {}), {concurrency: 2, lockDuration: 1000, skipStalledCheck: true});
} else {
  run(checks);
}
