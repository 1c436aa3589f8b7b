import type { Database } from '@/lib/platform/db/client';
import { type PageScope, SHOWN_MS } from './read-public-incidents';

/** A postmortem as feeds tell of it: news of its own, for it often comes long after the incident. */
export type FeedPostmortem = { incidentId: string; title: string; text: string; updatedAt: string };

/** The postmortems of a page's incidents that were published within 14 days, the latest first. */
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
