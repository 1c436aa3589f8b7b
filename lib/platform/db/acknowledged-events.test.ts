import { Client } from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { createEmptyDatabase } from '@/lib/testing/database';
import { migrate } from './migrate';
import { copyMigrations } from './testing/copy-migrations';

const NAME = '20270221000000_acknowledged_events';

it('existing endpoints for alerts get acknowledgements if they have what was the default, others keep theirs', async () => {
  const { url, drop } = await createEmptyDatabase();
  onTestFinished(drop);
  await migrate({ url, directory: await copyMigrations(NAME, { isIncluded: false }) });
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    // Without their organization.
    await client.query('SET session_replication_role = replica');
    await client.query(`
      INSERT INTO webhook_endpoint (id, organization_id, url, description, events, format, enabled, status, secret_sealed,
                                    created_at, updated_at)
      SELECT id, 'org_1', 'https://a.test/', '', string_to_array(events, ' '), format::webhook_format, true, 'active', '', now(), now()
        FROM (VALUES ('default', 'pagerduty', 'incident.created incident.updated incident.resolved'),
                     ('ordered', 'opsgenie', 'incident.resolved incident.created incident.updated'),
                     ('chosen', 'pagerduty', 'incident.created incident.resolved'),
                     ('more', 'opsgenie', 'incident.created incident.updated incident.resolved monitor.up'),
                     ('chat', 'slack', 'incident.created incident.updated incident.resolved')) AS old (id, format, events)`);
    expect(await migrate({ url, directory: await copyMigrations(NAME, { isIncluded: true }) })).toEqual([
      NAME,
    ]);
    const { rows } = await client.query(
      `SELECT id FROM webhook_endpoint WHERE 'incident.acknowledged' = ANY(events) ORDER BY id`,
    );
    expect(rows.map(({ id }) => id)).toEqual(['default', 'ordered']);
  } finally {
    await client.end();
  }
});
