import { beforeAll, expect, it } from 'vitest';
import { ensureResultPartitions } from '@/lib/engine/partitions';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { parseInput } from '@/lib/schemas/validation';
import { useTestDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices, type TestOrganization } from '@/lib/testing/services';
import { createMonitor } from './create-monitor';
import { readHeartbeats } from './read-heartbeats';
import { readStanding } from './read-standing';

const database = useTestDatabase();
let mine: TestOrganization;
let other: TestOrganization;

beforeAll(async () => {
  const services = createTestServices(database);
  await ensureResultPartitions(database.db, new Date());
  mine = await createTestOrganization(services);
  other = await createTestOrganization(services);
});

const addMonitor = ({ ctx }: TestOrganization) =>
  createMonitor(
    ctx,
    parseInput(createMonitorSchema, { name: 'Shop', url: 'http://shop.test', degradedThreshold: 500 }),
  );

/** Stores `count` checks a second apart, the last one now. */
async function addChecks(
  id: string,
  { count, outcome = 0, responseTime = 20 }: { count: number; outcome?: number; responseTime?: number },
) {
  await database.db.$executeRaw`
    INSERT INTO raw.check_result (checked_at, monitor, response_time, region, outcome, status_code)
    SELECT now() - interval '1 second' * n, number, ${responseTime}, 2, ${outcome}, 200
      FROM monitor, generate_series(0, ${count - 1}::int) AS n WHERE id = ${id}`;
}

it('the strips hold the last 30 checks of every monitor of the organization, oldest first', async () => {
  const [busy, quiet, foreign] = [await addMonitor(mine), await addMonitor(mine), await addMonitor(other)];
  await addChecks(busy.id, { count: 40 });
  await addChecks(quiet.id, { count: 2 });
  await addChecks(foreign.id, { count: 1 });

  const strips = await readHeartbeats(mine.ctx);

  const times = strips.get(busy.id)?.map((beat) => beat.at.getTime()) ?? [];
  expect(times).toHaveLength(30);
  expect(times).toEqual([...times].sort((a, b) => a - b));
  expect(Date.now() - (times.at(-1) ?? 0)).toBeLessThan(5000);
  expect(strips.get(quiet.id)).toHaveLength(2);
  expect(strips.has(foreign.id)).toBe(false);
});

it.each([
  ['ok', { outcome: 0, responseTime: 500 }],
  ['slow', { outcome: 0, responseTime: 501 }],
  ['failed', { outcome: 1, responseTime: 501 }],
  ['unknown', { outcome: 2 }],
])('a check that was %s is shown as that', async (word, check) => {
  const { id } = await addMonitor(mine);
  await addChecks(id, { count: 1, ...check });
  expect((await readHeartbeats(mine.ctx)).get(id)?.[0]?.outcome).toBe(word);
});

it('nothing of a monitor is told to another organization', async () => {
  const { id } = await addMonitor(mine);
  expect(await readStanding(other.ctx, id)).toEqual({ state: null, since: null, incident: null });
});

it('a new monitor stands at pending since it was made', async () => {
  const { id, createdAt } = await addMonitor(mine);
  const standing = await readStanding(mine.ctx, id);
  expect(standing).toEqual({ state: 'pending', since: new Date(createdAt), incident: null });
});
