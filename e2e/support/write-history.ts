import { Client } from 'pg';
import { findRunningPostgres } from '@/lib/postgres/running-server';

/**
 * Puts 90 days before the present of a running service's monitors, in which each was down or degraded for an hour now and
 * then. What they are at the moment stays.
 */
export async function writeHistory(dataDir: string): Promise<void> {
  const postgres = await findRunningPostgres(dataDir);
  if (!postgres) throw new Error('the service is not running');
  const client = new Client({ connectionString: postgres.url });
  await client.connect();
  try {
    await client.query(`UPDATE monitor SET created_at = now() - interval '90 days'`);
    await client.query('DELETE FROM status_period WHERE to_at IS NOT NULL');
    await client.query(`
      INSERT INTO status_period (monitor_id, state, from_at, to_at, decided_at)
      SELECT id, state, at + make_interval(hours => first), at + make_interval(hours => last), at
        FROM monitor, generate_series(0, 68) AS n,
             LATERAL (SELECT now() - make_interval(hours => 2160 - n * 31 - number % 7 * 3) AS at) AS began,
             LATERAL (VALUES ('operational'::period_state, 0, 30),
                             ((CASE WHEN n % 5 = number % 5 THEN 'down' WHEN n % 7 = 0 THEN 'degraded'
                                    ELSE 'operational' END)::period_state, 30, 31)) AS stretch (state, first, last)`);
    await client.query(`
      UPDATE status_period AS current
         SET from_at = (SELECT max(to_at) FROM status_period AS past WHERE past.monitor_id = current.monitor_id)
       WHERE to_at IS NULL`);
  } finally {
    await client.end();
  }
}
