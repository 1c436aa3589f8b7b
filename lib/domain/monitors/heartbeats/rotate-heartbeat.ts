import { isCalled } from '@/lib/checks/types';
import { invalidField, requireFound } from '@/lib/core/errors';
import { recordAudit } from '@/lib/domain/audit/record-audit';
import { requireExpectedVersion } from '@/lib/domain/context/expected-version';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import type { Monitor } from '@/lib/schemas/monitor';
import { lockOwnStates } from '../change-selected';
import { getMonitor } from '../find-monitor';
import { createToken } from './heartbeat-token';

/**
 * Replaces the token in the URL that a job calls; the old one is unknown from now on. Throws FORBIDDEN, NOT_FOUND, and VALIDATION_ERROR
 * for a monitor that is not called.
 */
export async function rotateHeartbeat(ctx: OrganizationContext, id: string): Promise<Monitor> {
  requirePermission(ctx, 'monitor.rotate-heartbeat');
  const updatedAt = ctx.clock.now();
  await ctx.db.$transaction(async (tx) => {
    // Calls are recorded under the same lock.
    await lockOwnStates(tx, ctx, [id]);
    const found = await tx.monitor.findFirst({
      where: { id, organizationId: ctx.organizationId },
      select: { name: true, type: true, version: true },
    });
    const monitor = requireFound(found, 'Monitor');
    requireExpectedVersion(ctx, monitor);
    if (!isCalled(monitor)) throw invalidField('type', 'has no URL that a job calls');
    await tx.monitor.update({ where: { id }, data: { ...createToken(ctx.keyring, id), updatedAt } });
    await recordAudit(tx, ctx, {
      action: 'monitor.rotate-heartbeat',
      subject: { id, label: monitor.name },
      after: { rotatedAt: updatedAt.toISOString() },
    });
  });
  return getMonitor(ctx, id);
}
