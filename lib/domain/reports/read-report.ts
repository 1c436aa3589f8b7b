import { invalidState } from '@/lib/core/errors';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { readLedgers } from '@/lib/domain/monitors/history/periods';
import { readSilences } from '@/lib/domain/monitors/silence';
import { Prisma } from '@/lib/platform/db/generated/client';
import {
  MAX_MONITOR_DAYS,
  type Report,
  type ReportGroup,
  type ReportLine,
  type ReportQuery,
} from '@/lib/schemas/reports/report';
import { addUpCounted, countCorrected } from './count-uptime';
import { type FoundOutage, readOutages } from './read-outages';
import { readResponseTimes } from './read-response-times';
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
