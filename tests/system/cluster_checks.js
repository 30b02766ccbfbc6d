// Run by cluster.py with the ports of the nodes as its arguments. Prints `ok NAME` or `bad NAME: why`,
// then `end`.
'use strict';
const assert = require('node:assert/strict');
const Redis = require('ioredis');

const ports = process.argv.slice(2).map(Number);
const nodes = [{host: '127.0.0.1', port: ports[0]}];

const checks = {
  async 'single keys'(cluster) {
    await Promise.all([...Array(200).keys()].map((i) => cluster.set(`k${i}`, i)));
    const values = await Promise.all([...Array(200).keys()].map((i) => cluster.get(`k${i}`)));
    assert.deepEqual(values, [...Array(200).keys()].map(String));
    assert.equal(cluster.nodes('master').length, ports.length);
  },
  async 'tagged keys together'(cluster) {
    assert.equal(await cluster.mset('{t}a', 1, '{t}b', 2), 'OK');
    assert.deepEqual(await cluster.mget('{t}a', '{t}b'), ['1', '2']);
    await assert.rejects(cluster.mget('k1', 'k2', 'k3', 'k4'), /CROSSSLOT/);
  },
  async transaction(cluster) {
    const replies = await cluster.multi().set('{t}n', 1).incr('{t}n').exec();
    assert.deepEqual(replies, [[null, 'OK'], [null, 2]]);
  },
  async 'pipeline of one slot'(cluster) {
    const pipe = cluster.pipeline();
    for (let i = 0; i < 100; i++) pipe.set(`{p}${i}`, i);
    assert.equal((await pipe.exec()).filter(([error]) => error).length, 0);
  },
  async 'automatic pipelining'() {
    const cluster = new Redis.Cluster(nodes, {enableAutoPipelining: true});
    const all = await Promise.all([...Array(300).keys()].map((i) => cluster.incrby(`auto${i}`, i)));
    assert.deepEqual(all, [...Array(300).keys()]);
    cluster.disconnect();
  },
  async scripts(cluster) {
    cluster.defineCommand('twice', {numberOfKeys: 1, lua: "return redis.call('incrby', KEYS[1], 2)"});
    assert.equal(await cluster.twice('counter'), 2);
    assert.equal(await cluster.twice('counter'), 4);
  },
};

(async () => {
  for (const [name, check] of Object.entries(checks)) {
    const cluster = new Redis.Cluster(nodes);
    try {
      await check(cluster);
      console.log(`ok ${name}`);
    } catch (error) {
      console.log(`bad ${name}: ${String(error.stack).split('\n').slice(0, 3).join(' ')}`);
    }
    await Promise.all(cluster.nodes('master').map((node) => node.flushall()));
    cluster.disconnect();
  }
  console.log('end');
})();
