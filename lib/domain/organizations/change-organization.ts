import { DomainError, invalidField, requireFound } from '@/lib/core/errors';
import { recordAudit } from '@/lib/domain/audit/record-audit';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { requireRecentFactor } from '@/lib/domain/context/recent-factor';
import type { Services } from '@/lib/domain/context/services';
import type { PlanId } from '@/lib/plans/catalogue';
import type { Database, Transaction } from '@/lib/platform/db/client';
import { notify } from '@/lib/platform/db/listen';
import type { OrganizationName } from '@/lib/schemas/people';
import { lockOrganization } from './lock-organization';

/** Deleting a large organization takes time. */
const TIMEOUT_MS = 300_000;

/** Renames the organization. Throws FORBIDDEN. */
export async function renameOrganization(ctx: OrganizationContext, { name }: OrganizationName) {
  requirePermission(ctx, 'organization.rename');
  const { organizationId: id, clock } = ctx;
  await ctx.db.$transaction(async (tx) => {
    await lockOrganization(tx, id);
    const before = await tx.organization.findUniqueOrThrow({ where: { id }, select: { name: true } });
    if (before.name === name) return;
    await tx.organization.update({ where: { id }, data: { name, updatedAt: clock.now() } });
    const subject = { id, label: name };
    await recordAudit(tx, ctx, { action: 'organization.rename', subject, before, after: { name } });
  });
}

/** Changes the plan, for the operator. A downgrade keeps existing resources but blocks new ones. Throws NOT_FOUND. */
export async function changePlan(services: Services, organizationId: string, plan: PlanId): Promise<void> {
  const { db, clock } = services;
  await db.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT 1 FROM organization WHERE id = ${organizationId} FOR NO KEY UPDATE`;
    const found = await tx.organization.findUnique({ where: { id: organizationId } });
    const before = requireFound(found, `Organization ${organizationId}`);
    await tx.organization.update({ where: { id: organizationId }, data: { plan, updatedAt: clock.now() } });
    const ctx = { clock, organizationId, actor: { kind: 'operator' } } as const;
    await recordAudit(tx, ctx, {
      action: 'organization.change-plan',
      subject: { id: organizationId, label: before.name },
      before: { plan: before.plan },
      after: { plan },
    });
  });
}

/**
 * Permanently deletes the organization with its monitors and their history, pages, webhook endpoints and pending deliveries,
 * own regions, keys, invitations and audit log, and revokes the tokens of its probes. Users and their other organizations remain. `name` confirms the deletion. Throws FORBIDDEN,
 * and VALIDATION_ERROR if the name differs.
 */
export async function deleteOrganization(ctx: OrganizationContext, { name }: OrganizationName) {
  requirePermission(ctx, 'organization.delete');
  requireRecentFactor(ctx);
  const { organizationId: id } = ctx;
  await ctx.db.$transaction(
    async (tx) => {
      await lockOrganization(tx, id);
      await requireOwner(tx, ctx);
      const organization = await tx.organization.findUniqueOrThrow({ where: { id } });
      if (organization.name !== name) throw invalidField('name', `must be “${organization.name}”`);
      // Locked in the engine's order, to avoid deadlocks.
      await tx.$queryRaw`
        SELECT 1 FROM monitor_state WHERE monitor_id IN (SELECT id FROM monitor WHERE organization_id = ${id})
         ORDER BY monitor_id FOR UPDATE`;
      await revokeTokens(tx, id, ctx.clock.now());
      await tx.organization.delete({ where: { id } });
      await notify(tx, 'pharos_checks');
    },
    { timeout: TIMEOUT_MS },
  );
}

/** Of probes that serve its own regions: they refer to none of its rows. */
async function revokeTokens(tx: Transaction, organizationId: string, now: Date): Promise<void> {
  const regions = await tx.region.findMany({ where: { organizationId }, select: { id: true } });
  const where = { region: { in: regions.map(({ id }) => id) }, revokedAt: null };
  await tx.probeToken.updateMany({ where, data: { revokedAt: now } });
}

/** The role may have changed since the request started. */
async function requireOwner(tx: Transaction, { organizationId, actor }: OrganizationContext): Promise<void> {
  if (actor.kind !== 'user') return;
  const { userId } = actor;
  const isOwner = await tx.membership.count({ where: { organizationId, userId, role: 'owner' } });
  if (isOwner === 0) throw new DomainError('FORBIDDEN', 'You are no longer an owner of this organization.');
}

/** Every organization of this installation with the number of its members and monitors, oldest first, for the operator. */
export async function listOrganizations(db: Database) {
  const rows = await db.organization.findMany({
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    select: {
      id: true,
      name: true,
      plan: true,
      createdAt: true,
      _count: { select: { memberships: true, monitors: true } },
    },
  });
  return rows.map(({ _count, ...organization }) => ({
    ...organization,
    members: _count.memberships,
    monitors: _count.monitors,
  }));
}
