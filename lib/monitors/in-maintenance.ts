import type { Transaction } from '@/lib/db/client';

/** Whether an occurrence of a maintenance window covers a monitor now, whatever the engine has come to do about it. */
export async function isUnderMaintenance(tx: Transaction, monitorId: string, now: Date): Promise<boolean> {
  const covering = { endedAt: null, startsAt: { lte: now }, endsAt: { gt: now } };
  const where = { monitorId, window: { occurrences: { some: covering } } };
  return (await tx.maintenanceWindowMonitor.count({ where })) > 0;
}
