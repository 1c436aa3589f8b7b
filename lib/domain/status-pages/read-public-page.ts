import type { Services } from '@/lib/domain/context/services';
import type { PublicStatusPage } from '@/lib/schemas/status-page';
import { findPublishedPage } from './find-published-page';
import { publicStatus } from './overall-status';
import { serializeShown } from './page-row';
import { readPublicIncidents } from './read-public-incidents';
import { readPublicMaintenance } from './read-public-maintenance';
import { readPublicMonitors } from './read-public-monitors';

/**
 * A published page as everybody may see it, in a fixed number of queries. Throws NOT_FOUND, the same for an unknown slug
 * and for a page that is not published. `slug` has the form of one.
 */
export async function readPublicPage(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  slug: string,
): Promise<PublicStatusPage> {
  const now = clock.now();
  const page = await findPublishedPage(db, slug);
  const { organizationId, monitors: monitorIds } = page;
  const [monitors, incidents, maintenance] = await Promise.all([
    readPublicMonitors({ db }, monitorIds, now),
    readPublicIncidents({ db }, { organizationId, monitorIds }, now),
    readPublicMaintenance({ db }, monitorIds, now),
  ]);
  return {
    ...serializeShown(page),
    status: publicStatus(monitors),
    monitors,
    incidents,
    maintenance,
  };
}
