import { gather } from '@/lib/core/time/together';
import type { Services } from '@/lib/domain/context/services';
import { Prisma } from '@/lib/platform/db/generated/client';
import { SHARDS } from '@/lib/state/schedule-grid';
import type { Lease } from './scheduled-monitor';
import { type Beat, CRASHED_MS, LEASE_MS, type ShardReport } from './shard-store';

/** Who asks: a worker that runs the checks of a region. */
export type Runner = { region: string; workerId: string };

/** Creates the shards of a region, free. Does not wait for those that exist, as the conflict alone would. */
export async function createShards({ db }: Pick<Services, 'db'>, region: string): Promise<void> {
  await db.$executeRaw`
    INSERT INTO raw.shard_lease (region, shard)
    SELECT ${region}, shard
      FROM generate_series(0, ${SHARDS}::int - 1) AS shard
     WHERE NOT EXISTS (
             SELECT FROM raw.shard_lease AS lease WHERE lease.region = ${region} AND lease.shard = shard.shard)
    ON CONFLICT DO NOTHING`;
}

/** Whether the worker of a row `runner` is alive. */
function isLiving(now: Date | Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(runner.seen_at > ${now}::timestamptz - interval '1 millisecond' * ${LEASE_MS}::int
    AND (runner.seen_at > ${now}::timestamptz - interval '1 millisecond' * ${CRASHED_MS}::int
         OR EXISTS (SELECT FROM pg_stat_activity WHERE pid = runner.backend)))`;
}

/** Whether a row `lease` has no living owner. */
function isFree(now: Date | Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(lease.owner IS NULL OR NOT EXISTS (
    SELECT FROM raw.check_runner AS runner
     WHERE runner.region = lease.region AND runner.worker_id = lease.owner AND ${isLiving(now)}))`;
}

/** Makes a worker known to the others; returns a snapshot from before everything that it reads from now on. */
export async function registerRunner(
  { db }: Pick<Services, 'db'>,
  { region, workerId }: Runner,
  now: Date,
): Promise<string> {
  const [row] = await db.$queryRaw<[{ snapshot: string }]>`
    INSERT INTO raw.check_runner AS runner (region, worker_id, seen_at, backend, knows_before)
    VALUES (${region}, ${workerId}, ${now}, pg_backend_pid(), pg_snapshot_xmin(pg_current_snapshot()))
        ON CONFLICT (region, worker_id) DO UPDATE
       SET seen_at = excluded.seen_at, backend = excluded.backend, knows_before = excluded.knows_before,
           due_since = NULL, is_leaving = false
    RETURNING pg_current_snapshot()::text AS snapshot`;
  return row.snapshot;
}

/** What a worker reports of one of its regions. */
type RegionReport = { region: string } & Pick<ShardReport, 'snapshot' | 'dueSince' | 'judgedAgoMs'>;

/** Reports that a worker is alive in a region, and reads what concerns it there; null if the others have forgotten it. */
export type Beats = (report: RegionReport) => Promise<Beat | null>;

/** The beats of a worker: its regions that report within milliseconds share a statement. */
export function createBeats(services: Pick<Services, 'db' | 'clock'>, workerId: string): Beats {
  return gather((reports: readonly RegionReport[]) => beat(services, workerId, reports));
}

/**
 * One statement, so that the snapshot is that of everything it returns. Null for a region whose other workers have forgotten it: then
 * they may have deleted changes that it has not seen.
 */
async function beat(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  workerId: string,
  reports: readonly RegionReport[],
): Promise<(Beat | null)[]> {
  const now = clock.now();
  const given = reports.map(({ judgedAgoMs, ...report }) => ({
    ...report,
    judgedAt: new Date(now.getTime() - judgedAgoMs),
  }));
  const seen = await db.$queryRaw<(Omit<Beat, 'seenAt'> & { region: string })[]>`
    WITH given AS (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(given)}::jsonb) AS given (
        region text, snapshot pg_snapshot, "dueSince" timestamptz, "judgedAt" timestamptz)
    ), written AS (
      UPDATE raw.check_runner AS runner
         SET seen_at = ${now}, backend = pg_backend_pid(),
             knows_before = pg_snapshot_xmin(given.snapshot), due_since = given."dueSince"
        FROM given
       WHERE runner.region = given.region AND worker_id = ${workerId}
      RETURNING given.*
    )
    SELECT written.region, pg_current_snapshot()::text AS snapshot,
           array(SELECT DISTINCT monitor_id
                   FROM raw.schedule_change AS change
                  WHERE change.region = written.region AND ${isUnseen(Prisma.sql`written.snapshot`)}) AS changed,
           (SELECT coalesce(json_agg(json_build_object('shard', shard, 'epoch', epoch)), '[]')
              FROM raw.shard_lease AS lease
             WHERE lease.region = written.region AND owner = ${workerId}) AS own,
           (SELECT count(*)::int
              FROM raw.shard_lease AS lease
             WHERE lease.region = written.region AND ${isFree(Prisma.sql`written."judgedAt"`)}) AS free,
           (SELECT count(*)::int
              FROM raw.check_runner AS runner
             WHERE runner.region = written.region
               AND worker_id <> ${workerId}
               AND NOT is_leaving
               AND ${isLiving(Prisma.sql`written."judgedAt"`)}) + 1 AS runners
      FROM written`;
  const byRegion = new Map(seen.map(({ region, ...own }) => [region, { ...own, seenAt: now.getTime() }]));
  return reports.map(({ region }) => byRegion.get(region) ?? null);
}

/** Reports only that a worker is alive, between two beats; returns whether the others still know it. */
export async function renewRunner(
  { db }: Pick<Services, 'db'>,
  { region, workerId }: Runner,
  now: Date,
): Promise<boolean> {
  const renewed = await db.$executeRaw`
    UPDATE raw.check_runner SET seen_at = ${now}, backend = pg_backend_pid()
     WHERE region = ${region} AND worker_id = ${workerId}`;
  return renewed > 0;
}

/** Makes known that a worker takes no more shards; returns how many others do. */
export async function announceLeaving(
  { db }: Pick<Services, 'db'>,
  { region, workerId }: Runner,
  now: Date,
): Promise<number> {
  const [row] = await db.$queryRaw<[{ others: number }]>`
    WITH own AS (UPDATE raw.check_runner SET is_leaving = true WHERE region = ${region} AND worker_id = ${workerId})
    SELECT count(*)::int AS others FROM raw.check_runner AS runner
     WHERE region = ${region} AND worker_id <> ${workerId} AND NOT is_leaving AND ${isLiving(now)}`;
  return row.others;
}

/** Whether all of these shards have owners. */
export async function areOwned(
  { db }: Pick<Services, 'db'>,
  region: string,
  shards: readonly number[],
): Promise<boolean> {
  const [row] = await db.$queryRaw<[{ areOwned: boolean }]>`
    SELECT bool_and(owner IS NOT NULL) AS "areOwned" FROM raw.shard_lease
     WHERE region = ${region} AND shard = ANY(${[...shards]}::int[])`;
  return row.areOwned;
}

/** Whether a change was not visible in a snapshot. The first condition is for the index. */
export function isUnseen(snapshot: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(xid >= pg_snapshot_xmin(${snapshot}) AND NOT pg_visible_in_snapshot(xid, ${snapshot}))`;
}

/** Takes at most `limit` free shards, from now on under a new epoch: results of the previous owner are refused. */
export async function takeFree(
  { db }: Pick<Services, 'db'>,
  { region, workerId }: Runner,
  { limit, now }: { limit: number; now: Date },
): Promise<Lease[]> {
  const rows = await db.$queryRaw<{ shard: number; epoch: number }[]>`
    WITH free AS (
      SELECT shard FROM raw.shard_lease AS lease
       WHERE region = ${region} AND ${isFree(now)} ORDER BY shard LIMIT ${limit} FOR NO KEY UPDATE SKIP LOCKED
    )
    UPDATE raw.shard_lease AS lease SET owner = ${workerId}, epoch = epoch + 1, released_at = NULL
      FROM free WHERE lease.region = ${region} AND lease.shard = free.shard
    RETURNING lease.shard::int AS shard, epoch::float8 AS epoch`;
  return rows;
}

/** Gives shards back, by default all of its own, for others to take at once. Results that are not stored yet are refused. */
export async function releaseShards(
  { db }: Pick<Services, 'db'>,
  { region, workerId }: Runner,
  { shards, now }: { shards?: readonly number[]; now: Date },
): Promise<void> {
  const which = shards === undefined ? Prisma.empty : Prisma.sql`AND shard = ANY(${[...shards]}::int[])`;
  await db.$executeRaw`
    WITH own AS (
      SELECT shard FROM raw.shard_lease
       WHERE region = ${region} AND owner = ${workerId} ${which}
       ORDER BY shard FOR NO KEY UPDATE
    ), released AS (
      UPDATE raw.shard_lease AS lease SET owner = NULL, epoch = epoch + 1, released_at = ${now}
        FROM own WHERE lease.region = ${region} AND lease.shard = own.shard
    )
    SELECT pg_notify('pharos_checks', '') FROM own LIMIT 1`;
}

/** Forgets a worker that stops. */
export async function forgetRunner(
  { db }: Pick<Services, 'db'>,
  { region, workerId }: Runner,
): Promise<void> {
  await db.$executeRaw`DELETE FROM raw.check_runner WHERE region = ${region} AND worker_id = ${workerId}`;
}

/**
 * Deletes dead workers of a region, and the changes that all living ones know. A worker that was deleted and lives on finds out at
 * its next beat, and reads everything again.
 */
export async function pruneRegion({ db }: Pick<Services, 'db'>, region: string, now: Date): Promise<void> {
  await db.$executeRaw`DELETE FROM raw.check_runner AS runner WHERE region = ${region} AND NOT ${isLiving(now)}`;
  await db.$executeRaw`
    DELETE FROM raw.schedule_change
     WHERE region = ${region} AND xid < (SELECT min(knows_before) FROM raw.check_runner WHERE region = ${region})`;
}

/** The regions with scheduled checks, one index read each. */
export const REGIONS_IN_USE = Prisma.sql`
  WITH RECURSIVE used (region) AS (
    (SELECT region FROM probe_schedule ORDER BY region LIMIT 1)
    UNION ALL
    SELECT (SELECT region FROM probe_schedule WHERE region > used.region ORDER BY region LIMIT 1)
      FROM used WHERE used.region IS NOT NULL
  )
  SELECT region FROM used WHERE region IS NOT NULL`;

/**
 * For each of the regions with schedules, since when checks are overdue: as its workers report, or since a shard lost its owner; without
 * a worker, since the first check became due. Null: none are.
 */
export function overdueQuery(regions: readonly string[], now: Date): Prisma.Sql {
  return Prisma.sql`
    SELECT region.id, CASE WHEN since <= ${now}::timestamptz THEN since END AS "overdueSince"
      FROM unnest(${[...regions]}::text[]) WITH ORDINALITY AS region (id, place) CROSS JOIN LATERAL (
             SELECT min(due_since) AS due_since, count(*) AS runners FROM raw.check_runner AS runner
              WHERE region = region.id AND ${isLiving(now)}) AS living CROSS JOIN LATERAL (
             SELECT CASE WHEN runners = 0 THEN greatest(
                      (SELECT min(next_check_at) FROM probe_schedule WHERE region = region.id),
                      (SELECT max(seen_at) FROM raw.check_runner WHERE region = region.id),
                      (SELECT max(released_at) FROM raw.shard_lease WHERE region = region.id))
                    ELSE least(due_since, (
                      SELECT min(coalesce(released_at, seen_at)) FROM raw.shard_lease AS lease
                        LEFT JOIN raw.check_runner AS last ON last.region = lease.region AND worker_id = owner
                       WHERE lease.region = region.id AND ${isFree(now)})) END AS since) AS overdue
     WHERE EXISTS (SELECT 1 FROM probe_schedule WHERE region = region.id)
     ORDER BY place`;
}

/** Since when checks of a region are overdue; null: none are. */
export async function readOverdue(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  region: string,
): Promise<Date | null> {
  const [row] = await db.$queryRaw<{ overdueSince: Date | null }[]>(overdueQuery([region], clock.now()));
  return row?.overdueSince ?? null;
}
