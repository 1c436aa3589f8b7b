import { randomBytes } from 'node:crypto';
import type { OrganizationContext } from '@/lib/context/organization-context';
import { requirePermission } from '@/lib/context/permissions';
import { createId } from '@/lib/core/ids';
import { lockOrganization } from '@/lib/organizations/lock-organization';
import { requireRoom } from '@/lib/plans/limits';
import type { CreateStatusPage, StatusPage } from '@/lib/schemas/status-page';
import { type AppAddress, requireDomain } from './custom-domain';
import { inOrder, requireMonitors } from './page-monitors';
import { serializeStatusPage } from './page-row';
import { refuseTakenSlug } from './slug-taken';

/**
 * Makes a status page. Throws FORBIDDEN, PLAN_LIMIT_EXCEEDED, UNKNOWN_MONITOR, SLUG_TAKEN, DOMAIN_TAKEN, and
 * VALIDATION_ERROR for the app's own domain.
 */
export async function createStatusPage(
  ctx: OrganizationContext,
  input: CreateStatusPage,
  { appUrl }: AppAddress,
): Promise<StatusPage> {
  requirePermission(ctx, 'status-page.create');
  const { organizationId } = ctx;
  const { monitors, theme, ...columns } = input;
  const now = ctx.clock.now();
  const id = createId('statusPage');
  const written = ctx.db.$transaction(async (tx) => {
    const plan = await lockOrganization(tx, organizationId);
    requireRoom(plan, 'statusPages', await tx.statusPage.count({ where: { organizationId } }));
    if (input.customDomain !== null)
      await requireDomain(tx, input.customDomain, { plan, appUrl, pageId: id });
    await requireMonitors(tx, organizationId, monitors);
    return tx.statusPage.create({
      data: {
        id,
        organizationId,
        ...columns,
        ...theme,
        domainToken: randomBytes(20).toString('hex'),
        createdAt: now,
        updatedAt: now,
        monitors: { createMany: { data: inOrder(monitors) } },
      },
    });
  });
  return serializeStatusPage({ ...(await refuseTakenSlug(written)), monitors });
}
