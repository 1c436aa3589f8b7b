import { beforeAll, expect, it } from 'vitest';
import { createMonitor } from '@/lib/domain/monitors/create-monitor';
import { readReferences } from '@/lib/domain/monitors/dependencies/read-references';
import { readStrips } from '@/lib/domain/monitors/lists/list-overviews';
import { readStanding } from '@/lib/domain/monitors/read-standings';
import { ensureResultPartitions } from '@/lib/engine/upkeep/retention';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { parseInput } from '@/lib/schemas/validation';
import { useTestDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices, type TestOrganization } from '@/lib/testing/services';

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

/** Stores `count` checks a second apart, the last one `ago` seconds ago. */
async function addChecks(
  id: string,
  {
    count,
    ago = 0,
    ...check
  }: { count: number; ago?: number; outcome?: number; responseTime?: number; errorCode?: string },
) {
  const { outcome = 0, responseTime = 20, errorCode = null } = check;
  await database.db.$executeRaw`
    INSERT INTO raw.check_result (checked_at, monitor, response_time, region, outcome, status_code, error_code)
    SELECT now() - interval '1 second' * (n + ${ago}::int), number, ${responseTime}, 2, ${outcome}, 200, ${errorCode}
      FROM monitor, generate_series(0, ${count - 1}::int) AS n WHERE id = ${id}`;
}

it('the strips contain the last 30 checks of monitors of the organization, oldest first', async () => {
  const [busy, quiet, foreign] = [await addMonitor(mine), await addMonitor(mine), await addMonitor(other)];
  await addChecks(busy.id, { count: 40, ago: 29, outcome: 1 });
  await addChecks(busy.id, { count: 29 });
  await addChecks(quiet.id, { count: 2 });
  await addChecks(foreign.id, { count: 1 });

  const unchecked = await addMonitor(mine);

  const strips = await readStrips(mine.ctx, [busy.id, quiet.id, unchecked.id, foreign.id]);

  expect(strips).toEqual({ [busy.id]: `f${'o'.repeat(29)}`, [quiet.id]: 'oo', [unchecked.id]: '' });
});

it.each([
  ['ok', 'o', { outcome: 0, responseTime: 500 }],
  ['slow', 's', { outcome: 0, responseTime: 501 }],
  ['ok, with an error', 's', { outcome: 0, errorCode: 'dns' }],
  ['failed', 'f', { outcome: 1, responseTime: 501 }],
  ['unknown', 'u', { outcome: 2 }],
])('a check with outcome %s is shown as such', async (_, letter, check) => {
  const { id } = await addMonitor(mine);
  await addChecks(id, { count: 1, ...check });
  expect(await readStrips(mine.ctx, [id])).toEqual({ [id]: letter });
});

it('a monitor is invisible to other organizations', async () => {
  const { id } = await addMonitor(mine);
  await expect(readStanding(other.ctx, id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(readReferences(other.ctx, id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

it('a new monitor is pending since its creation', async () => {
  const { id, createdAt } = await addMonitor(mine);
  const { change, votes, ...standing } = await readStanding(mine.ctx, id);
  expect(change).toMatchObject({ from: null, to: 'pending', at: createdAt, endedAt: null });
  expect(votes).toMatchObject([{ region: 'us-east', verdict: null, vote: false, error: null }]);
  expect(standing).toEqual({ certificateEnd: null, incident: null });
  const dependents = { first: [], count: 0 };
  expect(await readReferences(mine.ctx, id)).toEqual({ pages: [], dependsOn: [], groups: [], dependents });
});
