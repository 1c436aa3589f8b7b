import { invalidField } from '@/lib/core/errors';
import { createId } from '@/lib/core/ids';
import { labelActor, recordAudit } from '@/lib/domain/audit/record-audit';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { writePageNotices } from '@/lib/domain/notices/write-page-notices';
import { requireComponents } from '@/lib/domain/organizations/require-components';
import { requireMonitors } from '@/lib/domain/organizations/require-monitors';
import { emitEvents } from '@/lib/notify/emit-events';
import { notePagesChanged } from '@/lib/platform/page-front/application';
import type { CreateIncident, Incident } from '@/lib/schemas/incidents/incident';
import { changeImpacts } from './impacts';
import { incidentInclude, serializeIncident } from './read-incidents';
import { watchQuiet } from './schedule/pending-resolution';
import { translateFirst } from './translations/translations';
import { incidentCreated, incidentNotice, incidentResolved, logIncidents } from './write-incidents';

/**
 * Creates an incident with a first update and sends incident.created; if it is already resolved, incident.resolved too.
 * Throws FORBIDDEN, UNKNOWN_MONITOR, and VALIDATION_ERROR for a start in the future and for unknown components.
 */
export async function createIncident(ctx: OrganizationContext, input: CreateIncident): Promise<Incident> {
  requirePermission(ctx, 'incident.create');
  const { organizationId } = ctx;
  const now = ctx.clock.now();
  requireStart(input.startedAt, now);
  const impacts = changeImpacts(input.impacts, {}, input);
  const { translations } = input;
  const isResolved = input.status === 'resolved';
  const message = input.description || input.title;
  const translated = translateFirst({ ...input, translations });
  return ctx.db.$transaction(async (tx) => {
    await requireMonitors(tx, organizationId, input.affectedMonitors, { path: 'affectedMonitors' });
    const pageIds = await requireComponents(tx, organizationId, input.affectedComponents);
    const { actorLabel: author } = await labelActor(tx, ctx.actor);
    const first = {
      id: createId('incidentUpdate'),
      status: input.status,
      message,
      translations: translated,
      author,
      createdAt: now,
    };
    const { startedAt, ...fields } = input;
    const row = await tx.incident.create({
      data: {
        id: createId('incident'),
        organizationId,
        ...fields,
        impacts,
        translations,
        automatic: false,
        startedAt: startedAt ?? now,
        createdAt: now,
        updatedAt: now,
        resolvedAt: isResolved ? now : null,
        updates: { create: first },
      },
      include: incidentInclude,
    });
    logIncidents(tx, [
      { what: 'opened', incident: row },
      ...(isResolved ? [{ what: 'resolved' as const, incident: row }] : []),
    ]);
    if (row.resolveAfterMinutes !== null) await watchQuiet(tx, row, now);
    const payloads = [
      incidentCreated(row),
      ...(isResolved ? [incidentResolved({ ...row, resolvedAt: now })] : []),
    ];
    await emitEvents(
      tx,
      ctx,
      payloads.map((payload) => ({ organizationId, occurredAt: now, payload })),
    );
    await notePagesChanged(tx, { monitorIds: row.affectedMonitors });
    await notePagesChanged(tx, { pageIds });
    const kind = isResolved ? 'incident.resolved' : 'incident.created';
    await writePageNotices(tx, ctx, [incidentNotice(kind, row, { message, translations: translated })]);
    const subject = { id: row.id, label: row.title };
    await recordAudit(tx, ctx, {
      action: 'incident.create',
      subject,
      after: { ...fields, translations, startedAt: row.startedAt.toISOString() },
    });
    return serializeIncident(row);
  });
}

/** Throws VALIDATION_ERROR for a start after `end`, which is now for an open incident. */
export function requireStart(startedAt: Date | null, end: Date): void {
  if (startedAt === null || startedAt <= end) return;
  throw invalidField('startedAt', 'must not be in the future or after resolvedAt', 'custom');
}
