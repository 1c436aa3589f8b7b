import type { Services } from '@/lib/context/services';
import type { PublicIncident } from '@/lib/schemas/status-page';

const SHOWN_MS = 14 * 86_400_000;
const select = {
  id: true,
  title: true,
  description: true,
  status: true,
  severity: true,
  affectedMonitors: true,
  automatic: true,
  createdAt: true,
  updatedAt: true,
  resolvedAt: true,
  updates: {
    select: { id: true, status: true, message: true, createdAt: true },
    orderBy: [{ createdAt: 'desc' as const }, { id: 'desc' as const }],
  },
};

/**
 * The incidents that a page with these monitors shows, newest first: the open ones, and those that went on within the last
 * 14 days. Monitors that are not on the page are left out of them.
 */
export async function readPublicIncidents(
  { db }: Pick<Services, 'db'>,
  { organizationId, monitorIds }: { organizationId: string; monitorIds: string[] },
  now: Date,
): Promise<PublicIncident[]> {
  const since = new Date(now.getTime() - SHOWN_MS);
  const rows = await db.incident.findMany({
    where: {
      organizationId,
      affectedMonitors: { hasSome: monitorIds },
      OR: [{ resolvedAt: null }, { resolvedAt: { gte: since } }],
    },
    select,
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  });
  return rows.map((row) => ({
    ...row,
    affectedMonitors: row.affectedMonitors.filter((id) => monitorIds.includes(id)),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    resolvedAt: row.resolvedAt?.toISOString() ?? null,
    updates: row.updates.map((update) => ({ ...update, createdAt: update.createdAt.toISOString() })),
  }));
}
