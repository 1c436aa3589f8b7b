import { expect, it } from 'vitest';
import { Prisma } from '@/lib/platform/db/generated/client';
import { isShownOn } from '@/lib/schemas/status-pages/automatic-incidents';
import { useSharedDatabase } from '@/lib/testing/database';
import { showsIncident } from './shows-incident';

const database = useSharedDatabase();
const SINCE = new Date('2026-03-01T12:00:00.000Z');
const [BEFORE, AFTER] = [new Date(SINCE.getTime() - 1), new Date(SINCE.getTime() + 1)];

it('the database decides what a page shows as the screens do', async () => {
  const cases = [0, 10, null].flatMap((automaticDelay) =>
    [null, SINCE].flatMap((automaticSince) =>
      [true, false].flatMap((automatic) =>
        [null, BEFORE, SINCE, AFTER].map((resolvedAt) => ({
          id: 'sp_1',
          automaticDelay,
          automaticSince,
          incident: { automatic, resolvedAt, publishedOn: [] },
        })),
      ),
    ),
  );
  const decided = await Promise.all(
    cases.map(async ({ id, automaticDelay, automaticSince, incident }) => {
      const shows = showsIncident({
        id: Prisma.sql`${id}`,
        automaticDelay: Prisma.sql`${automaticDelay}::int`,
        automaticSince: Prisma.sql`${automaticSince}::timestamptz`,
      });
      const rows = await database.db.$queryRaw<unknown[]>`
        SELECT FROM (SELECT 'inc_1' AS id, ${incident.automatic}::boolean AS automatic,
                            ${incident.resolvedAt}::timestamptz AS resolved_at) AS incident WHERE ${shows}`;
      return rows.length === 1;
    }),
  );
  expect(decided).toEqual(cases.map(({ incident, ...page }) => isShownOn(page, incident)));
  expect(new Set(decided).size).toBe(2);
});
