import { findSuppressing } from '@/lib/domain/monitors/dependencies/read-ancestors';
import { Prisma } from '@/lib/platform/db/generated/client';
import { notify } from '@/lib/platform/db/listen';
import { nowIfAny } from '@/lib/platform/db/moments';
import type { Announcing } from './decide-held';

/** The next call continues with others. */
const MAX_CAUSES = 1000;

/** Now, while anything is suppressed. */
export const suppressedDueAt = (now: Date) =>
  nowIfAny(now, Prisma.sql`SELECT FROM held_announcement WHERE ended_at IS NULL AND look_at IS NULL`);

/**
 * Has everything looked at that is suppressed by a monitor that suppresses nothing any more: it has recovered, or is paused, deleted, in
 * maintenance or without data. Writes nothing while causes are down. Returns how many changes there were.
 */
export async function releaseSuppressed({ db, clock }: Pick<Announcing, 'db' | 'clock'>): Promise<number> {
  const causes = await db.$queryRaw<{ id: string }[]>`
    SELECT DISTINCT caused_by_id AS id FROM held_announcement
     WHERE ended_at IS NULL AND look_at IS NULL LIMIT ${MAX_CAUSES}`;
  if (causes.length === 0) return 0;
  const ids = causes.map(({ id }) => id);
  const suppressing = await findSuppressing(db, ids, clock.now());
  const released = ids.filter((id) => !suppressing.has(id));
  if (released.length === 0) return 0;
  const count = await db.$executeRaw`
    UPDATE held_announcement SET look_at = ${clock.now()}
     WHERE ended_at IS NULL AND look_at IS NULL AND caused_by_id = ANY(${released})`;
  if (count > 0) await notify(db, 'pharos_deliveries');
  return count;
}
