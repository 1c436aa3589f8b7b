import type { Services } from '@/lib/context/services';
import type { MonitorType } from '@/lib/db/generated/enums';
import { openRequest } from '@/lib/monitors/sealed-request';
import type { ProbeTarget } from '@/lib/probes/types';

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
};

type Row = Omit<ClaimedCheck, 'target'> &
  Omit<ProbeTarget, 'headers' | 'body' | 'type'> & {
    type: MonitorType;
    headersSealed: Uint8Array | null;
    bodySealed: Uint8Array | null;
  };

/** How many slots `schedulePlace` spreads monitors over. */
const SLOTS = 256;
/** Seconds that a lease outlives the check's timeout: time to record the result. */
const LEASE_MARGIN = 15;

/**
 * Claims at most `limit` due checks of a share, those due longest first. Rows that another process is claiming are
 * skipped, not waited for. The next check is put on the monitor's grid at once (the same arithmetic as `nextSlot`), so
 * that lateness never adds up. One index range of probe_schedule is read, and one monitor for each check: the LIMIT 1 keeps
 * the planner from reading all of them.
 */
export async function claimDueChecks(
  { db, keyring, clock }: Services,
  share: Share,
  { limit, workerId }: { limit: number; workerId: string },
): Promise<ClaimedCheck[]> {
  const now = clock.now();
  const { region } = share;
  const { first, last } = slotsOf(share);
  const rows = await db.$queryRaw<Row[]>`
    WITH due AS (
      SELECT monitor_id, region, next_check_at AS due_at
        FROM probe_schedule
       WHERE region = ${region} AND next_check_at <= ${now} AND (lease_until IS NULL OR lease_until < ${now})
         AND slot BETWEEN ${first}::int AND ${last}::int
       ORDER BY next_check_at
       LIMIT ${limit}
         FOR UPDATE SKIP LOCKED
    ), next AS (
      SELECT due.region, due.due_at, monitor.*, make_interval(secs => monitor.interval) AS span
        FROM due CROSS JOIN LATERAL (SELECT * FROM monitor WHERE id = due.monitor_id LIMIT 1) AS monitor
    )
    UPDATE probe_schedule AS schedule
       SET claim = gen_random_uuid(),
           claimed_by = ${workerId},
           lease_until = ${now}::timestamptz + make_interval(secs => next.timeout + ${LEASE_MARGIN}::int),
           next_check_at = grid_slot_after(${now}::timestamptz, next.interval, schedule.phase) +
             CASE WHEN grid_slot_after(${now}::timestamptz, next.interval, schedule.phase) - ${now}::timestamptz < span / 2
                  THEN span ELSE interval '0' END
      FROM next
     WHERE schedule.monitor_id = next.id AND schedule.region = next.region
    RETURNING schedule.monitor_id AS "monitorId", next.number AS "monitorNumber", schedule.region, schedule.claim::text AS claim,
              next.config_version AS "configVersion", next.due_at AS "dueAt", next.type::text AS type, next.url, next.method,
              next.headers_sealed AS "headersSealed", next.body_sealed AS "bodySealed", next.timeout,
              next.expected_status_code AS "expectedStatusCode", next.follow_redirects AS "followRedirects", next.keyword,
              next.tls_verify AS "tlsVerify"`;
  return rows.map((row) => {
    const {
      monitorId,
      monitorNumber,
      region: at,
      claim,
      configVersion,
      dueAt,
      headersSealed,
      bodySealed,
      ...rest
    } = row;
    const request = openRequest(keyring, monitorId, { headersSealed, bodySealed });
    return {
      monitorId,
      monitorNumber,
      region: at,
      claim,
      configVersion,
      dueAt,
      target: { ...rest, ...request },
    };
  });
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

/** The slots of a share, as a range: of `slot % shards` the planner knows nothing, and reads the whole table. */
function slotsOf({ shard, shards }: Share): { first: number; last: number } {
  const begin = (index: number) => Math.ceil((index * SLOTS) / shards);
  return { first: begin(shard), last: begin(shard + 1) - 1 };
}
