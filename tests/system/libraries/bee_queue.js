// bee-queue, with the client node-redis 3 that it brings: its scripts are called by their SHA.
'use strict';
const assert = require('node:assert/strict');
const Queue = require('bee-queue');
const {again, connection, run, until, words} = require('./checks');

const range = (n) => [...Array(n).keys()];

function open(name, more = {}) {
  const queue = new Queue(name, {redis: connection, ...more});
  queue.on('error', (error) => console.log(`bad queue ${name}: ${error.message}`));
  return queue;
}

const producer = (name, more) => open(name, {isWorker: false, ...more});
const close = (...queues) => Promise.all(queues.map((queue) => queue.close()));

async function health(queue, wanted) {
  const found = await queue.checkHealth();
  for (const [state, number] of Object.entries(wanted)) assert.equal(found[state], number, state);
}

const checks = {
  async 'each job once'(name) {
    const queue = producer(name), workers = range(3).map(() => open(name));
    const runs = new Map(), results = new Map();
    queue.on('job succeeded', (id, result) => results.set(id, result));
    await queue.ready();
    workers.forEach((worker) => worker.process(3, async (job) => {
      runs.set(job.data.n, (runs.get(job.data.n) ?? 0) + 1);
      return job.data.n * 2;
    }));
    const jobs = await Promise.all(range(60).map((n) => queue.createJob({n}).save()));
    const more = range(60).map((n) => queue.createJob({n: n + 60}));
    assert.equal((await queue.saveAll(more)).size, 0);
    await until('all are done', () => results.size === 120);
    assert.deepEqual([...runs.keys()].sort((a, b) => a - b), range(120));
    assert.ok([...runs.values()].every((times) => times === 1), 'a job was run twice');
    [...jobs, ...more].forEach((job, n) => assert.equal(results.get(job.id), n * 2));
    await health(queue, {waiting: 0, active: 0, succeeded: 120, failed: 0, delayed: 0});
    await close(queue, ...workers);
  },

  async 'order'(name) {
    const queue = producer(name), worker = open(name), order = [];
    for (const n of range(20)) await queue.createJob({n}).save();
    await health(queue, {waiting: 20});
    worker.process(async (job) => { order.push(job.data.n); });
    await until('all are done', () => order.length === 20);
    assert.deepEqual(order, range(20));
    await close(queue, worker);
  },

  async 'named jobs'(name) {
    const queue = producer(name);
    const jobs = await Promise.all(range(10).map(() => queue.createJob({}).setId('mine').save()));
    assert.deepEqual(jobs.map((job) => job.id).filter(Boolean), ['mine']);
    await health(queue, {waiting: 1});
    await queue.removeJob('mine');
    await health(queue, {waiting: 0});
    assert.equal(await queue.getJob('mine'), null);
    await close(queue);
  },

  async 'delayed'(name) {
    const queue = producer(name), worker = open(name, {activateDelayedJobs: true, delayedDebounce: 10, nearTermWindow: 1000});
    const early = [], done = [];
    worker.process(async (job) => {
      if (Date.now() < job.data.due) early.push(job.data);
      done.push(job.data.due);
    });
    const now = Date.now();
    const dues = [600, 200, 900, 50, 400].map((ms) => now + ms);
    await Promise.all(dues.map((due) => queue.createJob({due}).delayUntil(due).save()));
    await until('all are done', () => done.length === 5);
    assert.deepEqual(early, []);
    assert.deepEqual([...done].sort(), dues.sort());
    await health(queue, {delayed: 0});
    await close(queue, worker);
  },

  async 'retries'(name) {
    const queue = producer(name), worker = open(name, {activateDelayedJobs: true, delayedDebounce: 10, nearTermWindow: 1000});
    const tries = {}, failed = [], retried = [];
    queue.on('job failed', (id, error) => failed.push(error.message));
    queue.on('job retrying', (id) => retried.push(id));
    await queue.ready();
    worker.process(4, async (job) => {
      const times = (tries[job.data.what] ??= []).push(Date.now());
      if (job.data.what === 'always' || times < 3) throw new Error(`try ${times}`);
      return 'at last';
    });
    const third = queue.createJob({what: 'third'}).retries(2).backoff('fixed', 150);
    const result = new Promise((resolve) => third.on('succeeded', resolve));
    await third.save();
    await queue.createJob({what: 'always'}).retries(1).save();
    assert.equal(await result, 'at last');
    await until('the other has failed', () => failed.length === 1);
    assert.deepEqual(failed, ['try 2']);
    assert.deepEqual([tries.third.length, tries.always.length, retried.length], [3, 2, 3]);
    tries.third.slice(1).forEach((at, i) => assert.ok(at - tries.third[i] >= 150, 'the pause is too short'));
    await health(queue, {succeeded: 1, failed: 1, waiting: 0, active: 0, delayed: 0});
    await close(queue, worker);
  },

  // A worker in another process takes two jobs and is killed; another one notices and does them.
  async 'stalled'(name) {
    const queue = producer(name);
    await queue.saveAll(range(5).map((n) => queue.createJob({n})));
    const victim = again('victim', name);
    await until('the other worker holds two jobs', async () => (await queue.checkHealth()).active === 2);
    victim.kill('SIGKILL');
    await new Promise((resolve) => victim.on('exit', resolve));
    const checker = producer(name, {stallInterval: 200}), stalled = [];
    checker.on('stalled', (id) => stalled.push(id));
    await until('both are found', async () => { await checker.checkStalledJobs(); return stalled.length === 2; });
    await health(queue, {waiting: 5, active: 0});
    const heir = open(name), runs = [];
    heir.process(2, async (job) => { runs.push(job.data.n); });
    await until('all are done', async () => (await queue.checkHealth()).succeeded === 5);
    assert.deepEqual(runs.sort(), range(5));
    await health(queue, {waiting: 0, active: 0});
    await close(queue, heir, checker);
  },
};

if (words[0] === 'victim') {
  open(words[1], {stallInterval: 200}).process(2, () => new Promise(() => {}));
} else {
  run(checks);
}
