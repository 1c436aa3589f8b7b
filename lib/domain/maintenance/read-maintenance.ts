import { requireFound } from '@/lib/core/errors';
import { createdBefore, NEWEST_FIRST, pageOfCreated } from '@/lib/domain/context/newest-first';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import type { Prisma } from '@/lib/platform/db/generated/client';
import type { Page } from '@/lib/schemas/cursor';
import { titledTranslationsSchema } from '@/lib/schemas/incidents/translations';
import type { Maintenance, MaintenanceQuery, MaintenanceStatus } from '@/lib/schemas/maintenance';
import { nextOccurrence } from './occurrences';

/** The relations that `serializeMaintenance` requires. */
export const maintenanceInclude = {
  monitors: { select: { monitorId: true }, orderBy: { position: 'asc' } },
  occurrences: { where: { endedAt: null }, select: { startsAt: true, endsAt: true } },
} satisfies Prisma.MaintenanceWindowInclude;

export type MaintenanceRow = Prisma.MaintenanceWindowGetPayload<{ include: typeof maintenanceInclude }>;

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
        createdBefore(cursor),
      ],
    },
    include: maintenanceInclude,
    orderBy: NEWEST_FIRST,
    take: limit + 1,
  });
  return pageOfCreated(rows, limit, (row) => serializeMaintenance(row, now));
}

/** A recurring window is scheduled from the end of an occurrence, even before the engine has written the next one. */
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

/** One maintenance window. Throws NOT_FOUND, also for windows of other organizations. */
export async function getMaintenance(ctx: OrganizationContext, id: string): Promise<Maintenance> {
  requirePermission(ctx, 'maintenance.read');
  const row = await ctx.db.maintenanceWindow.findFirst({
    where: { id, organizationId: ctx.organizationId },
    include: maintenanceInclude,
  });
  return serializeMaintenance(requireFound(row, 'Maintenance window'), ctx.clock.now());
}

/** The window as the API returns it at `now`. */
export function serializeMaintenance(row: MaintenanceRow, now: Date): Maintenance {
  const occurrence = currentOccurrence(row, now);
  return {
    id: row.id,
    title: row.title,
    message: row.message,
    translations: titledTranslationsSchema.parse(row.translations),
    monitors: row.monitors.map(({ monitorId }) => monitorId),
    startsAt: row.startsAt.toISOString(),
    endsAt: row.endsAt.toISOString(),
    rrule: row.rrule,
    timeZone: row.timeZone,
    status: occurrence === null ? 'finished' : occurrence.startsAt <= now ? 'active' : 'scheduled',
    occurrence: occurrence && {
      startsAt: occurrence.startsAt.toISOString(),
      endsAt: occurrence.endsAt.toISOString(),
    },
    version: row.version,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** A window as an audit log subject. */
export function subjectOf({ id, title }: { id: string; title: string }): { id: string; label: string } {
  return { id, label: title };
}

/** The current or next occurrence, even if the engine has not written it yet. */
function currentOccurrence({ occurrences: [open], ...schedule }: MaintenanceRow, now: Date) {
  if (open === undefined) return null;
  return open.endsAt > now ? open : nextOccurrence(schedule, now);
}
