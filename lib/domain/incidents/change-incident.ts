import { isDeepStrictEqual } from 'node:util';
import { invalidField, invalidState, requireFound } from '@/lib/core/errors';
import { createId } from '@/lib/core/ids';
import { labelActor, recordAudit } from '@/lib/domain/audit/record-audit';
import { requireExpectedVersion } from '@/lib/domain/context/expected-version';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { findComponentPages, requireComponents } from '@/lib/domain/organizations/require-components';
import { requireMonitors } from '@/lib/domain/organizations/require-monitors';
import type { Transaction } from '@/lib/platform/db/client';
import type { Incident } from '@/lib/platform/db/generated/client';
import { notePagesChanged } from '@/lib/platform/page-front/application';
import type { IncidentChanges, Incident as ShownIncident } from '@/lib/schemas/incidents/incident';
import type { Translations } from '@/lib/schemas/incidents/translations';
import { requireStart } from './create-incident';
import { changeImpacts, readImpacts } from './impacts';
import { changePublishedOn, type PublishedOn, readPublishedOn } from './publish-incidents';
import { getIncident } from './read-incidents';
import { readTranslations } from './translations/translations';
import { writeChange } from './write-change';

/** What `PUT /incidents/:id` takes, and `message` in other languages. */
type Changes = IncidentChanges & { messages?: Translations<'message'> };

/**
 * Changes the given fields in one transaction; does nothing without fields. A status change or a message adds an update. A change of
 * the status, the title, the severity or what is affected sends an event: incident.resolved if it resolves the incident, else
 * incident.updated, also for reopening. Throws FORBIDDEN, NOT_FOUND, UNKNOWN_MONITOR, and VALIDATION_ERROR if there is no
 * postmortem to publish, a component is unknown, the start is in the future or after the end, or reopening would give a monitor a second open automatic
 * incident.
 */
export async function updateIncident(
  ctx: OrganizationContext,
  id: string,
  changes: Changes,
): Promise<ShownIncident> {
  requirePermission(ctx, 'incident.update');
  if (Object.keys(changes).length > 0) {
    await ctx.db.$transaction(async (tx) => {
      const { before, after, published } = await applyChanges(ctx, tx, id, changes);
      if (after === before && published === null) return;
      const { message } = changes;
      await recordAudit(tx, ctx, {
        action: 'incident.update',
        subject: { id, label: after.title },
        before: { ...auditedFields(before), ...(published && { publishedOn: published.before }) },
        after: {
          ...auditedFields(after),
          ...(published && { publishedOn: published.after }),
          ...(message === undefined ? {} : { message }),
        },
      });
    });
  }
  return getIncident(ctx, id);
}

async function applyChanges(
  ctx: OrganizationContext,
  tx: Transaction,
  id: string,
  {
    message,
    messages,
    startedAt,
    postmortem,
    postmortemPublished,
    publishedOn,
    impacts,
    ...changes
  }: Changes,
): Promise<{ before: Incident; after: Incident; published: PublishedOn | null }> {
  const { organizationId } = ctx;
  const now = ctx.clock.now();
  const before = await lockIncident(tx, ctx, id);
  requireExpectedVersion(ctx, before);
  await requireMonitors(tx, organizationId, changes.affectedMonitors ?? [], {
    path: 'affectedMonitors',
    known: before.affectedMonitors,
  });
  await requireComponents(tx, organizationId, changes.affectedComponents ?? [], before.affectedComponents);
  const status = changes.status ?? before.status;
  const isStatusChange = status !== before.status;
  if (isStatusChange && before.resolvedAt !== null) await requireNoOther(tx, before);
  const resolvedAt = isStatusChange ? (status === 'resolved' ? now : null) : before.resolvedAt;
  const start = chooseStart(before, startedAt, resolvedAt ?? now);
  const isUpdate = isStatusChange || message !== undefined;
  const fields = {
    ...changes,
    ...changePostmortem(before, { postmortem, postmortemPublished }, now),
    startedAt: start,
    impacts: changeImpacts(impacts, readImpacts(before), { ...before, ...changes }),
  };
  const published = publishedOn
    ? await changePublishedOn(tx, ctx, before, {
        before: await readPublishedOn(tx, id),
        pageIds: publishedOn,
        now,
      })
    : null;
  const wanted = auditedFields({ ...before, ...fields });
  // Without a change, the incident keeps its version.
  if (!isUpdate && isDeepStrictEqual(wanted, auditedFields(before)))
    return { before, after: before, published };
  const { actorLabel: author } = await labelActor(tx, ctx.actor);
  const update = isUpdate
    ? { id: createId('incidentUpdate'), message, translations: messages, author }
    : null;
  return { before, after: await writeChange(tx, ctx, before, { fields, update }, now), published };
}

/** The new start: null resets it to the creation time; read-only for automatic incidents. */
function chooseStart(
  { automatic, startedAt, createdAt }: Incident,
  wanted: Date | null | undefined,
  end: Date,
): Date {
  if (automatic || wanted === undefined) return startedAt;
  requireStart(wanted, end);
  return wanted ?? createdAt;
}

function auditedFields(incident: Incident) {
  const { title, description, status, severity, affectedMonitors, affectedComponents } = incident;
  const { postmortem, resolveAfterMinutes } = incident;
  const fields = {
    title,
    description,
    status,
    severity,
    affectedMonitors,
    affectedComponents,
    postmortem,
    resolveAfterMinutes,
    impacts: readImpacts(incident),
    translations: readTranslations(incident),
  };
  const postmortemPublished = incident.postmortemPublishedAt !== null;
  return { ...fields, postmortemPublished, startedAt: incident.startedAt.toISOString() };
}

async function requireNoOther(tx: Transaction, { monitorId, automatic }: Incident): Promise<void> {
  if (!automatic) return;
  const other = await tx.incident.count({ where: { monitorId, automatic, resolvedAt: null } });
  if (other > 0) {
    throw invalidState('A newer automatic incident of this monitor is open. Update that one instead.');
  }
}

type Columns = Pick<Incident, 'postmortem' | 'postmortemPublishedAt'>;
type PostmortemChanges = Pick<IncidentChanges, 'postmortem' | 'postmortemPublished'>;

/**
 * The postmortem columns after a change. A removed postmortem is unpublished; one that stays published keeps its publication
 * time. Throws VALIDATION_ERROR if there is nothing to publish.
 */
export function changePostmortem(before: Columns, changes: PostmortemChanges, now: Date): Columns {
  const { postmortem = before.postmortem, postmortemPublished } = changes;
  if (postmortem === null && postmortemPublished === true) {
    throw invalidField('postmortemPublished', 'requires a postmortem', 'custom');
  }
  const isPublished = postmortem !== null && (postmortemPublished ?? before.postmortemPublishedAt !== null);
  return { postmortem, postmortemPublishedAt: isPublished ? (before.postmortemPublishedAt ?? now) : null };
}

/**
 * Deletes an incident with its updates. An open one is resolved first, so that receivers learn of its end. Throws FORBIDDEN,
 * NOT_FOUND.
 */
export async function deleteIncident(ctx: OrganizationContext, id: string): Promise<{ message: string }> {
  requirePermission(ctx, 'incident.delete');
  await ctx.db.$transaction(async (tx) => {
    const incident = await lockIncident(tx, ctx, id);
    requireExpectedVersion(ctx, incident);
    const { title, status, severity, affectedMonitors, affectedComponents, resolvedAt } = incident;
    if (resolvedAt === null) await applyChanges(ctx, tx, id, { status: 'resolved' });
    await notePagesChanged(tx, { monitorIds: affectedMonitors });
    const pageIds = await findComponentPages(tx, ctx.organizationId, affectedComponents);
    await notePagesChanged(tx, { pageIds });
    await tx.incident.delete({ where: { id } });
    const before = { title, status, severity };
    await recordAudit(tx, ctx, { action: 'incident.delete', subject: { id, label: title }, before });
  });
  return { message: 'Incident deleted' };
}

/**
 * Locks an incident until the transaction ends. For an automatic one the monitor's state row is locked first, in the engine's
 * order, to avoid deadlocks. Throws NOT_FOUND.
 */
export async function lockIncident(
  tx: Transaction,
  { organizationId }: Pick<OrganizationContext, 'organizationId'>,
  id: string,
): Promise<Incident> {
  const where = { id, organizationId };
  const found = await tx.incident.findFirst({ where, select: { monitorId: true } });
  const { monitorId } = requireFound(found, 'Incident');
  await tx.$queryRaw`SELECT 1 FROM monitor_state WHERE monitor_id = ${monitorId} FOR UPDATE`;
  // Not its key, so that a page can be changed that publishes it.
  await tx.$queryRaw`SELECT 1 FROM incident WHERE id = ${id} FOR NO KEY UPDATE`;
  return requireFound(await tx.incident.findFirst({ where }), 'Incident');
}
