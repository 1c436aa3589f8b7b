import { createServer } from 'node:http';
import { Gauge, Registry } from 'prom-client';
import { expect, it, onTestFinished } from 'vitest';
import { createLogger } from '@/lib/core/logger';
import { listenLocally } from '@/lib/testing/http-listener';
import { createMetricsListener } from './serve-metrics';

const TOKEN = '0123456789abcdef';

async function begin(collect: () => Promise<void> | void = () => undefined) {
  const registry = new Registry();
  new Gauge({ name: 'pharos_example', help: 'An example', registers: [registry], collect });
  const log = createLogger('silent', 'test');
  const listener = await listenLocally(createServer(createMetricsListener({ registry, token: TOKEN, log })));
  onTestFinished(listener.close);
  return (authorization: string = `Bearer ${TOKEN}`) =>
    fetch(listener.url, { headers: { authorization }, signal: AbortSignal.timeout(10_000) });
}

it('metrics are text for Prometheus, which nothing stores', async () => {
  const response = await (await begin())();
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=/);
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(await response.text()).toContain('pharos_example 0');
});

it.each(['', 'Bearer', 'Bearer 0123456789abcdeX', `Basic ${TOKEN}`, `Bearer ${TOKEN}0`])(
  'with the header %j there are none',
  async (authorization) => {
    const response = await (await begin())(authorization);
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    expect(await response.text()).not.toContain('pharos_example');
  },
);

it('requests at the same time share one reading', async () => {
  let readings = 0;
  let finish: () => void = () => undefined;
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const ask = await begin(async () => {
    readings += 1;
    await finished;
  });
  const first = ask();
  const second = ask();
  await expect.poll(() => readings).toBe(1);
  finish();
  expect([(await first).status, (await second).status]).toEqual([200, 200]);
});

it('a failure is a 503, and the next request reads again', async () => {
  let fails = true;
  const ask = await begin(() => {
    if (fails) throw new Error('out of order');
  });
  expect((await ask()).status).toBe(503);
  fails = false;
  expect((await ask()).status).toBe(200);
});
