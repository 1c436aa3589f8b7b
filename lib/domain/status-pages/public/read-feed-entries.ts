import type { Database } from '@/lib/platform/db/client';
import { type PageScope, SHOWN_MS } from './read-public-incidents';

/** Limits the occurrences of hourly windows. */
const MAX_OCCURRENCES = 100;

/** An occurrence of a window on a page; `updatedAt` is its latest change of state. */
export type FeedMaintenance = {
  id: string;
  title: string;
  message: string;
  status: 'scheduled' | 'active' | 'finished';
  /** The IDs of its monitors on the page. */
  monitors: string[];
  startsAt: string;
  endsAt: string;
  createdAt: string;
  updatedAt: string;
};

type Row = Record<'id' | 'title' | 'message', string> & { monitors: string[] } & Record<
    'startsAt' | 'endsAt' | 'createdAt' | 'changedAt',
    Date
  >;

/** The maintenance in the feeds of a page with these monitors, latest first: active, or ended or starting within 14 days. */
export async function readFeedMaintenance(
  db: Pick<Database, '$queryRaw'>,
  monitorIds: string[],
  now: Date,
): Promise<FeedMaintenance[]> {
  const [since, until] = [-SHOWN_MS, SHOWN_MS].map((span) => new Date(now.getTime() + span));
  const rows = await db.$queryRaw<Row[]>`
    SELECT maintenance.id, title, message, shown.monitors, occurrence.starts_at AS "startsAt",
           occurrence.ends_at AS "endsAt", created_at AS "createdAt", updated_at AS "changedAt"
      FROM (SELECT window_id, array_agg(monitor_id ORDER BY position) AS monitors
              FROM maintenance_window_monitor WHERE monitor_id = ANY(${monitorIds}) GROUP BY 1) AS shown
      JOIN maintenance_window AS maintenance ON maintenance.id = shown.window_id
      JOIN maintenance_occurrence AS occurrence ON occurrence.window_id = shown.window_id
     WHERE occurrence.ends_at >= ${since} AND occurrence.starts_at <= ${until}
     ORDER BY occurrence.starts_at DESC, maintenance.id DESC LIMIT ${MAX_OCCURRENCES}`;
  return rows.map(({ startsAt, endsAt, createdAt, changedAt, ...row }) => {
    const status = endsAt <= now ? 'finished' : startsAt <= now ? 'active' : 'scheduled';
    const statusSince = { finished: endsAt, active: startsAt, scheduled: changedAt }[status];
    return {
      ...row,
      status,
      startsAt: startsAt.toISOString(),
      endsAt: endsAt.toISOString(),
      createdAt: createdAt.toISOString(),
      updatedAt: new Date(Math.max(statusSince.getTime(), createdAt.getTime())).toISOString(),
    };
  });
}

/** A postmortem as a feed entry of its own, because it is often published long after the incident. */
export type FeedPostmortem = { incidentId: string; title: string; text: string; updatedAt: string };

/** The postmortems of a page's incidents published within 14 days, latest first. */
export async function readFeedPostmortems(
  db: Pick<Database, 'incident'>,
  { organizationId, monitorIds }: PageScope,
  now: Date,
): Promise<FeedPostmortem[]> {
  const rows = await db.incident.findMany({
    where: {
      organizationId,
      affectedMonitors: { hasSome: monitorIds },
      postmortemPublishedAt: { gte: new Date(now.getTime() - SHOWN_MS) },
    },
    orderBy: [{ postmortemPublishedAt: 'desc' }, { id: 'desc' }],
    select: { id: true, title: true, postmortem: true, postmortemPublishedAt: true },
  });
  return rows.flatMap(({ id, title, postmortem, postmortemPublishedAt: at }) =>
    postmortem === null || at === null
      ? []
      : [{ incidentId: id, title, text: postmortem, updatedAt: at.toISOString() }],
  );
}
