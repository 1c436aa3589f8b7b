import { beforeAll, describe, expect, it } from 'vitest';
import { createManualClock } from '@/lib/core/time/clock';
import { createMonitor } from '@/lib/domain/monitors/create-monitor';
import { applyRetention } from '@/lib/engine/upkeep/retention';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { createMarkerSchema, type Marker } from '@/lib/schemas/monitor/marker';
import { useTestDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices, type TestOrganization } from '@/lib/testing/services';
import { createMarker, MAX_MARKERS } from './create-marker';
import { deleteMarker } from './delete-marker';
import { listMarkers, listMarkersOf } from './read-markers';

const DAY = 86_400_000;
const NOW = new Date('2026-03-10T18:00:00.000Z');
const ago = (ms: number) => new Date(NOW.getTime() - ms);

const database = useTestDatabase();
const clock = createManualClock(NOW);
let mine: TestOrganization;

beforeAll(async () => {
  mine = await createTestOrganization(createTestServices({ db: database.db, clock }));
});

type Fields = { occurredAt?: Date; tags?: string[]; monitors?: string[] };

/** Creates a marker as the API does. */
const mark = (title: string, fields: Fields = {}, { ctx } = mine) =>
  createMarker(ctx, createMarkerSchema.parse(JSON.parse(JSON.stringify({ title, ...fields }))));
const titles = (markers: readonly Marker[]) => markers.map(({ title }) => title);

async function addMonitor(tags: string[], { ctx } = mine) {
  const input = createMonitorSchema.parse({ name: 'Shop', url: 'http://shop.test', tags });
  return createMonitor(ctx, input);
}

describe('a marker', () => {
  it('is of now unless its time is given, at most a minute ahead', async () => {
    expect((await mark('Now')).occurredAt).toBe(NOW.toISOString());
    const ahead = ago(-59_000);
    expect((await mark('Soon', { occurredAt: ahead })).occurredAt).toBe(ahead.toISOString());
    const invalid = { code: 'VALIDATION_ERROR', details: [{ path: 'occurredAt' }] };
    await expect(mark('Later', { occurredAt: ago(-61_000) })).rejects.toMatchObject(invalid);
    await expect(mark('Past', { occurredAt: ago(401 * DAY) })).rejects.toMatchObject(invalid);
  });

  it('links only to web pages', () => {
    const urls = ['https://ci.test/42', 'javascript:alert(1)', 'ci.test'];
    const isValid = (url: string) => createMarkerSchema.safeParse({ title: 'Deploy', url }).success;
    expect(urls.map(isValid)).toEqual([true, false, false]);
  });

  it('concerns all monitors, or those named, or those with one of its tags', async () => {
    const own = await createTestOrganization(createTestServices({ db: database.db, clock }));
    const [shop, blog] = [await addMonitor(['shop'], own), await addMonitor([], own)];
    await mark('All', { occurredAt: ago(4000) }, own);
    await mark('Tagged', { occurredAt: ago(3000), tags: ['shop', 'other'] }, own);
    await mark('Named', { occurredAt: ago(2000), monitors: [blog.id] }, own);
    await mark('Either', { occurredAt: ago(1000), tags: ['shop'], monitors: [blog.id] }, own);
    for (const [monitor, expected] of [
      [shop, ['Either', 'Tagged', 'All']],
      [blog, ['Either', 'Named', 'All']],
    ] as const) {
      const { items } = await listMarkers(own.ctx, { monitor: monitor.id, limit: 10 });
      expect(titles(items)).toEqual(expected);
      const span = { since: ago(DAY), until: NOW, limit: 10 };
      expect(await listMarkersOf(own.ctx, [monitor], span)).toEqual(items);
      const earlier = { since: ago(DAY), until: ago(3500), limit: 10 };
      expect(titles(await listMarkersOf(own.ctx, [monitor], earlier))).toEqual(['All']);
    }
  });

  it('is listed by its time, in pages, and not to others', async () => {
    const own = await createTestOrganization(createTestServices({ db: database.db, clock }));
    for (const [title, ms] of [
      ['B', 2000],
      ['A', 1000],
      ['C', 2000],
    ] as const)
      await mark(title, { occurredAt: ago(ms) }, own);
    const first = await listMarkers(own.ctx, { limit: 2 });
    const rest = await listMarkers(own.ctx, { limit: 2, cursor: first.next ?? undefined });
    expect([titles(first.items), titles(rest.items), rest.next]).toEqual([['A', 'C'], ['B'], null]);
    const [marker] = first.items;
    await expect(deleteMarker(mine.ctx, marker?.id ?? '')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await deleteMarker(own.ctx, marker?.id ?? '');
    expect(titles((await listMarkers(own.ctx, { limit: 2 })).items)).toEqual(['C', 'B']);
  });
});

describe('markers are bounded', () => {
  it('in number: the newest of an organization stay', async () => {
    const own = await createTestOrganization(createTestServices({ db: database.db, clock }));
    const { organizationId } = own.ctx;
    await database.db.$executeRaw`
      INSERT INTO marker (id, organization_id, title, description, tags, monitors, occurred_at, created_at)
      SELECT ${`${organizationId}_`} || n, ${organizationId}, 'Old ' || n, '', '{}', '{}',
             ${ago(DAY)}::timestamptz - make_interval(secs => n), ${NOW}
        FROM generate_series(1, ${MAX_MARKERS}::int) AS n`;
    await mark('New', {}, own);
    expect(await database.db.marker.count({ where: { organizationId } })).toBe(MAX_MARKERS);
    const gone = { organizationId, title: `Old ${MAX_MARKERS}` };
    expect(await database.db.marker.count({ where: gone })).toBe(0);
  });

  it('in time: after 400 days they are deleted', async () => {
    const own = await createTestOrganization(createTestServices({ db: database.db, clock }));
    await mark('Old', { occurredAt: ago(399 * DAY) }, own);
    await mark('New', {}, own);
    const later = createManualClock(ago(-2 * DAY));
    await applyRetention({ db: database.db, clock: later }, { rawDays: 30 });
    expect(titles((await listMarkers(own.ctx, { limit: 10 })).items)).toEqual(['New']);
  });
});
