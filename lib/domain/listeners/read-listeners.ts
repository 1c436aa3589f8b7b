import { requireFound } from '@/lib/core/errors';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { readAncestors } from '@/lib/domain/monitors/dependencies/read-ancestors';
import { findUnderMaintenance } from '@/lib/domain/monitors/history/ledger';
import { readAlerted } from '@/lib/notify/flapping-rows';
import type { EventKind } from '@/lib/schemas/webhooks/event-kinds';
import type { Listener, Listeners, ListenersQuery } from '@/lib/schemas/webhooks/listeners';
import type { Rule } from '@/lib/schemas/webhooks/rules';
import {
  explainEndpoint,
  explainMember,
  explainRecipient,
  type Happening,
  type Quiet,
} from '@/lib/state/announcements/explain-listener';
import { readCandidates } from './read-candidates';

/** An outage is both. */
const OUTAGE: readonly EventKind[] = ['monitor.down', 'incident.created'];

/** A listener with its rules. */
export type ExplainedListener = Listener & { rules: Rule[] };
type Explained = Omit<Listeners, 'listeners'> & { listeners: ExplainedListener[] };

/** Who would be notified of something that happens to a monitor, and why, as the API returns it. Throws as `explainListeners` does. */
export async function readListeners(
  ctx: OrganizationContext,
  monitorId: string,
  query: ListenersQuery,
): Promise<Listeners> {
  const { listeners, ...rest } = await explainListeners(ctx, monitorId, query);
  return { ...rest, listeners: listeners.map(({ rules: _, ...listener }) => listener) };
}

/**
 * Who would be notified of something that happens to a monitor, and why: endpoints, newest first, members in the order in which they
 * joined, and email recipients. Takes a fixed number of statements. Throws FORBIDDEN and NOT_FOUND.
 */
export async function explainListeners(
  ctx: OrganizationContext,
  monitorId: string,
  { event, severity, at }: ListenersQuery,
): Promise<Explained> {
  requirePermission(ctx, 'monitor.read');
  requirePermission(ctx, 'member.read');
  const { db, organizationId, mail } = ctx;
  const now = ctx.clock.now();
  const monitor = requireFound(
    await db.monitor.findFirst({
      where: { id: monitorId, organizationId },
      select: { id: true, tags: true, dependsOn: true, enabled: true },
    }),
    'Monitor',
  );
  const [{ endpoints, members, recipients }, quiet] = await Promise.all([
    readCandidates(ctx),
    findQuiet(ctx, monitor, at),
  ]);
  const considered = severity ?? (event === 'monitor.degraded' ? 'minor' : 'critical');
  const happening: Happening = {
    kinds: event === undefined ? OUTAGE : [event],
    severity: considered,
    monitors: [monitor],
    at: (at ?? now).getTime(),
    quiet,
  };
  const webhooks = endpoints.map((endpoint) => ({
    type: 'webhook' as const,
    id: endpoint.id,
    name: endpoint.name,
    ...explainEndpoint(endpoint, happening),
    rules: endpoint.rules,
  }));
  const isMailOn = mail.isOn;
  const people = members.map(({ id, name, ...member }) => ({
    type: 'member' as const,
    id,
    name,
    ...explainMember(member, happening, { isMailOn }),
    rules: member.rules,
  }));
  const outside = recipients.map(({ id, name, ...recipient }) => ({
    type: 'email' as const,
    id,
    name,
    ...explainRecipient(recipient, happening, { isMailOn }),
    rules: recipient.rules,
  }));
  const listeners = [...webhooks, ...people, ...outside];
  return { severity: considered, at: (at ?? now).toISOString(), listeners };
}

type Asked = { id: string; dependsOn: string[]; enabled: boolean };

/**
 * Why fewer are notified of a monitor than usual, most far-reaching first; null: nothing is unusual. Of another time than now, only planned
 * maintenance is known.
 */
async function findQuiet(
  { db, clock }: OrganizationContext,
  monitor: Asked,
  at: Date | undefined,
): Promise<Quiet | null> {
  const { id, dependsOn, enabled } = monitor;
  const now = clock.now();
  if (at === undefined && !enabled) return 'paused';
  if ((await findUnderMaintenance(db, [id], at ?? now)).has(id)) return 'maintenance';
  if (at !== undefined) return null;
  if ((await readAlerted(db, [id])).has(id)) return 'flapping';
  const ancestors = dependsOn.length > 0 ? await readAncestors(db, [monitor], now) : null;
  return ancestors?.get(id)?.some(({ isWatched, isDown }) => isWatched && isDown) ? 'held' : null;
}
