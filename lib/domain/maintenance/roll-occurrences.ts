import type { Services } from '@/lib/domain/context/services';
import type { Transaction } from '@/lib/platform/db/client';
import { nextOccurrence, type Schedule } from './occurrences';
import { replaceOccurrence } from './open-occurrence';

/** Few, for a rule may take a tenth of a second to be asked. */
const BATCH = 20;

/** Closes occurrences that are over by `now` and opens the next of their windows; those slept through are left out. */
export async function rollOccurrences(
  tx: Transaction,
  services: Pick<Services, 'mail'>,
  now: Date,
): Promise<void> {
  const over = await tx.$queryRaw<(Schedule & { id: string; endedAt: Date })[]>`
    SELECT maintenance.id, maintenance.starts_at AS "startsAt", maintenance.ends_at AS "endsAt", rrule,
           time_zone AS "timeZone", occurrence.ends_at AS "endedAt"
      FROM maintenance_occurrence AS occurrence
      JOIN maintenance_window AS maintenance ON maintenance.id = occurrence.window_id
     WHERE occurrence.ended_at IS NULL AND occurrence.ends_at <= ${now}
     ORDER BY occurrence.ends_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED`;
  for (const { id, endedAt, ...schedule } of over) {
    await replaceOccurrence(tx, services, id, { endedAt, next: nextOccurrence(schedule, now) });
  }
}
