import { describeError } from '@/lib/core/errors';
import type { Logger } from '@/lib/core/logger';
import type { Services } from '@/lib/domain/context/services';
import {
  IS_TIMELY,
  IS_UNCONTESTED,
  numberIn,
  numberOf,
  resultMs,
  VOTE_SECONDS,
} from '@/lib/domain/monitors/last-checks';
import { type Columns, NO_SECRETS, readFields, selectFields } from '@/lib/domain/monitors/stored-fields';
import { goodDueAfter } from '@/lib/engine/checks/evidence/wanted-evidence';
import { Prisma } from '@/lib/platform/db/generated/client';
import { toMs } from '@/lib/platform/db/moment-columns';
import {
  columnOf,
  DECIDING_FIELDS,
  type DecidingField,
  PROBED_FIELDS,
  type ProbedField,
  SECRET_FIELDS,
} from '@/lib/schemas/monitor/fields';
import { OUTCOMES } from '@/lib/schemas/monitor/result';
import { isOwnRegionId } from '@/lib/schemas/regions';
import { failureOf } from '@/lib/state/routine';
import { listSlots, nextSlot } from '@/lib/state/schedule-grid';
import { type LatestResult, type StateConfig, toStateConfig } from '@/lib/state/types';
import { hostOf } from './host-of';
import type { Feed, ScheduledMonitor } from './scheduled-monitor';
import type { ShardSelection } from './shard-store';

const READ_FIELDS = [...new Set([...PROBED_FIELDS, ...DECIDING_FIELDS])];
const SECRET_COLUMNS = SECRET_FIELDS.map(columnOf);

/** Times are epoch milliseconds. `known` is what the state knows of the region, `latest` its newest stored result. */
type Row = Pick<
  ScheduledMonitor,
  'id' | 'number' | 'organizationId' | 'slot' | 'phase' | 'configVersion' | 'isContested'
> &
  Columns<ProbedField | DecidingField> & {
    nextCheckAt: number;
    knownStart: number | null;
    knownResult: number | null;
    certificateExpiresAt: number | null;
    /** What the state knows of its latest result, if that failed. */
    failure: Omit<LatestResult, 'kind'> | null;
    latestStart: number | null;
    latestOutcome: number | null;
    latestResult: number | null;
    awaitsRecovery: boolean;
    goodAt: number | null;
  };

/** Reads monitors as their owner needs them, with when they are due next. One that cannot be read is logged and left out. */
export async function loadMonitors(
  { db, keyring, clock }: Pick<Services, 'db' | 'keyring' | 'clock'>,
  { region, feed, log }: { region: string; feed: Feed; log: Logger },
  selection: ShardSelection,
): Promise<ScheduledMonitor[]> {
  const now = clock.now();
  const [{ rows } = { rows: null }] = await db.$queryRaw<{ rows: string | null }[]>(
    loadQuery(region, selection, now),
  );
  const parsed: Row[] = JSON.parse(rows ?? '[]');
  const intern = createIntern();
  return parsed.flatMap((row) => {
    try {
      return [toScheduled(keyring, row, { region, feed, intern, now: now.getTime() })];
    } catch (error) {
      log.error(
        { monitor: row.id, region, error: describeError(error) },
        'could not read a monitor; it is not checked',
      );
      return [];
    }
  });
}

/**
 * One JSON text, because thousands of rows are read at once. Results older than a vote do not matter: a monitor without a newer one
 * is overdue, and its next result is not routine. Nor do those that lie ahead because the clock was set back.
 */
export function loadQuery(region: string, selection: ShardSelection, now: Date): Prisma.Sql {
  const own = Prisma.sql`schedule.region`;
  const { shards, ids } = selection;
  const slots = shards.flatMap((shard) => listSlots(shard));
  const which = ids === undefined ? Prisma.empty : Prisma.sql`AND schedule.monitor_id = ANY(${[...ids]})`;
  // Whatever a row names: a probe of one organization must never get the targets of another.
  const whose = isOwnRegionId(region)
    ? Prisma.sql`AND monitor.organization_id = (SELECT organization_id FROM region WHERE id = ${region})`
    : Prisma.empty;
  return Prisma.sql`
    SELECT json_agg(monitors)::text AS rows FROM (
      SELECT schedule.monitor_id AS id, monitor.number, organization_id AS "organizationId", slot, phase,
             ${toMs(Prisma.sql`next_check_at`)} AS "nextCheckAt", monitor.config_version AS "configVersion",
             NOT ${IS_UNCONTESTED} AS "isContested",
             ${numberIn(own, 'startedAt')} AS "knownStart", ${numberIn(own, 'resultAt')} AS "knownResult",
             ${numberIn(own, 'latest', 'certificateExpiresAt')} AS "certificateExpiresAt",
             CASE WHEN machine #>> ARRAY['regions', ${own}, 'latest', 'kind'] = 'failed'
                  THEN machine #> ARRAY['regions', ${own}, 'latest'] END AS failure,
             coalesce((SELECT kind = 'failure'
                         FROM check_evidence
                        WHERE monitor_id = monitor.id
                          AND check_evidence.region = ${numberOf(own)}
                          AND kind <> 'good'
                        ORDER BY checked_at DESC
                        LIMIT 1), false) AS "awaitsRecovery",
             ${toMs(Prisma.sql`(SELECT checked_at
                                  FROM check_evidence
                                 WHERE monitor_id = monitor.id
                                   AND kind <> 'failure'
                                   AND checked_at > ${now}::timestamptz - interval '1 day'
                                 ORDER BY checked_at DESC
                                 LIMIT 1)`)} AS "goodAt",
             ${toMs(Prisma.sql`latest.checked_at`)} AS "latestStart", latest.outcome AS "latestOutcome",
             ${resultMs(Prisma.sql`latest`)} AS "latestResult", ${selectFields(READ_FIELDS)}
        FROM probe_schedule AS schedule
        JOIN monitor ON monitor.id = schedule.monitor_id
        JOIN monitor_state ON monitor_state.monitor_id = schedule.monitor_id
        LEFT JOIN LATERAL (
          SELECT checked_at, outcome, response_time, error_code
            FROM raw.check_result
           WHERE check_result.monitor = monitor.number
             AND check_result.region = ${numberOf(own)}
             AND ${IS_TIMELY}
             AND checked_at > ${now}::timestamptz - interval '1 second' * ${VOTE_SECONDS}
             AND checked_at < ${now}::timestamptz + interval '1 second' * interval
           ORDER BY checked_at DESC
           LIMIT 1) AS latest ON true
       WHERE schedule.region = ${region} AND monitor.enabled AND slot = ANY(${slots}::smallint[]) ${which} ${whose}
    ) AS monitors`;
}

function toScheduled(
  keyring: Services['keyring'],
  row: Row,
  { region, feed, intern, now }: { region: string; feed: Feed; intern: Intern; now: number },
): ScheduledMonitor {
  for (const column of SECRET_COLUMNS) restoreBytes(row, column);
  const { target, targetError } = decryptTarget(keyring, row);
  const config = intern(toStateConfig(row));
  // One literal without spreads: V8 gives each object that ends with one a layout of its own, half a kilobyte per monitor.
  return {
    id: row.id,
    number: row.number,
    organizationId: intern(row.organizationId),
    region,
    slot: row.slot,
    phase: row.phase,
    configVersion: row.configVersion,
    config,
    target,
    targetError,
    host: intern(hostOf(target)),
    dueAt: dueAfter(row, config, now),
    overdueSince: null,
    scheduledAt: row.nextCheckAt,
    begunAt: null,
    nextAt: 0,
    feed,
    isContested: row.isContested,
    lastResultAt: lastResultOf(row),
    certificateExpiresAt: row.certificateExpiresAt,
    failure: row.failure && failureOf(row.failure),
    decidedAt: row.knownStart,
    failedAt: row.failure && (lastResultOf(row) ?? row.knownResult),
    awaitsRecovery: row.awaitsRecovery,
    goodDueAt: goodDueAfter(row.goodAt, row, now),
    isOutdated: false,
    replacedBy: null,
  };
}

type Intern = ReturnType<typeof createIntern>;

/** Most monitors have the thresholds and the organization of many others: what is equal is kept in memory once. */
function createIntern() {
  const known = new Map<string, unknown>();
  return <Value extends StateConfig | string>(value: Value): Value => {
    const key = JSON.stringify(value);
    const found = known.get(key) ?? value;
    known.set(key, found);
    return found as Value;
  };
}

/** Bytes are in JSON as `\x` and hexadecimal digits. */
function restoreBytes(row: Row, column: keyof Row): void {
  const value: unknown = row[column];
  if (typeof value === 'string') Object.assign(row, { [column]: Buffer.from(value.slice(2), 'hex') });
}

/** The next slot after the latest check, or what was scheduled off the grid since; never more than one interval ago. */
function dueAfter(row: Row, { intervalMs, confirmMs }: StateConfig, now: number): number {
  const { latestStart, nextCheckAt, phase } = row;
  const earliest = now - intervalMs;
  if (latestStart === null || latestStart < nextCheckAt) return Math.max(nextCheckAt, earliest);
  return Math.max(nextSlot(latestStart, intervalMs, phase, confirmMs), earliest);
}

/** Null if the newest result was inconclusive: the next one is decided upon. */
function lastResultOf({
  knownStart,
  knownResult,
  latestStart,
  latestOutcome,
  latestResult,
}: Row): number | null {
  if (knownStart === null || latestStart === null || latestStart <= knownStart) return knownResult;
  return latestOutcome === OUTCOMES.indexOf('unknown') ? null : latestResult;
}

/** What to probe. Secrets that cannot be decrypted fail only the checks of their own monitor. */
export function decryptTarget(
  keyring: Services['keyring'],
  row: Columns<ProbedField> & { id: string },
): Pick<ScheduledMonitor, 'target' | 'targetError'> {
  try {
    return { target: readFields(keyring, row.id, PROBED_FIELDS, row), targetError: null };
  } catch (error) {
    const target = readFields(keyring, row.id, PROBED_FIELDS, { ...row, ...NO_SECRETS });
    return { target, targetError: describeError(error) };
  }
}
