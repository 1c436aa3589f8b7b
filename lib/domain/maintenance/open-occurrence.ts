import type { Services } from '@/lib/domain/context/services';
import type { Transaction } from '@/lib/platform/db/client';
import { notifyFinished } from './notify-subscribers';
import { nextOccurrence, type Occurrence, type Schedule } from './occurrences';

/** Small, because evaluating a rule can take a tenth of a second. */
const BATCH = 20;

/** The stored current or next occurrence of a window; null if the window is finished. */
export function readOpenOccurrence(tx: Transaction, windowId: string): Promise<Occurrence | null> {
  const where = { windowId, endedAt: null };
  return tx.maintenanceOccurrence.findFirst({ where, select: { startsAt: true, endsAt: true } });
}

/**
 * Replaces the current or next occurrence of a window; null: none are left. With `endedAt`, a started occurrence is kept as past
 * and subscribers are notified. The caller holds the window's lock.
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
    // An active occurrence with other times was announced before.
    announcedAt = (await tx.maintenanceOccurrence.findFirst({ where: open }))?.announcedAt ?? null;
    await tx.maintenanceOccurrence.deleteMany({ where: open });
  } else {
    await notifyFinished(tx, services, windowId, endedAt);
    await tx.maintenanceOccurrence.updateMany({ where: open, data: { endsAt: endedAt, endedAt } });
  }
  if (next === null) return;
  const { startsAt } = next;
  const continues = announcedAt !== null && startsAt <= announcedAt;
  const occurrence = { ...next, endedAt: null, announcedAt: continues ? announcedAt : null };
  await tx.maintenanceOccurrence.upsert({
    where: { windowId_startsAt: { windowId, startsAt } },
    create: { windowId, ...occurrence },
    update: occurrence,
  });
}

/** Closes occurrences that have ended by `now` and opens the next ones; missed occurrences are skipped. */
export async function rollOccurrences(tx: Transaction, services: Pick<Services, 'mail'>, now: Date) {
  const ended = await tx.$queryRaw<(Schedule & { id: string; endedAt: Date })[]>`
    SELECT maintenance.id, maintenance.starts_at AS "startsAt", maintenance.ends_at AS "endsAt", rrule,
           time_zone AS "timeZone", occurrence.ends_at AS "endedAt"
      FROM maintenance_occurrence AS occurrence
      JOIN maintenance_window AS maintenance ON maintenance.id = occurrence.window_id
     WHERE occurrence.ended_at IS NULL AND occurrence.ends_at <= ${now}
     ORDER BY occurrence.ends_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED`;
  for (const { id, endedAt, ...schedule } of ended) {
    await replaceOccurrence(tx, services, id, { endedAt, next: nextOccurrence(schedule, now) });
  }
}
