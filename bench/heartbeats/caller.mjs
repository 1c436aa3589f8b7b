// Calls heartbeat URLs in turns, at a steady rate, whether or not earlier calls got a response.
import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

const CONNECTIONS = 200;
/** Calls of one moment: timers are not more exact. */
const EVERY_MS = 5;

const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
let next = 0;

process.on('message', async ({ origin, paths, rate, seconds }) => {
  /** @type {number[]} */
  const times = [];
  /** @type {Record<string, number>} */
  const failures = {};
  const pending = [];
  const begunAt = performance.now();
  for (let sent = 0; sent < rate * seconds; ) {
    const due = Math.min(rate * seconds, Math.floor(((performance.now() - begunAt) / 1000) * rate));
    for (; sent < due; sent += 1) {
      const dueAt = begunAt + (sent / rate) * 1000;
      const path = paths[next++ % paths.length];
      pending.push(
        get(origin + path).then((status) => {
          if (status === '200') times.push(performance.now() - dueAt);
          else failures[status] = (failures[status] ?? 0) + 1;
        }),
      );
    }
    await delay(EVERY_MS);
  }
  await Promise.all(pending);
  process.send?.({ times, failures, seconds: (performance.now() - begunAt) / 1000 });
});

/** @param {string} url */
function get(url) {
  return new Promise((resolve) => {
    const sent = request(url, { agent, timeout: 60_000 }, (response) => {
      response.resume();
      response.on('end', () => resolve(String(response.statusCode)));
    });
    sent.on('timeout', () => sent.destroy());
    sent.on('error', (error) => resolve('code' in error ? String(error.code) : error.message));
    sent.end();
  });
}

process.send?.('ready');
