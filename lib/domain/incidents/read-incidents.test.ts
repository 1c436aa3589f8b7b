import { beforeAll, expect, it } from 'vitest';
import { Prisma } from '@/lib/platform/db/generated/client';
import { useTestDatabase } from '@/lib/testing/database';
import { explain } from '@/lib/testing/explain';
import { createTestOrganization, createTestServices, type TestOrganization } from '@/lib/testing/services';
import { listIncidents } from './read-incidents';

const database = useTestDatabase();
let mine: TestOrganization;

/** Twenty thousand incidents of two hundred monitors. */
beforeAll(async () => {
  mine = await createTestOrganization(createTestServices(database));
  await database.db.$executeRaw`
    INSERT INTO incident (id, organization_id, title, description, status, severity, automatic, affected_monitors,
                          created_at, updated_at, resolved_at)
    SELECT 'inc_' || n, ${mine.ctx.organizationId}, 'Incident ' || n, '', 'resolved', 'minor', true,
           ARRAY['mon_' || n % 200], at, at, at
      FROM generate_series(1, 20000) AS n, LATERAL (SELECT now() - make_interval(mins => n) AS at) AS began`;
  await database.db.$executeRaw`ANALYZE incident`;
});

it('the incidents of one monitor are newest first', async () => {
  const { items, next } = await listIncidents(mine.ctx, { monitor: 'mon_7', limit: 3 });
  expect(items.map(({ id }) => id)).toEqual(['inc_7', 'inc_207', 'inc_407']);
  expect(next).not.toBeNull();
});

it('the incidents of a monitor are found without reading all incidents of the organization', async () => {
  await database.db.$executeRaw`UPDATE incident SET affected_monitors = '{mon_rare}' WHERE id = 'inc_19999'`;
  const { organizationId } = mine.ctx;
  const { pages, steps } = await explain(
    database.db,
    Prisma.sql`
      SELECT id FROM incident WHERE organization_id = ${organizationId} AND affected_monitors @> ${['mon_rare']}
       ORDER BY created_at DESC, number DESC LIMIT 9`,
  );
  expect(steps.map(({ index }) => index)).toContain('incident_affected_monitors_idx');
  expect(pages).toBeLessThan(150);
});
