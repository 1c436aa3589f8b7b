import { expect, it } from 'vitest';
import { openBeforeMigration } from './testing/before-migration';

it('existing endpoints for alerts get acknowledgements if they have what was the default, others keep theirs', async () => {
  const { client, apply } = await openBeforeMigration('20270221000000_acknowledged_events');
  await client.query(`
    INSERT INTO webhook_endpoint (id, organization_id, url, description, events, format, enabled, status, secret_sealed,
                                  created_at, updated_at)
    SELECT id, 'org_1', 'https://a.test/', '', string_to_array(events, ' '), format::webhook_format, true, 'active', '', now(), now()
      FROM (VALUES ('default', 'pagerduty', 'incident.created incident.updated incident.resolved'),
                   ('ordered', 'opsgenie', 'incident.resolved incident.created incident.updated'),
                   ('chosen', 'pagerduty', 'incident.created incident.resolved'),
                   ('more', 'opsgenie', 'incident.created incident.updated incident.resolved monitor.up'),
                   ('chat', 'slack', 'incident.created incident.updated incident.resolved')) AS old (id, format, events)`);
  await apply();
  const { rows } = await client.query(
    `SELECT id FROM webhook_endpoint WHERE 'incident.acknowledged' = ANY(events) ORDER BY id`,
  );
  expect(rows.map(({ id }) => id)).toEqual(['default', 'ordered']);
});
