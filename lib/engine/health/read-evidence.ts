import type { Pool, QueryResultRow } from 'pg';
import { earliest } from '@/lib/core/time/clock';
import { overdueQuery, REGIONS_IN_USE } from '@/lib/engine/checks/shards/leases';
import { isFree, isScheduled, KNOWN_ENDPOINTS } from '@/lib/engine/deliveries/find-deliveries';
import { overdueDeadlineQuery } from '@/lib/engine/heartbeats/miss-deadlines';
import { Prisma } from '@/lib/platform/db/generated/client';
import { compareRegions, isRegionId } from '@/lib/schemas/regions';
import type { HealthEvidence, WorkerEvidence } from './judge-health';

/** Due work of one organization; `isAttempted`: some of it is being attempted right now. */
export type DueWork = { key: string; dueSince: Date; isAttempted: boolean };

/** The evidence before backlogs are judged, which takes several readings: see `createBacklogWatch`. */
export type RawEvidence = Omit<HealthEvidence, 'deliveries' | 'mail'> & {
  deliveries: DueWork[];
  mail: DueWork[];
};

/** Work due for less than this is ignored. */
const NOTICED_SECONDS = 10;
/** How much of an endpoint's backlog is read: attempts in progress are near its start. */
const DEPTH = 200;
const MAX_ENDPOINTS = 2000;

/** Reads the evidence in a few indexed statements, sequentially so that the first failure ends it. */
export async function readEvidence(pool: Pool, now: Date): Promise<RawEvidence> {
  const read = async <Row extends QueryResultRow>(query: Prisma.Sql): Promise<Row[]> =>
    (await pool.query<Row>(query.text, query.values)).rows;
  const workers = await read<WorkerEvidence>(Prisma.sql`
    SELECT regions, duties, started_at AS "startedAt", seen_at AS "seenAt", pending_since AS "pendingSince",
           inngest_silent_since AS "inngestSilentSince", cut_off_at AS "cutOffAt", dropped_results AS "droppedResults",
           silent_canary_at AS "silentCanaryAt", coalesce(jobs, '[]') AS jobs FROM worker`);
  const presence = await read<{ region: string | null; servedAt: Date }>(Prisma.sql`
    SELECT region, served_at AS "servedAt" FROM region_presence
    UNION ALL SELECT NULL, served_at FROM duties_presence WHERE duties = 'all'`);
  const used = (await read<{ region: string }>(REGIONS_IN_USE)).map(({ region }) => region);
  const regions = await read<HealthEvidence['regions'][number]>(
    overdueQuery(used.filter(isRegionId).toSorted(compareRegions), now),
  );
  const [deadline] = await read<{ since: Date }>(overdueDeadlineQuery(now));
  const [backlog] = await read<{ hasDeliveries: true | null; mail: Date | null; isMailing: boolean }>(
    backlogQuery(now),
  );
  const [backups = null] = await read<NonNullable<HealthEvidence['backups']>>(Prisma.sql`
    SELECT watched_at AS "watchedAt", succeeded_at AS "succeededAt", failed_at AS "failedAt" FROM scheduled_backup`);
  const deliveries = backlog?.hasDeliveries ? await read<DueWork>(waitingDeliveriesQuery(now)) : [];
  const mail = backlog?.mail ? [{ key: 'mail', dueSince: backlog.mail, isAttempted: backlog.isMailing }] : [];
  return {
    workers,
    regionServedAt: new Map(
      presence.flatMap(({ region, servedAt }) => (region === null ? [] : [[region, servedAt]])),
    ),
    homeServedAt: presence.find(({ region }) => region === null)?.servedAt ?? null,
    regions,
    deadlineSince: deadline?.since ?? null,
    deliveries,
    mail,
    backups,
  };
}

/** Whether anything has been waiting, which is rare. Ordered, so that the time indexes are used. */
export function backlogQuery(now: Date): Prisma.Sql {
  const noticed = Prisma.sql`${now}::timestamptz - make_interval(secs => ${NOTICED_SECONDS}::int)`;
  return Prisma.sql`
    SELECT (SELECT true FROM delivery
             WHERE ${isScheduled(now)} AND delivery.next_attempt_at < ${noticed} AND ${isFree(now)}
             ORDER BY next_attempt_at LIMIT 1) AS "hasDeliveries",
           (SELECT next_attempt_at FROM mail
             WHERE next_attempt_at < ${noticed} AND (lease_until IS NULL OR lease_until < ${now})
             ORDER BY next_attempt_at LIMIT 1) AS mail,
           EXISTS (SELECT 1 FROM (
             SELECT lease_until FROM mail WHERE next_attempt_at IS NOT NULL
              ORDER BY priority, next_attempt_at, id LIMIT ${DEPTH}) AS first
             WHERE lease_until >= ${now}) AS "isMailing"`;
}

/**
 * The due deliveries of each organization, and whether one is being attempted: then the others are waiting
 * for a slow receiver. Walks the index of waiting endpoints and reads only the start of each backlog.
 */
export function waitingDeliveriesQuery(now: Date): Prisma.Sql {
  return Prisma.sql`
    WITH RECURSIVE ${KNOWN_ENDPOINTS}, waiting AS (
      SELECT first.* FROM (SELECT endpoint_id FROM known WHERE endpoint_id IS NOT NULL LIMIT ${MAX_ENDPOINTS}) AS known
        CROSS JOIN LATERAL (
          SELECT organization_id, next_attempt_at, manual_attempt_at, lease_until FROM delivery
           WHERE status = 'pending' AND delivery.endpoint_id BETWEEN known.endpoint_id AND known.endpoint_id
           ORDER BY delivery.endpoint_id, (failures > 0), next_attempt_at LIMIT ${DEPTH}) AS first
    )
    SELECT organization_id AS key,
           min(next_attempt_at) FILTER (
             WHERE next_attempt_at <= ${now} AND (lease_until IS NULL OR lease_until < ${now})) AS "dueSince",
           coalesce(bool_or(lease_until >= ${now}), false) AS "isAttempted"
      FROM waiting WHERE manual_attempt_at IS NULL OR lease_until >= ${now} GROUP BY organization_id
    HAVING min(next_attempt_at) FILTER (
             WHERE next_attempt_at <= ${now} AND (lease_until IS NULL OR lease_until < ${now}))
           < ${now}::timestamptz - make_interval(secs => ${NOTICED_SECONDS}::int)`;
}

/**
 * Judges backlogs over several readings. Remembers when each organization's work was last being attempted: at the moment when all attempts at a slow
 * receiver end together, nothing is attempted, and that alone means nothing.
 */
export function createBacklogWatch() {
  let attemptedAt = new Map<string, Date>();
  return {
    /** When the oldest work that is not being attempted became due or was last attempted; null: none. */
    look: (work: DueWork[], now: Date) => {
      attemptedAt = new Map(
        work.flatMap(({ key, isAttempted }) => {
          const last = isAttempted ? now : attemptedAt.get(key);
          return last === undefined ? [] : [[key, last]];
        }),
      );
      const since = work.map(({ key, dueSince }) => {
        const last = attemptedAt.get(key);
        return last !== undefined && last > dueSince ? last : dueSince;
      });
      return { unattemptedSince: earliest(since) };
    },
  };
}
