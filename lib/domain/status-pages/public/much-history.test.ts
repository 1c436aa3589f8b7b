import { beforeAll, describe, expect, it } from 'vitest';
import { createManualClock } from '@/lib/core/time/clock';
import { findPublishedPage, readPublicPage } from '@/lib/domain/status-pages/public/read-public-page';
import { addMonitor, addPage } from '@/lib/domain/status-pages/testing/pages';
import type { Database } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import { useTestDatabase } from '@/lib/testing/database';
import { explain } from '@/lib/testing/explain';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import { readSearchView } from './history/search-incidents';
import { readFeed } from './read-feed';
import { readHistoryView } from './read-history-view';
import { writeFeed } from './write-feed';

const database = useTestDatabase();
const NOW = new Date('2026-03-10T12:00:00.000Z');
const clock = createManualClock(NOW);
const INCIDENTS = 20_000;
let slug: string;

/** A page with an open incident and thousands that ended within 14 days, each with an update of 6 KB. */
beforeAll(async () => {
  const { db } = database;
  const { ctx } = await createTestOrganization(createTestServices({ db, clock }));
  const monitor = await addMonitor(ctx, { name: 'Shop' });
  ({ slug } = await addPage(ctx, { published: true, monitors: [monitor] }));
  await db.$executeRaw`
    INSERT INTO incident (id, organization_id, title, description, status, severity, automatic, affected_monitors,
                          started_at, created_at, updated_at, resolved_at)
    SELECT 'inc_' || n, ${ctx.organizationId}, 'Trouble ' || n, '', 'resolved', 'minor', false, ARRAY[${monitor}],
           at, at, at + interval '1 minute', CASE WHEN n < ${INCIDENTS} THEN at + interval '1 minute' END
      FROM generate_series(1, ${INCIDENTS}) AS n, LATERAL (SELECT ${NOW}::timestamptz - n * interval '1 minute' AS at) AS times`;
  await db.$executeRaw`
    INSERT INTO incident_update (id, incident_id, status, message, author, created_at)
    SELECT 'upd_' || id, id, 'resolved', repeat('&<>', 2000), 'Ada', created_at FROM incident`;
  await db.$executeRaw`ANALYZE incident, incident_update`;
});

/** The database, with what was sent to it, and how many statements ran at once. */
function watch(db: Database) {
  const statements: Prisma.Sql[] = [];
  const running = { now: 0, most: 0 };
  const watched = new Proxy(db, {
    get: (target, property) => {
      if (property !== '$queryRaw') return Reflect.get(target, property);
      return async (query: TemplateStringsArray | Prisma.Sql, ...values: unknown[]) => {
        const statement = query instanceof Prisma.Sql ? query : Prisma.sql(query, ...values);
        statements.push(statement);
        running.now += 1;
        running.most = Math.max(running.most, running.now);
        try {
          return await target.$queryRaw(statement);
        } finally {
          running.now -= 1;
        }
      };
    },
  });
  return { db: watched, statements, running };
}

describe('of a page with 20,000 incidents in 14 days', () => {
  it.each(['atom', 'rss'] as const)(
    'the %s feed has the latest entries, at most 50 and 1 MB',
    async (format) => {
      const page = await findPublishedPage(database.db, slug);
      const source = await readFeed({ db: database.db, clock }, page);
      expect(source.incidents.map(({ title }) => title).slice(0, 2)).toEqual(['Trouble 1', 'Trouble 2']);
      const feed = writeFeed({ ...source, address: 'https://acme.test', serviceName: 'Pharos' }, format);
      const entries = feed.split(format === 'atom' ? '<entry>' : '<item>').length - 1;
      expect(entries).toBeLessThanOrEqual(50);
      expect(entries).toBeGreaterThan(30);
      expect(Buffer.byteLength(feed)).toBeLessThanOrEqual(1_000_000);
    },
  );

  it('the page shows all open incidents, and the newest 100 others', async () => {
    const { incidents } = await readPublicPage({ db: database.db, clock }, slug);
    const expected = [...Array.from({ length: 100 }, (_, index) => index + 1), INCIDENTS];
    expect(incidents.map(({ title }) => title)).toEqual(expected.map((number) => `Trouble ${number}`));
  });

  it('a search reads the newest in the order of an index, and updates by theirs', async () => {
    const { db, statements } = watch(database.db);
    await readSearchView({ db, clock }, slug, 'nowhere');
    const search = statements.find(({ sql }) => sql.includes('ILIKE'));
    if (search === undefined) throw new Error('nothing was searched');
    const { steps } = await explain(database.db, search);
    const reads = steps.filter(({ relation }) => relation !== null);
    expect(reads.map(({ index }) => index)).toEqual([
      'incident_organization_id_created_at_idx',
      'incident_update_incident_id_created_at_idx',
    ]);
    expect(reads.map(({ loops }) => loops)).toEqual([1, 1000]);
  });

  it('twelve searches at once are on at most two connections', async () => {
    const { db, running } = watch(database.db);
    const searches = Array.from({ length: 12 }, () => readSearchView({ db, clock }, slug, 'trouble'));
    const found = await Promise.all(searches);
    expect(found.map(({ incidents, isCut }) => [incidents.length, isCut])).toEqual(
      Array(12).fill([50, true]),
    );
    expect(running.most).toBe(2);
  });

  it('the largest page of its history has a hundred incidents', async () => {
    const { incidents, isCut } = await readHistoryView({ db: database.db, clock }, slug);
    expect([incidents.length, isCut]).toEqual([100, true]);
  });
});
