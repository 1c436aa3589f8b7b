import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { describeError } from '@/lib/core/errors';
import type { Keyring } from '@/lib/core/keyring';
import type { Services } from '@/lib/domain/context/services';
import { SLOTS } from '@/lib/domain/monitors/probe-schedules';
import { type Columns, NO_SECRETS, readFields, selectFields } from '@/lib/domain/monitors/stored-fields';
import { Prisma } from '@/lib/platform/db/generated/client';
import {
  DECIDING_FIELDS,
  type DecidingField,
  PROBED_FIELDS,
  type ProbedField,
  type ProbeTarget,
} from '@/lib/schemas/monitor/fields';
import { type StateConfig, toStateConfig } from '@/lib/state/types';

/** The part of the schedule a worker processes: shard `shard` of `shards`, in one region. */
export type Share = { region: string; shard: number; shards: number };

/** A due check that only this process may run until the lease ends. */
export type ClaimedCheck = {
  monitorId: string;
  monitorNumber: number;
  organizationId: string;
  region: string;
  claim: string;
  configVersion: number;
  /** When it was due; lateness is measured from here. */
  dueAt: Date;
  /** Whether every result of the monitor is decided upon: see `recordRoutine`. */
  isContested: boolean;
  /** When the previous result of the region arrived, and the expiry of the certificate it saw. */
  lastResultAt: Date | null;
  certificateExpiresAt: Date | null;
  config: StateConfig;
  target: ProbeTarget;
  /** Why `target` lacks the monitor's headers and body; the monitor cannot be checked then. */
  targetError?: string;
};

/** Who claims, and how many at most. `batch` lets callers release claims whose response was lost. */
type Claimant = { limit: number; workerId: string; batch?: string };
/** `rowVersion` changes with every change of the monitor's row. */
type Row = Omit<ClaimedCheck, 'config' | 'target' | 'targetError'> &
  Columns<ProbedField | DecidingField> & { rowVersion: string };
const READ_FIELDS = [...new Set([...PROBED_FIELDS, ...DECIDING_FIELDS])];

/** Seconds that a lease outlives the timeout: time to hold the result for the outage watch and to record it. */
export const LEASE_MARGIN = 25;

/** The prefix of the claims of one statement; the monitor's number in twelve digits follows. */
export function createBatch(): string {
  return randomUUID().slice(0, -12);
}

/**
 * Claims at most `limit` due checks of a share, longest due first. Skips rows that another process is
 * claiming. Schedules the next check on the monitor's grid right away (the same arithmetic as `nextSlot`), so
 * that delays never accumulate.
 */
export async function claimDueChecks(
  { db, keyring, clock }: Services,
  share: Share,
  claimant: Claimant,
): Promise<ClaimedCheck[]> {
  const rows = await db.$queryRaw<Row[]>(claimQuery(share, claimant, clock.now()));
  return rows.map((row) => toClaimed(keyring, row));
}

type Decrypted = Pick<ClaimedCheck, 'target' | 'targetError'>;

type Kept = { rowVersion: string; decrypted: Decrypted };

/** Enough for 100,000 monitors without bodies. */
const MAX_KEPT_BYTES = 128 * 1024 * 1024;
/** Approximate memory of a target without its texts. */
const TARGET_BYTES = 1300;
/** Probes prepare what they can once per target, so it must stay the same object. */
const targets = new WeakMap<Keyring, LRUCache<string, Kept>>();

/** With the request that a probe prepares from it. */
function sizeOf({ decrypted: { target } }: Kept): number {
  const headers = Object.entries(target.headers).flat();
  const texts = [target.url, target.body ?? '', ...headers].reduce((sum, text) => sum + text.length, 0);
  return TARGET_BYTES + 2 * texts;
}

/** Secrets that cannot be decrypted fail only their own check, not the whole claim. */
function toClaimed(keyring: Services['keyring'], row: Row): ClaimedCheck {
  const { monitorId, monitorNumber, organizationId, region, claim, configVersion, dueAt } = row;
  const { isContested, lastResultAt, certificateExpiresAt } = row;
  const check = {
    ...{ monitorId, monitorNumber, organizationId, region, claim, configVersion, dueAt },
    ...{ isContested, lastResultAt, certificateExpiresAt, config: toStateConfig(row) },
  };
  return { ...check, ...decryptOnce(keyring, row) };
}

function decryptOnce(keyring: Keyring, row: Row): Decrypted {
  const known =
    targets.get(keyring) ?? new LRUCache<string, Kept>({ maxSize: MAX_KEPT_BYTES, sizeCalculation: sizeOf });
  targets.set(keyring, known);
  const found = known.get(row.monitorId);
  if (found?.rowVersion === row.rowVersion) return found.decrypted;
  const decrypted = decrypt(keyring, row);
  known.set(row.monitorId, { rowVersion: row.rowVersion, decrypted });
  return decrypted;
}

function decrypt(keyring: Keyring, row: Row): Decrypted {
  try {
    return { target: readFields(keyring, row.monitorId, PROBED_FIELDS, row) };
  } catch (error) {
    const target = readFields(keyring, row.monitorId, PROBED_FIELDS, { ...row, ...NO_SECRETS });
    return { target, targetError: describeError(error) };
  }
}

/**
 * Reads one range of the due-time index, and one schedule and monitor row per check. The planner
 * overestimates how many rows are due (its statistics are always outdated) and would scan both tables: ANY
 * and LIMIT 1 leave it no choice.
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
      RETURNING monitor_id, region, claim, is_contested, last_result_at, certificate_expires_at
    )
    SELECT taken.monitor_id AS "monitorId", monitor.number AS "monitorNumber", monitor.organization_id AS "organizationId",
           taken.region, taken.claim::text AS claim, is_contested AS "isContested", last_result_at AS "lastResultAt",
           certificate_expires_at AS "certificateExpiresAt",
           monitor.config_version AS "configVersion", due.due_at AS "dueAt", monitor.row_version AS "rowVersion",
           ${selectFields(READ_FIELDS)}
      FROM taken JOIN due ON due.monitor_id = taken.monitor_id
           CROSS JOIN LATERAL (
             SELECT *, xmin::text AS row_version FROM monitor WHERE id = taken.monitor_id LIMIT 1) AS monitor`;
}

/** When the next check of a share is due; null if none is scheduled. Ignores leased rows. */
export async function nextDueAt({ db, clock }: Services, share: Share): Promise<Date | null> {
  const { first, last } = slotsOf(share);
  const rows = await db.$queryRaw<{ dueAt: Date }[]>`
    SELECT next_check_at AS "dueAt" FROM probe_schedule
     WHERE region = ${share.region} AND slot BETWEEN ${first}::int AND ${last}::int
       AND (lease_until IS NULL OR lease_until < ${clock.now()})
     ORDER BY next_check_at LIMIT 1`;
  return rows[0]?.dueAt ?? null;
}

/** The inclusive slots of a share. With `slot % shards` the planner would scan the whole table. */
export function slotsOf({ shard, shards }: Share): { first: number; last: number } {
  const begin = (index: number) => Math.ceil((index * SLOTS) / shards);
  return { first: begin(shard), last: begin(shard + 1) - 1 };
}
