import type { Services } from '@/lib/domain/context/services';
import { MARKER_DAYS } from '@/lib/domain/markers/create-marker';
import { PROBE_DAYS } from '@/lib/domain/probes/list-probes';
import { CONFIRM_DAYS } from '@/lib/domain/subscribers/confirmation-mail';
import { BACKUP_LOCK } from '@/lib/platform/backup/snapshot/connect';
import type { Database } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import { LEDGER_DAYS } from '@/lib/schemas/monitor/transition';

const DAY_MS = 86_400_000;
const DAYS_AHEAD = 7;
const PARTITION_LOCK = 7274269;
/** Rows per statement: small transactions that block nobody. */
const BATCH = 5000;
/** The next call deletes what remains after this many batches. */
const MAX_BATCHES = 200;
/** How long recording may wait behind a DROP that itself waits for a long reader. */
const LOCK_TIMEOUT = '2s';
const ROLLUP_DAYS = 400;

/** Rows of a table that expire some days after a column, which has an index. */
type Expiry = {
  table: string;
  column: string;
  /** As many as raw results by default. */
  days?: number;
  /** The primary key; `id` by default. */
  key?: string;
  /** The owner of the rows, for tables that are indexed per owner: reads one index range of each. */
  owner?: 'monitor' | 'organization';
  /** What else must hold; `end` is the moment before which rows have expired. */
  where?: (end: Date) => Prisma.Sql;
};

const EXPIRIES: Expiry[] = [
  // A period that straddles the end is kept.
  {
    table: 'status_period',
    column: 'from_at',
    days: LEDGER_DAYS,
    owner: 'monitor',
    where: (end) => Prisma.sql`to_at <= ${end}`,
  },
  // A month ends 31 days after it began, at the latest.
  {
    table: 'uptime_month',
    column: 'month',
    days: LEDGER_DAYS + 31,
    key: 'monitor_id, month',
    owner: 'monitor',
  },
  // No deadline is further away than a period of 366 days, extended by as much.
  { table: 'reception_gap', column: 'to_at', days: 800, key: 'to_at' },
  { table: 'maintenance_occurrence', column: 'ended_at', days: 400, key: 'window_id, starts_at' },
  { table: 'audit_entry', column: 'at', days: 400, owner: 'organization' },
  // Only with the state of the monitor, which others lock before its corrections: this waits for nobody.
  {
    table: 'ledger_correction',
    column: 'to_at',
    days: LEDGER_DAYS,
    owner: 'organization',
    where:
      () => Prisma.sql`EXISTS (SELECT FROM monitor_state AS state WHERE state.monitor_id = ledger_correction.monitor_id
                                       FOR UPDATE SKIP LOCKED)`,
  },
  { table: 'marker', column: 'occurred_at', days: MARKER_DAYS, owner: 'organization' },
  // Deliveries and attempts are deleted with their event, unless it is still to be delivered.
  {
    table: 'outbox_event',
    column: 'occurred_at',
    days: 30,
    owner: 'organization',
    where: () => Prisma.sql`NOT EXISTS (SELECT FROM delivery WHERE event_id = outbox_event.id
                                           AND (status = 'pending' OR manual_attempt_at IS NOT NULL))`,
  },
  // Until then, an event about its incident edits it.
  {
    table: 'endpoint_message',
    column: 'changed_at',
    days: 30,
    key: 'endpoint_id, message_key',
    where: (end) => Prisma.sql`(lease_until IS NULL OR lease_until < ${end})`,
  },
  { table: 'manual_check', column: 'requested_at', key: 'id, region', owner: 'monitor' },
  { table: 'check_evidence', column: 'checked_at', days: 30, owner: 'monitor' },
  { table: 'mail', column: 'created_at', days: 30 },
  { table: 'member_notice', column: 'occurred_at', days: 30 },
  { table: 'held_announcement', column: 'ended_at', days: 30 },
  { table: 'story', column: 'started_at', days: 30, owner: 'organization' },
  { table: 'flapping', column: 'ended_at', days: 30 },
  { table: 'page_notice', column: 'occurred_at', days: 30 },
  { table: 'probe', column: 'seen_at', days: PROBE_DAYS },
  { table: 'session', column: 'expires_at', days: 0 },
  { table: 'pending_sign_in', column: 'expires_at', days: 0, key: 'hash' },
  { table: 'used_challenge', column: 'expires_at', days: 0, key: 'challenge' },
  // Until then an expired link can still explain why it is invalid.
  { table: 'one_time_token', column: 'expires_at', days: 30 },
  {
    table: 'page_subscriber',
    column: 'requested_at',
    days: CONFIRM_DAYS,
    where: () => Prisma.sql`confirmed_at IS NULL`,
  },
  {
    table: 'endpoint_subscriber',
    column: 'requested_at',
    days: CONFIRM_DAYS,
    where: () => Prisma.sql`confirmed_at IS NULL`,
  },
];

/**
 * Deletes expired data: raw results after `rawDays` (never before they are rolled up), rollups after 400
 * days, and what `EXPIRIES` lists. Concurrent workers take different rows. Throws if a table to drop stays in
 * use; the next call continues.
 */
export async function applyRetention(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  { rawDays }: { rawDays: number },
): Promise<void> {
  const now = clock.now().getTime();
  const daysAgo = (days: number) => new Date(now - days * DAY_MS);
  for (const expiry of EXPIRIES) await deleteExpired(db, expiry, daysAgo(expiry.days ?? rawDays));
  // Last, since this can fail while a table is in use.
  const [progress] = await db.$queryRaw<{ until: Date }[]>`
    SELECT rolled_until AS until FROM raw.rollup_progress`;
  if (progress) {
    const rawEnd = Math.min(daysAgo(rawDays).getTime(), progress.until.getTime());
    await dropOldPartitions(db, 'check_result', new Date(rawEnd));
  }
  await dropOldPartitions(db, 'rollup_hour', daysAgo(ROLLUP_DAYS));
}

/** Deletes the rows that expired before `end`, in batches. All names come from `EXPIRIES`. */
async function deleteExpired(db: Database, { table, column, key = 'id', owner, where }: Expiry, end: Date) {
  const isOwn = owner ? `${owner}_id = ${owner}.id` : 'TRUE';
  const expired = Prisma.sql`
    SELECT ${Prisma.raw(key)} FROM ${Prisma.raw(table)}
     WHERE ${Prisma.raw(isOwn)} AND ${Prisma.raw(column)} < ${end} AND ${where?.(end) ?? Prisma.sql`TRUE`}
     ORDER BY ${Prisma.raw(column)} LIMIT ${BATCH} FOR UPDATE SKIP LOCKED`;
  const own = key.split(', ').map((column) => Prisma.raw(`own.${column}`));
  const keys = owner
    ? Prisma.sql`
        SELECT ${Prisma.join(own)} FROM ${Prisma.raw(owner)}
         CROSS JOIN LATERAL (${expired}) AS own LIMIT ${BATCH}`
    : expired;
  for (let batch = 0; batch < MAX_BATCHES; batch++) {
    const deleted = await db.$executeRaw`
      DELETE FROM ${Prisma.raw(table)} WHERE (${Prisma.raw(key)}) IN (${keys})`;
    if (deleted < BATCH) return;
  }
}

/**
 * Drops the partitions of a table in the schema "raw" that end at or before `end`: removes files, reads no
 * rows. Leaves them to the next call while a backup reads them. Throws if a table stays in use for two seconds; the next call drops
 * the rest.
 */
async function dropOldPartitions(db: Database, table: 'check_result' | 'rollup_hour', end: Date) {
  const old = await db.$queryRaw<{ name: string }[]>`
    SELECT relname AS name
      FROM pg_inherits JOIN pg_class ON oid = inhrelid
     WHERE inhparent = ${`raw.${table}`}::regclass
       AND substring(pg_get_expr(relpartbound, oid) FROM $$TO [(]'([^']+)'[)]$$)::timestamptz <= ${end}
     ORDER BY relname`;
  // A DROP that waits for a backup would hold up everyone who records.
  if (old.length > 0 && (await isBackupReading(db))) return;
  for (const { name } of old) {
    await db.$transaction([
      db.$executeRawUnsafe(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`),
      // Of two concurrent DROPs of a partition, PostgreSQL may refuse the second ("could not find tuple for
      // parent"), so workers take turns. The one before may have dropped it.
      db.$executeRaw`SELECT pg_advisory_xact_lock(${PARTITION_LOCK})`,
      db.$executeRawUnsafe(`DROP TABLE IF EXISTS raw."${name}"`),
    ]);
  }
}

async function isBackupReading(db: Database): Promise<boolean> {
  const rows = await db.$queryRaw`
    SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = ${BACKUP_LOCK}::int AND granted
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) LIMIT 1`;
  return Array.isArray(rows) && rows.length > 0;
}

/** The name of the partition of a day (UTC), in the schema raw. */
export function nameResultPartition(day: Date): string {
  return `check_result_${day.toISOString().slice(0, 10).replaceAll('-', '')}`;
}

/** Creates missing daily partitions from `daysBack` days ago to a week ahead. Concurrent workers take turns. */
export async function ensureResultPartitions(db: Database, now: Date, daysBack = 1): Promise<void> {
  const today = Math.floor(now.getTime() / DAY_MS);
  await db.$transaction(async (tx) => {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(${PARTITION_LOCK})`;
    for (let day = today - daysBack; day <= today + DAYS_AHEAD; day++) {
      const from = new Date(day * DAY_MS);
      const to = new Date((day + 1) * DAY_MS).toISOString();
      // Identifiers and bounds cannot be parameters; all of these are dates generated here.
      await tx.$executeRawUnsafe(
        `CREATE TABLE IF NOT EXISTS raw.${nameResultPartition(from)} PARTITION OF raw.check_result
         FOR VALUES FROM ('${from.toISOString()}') TO ('${to}')`,
      );
    }
  });
}
