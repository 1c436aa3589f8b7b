import type { Database } from '@/lib/platform/db/client';
import type { StatusPage as Columns, Prisma } from '@/lib/platform/db/generated/client';
import type { StatusPage } from '@/lib/schemas/status-page';
import { describeDomain } from './describe-domain';
import { domainRecord } from './domain-record';
import type { AppAddress } from './domain-settings';

/** A page with the ids of its monitors, in their order. */
export type PageRow = Columns & { monitors: string[] };

/** Reads pages with their monitors in one query, newest first. */
export function readPageRows(db: Pick<Database, '$queryRaw'>, where: Prisma.Sql): Promise<PageRow[]> {
  return db.$queryRaw<PageRow[]>`
    SELECT id, organization_id AS "organizationId", name, slug, description, published,
           primary_color AS "primaryColor", background_color AS "backgroundColor", text_color AS "textColor",
           logo_url AS "logoUrl", show_response_times AS "showResponseTimes", custom_domain AS "customDomain",
           custom_domain_verified_at AS "customDomainVerifiedAt", domain_token AS "domainToken",
           domain_pending_since AS "domainPendingSince", domain_checked_at AS "domainCheckedAt",
           domain_next_check_at AS "domainNextCheckAt", domain_missing_since AS "domainMissingSince",
           domain_setback::text AS "domainSetback", domain_error AS "domainError",
           created_at AS "createdAt", updated_at AS "updatedAt",
           ARRAY(SELECT monitor_id FROM status_page_monitor WHERE page_id = page.id ORDER BY position) AS monitors
      FROM status_page AS page
     WHERE ${where}
     ORDER BY created_at DESC, id DESC`;
}

/** What a page shows of itself to everybody. */
export function serializeShown(row: Columns) {
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    description: row.description,
    published: row.published,
    theme: {
      primaryColor: row.primaryColor,
      backgroundColor: row.backgroundColor,
      textColor: row.textColor,
    },
    logoUrl: row.logoUrl,
    customDomain: row.customDomain,
    showResponseTimes: row.showResponseTimes,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** The page as the API answers it to its owner, with the DNS record that shows that the domain is theirs. */
export function serializeStatusPage(row: PageRow, address: AppAddress): StatusPage {
  const { customDomain, customDomainVerifiedAt, domainToken, monitors } = row;
  return {
    ...serializeShown(row),
    monitors,
    customDomainVerified: customDomainVerifiedAt !== null,
    customDomainRecord: customDomain === null ? null : domainRecord(customDomain, domainToken),
    customDomainStatus: describeDomain(row, address),
  };
}
