import type { Services } from '@/lib/context/services';
import { Prisma } from '@/lib/db/generated/client';
import type { PublicStatusPage } from '@/lib/schemas/status-page';
import { overallStatus } from './overall-status';
import { readPageRows, serializeShown } from './page-row';
import { readPublicIncidents } from './read-public-incidents';
import { readPublicMonitors } from './read-public-monitors';
import { statusPageNotFound } from './read-status-pages';

/**
 * A published page as everybody may see it, in a fixed number of queries. Throws NOT_FOUND, the same for an unknown slug
 * and for a page that is not published. `slug` has the form of one.
 */
export async function readPublicPage(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  slug: string,
): Promise<PublicStatusPage> {
  const now = clock.now();
  const [page] = await readPageRows(db, Prisma.sql`slug = ${slug} AND published`);
  if (page === undefined) throw statusPageNotFound();
  const { organizationId, monitors: monitorIds } = page;
  const [monitors, incidents] = await Promise.all([
    readPublicMonitors({ db }, monitorIds, now),
    readPublicIncidents({ db }, { organizationId, monitorIds }, now),
  ]);
  return { ...serializeShown(page), status: overallStatus(monitors), monitors, incidents };
}
