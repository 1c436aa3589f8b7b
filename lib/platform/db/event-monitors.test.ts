import { expect, it } from 'vitest';
import { openBeforeMigration } from './testing/before-migration';

it('existing events are about the monitor that they name, or those that their incident affected', async () => {
  const { client, apply } = await openBeforeMigration('20270101000000_event_monitors');
  const events = [
    { kind: 'monitor.up', monitor: { id: 'mon_1' }, incident: null },
    { kind: 'monitor.down', monitor: { id: 'mon_1' }, incident: { id: 'inc_1' } },
    { kind: 'incident.created', incident: { id: 'inc_1', affectedMonitors: ['mon_1', 'mon_2', 'mon_1'] } },
    { kind: 'incident.updated', incident: { id: 'inc_1', affectedMonitors: [] } },
    { kind: 'webhook.test', webhook: { id: 'whk_1' } },
  ];
  for (const { kind, ...payload } of events) {
    await client.query(
      `INSERT INTO outbox_event (id, organization_id, kind, occurred_at, payload) VALUES ($1, 'org_1', $1, $2, $3)`,
      [kind, '2026-03-01T12:00Z', JSON.stringify(payload)],
    );
  }
  await apply();
  const { rows } = await client.query('SELECT * FROM event_monitor ORDER BY event_id, monitor_id');
  const occurred_at = new Date('2026-03-01T12:00Z');
  expect(rows).toEqual([
    { event_id: 'incident.created', monitor_id: 'mon_1', occurred_at },
    { event_id: 'incident.created', monitor_id: 'mon_2', occurred_at },
    { event_id: 'monitor.down', monitor_id: 'mon_1', occurred_at },
    { event_id: 'monitor.up', monitor_id: 'mon_1', occurred_at },
  ]);
});
