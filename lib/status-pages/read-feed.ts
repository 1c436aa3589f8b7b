import type { Services } from '@/lib/context/services';
import type { PageRow } from './page-row';
import { readFeedMaintenance } from './read-feed-maintenance';
import { readPublicIncidents } from './read-public-incidents';
import type { FeedSource } from './write-feed';

/** What the feeds of a page are made from, in a fixed number of queries. */
export async function readFeed(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  page: PageRow,
): Promise<Pick<FeedSource, 'page' | 'incidents' | 'maintenance' | 'monitorNames'>> {
  const { organizationId, monitors: monitorIds } = page;
  const [incidents, maintenance, monitors] = await Promise.all([
    readPublicIncidents({ db }, { organizationId, monitorIds }, clock.now()),
    readFeedMaintenance(db, monitorIds, clock.now()),
    db.monitor.findMany({ where: { id: { in: monitorIds } }, select: { id: true, name: true } }),
  ]);
  return {
    page: { ...page, updatedAt: page.updatedAt.toISOString() },
    incidents,
    maintenance,
    monitorNames: new Map(monitors.map(({ id, name }) => [id, name])),
  };
}
