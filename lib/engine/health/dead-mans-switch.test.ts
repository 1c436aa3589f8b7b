import { afterEach, describe, expect, it } from 'vitest';
import { keepLog } from '@/lib/testing/kept-log';
import { startReceiver } from '@/lib/testing/receiver';
import { startDeadMansSwitch } from './dead-mans-switch';
import type { HealthReport, Part } from './health';
import { useHealthStory } from './testing/health-story';

const EVERY_MS = 20;
const ending: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ending.splice(0)) await end();
});

/** A switch that calls a receiver while `read` reports no part as down. */
async function start(read: () => Promise<HealthReport>) {
  const receiver = await startReceiver();
  const { log, lines } = keepLog();
  const url = `${receiver.url}/ping/secret-of-the-check`;
  const { stop } = startDeadMansSwitch({
    url,
    health: { read },
    userAgent: 'Pharos',
    log,
    everyMs: EVERY_MS,
  });
  ending.push(stop, () => receiver.close());
  const calls = () => receiver.requests.length;
  return { receiver, calls, stop, messages: () => lines().map(({ msg }) => msg), log: lines };
}

function createReport(status: Part['status']): HealthReport {
  const part = { name: 'deliveries', status, since: new Date(0), message: 'As it is.' };
  return { status, parts: [part] };
}

describe('the dead man’s switch', () => {
  it('calls the URL again and again while health is ok or degraded', async () => {
    let status: Part['status'] = 'ok';
    const { calls, receiver, messages } = await start(async () => createReport(status));
    await expect.poll(calls).toBeGreaterThan(1);
    status = 'degraded';
    const before = calls();
    await expect.poll(calls).toBeGreaterThan(before + 1);
    expect(receiver.requests[0]).toMatchObject({ method: 'GET', path: '/ping/secret-of-the-check' });
    expect(messages()).toEqual([]);
  });

  it('is silent while a part of health is down, logs that once, and calls again afterwards', async () => {
    let status: Part['status'] = 'down';
    let readings = 0;
    const { calls, messages } = await start(async () => {
      readings += 1;
      return createReport(status);
    });
    await expect.poll(() => readings).toBeGreaterThan(3);
    expect(calls()).toBe(0);
    expect(messages()).toEqual(['HEARTBEAT_URL: not called while health is down: deliveries']);
    status = 'ok';
    await expect.poll(calls).toBeGreaterThan(0);
    await expect.poll(() => messages().at(-1)).toBe('HEARTBEAT_URL is called again');
  });

  it('logs a failed call once, with the host but without the secret of the URL', async () => {
    const { calls, receiver, log, messages } = await start(async () => createReport('ok'));
    receiver.respondWith(404);
    const before = calls();
    await expect.poll(calls).toBeGreaterThan(before + 3);
    expect(messages()).toEqual(['HEARTBEAT_URL: responded with 404, expected 2xx']);
    expect(log()[0]).toMatchObject({ host: new URL(receiver.url).host });
    expect(JSON.stringify(log())).not.toContain('secret-of-the-check');
  });

  it('does not call right after a start, which a worker that keeps crashing would survive', async () => {
    const { calls, stop } = await start(async () => createReport('ok'));
    await stop();
    expect(calls()).toBe(0);
  });
});

describe('the dead man’s switch of a service', () => {
  const { begin } = useHealthStory();

  it('is silent once results are no longer stored', async () => {
    const { addWorker, clock, health } = await begin();
    const worker = await addWorker();
    const callsAtDown: number[] = [];
    const { calls } = await start(async () => {
      const report = await health.read();
      if (report.status === 'down') callsAtDown.push(calls());
      return report;
    });
    await expect.poll(calls).toBeGreaterThan(0);
    worker.hasPending(16_000);
    clock.advance(1000);
    await worker.beat();
    await expect.poll(() => callsAtDown.length).toBeGreaterThan(3);
    expect(new Set(callsAtDown).size).toBe(1);
  });
});
