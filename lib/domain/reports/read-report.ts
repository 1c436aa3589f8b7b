import { invalidState } from '@/lib/core/errors';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { readLedgers } from '@/lib/domain/monitors/history/periods';
import { BUCKET_STARTS, latencyOf, unpackHistogram } from '@/lib/domain/monitors/history/read-latency';
import { readSilences } from '@/lib/domain/monitors/silence';
import type { Database } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import { whySchema } from '@/lib/schemas/monitor/transition';
import {
  MAX_MONITOR_DAYS,
  type Report,
  type ReportGroup,
  type ReportLine,
  type ReportOutage,
  type ReportQuery,
} from '@/lib/schemas/reports/report';
import { addUpCounted, type CountedOutage, countCorrected } from './count-uptime';
import { type ReportRange, reportRange } from './report-range';

type MonitorRow = { id: string; name: string; tags: string[] };
type SectionRow = { name: string; monitors: string[] };

const DAY = 86_400_000;

/** The newest outages of a report. */
export const MAX_OUTAGES = 1000;

/**
 * Uptime and response times of the organization's monitors over some days, with every outage: computed from the ledger with its corrections, so it
 * equals what pages and charts show; what was measured is next to it. Monitors that were deleted are not in it. Throws FORBIDDEN, and VALIDATION_ERROR for days that cannot be
 * reported, or more than 40,000 monitor days.
 */
export async function readReport(ctx: OrganizationContext, query: ReportQuery): Promise<Report> {
  requirePermission(ctx, 'monitor.read');
  const { db } = ctx;
  const now = ctx.clock.now();
  const range = reportRange(query, now);
  const monitors = await db.$queryRaw<MonitorRow[]>`
    SELECT id, name, tags FROM monitor WHERE ${covered(ctx.organizationId, query)} ORDER BY lower(name), id`;
  requireSize(monitors.length, range);
  const ids = monitors.map(({ id }) => id);
  const silences = await readSilences(db, ids, now);
  const wanted = Prisma.sql`SELECT unnest(${ids}::text[])`;
  const ledgers = await readLedgers(db, wanted, { since: range.from, now: range.until, silences });
  const checksOf = await readResponseTimes(db, ids, range);
  const outages: FoundOutage[] = [];
  const lines = monitors.map(({ id, name, tags }) => {
    const ledger = ledgers.get(id) ?? { measured: [], corrections: [] };
    const own = countCorrected(ledger, { range, target: query.target });
    outages.push(...own.outages.map((outage) => ({ ...outage, monitorId: id })));
    return { monitorId: id, name, tags, ...own.counted, ...checksOf(id) };
  });
  const newest = outages.sort((a, b) => b.from.getTime() - a.from.getTime()).slice(0, MAX_OUTAGES);
  return {
    from: range.from.toISOString(),
    to: range.to.toISOString(),
    until: range.until.toISOString(),
    timeZone: query.timeZone,
    target: query.target,
    total: { monitors: lines.length, ...addUpCounted(lines) },
    monitors: lines,
    tags: addUpTags(lines),
    sections: addUpSections(lines, await readSections(ctx, query.statusPage)),
    outages: await readOutages(ctx, newest),
  };
}

function addUpTags(lines: readonly ReportLine[]): ReportGroup[] {
  const byTag = new Map<string, ReportLine[]>();
  for (const line of lines) {
    for (const tag of line.tags) byTag.set(tag, [...(byTag.get(tag) ?? []), line]);
  }
  return [...byTag]
    .sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }))
    .map(([tag, own]) => addUpGroup(tag, own));
}

function addUpSections(lines: readonly ReportLine[], sections: readonly SectionRow[]): ReportGroup[] {
  return sections.flatMap(({ name, monitors }) => {
    const own = lines.filter(({ monitorId }) => monitors.includes(monitorId));
    return own.length > 0 ? [addUpGroup(name, own)] : [];
  });
}

function addUpGroup(name: string, lines: readonly ReportLine[]): ReportGroup {
  return { name, monitors: lines.length, ...addUpCounted(lines) };
}

/** The sections of a status page, each with the IDs of its monitors; none if the organization has no such page. */
async function readSections(
  { db, organizationId }: OrganizationContext,
  statusPage: string | undefined,
): Promise<SectionRow[]> {
  if (statusPage === undefined) return [];
  return db.$queryRaw<SectionRow[]>`
    SELECT section->>'name' AS name,
           ARRAY(SELECT item->>'monitorId' FROM jsonb_array_elements(section->'items') AS item
                  WHERE item->>'monitorId' IS NOT NULL) AS monitors
      FROM status_page CROSS JOIN jsonb_array_elements(sections) WITH ORDINALITY AS listed (section, place)
     WHERE id = ${statusPage} AND organization_id = ${organizationId} ORDER BY place`;
}

/** The condition for the monitors of a report. */
function covered(
  organizationId: string,
  { tag, monitor, statusPage }: Pick<ReportQuery, 'tag' | 'monitor' | 'statusPage'>,
): Prisma.Sql {
  const conditions = [
    Prisma.sql`organization_id = ${organizationId}`,
    ...(tag === undefined ? [] : [Prisma.sql`${tag} = ANY(tags)`]),
    ...(monitor === undefined ? [] : [Prisma.sql`id = ${monitor}`]),
    ...(statusPage === undefined
      ? []
      : [Prisma.sql`id IN (SELECT monitor_id FROM status_page_monitor WHERE page_id = ${statusPage})`]),
  ];
  return Prisma.join(conditions, ' AND ');
}

function requireSize(monitors: number, { from, until }: ReportRange): void {
  const days = Math.ceil((until.getTime() - from.getTime()) / DAY);
  if (monitors * days <= MAX_MONITOR_DAYS) return;
  throw invalidState(
    `A report covers at most ${MAX_MONITOR_DAYS.toLocaleString('en')} days of monitors; ${days} days of ${monitors} monitors are more. Choose fewer days, a tag or a status page.`,
  );
}

/** What a report states about the checks of a monitor. */
type Checks = Pick<ReportLine, 'checks' | 'failures' | 'responseTime'>;

type Row = { id: string; checks: number; failures: number; latency: number[] };

/** A year of one is half a second of PostgreSQL: others get their turn in between. */
const BATCH = 100;
const HOUR = 3_600_000;
const NO_CHECKS: Checks = { checks: 0, failures: 0, responseTime: { p50: null, p95: null, p99: null } };

/** The checks of monitors within a report, by monitor ID: one query per hundred monitors. */
async function readResponseTimes(
  db: Pick<Database, '$queryRaw'>,
  monitorIds: readonly string[],
  range: ReportRange,
): Promise<(id: string) => Checks> {
  const found = new Map<string, Checks>();
  for (let start = 0; start < monitorIds.length; start += BATCH) {
    const batch = monitorIds.slice(start, start + BATCH);
    for (const { id, latency, ...counts } of await db.$queryRaw<Row[]>(checksQuery(batch, range))) {
      found.set(id, { ...counts, responseTime: latencyOf(unpackHistogram(latency)) });
    }
  }
  return (id) => found.get(id) ?? NO_CHECKS;
}

/** Rollups, and raw results for hours that are not rolled up yet. */
function checksQuery(monitorIds: readonly string[], { from, until }: ReportRange): Prisma.Sql {
  const first = new Date(Math.ceil(from.getTime() / HOUR) * HOUR);
  return Prisma.sql`
    WITH wanted AS MATERIALIZED (
      SELECT id, number FROM monitor WHERE id = ANY(${[...monitorIds]})
    ), progress AS MATERIALIZED (
      SELECT greatest(max(rolled_until), ${first}) AS until FROM raw.rollup_progress
    ), hours AS MATERIALIZED (
      SELECT id, checks, failures, latency FROM wanted
        JOIN raw.rollup_hour ON monitor = number AND hour >= ${first} AND hour < ${until}
                            AND hour < (SELECT until FROM progress)
       UNION ALL
      SELECT id, 1, (outcome = 1)::int,
             CASE WHEN outcome = 0 AND response_time IS NOT NULL
                  THEN ARRAY[(width_bucket(response_time, ${BUCKET_STARTS}::int[]) << 24) + 1] ELSE '{}' END
        FROM wanted
        JOIN raw.check_result ON monitor = number
                             AND checked_at >= (SELECT until FROM progress)
                             AND checked_at < ${until}
       WHERE outcome < 2
    ), counts AS (
      SELECT id, sum(checks)::int AS checks, sum(failures)::int AS failures
        FROM hours
       GROUP BY id
    ), times AS (
      SELECT id, entry >> 24 AS class, sum(entry & 16777215)::int AS n
        FROM hours, unnest(latency) AS entry
       GROUP BY 1, 2
    ), latencies AS (
      SELECT id, array_agg((class << 24) + least(n, 16777215)) AS latency
        FROM times
       GROUP BY 1
    )
    SELECT id, checks, failures, coalesce(latency, '{}') AS latency
      FROM counts
      LEFT JOIN latencies USING (id)`;
}

/** An outage of a monitor. */
type FoundOutage = CountedOutage & { monitorId: string };

type OutageRow = { place: bigint; why: unknown; incidentId: string | null };

/**
 * Outages with their causes and incidents, in the order given, in one query. Corrections can begin, extend, cut and join outages: each has the
 * cause of the first measured downtime that overlaps it, and of the incidents that do the one that was opened closest to its start.
 */
async function readOutages(
  { db, organizationId }: Pick<OrganizationContext, 'db' | 'organizationId'>,
  outages: readonly FoundOutage[],
): Promise<ReportOutage[]> {
  if (outages.length === 0) return [];
  const ids = outages.map(({ monitorId }) => monitorId);
  const starts = outages.map(({ from }) => from);
  const ends = outages.map(({ to }) => to);
  const rows = await db.$queryRaw<OutageRow[]>`
    WITH opened AS MATERIALIZED (
      SELECT id, monitor_id, started_at, resolved_at FROM incident
       WHERE organization_id = ${organizationId} AND monitor_id = ANY(${[...new Set(ids)]})
    )
    SELECT place, why,
           (SELECT id FROM opened
             WHERE opened.monitor_id = outage.monitor_id AND started_at < coalesce(outage.to_at, 'infinity')
               AND (resolved_at IS NULL OR resolved_at > outage.from_at)
             ORDER BY greatest(started_at - outage.from_at, outage.from_at - started_at) LIMIT 1) AS "incidentId"
      FROM unnest(${ids}::text[], ${starts}::timestamptz[], ${ends}::timestamptz[])
             WITH ORDINALITY AS outage (monitor_id, from_at, to_at, place)
           LEFT JOIN LATERAL (
             SELECT why
               FROM status_period AS period
              WHERE period.monitor_id = outage.monitor_id
                AND state = 'down'
                AND from_at < coalesce(outage.to_at, 'infinity')
                AND (period.to_at IS NULL OR period.to_at > outage.from_at)
                -- Periods have no gaps: the last one that started by then is the first that overlaps.
                AND from_at >= coalesce((SELECT max(earlier.from_at)
                                           FROM status_period AS earlier
                                          WHERE earlier.monitor_id = outage.monitor_id
                                            AND earlier.from_at <= outage.from_at),
                                        '-infinity')
              ORDER BY from_at
              LIMIT 1) AS cause ON true`;
  const found = new Map(rows.map((row) => [Number(row.place) - 1, row]));
  return outages.map(({ monitorId, from, to, downMs }, place) => {
    const { why = null, incidentId = null } = found.get(place) ?? {};
    return {
      monitorId,
      startedAt: from.toISOString(),
      endedAt: to?.toISOString() ?? null,
      downMs,
      cause: causeOf(why),
      incidentId,
    };
  });
}

/** What the first failing region saw. */
function causeOf(stored: unknown): string | null {
  if (stored === null) return null;
  const { regions } = whySchema.parse(stored);
  const failing = regions.find(({ verdict, error }) => verdict === 'failing' && error !== null);
  return failing?.error?.message ?? null;
}
