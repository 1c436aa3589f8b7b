import { expect, it } from 'vitest';
import { openBeforeMigration } from './testing/before-migration';

it('existing events are found by the incident that they name', async () => {
  const { client, apply } = await openBeforeMigration('20270201000000_event_incident');
  const events = {
    'monitor.degraded': { monitor: { id: 'mon_1' }, incident: null },
    'monitor.down': { monitor: { id: 'mon_1' }, incident: { id: 'inc_1' } },
    'incident.created': { incident: { id: 'inc_2' } },
    'webhook.test': { webhook: { id: 'whk_1' } },
  };
  for (const [kind, payload] of Object.entries(events)) {
    await client.query(
      `INSERT INTO outbox_event (id, organization_id, kind, occurred_at, payload) VALUES ($1, 'org_1', $1, $2, $3)`,
      [kind, '2026-03-01T12:00Z', JSON.stringify(payload)],
    );
  }
  await apply();
  const { rows } = await client.query('SELECT id, incident_id FROM outbox_event ORDER BY id');
  expect(rows).toEqual([
    { id: 'incident.created', incident_id: 'inc_2' },
    { id: 'monitor.degraded', incident_id: null },
    { id: 'monitor.down', incident_id: 'inc_1' },
    { id: 'webhook.test', incident_id: null },
  ]);
});
