import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';

/**
 * Who made each key, as the audit log has it: by key id, the address of a person or the name of another key. A key from
 * before the log, or older than it keeps, is missing.
 */
export async function readKeyMakers(ctx: OrganizationContext): Promise<Map<string, string>> {
  requirePermission(ctx, 'api-key.read');
  const entries = await ctx.db.auditEntry.findMany({
    where: {
      organizationId: ctx.organizationId,
      action: { in: ['api-key.create', 'api-key.rotate'] },
    },
    select: { action: true, actorLabel: true, subjectId: true, after: true },
  });
  return new Map(
    entries.flatMap(({ action, actorLabel, subjectId, after }) => {
      const id = action === 'api-key.rotate' ? successorOf(after) : subjectId;
      return id === null ? [] : [[id, actorLabel] as const];
    }),
  );
}

function successorOf(after: unknown): string | null {
  if (typeof after !== 'object' || after === null || !('successor' in after)) return null;
  return typeof after.successor === 'string' ? after.successor : null;
}
