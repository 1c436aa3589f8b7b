import { expect, it } from 'vitest';
import { createManualClock } from '@/lib/core/time/clock';
import { createMonitor } from '@/lib/domain/monitors/create-monitor';
import { readOnePlace } from '@/lib/domain/monitors/one-place';
import { writePeriods } from '@/lib/domain/monitors/testing/history';
import { createRegion } from '@/lib/domain/regions/change-region';
import type { Notice } from '@/lib/notify/notices';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { createRegionSchema } from '@/lib/schemas/monitor/region';
import { useTestDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import { addOutages } from './read-outages';

const NOW = new Date('2026-03-10T18:00:00.000Z');
const database = useTestDatabase();

/** The regions in an email about an outage that the built-in regions and an own one see, with workers of these machines. */
async function readRegions(machines: Record<string, string>): Promise<object | undefined> {
  const { db } = database;
  const { ctx } = await createTestOrganization(createTestServices({ db, clock: createManualClock(NOW) }));
  const region = await createRegion(ctx, createRegionSchema.parse({ name: 'Office', place: 'hamburg' }));
  const regions = ['us-east', 'eu-west', region.id];
  const input = createMonitorSchema.parse({ name: 'Shop', url: 'http://shop.test', regions });
  const { id } = await createMonitor(ctx, input);
  const failing = regions.map((each) => ({ region: each, verdict: 'failing' }));
  await writePeriods(db, id, [{ state: 'down', from: NOW, why: { voting: 3, regions: failing } }]);
  await db.worker.deleteMany();
  await db.worker.createMany({
    data: Object.entries(machines).map(([region, machine]) => {
      return { id: `wrk_${region}`, regions: [region], machine, startedAt: NOW, seenAt: NOW };
    }),
  });
  const notice: Notice = {
    kind: 'monitor.down',
    subjectId: id,
    subjectName: 'Shop',
    error: null,
    effect: null,
    regionName: null,
    downtime: null,
    occurredAt: NOW,
    flapping: null,
  };
  const [found] = await db.$transaction((tx) =>
    addOutages(tx, [notice], async () => (await readOnePlace(tx, NOW)) !== null),
  );
  return found?.outage && { regions: found.outage.regions, voting: found.outage.voting };
}

it('emails name the regions that fail where they are several places', async () => {
  expect(await readRegions({ 'us-east': 'one', 'eu-west': 'two' })).toEqual({
    regions: ['us-east', 'eu-west', 'Office'],
    voting: 3,
  });
});

it('emails name only own regions where the others are one machine', async () => {
  expect(await readRegions({ 'us-east': 'one', 'eu-west': 'one' })).toEqual({
    regions: ['Office'],
    voting: 1,
  });
});
