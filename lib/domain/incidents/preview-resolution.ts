import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { auditSubject } from '@/lib/domain/webhooks/change-webhook';
import { planEvents } from '@/lib/notify/emit-events';
import { toMessage } from '@/lib/notify/message';
import type { Incident } from '@/lib/platform/db/generated/client';
import type { ResolutionPreview } from '@/lib/schemas/incidents/resolution-preview';
import { readSeenMonitors } from './schedule/pending-resolution';
import { contentOf } from './write-change';

/**
 * What resolving an open incident now would do, which deleting it does, too; null for one that does not exist or is resolved. It is planned by
 * what would send it, and nothing is written. Takes a fixed number of statements. Throws FORBIDDEN.
 */
export async function previewResolution(
  ctx: OrganizationContext,
  id: string,
): Promise<ResolutionPreview | null> {
  requirePermission(ctx, 'incident.read');
  requirePermission(ctx, 'webhook.read');
  const { db, organizationId } = ctx;
  const now = ctx.clock.now();
  const before = await db.incident.findFirst({ where: { id, organizationId, resolvedAt: null } });
  if (before === null) return null;
  const after = { ...before, status: 'resolved' as const, resolvedAt: now, updatedAt: now };
  const { event: payload, message } = contentOf(before, after);
  const [seen, plan] = await Promise.all([
    readSeenMonitors(db, before.affectedMonitors),
    db.$transaction((tx) => planEvents(tx, ctx, [{ organizationId, occurredAt: now, payload }])),
  ]);
  const sent = plan.deliveries.filter(({ isEnabled }) => isEnabled).map(({ endpointId }) => endpointId);
  const endpoints = await db.webhookEndpoint.findMany({
    where: { id: { in: sent } },
    select: { id: true, description: true, url: true },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  return {
    failing: seen.flatMap(({ id: monitorId, name, state }) =>
      state === 'down' || state === 'degraded' ? [{ id: monitorId, name, state }] : [],
    ),
    end: endOf(before, seen),
    canWait: !before.automatic && seen.every(({ state }) => state !== null && state !== 'paused'),
    message,
    headline: toMessage(payload, ctx.appUrl).title,
    endpoints: endpoints.map((endpoint) => auditSubject(endpoint).label),
  };
}

/** What resolves the incident without people. */
function endOf(
  { automatic, monitorId, status, resolveAfterMinutes }: Incident,
  seen: Awaited<ReturnType<typeof readSeenMonitors>>,
): ResolutionPreview['end'] {
  if (automatic) {
    const monitor = seen.find(({ id, state }) => id === monitorId && state !== null && state !== 'paused');
    return monitor === undefined ? null : { by: 'monitor', name: monitor.name };
  }
  const isWatched = status === 'monitoring' && resolveAfterMinutes !== null;
  return isWatched ? { by: 'quiet', minutes: resolveAfterMinutes } : null;
}
