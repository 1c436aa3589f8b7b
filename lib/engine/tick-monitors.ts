import type { Services } from '@/lib/context/services';
import { advanceMonitors } from './advance-monitors';
import { lockMonitors } from './monitor-states';

const BATCH = 500;

/**
 * Lets time pass for monitors that nobody has checked for so long that every region lost its vote (3 × the larger of
 * interval and timeout): their status becomes unknown in the ledger. Answers how many were looked at.
 */
export async function tickSilentMonitors(services: Services): Promise<number> {
  const { db, clock } = services;
  return db.$transaction(async (tx) => {
    const now = clock.now();
    const silent = await tx.$queryRaw<{ id: string }[]>`
      SELECT monitor.id FROM monitor_state JOIN monitor ON monitor.id = monitor_state.monitor_id
       WHERE monitor.enabled AND status <> 'pending' AND machine->>'unknownSince' IS NULL
         AND last_checked_at < ${now}::timestamptz - interval '1 second' * 3 * greatest(interval, timeout)
       ORDER BY monitor.id LIMIT ${BATCH}`;
    if (silent.length === 0) return 0;
    const monitors = await lockMonitors(
      tx,
      silent.map((row) => row.id),
    );
    await advanceMonitors(
      tx,
      services,
      monitors.map((monitor) => ({ monitor, inputs: [{ kind: 'tick' as const }], observation: null })),
      now,
    );
    return monitors.length;
  });
}
