import { DomainError } from '@/lib/core/errors';
import { recordAudit } from '@/lib/domain/audit/record-audit';
import type { Services } from '@/lib/domain/context/services';
import type { PlanId } from '@/lib/plans/catalogue';

/**
 * Puts an organization on a plan, as the operator of the service does. A downgrade stops nothing that runs and refuses
 * growth. Throws NOT_FOUND.
 */
export async function changePlan(services: Services, organizationId: string, plan: PlanId): Promise<void> {
  const { db, clock } = services;
  await db.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT 1 FROM organization WHERE id = ${organizationId} FOR NO KEY UPDATE`;
    const before = await tx.organization.findUnique({ where: { id: organizationId } });
    if (before === null) throw new DomainError('NOT_FOUND', `There is no organization ${organizationId}.`);
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
