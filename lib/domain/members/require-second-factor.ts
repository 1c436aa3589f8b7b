import { invalidState } from '@/lib/core/errors';
import { recordAudit } from '@/lib/domain/audit/record-audit';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { requireRecentFactor } from '@/lib/domain/context/recent-factor';
import { lockOrganization } from '@/lib/domain/organizations/lock-organization';
import { hasSecondFactor, readFactors } from '@/lib/domain/people/second-factor/has-second-factor';
import type { FactorRequirement } from '@/lib/schemas/people';

const DAY_MS = 86_400_000;

/** From when members need a second factor to sign in; null: they do not. Throws FORBIDDEN. */
export async function readFactorRequirement(ctx: OrganizationContext): Promise<Date | null> {
  requirePermission(ctx, 'organization.read');
  const where = { id: ctx.organizationId };
  const found = await ctx.db.organization.findUniqueOrThrow({ where, select: { secondFactorFrom: true } });
  return found.secondFactorFrom;
}

/**
 * Requires a second factor of every member after a grace period, which starts now, or no longer. From then on, members without one
 * set it up before anything else; API keys are not affected. Throws FORBIDDEN, and VALIDATION_ERROR for an owner without one.
 */
export async function requireSecondFactor(
  ctx: OrganizationContext,
  { graceDays }: FactorRequirement,
): Promise<void> {
  requirePermission(ctx, 'organization.require-second-factor');
  requireRecentFactor(ctx);
  const { organizationId: id, actor, clock } = ctx;
  const now = clock.now();
  await ctx.db.$transaction(async (tx) => {
    await lockOrganization(tx, id);
    if (graceDays !== null && actor.kind === 'user') {
      const { hasFactor } = await readFactors(tx, actor.userId, now);
      if (!hasFactor) throw invalidState('Set up your own second factor first, in your profile.');
    }
    const select = { name: true, secondFactorFrom: true };
    const { name, secondFactorFrom } = await tx.organization.findUniqueOrThrow({ where: { id }, select });
    if (graceDays === null && secondFactorFrom === null) return;
    const from = graceDays === null ? null : new Date(now.getTime() + graceDays * DAY_MS);
    await tx.organization.update({ where: { id }, data: { secondFactorFrom: from, updatedAt: now } });
    await recordAudit(tx, ctx, {
      action: 'organization.require-second-factor',
      subject: { id, label: name },
      before: { requiredFrom: secondFactorFrom?.toISOString() ?? null },
      after: { requiredFrom: from?.toISOString() ?? null },
    });
  });
}

/** The IDs of the members who have a second factor. Throws FORBIDDEN: who lacks one is not for everyone. */
export async function readFactorHolders(ctx: OrganizationContext): Promise<ReadonlySet<string>> {
  requirePermission(ctx, 'member.read-second-factor');
  const rows = await ctx.db.$queryRaw<{ id: string }[]>`
    SELECT person.id FROM membership JOIN "user" AS person ON person.id = membership.user_id
     WHERE membership.organization_id = ${ctx.organizationId} AND ${hasSecondFactor}`;
  return new Set(rows.map(({ id }) => id));
}
