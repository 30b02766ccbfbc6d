// The load of bench/scripting.py's row about BullMQ: adds jobs and processes them. Arguments: the port, the jobs. Prints
// `warm` when the libraries and the server have seen each script, waits for a line, and prints `done` after the jobs.
'use strict';
const {Queue, Worker} = require('../tests/system/node_modules/bullmq');

const [port, jobs] = process.argv.slice(2).map(Number);
const connection = {host: '127.0.0.1', port};
const options = {removeOnComplete: true};

(async () => {
  const queue = new Queue('bench', {connection});
  let left = 0, finished;
  const worker = new Worker('bench', async (job) => job.data.n, {connection, concurrency: 10});
  worker.on('completed', () => { if (--left === 0) finished(); });
  await worker.waitUntilReady();
  const work = async (count) => {
    const all = new Promise((resolve) => { finished = resolve; });
    left = count;
    let next = 0;
    const add = async () => { while (next < count) await queue.add('job', {n: next++, text: 'x'.repeat(100)}, options); };
    await Promise.all([...Array(10)].map(add));
    await all;
  };
  await work(500);
  console.log('warm');
  await new Promise((resolve) => process.stdin.once('data', resolve));
  await work(jobs);
  console.log('done');
  process.stdin.once('data', () => process.exit(0));
})();
