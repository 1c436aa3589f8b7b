import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import type { StatusPage } from '@/lib/platform/db/generated/client';
import type { PageSection } from '@/lib/schemas/status-pages/sections';
import { listComponents } from './sections/list-rows';

type Page = Pick<StatusPage, 'slug' | 'customDomain' | 'customDomainVerifiedAt'>;

/** The public URL of a page without a trailing slash: its verified domain, otherwise below APP_URL; null if neither is known. */
export function publicAddress(page: Page, appUrl: string | null): string | null {
  return domainAddress(page) ?? appAddress(page, appUrl);
}

/** The same for long-lived links: below APP_URL if set, because a page can lose its domain. */
export function lastingAddress(page: Page, appUrl: string | null): string | null {
  return appAddress(page, appUrl) ?? domainAddress(page);
}

function appAddress({ slug }: Page, appUrl: string | null): string | null {
  return appUrl === null ? null : `${appUrl}/status/${slug}`;
}

function domainAddress({ customDomain, customDomainVerifiedAt }: Page): string | null {
  return customDomain === null || customDomainVerifiedAt === null ? null : `https://${customDomain}`;
}

type AudienceRow = Page &
  Pick<StatusPage, 'id' | 'name' | 'published' | 'automaticDelay' | 'automaticSince'> & {
    monitors: string[];
    sections: PageSection[];
    /** Confirmed ones, by email, webhook or Slack. */
    subscribers: number;
  };

/**
 * All status pages of the organization, by name, with their monitors and components, their public URL or path and the number of
 * subscribers that are notified, in one query. Unpublished pages have neither; without mail, there are no subscribers.
 */
export async function readAudiences(ctx: OrganizationContext) {
  requirePermission(ctx, 'status-page.read');
  const rows = await ctx.db.$queryRaw<AudienceRow[]>`
    SELECT id, slug, name, published, automatic_delay AS "automaticDelay", automatic_since AS "automaticSince",
           custom_domain AS "customDomain", custom_domain_verified_at AS "customDomainVerifiedAt",
           ARRAY(SELECT monitor_id FROM status_page_monitor WHERE page_id = page.id ORDER BY position) AS monitors,
           sections,
           (SELECT count(*) FROM page_subscriber WHERE page_id = page.id AND confirmed_at IS NOT NULL)::int
             + (SELECT count(*) FROM endpoint_subscriber
                 WHERE page_id = page.id AND confirmed_at IS NOT NULL AND stopped_at IS NULL)::int AS subscribers
      FROM status_page AS page
     WHERE organization_id = ${ctx.organizationId}
     ORDER BY lower(name), id`;
  return rows.map(({ customDomain, customDomainVerifiedAt, automaticSince, sections, ...page }) => ({
    ...page,
    automaticSince: automaticSince?.toISOString() ?? null,
    components: listComponents({ sections }).map(({ id, name }) => ({ id, name })),
    address: page.published
      ? publicAddress({ slug: page.slug, customDomain, customDomainVerifiedAt }, ctx.appUrl ?? '')
      : null,
    subscribers: ctx.mail.isOn && page.published ? page.subscribers : 0,
  }));
}
