import type { Database } from '@/lib/platform/db/client';
import type { PeriodState } from '@/lib/platform/db/generated/enums';

/** Copies a monitor with its state `count` times; returns the IDs of the copies. */
export async function copyMonitor(db: Database, id: string, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, (_, place) => `${id}_${place + 1}`);
  await copyMonitorTo(
    db,
    id,
    ids.map((copy) => ({ id: copy })),
  );
  return ids;
}

/** Copies a monitor with its state, once for each of `copies`, which have their own IDs and, if given, names and targets. */
export async function copyMonitorTo(
  db: Database,
  id: string,
  copies: readonly { id: string; name?: string; url?: string }[],
): Promise<void> {
  await db.$transaction([
    db.$executeRaw`
      INSERT INTO monitor
      SELECT copy.*
        FROM monitor, jsonb_array_elements(${JSON.stringify(copies)}::jsonb) AS own,
             jsonb_populate_record(monitor, own || jsonb_build_object('number', nextval('monitor_number_seq'))) AS copy
       WHERE monitor.id = ${id}`,
    db.$executeRaw`
      INSERT INTO monitor_state
      SELECT copy.*
        FROM monitor_state, unnest(${copies.map((copy) => copy.id)}::text[]) AS own,
             jsonb_populate_record(monitor_state, jsonb_build_object('monitor_id', own)) AS copy
       WHERE monitor_state.monitor_id = ${id}`,
  ]);
}

/**
 * Replaces the ledger of monitors with `changes` periods, alternately operational and down, evenly from `since` to about `now`; the
 * last one is current. Rows of different monitors are interleaved by time, as in reality. Their sums are written with them: the trigger would
 * look up the period before each.
 */
export async function writeLedger(
  db: Database,
  monitorIds: string[],
  { since, now, changes }: { since: Date; now: Date; changes: number },
): Promise<void> {
  await clearLedger(db, monitorIds);
  // Whole milliseconds, as the ledger has them, so that the sums are exact.
  const step = Math.floor((now.getTime() - since.getTime()) / changes);
  await db.$executeRaw`
    INSERT INTO status_period (monitor_id, state, from_at, to_at, decided_at, known_before, down_before)
    SELECT id, (ARRAY['operational', 'down'])[n % 2 + 1]::period_state, ${since}::timestamptz + n * span,
           CASE WHEN n < ${changes - 1}::int THEN ${since}::timestamptz + (n + 1) * span END,
           ${since}::timestamptz + n * span, n * ${step}::bigint, n / 2 * ${step}::bigint
      FROM unnest(${monitorIds}::text[]) AS id, generate_series(0, ${changes - 1}::int) AS n,
           make_interval(secs => ${step / 1000}::float8) AS span
     ORDER BY n, id`;
}

/** Deletes the ledger of monitors, and what was summed up from it. */
export async function clearLedger(db: Database, monitorIds: string[]): Promise<void> {
  await db.uptimeMonth.deleteMany({ where: { monitorId: { in: monitorIds } } });
  await db.statusPeriod.deleteMany({ where: { monitorId: { in: monitorIds } } });
}

/** Replaces the ledger of a monitor with consecutive periods; the last one has no end. */
export async function writePeriods(
  db: Database,
  monitorId: string,
  periods: { state: PeriodState; from: Date; decidedAt?: Date; why?: object }[],
): Promise<void> {
  await clearLedger(db, [monitorId]);
  await db.statusPeriod.createMany({
    data: periods.map(({ state, from, decidedAt = from, why }, index) => ({
      monitorId,
      state,
      from,
      to: periods[index + 1]?.from ?? null,
      decidedAt,
      ...(why ? { why } : {}),
    })),
  });
}

/** Stores successful checks of monitors from regions 1 to `regions`, one every `everySeconds`, from `since` to `now`. */
export async function storeChecks(
  db: Database,
  monitorIds: string[],
  { since, now, everySeconds, regions }: { since: Date; now: Date; everySeconds: number; regions: number },
): Promise<void> {
  await db.$executeRaw`
    INSERT INTO raw.check_result (checked_at, monitor, response_time, region, outcome, status_code)
    SELECT at, number, 20 + (extract(epoch FROM at)::int / 30) % 80, region, 0, 200
      FROM generate_series(${since}::timestamptz, ${now}::timestamptz, make_interval(secs => ${everySeconds}::float8)) AS at,
           monitor, generate_series(1, ${regions}::int) AS region
     WHERE monitor.id = ANY(${monitorIds})
     ORDER BY at`;
}
