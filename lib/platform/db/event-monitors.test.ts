import { Client } from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { createEmptyDatabase } from '@/lib/testing/database';
import { migrate } from './migrate';
import { copyMigrations } from './testing/copy-migrations';

const NAME = '20270101000000_event_monitors';

it('existing events are about the monitor that they name, or those that their incident affected', async () => {
  const { url, drop } = await createEmptyDatabase();
  onTestFinished(drop);
  await migrate({ url, directory: await copyMigrations(NAME, { isIncluded: false }) });
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    // Without the organizations that the events belong to.
    await client.query('SET session_replication_role = replica');
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
    await client.query('SET session_replication_role = origin');
    expect(await migrate({ url, directory: await copyMigrations(NAME, { isIncluded: true }) })).toEqual([
      NAME,
    ]);
    const { rows } = await client.query('SELECT * FROM event_monitor ORDER BY event_id, monitor_id');
    const occurred_at = new Date('2026-03-01T12:00Z');
    expect(rows).toEqual([
      { event_id: 'incident.created', monitor_id: 'mon_1', occurred_at },
      { event_id: 'incident.created', monitor_id: 'mon_2', occurred_at },
      { event_id: 'monitor.down', monitor_id: 'mon_1', occurred_at },
      { event_id: 'monitor.up', monitor_id: 'mon_1', occurred_at },
    ]);
  } finally {
    await client.end();
  }
});
