import type { Services } from '@/lib/context/services';

/** What is overdue by less is checked at once: a short restart costs nobody a check. */
const PATIENCE_SECONDS = 5;

/**
 * Puts checks that nobody did in time back on their monitors' grids: after a long stop everything is overdue, and would be
 * checked in one burst. So every monitor is checked within one interval, spread as always. Answers how many there were.
 */
export async function spreadOverdue({ db, clock }: Services, regions: readonly string[]): Promise<number> {
  const now = clock.now();
  return db.$executeRaw`
    UPDATE probe_schedule AS schedule
       SET next_check_at = grid_slot_after(${now}::timestamptz, monitor.interval, schedule.phase)
      FROM monitor
     WHERE monitor.id = schedule.monitor_id AND schedule.region = ANY(${[...regions]}) AND schedule.claim IS NULL
       AND schedule.next_check_at < ${now}::timestamptz - make_interval(secs => ${PATIENCE_SECONDS}::int)`;
}
