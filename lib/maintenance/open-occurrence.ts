import type { Transaction } from '@/lib/db/client';
import type { Occurrence } from './occurrences';

/** The current or next occurrence of a window, as it is written; null where the window is finished. */
export function readOpenOccurrence(tx: Transaction, windowId: string): Promise<Occurrence | null> {
  const where = { windowId, endedAt: null };
  return tx.maintenanceOccurrence.findFirst({ where, select: { startsAt: true, endsAt: true } });
}

/**
 * Replaces the current or next occurrence of a window; null: there is none any more. One that has begun stays as past
 * where `endedAt` says when it ended. The caller holds the window's row.
 */
export async function replaceOccurrence(
  tx: Transaction,
  windowId: string,
  { endedAt, next }: { endedAt: Date | null; next: Occurrence | null },
): Promise<void> {
  const open = { windowId, endedAt: null };
  if (endedAt === null) await tx.maintenanceOccurrence.deleteMany({ where: open });
  else await tx.maintenanceOccurrence.updateMany({ where: open, data: { endsAt: endedAt, endedAt } });
  if (next === null) return;
  const { startsAt } = next;
  const again = { ...next, endedAt: null };
  await tx.maintenanceOccurrence.upsert({
    where: { windowId_startsAt: { windowId, startsAt } },
    create: { windowId, ...again },
    update: again,
  });
}
