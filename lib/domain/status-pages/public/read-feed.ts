import type { Services } from '@/lib/domain/context/services';
import type { PageRow } from '@/lib/domain/status-pages/page-row';
import { listRows, withPageNames } from '@/lib/domain/status-pages/sections/list-rows';
import { affects, type PageScope, scopeOf } from '@/lib/domain/status-pages/sections/page-scope';
import type { Database } from '@/lib/platform/db/client';
import { publicTextOf, readMonitorNames, readPublicIncidents, SHOWN_MS } from './read-public-incidents';
import { readFeedMaintenance } from './read-public-maintenance';
import type { CalendarSource } from './write-calendar';
import type { FeedPostmortem, FeedSource } from './write-feed';

/** The content of the feeds of a page, in a fixed number of queries. */
export async function readFeed(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  page: PageRow,
): Promise<Omit<FeedSource, 'address' | 'serviceName'>> {
  const scope = scopeOf(page);
  const { monitorIds } = scope;
  const now = clock.now();
  const [incidents, postmortems, maintenance, monitors] = await Promise.all([
    readPublicIncidents({ db }, scope, now),
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

/** The postmortems of a page's incidents published within 14 days, latest first. */
async function readPostmortems(
  db: Pick<Database, 'incident' | '$queryRaw'>,
  scope: PageScope,
  now: Date,
): Promise<FeedPostmortem[]> {
  const since = new Date(now.getTime() - SHOWN_MS);
  const shown = await db.$queryRaw<{ id: string }[]>`
    SELECT id FROM incident WHERE ${affects(scope)} AND postmortem_published_at >= ${since}`;
  const rows = await db.incident.findMany({
    where: { id: { in: shown.map(({ id }) => id) } },
    orderBy: [{ postmortemPublishedAt: 'desc' }, { id: 'desc' }],
    select: {
      ...{ id: true, title: true, automatic: true, monitorId: true },
      ...{ postmortem: true, postmortemPublishedAt: true },
      updates: { select: { message: true, author: true } },
    },
  });
  return rows.flatMap(({ id, title, postmortem: text, postmortemPublishedAt: at, updates, ...incident }) => {
    if (text === null || at === null) return [];
    const written = updates.map(({ message, author }) => ({ message, isOwn: author === null }));
    const rename = publicTextOf({ ...incident, updates: written }, scope);
    return [{ incidentId: id, title: rename(title), text, updatedAt: at.toISOString() }];
  });
}
