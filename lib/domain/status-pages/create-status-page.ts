import { randomBytes } from 'node:crypto';
import { createId } from '@/lib/core/ids';
import { recordAudit } from '@/lib/domain/audit/record-audit';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { inOrder, requireMonitors } from '@/lib/domain/monitors/chosen-monitors';
import { lockOrganization } from '@/lib/domain/organizations/lock-organization';
import { requireRoom } from '@/lib/plans/limits';
import { Prisma } from '@/lib/platform/db/generated/client';
import type { CreateStatusPage, StatusPage } from '@/lib/schemas/status-page';
import { auditedFields, auditSubject } from './audited-page';
import { requireDomain } from './custom-domain';
import type { DomainSettings } from './domain-settings';
import { beginStanding } from './domain-standing';
import { readPageRows, serializeStatusPage } from './page-row';
import { statusPageNotFound } from './read-status-pages';
import { grantDomain, standingColumns } from './settle-domain';
import { refuseTakenSlug } from './slug-taken';

/**
 * Makes a status page. Throws FORBIDDEN, PLAN_LIMIT_EXCEEDED, UNKNOWN_MONITOR, SLUG_TAKEN, DOMAIN_TAKEN, and
 * VALIDATION_ERROR for the app's own domain.
 */
export async function createStatusPage(
  ctx: OrganizationContext,
  input: CreateStatusPage,
  settings: DomainSettings,
): Promise<StatusPage> {
  requirePermission(ctx, 'status-page.create');
  const { organizationId } = ctx;
  const { monitors, theme, ...columns } = input;
  const now = ctx.clock.now();
  const id = createId('statusPage');
  const written = ctx.db.$transaction(async (tx) => {
    const plan = await lockOrganization(tx, organizationId);
    requireRoom(plan, 'statusPages', await tx.statusPage.count({ where: { organizationId } }));
    const { customDomain: domain } = input;
    if (domain !== null) await requireDomain(tx, domain, { plan, ...settings, pageId: id });
    await requireMonitors(tx, organizationId, monitors);
    await tx.statusPage.create({
      data: {
        id,
        organizationId,
        ...columns,
        ...theme,
        ...(domain === null ? {} : standingColumns(beginStanding(now))),
        domainToken: randomBytes(20).toString('hex'),
        createdAt: now,
        updatedAt: now,
        monitors: { createMany: { data: inOrder(monitors) } },
      },
    });
    if (domain !== null && !settings.needsProof) await grantDomain(tx, { pageId: id, domain }, now);
    const [row] = await readPageRows(tx, Prisma.sql`id = ${id}`);
    if (row === undefined) throw statusPageNotFound();
    const subject = auditSubject(row);
    await recordAudit(tx, ctx, { action: 'status-page.create', subject, after: auditedFields(row) });
    return serializeStatusPage(row, settings);
  });
  return refuseTakenSlug(written);
}
