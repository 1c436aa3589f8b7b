import { randomUUID } from 'node:crypto';
import { describeError } from '@/lib/core/errors';
import type { Services } from '@/lib/domain/context/services';
import { SLOTS } from '@/lib/domain/monitors/probe-schedules';
import { type Columns, NO_SECRETS, readFields, selectFields } from '@/lib/domain/monitors/stored-fields';
import { Prisma } from '@/lib/platform/db/generated/client';
import { PROBED_FIELDS, type ProbedField, type ProbeTarget } from '@/lib/schemas/monitor/fields';

/** Which part of the schedule a worker takes: shard `shard` of `shards`, in one region. */
export type Share = { region: string; shard: number; shards: number };

/** A check that is due and that this process alone may do, until the lease ends. */
export type ClaimedCheck = {
  monitorId: string;
  monitorNumber: number;
  region: string;
  claim: string;
  configVersion: number;
  /** When it was due: how late a check is counts from here. */
  dueAt: Date;
  target: ProbeTarget;
  /** Why `target` lacks the headers and the body of the monitor, which then cannot be checked. */
  targetError?: string;
};

/**
 * Who claims, and how many at most. `batch` is of `createBatch`, for a caller that may have to give back what it
 * never got.
 */
type Claimant = { limit: number; workerId: string; batch?: string };

type Row = Omit<ClaimedCheck, 'target' | 'targetError'> & Columns<ProbedField>;

/** Seconds that a lease outlives the check's timeout: time for the outage watch to hold the result, and to record it. */
const LEASE_MARGIN = 25;

/** What the claims of one statement begin with; each ends with the number of its monitor, in twelve digits. */
export function createBatch(): string {
  return randomUUID().slice(0, -12);
}

/**
 * Claims at most `limit` due checks of a share, those due longest first. Rows that another process is claiming are
 * skipped, not waited for. The next check is put on the monitor's grid at once (the same arithmetic as `nextSlot`), so
 * that lateness never adds up.
 */
export async function claimDueChecks(
  { db, keyring, clock }: Services,
  share: Share,
  claimant: Claimant,
): Promise<ClaimedCheck[]> {
  const rows = await db.$queryRaw<Row[]>(claimQuery(share, claimant, clock.now()));
  return rows.map((row) => toClaimed(keyring, row));
}

/** Secrets that cannot be decrypted fail their own check only, not the claim of all others. */
function toClaimed(keyring: Services['keyring'], row: Row): ClaimedCheck {
  const { monitorId, monitorNumber, region, claim, configVersion, dueAt } = row;
  const check = { monitorId, monitorNumber, region, claim, configVersion, dueAt };
  try {
    return { ...check, target: readFields(keyring, monitorId, PROBED_FIELDS, row) };
  } catch (error) {
    const target = readFields(keyring, monitorId, PROBED_FIELDS, { ...row, ...NO_SECRETS });
    return { ...check, target, targetError: describeError(error) };
  }
}

/**
 * Reads one range of the index of due times, and one row of schedule and monitor for each check. Planners expect far too
 * many rows to be due (their statistics of due times are always of the past) and would read both tables whole: ANY and
 * LIMIT 1 leave them no choice.
 */
export function claimQuery(
  share: Share,
  { limit, workerId, batch = createBatch() }: Claimant,
  now: Date,
): Prisma.Sql {
  const { region } = share;
  const { first, last } = slotsOf(share);
  return Prisma.sql`
    WITH due AS (
      SELECT monitor_id, next_check_at AS due_at
        FROM probe_schedule
       WHERE region = ${region} AND next_check_at <= ${now} AND (lease_until IS NULL OR lease_until < ${now})
         AND slot BETWEEN ${first}::int AND ${last}::int
       ORDER BY next_check_at
       LIMIT ${limit}
         FOR UPDATE SKIP LOCKED
    ), taken AS (
      UPDATE probe_schedule AS schedule
         SET claimed_by = ${workerId},
             (claim, lease_until, next_check_at) = (
               SELECT (${batch}::text || lpad(to_hex(number), 12, '0'))::uuid,
                      ${now}::timestamptz + make_interval(secs => timeout + ${LEASE_MARGIN}::int),
                      CASE WHEN next - ${now}::timestamptz < span / 2 THEN next + span ELSE next END
                 FROM monitor, make_interval(secs => interval) AS span,
                      grid_slot_after(${now}::timestamptz, interval, schedule.phase) AS next
                WHERE monitor.id = schedule.monitor_id)
       WHERE region = ${region} AND monitor_id = ANY(ARRAY(SELECT monitor_id FROM due))
      RETURNING monitor_id, region, claim
    )
    SELECT taken.monitor_id AS "monitorId", monitor.number AS "monitorNumber", taken.region, taken.claim::text AS claim,
           monitor.config_version AS "configVersion", due.due_at AS "dueAt", ${selectFields(PROBED_FIELDS)}
      FROM taken JOIN due ON due.monitor_id = taken.monitor_id
           CROSS JOIN LATERAL (SELECT * FROM monitor WHERE id = taken.monitor_id LIMIT 1) AS monitor`;
}

/** When the next check of a share is due; null when none is scheduled. Leased rows are left out. */
export async function nextDueAt({ db, clock }: Services, share: Share): Promise<Date | null> {
  const { first, last } = slotsOf(share);
  const rows = await db.$queryRaw<{ dueAt: Date }[]>`
    SELECT next_check_at AS "dueAt" FROM probe_schedule
     WHERE region = ${share.region} AND slot BETWEEN ${first}::int AND ${last}::int
       AND (lease_until IS NULL OR lease_until < ${clock.now()})
     ORDER BY next_check_at LIMIT 1`;
  return rows[0]?.dueAt ?? null;
}

/**
 * The slots of a share, as a range, both ends included: of `slot % shards` the planner would know nothing, and read
 * the whole table.
 */
export function slotsOf({ shard, shards }: Share): { first: number; last: number } {
  const begin = (index: number) => Math.ceil((index * SLOTS) / shards);
  return { first: begin(shard), last: begin(shard + 1) - 1 };
}
