import type { Services } from '@/lib/domain/context/services';
import { CONFIRM_DAYS } from '@/lib/domain/subscribers/subscribe';
import type { Database, Transaction } from '@/lib/platform/db/client';

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
const LEDGER_DAYS = 400;
const AUDIT_DAYS = 400;
const DELIVERY_DAYS = 30;
const MAIL_DAYS = 30;
/** Until then an expired link can still explain why it is invalid. */
const LINK_DAYS = 30;

/**
 * Deletes expired data: raw results after `rawDays` (never before they are rolled up); rollups, the ledger
 * with past maintenance, and the audit log after 400 days; events with their deliveries and attempts, mails,
 * notices, and expired links after 30; unconfirmed subscribers after 7; sessions when they expire. Concurrent
 * workers take different rows. Throws if a table to drop stays in use; the next call continues.
 */
export async function applyRetention(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  { rawDays }: { rawDays: number },
): Promise<void> {
  const now = clock.now().getTime();
  const daysAgo = (days: number) => new Date(now - days * DAY_MS);
  await deleteEndedPeriods(db, daysAgo(LEDGER_DAYS));
  await deleteEndedOccurrences(db, daysAgo(LEDGER_DAYS));
  await deleteOldAudit(db, daysAgo(AUDIT_DAYS));
  await deleteOldEvents(db, daysAgo(DELIVERY_DAYS));
  await deleteOldMail(db, daysAgo(MAIL_DAYS));
  await deleteOldNotices(db, daysAgo(MAIL_DAYS));
  await deleteExpiredSessions(db, daysAgo(0));
  await deleteExpiredTokens(db, daysAgo(LINK_DAYS));
  await deleteOldPageNotices(db, daysAgo(MAIL_DAYS));
  await deleteUnconfirmedSubscribers(db, daysAgo(CONFIRM_DAYS));
  // Last, since this can fail while a table is in use.
  const [progress] = await db.$queryRaw<{ until: Date }[]>`
    SELECT rolled_until AS until FROM raw.rollup_progress`;
  if (progress) {
    const rawEnd = Math.min(daysAgo(rawDays).getTime(), progress.until.getTime());
    await dropOldPartitions(db, 'check_result', new Date(rawEnd));
  }
  await dropOldPartitions(db, 'rollup_hour', daysAgo(ROLLUP_DAYS));
}

/**
 * Drops the partitions of a table in the schema "raw" that end at or before `end`: removes files, reads no
 * rows. Throws if a table stays in use for two seconds; the next call drops the rest.
 */
async function dropOldPartitions(
  db: Database,
  table: 'check_result' | 'rollup_hour',
  end: Date,
): Promise<void> {
  const old = await db.$queryRaw<{ name: string }[]>`
    SELECT relname AS name
      FROM pg_inherits JOIN pg_class ON oid = inhrelid
     WHERE inhparent = ${`raw.${table}`}::regclass
       AND substring(pg_get_expr(relpartbound, oid) FROM $$TO [(]'([^']+)'[)]$$)::timestamptz <= ${end}
     ORDER BY relname`;
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

/**
 * Deletes ledger periods that ended before `end`; one that straddles it is kept. Reads one index range per
 * monitor.
 */
function deleteEndedPeriods(db: Database, end: Date): Promise<void> {
  return inBatches(
    () => db.$executeRaw`
      DELETE FROM status_period WHERE id IN (
        SELECT period.id FROM monitor CROSS JOIN LATERAL (
          SELECT id FROM status_period
           WHERE monitor_id = monitor.id AND from_at < ${end} AND to_at <= ${end}
           ORDER BY from_at LIMIT ${BATCH}
             FOR UPDATE SKIP LOCKED) AS period
         LIMIT ${BATCH})`,
  );
}

/**
 * Deletes events that occurred before `end` with their deliveries and attempts, except those still to be
 * delivered. Reads one index range per organization.
 */
function deleteOldEvents(db: Database, end: Date): Promise<void> {
  return inBatches(
    () => db.$executeRaw`
      DELETE FROM outbox_event WHERE id IN (
        SELECT event.id FROM organization CROSS JOIN LATERAL (
          SELECT id FROM outbox_event
           WHERE organization_id = organization.id AND occurred_at < ${end}
             AND NOT EXISTS (SELECT FROM delivery WHERE event_id = outbox_event.id
                                AND (status = 'pending' OR manual_attempt_at IS NOT NULL))
           ORDER BY occurred_at LIMIT ${BATCH}
             FOR UPDATE SKIP LOCKED) AS event
         LIMIT ${BATCH})`,
  );
}

/** Deletes audit entries from before `end`. Reads one index range per organization. */
function deleteOldAudit(db: Database, end: Date): Promise<void> {
  return inBatches(
    () => db.$executeRaw`
      DELETE FROM audit_entry WHERE id IN (
        SELECT entry.id FROM organization CROSS JOIN LATERAL (
          SELECT id FROM audit_entry
           WHERE organization_id = organization.id AND at < ${end}
           ORDER BY at LIMIT ${BATCH}
             FOR UPDATE SKIP LOCKED) AS entry
         LIMIT ${BATCH})`,
  );
}

/** Deletes mails written before `end`, including those that could not be sent. */
function deleteOldMail(db: Database, end: Date): Promise<void> {
  return inBatches(
    () => db.$executeRaw`
      DELETE FROM mail WHERE id IN (
        SELECT id FROM mail WHERE created_at < ${end} ORDER BY created_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)`,
  );
}

/** Deletes member notices from before `end`, mailed or not. */
function deleteOldNotices(db: Database, end: Date): Promise<void> {
  return inBatches(
    () => db.$executeRaw`
      DELETE FROM member_notice WHERE id IN (
        SELECT id FROM member_notice WHERE occurred_at < ${end} ORDER BY occurred_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)`,
  );
}

/** Deletes subscriber notices from before `end`, mailed or not. */
function deleteOldPageNotices(db: Database, end: Date): Promise<void> {
  return inBatches(
    () => db.$executeRaw`
      DELETE FROM page_notice WHERE id IN (
        SELECT id FROM page_notice WHERE occurred_at < ${end} ORDER BY occurred_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)`,
  );
}

/** Deletes subscribers who were last asked for confirmation before `end` and have not confirmed. */
function deleteUnconfirmedSubscribers(db: Database, end: Date): Promise<void> {
  return inBatches(
    () => db.$executeRaw`
      DELETE FROM page_subscriber WHERE id IN (
        SELECT id FROM page_subscriber WHERE confirmed_at IS NULL AND requested_at < ${end}
         ORDER BY requested_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)`,
  );
}

/** Deletes maintenance occurrences that ended before `end`. */
function deleteEndedOccurrences(db: Database, end: Date): Promise<void> {
  return inBatches(
    () => db.$executeRaw`
      DELETE FROM maintenance_occurrence WHERE (window_id, starts_at) IN (
        SELECT window_id, starts_at FROM maintenance_occurrence WHERE ended_at < ${end}
         ORDER BY ended_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)`,
  );
}

/** Deletes the sessions that expired before `end`. */
function deleteExpiredSessions(db: Database, end: Date): Promise<void> {
  return inBatches(
    () => db.$executeRaw`
      DELETE FROM session WHERE id IN (
        SELECT id FROM session WHERE expires_at < ${end} ORDER BY expires_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)`,
  );
}

/** Deletes the one-time links that expired before `end`, used or not. */
function deleteExpiredTokens(db: Database, end: Date): Promise<void> {
  return inBatches(
    () => db.$executeRaw`
      DELETE FROM one_time_token WHERE id IN (
        SELECT id FROM one_time_token WHERE expires_at < ${end} ORDER BY expires_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)`,
  );
}

async function inBatches(deleteBatch: () => Promise<number>): Promise<void> {
  for (let batch = 0; batch < MAX_BATCHES; batch++) {
    if ((await deleteBatch()) < BATCH) return;
  }
}

/**
 * Creates missing daily partitions of raw.check_result from yesterday to a week ahead, so that a worker never
 * runs out of tables at midnight. Concurrent workers take turns.
 */
export function ensureResultPartitions(db: Database, now: Date): Promise<void> {
  return createResultPartitions(db, now, 1);
}

/** Creates missing daily partitions from `daysBack` days ago to a week ahead. */
export async function createResultPartitions(db: Database, now: Date, daysBack: number): Promise<void> {
  await db.$transaction(async (tx) => {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(${PARTITION_LOCK})`;
    await createMissing(tx, now, daysBack);
  });
}

async function createMissing(tx: Transaction, now: Date, daysBack: number): Promise<void> {
  const today = Math.floor(now.getTime() / DAY_MS);
  for (let day = today - daysBack; day <= today + DAYS_AHEAD; day++) {
    const from = new Date(day * DAY_MS).toISOString();
    const to = new Date((day + 1) * DAY_MS).toISOString();
    const name = `check_result_${from.slice(0, 10).replaceAll('-', '')}`;
    // Identifiers and bounds cannot be parameters; all of these are dates generated here.
    await tx.$executeRawUnsafe(
      `CREATE TABLE IF NOT EXISTS raw.${name} PARTITION OF raw.check_result FOR VALUES FROM ('${from}') TO ('${to}')`,
    );
  }
}
