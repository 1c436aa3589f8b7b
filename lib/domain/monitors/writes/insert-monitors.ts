import { isProbed } from '@/lib/checks/types';
import { createId } from '@/lib/core/ids';
import { recordAudits } from '@/lib/domain/audit/record-audit';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { refTaken } from '@/lib/domain/organizations/ref-taken';
import { lockUsableRegions, requireUsable, type UsableRegions } from '@/lib/domain/regions/usable-regions';
import { requireQuota } from '@/lib/plans/limits';
import type { Transaction } from '@/lib/platform/db/client';
import type { Monitor } from '@/lib/schemas/monitor';
import type { MonitorConfig } from '@/lib/schemas/monitor/fields';
import { initialState } from '@/lib/state/initial-state';
import { type Dependencies, openDependencies } from '../dependencies/admit-dependencies';
import { guardLiteralTarget } from '../guard-target';
import { awaitFirstCalls } from '../heartbeats/follow-plans';
import { createToken } from '../heartbeats/heartbeat-token';
import { switchPeriods } from '../history/ledger';
import { restartSchedules } from '../probe-schedules';
import { writeFields } from '../stored-fields';

/** Decides which monitors an organization can have, one after the other. */
export type Admission = {
  usable: UsableRegions;
  dependencies: Dependencies;
  /** The monitors that have one of the refs in question, by ref. */
  idsByRef: Map<string, string>;
  /**
   * Counts a monitor to be created. Throws BLOCKED_TARGET, PLAN_LIMIT_EXCEEDED, UNKNOWN_REGION, UNKNOWN_MONITOR, and REF_TAKEN if another monitor
   * has the same `ref`, or was admitted with it; then the monitor does not count.
   */
  admit(config: MonitorConfig): void;
};

/**
 * Locks the organization until the transaction ends, so that what is admitted to it stays possible. Takes the refs and dependencies of
 * all monitors in question.
 */
export async function openAdmission(
  tx: Transaction,
  { organizationId, targetPolicy }: OrganizationContext,
  { refs, dependsOn }: { refs: readonly (string | null)[]; dependsOn: readonly string[] },
): Promise<Admission> {
  const usable = await lockUsableRegions(tx, organizationId);
  const dependencies = await openDependencies(tx, organizationId, dependsOn);
  const given = refs.filter((ref) => ref !== null);
  const where = { organizationId, ref: { in: given } };
  const rows =
    given.length === 0 ? [] : await tx.monitor.findMany({ where, select: { id: true, ref: true } });
  const idsByRef = new Map(rows.flatMap(({ id, ref }) => (ref === null ? [] : [[ref, id]])));
  const admitted = new Set<string>();
  let monitors = await tx.monitor.count({ where: { organizationId } });
  const admit = (config: MonitorConfig) => {
    guardLiteralTarget(targetPolicy, config);
    requireQuota(usable.plan, 'monitors', monitors);
    requireUsable(usable, config.regions);
    dependencies.admit(null, config.dependsOn);
    const { ref } = config;
    if (ref !== null && (idsByRef.has(ref) || admitted.has(ref))) throw refTaken('monitor');
    if (ref !== null) admitted.add(ref);
    monitors += 1;
  };
  return { usable, dependencies, idsByRef, admit };
}

/**
 * Creates admitted monitors in a fixed number of statements, pending with their first checks due immediately or awaiting a call, or paused. Returns
 * their IDs in the same order.
 */
export async function insertMonitors(
  tx: Transaction,
  ctx: OrganizationContext,
  configs: readonly MonitorConfig[],
): Promise<string[]> {
  if (configs.length === 0) return [];
  const { organizationId, keyring, clock } = ctx;
  const now = clock.now();
  const monitors = configs.map((config) => ({ id: createId('monitor'), config }));
  await tx.monitor.createMany({
    data: monitors.map(({ id, config }) => ({
      id,
      organizationId,
      ...writeFields(keyring, id, config),
      ...(isProbed(config) ? {} : createToken(keyring, id)),
      createdAt: now,
      updatedAt: now,
    })),
  });
  const machine = initialState(now.getTime());
  const state = { configVersion: 1, machine, status: 'pending' as const, consecutiveFailures: 0 };
  await tx.monitorState.createMany({ data: monitors.map(({ id }) => ({ monitorId: id, ...state })) });
  const first = { from: now, decidedAt: now, why: null };
  await switchPeriods(
    tx,
    monitors.map(({ id, config }) => {
      return { monitorId: id, ...first, state: config.enabled ? ('pending' as const) : ('paused' as const) };
    }),
  );
  const enabled = monitors.filter(({ config }) => config.enabled);
  if (enabled.length > 0) {
    const scheduled = enabled.map(({ id, config: { type, regions } }) => ({ id, type, regions }));
    await restartSchedules(tx, scheduled, now);
  }
  await awaitFirstCalls(
    tx,
    monitors.map(({ id, config: { type } }) => ({ id, type })),
  );
  await recordAudits(
    tx,
    ctx,
    monitors.map(({ id, config }) => {
      return { action: 'monitor.create' as const, subject: { id, label: config.name }, after: config };
    }),
  );
  return monitors.map(({ id }) => id);
}

/** A monitor as it was created: a worker may have checked it since, and the response promises `pending`. */
export function asCreated(monitor: Monitor): Monitor {
  return {
    ...monitor,
    status: 'pending',
    consecutiveFailures: 0,
    lastCheckedAt: null,
    lastResponseTime: null,
  };
}
