import { requireFound } from '@/lib/core/errors';
import { requireExpectedVersion } from '@/lib/domain/context/expected-version';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { refTaken } from '@/lib/domain/organizations/ref-taken';
import { lockUsableRegions } from '@/lib/domain/regions/usable-regions';
import type { Transaction } from '@/lib/platform/db/client';
import type { Monitor, MonitorChanges } from '@/lib/schemas/monitor';
import { openDependencies } from './dependencies/admit-dependencies';
import { getMonitor } from './find-monitor';
import { lockMonitors, planChange, writeChanges } from './writes/change-monitors';

/**
 * Changes the given fields; does nothing without fields. Resuming or changing what is probed resets the monitor to pending.
 * `[hidden]` keeps stored values. Throws FORBIDDEN, NOT_FOUND, VALIDATION_ERROR for conflicting fields, for a `[hidden]` that
 * cannot be kept and for dependencies or members in a cycle, BLOCKED_TARGET, PLAN_LIMIT_EXCEEDED, UNKNOWN_REGION, UNKNOWN_MONITOR, and REF_TAKEN
 * for a `ref` in use.
 */
export async function updateMonitor(
  ctx: OrganizationContext,
  id: string,
  changes: MonitorChanges,
): Promise<Monitor> {
  requirePermission(ctx, 'monitor.update');
  if (Object.keys(changes).length > 0) await ctx.db.$transaction((tx) => applyChanges(ctx, tx, id, changes));
  return getMonitor(ctx, id);
}

/** Locks the organization. */
async function openChange(tx: Transaction, { organizationId }: OrganizationContext, named: string[]) {
  const usable = await lockUsableRegions(tx, organizationId);
  return { usable, dependencies: await openDependencies(tx, organizationId, named) };
}

async function applyChanges(ctx: OrganizationContext, tx: Transaction, id: string, changes: MonitorChanges) {
  // Before the monitor, as an upsert does, to avoid deadlocks.
  const { regions, ref: newRef, dependsOn, members } = changes;
  const isLocked = [regions, newRef, dependsOn, members].some((sent) => sent !== undefined);
  const admission = isLocked ? await openChange(tx, ctx, [...(dependsOn ?? []), ...(members ?? [])]) : null;
  const current = requireFound((await lockMonitors(tx, ctx, [id])).get(id), 'Monitor');
  requireExpectedVersion(ctx, current);
  const planned = planChange(ctx, admission, current, changes);
  const { ref } = planned.next;
  if (ref !== null && ref !== current.ref) {
    const others = { organizationId: ctx.organizationId, ref };
    if ((await tx.monitor.count({ where: others })) > 0) throw refTaken('monitor');
  }
  await writeChanges(tx, ctx, [planned]);
}
