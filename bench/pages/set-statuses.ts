import { setTimeout as delay } from 'node:timers/promises';
import type { Services } from '@/lib/domain/context/services';
import { advanceMonitors } from '@/lib/engine/checks/advance-monitors';
import { lockMonitors } from '@/lib/engine/checks/monitor-states';
import type { ResultInput } from '@/lib/state/types';

type Status = 'operational' | 'degraded' | 'down';

const OUTCOMES = {
  operational: { outcome: 'ok', responseTime: 40, statusCode: 200, error: null },
  degraded: { outcome: 'ok', responseTime: 20_000, statusCode: 200, error: null },
  down: {
    outcome: 'failed',
    responseTime: 40,
    statusCode: 503,
    error: { code: 'status', message: 'answered 503, expected 200' },
  },
} as const;

/** The worker's recorder gathers results for 200 ms: as many transactions a second. */
const BATCHES = 5;

/** Lets monitors take a result over that changes their status, as the engine does, in one transaction. */
export async function setStatuses(services: Services, ids: string[], status: Status): Promise<void> {
  const { db, clock } = services;
  await db.$transaction(async (tx) => {
    const now = clock.now();
    const monitors = await lockMonitors(tx, ids, now);
    const input: ResultInput = {
      kind: 'result',
      region: 'us-east',
      startedAt: now.getTime(),
      certificateExpiresAt: null,
      ...OUTCOMES[status],
    };
    const observation = { checkedAt: now, responseTime: input.responseTime };
    const advances = monitors.map((monitor) => ({ monitor, inputs: [input], observation }));
    await advanceMonitors(tx, services, advances, now);
  });
}

/**
 * Changes the status of all of `ids` once a second, a fifth of them in each transaction, until stopped. Answers how many
 * changes were written.
 */
export function keepChanging(services: Services, ids: string[]): { stop(): Promise<number> } {
  let isStopped = false;
  let changes = 0;
  const size = Math.ceil(ids.length / BATCHES);
  const work = async () => {
    const begun = performance.now();
    for (let turn = 0; !isStopped; turn += 1) {
      const from = (turn % BATCHES) * size;
      const own = ids.slice(from, from + size);
      const isEven = Math.floor(turn / BATCHES) % 2 === 0;
      await setStatuses(services, own, isEven ? 'degraded' : 'down');
      changes += own.length;
      await delay(Math.max(0, begun + ((turn + 1) * 1000) / BATCHES - performance.now()));
    }
  };
  const working = work();
  return {
    stop: async () => {
      isStopped = true;
      await working;
      return changes;
    },
  };
}
