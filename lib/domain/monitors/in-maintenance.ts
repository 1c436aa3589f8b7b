import type { Transaction } from '@/lib/platform/db/client';

/** Those of the monitors that an occurrence of a maintenance window covers now, whatever the engine has come to do about it. */
export async function findUnderMaintenance(
  tx: Transaction,
  monitorIds: string[],
  now: Date,
): Promise<Set<string>> {
  const covering = { endedAt: null, startsAt: { lte: now }, endsAt: { gt: now } };
  const rows = await tx.maintenanceWindowMonitor.findMany({
    where: { monitorId: { in: monitorIds }, window: { occurrences: { some: covering } } },
    select: { monitorId: true },
  });
  return new Set(rows.map((row) => row.monitorId));
}
