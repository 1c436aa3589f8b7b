import { writeCsvPages } from '@/lib/core/formats/csv';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import type { Prisma, AuditEntry as Row } from '@/lib/platform/db/generated/client';
import type { AuditEntry, AuditFilter } from '@/lib/schemas/audit';
import { type Cursor, type Page, pageOf } from '@/lib/schemas/cursor';

const COLUMNS = [
  'at',
  'action',
  'actor_kind',
  'actor_id',
  'actor',
  'subject_id',
  'subject',
  'before',
  'after',
  'address',
  'request_id',
];

/** Entries per part of an export. */
const EXPORT_PAGE = 500;

/** A page of the organization's audit log, newest first. Throws FORBIDDEN. */
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

function matching({
  action,
  actor,
  subject,
  requestId,
  since,
  until,
}: AuditFilter): Prisma.AuditEntryWhereInput {
  return {
    ...(action ? { action } : {}),
    ...(actor === 'operator' ? { actorKind: 'operator' } : actor ? { actorId: actor } : {}),
    ...(subject ? { subjectId: subject } : {}),
    ...(requestId ? { requestId } : {}),
    at: { ...(since ? { gte: since } : {}), ...(until ? { lt: until } : {}) },
  };
}

/** The redundant `at <=` lets the index scan start at the cursor. */
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
    requestId: row.requestId,
  };
}

/**
 * The whole log as CSV (RFC 4180, UTF-8), newest first, streamed in parts so that memory does not grow with the log. Cells
 * that a spreadsheet would interpret as formulas get an apostrophe prefix. Throws FORBIDDEN before the first part.
 */
export function exportAudit(
  ctx: OrganizationContext,
  filter: AuditFilter,
  { pageSize = EXPORT_PAGE }: { pageSize?: number } = {},
): AsyncGenerator<string> {
  requirePermission(ctx, 'audit.read');
  return writeCsvPages(
    COLUMNS,
    (cursor?: Cursor) => listAudit(ctx, { ...filter, limit: pageSize, cursor }),
    toCells,
  );
}

function toCells({ at, action, actor, subject, before, after, ...rest }: AuditEntry): (string | null)[] {
  return [
    at,
    action,
    actor.kind,
    actor.id,
    actor.name,
    subject.id,
    subject.name,
    before && JSON.stringify(before),
    after && JSON.stringify(after),
    rest.address,
    rest.requestId,
  ];
}
