import type { Logger } from '@/lib/core/logger';
import type { Services } from '@/lib/domain/context/services';

/** The way on which calls of jobs arrive, as far as this worker can tell. */
export type WayIn = {
  /** Whether calls can arrive now: only then does silence mean anything. Resolves within ten seconds. */
  isOpen(): Promise<boolean>;
};

/** Others are seen every three seconds. */
const SEEN_WITHIN_MS = 15_000;

type Needs = Pick<Services, 'db' | 'clock'>;

/**
 * Tracks whether calls can arrive: not while this worker is cut off from the network. Call `onBack` once it no longer is,
 * with when the network was last reached before. `reachesNetwork`: whether it is reached now.
 */
export function createWayIn(
  services: Needs,
  { workerId, reachesNetwork, log }: { workerId: string; reachesNetwork(): Promise<boolean>; log: Logger },
) {
  let recording: Promise<void> = Promise.resolve();
  return {
    isOpen: async (): Promise<boolean> => {
      const isOpen = await reachesNetwork();
      await recording;
      return isOpen;
    },
    onBack: (reachedUntil: Date): void => {
      recording = recordLostCalls(services, workerId, reachedUntil).catch((error: unknown) =>
        log.error({ work: 'heartbeats', err: error }, 'could not record that calls may have been lost'),
      );
    },
  };
}

/** Records that calls from `from` until now may be lost, unless another worker was not cut off, which then judged the deadlines. */
async function recordLostCalls({ db, clock }: Needs, workerId: string, from: Date): Promise<void> {
  const now = clock.now();
  const seenAfter = new Date(now.getTime() - SEEN_WITHIN_MS);
  await db.$executeRaw`
    INSERT INTO reception_gap (from_at, to_at)
    SELECT ${from}::timestamptz, ${now}::timestamptz
     WHERE NOT EXISTS (
             SELECT FROM worker
              WHERE id <> ${workerId} AND duties = 'all' AND cut_off_at IS NULL AND seen_at > ${seenAfter}
           )
        ON CONFLICT DO NOTHING`;
}
