import { invalidState } from '@/lib/core/errors';
import { labelActor, recordAudit } from '@/lib/domain/audit/record-audit';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { emitEvents } from '@/lib/notify/emit-events';
import type { Transaction } from '@/lib/platform/db/client';
import type { Incident } from '@/lib/schemas/incidents/incident';
import { lockIncident } from '../change-incident';
import { getIncident } from '../read-incidents';
import { incidentAcknowledged, logIncidents } from '../write-incidents';

/**
 * Records that the actor works on an open incident, once: who was first stays. Ends its reminders, and sends
 * incident.acknowledged. Does not change its status and adds no update. Throws FORBIDDEN, NOT_FOUND, and VALIDATION_ERROR if it was resolved without.
 */
export async function acknowledgeIncident(ctx: OrganizationContext, id: string): Promise<Incident> {
  return changeAcknowledgement(ctx, id, true);
}

/** Undoes that, and sends nothing. Throws FORBIDDEN, NOT_FOUND, and VALIDATION_ERROR if it is resolved: who worked on it is history. */
export async function unacknowledgeIncident(ctx: OrganizationContext, id: string): Promise<Incident> {
  return changeAcknowledgement(ctx, id, false);
}

async function changeAcknowledgement(ctx: OrganizationContext, id: string, isWanted: boolean) {
  requirePermission(ctx, 'incident.acknowledge');
  await ctx.db.$transaction((tx) => writeAcknowledgement(tx, ctx, id, isWanted));
  return getIncident(ctx, id);
}

/** The change in the caller's transaction, which has required the permission. Does nothing if it is as wanted; throws as above. */
export async function writeAcknowledgement(
  tx: Transaction,
  ctx: OrganizationContext,
  id: string,
  isWanted: boolean,
): Promise<void> {
  const now = ctx.clock.now();
  const incident = await lockIncident(tx, ctx, id);
  const { title, resolvedAt, acknowledgedAt, acknowledgedBy: before } = incident;
  if ((acknowledgedAt !== null) === isWanted) return;
  if (resolvedAt !== null) throw invalidState('The incident is already resolved.');
  const { actor, organizationId } = ctx;
  const by = isWanted ? (await labelActor(tx, actor)).actorLabel : null;
  await tx.incident.update({
    where: { id },
    data: { acknowledgedAt: isWanted ? now : null, acknowledgedBy: by, updatedAt: now },
  });
  await recordAudit(tx, ctx, {
    action: 'incident.acknowledge',
    subject: { id, label: title },
    before: { acknowledgedBy: before },
    after: { acknowledgedBy: by },
  });
  if (!isWanted) return;
  logIncidents(tx, [{ what: 'acknowledged', incident }]);
  const who = actor.kind === 'endpoint' ? { by: null, via: actor.readers } : { by, via: null };
  const payload = incidentAcknowledged({ ...incident, acknowledgedAt: now }, who);
  await emitEvents(tx, ctx, [{ organizationId, occurredAt: now, payload }]);
}
