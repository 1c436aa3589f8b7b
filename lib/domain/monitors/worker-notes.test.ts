import { expect, it } from 'vitest';
import { createManualClock } from '@/lib/core/time/clock';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { BUILT_IN_REGION_IDS } from '@/lib/schemas/regions';
import { useSharedDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import { openCountingDatabase } from '@/lib/testing/statements';
import { createMonitor } from './create-monitor';
import { recordPresence } from './silence';
import { readWorkerNotes } from './worker-notes';

const NOW = new Date('2026-03-10T18:00:00.000Z');
const ago = (ms: number) => new Date(NOW.getTime() - ms);
const database = useSharedDatabase();

it('every page knows in one statement which regions have no worker, are cut off, and whether Inngest is silent', async () => {
  const clock = createManualClock(ago(120_000));
  const services = createTestServices({ ...database, clock });
  const { ctx } = await createTestOrganization(services);
  const { ctx: other } = await createTestOrganization(services);
  const add = (of: typeof ctx, regions: string[], enabled = true) =>
    createMonitor(of, createMonitorSchema.parse({ name: 'Shop', url: 'http://shop.test', regions, enabled }));
  await add(ctx, ['us-east', 'eu-west']);
  await add(ctx, ['eu-west']);
  await add(ctx, ['ap-southeast'], false);
  await add(other, ['ap-southeast']);
  const counting = openCountingDatabase(database.url);
  const read = (of: typeof ctx) => readWorkerNotes({ ...of, db: counting.db });
  try {
    expect(await read(ctx)).toEqual({
      inngestSilentSince: null,
      cutOff: [],
      regionNames: {},
      onePlace: { machine: null },
      unserved: [
        { region: 'eu-west', since: null, monitors: 2, withoutData: 2 },
        { region: 'us-east', since: null, monitors: 1, withoutData: 1 },
      ],
    });

    await recordPresence(services, { regions: ['eu-west'], duties: 'all' });
    clock.set(NOW);
    await recordPresence(services, { regions: ['us-east'], duties: 'all' });
    const worker = { duties: 'all', startedAt: ago(300_000) } as const;
    const silent = { ...worker, regions: ['us-east'], inngestSilentSince: ago(40_000) };
    await database.db.worker.createMany({
      data: [
        { ...silent, id: 'wrk_1', seenAt: NOW },
        { ...silent, id: 'wrk_2', seenAt: ago(31_000), inngestSilentSince: ago(250_000) },
        { ...worker, id: 'wrk_3', regions: ['eu-west'], seenAt: NOW, cutOffAt: ago(5000) },
        { ...worker, id: 'wrk_4', regions: ['us-east'], seenAt: ago(31_000), cutOffAt: ago(9000) },
      ],
    });
    expect(await counting.count(() => read(ctx))).toBe(1);
    expect(await read(ctx)).toEqual({
      inngestSilentSince: ago(40_000),
      regionNames: {},
      // These workers do not name their machine.
      onePlace: null,
      cutOff: [{ region: 'eu-west', since: ago(5000) }],
      unserved: [{ region: 'eu-west', since: ago(120_000), monitors: 2, withoutData: 1 }],
    });
    expect((await read(other)).unserved).toMatchObject([{ region: 'ap-southeast', monitors: 1 }]);

    await recordPresence(services, { regions: BUILT_IN_REGION_IDS, duties: 'all' });
    expect((await read(ctx)).unserved).toEqual([]);
    await database.db.worker.updateMany({ data: { machine: 'here' } });
    expect((await read(ctx)).onePlace).toEqual({ machine: 'here' });
    // The same rule as elsewhere, to the millisecond.
    clock.set(new Date(NOW.getTime() + 60_000));
    await recordPresence(services, {
      regions: BUILT_IN_REGION_IDS.filter((id) => id !== 'us-east'),
      duties: 'all',
    });
    expect((await read(ctx)).unserved).toMatchObject([{ region: 'us-east', since: NOW }]);
  } finally {
    await counting.db.$disconnect();
  }
});
