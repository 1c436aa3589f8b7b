import { Agent, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

/** @typedef {{ method?: string, path: string, headers?: Record<string, string>, body?: string }} Sent */

/**
 * Sends a request; resolves to its status, 0 for a broken connection or one without a response in a minute.
 * @typedef {(sent: Sent) => Promise<number>} Send
 */

/**
 * A client with an address of its own: limits per address see different clients.
 * @param {string} origin
 * @param {string} localAddress
 * @param {number} [maxSockets] By default, as many as are needed at once.
 * @returns {Send}
 */
export function clientAt(origin, localAddress, maxSockets = Infinity) {
  const agent = new Agent({ keepAlive: true, localAddress, maxSockets });
  return ({ method = 'GET', path, headers, body }) =>
    new Promise((resolve) => {
      const sent = request(`${origin}${path}`, { method, headers, agent, timeout: 60_000 }, (response) => {
        buffer(response).then(
          () => resolve(response.statusCode ?? 0),
          () => resolve(0),
        );
      });
      sent.on('timeout', () => sent.destroy());
      sent.on('error', () => resolve(0));
      sent.end(body);
    });
}

/**
 * Sends a request at a steady rate, at a moment of its own in each interval, whether or not earlier ones got a response, and resolves to the times of responses in
 * milliseconds and to the statuses that were not 200.
 * @param {() => Promise<number>} send
 * @param {number} perSecond
 * @param {number} seconds
 */
export async function sendSteadily(send, perSecond, seconds) {
  /** @type {number[]} */
  const times = [];
  /** @type {number[]} */
  const failures = [];
  const pending = [];
  const begunAt = performance.now();
  for (let number = 0; number < perSecond * seconds; number += 1) {
    // Not in step with anybody else.
    const dueAt = begunAt + ((number + Math.random()) * 1000) / perSecond;
    // A timer takes a millisecond, in which several can be due.
    if (dueAt > performance.now()) await delay(dueAt - performance.now());
    pending.push(
      send().then((status) => {
        times.push(performance.now() - dueAt);
        if (status !== 200) failures.push(status);
      }),
    );
  }
  await Promise.all(pending);
  return { times, failures };
}
