// Run by ioredis.py with the port and the files of TLS (or null) as its arguments. Prints `ok NAME`
// or `bad NAME: why`, then `end`.
'use strict';
const assert = require('node:assert/strict');
const Redis = require('ioredis');

const port = Number(process.argv[2]);
const files = JSON.parse(process.argv[3] ?? 'null');
const tls = files && Object.fromEntries(
    Object.entries(files).map(([name, file]) => [name, require('node:fs').readFileSync(file)]));
const options = {...(tls && {tls}), port, host: '127.0.0.1', maxRetriesPerRequest: 1, retryStrategy: () => null};

const checks = {
  async strings(redis) {
    assert.equal(await redis.set('k', 'v'), 'OK');
    assert.equal(await redis.get('k'), 'v');
    assert.equal(await redis.set('k', 'w', 'NX'), null);
    assert.equal(await redis.set('k', 'w', 'EX', 100, 'GET'), 'v');
    assert.deepEqual(await redis.mget('k', 'absent'), ['w', null]);
    assert.equal(await redis.incrby('n', 5), 5);
  },
  async 'binary values'(redis) {
    const data = Buffer.from([0, 13, 10, 255]);
    await redis.set(data, data);
    assert.deepEqual(await redis.getBuffer(data), data);
  },
  async pipeline(redis) {
    const pipe = redis.pipeline();
    for (let i = 0; i < 500; i++) pipe.set(`p${i}`, i).get(`p${i}`);
    const replies = await pipe.exec();
    assert.equal(replies.length, 1000);
    assert.deepEqual(replies[999], [null, '499']);
  },
  async 'automatic pipelining'() {
    const redis = new Redis({...options, enableAutoPipelining: true});
    const all = await Promise.all([...Array(300).keys()].map((i) => redis.incrby(`auto${i}`, i)));
    assert.deepEqual(all, [...Array(300).keys()]);
    redis.disconnect();
  },
  async transaction(redis) {
    const replies = await redis.multi().set('t', 1).incr('t').get('t').exec();
    assert.deepEqual(replies, [[null, 'OK'], [null, 2], [null, '2']]);
  },
  async watch(redis) {
    const other = new Redis(options);
    await redis.watch('w');
    await other.set('w', 'changed');
    assert.equal(await redis.multi().set('w', 'mine').exec(), null);
    assert.equal(await redis.get('w'), 'changed');
    other.disconnect();
  },
  async 'scan stream'(redis) {
    await redis.mset(Object.fromEntries([...Array(200).keys()].map((i) => [`scan:${i}`, i])));
    const seen = new Set();
    for await (const keys of redis.scanStream({match: 'scan:*', count: 20})) {
      keys.forEach((key) => seen.add(key));
    }
    assert.equal(seen.size, 200);
  },
  async errors(redis) {
    await redis.set('text', 'x');
    await assert.rejects(redis.incr('text'), /ERR value is not an integer or out of range/);
    await assert.rejects(redis.call('NOSUCH'), /ERR unknown command/);
  },
  async 'database and name'() {
    const redis = new Redis({...options, db: 3, connectionName: 'ann'});
    assert.equal(await redis.client('GETNAME'), 'ann');
    assert.match(await redis.client('INFO'), / db=3 /);
    redis.disconnect();
  },
  async 'many connections'() {
    const clients = [...Array(50).keys()].map(() => new Redis(options));
    await Promise.all(clients.map((client) => client.incr('shared')));
    assert.equal(await clients[0].get('shared'), '50');
    clients.forEach((client) => client.disconnect());
  },
  async quit() {
    const redis = new Redis(options);
    assert.equal(await redis.quit(), 'OK');
  },
};

(async () => {
  for (const [name, check] of Object.entries(checks)) {
    const redis = new Redis(options);
    redis.on('error', () => {});
    try {
      await redis.flushall();
      await check(redis);
      console.log(`ok ${name}`);
    } catch (error) {
      console.log(`bad ${name}: ${String(error.message).split('\n')[0]}`);
    }
    redis.disconnect();
  }
  console.log('end');
  process.exit(0);
})();
