import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { PLANS } from '@/lib/plans/catalogue';
import type { Me } from '@/lib/schemas/api-key';

/** Who asks: the organization, the key, what the plan allows and how much of it is in use. */
export async function readMe(ctx: OrganizationContext): Promise<Me> {
  requirePermission(ctx, 'organization.read');
  const { db, organizationId, actor } = ctx;
  const where = { organizationId };
  const [organization, key, monitors, statusPages, webhooks, members] = await Promise.all([
    db.organization.findUniqueOrThrow({
      where: { id: organizationId },
      select: { id: true, name: true, plan: true },
    }),
    actor.kind === 'key'
      ? db.apiKey.findUnique({
          where: { id: actor.keyId },
          select: { id: true, name: true, scope: true },
        })
      : null,
    db.monitor.count({ where }),
    db.statusPage.count({ where }),
    db.webhookEndpoint.count({ where }),
    db.membership.count({ where }),
  ]);
  const limits = PLANS[organization.plan];
  return {
    organization,
    key,
    limits: {
      monitors: finite(limits.monitors),
      statusPages: finite(limits.statusPages),
      webhooks: finite(limits.webhooks),
      members: finite(limits.members),
      regions: [...limits.regions],
      customDomain: limits.customDomain,
      requestsPerMinute: limits.requestsPerMinute,
    },
    usage: { monitors, statusPages, webhooks, members },
  };
}

function finite(limit: number): number | null {
  return Number.isFinite(limit) ? limit : null;
}
