import { Agent, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

export type Sent = {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: string;
};

/** Sends a request; resolves to its status, 0 for a broken connection or one without a response in a minute. */
export type Send = (sent: Sent) => Promise<number>;

/** A client with an address of its own: limits per address see different clients. */
export function clientAt(origin: string, localAddress: string): Send {
  const agent = new Agent({ keepAlive: true, localAddress });
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
 * Sends a request at a steady rate, whether or not earlier ones got a response, and resolves to the times of responses in
 * milliseconds and to the statuses that were not 200.
 */
export async function sendSteadily(send: () => Promise<number>, perSecond: number, seconds: number) {
  const times: number[] = [];
  const failures: number[] = [];
  const pending: Promise<void>[] = [];
  const begunAt = performance.now();
  for (let number = 0; number < perSecond * seconds; number += 1) {
    const dueAt = begunAt + (number * 1000) / perSecond;
    await delay(Math.max(0, dueAt - performance.now()));
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
