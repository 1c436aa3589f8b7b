import { isCalled, isProbed, type MonitorType } from '@/lib/checks/types';
import { DomainError } from '@/lib/core/errors';
import { recordAudits } from '@/lib/domain/audit/record-audit';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requireUsable, type UsableRegions } from '@/lib/domain/regions/usable-regions';
import { reviewSuppressed } from '@/lib/notify/held-rows';
import type { Transaction } from '@/lib/platform/db/client';
import { notify } from '@/lib/platform/db/listen';
import { notePagesChanged } from '@/lib/platform/page-front/application';
import { defaultsOfType, findConflicts, type MonitorChanges } from '@/lib/schemas/monitor';
import { tokenOriginOf } from '@/lib/schemas/monitor/authentication-parts';
import {
  FIELD_NAMES,
  type FieldName,
  type MonitorConfig,
  monitorDefaults,
  RESETTING_FIELDS,
} from '@/lib/schemas/monitor/fields';
import { lockOwnStates } from '../change-selected';
import type { Dependencies } from '../dependencies/admit-dependencies';
import { guardLiteralTarget, requireUsableCertificate } from '../guard-target';
import { followPlans } from '../heartbeats/follow-plans';
import { createToken } from '../heartbeats/heartbeat-token';
import { findUnderMaintenance, followStates, type PeriodChange, switchPeriods } from '../history/ledger';
import { keepHidden } from '../keep-hidden';
import { changeRegions, reschedule, restartSchedules, unschedule } from '../probe-schedules';
import { readFields } from '../stored-fields';
import { type MonitorUpdate, updateMonitors } from './update-monitors';

/** A monitor, locked until the transaction ends. */
export type LockedConfig = MonitorConfig & { id: string; configVersion: number; version: number };

/** A monitor before and after a change that is possible. */
export type PlannedChange = {
  current: LockedConfig;
  next: LockedConfig;
  changed: readonly FieldName[];
  /** The monitor is reset to pending. */
  restarts: boolean;
};

const RESETTING_NAMES: ReadonlySet<FieldName> = new Set(RESETTING_FIELDS);

/** Locks those of the monitors that the organization has, in two statements. */
export async function lockMonitors(
  tx: Transaction,
  ctx: OrganizationContext,
  ids: string[],
): Promise<Map<string, LockedConfig>> {
  if (ids.length === 0) return new Map();
  await lockOwnStates(tx, ctx, ids);
  const where = { id: { in: ids }, organizationId: ctx.organizationId };
  const rows = await tx.monitor.findMany({ where });
  return new Map(
    rows.map((row) => {
      const { id, configVersion, version } = row;
      return [id, { id, configVersion, version, ...readFields(ctx.keyring, id, FIELD_NAMES, row) }];
    }),
  );
}

/**
 * Plans the change of a monitor. `admission` is that of its organization, which is locked if `sent` has regions, dependencies or members. Throws
 * VALIDATION_ERROR for conflicting fields, for a `[hidden]` that cannot be kept and for dependencies or members in a cycle, BLOCKED_TARGET,
 * PLAN_LIMIT_EXCEEDED, UNKNOWN_REGION, UNKNOWN_MONITOR.
 */
export function planChange(
  { targetPolicy }: Pick<OrganizationContext, 'targetPolicy'>,
  admission: { usable: UsableRegions; dependencies: Dependencies } | null,
  current: LockedConfig,
  sent: MonitorChanges,
): PlannedChange {
  const type = sent.type ?? current.type;
  const changes = withDefaultThreshold(sent, type);
  // Neither a job nor a group is reached by an address.
  const { connectTo = current.connectTo } = changes;
  const target = { type, url: changes.url ?? (isProbed({ type }) ? current.url : ''), connectTo };
  const kept: LockedConfig = { ...current, ...keepHidden(changes, current, target), url: target.url };
  const conflicts = findConflicts(kept);
  if (conflicts.length > 0) {
    const details = conflicts.map((conflict) => ({ ...conflict, code: 'conflict' }));
    throw new DomainError('VALIDATION_ERROR', 'Some fields do not fit each other.', details);
  }
  if (placeOf(kept) !== placeOf(current)) guardLiteralTarget(targetPolicy, kept);
  if (kept.clientCertificate !== current.clientCertificate) requireUsableCertificate(kept);
  if (admission !== null) requireUsable(admission.usable, kept.regions, current.regions);
  const { dependsOn, members } = changes;
  if (dependsOn !== undefined || members !== undefined) {
    admission?.dependencies.admit(current.id, { dependsOn, members });
  }
  const changed = FIELD_NAMES.filter(
    (field) => JSON.stringify(current[field]) !== JSON.stringify(kept[field]),
  );
  const probeConfigChanged = changed.some((field) => RESETTING_NAMES.has(field));
  const restarts = probeConfigChanged || (kept.enabled && !current.enabled);
  const isNewConfig = restarts || kept.enabled !== current.enabled;
  const next = { ...kept, configVersion: current.configVersion + (isNewConfig ? 1 : 0) };
  return { current, next, changed, restarts };
}

/** What a check of a monitor connects to, to be compared. */
function placeOf({ type, url, resolvers, connectTo, authentication }: MonitorConfig): string {
  return JSON.stringify([type, url, resolvers, connectTo, tokenOriginOf(authentication)]);
}

function withDefaultThreshold(
  { alertThreshold, ...others }: MonitorChanges,
  type: MonitorType,
): Partial<MonitorConfig> {
  if (alertThreshold === undefined) return others;
  const defaults = { ...monitorDefaults, ...defaultsOfType(type) };
  return { ...others, alertThreshold: alertThreshold ?? defaults.alertThreshold };
}

/**
 * Applies planned changes to different monitors, in a fixed number of statements and one for each set of fields that changes together.
 * One without a difference is only marked as updated.
 */
export async function writeChanges(
  tx: Transaction,
  ctx: OrganizationContext,
  planned: readonly PlannedChange[],
): Promise<void> {
  const now = ctx.clock.now();
  const same = planned.filter(({ changed }) => changed.length === 0).map(({ next }) => next.id);
  const changes = planned.filter(({ changed }) => changed.length > 0);
  if (same.length > 0) await tx.monitor.updateMany({ where: { id: { in: same } }, data: { updatedAt: now } });
  if (changes.length === 0) return;
  const restarting = changes.filter(({ restarts }) => restarts).map(({ next }) => next.id);
  const covered =
    restarting.length === 0 ? new Set<string>() : await findUnderMaintenance(tx, restarting, now);
  const states = changes.map(({ current, next: { id, configVersion, enabled }, restarts }) => {
    const pauses = current.enabled && !enabled;
    return { id, configVersion, restarts, pauses, inMaintenance: covered.has(id) };
  });
  // Before its regions change: the last checks from those that it leaves belong to its state.
  await followStates(tx, states, now);
  await updateMonitors(tx, ctx.keyring, changes.map(withToken(ctx)), now);
  await followSchedules(tx, changes, covered, now);
  await followPlans(tx, changes, now);
  if (changes.some(({ changed }) => changed.includes('dependsOn'))) {
    await reviewSuppressed(tx, ctx.organizationId, now);
  }
  await notePagesChanged(tx, { monitorIds: changes.map(({ next }) => next.id) });
  await recordAudits(
    tx,
    ctx,
    changes.map(({ current, next }) => ({
      action: 'monitor.update' as const,
      subject: { id: next.id, label: next.name },
      before: fieldsOf(current),
      after: fieldsOf(next),
    })),
  );
}

/** A monitor that was probed until now gets a token in the same statement, which counts as one version. */
function withToken({ keyring }: Pick<OrganizationContext, 'keyring'>) {
  return (change: PlannedChange): MonitorUpdate => {
    const isCalledNow = !isCalled(change.current) && isCalled(change.next);
    return { ...change, token: isCalledNow ? createToken(keyring, change.next.id) : null };
  };
}

function fieldsOf({ id, version, configVersion, ...fields }: LockedConfig): MonitorConfig {
  return fields;
}

async function followSchedules(
  tx: Transaction,
  changes: readonly PlannedChange[],
  covered: ReadonlySet<string>,
  now: Date,
): Promise<void> {
  const pausing = changes.filter(({ current, next }) => current.enabled && !next.enabled);
  const enabled = changes.filter(({ next }) => next.enabled);
  const restarting = enabled.filter(({ restarts }) => restarts);
  const pausedIds = pausing.map(({ next }) => next.id);
  if (pausedIds.length > 0) await unschedule(tx, pausedIds);
  await switchPeriods(tx, [
    ...pausedIds.map((id) => periodOf(id, 'paused', 'monitoring was paused', now)),
    ...restarting.map(({ current, next: { id } }) => {
      const rule = current.enabled ? 'the probe settings changed' : 'monitoring was resumed';
      return periodOf(id, covered.has(id) ? 'maintenance' : 'pending', rule, now);
    }),
  ]);
  if (restarting.length > 0) {
    await restartSchedules(
      tx,
      restarting.map(({ next }) => next),
      now,
    );
  }
  const running = enabled.filter(({ restarts }) => !restarts);
  const differing = (field: FieldName) =>
    running.filter(({ changed }) => changed.includes(field)).map(({ next }) => next);
  const before = new Map(running.map(({ current }) => [current.id, current.regions]));
  await changeRegions(tx, differing('regions'), before, now);
  await reschedule(tx, differing('interval'), now);
  if (enabled.length > 0) await notify(tx, 'pharos_checks');
}

function periodOf(monitorId: string, state: PeriodChange['state'], rule: string, now: Date): PeriodChange {
  return { monitorId, state, from: now, decidedAt: now, why: { rule } };
}
