import type { Services } from '@/lib/domain/context/services';
import { publicStatus } from '@/lib/domain/status-pages/aggregate-status';
import { type PageRow, readPageRows, serializeShown } from '@/lib/domain/status-pages/page-row';
import { statusPageNotFound } from '@/lib/domain/status-pages/read-status-pages';
import type { Database } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import type { PublicStatusPage } from '@/lib/schemas/status-pages/status-page';
import { readPublicIncidents } from './read-public-incidents';
import { readPublicMaintenance } from './read-public-maintenance';
import { readPublicMonitors } from './read-public-monitors';

/**
 * A published page as the public sees it, in a fixed number of queries. Throws NOT_FOUND for an unknown or unpublished page.
 * `slug` must be well-formed.
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
    readPublicMaintenance(db, monitorIds, now),
  ]);
  return { ...serializeShown(page), status: publicStatus(monitors), monitors, incidents, maintenance };
}

/** A published page. Throws NOT_FOUND for an unknown or unpublished page. */
export async function findPublishedPage(db: Pick<Database, '$queryRaw'>, slug: string): Promise<PageRow> {
  const [page] = await readPageRows(db, Prisma.sql`slug = ${slug} AND published`);
  if (page === undefined) throw statusPageNotFound();
  return page;
}
