import type { Prisma } from '@/lib/platform/db/generated/client';
import type { Maintenance } from '@/lib/schemas/maintenance';
import { nextOccurrence, type Occurrence } from './occurrences';

/** What `serializeMaintenance` needs beside the row. */
export const maintenanceInclude = {
  monitors: { select: { monitorId: true }, orderBy: { position: 'asc' } },
  occurrences: { where: { endedAt: null }, select: { startsAt: true, endsAt: true } },
} satisfies Prisma.MaintenanceWindowInclude;

export type MaintenanceRow = Prisma.MaintenanceWindowGetPayload<{ include: typeof maintenanceInclude }>;

/** The window as the API answers it at `now`. */
export function serializeMaintenance(row: MaintenanceRow, now: Date): Maintenance {
  const occurrence = currentOccurrence(row, now);
  return {
    id: row.id,
    title: row.title,
    message: row.message,
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
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** What the audit log calls a window. */
export function subjectOf({ id, title }: { id: string; title: string }): { id: string; label: string } {
  return { id, label: title };
}

/** An occurrence that is over is followed by the next before the engine has come to write it. */
function currentOccurrence(
  { occurrences: [open], ...schedule }: MaintenanceRow,
  now: Date,
): Occurrence | null {
  if (open === undefined) return null;
  return open.endsAt > now ? open : nextOccurrence(schedule, now);
}
