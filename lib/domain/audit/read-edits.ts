import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';

/** A change of something, without its values: who made it, and which fields it changed. */
export type Edit = { id: string; at: Date; action: string; actor: string; fields: string[] };

/**
 * The newest changes of a subject between two moments, in one query: what every member may know of the audit log. Throws FORBIDDEN.
 */
export async function readEdits(
  ctx: OrganizationContext,
  subjectId: string,
  { since, until, limit }: { since: Date; until: Date; limit: number },
): Promise<Edit[]> {
  requirePermission(ctx, 'member.read');
  const rows = await ctx.db.auditEntry.findMany({
    where: { organizationId: ctx.organizationId, subjectId, at: { gte: since, lte: until } },
    select: { id: true, at: true, action: true, actorLabel: true, before: true, after: true },
    orderBy: [{ at: 'desc' }, { number: 'desc' }],
    take: limit,
  });
  return rows.map(({ id, at, action, actorLabel, before, after }) => {
    const isUpdate = isFields(before) && isFields(after);
    return { id, at, action, actor: actorLabel, fields: isUpdate ? Object.keys(after) : [] };
  });
}

function isFields(stored: unknown): stored is object {
  return typeof stored === 'object' && stored !== null;
}
