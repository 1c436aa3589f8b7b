import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import type { Monitor } from '@/lib/schemas/monitor';
import type { MonitorConfig } from '@/lib/schemas/monitor/fields';
import { getMonitor } from './find-monitor';
import { asCreated, draftMonitor, insertMonitors, openAdmission } from './writes/insert-monitors';

/**
 * Creates a pending monitor with its first check due immediately, or a paused one if `enabled` is false. Throws FORBIDDEN,
 * BLOCKED_TARGET, PLAN_LIMIT_EXCEEDED, UNKNOWN_REGION, UNKNOWN_MONITOR, and REF_TAKEN if another monitor of the organization has the same `ref`.
 */
export async function createMonitor(ctx: OrganizationContext, input: MonitorConfig): Promise<Monitor> {
  requirePermission(ctx, 'monitor.create');
  const draft = draftMonitor(ctx, input);
  await ctx.db.$transaction(async (tx) => {
    const { admit } = await openAdmission(tx, ctx, {
      refs: [input.ref],
      named: [...input.dependsOn, ...input.members],
    });
    admit(input);
    await insertMonitors(tx, ctx, [draft]);
  });
  return asCreated(await getMonitor(ctx, draft.id));
}
