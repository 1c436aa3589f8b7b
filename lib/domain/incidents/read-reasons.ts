import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { whySchema } from '@/lib/schemas/transition';
import { incidentNotFound } from './read-incidents';

/** More than an incident has transitions, but of a monitor that goes up and down all the time. */
const MOST = 200;

/** Why the status of a monitor changed while its automatic incident was open, by the moment of the decision (ISO 8601). */
export type Reasons = Record<string, string>;

/** What the ledger says of the changes behind an automatic incident; nothing for a manual one. Throws NOT_FOUND. */
export async function readReasons(ctx: OrganizationContext, id: string): Promise<Reasons> {
  requirePermission(ctx, 'incident.read');
  const { organizationId } = ctx;
  const incident = await ctx.db.incident.findFirst({
    where: { id, organizationId },
    select: { monitorId: true, startedAt: true, resolvedAt: true },
  });
  if (incident === null) throw incidentNotFound();
  const { monitorId, startedAt, resolvedAt } = incident;
  if (monitorId === null) return {};
  const periods = await ctx.db.statusPeriod.findMany({
    where: {
      monitorId,
      monitor: { organizationId },
      from: { gte: startedAt, ...(resolvedAt ? { lte: resolvedAt } : {}) },
    },
    select: { decidedAt: true, why: true },
    orderBy: [{ from: 'asc' }, { id: 'asc' }],
    take: MOST,
  });
  return Object.fromEntries(
    periods.flatMap(({ decidedAt, why }) =>
      why === null ? [] : [[decidedAt.toISOString(), whySchema.parse(why).rule]],
    ),
  );
}
