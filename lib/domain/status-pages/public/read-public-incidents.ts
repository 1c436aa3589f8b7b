import { requireFound } from '@/lib/core/errors';
import type { Services } from '@/lib/domain/context/services';
import { namesIn, withName } from '@/lib/domain/incidents/automatic-texts';
import { pickImpacts } from '@/lib/domain/incidents/impacts';
import {
  ALL_INCIDENTS,
  affects,
  isPublished,
  type PageScope,
} from '@/lib/domain/status-pages/sections/page-scope';
import type { Database } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import { toMs } from '@/lib/platform/db/moment-columns';
import type { PublicIncident } from '@/lib/schemas/status-pages/public-status-page';

type OpenIncident = Pick<
  PublicIncident,
  'severity' | 'impacts' | 'automatic' | 'affectedMonitors' | 'affectedComponents'
> & { resolvedAt: null };

/** How long a page and its feeds show past incidents and maintenance. */
export const SHOWN_MS = 14 * 86_400_000;
/** Flapping monitors can have thousands in that time. The others are in the history. */
const MAX_PAST = 100;

/** The newest updates of an incident that are read, and their size. */
type UpdateBounds = { count: number; bytes: number };

const LISTED: UpdateBounds = { count: 100, bytes: 64 * 1024 };
const ALONE: UpdateBounds = { count: 1000, bytes: 1024 * 1024 };
const INCIDENT_ID = /^inc_[0-9a-z]+$/;

/** In epoch milliseconds. */
type Times = Record<'startedAt' | 'createdAt' | 'updatedAt', number> & { resolvedAt: number | null };
type Row = Omit<PublicIncident, keyof Times | 'updates'> &
  Times & {
    monitorId: string | null;
    hasPostmortem: boolean;
    stillFailing: string[];
    updates: (Omit<PublicIncident['updates'][number], 'createdAt'> & {
      createdAt: number;
      isOwn: boolean;
    })[];
  };

/** The incidents that a page with these monitors shows, newest first: open ones, and the newest 100 that ended within 14 days. */
export async function readPublicIncidents(
  { db }: Pick<Services, 'db'>,
  scope: PageScope,
  now: Date,
): Promise<PublicIncident[]> {
  const rows = await readRows(db, scope, currentAt(scope, now));
  return rows.map(serializer(scope));
}

/** An incident for people to read. */
export type ViewedIncident = PublicIncident & {
  /** Of one that is resolved: the monitors of the page whose outage was not over, and is not until now. */
  stillFailing: string[];
};

/** The same for people to read. */
export async function readViewedIncidents(
  { db }: Pick<Services, 'db'>,
  scope: PageScope,
  now: Date,
): Promise<ViewedIncident[]> {
  const rows = await readRows(db, scope, currentAt(scope, now));
  return rows.map(viewedSerializer(scope));
}

function currentAt(scope: PageScope, now: Date): Selection {
  const ended = Prisma.sql`resolved_at >= ${shownSince(now)}`;
  return {
    where: Prisma.sql`
      started_at <= ${now} AND (resolved_at IS NULL OR id IN (
        SELECT id FROM incident WHERE ${affects(scope)} AND started_at <= ${now} AND ${ended}
         ORDER BY started_at DESC, id DESC LIMIT ${MAX_PAST}))`,
  };
}

/** Of the incidents that a page shows, those that changed last, latest first, at most `limit`. */
export async function readChangedIncidents(
  { db }: Pick<Services, 'db'>,
  scope: PageScope,
  { now, limit }: { now: Date; limit: number },
): Promise<PublicIncident[]> {
  const where = overlaps(shownSince(now), now);
  const rows = await readRows(db, scope, { where, order: Prisma.sql`updated_at DESC, id DESC`, limit });
  return rows.map(serializer(scope));
}

function shownSince(now: Date): Date {
  return new Date(now.getTime() - SHOWN_MS);
}

type Period = { since: Date; until: Date; limit: number };

/** The incidents of a page that overlap the time from `since` to `until`, newest first, at most `limit`. */
export async function readIncidentsBetween(
  { db }: Pick<Services, 'db'>,
  scope: PageScope,
  { since, until, limit }: Period,
): Promise<PublicIncident[]> {
  const rows = await readRows(db, scope, { where: overlaps(since, until), limit });
  return rows.map(serializer(scope));
}

/** An incident in a list that links to its postmortem. */
export type ListedIncident = ViewedIncident & {
  /** Whether a postmortem is published. */
  hasPostmortem: boolean;
};

/** The same with whether each has a postmortem. */
export async function listIncidentsBetween(
  { db }: Pick<Services, 'db'>,
  scope: PageScope,
  { since, until, limit }: Period,
): Promise<ListedIncident[]> {
  const rows = await readRows(db, scope, { where: overlaps(since, until), limit });
  return rows.map(listedSerializer(scope));
}

function overlaps(since: Date, until: Date): Prisma.Sql {
  return Prisma.sql`started_at <= ${until} AND (resolved_at IS NULL OR resolved_at >= ${since})`;
}

/** What the open incidents about rows of a page mean for its state, in one query. */
export function readOpenIncidents(
  db: Pick<Database, '$queryRaw'>,
  scope: Omit<PageScope, 'names'>,
): Promise<OpenIncident[]> {
  return db.$queryRaw<OpenIncident[]>`${selectOpen(scope)}`;
}

/** The same for several pages, with the IDs of those on which each was published. */
export function readPublishableIncidents(
  db: Pick<Database, '$queryRaw'>,
  scope: Pick<PageScope, 'organizationId' | 'monitorIds' | 'componentIds'>,
): Promise<(OpenIncident & { publishedOn: string[] })[]> {
  const pages = Prisma.sql`,
    ARRAY(SELECT page_id FROM incident_publication WHERE incident_id = incident.id AND NOT hidden) AS "publishedOn"`;
  return db.$queryRaw`${selectOpen({ ...scope, publication: ALL_INCIDENTS }, pages)}`;
}

function selectOpen(scope: Omit<PageScope, 'names'>, more = Prisma.empty): Prisma.Sql {
  return Prisma.sql`
    SELECT severity::text AS severity, impacts, automatic, affected_monitors AS "affectedMonitors",
           affected_components AS "affectedComponents", resolved_at AS "resolvedAt" ${more}
      FROM incident
     WHERE ${affects(scope)} AND resolved_at IS NULL`;
}

/** When the first imported incident of a page started; null without any. In one query, with an index of imported ones. */
export async function readImportedSince(
  db: Pick<Database, '$queryRaw'>,
  scope: PageScope,
): Promise<Date | null> {
  const [first] = await db.$queryRaw<{ since: Date | null }[]>`
    SELECT min(started_at) AS since FROM incident WHERE ${affects(scope)} AND import_ref IS NOT NULL`;
  return first?.since ?? null;
}

/** The incidents of a page with these IDs, newest first. */
export async function listIncidentsById(
  { db }: Pick<Services, 'db'>,
  scope: PageScope,
  ids: readonly string[],
): Promise<ListedIncident[]> {
  if (ids.length === 0) return [];
  const rows = await readRows(db, scope, { where: Prisma.sql`id = ANY(${[...ids]})` });
  return rows.map(listedSerializer(scope));
}

/** One incident of a page, regardless of its age. Throws NOT_FOUND, also if it is not on this page. */
export async function readPageIncident(
  { db }: Pick<Services, 'db'>,
  scope: PageScope,
  id: string,
): Promise<ViewedIncident> {
  const own = { where: Prisma.sql`id = ${id}`, limit: 1, updates: ALONE };
  const [row] = INCIDENT_ID.test(id) ? await readRows(db, scope, own) : [];
  return viewedSerializer(scope)(requireFound(row, 'Incident'));
}

/** Which incidents are read, in which order, and how many; and which of their updates. */
type Selection = { where: Prisma.Sql; order?: Prisma.Sql; limit?: number; updates?: UpdateBounds };

const NEWEST = Prisma.sql`started_at DESC, id DESC`;

/** Includes the updates in one query: the client's own joins would double the cost of a page. */
function readRows(
  db: Pick<Database, '$queryRaw'>,
  scope: PageScope,
  { where, order = NEWEST, limit, updates: { count, bytes } = LISTED }: Selection,
): Promise<Row[]> {
  return db.$queryRaw<Row[]>`
    SELECT id, title, description, translations, status::text AS status, severity::text AS severity, impacts,
           affected_monitors AS "affectedMonitors", affected_components AS "affectedComponents", automatic,
           monitor_id AS "monitorId", postmortem_published_at IS NOT NULL AS "hasPostmortem",
           ARRAY(SELECT failing.monitor_id FROM status_period AS failing
                  WHERE failing.monitor_id = ANY(affected_monitors) AND failing.to_at IS NULL
                    AND failing.state IN ('down', 'degraded') AND failing.from_at < resolved_at) AS "stillFailing",
           ${toMs(Prisma.sql`started_at`)} AS "startedAt", ${toMs(Prisma.sql`created_at`)} AS "createdAt",
           ${toMs(Prisma.sql`updated_at`)} AS "updatedAt", ${toMs(Prisma.sql`resolved_at`)} AS "resolvedAt",
           (SELECT coalesce(json_agg(json_build_object(
                              'id', entry.id, 'status', entry.status, 'message', entry.message,
                              'translations', entry.translations, 'isOwn', entry.author IS NULL,
                              'createdAt', (extract(epoch FROM entry.created_at) * 1000)::bigint)
                              ORDER BY entry.created_at DESC, entry.id DESC), '[]')
              FROM (SELECT newest.*, sum(octet_length(message) + octet_length(translations::text))
                                       OVER (ORDER BY created_at DESC, id DESC) AS bytes
                      FROM (SELECT id, status, message, translations, author, created_at
                              FROM incident_update
                             WHERE incident_id = incident.id
                             ORDER BY created_at DESC, id DESC
                             LIMIT ${count}) AS newest) AS entry
             WHERE entry.bytes <= ${bytes}) AS updates
      FROM incident
     WHERE ${affects(scope)} AND ${where}
     ORDER BY ${order} LIMIT ${limit ?? null}`;
}

function viewedSerializer(scope: PageScope): (row: Row) => ViewedIncident {
  const serialize = serializer(scope);
  const shown = new Set(scope.monitorIds);
  return (row) => ({ ...serialize(row), stillFailing: row.stillFailing.filter((id) => shown.has(id)) });
}

function listedSerializer(scope: PageScope): (row: Row) => ListedIncident {
  const serialize = viewedSerializer(scope);
  return (row) => ({ ...serialize(row), hasPostmortem: row.hasPostmortem });
}

/** How incidents are shown on a page, whose rows are looked up: there can be thousands. */
function serializer(scope: PageScope): (row: Row) => PublicIncident {
  const [monitorIds, componentIds] = [new Set(scope.monitorIds), new Set(scope.componentIds)];
  const rowIds = new Set([...monitorIds, ...componentIds]);
  return ({ monitorId, hasPostmortem: _, stillFailing: __, ...row }) => {
    const rename = publicTextOf({ ...row, monitorId }, scope);
    return {
      ...row,
      title: rename(row.title),
      description: rename(row.description),
      affectedMonitors: row.affectedMonitors.filter((id) => monitorIds.has(id)),
      affectedComponents: row.affectedComponents.filter((id) => componentIds.has(id)),
      impacts: pickImpacts(row.impacts, rowIds),
      startedAt: toIso(row.startedAt),
      createdAt: toIso(row.createdAt),
      updatedAt: toIso(row.updatedAt),
      resolvedAt: row.resolvedAt === null ? null : toIso(row.resolvedAt),
      updates: row.updates.map(({ isOwn, ...update }) => ({
        ...update,
        message: isOwn ? rename(update.message) : update.message,
        createdAt: toIso(update.createdAt),
      })),
    };
  };
}

type Automatic = {
  automatic: boolean;
  monitorId: string | null;
  /** `isOwn`: written by the service. */
  updates: readonly { message: string; isOwn: boolean }[];
};

/** Puts the name that a page gives the monitor of an automatic incident in place of its own, in the texts of the service. */
export function publicTextOf(
  { automatic, monitorId, updates }: Automatic,
  { names }: Pick<PageScope, 'names'>,
): (text: string) => string {
  const name = automatic ? names.get(monitorId ?? '') : undefined;
  if (name === undefined) return (text) => text;
  const former = namesIn(updates.filter(({ isOwn }) => isOwn).map(({ message }) => message));
  return (text) => withName(text, former, name);
}

function toIso(ms: number): string {
  return new Date(ms).toISOString();
}

/** The names of monitors, when they were created, and whether they have corrections, in the order of `ids`. */
export function readMonitorNames(db: Pick<Database, '$queryRaw'>, ids: string[]) {
  return db.$queryRaw<{ id: string; name: string; createdAt: Date; isCorrected: boolean }[]>`
    SELECT id, name, created_at AS "createdAt", coalesce(is_corrected, false) AS "isCorrected"
      FROM monitor LEFT JOIN monitor_state ON monitor_id = id
     WHERE id = ANY(${ids}) ORDER BY array_position(${ids}, id)`;
}

/** How many incidents there were on a day, and how many of them people opened. */
export type IncidentCount = { all: number; byPeople: number };

/** Incidents by monitor ID and UTC day (`2026-03-10`); days without any have no entry. */
type IncidentDays = Map<string, Map<string, IncidentCount>>;

/** The incidents of monitors on each day from `since` to `now`, in one query. */
export async function readIncidentDays(
  db: Pick<Database, '$queryRaw'>,
  scope: PageScope,
  { since, now }: { since: Date; now: Date },
): Promise<IncidentDays> {
  const { organizationId, monitorIds } = scope;
  const days: IncidentDays = new Map();
  if (monitorIds.length === 0) return days;
  const rows = await db.$queryRaw<(IncidentCount & { monitorId: string; date: string })[]>`
    SELECT affected.id AS "monitorId", to_char(day, 'YYYY-MM-DD') AS date, count(*)::int AS "all",
           (count(*) FILTER (WHERE NOT automatic))::int AS "byPeople"
      FROM incident
     CROSS JOIN unnest(affected_monitors) AS affected (id)
     CROSS JOIN generate_series(date_trunc('day', greatest(started_at, ${since}::timestamptz) AT TIME ZONE 'UTC'),
                                least(resolved_at, ${now}::timestamptz) AT TIME ZONE 'UTC', interval '1 day') AS day
     WHERE organization_id = ${organizationId} AND affected_monitors && ${monitorIds}
       AND affected.id = ANY(${monitorIds}) ${isPublished(scope)}
       AND started_at <= ${now} AND (resolved_at IS NULL OR resolved_at >= ${since})
     GROUP BY 1, 2`;
  for (const { monitorId, date, all, byPeople } of rows) {
    const own = days.get(monitorId) ?? new Map<string, IncidentCount>();
    days.set(monitorId, own.set(date, { all, byPeople }));
  }
  return days;
}

/** Days with their incidents; days without any are not copied, because a page can have 1,800 of them. */
export function withIncidents<Day extends { date: string }>(
  days: Day[],
  counts: ReadonlyMap<string, IncidentCount> = new Map(),
): (Day & { incidents?: IncidentCount })[] {
  if (counts.size === 0) return days;
  return days.map((day) => {
    const incidents = counts.get(day.date);
    return incidents === undefined ? day : { ...day, incidents };
  });
}
