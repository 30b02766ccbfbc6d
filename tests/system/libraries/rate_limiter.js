// rate-limiter-flexible: exactly so many pass, whoever asks, and the rest knows how long to wait.
'use strict';
const assert = require('node:assert/strict');
const Redis = require('ioredis');
const {BurstyRateLimiter, RateLimiterQueue, RateLimiterRedis, RateLimiterUnion} = require('rate-limiter-flexible');
const {again, connection, run, until, words} = require('./checks');

const clients = [1, 2, 3].map(() => new Redis(connection));
const [redis] = clients;
const limiter = (keyPrefix, points, duration, more = {}) =>
    new RateLimiterRedis({storeClient: redis, keyPrefix, points, duration, ...more});

// Replies and refusals, in the order of the requests.
async function ask(limiters, key, times) {
  const all = await Promise.allSettled([...Array(times).keys()].map((i) => limiters[i % limiters.length].consume(key)));
  const broken = all.find((one) => one.reason instanceof Error);
  if (broken) throw broken.reason;
  return {passed: all.filter((one) => one.status === 'fulfilled').map((one) => one.value),
          refused: all.filter((one) => one.status === 'rejected').map((one) => one.reason)};
}

const checks = {
  async 'exactly the points'(name) {
    const limiters = clients.map((storeClient) => limiter(name, 25, 600, {storeClient}));
    const {passed, refused} = await ask(limiters, 'ann', 100);
    assert.deepEqual([passed.length, refused.length], [25, 75]);
    assert.deepEqual(passed.map((one) => one.remainingPoints).sort((a, b) => a - b), [...Array(25).keys()]);
    assert.deepEqual(passed.map((one) => one.isFirstInDuration).filter(Boolean).length, 1);
    refused.forEach((one) => assert.ok(one.remainingPoints === 0 && one.msBeforeNext > 0 && one.msBeforeNext <= 600000));
    assert.deepEqual([...refused, ...passed].map((one) => one.consumedPoints).sort((a, b) => a - b), [...Array(100).keys()].map((n) => n + 1));
    assert.equal((await ask(limiters, 'bob', 25)).passed.length, 25);
  },

  async 'between processes'(name) {
    const others = [1, 2].map(() => again('ask', name));
    const passed = Promise.all(others.map((other) => new Promise((resolve) => other.on('exit', resolve))));
    const here = (await ask([limiter(name, 40, 600)], 'key', 30)).passed.length;
    const there = await passed;  // each tells its number as its exit code
    assert.equal(here + there[0] + there[1], 40);
  },

  // What a refused client was asked to wait, it has to wait.
  async 'a window ends'(name) {
    const limited = limiter(name, 3, 1);
    for (let round = 0; round < 2; round++) {
      let refusal, asked;
      await until('it is refused', async () => {
        asked = Date.now();
        return limited.consume('key').then(() => false, (reason) => { refusal = reason; return true; });
      });
      await until('it passes again', () => limited.consume('key').then(() => true, () => false));
      assert.ok(Date.now() - asked >= refusal.msBeforeNext - 1, `after ${Date.now() - asked}, not ${refusal.msBeforeNext}`);
    }
  },

  async 'penalty, reward, block'(name) {
    const limited = limiter(name, 10, 600, {blockDuration: 1200});
    assert.equal((await limited.penalty('key', 4)).consumedPoints, 4);
    assert.equal((await limited.reward('key', 1)).consumedPoints, 3);
    assert.equal((await limited.consume('key', 7)).remainingPoints, 0);
    const refusal = await limited.consume('key').catch((reason) => reason);
    assert.ok(refusal.msBeforeNext > 600000, 'it is not blocked');
    assert.ok(await redis.pttl(`${name}:key`) > 600000);
    assert.equal(await limited.delete('key'), true);
    assert.equal(await limited.get('key'), null);
    await limited.set('key', 9, 300);
    assert.equal((await limited.get('key')).consumedPoints, 9);
    await limited.block('key', 900);
    await assert.rejects(limited.consume('key'), (reason) => reason.msBeforeNext > 600000);
  },

  async 'without an end'(name) {
    const limited = limiter(name, 5, 0);
    assert.equal((await ask([limited], 'key', 9)).passed.length, 5);
    assert.equal(await redis.pttl(`${name}:key`), -1);
  },

  async 'bursts'(name) {
    const limited = new BurstyRateLimiter(limiter(name, 2, 600), limiter(`${name}-burst`, 5, 600));
    assert.equal((await ask([limited], 'key', 20)).passed.length, 7);
  },

  async 'the strictest of two'(name) {
    const union = new RateLimiterUnion(limiter(name, 3, 600), limiter(`${name}-more`, 8, 600));
    const all = await Promise.allSettled([...Array(10).keys()].map(() => union.consume('key')));
    assert.equal(all.filter((one) => one.status === 'fulfilled').length, 3);
  },

  async 'queue'(name) {
    const queue = new RateLimiterQueue(limiter(name, 4, 1));
    const order = [];
    await Promise.all([...Array(10).keys()].map(async (i) => { await queue.removeTokens(1); order.push(i); }));
    assert.deepEqual(order, [...Array(10).keys()]);
  },
};

if (words[0] === 'ask') {
  ask([limiter(words[1], 40, 600)], 'key', 30).then(({passed}) => process.exit(passed.length), (error) => {
    console.log(`bad another process: ${error.message}`);
    process.exit(200);
  });
} else {
  run(checks);
}
