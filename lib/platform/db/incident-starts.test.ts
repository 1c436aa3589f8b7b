import { expect, it } from 'vitest';
import { openBeforeMigration } from './testing/before-migration';

it('existing incidents start when their status did in the ledger, others when they were opened', async () => {
  const { client, apply } = await openBeforeMigration('20261124100000_incident_starts');
  await client.query(`
    INSERT INTO status_period (monitor_id, state, from_at, to_at, decided_at) VALUES
      ('mon_1', 'operational', '2026-03-01T11:00Z', '2026-03-01T11:58Z', '2026-03-01T11:00Z'),
      ('mon_1', 'down', '2026-03-01T11:58Z', '2026-03-01T12:30Z', '2026-03-01T12:00Z'),
      ('mon_1', 'degraded', '2026-03-01T12:30Z', NULL, '2026-03-01T12:31Z')`);
  await client.query(`
    INSERT INTO incident (id, organization_id, title, description, status, severity, automatic, monitor_id,
                          affected_monitors, created_at, updated_at)
    SELECT id, 'org_1', 'Shop', '', 'monitoring', 'critical', automatic, monitor, '{}', created::timestamptz, created::timestamptz
      FROM (VALUES ('inc_ledger', true, 'mon_1', '2026-03-01T12:00Z'),
                   ('inc_forgotten', true, 'mon_2', '2026-03-01T12:00Z'),
                   ('inc_manual', false, NULL, '2026-03-01T12:00Z')) AS old (id, automatic, monitor, created)`);
  await apply();
  const { rows } = await client.query('SELECT id, started_at FROM incident ORDER BY id');
  expect(rows).toEqual([
    { id: 'inc_forgotten', started_at: new Date('2026-03-01T12:00Z') },
    { id: 'inc_ledger', started_at: new Date('2026-03-01T11:58Z') },
    { id: 'inc_manual', started_at: new Date('2026-03-01T12:00Z') },
  ]);
});
