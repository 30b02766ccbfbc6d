// redlock, its stable release and the next one: a lock is exclusive, ends by itself, and is released only by its owner.
'use strict';
const assert = require('node:assert/strict');
const net = require('node:net');
const Redis = require('ioredis');
const Next = require('redlock').default;
const Stable = require('redlock-stable');
const {again, connection, run, until, words} = require('./checks');

const redis = new Redis(connection);
const patient = {retryCount: -1, retryDelay: 20, retryJitter: 20};
const impatient = {retryCount: 0};

// The same words for both releases.
const releases = {
  'stable'(clients, settings) {
    const locks = new Stable(clients, settings);
    locks.on('clientError', () => {});
    return {
      acquire: (name, ms) => locks.lock(name, ms),
      release: (lock) => lock.unlock(),
      extend: (lock, ms) => lock.extend(ms),
    };
  },
  'next'(clients, settings) {
    const locks = new Next(clients, settings);
    locks.on('error', () => {});
    return {
      acquire: (name, ms) => locks.acquire([name].flat(), ms),
      release: (lock) => lock.release(),
      extend: (lock, ms) => lock.extend(ms),
      using: (name, ms, routine) => locks.using([name], ms, routine),
    };
  },
};

// Reads and writes in two steps: without exclusion, additions are lost.
async function add(locks, name, times) {
  for (let i = 0; i < times; i++) {
    const lock = await locks.acquire(`${name}:lock`, 60000);
    const value = Number(await redis.get(`${name}:sum`));
    await redis.set(`${name}:sum`, value + 1);
    await locks.release(lock);
  }
}

const adders = (make, name) => Promise.all([1, 2, 3].map(() => add(make([redis], patient), name, 10)));

const checks = {};
for (const [release, make] of Object.entries(releases)) {
  Object.assign(checks, {
    async [`${release}: exclusive between processes`](name) {
      const others = [1, 2].map(() => again('add', release, name));
      const codes = Promise.all(others.map((other) => new Promise((resolve) => other.on('exit', resolve))));
      await adders(make, name);
      assert.deepEqual(await codes, [0, 0]);
      assert.equal(await redis.get(`${name}:sum`), '90');
      assert.equal(await redis.exists(`${name}:lock`), 0);
    },

    async [`${release}: refused while it is held`](name) {
      const [mine, yours] = [make([redis], impatient), make([redis], impatient)];
      const lock = await mine.acquire(name, 60000);
      await assert.rejects(yours.acquire(name, 60000));
      const longer = await mine.extend(lock, 600000);
      assert.ok(await redis.pttl(name) > 60000, 'it is not longer');
      await mine.release(longer);
      await yours.release(await yours.acquire(name, 60000));
    },

    // Whoever held a lock too long can neither extend nor release the lock of its successor.
    async [`${release}: ends by itself`](name) {
      const [mine, yours] = [make([redis], impatient), make([redis], patient)];
      let begun;
      const lock = await until('it is locked in time', () => {
        begun = Date.now();
        return mine.acquire(name, 500).catch(() => null);
      });
      const successor = await yours.acquire(name, 60000);
      assert.ok(Date.now() - begun >= 499, `taken over after ${Date.now() - begun} ms`);
      const value = await redis.get(name);
      await assert.rejects(mine.extend(lock, 60000));
      await assert.rejects(mine.release(lock));
      assert.equal(await redis.get(name), value, 'it released a lock that it did not hold');
      await yours.release(successor);
      assert.equal(await redis.exists(name), 0);
    },

    async [`${release}: two resources at once`](name) {
      const [mine, yours] = [make([redis], impatient), make([redis], impatient)];
      const both = await mine.acquire([`${name}:a`, `${name}:b`], 60000);
      await assert.rejects(yours.acquire([`${name}:b`, `${name}:c`], 60000));
      assert.equal(await redis.exists(`${name}:c`), 0, 'half of a refused lock stays');
      await mine.release(both);
      assert.equal(await redis.exists(`${name}:a`, `${name}:b`), 0);
    },

    // Three databases instead of three servers, and one that nobody answers for.
    async [`${release}: a majority`](name) {
      const nobody = net.createServer().listen(0, '127.0.0.1');
      await new Promise((resolve) => nobody.on('listening', resolve));
      const dead = new Redis({host: '127.0.0.1', port: nobody.address().port, maxRetriesPerRequest: 0, retryStrategy: () => null});
      dead.on('error', () => {});
      nobody.on('connection', (socket) => socket.destroy());
      const alive = [1, 2].map((i) => new Redis({...connection, db: connection.db + i}));
      const [mine, yours] = [make([...alive, dead], impatient), make([...alive, dead], impatient)];
      const lock = await mine.acquire(name, 60000);
      assert.deepEqual(await Promise.all(alive.map((client) => client.exists(name))), [1, 1]);
      await assert.rejects(yours.acquire(name, 60000));
      await mine.release(lock);
      const [foreign] = alive;
      await foreign.set(name, 'of someone else');
      await assert.rejects(yours.acquire(name, 60000), 'one of three is no majority');
      await until('what was locked is released', async () => await alive[1].exists(name) === 0);
      assert.equal(await foreign.get(name), 'of someone else');
      await foreign.del(name);
      nobody.close();
    },
  });
}

checks['next: extended while it is used'] = async (name) => {
  const locks = releases.next([redis], {...patient, automaticExtensionThreshold: 9500});
  let first, inside = 0;
  const use = () => locks.using(name, 10000, async (signal) => {
    assert.equal(++inside, 1, 'two inside');
    first ??= await redis.pexpiretime(name);
    await until('it was extended', async () => signal.aborted || await redis.pexpiretime(name) > first);
    assert.ok(!signal.aborted, 'the lock was lost');
    inside--;
  });
  await Promise.all([use(), use()]);
  assert.equal(await redis.exists(name), 0);
};

if (words[0] === 'add') {
  adders(releases[words[1]], words[2]).then(() => process.exit(0), (error) => {
    console.log(`bad another process: ${error.message}`);
    process.exit(1);
  });
} else {
  run(checks);
}
