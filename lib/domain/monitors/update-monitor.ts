import { DomainError, requireFound } from '@/lib/core/errors';
import { recordAudit } from '@/lib/domain/audit/record-audit';
import { requireExpectedVersion } from '@/lib/domain/context/expected-version';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { lockOrganization } from '@/lib/domain/organizations/lock-organization';
import { requireRegions } from '@/lib/plans/limits';
import type { Transaction } from '@/lib/platform/db/client';
import { notePagesChanged } from '@/lib/platform/page-front/application';
import { findConflicts, type Monitor, type MonitorChanges } from '@/lib/schemas/monitor';
import {
  FIELD_NAMES,
  type FieldName,
  type MonitorConfig,
  RESETTING_FIELDS,
} from '@/lib/schemas/monitor/fields';
import { lockOwnStates } from './change-selected';
import { refTaken } from './create-monitor';
import { getMonitor } from './find-monitor';
import { guardLiteralTarget } from './guard-target';
import { findUnderMaintenance, followStates, switchPeriods } from './history/ledger';
import { keepHidden } from './keep-hidden';
import { changeRegions, reschedule, restartSchedules, unschedule } from './probe-schedules';
import { readFields, writeFields } from './stored-fields';

type Current = MonitorConfig & { configVersion: number; version: number };

const RESETTING_NAMES: ReadonlySet<FieldName> = new Set(RESETTING_FIELDS);

/**
 * Changes the given fields; does nothing without fields. Resuming or changing what is probed resets the monitor to pending.
 * `[hidden]` keeps stored values. Throws FORBIDDEN, NOT_FOUND, VALIDATION_ERROR for conflicting fields and for a `[hidden]` that
 * cannot be kept, BLOCKED_TARGET, PLAN_LIMIT_EXCEEDED, and REF_TAKEN for a `ref` in use.
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

async function applyChanges(ctx: OrganizationContext, tx: Transaction, id: string, changes: MonitorChanges) {
  const current = await lockMonitor(ctx, tx, id);
  requireExpectedVersion(ctx, current);
  const target = { type: changes.type ?? current.type, url: changes.url ?? current.url };
  const next: Current = { ...current, ...keepHidden(changes, current, target) };
  await requireValid(ctx, tx, id, current, next);

  const now = ctx.clock.now();
  const changed = FIELD_NAMES.filter(
    (field) => JSON.stringify(current[field]) !== JSON.stringify(next[field]),
  );
  const probeConfigChanged = changed.some((field) => RESETTING_NAMES.has(field));
  const restarts = probeConfigChanged || (next.enabled && !current.enabled);
  const configVersion = current.configVersion + (restarts || next.enabled !== current.enabled ? 1 : 0);
  await tx.monitor.update({
    where: { id },
    data: { ...writeFields(ctx.keyring, id, next, changed), configVersion, updatedAt: now },
  });
  const pauses = current.enabled && !next.enabled;
  const inMaintenance = restarts && (await findUnderMaintenance(tx, [id], now)).has(id);
  await followStates(tx, [{ id, configVersion, restarts, pauses, inMaintenance }], now);
  await followSchedule(tx, id, { current, next, restarts, inMaintenance }, now);
  await notePagesChanged(tx, { monitorIds: [id] });
  const subject = { id, label: next.name };
  await recordAudit(tx, ctx, { action: 'monitor.update', subject, before: current, after: next });
}

async function lockMonitor(ctx: OrganizationContext, tx: Transaction, id: string): Promise<Current> {
  await lockOwnStates(tx, ctx, [id]);
  const found = await tx.monitor.findFirst({ where: { id, organizationId: ctx.organizationId } });
  const row = requireFound(found, 'Monitor');
  return {
    ...readFields(ctx.keyring, id, FIELD_NAMES, row),
    configVersion: row.configVersion,
    version: row.version,
  };
}

async function requireValid(
  ctx: OrganizationContext,
  tx: Transaction,
  id: string,
  current: Current,
  next: Current,
): Promise<void> {
  const conflicts = findConflicts(next);
  if (conflicts.length > 0) {
    const details = conflicts.map((conflict) => ({ ...conflict, code: 'conflict' }));
    throw new DomainError('VALIDATION_ERROR', 'Some fields do not fit each other.', details);
  }
  if (next.url !== current.url || next.type !== current.type) guardLiteralTarget(ctx.targetPolicy, next);
  const added = next.regions.filter((region) => !current.regions.includes(region));
  if (added.length > 0) requireRegions(await lockOrganization(tx, ctx.organizationId), added);
  if (next.ref !== null && next.ref !== current.ref) {
    const others = { organizationId: ctx.organizationId, ref: next.ref, id: { not: id } };
    if ((await tx.monitor.count({ where: others })) > 0) throw refTaken();
  }
}

type Change = { current: Current; next: Current; restarts: boolean; inMaintenance: boolean };

async function followSchedule(
  tx: Transaction,
  id: string,
  { current, next, restarts, inMaintenance }: Change,
  now: Date,
): Promise<void> {
  const period = { monitorId: id, from: now, decidedAt: now };
  if (!next.enabled) {
    if (!current.enabled) return;
    await unschedule(tx, [id]);
    await switchPeriods(tx, [{ ...period, state: 'paused', why: { rule: 'monitoring was paused' } }]);
    return;
  }
  if (restarts) {
    const rule = current.enabled ? 'the probe settings changed' : 'monitoring was resumed';
    await switchPeriods(tx, [{ ...period, state: inMaintenance ? 'maintenance' : 'pending', why: { rule } }]);
    await restartSchedules(tx, [{ id, ...next }], now);
    return;
  }
  await changeRegions(tx, { id, ...next }, current.regions, now);
  if (next.interval !== current.interval) await reschedule(tx, { id, ...next }, now);
}
