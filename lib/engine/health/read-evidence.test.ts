import { describe, expect, it } from 'vitest';
import { overdueQuery, REGIONS_IN_USE } from '@/lib/engine/checks/shards/leases';
import { overdueDeadlineQuery } from '@/lib/engine/heartbeats/miss-deadlines';
import { BUILT_IN_REGION_IDS } from '@/lib/schemas/regions';
import { explain } from '@/lib/testing/explain';
import { backlogQuery, waitingDeliveriesQuery } from './read-evidence';
import { atSecond, START, useHealthStory } from './testing/health-story';

const { begin } = useHealthStory();
/** A few rows, per region or of the service. */
const PER_REGION = new Set(['shard_lease', 'check_runner', 'reception', 'reception_gap']);

describe('the evidence of health', () => {
  it('is read by index, regardless of the number of monitors, deliveries and mails', async () => {
    const story = await begin();
    const { db, organizationId } = story;
    const { id } = await story.addMonitor();
    await db.$executeRaw`
      INSERT INTO monitor SELECT (jsonb_populate_record(monitor, jsonb_build_object('id', 'mon_' || i, 'number', 1000 + i))).*
        FROM monitor, generate_series(1, 3000) AS i WHERE id = ${id}`;
    await db.$executeRaw`
      INSERT INTO probe_schedule (monitor_id, region, slot, phase, next_check_at)
      SELECT id, region, 0, 0, ${START}::timestamptz + make_interval(secs => number % 60)
        FROM monitor, unnest(ARRAY['us-east', 'eu-west']) AS region WHERE id <> ${id}`;
    await db.$executeRaw`
      INSERT INTO outbox_event (id, organization_id, kind, occurred_at, payload)
      VALUES ('evt_1', ${organizationId}, 'monitor.down', ${START}, '{}')`;
    // One endpoint hangs and has a long backlog; three hundred others wait for their retries.
    await db.$executeRaw`
      INSERT INTO delivery (id, organization_id, endpoint_id, event_id, status, next_attempt_at, created_at, attempts, failures)
      SELECT 'del_' || i, ${organizationId}, CASE WHEN i <= 4000 THEN 'whk_hangs' ELSE 'whk_' || i END, 'evt_1', 'pending',
             ${START}::timestamptz + make_interval(secs => CASE WHEN i <= 4000 THEN 0 ELSE 3600 END), ${START}, 0, 0
        FROM generate_series(1, 4300) AS i`;
    await db.$executeRaw`
      INSERT INTO mail (id, kind, recipient, content_sealed, next_attempt_at, created_at)
      SELECT 'mail_' || i, 'test', 'ops@example.com', '', ${START}, ${START} FROM generate_series(1, 4000) AS i`;
    await db.$executeRaw`
      INSERT INTO heartbeat (monitor_id, deadline_at) SELECT id, ${START} FROM monitor`;
    await db.$executeRaw`
      INSERT INTO reception (received_until) VALUES (${atSecond(30)}) ON CONFLICT (id) DO UPDATE SET received_until = ${atSecond(30)}`;
    for (const region of ['us-east', 'eu-west']) await story.addRunner({ region }).sync();
    await db.$executeRawUnsafe('VACUUM ANALYZE heartbeat, probe_schedule, delivery, mail');

    for (const [query, maxPages] of [
      [REGIONS_IN_USE, 60],
      [overdueQuery(BUILT_IN_REGION_IDS, atSecond(5)), 100],
      [overdueDeadlineQuery(atSecond(30)), 30],
      [backlogQuery(atSecond(30)), 300],
      [waitingDeliveriesQuery(atSecond(30)), 3000],
    ] as const) {
      const { steps, pages } = await explain(db, query);
      const scans = steps.filter(
        ({ type, relation, loops }) => type === 'Seq Scan' && loops > 0 && !PER_REGION.has(relation ?? ''),
      );
      expect(scans, query.text).toEqual([]);
      expect(pages, query.text).toBeLessThan(maxPages);
    }
  });
});
