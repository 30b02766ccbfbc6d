// What the programs of this folder share. Each is started by ../libraries.py with the port of the server and the
// number of a database as its arguments, and prints `ok NAME` or `bad NAME: why` for each check, then `end`.
'use strict';
const {spawn} = require('node:child_process');

const port = Number(process.argv[2]);
const db = Number(process.argv[3]);
const seconds = 120;  // far beyond what anything here takes on a loaded machine

exports.connection = {host: '127.0.0.1', port, db};

// Waits until the condition holds, as long as that may take.
exports.until = async (what, condition) => {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    const value = await condition();
    if (value) return value;
    if (Date.now() > end) throw new Error(`waited in vain until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
};

// Starts this program again, with more arguments. It ends with this one, however this one ends.
exports.again = (...words) =>
    spawn(process.execPath, [process.argv[1], String(port), String(db), ...words.map(String)],
          {stdio: ['pipe', 'inherit', 'inherit']});

exports.words = process.argv.slice(4);
if (exports.words.length) process.stdin.on('close', () => process.exit(3)).resume();

// All at once: most of them wait most of the time. They use names of their own.
exports.run = async (checks) => {
  process.on('unhandledRejection', (error) => console.log(`bad a promise: ${error?.stack ?? error}`.replaceAll('\n', ' ')));
  const late = (name) => new Promise((_, reject) => setTimeout(
      () => reject(new Error(`${name} does not end`)), (seconds + 10) * 1000).unref());
  await Promise.all(Object.entries(checks).map(async ([name, check]) => {
    try {
      await Promise.race([check(name.replaceAll(' ', '-')), late(name)]);
      console.log(`ok ${name}`);
    } catch (error) {
      console.log(`bad ${name}: ${String(error?.stack ?? error).replace(/\s*\n\s*/g, ' ').slice(0, 600)}`);
    }
  }));
  console.log('end');
  process.exit(0);
};
