import { DomainError } from '@/lib/core/errors';
import { createId } from '@/lib/core/ids';
import { recordAudit } from '@/lib/domain/audit/record-audit';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { lockOrganization } from '@/lib/domain/organizations/lock-organization';
import { requireQuota, requireRegions } from '@/lib/plans/limits';
import type { Monitor } from '@/lib/schemas/monitor';
import type { MonitorConfig } from '@/lib/schemas/monitor/fields';
import { initialState } from '@/lib/state/initial-state';
import { getMonitor } from './find-monitor';
import { guardLiteralTarget } from './guard-target';
import { switchPeriods } from './history/ledger';
import { restartSchedules } from './probe-schedules';
import { writeFields } from './stored-fields';

/**
 * Creates a pending monitor with its first check due immediately, or a paused one if `enabled` is false. Throws FORBIDDEN,
 * BLOCKED_TARGET, PLAN_LIMIT_EXCEEDED, and REF_TAKEN if another monitor of the organization has the same `ref`.
 */
export async function createMonitor(ctx: OrganizationContext, input: MonitorConfig): Promise<Monitor> {
  requirePermission(ctx, 'monitor.create');
  guardLiteralTarget(ctx.targetPolicy, input);
  const now = ctx.clock.now();
  const id = createId('monitor');
  await ctx.db.$transaction(async (tx) => {
    const { organizationId } = ctx;
    const plan = await lockOrganization(tx, organizationId);
    requireQuota(plan, 'monitors', await tx.monitor.count({ where: { organizationId } }));
    requireRegions(plan, input.regions);
    if (input.ref !== null && (await tx.monitor.count({ where: { organizationId, ref: input.ref } })) > 0) {
      throw refTaken();
    }
    const machine = initialState(now.getTime());
    await tx.monitor.create({
      data: {
        id,
        organizationId,
        ...writeFields(ctx.keyring, id, input),
        createdAt: now,
        updatedAt: now,
        state: { create: { configVersion: 1, machine, status: 'pending', consecutiveFailures: 0 } },
      },
    });
    const first = { monitorId: id, from: now, decidedAt: now, why: null };
    await switchPeriods(tx, [{ ...first, state: input.enabled ? 'pending' : 'paused' }]);
    if (input.enabled) await restartSchedules(tx, [{ id, ...input }], now);
    const subject = { id, label: input.name };
    await recordAudit(tx, ctx, { action: 'monitor.create', subject, after: input });
  });
  // As created: a worker may have checked it since, and the response promises `pending`.
  const asCreated = {
    status: 'pending',
    consecutiveFailures: 0,
    lastCheckedAt: null,
    lastResponseTime: null,
  } as const;
  return { ...(await getMonitor(ctx, id)), ...asCreated };
}

/** The error for a `ref` in use. */
export function refTaken(): DomainError {
  return new DomainError('REF_TAKEN', 'Another monitor of this organization already has this ID.', [
    { path: 'ref', code: 'taken', message: 'is already used by another monitor' },
  ]);
}
