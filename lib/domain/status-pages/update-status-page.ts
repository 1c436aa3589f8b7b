import { recordAudit } from '@/lib/domain/audit/record-audit';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { inOrder, requireMonitors } from '@/lib/domain/monitors/chosen-monitors';
import { lockOrganization } from '@/lib/domain/organizations/lock-organization';
import type { Transaction } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import { notePageMoved, notePagesChanged } from '@/lib/platform/page-front/note-pages-changed';
import { isSlug, type StatusPage, type StatusPageChanges } from '@/lib/schemas/status-page';
import { auditedFields, auditSubject } from './audited-page';
import { requireDomain } from './custom-domain';
import type { DomainSettings } from './domain-settings';
import { beginStanding, NO_DOMAIN } from './domain-standing';
import { readPageRows, serializeStatusPage } from './page-row';
import { getStatusPage, statusPageNotFound } from './read-status-pages';
import { grantDomain, standingColumns } from './settle-domain';
import { refuseTakenSlug } from './slug-taken';

/**
 * Changes the fields given and leaves the others; no fields change nothing. The page may get another slug, and loses what
 * was shown of its domain with another domain. Throws FORBIDDEN, NOT_FOUND, UNKNOWN_MONITOR, SLUG_TAKEN, DOMAIN_TAKEN,
 * PLAN_LIMIT_EXCEEDED, and VALIDATION_ERROR for the app's own domain.
 */
export async function updateStatusPage(
  ctx: OrganizationContext,
  slug: string,
  changes: StatusPageChanges,
  settings: DomainSettings,
): Promise<StatusPage> {
  requirePermission(ctx, 'status-page.update');
  if (!isSlug(slug)) throw statusPageNotFound();
  if (Object.keys(changes).length === 0) return getStatusPage(ctx, slug, settings);
  const written = ctx.db.$transaction((tx) => applyChanges(ctx, tx, slug, { changes, settings }));
  return refuseTakenSlug(written);
}

async function applyChanges(
  ctx: OrganizationContext,
  tx: Transaction,
  slug: string,
  { changes, settings }: { changes: StatusPageChanges; settings: DomainSettings },
): Promise<StatusPage> {
  const { organizationId } = ctx;
  const { monitors, theme, ...columns } = changes;
  // The organization, the page, its monitors: every verb locks in this order, so that none waits in a circle.
  const plan = changes.customDomain ? await lockOrganization(tx, organizationId) : null;
  const page = await lockPage(tx, organizationId, slug);
  const [before] = await readPageRows(tx, Prisma.sql`id = ${page.id}`);
  const { customDomain = page.customDomain } = changes;
  const isNewDomain = customDomain !== page.customDomain;
  if (isNewDomain && customDomain !== null && plan !== null) {
    await requireDomain(tx, customDomain, { plan, ...settings, pageId: page.id });
  }
  const now = ctx.clock.now();
  const standing = customDomain === null ? NO_DOMAIN : beginStanding(now);
  if (monitors) {
    await requireMonitors(tx, organizationId, monitors);
    await tx.statusPageMonitor.deleteMany({ where: { pageId: page.id } });
  }
  await tx.statusPage.update({
    where: { id: page.id },
    data: {
      ...columns,
      ...theme,
      ...(isNewDomain ? { ...standingColumns(standing), domainCheckedAt: null } : {}),
      ...(monitors ? { monitors: { createMany: { data: inOrder(monitors) } } } : {}),
      updatedAt: now,
    },
  });
  if (isNewDomain && customDomain !== null && !settings.needsProof) {
    await grantDomain(tx, { pageId: page.id, domain: customDomain }, now);
  }
  const [row] = await readPageRows(tx, Prisma.sql`id = ${page.id}`);
  if (before === undefined || row === undefined) throw statusPageNotFound();
  await recordAudit(tx, ctx, {
    action: 'status-page.update',
    subject: auditSubject(row),
    before: auditedFields(before),
    after: auditedFields(row),
  });
  const isMoved = row.slug !== slug || isNewDomain || !row.published;
  await (isMoved ? notePageMoved(tx, page.id) : notePagesChanged(tx, { pageIds: [page.id] }));
  return serializeStatusPage(row, settings);
}

async function lockPage(
  tx: Transaction,
  organizationId: string,
  slug: string,
): Promise<{ id: string; customDomain: string | null }> {
  const [row] = await tx.$queryRaw<{ id: string; customDomain: string | null }[]>`
    SELECT id, custom_domain AS "customDomain" FROM status_page
     WHERE slug = ${slug} AND organization_id = ${organizationId} FOR UPDATE`;
  if (row === undefined) throw statusPageNotFound();
  return row;
}
