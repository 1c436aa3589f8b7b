import { invalidField, invalidState, requireFound } from '@/lib/core/errors';
import { createId } from '@/lib/core/ids';
import { labelActor, recordAudit } from '@/lib/domain/audit/record-audit';
import { requireExpectedVersion } from '@/lib/domain/context/expected-version';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { lockIncident, updateIncident } from '@/lib/domain/incidents/change-incident';
import { getIncident } from '@/lib/domain/incidents/read-incidents';
import { translateUpdate } from '@/lib/domain/incidents/translations/translate-update';
import type { Transaction } from '@/lib/platform/db/client';
import type { ScheduledUpdate as Row } from '@/lib/platform/db/generated/client';
import {
  type CreateIncidentUpdate,
  type Incident,
  MAX_SCHEDULED_UPDATES,
  NO_QUIET_TIME,
  type ScheduledUpdateChanges,
} from '@/lib/schemas/incidents/incident';

const YEAR = 366 * 86_400_000;

/**
 * Adds an update to an incident: now, like `updateIncident`, or scheduled for `publishAt`. Throws what `updateIncident` throws, and
 * VALIDATION_ERROR for a time that is not within the next year, and beyond 20 scheduled updates.
 */
export async function addIncidentUpdate(
  ctx: OrganizationContext,
  id: string,
  { publishAt, ...input }: CreateIncidentUpdate,
): Promise<Incident> {
  requirePermission(ctx, 'incident.update');
  const { message, status, resolveAfterMinutes } = input;
  const translations = input.translations ?? {};
  if (publishAt === null) {
    const changes = {
      ...(status === null ? {} : { status }),
      ...(resolveAfterMinutes === undefined ? {} : { resolveAfterMinutes }),
    };
    return updateIncident(ctx, id, { message, messages: translations, ...changes });
  }
  const now = ctx.clock.now();
  requireWithinYear(publishAt, now);
  await ctx.db.$transaction(async (tx) => {
    const incident = await lockIncident(tx, ctx, id);
    requireExpectedVersion(ctx, incident);
    if ((await tx.scheduledUpdate.count({ where: { incidentId: id } })) >= MAX_SCHEDULED_UPDATES) {
      throw invalidState(
        `An incident can have ${MAX_SCHEDULED_UPDATES} scheduled updates. Cancel one first.`,
      );
    }
    const { actorLabel: author } = await labelActor(tx, ctx.actor);
    const quietTime = resolveAfterMinutes === null ? NO_QUIET_TIME : (resolveAfterMinutes ?? null);
    const fields = { message, translations, status, resolveAfterMinutes: quietTime, publishAt };
    const row = await tx.scheduledUpdate.create({
      data: { id: createId('incidentUpdate'), incidentId: id, ...fields, author, createdAt: now },
    });
    await countVersion(tx, id);
    await audit(tx, ctx, incident, { before: null, after: row });
  });
  return getIncident(ctx, id);
}

/**
 * Changes a scheduled update, or the translations of a published one; a dropped one is pending again if it gets a new time. Throws
 * FORBIDDEN, NOT_FOUND, and VALIDATION_ERROR for a time that is not within the next year, and for any other change of a published one.
 */
export async function changeScheduledUpdate(
  ctx: OrganizationContext,
  id: string,
  updateId: string,
  changes: ScheduledUpdateChanges,
): Promise<Incident> {
  requirePermission(ctx, 'incident.update');
  const { publishAt } = changes;
  await ctx.db.$transaction(async (tx) => {
    const incident = await lockIncident(tx, ctx, id);
    requireExpectedVersion(ctx, incident);
    const before = await tx.scheduledUpdate.findFirst({ where: { id: updateId, incidentId: id } });
    if (before === null) {
      if (await translateUpdate(tx, ctx, incident, { id: updateId, changes })) await countVersion(tx, id);
      return;
    }
    const isMoved = publishAt !== undefined && publishAt.getTime() !== before.publishAt.getTime();
    if (isMoved) requireWithinYear(publishAt, ctx.clock.now());
    const data = { ...changes, ...(isMoved ? { droppedAt: null } : {}) };
    const after = await tx.scheduledUpdate.update({ where: { id: updateId }, data });
    if (JSON.stringify(after) === JSON.stringify(before)) return;
    await countVersion(tx, id);
    await audit(tx, ctx, incident, { before, after });
  });
  return getIncident(ctx, id);
}

/** Cancels a scheduled update, or removes a dropped one. Throws FORBIDDEN, NOT_FOUND, also once it is published. */
export async function cancelScheduledUpdate(
  ctx: OrganizationContext,
  id: string,
  updateId: string,
): Promise<Incident> {
  requirePermission(ctx, 'incident.update');
  await ctx.db.$transaction(async (tx) => {
    const incident = await lockIncident(tx, ctx, id);
    requireExpectedVersion(ctx, incident);
    const before = await findScheduled(tx, id, updateId);
    await tx.scheduledUpdate.delete({ where: { id: updateId } });
    await countVersion(tx, id);
    await audit(tx, ctx, incident, { before, after: null });
  });
  return getIncident(ctx, id);
}

/** The incident as it is returned contains its scheduled updates, so its version counts their changes. */
export async function countVersion(tx: Transaction, id: string): Promise<void> {
  await tx.incident.update({ where: { id }, data: { version: { increment: 1 } } });
}

async function findScheduled(tx: Transaction, incidentId: string, id: string): Promise<Row> {
  return requireFound(await tx.scheduledUpdate.findFirst({ where: { id, incidentId } }), 'Scheduled update');
}

function requireWithinYear(publishAt: Date, now: Date): void {
  const ahead = publishAt.getTime() - now.getTime();
  if (ahead <= 0 || ahead > YEAR) throw invalidField('publishAt', 'must be within the next year', 'custom');
}

async function audit(
  tx: Transaction,
  ctx: OrganizationContext,
  { id, title }: { id: string; title: string },
  { before, after }: Record<'before' | 'after', Row | null>,
): Promise<void> {
  await recordAudit(tx, ctx, {
    action: 'incident.update',
    subject: { id, label: title },
    before: { scheduledUpdate: before && toAudited(before) },
    after: { scheduledUpdate: after && toAudited(after) },
  });
}

function toAudited({ message, translations, status, resolveAfterMinutes, publishAt }: Row) {
  return { message, translations, status, resolveAfterMinutes, publishAt: publishAt.toISOString() };
}
