import { Client } from 'pg';
import type { Observations, StoredResult, WatchedMonitor } from './observations';
import { REGIONS } from './plan';
import type { World } from './world';

type Dump = Pick<Observations, 'results' | 'phases'>;

const OUTCOMES = ['ok', 'failed', 'unknown'] as const;

/** Reads the stored results as an operator would with psql, in the order in which they were recorded. */
export async function readDump(
  { directUrl, time }: Pick<World, 'directUrl' | 'time'>,
  monitors: WatchedMonitor[],
): Promise<Dump> {
  const client = new Client({ connectionString: directUrl });
  await client.connect();
  try {
    const results = await client.query(`
      SELECT monitor.id, region, (extract(epoch FROM checked_at) * 1000)::float8 AS at, outcome, response_time, error_code,
             (extract(epoch FROM pg_xact_commit_timestamp(check_result.xmin)) * 1000)::float8 AS committed
        FROM raw.check_result JOIN monitor ON monitor.number = check_result.monitor
       -- Late results of probes decide nothing.
       WHERE late IS NULL
       ORDER BY committed, checked_at`);
    const phases = await client.query('SELECT monitor_id, region, phase FROM probe_schedule');
    const known = new Set(monitors.map(({ id }) => id));
    return {
      results: results.rows
        .filter(({ id }) => known.has(id))
        .map(
          (row): StoredResult => ({
            monitorId: row.id,
            region: REGIONS[row.region - 1] ?? 'us-east',
            checkedAt: row.at,
            recordedAt: time.origin + (row.committed - time.origin) * time.factor,
            outcome: OUTCOMES[row.outcome as number] ?? 'unknown',
            responseTime: row.response_time,
            errorCode: row.error_code,
          }),
        ),
      phases: Object.fromEntries(
        phases.rows.map(({ monitor_id, region, phase }) => [`${monitor_id} ${region}`, Number(phase)]),
      ),
    };
  } finally {
    await client.end();
  }
}
