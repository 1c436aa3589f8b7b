import { DomainError } from '@/lib/core/errors';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import type { Prisma } from '@/lib/platform/db/generated/client';
import { type Page, pageOf } from '@/lib/schemas/cursor';
import type { Maintenance, MaintenanceQuery, MaintenanceStatus } from '@/lib/schemas/maintenance';
import { maintenanceInclude, serializeMaintenance } from './serialize-maintenance';

/** A page of the organization's maintenance windows, newest first, in a fixed number of queries. */
export async function listMaintenance(
  ctx: OrganizationContext,
  { status, monitor, limit, cursor }: MaintenanceQuery,
): Promise<Page<Maintenance>> {
  requirePermission(ctx, 'maintenance.read');
  const now = ctx.clock.now();
  const rows = await ctx.db.maintenanceWindow.findMany({
    where: {
      organizationId: ctx.organizationId,
      AND: [
        ...(status === undefined ? [] : [havingStatus(status, now)]),
        ...(monitor === undefined ? [] : [{ monitors: { some: { monitorId: monitor } } }]),
        ...(cursor === undefined
          ? []
          : [
              { createdAt: { lte: cursor.at } },
              { OR: [{ createdAt: { lt: cursor.at } }, { number: { lt: cursor.tie } }] },
            ]),
      ],
    },
    include: maintenanceInclude,
    orderBy: [{ createdAt: 'desc' }, { number: 'desc' }],
    take: limit + 1,
  });
  const page = pageOf(rows, limit, ({ createdAt, number }) => ({ at: createdAt, tie: Number(number) }));
  return { items: page.items.map((row) => serializeMaintenance(row, now)), next: page.next };
}

/** What repeats counts as scheduled between the end of an occurrence and the engine's look at it. */
function havingStatus(status: MaintenanceStatus, now: Date): Prisma.MaintenanceWindowWhereInput {
  const open = { endedAt: null };
  const active = { occurrences: { some: { ...open, startsAt: { lte: now }, endsAt: { gt: now } } } };
  const scheduled = {
    OR: [
      { occurrences: { some: { ...open, startsAt: { gt: now } } } },
      { rrule: { not: null }, occurrences: { some: { ...open, endsAt: { lte: now } } } },
    ],
  };
  return { active, scheduled, finished: { NOT: { OR: [active, scheduled] } } }[status];
}

/** One maintenance window; NOT_FOUND for an unknown id and for another organization's alike. */
export async function getMaintenance(ctx: OrganizationContext, id: string): Promise<Maintenance> {
  requirePermission(ctx, 'maintenance.read');
  const row = await ctx.db.maintenanceWindow.findFirst({
    where: { id, organizationId: ctx.organizationId },
    include: maintenanceInclude,
  });
  if (row === null) throw maintenanceNotFound();
  return serializeMaintenance(row, ctx.clock.now());
}

/** The refusal that every verb on a missing window shares. */
export function maintenanceNotFound(): DomainError {
  return new DomainError('NOT_FOUND', 'There is no such maintenance window.');
}
