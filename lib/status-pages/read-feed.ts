import type { Services } from '@/lib/context/services';
import type { PageRow } from './page-row';
import { readPublicIncidents } from './read-public-incidents';
import type { FeedSource } from './write-feed';

/** What the feeds of a page are made from, in two queries. */
export async function readFeed(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  page: PageRow,
): Promise<Pick<FeedSource, 'page' | 'incidents' | 'monitorNames'>> {
  const { organizationId, monitors: monitorIds } = page;
  const [incidents, monitors] = await Promise.all([
    readPublicIncidents({ db }, { organizationId, monitorIds }, clock.now()),
    db.monitor.findMany({ where: { id: { in: monitorIds } }, select: { id: true, name: true } }),
  ]);
  return {
    page: { ...page, updatedAt: page.updatedAt.toISOString() },
    incidents,
    monitorNames: new Map(monitors.map(({ id, name }) => [id, name])),
  };
}
