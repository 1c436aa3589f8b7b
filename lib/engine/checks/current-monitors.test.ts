import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sized } from '@/bin/testing/thorough.mjs';
import type { ProbeResult } from '@/lib/checks/result';
import { readCurrentMonitors } from '@/lib/domain/monitors/lists/current-monitors';
import { readSilences, recordPresence } from '@/lib/domain/monitors/silence';
import { updateMonitor } from '@/lib/domain/monitors/update-monitor';
import { beginStory, FAILED, OK, UNKNOWN } from '@/lib/engine/testing/story';
import { Prisma } from '@/lib/platform/db/generated/client';
import type { MonitorChanges } from '@/lib/schemas/monitor';
import { useTestDatabase } from '@/lib/testing/database';

const database = useTestDatabase();
const REGIONS = ['us-east', 'loc_101', 'ap-southeast'] as const;

async function begin(regions: readonly string[]) {
  // Each story begins at the same moment.
  await database.db.regionPresence.deleteMany();
  const story = await beginStory(database.db);
  // The own region of the latest story.
  await database.db.$executeRaw`
    INSERT INTO region (id, organization_id, name, place, created_at, updated_at)
    VALUES ('loc_101', ${story.organizationId}, 'Office', 'hamburg', now(), now())
        ON CONFLICT (id) DO UPDATE SET organization_id = excluded.organization_id`;
  const { id } = await story.addMonitor({ regions });
  const serve = (served: readonly string[]) =>
    recordPresence(story.services, { regions: served, duties: 'all' });
  await serve(regions);
  return {
    ...story,
    id,
    serve,
    /** Passes a minute, and checks what is due in every region, all of which are served. */
    checkEverywhere: async (result: ProbeResult) => {
      story.clock.advance(60_000);
      await serve(REGIONS);
      for (const region of REGIONS) await story.check(result, { region, afterMs: 0 });
    },
    /** The monitor in a list, and what its state and results say without shortcuts. */
    read: async () => {
      const now = story.clock.now();
      const selection = {
        columns: { name: Prisma.sql`monitor.name` },
        where: Prisma.sql`monitor.id = ${id}`,
      };
      const [inList] = await readCurrentMonitors(database.db, selection, now);
      return { inList: inList?.silence, alone: (await readSilences(database.db, [id], now)).get(id) };
    },
  };
}

const outcome = fc.constantFrom(OK, OK, OK, FAILED, UNKNOWN);
const steps = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ round: outcome }) },
    { weight: 2, arbitrary: fc.record({ check: fc.constantFrom(...REGIONS), result: outcome }) },
    { weight: 3, arbitrary: fc.record({ pass: fc.constantFrom(10, 59, 61, 110, 181, 240) }) },
    { weight: 1, arbitrary: fc.record({ serve: fc.subarray([...REGIONS]) }) },
    { weight: 1, arbitrary: fc.record({ enabled: fc.boolean() }) },
    { weight: 1, arbitrary: fc.record({ url: fc.constantFrom('http://a.test/', 'http://b.test/') }) },
    { weight: 1, arbitrary: fc.record({ regions: fc.subarray([...REGIONS], { minLength: 1 }) }) },
  ),
  { minLength: 5, maxLength: 25 },
);

describe('a monitor in a list', () => {
  it('has the data, the last check and the silent regions that its state and results say, whatever happened', async () => {
    await fc.assert(
      fc.asyncProperty(fc.subarray([...REGIONS], { minLength: 1 }), steps, async (regions, all) => {
        const story = await begin(regions);
        for (const step of [{ round: OK }, ...all]) {
          if ('serve' in step) await story.serve(step.serve);
          else if ('round' in step) await story.checkEverywhere(step.round);
          else if ('check' in step) await story.check(step.result, { region: step.check, afterMs: 0 });
          else if ('pass' in step) story.clock.advance(step.pass * 1000);
          else await updateMonitor(story.ctx, story.id, step);
          const { inList, alone } = await story.read();
          expect(inList).toEqual(alone);
        }
      }),
      { numRuns: sized(4, { thorough: 60 }) },
    );
  });

  it('keeps its last check when the region that made it is removed, and when it is added again', async () => {
    const story = await begin(['us-east']);
    const { ctx, id, read } = story;
    await story.check(OK, { afterMs: 0 });
    // Recorded without a decision, so the state does not have it yet.
    await story.check(OK);
    const lastCheckedAt = story.clock.now().getTime();
    expect(await read()).toMatchObject({ inList: { lastCheckedAt }, alone: { lastCheckedAt } });
    const changes: MonitorChanges[] = [
      { regions: ['eu-west'] },
      { enabled: false },
      { regions: ['us-east'] },
    ];
    for (const change of changes) {
      await updateMonitor(ctx, id, change);
      expect(await read()).toMatchObject({ inList: { lastCheckedAt }, alone: { lastCheckedAt } });
    }
  });

  it('has data while its last check is recent, and none from one interval after it', async () => {
    const story = await begin(['us-east']);
    const { clock, read, serve } = story;
    await story.check(OK, { afterMs: 0 });
    await story.check(OK);
    await serve(['us-east']);
    const lastCheckedAt = clock.now().getTime();
    const healthy = { noDataSince: null, silentRegions: [], lastCheckedAt, lastResponseTime: 12 };
    expect((await read()).inList).toEqual(healthy);
    clock.advance(600_000);
    expect((await read()).inList?.noDataSince).toEqual(new Date(lastCheckedAt + 12 + 60_000));
  });
});
