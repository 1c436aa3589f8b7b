import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import type { Prisma, AuditEntry as Row } from '@/lib/platform/db/generated/client';
import type { AuditEntry, AuditFilter } from '@/lib/schemas/audit';
import { type Cursor, type Page, pageOf } from '@/lib/schemas/cursor';

/** A page of what was done in the organization, newest first. Throws FORBIDDEN. */
export async function listAudit(
  ctx: OrganizationContext,
  { limit, cursor, ...filter }: AuditFilter & { limit: number; cursor?: Cursor | undefined },
): Promise<Page<AuditEntry>> {
  requirePermission(ctx, 'audit.read');
  const rows = await ctx.db.auditEntry.findMany({
    where: { organizationId: ctx.organizationId, AND: [matching(filter), after(cursor)] },
    orderBy: [{ at: 'desc' }, { number: 'desc' }],
    take: limit + 1,
  });
  const page = pageOf(rows, limit, ({ at, number }) => ({ at, tie: Number(number) }));
  return { items: page.items.map(serializeEntry), next: page.next };
}

function matching({ action, actor, subject, since, until }: AuditFilter): Prisma.AuditEntryWhereInput {
  return {
    ...(action ? { action } : {}),
    ...(actor === 'operator' ? { actorKind: 'operator' } : actor ? { actorId: actor } : {}),
    ...(subject ? { subjectId: subject } : {}),
    at: { ...(since ? { gte: since } : {}), ...(until ? { lt: until } : {}) },
  };
}

/** `at <= ` beside the rest lets the index begin at the cursor. */
function after(cursor: Cursor | undefined): Prisma.AuditEntryWhereInput {
  if (cursor === undefined) return {};
  const { at, tie } = cursor;
  return { at: { lte: at }, OR: [{ at: { lt: at } }, { number: { lt: tie } }] };
}

function serializeEntry(row: Row): AuditEntry {
  return {
    id: row.id,
    at: row.at.toISOString(),
    action: row.action,
    actor: { kind: row.actorKind, id: row.actorId, name: row.actorLabel },
    subject: { id: row.subjectId, name: row.subjectLabel },
    before: row.before as AuditEntry['before'],
    after: row.after as AuditEntry['after'],
    address: row.address,
  };
}
