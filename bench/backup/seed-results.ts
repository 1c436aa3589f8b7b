import { ensureResultPartitions } from '@/lib/engine/upkeep/retention';
import type { Database } from '@/lib/platform/db/client';
import { count, log } from '../playground';

const DAY_MS = 86_400_000;
const DAYS = 30;

/** Stores `results` of all monitors, spread evenly over the last 30 days before `now`: most succeed, with a phase of every kind. */
export async function seedResults(db: Database, results: number, now: Date): Promise<void> {
  await ensureResultPartitions(db, now, DAYS);
  const perDay = Math.ceil(results / DAYS);
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  for (let day = DAYS; day > 0; day--) {
    const start = new Date(today - day * DAY_MS);
    const stepMs = DAY_MS / perDay;
    await db.$executeRaw`
      INSERT INTO raw.check_result
        (monitor, checked_at, response_time, dns, connect, tls, first_byte, transfer, region, outcome, status_code, error_code, error)
      SELECT numbers[1 + n % cardinality(numbers)], ${start}::timestamptz + n * ${stepMs}::float8 * interval '1 millisecond',
             total, total / 20, total / 9, total / 4, total / 2, total / 12, 1 + n % 3, fails::int, CASE WHEN fails THEN 503 ELSE 200 END,
             CASE WHEN fails THEN 'STATUS' END, CASE WHEN fails THEN 'Status 503 instead of 200' END
        FROM (SELECT array(SELECT number FROM monitor ORDER BY number) AS numbers) AS known,
             generate_series(0, ${perDay - 1}::int) AS n,
             LATERAL (SELECT 20 + (n::bigint * 7919 % 512)::int AS total, n % 128 = 0 AS fails) AS made`;
    if (day % 10 === 0) log(`  ${count((DAYS - day + 1) * perDay)} results`);
  }
  // As autovacuum leaves them.
  await db.$executeRaw`VACUUM (ANALYZE) raw.check_result`;
  await db.$executeRaw`CHECKPOINT`;
}
