import { invalidField, invalidState, requireFound } from '@/lib/core/errors';
import { createId } from '@/lib/core/ids';
import { labelActor, recordAudit } from '@/lib/domain/audit/record-audit';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { lockOwnStates } from '@/lib/domain/monitors/change-selected';
import { findMonitorNumber } from '@/lib/domain/monitors/find-monitor';
import type { Transaction } from '@/lib/platform/db/client';
import type { LedgerCorrection } from '@/lib/platform/db/generated/client';
import { notePagesChanged } from '@/lib/platform/page-front/application';
import type { Correction, CreateCorrection } from '@/lib/schemas/monitor/correction';
import { CORRECTED_STATES } from '@/lib/schemas/monitor/correction';
import { LEDGER_DAYS } from '@/lib/schemas/monitor/transition';
import { MAX_CORRECTIONS } from './read-corrected';

const DAY = 86_400_000;

/** The corrections of a monitor, newest first: at most 100, without those that a group has by its members. Throws NOT_FOUND. */
export async function listCorrections(ctx: OrganizationContext, monitorId: string): Promise<Correction[]> {
  requirePermission(ctx, 'correction.read');
  const rows = await ctx.db.ledgerCorrection.findMany({
    where: { monitorId, organizationId: ctx.organizationId, derived: false },
    orderBy: [{ from: 'desc' }, { id: 'desc' }],
  });
  if (rows.length === 0) await findMonitorNumber(ctx, monitorId);
  return rows.map(serializeCorrection);
}

/**
 * Corrects what a time of a monitor counts as. The ledger stays as it is. Throws FORBIDDEN, NOT_FOUND, and VALIDATION_ERROR for a time that
 * is not in the ledger, overlaps another correction, or is one more than the 100 that a monitor can have.
 */
export async function createCorrection(
  ctx: OrganizationContext,
  monitorId: string,
  input: CreateCorrection,
): Promise<Correction> {
  requirePermission(ctx, 'correction.create');
  return ctx.db.$transaction(async (tx) => {
    await lockOwnStates(tx, ctx, [monitorId]);
    const [created] = await correctLedgers(tx, ctx, [monitorId], { ...input, windowId: null });
    const { name, row } = requireFound(created ?? null, 'Monitor');
    const correction = serializeCorrection(row);
    const subject = { id: correction.id, label: name };
    await notePagesChanged(tx, { monitorIds: [monitorId] });
    await recordAudit(tx, ctx, { action: 'correction.create', subject, after: auditedFields(correction) });
    return correction;
  });
}

/** Deletes a correction: the time counts as the ledger says again. Throws FORBIDDEN, NOT_FOUND, and VALIDATION_ERROR for that of a window. */
export async function deleteCorrection(
  ctx: OrganizationContext,
  monitorId: string,
  id: string,
): Promise<{ message: string }> {
  requirePermission(ctx, 'correction.delete');
  await ctx.db.$transaction(async (tx) => {
    await lockOwnStates(tx, ctx, [monitorId]);
    const row = requireFound(
      await tx.ledgerCorrection.findFirst({
        where: { id, monitorId, organizationId: ctx.organizationId, derived: false },
        include: { monitor: { select: { name: true } } },
      }),
      'Correction',
    );
    if (row.windowId !== null) {
      throw invalidState('This correction belongs to a maintenance window. Delete the window instead.');
    }
    await tx.ledgerCorrection.delete({ where: { id } });
    await notePagesChanged(tx, { monitorIds: [monitorId] });
    const before = auditedFields(serializeCorrection(row));
    const subject = { id, label: row.monitor.name };
    await recordAudit(tx, ctx, { action: 'correction.delete', subject, before });
  });
  return { message: 'Correction deleted' };
}

type Fields = { from: string; to: string };
/** `fields`: what the times are called in the request, for errors. */
type Wanted = CreateCorrection & { windowId: string | null; fields?: Fields };

/**
 * Writes the same correction for those of the monitors that the organization has, in their order. The caller holds the locks of their states
 * (`lockOwnStates`), so that corrections of one never overlap, and has pages show it. Throws VALIDATION_ERROR as `createCorrection` does.
 */
export async function correctLedgers(
  tx: Transaction,
  { clock, organizationId, actor }: Pick<OrganizationContext, 'clock' | 'organizationId' | 'actor'>,
  monitorIds: readonly string[],
  { from, to, state, reason, windowId, fields = { from: 'from', to: 'to' } }: Wanted,
): Promise<{ name: string; row: LedgerCorrection }[]> {
  const monitors = await readCorrectable(tx, { organizationId, monitorIds, from, to });
  if (monitors.length === 0) return [];
  const now = clock.now();
  if (to <= from) throw invalidField(fields.to, 'must be after the start');
  if (to > now) throw invalidField(fields.to, 'must not be in the future');
  if (from.getTime() < now.getTime() - LEDGER_DAYS * DAY) {
    throw invalidField(fields.from, `must be within the last ${LEDGER_DAYS} days`);
  }
  for (const monitor of monitors) requireFree(monitor, from, fields);
  const { actorLabel: author } = await labelActor(tx, actor);
  const rows = await tx.ledgerCorrection.createManyAndReturn({
    data: monitors.map(({ id: monitorId }) => ({
      id: createId('correction'),
      organizationId,
      monitorId,
      windowId,
      state,
      reason,
      author,
      from,
      to,
      createdAt: now,
    })),
  });
  const names = new Map(monitors.map(({ id, name }) => [id, name]));
  return rows.map((row) => ({ name: names.get(row.monitorId) ?? '', row }));
}

/** Deletes the corrections of a maintenance window: its time counts as the ledger says again. The caller has pages show it. */
export async function deleteCorrectionsOf(
  tx: Transaction,
  { organizationId }: Pick<OrganizationContext, 'organizationId'>,
  windowId: string,
): Promise<void> {
  const where = { windowId, organizationId };
  const found = await tx.ledgerCorrection.findMany({ where, select: { monitorId: true } });
  if (found.length === 0) return;
  const monitorIds = found.map(({ monitorId }) => monitorId);
  await lockOwnStates(tx, { organizationId }, monitorIds);
  await tx.ledgerCorrection.deleteMany({ where });
}

/** A monitor with what decides whether a time of it can be corrected. */
type Correctable = { id: string; name: string; begins: Date | null; other: string | null; count: number };

function readCorrectable(
  tx: Transaction,
  {
    organizationId,
    monitorIds,
    from,
    to,
  }: { organizationId: string; monitorIds: readonly string[]; from: Date; to: Date },
): Promise<Correctable[]> {
  const ids = [...monitorIds];
  return tx.$queryRaw<Correctable[]>`
    SELECT id, name, (SELECT min(from_at) FROM status_period WHERE monitor_id = monitor.id) AS begins,
           (SELECT id FROM ledger_correction
             WHERE monitor_id = monitor.id AND NOT derived AND from_at < ${to} AND to_at > ${from}
             LIMIT 1) AS other,
           (SELECT count(*)::int FROM ledger_correction
             WHERE monitor_id = monitor.id AND NOT derived) AS count
      FROM monitor WHERE id = ANY(${ids}) AND organization_id = ${organizationId} ORDER BY array_position(${ids}, id)`;
}

/** Throws VALIDATION_ERROR unless the time is in the ledger of a monitor and overlaps no other correction of it. */
function requireFree({ name, begins, other, count }: Correctable, from: Date, fields: Fields): void {
  if (begins === null) throw invalidField(fields.from, `must be a time with records: ${name} has none yet`);
  if (from < begins) {
    throw invalidField(
      fields.from,
      `must not be before the first record of ${name}, at ${begins.toISOString()}`,
    );
  }
  if (other !== null) throw invalidField(fields.from, `overlaps the correction ${other} of ${name}`);
  if (count >= MAX_CORRECTIONS) {
    throw invalidState(`${name} has the maximum of ${MAX_CORRECTIONS} corrections. Delete one first.`);
  }
}

function serializeCorrection({ id, monitorId, state, reason, author, windowId, ...at }: LedgerCorrection) {
  return {
    id,
    monitorId,
    from: at.from.toISOString(),
    to: at.to.toISOString(),
    state: requireCorrected(state),
    reason,
    author,
    maintenanceId: windowId,
    createdAt: at.createdAt.toISOString(),
  };
}

function requireCorrected(state: LedgerCorrection['state']): Correction['state'] {
  const known = CORRECTED_STATES.find((each) => each === state);
  if (known === undefined) throw new Error(`a correction to ${state}`);
  return known;
}

function auditedFields({ from, to, state, reason }: Correction) {
  return { from, to, state, reason };
}
