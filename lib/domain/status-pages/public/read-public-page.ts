import { notFound } from '@/lib/core/errors';
import type { Services } from '@/lib/domain/context/services';
import { type Gate, publicOnly } from '@/lib/domain/status-pages/access/check-access';
import { type PageRow, readPageRow, serializeShown } from '@/lib/domain/status-pages/page-row';
import { formatHeadline, publicStatus } from '@/lib/domain/status-pages/page-status';
import { withPageNames } from '@/lib/domain/status-pages/sections/list-rows';
import { scopeOf } from '@/lib/domain/status-pages/sections/page-scope';
import { decideRows, serializeSections } from '@/lib/domain/status-pages/sections/row-states';
import type { Database } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import { readTogether } from '@/lib/platform/db/read-together';
import type { PublicStatusPage } from '@/lib/schemas/status-pages/public-status-page';
import { isSlug } from '@/lib/schemas/status-pages/slug';
import { readPublicIncidents } from './read-public-incidents';
import { readPublicMaintenance } from './read-public-maintenance';
import { readPublicMonitors } from './read-public-monitors';

/**
 * A published page as its visitors see it, in a fixed number of queries. Throws NOT_FOUND for an unknown or unpublished page, and what
 * `admit` throws.
 */
export async function readPublicPage(
  services: Pick<Services, 'db' | 'clock'>,
  slug: string,
  admit: Gate = publicOnly,
): Promise<PublicStatusPage> {
  return readPublicPageOf(services, await findPublishedPage(services.db, slug, admit));
}

/** A page, to which the visitor was admitted, as its visitors see it. */
export async function readPublicPageOf(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  page: PageRow,
): Promise<PublicStatusPage> {
  const now = clock.now();
  const scope = scopeOf(page);
  const { monitorIds } = scope;
  const [monitors, incidents, maintenance] = await readTogether(db, (reader) =>
    Promise.all([
      readPublicMonitors({ db: reader }, monitorIds, now),
      readPublicIncidents({ db: reader }, scope, now),
      readPublicMaintenance(reader, monitorIds, now),
    ]),
  );
  const { status, states } = decideRows(page, monitors, incidents);
  return {
    ...serializeShown(page),
    status: publicStatus(monitors),
    indicator: status.indicator,
    headline: formatHeadline(status),
    monitors: withPageNames(page, monitors),
    sections: serializeSections(page, monitors, states),
    incidents,
    maintenance,
  };
}

/**
 * A published page to which `admit` admits the visitor: by default only a public one. `slug` can be any text. Throws NOT_FOUND for an
 * unknown or unpublished page, and what `admit` throws.
 */
export async function findPublishedPage(
  db: Pick<Database, '$queryRaw'>,
  slug: string,
  admit: Gate = publicOnly,
): Promise<PageRow> {
  if (!isSlug(slug)) throw notFound('Status page');
  const page = await readPageRow(db, Prisma.sql`slug = ${slug} AND published`);
  await admit(page);
  return page;
}
