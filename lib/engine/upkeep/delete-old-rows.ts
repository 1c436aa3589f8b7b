import type { Database } from '@/lib/platform/db/client';

/** Rows a statement: small transactions that nobody waits for. */
const BATCH = 5000;
/** What is left after so many batches goes at the next call. */
const MOST_BATCHES = 200;

/**
 * Deletes the ledger's periods that ended before `end`; one that straddles it stays whole. One index range a monitor is
 * read, whatever is kept.
 */
export function deleteEndedPeriods(db: Database, end: Date): Promise<void> {
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
 * Deletes the events that occurred before `end` with their deliveries and tries, but for those that are still to be
 * delivered. One index range an organization is read.
 */
export function deleteOldEvents(db: Database, end: Date): Promise<void> {
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

/** Deletes what the audit log says of before `end`. One index range an organization is read. */
export function deleteOldAudit(db: Database, end: Date): Promise<void> {
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

/** Deletes the mails that were written before `end`, those that could not be sent included. */
export function deleteOldMail(db: Database, end: Date): Promise<void> {
  return inBatches(
    () => db.$executeRaw`
      DELETE FROM mail WHERE id IN (
        SELECT id FROM mail WHERE created_at < ${end} ORDER BY created_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)`,
  );
}

/** Deletes what members were told of, or were to be told of, before `end`. */
export function deleteOldNotices(db: Database, end: Date): Promise<void> {
  return inBatches(
    () => db.$executeRaw`
      DELETE FROM member_notice WHERE id IN (
        SELECT id FROM member_notice WHERE occurred_at < ${end} ORDER BY occurred_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)`,
  );
}

/** Deletes what subscribers were told of, or were to be told of, before `end`. */
export function deleteOldPageNotices(db: Database, end: Date): Promise<void> {
  return inBatches(
    () => db.$executeRaw`
      DELETE FROM page_notice WHERE id IN (
        SELECT id FROM page_notice WHERE occurred_at < ${end} ORDER BY occurred_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)`,
  );
}

/** Deletes the subscribers who were last asked for confirmation before `end` and have not given it. */
export function deleteUnconfirmedSubscribers(db: Database, end: Date): Promise<void> {
  return inBatches(
    () => db.$executeRaw`
      DELETE FROM page_subscriber WHERE id IN (
        SELECT id FROM page_subscriber WHERE confirmed_at IS NULL AND requested_at < ${end}
         ORDER BY requested_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)`,
  );
}

/** Deletes what is kept of maintenance that ended before `end`. */
export function deleteEndedOccurrences(db: Database, end: Date): Promise<void> {
  return inBatches(
    () => db.$executeRaw`
      DELETE FROM maintenance_occurrence WHERE (window_id, starts_at) IN (
        SELECT window_id, starts_at FROM maintenance_occurrence WHERE ended_at < ${end}
         ORDER BY ended_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)`,
  );
}

/** Deletes the sessions that expired before `end`. */
export function deleteExpiredSessions(db: Database, end: Date): Promise<void> {
  return inBatches(
    () => db.$executeRaw`
      DELETE FROM session WHERE id IN (
        SELECT id FROM session WHERE expires_at < ${end} ORDER BY expires_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)`,
  );
}

/** Deletes the one-time links that expired before `end`, used or not. */
export function deleteExpiredTokens(db: Database, end: Date): Promise<void> {
  return inBatches(
    () => db.$executeRaw`
      DELETE FROM one_time_token WHERE id IN (
        SELECT id FROM one_time_token WHERE expires_at < ${end} ORDER BY expires_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)`,
  );
}

async function inBatches(deleteBatch: () => Promise<number>): Promise<void> {
  for (let batch = 0; batch < MOST_BATCHES; batch++) {
    if ((await deleteBatch()) < BATCH) return;
  }
}
