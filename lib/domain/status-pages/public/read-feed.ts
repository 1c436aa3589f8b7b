import type { Services } from '@/lib/domain/context/services';
import type { PageRow } from '@/lib/domain/status-pages/page-row';
import { listRows, withPageNames } from '@/lib/domain/status-pages/sections/list-rows';
import { affects, type PageScope, scopeOf } from '@/lib/domain/status-pages/sections/page-scope';
import type { Database } from '@/lib/platform/db/client';
import { publicTextOf, readChangedIncidents, readMonitorNames, SHOWN_MS } from './read-public-incidents';
import { readFeedMaintenance } from './read-public-maintenance';
import type { CalendarSource } from './write-calendar';
import { type FeedPostmortem, type FeedSource, MAX_ENTRIES } from './write-feed';

/** The content of the feeds of a page, in a fixed number of queries. */
export async function readFeed(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  page: PageRow,
): Promise<Omit<FeedSource, 'address' | 'serviceName'>> {
  const scope = scopeOf(page);
  const { monitorIds } = scope;
  const now = clock.now();
  const [incidents, postmortems, maintenance, monitors] = await Promise.all([
    readChangedIncidents({ db }, scope, { now, limit: MAX_ENTRIES }),
    readPostmortems(db, scope, now),
    readFeedMaintenance(db, monitorIds, now),
    readMonitorNames(db, monitorIds),
  ]);
  return {
    page: { ...page, updatedAt: page.updatedAt.toISOString() },
    incidents,
    postmortems,
    maintenance,
    names: new Map(listRows(page, monitors).map(({ id, name }) => [id, name])),
  };
}

/** A calendar shows what is scheduled this far ahead. */
const CALENDAR_MS = 400 * 86_400_000;

/** The content of the calendar of a page, in two queries. */
export async function readCalendar(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  page: PageRow,
): Promise<Omit<CalendarSource, 'address' | 'serviceName'>> {
  const { monitors: monitorIds } = page;
  const [maintenance, monitors] = await Promise.all([
    readFeedMaintenance(db, monitorIds, clock.now(), CALENDAR_MS),
    readMonitorNames(db, monitorIds),
  ]);
  const names = new Map(withPageNames(page, monitors).map(({ id, name }) => [id, name]));
  return { page, maintenance, monitorNames: names };
}

/** Updates that the service wrote name the monitor as it was called then. */
const MAX_OWN_UPDATES = 100;

type PostmortemRow = Parameters<typeof publicTextOf>[0] & {
  id: string;
  title: string;
  text: string;
  at: Date;
};

/** The postmortems of a page's incidents published within 14 days, latest first, as many as a feed has entries. */
async function readPostmortems(
  db: Pick<Database, '$queryRaw'>,
  scope: PageScope,
  now: Date,
): Promise<FeedPostmortem[]> {
  const since = new Date(now.getTime() - SHOWN_MS);
  const rows = await db.$queryRaw<PostmortemRow[]>`
    SELECT id, title, automatic, monitor_id AS "monitorId", postmortem AS text, postmortem_published_at AS at,
           (SELECT coalesce(json_agg(json_build_object('message', message, 'isOwn', true)), '[]')
              FROM (SELECT message FROM incident_update WHERE incident_id = incident.id AND author IS NULL
                     ORDER BY created_at DESC, id DESC LIMIT ${MAX_OWN_UPDATES}) AS own) AS updates
      FROM incident
     WHERE ${affects(scope)} AND postmortem_published_at >= ${since}
     ORDER BY postmortem_published_at DESC, id DESC LIMIT ${MAX_ENTRIES}`;
  return rows.map(({ id, title, text, at, ...incident }) => ({
    incidentId: id,
    title: publicTextOf(incident, scope)(title),
    text,
    updatedAt: at.toISOString(),
  }));
}
