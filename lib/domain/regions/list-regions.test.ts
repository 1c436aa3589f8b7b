import { expect, it } from 'vitest';
import { createLogger } from '@/lib/core/logger';
import { createManualClock } from '@/lib/core/time/clock';
import { startHeartbeat } from '@/lib/engine/runtime/heartbeat';
import { readMachine } from '@/lib/platform/machine/machine';
import { useTestDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import { openCountingDatabase } from '@/lib/testing/statements';
import { listRegions } from './list-regions';

const NOW = new Date('2026-03-10T18:00:00.000Z');
const database = useTestDatabase();
const log = createLogger('silent', 'test');

it('the regions show their live workers, each machine once, and when they were last served, in one statement', async () => {
  const clock = createManualClock(NOW);
  const services = createTestServices({ ...database, clock });
  const { ctx } = await createTestOrganization(services);
  const read = (showsHosts = true) => listRegions(ctx, { showsHosts });
  const builtIn = { isOwn: false, place: null, version: null, createdAt: null, updatedAt: null };
  const unserved = { workers: 0, machines: [], lastSeenAt: null, ...builtIn };
  expect(await read()).toEqual([
    { id: 'us-east', name: 'US East', location: 'Virginia, USA', ...unserved },
    { id: 'eu-west', name: 'EU West', location: 'Frankfurt, Germany', ...unserved },
    { id: 'ap-southeast', name: 'AP Southeast', location: 'Singapore', ...unserved },
  ]);

  // Two containers on one machine, and a worker elsewhere.
  const start = (workerId: string, regions: string[], machine: { id: string; host: string }) =>
    startHeartbeat(services, { workerId, regions, machine, log });
  const first = await start('wrk_1', ['us-east', 'eu-west'], { id: 'm1', host: 'container-a' });
  const second = await start('wrk_2', ['us-east'], { id: 'm1', host: 'container-b' });
  const third = await start('wrk_3', ['eu-west'], { id: 'm2', host: 'paris-1' });
  const here = { id: 'm1', host: 'container-a' };
  const lastSeenAt = NOW.toISOString();
  expect(await read()).toMatchObject([
    { workers: 2, machines: [here], lastSeenAt },
    { workers: 2, machines: [here, { id: 'm2', host: 'paris-1' }], lastSeenAt },
    { workers: 0, machines: [], lastSeenAt: null },
  ]);
  expect((await read(false))[1]?.machines).toEqual([
    { id: 'm1', host: null },
    { id: 'm2', host: null },
  ]);
  const counting = openCountingDatabase(database.url);
  expect(await counting.count(() => listRegions({ ...ctx, db: counting.db }, { showsHosts: true }))).toBe(1);
  await counting.db.$disconnect();

  await third.stop();
  expect((await read())[1]).toMatchObject({ workers: 1, machines: [here] });
  clock.advance(15_000);
  expect(await read()).toMatchObject([{ workers: 0, lastSeenAt }, { workers: 0, lastSeenAt }, {}]);
  await Promise.all([first.stop(), second.stop()]);
});

it('workers of older versions count, without a machine', async () => {
  const services = createTestServices({ ...database, clock: createManualClock(NOW) });
  const { ctx } = await createTestOrganization(services);
  await database.db.worker.create({
    data: { id: 'wrk_old', regions: ['ap-southeast'], startedAt: NOW, seenAt: NOW },
  });
  await database.db.regionPresence.create({ data: { region: 'ap-southeast', servedAt: NOW } });
  const regions = await listRegions(ctx, { showsHosts: true });
  expect(regions[2]).toMatchObject({ workers: 1, machines: [] });
});

it('a machine has an ID that is the same for every process on it', () => {
  expect(readMachine()).toEqual({ id: expect.stringMatching(/^[0-9a-f]{16}$/), host: expect.any(String) });
  expect(readMachine()).toEqual(readMachine());
});
