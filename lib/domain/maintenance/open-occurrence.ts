import type { Services } from '@/lib/domain/context/services';
import type { Transaction } from '@/lib/platform/db/client';
import type { Occurrence } from './occurrences';
import { tellFinished } from './tell-maintenance';

/** The current or next occurrence of a window, as it is written; null where the window is finished. */
export function readOpenOccurrence(tx: Transaction, windowId: string): Promise<Occurrence | null> {
  const where = { windowId, endedAt: null };
  return tx.maintenanceOccurrence.findFirst({ where, select: { startsAt: true, endsAt: true } });
}

/**
 * Replaces the current or next occurrence of a window; null: there is none any more. One that has begun stays as past
 * where `endedAt` says when it ended, and subscribers are told so. The caller holds the window's row.
 */
export async function replaceOccurrence(
  tx: Transaction,
  services: Pick<Services, 'mail'>,
  windowId: string,
  { endedAt, next }: { endedAt: Date | null; next: Occurrence | null },
): Promise<void> {
  const open = { windowId, endedAt: null };
  let announcedAt: Date | null = null;
  if (endedAt === null) {
    // What goes on in other limits was told before.
    announcedAt = (await tx.maintenanceOccurrence.findFirst({ where: open }))?.announcedAt ?? null;
    await tx.maintenanceOccurrence.deleteMany({ where: open });
  } else {
    await tellFinished(tx, services, windowId, endedAt);
    await tx.maintenanceOccurrence.updateMany({ where: open, data: { endsAt: endedAt, endedAt } });
  }
  if (next === null) return;
  const { startsAt } = next;
  const goesOn = announcedAt !== null && startsAt <= announcedAt;
  const again = { ...next, endedAt: null, announcedAt: goesOn ? announcedAt : null };
  await tx.maintenanceOccurrence.upsert({
    where: { windowId_startsAt: { windowId, startsAt } },
    create: { windowId, ...again },
    update: again,
  });
}
