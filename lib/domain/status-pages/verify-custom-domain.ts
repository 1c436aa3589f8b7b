import { recordAudit } from '@/lib/domain/audit/record-audit';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { lockOrganization } from '@/lib/domain/organizations/lock-organization';
import { isSlug, type StatusPage } from '@/lib/schemas/status-page';
import { auditSubject } from './audited-page';
import { requireDomainPlan } from './custom-domain';
import type { DomainSettings } from './domain-settings';
import { findDomainRecord } from './find-domain-record';
import { getStatusPage, statusPageNotFound } from './read-status-pages';
import { settleDomain } from './settle-domain';

/** Somebody waits for the answer. */
const TIMEOUT_MS = 5000;

/**
 * Looks for the TXT record of the page's domain now, and answers the page with what came of it: a record that is not there
 * is no refusal. Without a domain nothing happens. Throws FORBIDDEN, NOT_FOUND, and PLAN_LIMIT_EXCEEDED for a domain that
 * is not verified yet on a plan without domains.
 */
export async function verifyCustomDomain(
  ctx: OrganizationContext,
  slug: string,
  settings: DomainSettings,
): Promise<StatusPage> {
  requirePermission(ctx, 'status-page.update');
  const { db, clock, organizationId } = ctx;
  const where = { slug, organizationId };
  const page = isSlug(slug) ? await db.statusPage.findFirst({ where }) : null;
  if (page === null) throw statusPageNotFound();
  const { id: pageId, customDomain: domain, customDomainVerifiedAt, domainToken: token } = page;
  if (domain !== null) {
    const finding = await findDomainRecord({ domain, token }, settings, { timeoutMs: TIMEOUT_MS });
    await db.$transaction(async (tx) => {
      const plan = await lockOrganization(tx, organizationId);
      if (customDomainVerifiedAt === null) requireDomainPlan(plan);
      const standing = await settleDomain(tx, { pageId, domain }, finding, clock.now());
      if (standing === null) return;
      await recordAudit(tx, ctx, {
        action: 'status-page.update',
        subject: auditSubject(page),
        before: { customDomainVerified: customDomainVerifiedAt !== null },
        after: { customDomainVerified: standing.verifiedAt !== null },
      });
    });
  }
  return getStatusPage(ctx, slug, settings);
}
