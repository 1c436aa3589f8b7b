import { describe, expect, it } from 'vitest';
import { NETWORK_WORKS } from '@/lib/engine/checks/outage-watch';
import { missDeadlines } from '@/lib/engine/heartbeats/miss-deadlines';
import { recordReception } from '@/lib/engine/heartbeats/reception';
import { ensureResultPartitions } from '@/lib/engine/upkeep/retention';
import { atSecond, START, useHealthStory } from './testing/health-story';

const { begin } = useHealthStory();
const OK = { status: 'ok', unhealthy: [] };

/** A service whose only job is late at `START`, with a worker. */
async function beginLate() {
  const story = await begin();
  const { db, clock, services } = story;
  await ensureResultPartitions(db, START);
  await db.reception.deleteMany();
  await db.receptionGap.deleteMany();
  await recordReception(services);
  const worker = await story.addWorker();
  const { id } = await story.addMonitor({ url: undefined, type: 'heartbeat', period: 3600, grace: 0 });
  const calledAt = atSecond(-3600);
  await db.heartbeat.update({ where: { monitorId: id }, data: { calledAt, deadlineAt: START } });
  return {
    ...story,
    worker,
    /** Passes time in which the worker lives; whether calls are received meanwhile. */
    pass: async (seconds: number, { receives = true } = {}) => {
      clock.advance(seconds * 1000);
      await worker.beat();
      if (receives) await db.$executeRaw`UPDATE reception SET received_until = ${clock.now()}`;
    },
  };
}

describe('health', () => {
  it('is down while a missed heartbeat is not noticed for 15 s, and ok once it is', async () => {
    const { read, pass, services } = await beginLate();
    await pass(15);
    expect(await read()).toEqual(OK);
    await pass(1);
    expect(await read()).toEqual({ status: 'down', unhealthy: [['heartbeats', 'down', atSecond(15)]] });
    expect(await missDeadlines(services)).toBe(1);
    expect(await read()).toEqual(OK);
  });

  it('names the network, not heartbeats, while the only worker is cut off: then no deadline is judged', async () => {
    const { read, pass, worker } = await beginLate();
    worker.setNetworkReader(() => ({ ...NETWORK_WORKS, cutOffAt: START }));
    await pass(60);
    expect(await read()).toEqual({ status: 'down', unhealthy: [['network', 'down', START]] });
  });

  it('does not count time in which calls could not be received, when no deadline is judged', async () => {
    const { read, pass, services } = await beginLate();
    await pass(60, { receives: false });
    expect(await read()).toEqual(OK);
    await recordReception(services);
    expect(await read()).toEqual(OK);
    await pass(16);
    expect(await read()).toEqual({ status: 'down', unhealthy: [['heartbeats', 'down', atSecond(75)]] });
  });
});
