import { LRUCache } from 'lru-cache';
import { isGroup, isProbed } from '@/lib/checks/types';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import type { Database } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import { toMs } from '@/lib/platform/db/moment-columns';
import type { Monitor } from '@/lib/schemas/monitor';
import type { RegionId } from '@/lib/schemas/regions';
import type { LatestResult } from '@/lib/state/types';
import { middleOfBucket } from '../history/read-latency';
import { IS_PROBED } from '../last-checks';
import { FLAPPING_SINCE, readCurrentMonitors, startOfUptime } from './current-monitors';
import { formatShortCause, shorten } from './short-cause';

const DAY_MS = 86_400_000;
/** Maximum number of cached monitors of all organizations. */
const MAX_CACHED = 200_000;

type Cached = { until: number; p95: ReadonlyMap<string, number> };

/** Rollup values by organization, valid until the next hour is rolled up. */
const cache = new WeakMap<Database, LRUCache<string, Cached>>();

type Reading = Pick<OrganizationContext, 'db' | 'clock' | 'organizationId'>;

const STRIP_LENGTH = 30;

type Columns = Pick<Monitor, 'name' | 'url' | 'type' | 'tags'> & {
  /** Seconds from the first failed check to the alert: see `alertDelay`. */
  alertsAfter: number;
};

/** What few rows have, in the columns that are read of each. */
type RareColumns = {
  /** The latest result of the region that is the reason for the status; null unless that is down or degraded. */
  cause: LatestResult | null;
  /** The same of a group: the rule that applied. */
  memberCause: string | null;
  /** Days before its expiry from which on a certificate is such a reason; null if never, or if the status is not degraded. */
  tlsExpiryDays: number | null;
  /** When the monitor was created, in epoch milliseconds; null if before the window of the uptime. */
  youngSince: number | null;
  /** Since when it flaps, in epoch milliseconds; null if it does not. */
  flappingSince: number | null;
};

/** The worst first. A status that is not operational has at least one such region, except where it is kept without votes. */
const CAUSE = Prisma.sql`CASE WHEN state.status IN ('down', 'degraded') THEN coalesce(
    jsonb_path_query_first(state.machine, '$.regions.* ? (@.verdict == "failing").latest ? (@.kind == "failed")'),
    jsonb_path_query_first(state.machine, '$.regions.* ? (@.verdict == "slow").latest ? (@.kind == "slow")')) END`;

const MEMBER_CAUSE = Prisma.sql`
  CASE WHEN state.status IN ('down', 'degraded') AND monitor.members <> '{}' THEN current.why->>'rule' END`;

const EXPIRY_DAYS = Prisma.sql`CASE WHEN state.status = 'degraded' THEN monitor.tls_expiry_days END`;

const COLUMNS = {
  name: Prisma.sql`monitor.name`,
  url: Prisma.sql`monitor.url`,
  type: Prisma.sql`monitor.type::text`,
  tags: Prisma.sql`monitor.tags`,
  alertsAfter: Prisma.sql`CASE WHEN ${IS_PROBED}
    THEN (monitor.alert_threshold - 1) * least(monitor.confirm_interval, monitor."interval") ELSE 0 END`,
} satisfies Record<keyof Columns, Prisma.Sql>;

/** A monitor in the list: no secrets, and only the fields that the list needs. */
export type MonitorOverview = Columns &
  Pick<Monitor, 'id' | 'enabled' | 'status' | 'maintenance' | 'noDataSince'> & {
    /** Over the trailing 30 days; null if unknown. */
    uptimePercentage: number | null;
    regions: readonly RegionId[];
    /** Epoch milliseconds, because few of thousands are ever shown; null before the first check. */
    lastCheckedAt: number | null;
    /** When its current state began, in epoch seconds: thousands of these are sent. Null if unknown. */
    changedAt: number | null;
    /** Milliseconds, over the last 24 hours; null without data. */
    p95: number | null;
    /** Why it is down or degraded: `connection refused`. Only where that is known, which saves bytes in thousands of rows. */
    cause?: string;
    /** When it was created, in epoch seconds: only if its uptime is that of a shorter time than 30 days. */
    youngSince?: number;
    /** Since when it flaps, in epoch seconds: only if it does. */
    flappingSince?: number;
    /** Whether it has members instead of checks: only if it does. The browser has no table of types for its list. */
    isGroup?: true;
  };

/** Every monitor of the organization for the list, in no order, in a fixed number of queries. */
export async function listOverviews(ctx: OrganizationContext): Promise<MonitorOverview[]> {
  requirePermission(ctx, 'monitor.read');
  const now = ctx.clock.now();
  const windowStart = startOfUptime(now);
  const createdAt = Prisma.sql`monitor.created_at`;
  const youngSince = Prisma.sql`CASE WHEN ${createdAt} > ${windowStart} THEN ${toMs(createdAt)} END`;
  const selection = {
    columns: {
      ...COLUMNS,
      cause: CAUSE,
      memberCause: MEMBER_CAUSE,
      tlsExpiryDays: EXPIRY_DAYS,
      youngSince,
      flappingSince: FLAPPING_SINCE,
    },
    where: Prisma.sql`monitor.organization_id = ${ctx.organizationId}`,
  };
  const [monitors, p95] = await Promise.all([
    readCurrentMonitors<Columns & RareColumns>(ctx.db, selection, now, windowStart),
    readP95(ctx),
  ]);
  return monitors.map(({ row, facts, silence, uptimePercentage }) => ({
    id: row.id,
    name: row.name,
    url: row.url,
    type: row.type,
    tags: row.tags,
    alertsAfter: row.alertsAfter,
    enabled: facts.enabled,
    status: facts.status,
    maintenance: facts.isInMaintenance,
    regions: isProbed(row) ? facts.regions : [],
    lastCheckedAt: silence.lastCheckedAt,
    noDataSince: silence.noDataSince?.toISOString() ?? null,
    uptimePercentage,
    changedAt: facts.period && toSeconds(facts.period.from),
    p95: p95.get(row.id) ?? null,
    ...rareFields(row, now),
    ...(isGroup(row) ? { isGroup: true as const } : {}),
  }));
}

function rareFields(
  { cause, memberCause, youngSince, flappingSince, ...config }: RareColumns,
  now: Date,
): Pick<MonitorOverview, 'cause' | 'youngSince' | 'flappingSince'> {
  const text = cause ? formatShortCause(cause, config, now) : memberCause && shorten(memberCause);
  return {
    ...(text === null ? {} : { cause: text }),
    ...(youngSince === null ? {} : { youngSince: toSeconds(youngSince) }),
    ...(flappingSince === null ? {} : { flappingSince: toSeconds(flappingSince) }),
  };
}

function toSeconds(ms: number): number {
  return Math.floor(ms / 1000);
}

/** The last checks of monitors by monitor ID, oldest first, as letters to save bandwidth. */
export type Strips = Readonly<Record<string, string>>;

/**
 * The last 30 checks of these monitors of the organization: `o` for ok, `s` for slow, `f` for failed, `u` for unknown; nothing for monitors
 * without checks. One query. They cost more than the rest of the list, so only those on the screen are read.
 */
export async function readStrips(ctx: OrganizationContext, ids: readonly string[]): Promise<Strips> {
  requirePermission(ctx, 'monitor.read');
  const rows = await ctx.db.$queryRaw<{ id: string; beats: string | null }[]>`
    SELECT monitor.id, strip.beats
      FROM monitor CROSS JOIN LATERAL (
             SELECT string_agg(CASE WHEN outcome = 1 THEN 'f'
                                    WHEN outcome = 2 THEN 'u'
                                    WHEN error_code IS NOT NULL THEN 's'
                                    WHEN response_time > monitor.degraded_threshold AND ${IS_PROBED} THEN 's'
                                    ELSE 'o' END, '' ORDER BY checked_at) AS beats
               FROM (SELECT checked_at, outcome, response_time, error_code FROM raw.check_result
                      WHERE check_result.monitor = monitor.number
                      ORDER BY checked_at DESC LIMIT ${STRIP_LENGTH}) AS beat) AS strip
     WHERE monitor.organization_id = ${ctx.organizationId} AND monitor.id = ANY(${[...ids]})`;
  return Object.fromEntries(rows.map(({ id, beats }) => [id, beats ?? '']));
}

/**
 * The 95th percentile of response times over the last 24 hours, in milliseconds by monitor ID; from rolled-up hours, or from raw
 * results for newer monitors. One query, and another once per hour.
 */
async function readP95(reading: Reading): Promise<Map<string, number>> {
  const since = new Date(reading.clock.now().getTime() - DAY_MS);
  const [row] = await reading.db.$queryRaw<
    [{ until: Date; isRolled: boolean; young: Record<string, number> }]
  >(youngQuery(reading.organizationId, since));
  const rolled = row.isRolled ? await readRolledOnce(reading, row.until) : [];
  return new Map([...rolled, ...Object.entries(row.young)]);
}

async function readRolledOnce({ db, organizationId }: Reading, until: Date) {
  const own =
    cache.get(db) ?? new LRUCache({ maxSize: MAX_CACHED, sizeCalculation: ({ p95 }) => p95.size + 1 });
  cache.set(db, own);
  const known = own.get(organizationId);
  if (known?.until === until.getTime()) return known.p95;
  const from = new Date(until.getTime() - DAY_MS);
  const rows = await db.$queryRaw<{ id: string; bucket: number }[]>(rolledQuery(organizationId, from, until));
  const p95 = new Map(rows.map(({ id, bucket }) => [id, Math.round(middleOfBucket(bucket))]));
  own.set(organizationId, { until: until.getTime(), p95 });
  return p95;
}

/** Adds up the histograms in the database and returns only the bucket of the percentile: one row per monitor. */
function rolledQuery(organizationId: string, from: Date, until: Date): Prisma.Sql {
  return Prisma.sql`
    WITH times AS (
      SELECT monitor.id, entry >> 24 AS bucket, sum(entry & 16777215) AS n
        FROM monitor JOIN raw.rollup_hour ON rollup_hour.monitor = monitor.number, unnest(latency) AS entry
       WHERE organization_id = ${organizationId} AND hour >= ${from} AND hour < ${until}
       GROUP BY 1, 2
    ), counted AS (
      SELECT id, bucket, sum(n) OVER (PARTITION BY id ORDER BY bucket) AS seen, sum(n) OVER (PARTITION BY id) AS total
        FROM times
    )
    SELECT id, min(bucket)::int AS bucket FROM counted WHERE seen >= ceil(0.95 * total) GROUP BY id`;
}

/** Until when results are rolled up, and the percentiles of monitors created since: at most a few hours of raw results. */
function youngQuery(organizationId: string, since: Date): Prisma.Sql {
  return Prisma.sql`
    SELECT until, "isRolled",
           (SELECT coalesce(json_object_agg(id, p95), '{}')
              FROM (SELECT monitor.id, percentile_disc(0.95) WITHIN GROUP (ORDER BY response_time) AS p95
                      FROM monitor
                      JOIN raw.check_result ON check_result.monitor = monitor.number
                     WHERE organization_id = ${organizationId}
                       AND created_at >= until
                       AND checked_at >= until
                       AND outcome = 0
                     GROUP BY 1) AS young) AS young
      FROM (SELECT greatest(max(rolled_until), ${since}::timestamptz) AS until, count(*) > 0 AS "isRolled"
              FROM raw.rollup_progress) AS progress`;
}
