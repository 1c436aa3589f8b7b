import { requireFound } from '@/lib/core/errors';
import type { Fields } from '@/lib/domain/audit/record-audit';
import type { Environment } from '@/lib/env';
import type { Database } from '@/lib/platform/db/client';
import type { StatusPage as AllColumns, Prisma } from '@/lib/platform/db/generated/client';
import type { Appearance } from '@/lib/schemas/status-pages/appearance';
import { shownAfter } from '@/lib/schemas/status-pages/automatic-incidents';
import type { Brand } from '@/lib/schemas/status-pages/brand';
import type { DomainStatus, StatusPage } from '@/lib/schemas/status-pages/status-page';
import type { UptimeDays } from '@/lib/schemas/status-pages/uptime-days';
import { type StoredImages, withImagePaths } from './images/image-urls';
import { currentBrand, serializeShownBrand } from './page-brand';
import { currentRows, type PageRows } from './sections/resolve-sections';

/** The hash of the password is read only to compare it. */
type Columns = Omit<AllColumns, 'sections' | 'brand' | 'passwordHash' | 'appearance' | 'uptimeDays'> & {
  hasPassword: boolean;
  appearance: Appearance;
  uptimeDays: UptimeDays;
};

/** A page with the ordered IDs of its monitors, its sections, its brand, and the names of its uploaded images, whose paths are its URLs. */
export type PageRow = Columns & PageRows & { brand: Brand; images: StoredImages };

/** Reads pages with their monitors in one query, newest first. */
export async function readPageRows(db: Pick<Database, '$queryRaw'>, where: Prisma.Sql): Promise<PageRow[]> {
  const rows = await db.$queryRaw<PageRow[]>`
    SELECT id, organization_id AS "organizationId", name, slug, description, published,
           primary_color AS "primaryColor", background_color AS "backgroundColor", text_color AS "textColor",
           appearance, embed_origins AS "embedOrigins", logo_url AS "logoUrl",
           show_response_times AS "showResponseTimes", uptime_days AS "uptimeDays",
           automatic_delay AS "automaticDelay", automatic_since AS "automaticSince", custom_domain AS "customDomain",
           custom_domain_verified_at AS "customDomainVerifiedAt", domain_token AS "domainToken",
           domain_pending_since AS "domainPendingSince", domain_checked_at AS "domainCheckedAt",
           domain_next_check_at AS "domainNextCheckAt", domain_missing_since AS "domainMissingSince",
           domain_setback::text AS "domainSetback", domain_error AS "domainError",
           visibility::text AS visibility, password_hash IS NOT NULL AS "hasPassword", allowed_cidrs AS "allowedCidrs",
           access_version AS "accessVersion",
           version, created_at AS "createdAt", updated_at AS "updatedAt", sections, brand,
           ARRAY(SELECT monitor_id FROM status_page_monitor WHERE page_id = page.id ORDER BY position) AS monitors,
           (SELECT coalesce(jsonb_object_agg(place, name), '{}') FROM page_image WHERE page_id = page.id) AS images
      FROM status_page AS page
     WHERE ${where}
     ORDER BY created_at DESC, id DESC`;
  return rows.map((row) => withImagePaths({ ...row, ...currentRows(row), brand: currentBrand(row.brand) }));
}

/** Reads one page with its monitors. Throws NOT_FOUND. */
export async function readPageRow(db: Pick<Database, '$queryRaw'>, where: Prisma.Sql): Promise<PageRow> {
  const [row] = await readPageRows(db, where);
  return requireFound(row, 'Status page');
}

/** The public fields of a page. */
export function serializeShown(row: Columns & { brand: Brand }) {
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    description: row.description,
    published: row.published,
    theme: { primaryColor: row.primaryColor, backgroundColor: row.backgroundColor, textColor: row.textColor },
    appearance: row.appearance,
    logoUrl: row.logoUrl,
    customDomain: row.customDomain,
    showResponseTimes: row.showResponseTimes,
    uptimeDays: row.uptimeDays,
    ...serializeShownBrand(row.brand),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** Who may see the page, as its organization reads it. */
function serializeAccess({ visibility, hasPassword, allowedCidrs }: Columns) {
  return { visibility, hasPassword, allowedCidrs };
}

/** The page as the API returns it to its organization, with the DNS record that verifies its domain. */
export function serializeStatusPage(row: PageRow, address: AppAddress): StatusPage {
  const { customDomain, customDomainVerifiedAt, domainToken, monitors, sections } = row;
  return {
    ...serializeShown(row),
    embedOrigins: row.embedOrigins,
    ...row.brand,
    ...serializeAccess(row),
    version: row.version,
    monitors,
    sections,
    automaticIncidents: shownAfter(row.automaticDelay),
    customDomainVerified: customDomainVerifiedAt !== null,
    customDomainRecord: customDomain === null ? null : domainRecord(customDomain, domainToken),
    customDomainStatus: serializeDomain(row, address),
  };
}

/** The status of a page's domain and the records to create; contains the token, so only for its organization. */
function serializeDomain(row: Columns, { appUrl }: AppAddress): DomainStatus {
  const { customDomain, customDomainVerifiedAt, domainSetback } = row;
  if (customDomain === null) {
    return { status: 'none', record: null, pointTo: null, checkedAt: null, verifiedAt: null, error: null };
  }
  const appHost = appUrl === undefined ? null : new URL(appUrl).hostname;
  return {
    status: customDomainVerifiedAt !== null ? 'verified' : (domainSetback ?? 'pending'),
    record: { ...domainRecord(customDomain, row.domainToken), type: 'TXT' },
    pointTo: appHost === null ? null : { name: customDomain, type: 'CNAME', value: appHost },
    checkedAt: row.domainCheckedAt?.toISOString() ?? null,
    verifiedAt: customDomainVerifiedAt?.toISOString() ?? null,
    error: formatDomainError(row),
  };
}

function formatDomainError(row: Columns): string | null {
  const { domainError, domainMissingSince, domainSetback } = row;
  if (domainError === null) return null;
  if (domainMissingSince !== null) {
    const since = domainMissingSince.toISOString();
    return `${domainError} It has been missing since ${since}; after 3 days the page is no longer served at this domain.`;
  }
  if (domainSetback !== 'lost') return domainError;
  return `${domainError} It was missing for 3 days, so the page is not served at this domain until the record is found again.`;
}

/** The TXT record that verifies a domain, on a subdomain, because a name with a CNAME cannot have other records. */
export function domainRecord(domain: string, token: string): { name: string; value: string } {
  return { name: `_pharos.${domain}`, value: `pharos-verify=${token}` };
}

/** The app's own URL; undefined if not set. */
export type AppAddress = { appUrl: string | undefined };

/** How custom domains are verified. */
export type DomainSettings = AppAddress & {
  /** False (CUSTOM_DOMAIN_VERIFY=off): the first page with a domain gets it, for closed networks. */
  needsProof: boolean;
  /** DNS_SERVERS; empty: the system's resolvers. */
  dnsServers: readonly string[];
};

/** What this installation can do with a page. */
export type PageSettings = DomainSettings & {
  /** Whether addresses of visitors are known: TRUSTED_PROXIES names the proxies in front, or is `none`. */
  knowsAddresses: boolean;
};

/** The settings of this installation. */
export function readPageSettings(environment: Environment): PageSettings {
  const { APP_URL: appUrl, CUSTOM_DOMAIN_VERIFY, DNS_SERVERS: dnsServers, KNOWS_ADDRESSES } = environment;
  return {
    appUrl,
    needsProof: CUSTOM_DOMAIN_VERIFY === 'on',
    dnsServers,
    knowsAddresses: KNOWS_ADDRESSES,
  };
}

/** A page as an audit log subject, named by its name because slugs change. */
export function auditSubject({ id, name }: Pick<PageRow, 'id' | 'name'>) {
  return { id, label: name };
}

/** The fields of a page in the audit log. */
export function auditedFields(row: PageRow): Fields {
  const { id, createdAt, updatedAt, ...shown } = serializeShown(row);
  const { embedOrigins, monitors, sections } = row;
  const { hasPassword, ...access } = serializeAccess(row);
  const password = hasPassword ? 'set' : null;
  const automaticIncidents = shownAfter(row.automaticDelay);
  return {
    ...shown,
    embedOrigins,
    ...row.brand,
    ...access,
    password,
    monitors,
    sections,
    automaticIncidents,
  };
}
