import { beforeAll, describe, expect, it } from 'vitest';
import { createManualClock } from '@/lib/core/time/clock';
import { createMonitor } from '@/lib/domain/monitors/create-monitor';
import { updateMonitor } from '@/lib/domain/monitors/update-monitor';
import { changePlan, deleteOrganization } from '@/lib/domain/organizations/change-organization';
import { authenticateProbe, createProbeToken } from '@/lib/domain/probe-tokens/probe-tokens';
import { createShards } from '@/lib/engine/checks/shards/leases';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { isOwnRegionId, type RegionId } from '@/lib/schemas/regions';
import { useTestDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices, type TestOrganization } from '@/lib/testing/services';
import { createRegion, deleteRegion, MAX_CREATED, updateRegion } from './change-region';
import { listRegions } from './list-regions';

const NOW = new Date('2026-03-10T18:00:00.000Z');
const HIDDEN = { showsHosts: false };

const database = useTestDatabase();
const services = () => createTestServices({ ...database, clock: createManualClock(NOW) });
let mine: TestOrganization;

beforeAll(async () => {
  mine = await createTestOrganization(services());
});

const add = (name: string, { ctx } = mine) => createRegion(ctx, { name, place: 'hamburg' });
const own = async ({ ctx } = mine) => (await listRegions(ctx, HIDDEN)).filter(({ isOwn }) => isOwn);

async function addMonitor(name: string, regions: RegionId[], { ctx } = mine) {
  return createMonitor(ctx, createMonitorSchema.parse({ name, url: 'http://shop.test', regions }));
}

const invalid = (path: string, code: string) => ({
  code: 'VALIDATION_ERROR',
  details: [{ path, code }],
});

describe('an own region', () => {
  it('follows the built-in ones, with its place, and only in its organization', async () => {
    const other = await createTestOrganization(services());
    const [first, second] = [await add('Office', other), await add('Depot', other)];
    expect(first).toMatchObject({
      name: 'Office',
      place: 'hamburg',
      location: 'Hamburg, Germany',
      isOwn: true,
      version: 1,
      workers: 0,
      machines: [],
      lastSeenAt: null,
      createdAt: NOW.toISOString(),
    });
    expect(isOwnRegionId(first.id)).toBe(true);
    expect(await own(other)).toEqual([first, second]);
    expect(await own()).toEqual([]);
    await expect(deleteRegion(mine.ctx, first.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const renamed = updateRegion(mine.ctx, first.id, { name: 'Mine' }, HIDDEN);
    await expect(renamed).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('has a name of its own, whatever its case, until it is deleted', async () => {
    const other = await createTestOrganization(services());
    const office = await add('Office', other);
    const depot = await add('Depot', other);
    for (const name of ['OFFICE', 'us east']) {
      await expect(add(name, other)).rejects.toMatchObject(invalid('name', 'taken'));
      const renamed = updateRegion(other.ctx, depot.id, { name }, HIDDEN);
      await expect(renamed).rejects.toMatchObject(invalid('name', 'taken'));
    }
    expect(await updateRegion(other.ctx, office.id, { name: 'office' }, HIDDEN)).toMatchObject({
      name: 'office',
      place: 'hamburg',
      version: 2,
    });
    await deleteRegion(other.ctx, office.id);
    const next = await add('Office', other);
    expect(next.id).not.toBe(office.id);
    expect(await own(other)).toEqual([expect.objectContaining({ id: depot.id }), next]);
  });

  it('is not deleted while monitors are checked from there, and its tokens are revoked with it', async () => {
    const other = await createTestOrganization(services());
    const { id } = await add('Office', other);
    const monitors = [];
    for (const name of ['A', 'B', 'C', 'D']) monitors.push(await addMonitor(name, [id], other));
    const { token } = await createProbeToken(services(), { region: id, name: 'Probe' });
    await expect(deleteRegion(other.ctx, id)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringContaining('4 monitors are checked from this region: “A”, “B”, “C” and 1 more.'),
    });
    await expect(authenticateProbe(services(), `Bearer ${token}`)).resolves.toMatchObject({ region: id });
    for (const monitor of monitors) await updateMonitor(other.ctx, monitor.id, { regions: ['us-east'] });
    await deleteRegion(other.ctx, id);
    const refused = authenticateProbe(services(), `Bearer ${token}`);
    await expect(refused).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    const created = createProbeToken(services(), { region: id, name: 'Probe' });
    await expect(created).rejects.toMatchObject({ code: 'UNKNOWN_REGION' });
  });
});

it('an organization that is deleted takes its regions with it, and the tokens of its probes end', async () => {
  const other = await createTestOrganization(services());
  const { id } = await add('Office', other);
  const { token } = await createProbeToken(services(), { region: id, name: 'Probe' });
  const operator = { ...other.ctx, actor: { kind: 'operator' } } as const;
  await deleteOrganization(operator, { name: 'Test' });
  expect(await database.db.region.count({ where: { id } })).toBe(0);
  const refused = authenticateProbe(services(), `Bearer ${token}`);
  await expect(refused).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
});

it('a region that is deleted leaves nothing of its runners', async () => {
  const other = await createTestOrganization(services());
  const { id } = await add('Office', other);
  await createShards(services(), id);
  await database.db.regionPresence.create({ data: { region: id, servedAt: NOW } });
  await deleteRegion(other.ctx, id);
  const [left] = await database.db.$queryRaw<{ left: number }[]>`
    SELECT (SELECT count(*) FROM raw.shard_lease WHERE region = ${id})::int +
           (SELECT count(*) FROM region_presence WHERE region = ${id})::int AS left`;
  expect(left).toEqual({ left: 0 });
});

describe('own regions are bounded', () => {
  it('by the plan: a downgrade keeps what there is, and refuses more', async () => {
    const other = await createTestOrganization(services());
    const { id } = await add('Office', other);
    const monitor = await addMonitor('A', [id], other);
    await changePlan(services(), other.ctx.organizationId, 'pro');
    const limit = { code: 'PLAN_LIMIT_EXCEEDED' };
    await expect(add('Depot', other)).rejects.toMatchObject({
      ...limit,
      message: expect.stringContaining('The pro plan does not include own regions.'),
    });
    await expect(addMonitor('B', [id], other)).rejects.toMatchObject(limit);
    const kept = await updateMonitor(other.ctx, monitor.id, { regions: [id, 'us-east'] });
    expect(kept.regions).toEqual([id, 'us-east']);
    await updateMonitor(other.ctx, monitor.id, { regions: ['us-east'] });
    const again = updateMonitor(other.ctx, monitor.id, { regions: [id] });
    await expect(again).rejects.toMatchObject(limit);
  });

  it('to 50 at a time, and 500 in the life of an organization', async () => {
    const { ctx } = await createTestOrganization(services());
    const fill = (count: number, deletedAt: Date | null) =>
      database.db.$executeRaw`
        INSERT INTO region (id, organization_id, name, place, created_at, updated_at, deleted_at)
        SELECT 'loc_' || nextval('region_number'), ${ctx.organizationId}, 'R' || currval('region_number'), 'hamburg', ${NOW}, ${NOW}, ${deletedAt}::timestamptz
          FROM generate_series(1, ${count}::int)`;
    await fill(49, null);
    const last = await createRegion(ctx, { name: 'Last', place: 'hamburg' });
    const more = () => createRegion(ctx, { name: 'More', place: 'hamburg' });
    await expect(more()).rejects.toMatchObject({ code: 'PLAN_LIMIT_EXCEEDED' });
    await deleteRegion(ctx, last.id);
    await fill(MAX_CREATED - 50, NOW);
    await expect(more()).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('by the numbers of the installation, without using one twice', async () => {
    const other = await createTestOrganization(services());
    const [{ before }] = await database.db.$queryRaw<[{ before: number }]>`
      SELECT last_value::int AS before FROM region_number`;
    await database.db.$executeRaw`SELECT setval('region_number', 32766)`;
    expect((await add('Last', other)).id).toBe('loc_32767');
    await expect(add('More', other)).rejects.toMatchObject({
      message: expect.stringContaining('No more regions can be created'),
    });
    await database.db.$executeRaw`SELECT setval('region_number', ${before}::int)`;
  });
});

describe('a monitor', () => {
  it('is not checked from a region of somebody else or nobody: the response is the same', async () => {
    const other = await createTestOrganization(services());
    const [{ id: foreign }, { id: gone }] = [await add('Foreign', other), await add('Gone')];
    await deleteRegion(mine.ctx, gone);
    const monitor = await addMonitor('A', ['us-east']);
    for (const region of [foreign, gone, 'loc_32000'] as const) {
      const unknown = {
        code: 'UNKNOWN_REGION',
        message: 'The request is not valid: regions.1.',
        details: [
          {
            path: 'regions.1',
            code: 'unknown_region',
            message: expect.stringMatching(/^unknown region; known are us-east, /),
          },
        ],
      };
      await expect(addMonitor('B', ['us-east', region])).rejects.toMatchObject(unknown);
      const changed = updateMonitor(mine.ctx, monitor.id, { regions: ['us-east', region] });
      await expect(changed).rejects.toMatchObject(unknown);
    }
  });
});
