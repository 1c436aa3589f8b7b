import type { Services } from '@/lib/domain/context/services';
import type { PageRow } from '@/lib/domain/status-pages/page-row';
import { readFeedMaintenance, readFeedPostmortems } from './read-feed-entries';
import { readPublicIncidents } from './read-public-incidents';
import type { FeedSource } from './write-feed';

/** The content of the feeds of a page, in a fixed number of queries. */
export async function readFeed(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  page: PageRow,
): Promise<Pick<FeedSource, 'page' | 'incidents' | 'postmortems' | 'maintenance' | 'monitorNames'>> {
  const { organizationId, monitors: monitorIds } = page;
  const scope = { organizationId, monitorIds };
  const now = clock.now();
  const [incidents, postmortems, maintenance, monitors] = await Promise.all([
    readPublicIncidents({ db }, scope, now),
    readFeedPostmortems(db, scope, now),
    readFeedMaintenance(db, monitorIds, now),
    db.monitor.findMany({ where: { id: { in: monitorIds } }, select: { id: true, name: true } }),
  ]);
  return {
    page: { ...page, updatedAt: page.updatedAt.toISOString() },
    incidents,
    postmortems,
    maintenance,
    monitorNames: new Map(monitors.map(({ id, name }) => [id, name])),
  };
}
