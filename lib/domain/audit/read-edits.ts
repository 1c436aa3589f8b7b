import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';

/** A change of something, named as it was called then, without its values: who made it, and which fields it changed. */
export type Edit = {
  id: string;
  at: Date;
  subjectId: string;
  subject: string;
  action: string;
  actor: string;
  fields: string[];
};

/**
 * The newest changes of some subjects between two moments, in one query: what every member may know of the audit log. Throws FORBIDDEN.
 */
export async function readEdits(
  ctx: OrganizationContext,
  subjectIds: readonly string[],
  { since, until, limit }: { since: Date; until: Date; limit: number },
): Promise<Edit[]> {
  requirePermission(ctx, 'member.read');
  const rows = await ctx.db.auditEntry.findMany({
    where: {
      organizationId: ctx.organizationId,
      subjectId: { in: [...subjectIds] },
      at: { gte: since, lte: until },
    },
    select: {
      id: true,
      at: true,
      subjectId: true,
      subjectLabel: true,
      action: true,
      actorLabel: true,
      before: true,
      after: true,
    },
    orderBy: [{ at: 'desc' }, { number: 'desc' }],
    take: limit,
  });
  return rows.map(({ subjectLabel: subject, actorLabel: actor, before, after, ...entry }) => {
    const isUpdate = isFields(before) && isFields(after);
    return { ...entry, subject, actor, fields: isUpdate ? Object.keys(after) : [] };
  });
}

function isFields(stored: unknown): stored is object {
  return typeof stored === 'object' && stored !== null;
}
