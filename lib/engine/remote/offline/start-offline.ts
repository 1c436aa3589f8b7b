import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Logger } from '@/lib/core/logger';
import type { SyncedClock } from '@/lib/core/time/synced-clock';
import type { FinishedCheck } from '@/lib/engine/checks/recording/store-results';
import { createRemoteRecorder } from '@/lib/engine/remote/remote-recorder';
import { createLateRecorder } from './late-recorder';
import { createSegmentFiles } from './segments';
import { followLate } from './send-late';
import { openSpool } from './spool';
import type { ServiceLink } from './watch-link';

const LOOK_MS = 1000;
/** Results that wait longer in memory are more urgent than late ones. */
const BUSY_MS = 2000;

type Options = {
  clock: SyncedClock;
  exchange: ServiceLink;
  region: string;
  /** Whether the probe still has its lease, as far as it knows. */
  hasLease: () => boolean;
  acceptsLate: boolean;
  spool: { directory: string; maxBytes: number };
  log: Logger;
  signal: AbortSignal;
};

/** The recorder of a probe, which keeps late results on disk and sends them until the signal. */
export async function startOffline(options: Options) {
  const { clock, exchange, region, hasLease, acceptsLate, log, signal } = options;
  const { directory, maxBytes } = options.spool;
  const files = createSegmentFiles(join(directory, region.replaceAll(/[^\w-]/g, '_')));
  const spool = await openSpool(files, { maxBytes, log });
  const process = randomUUID();
  const timed = () => ({ process, offsetMs: clock.offsetMs() });
  const uncounted = (finished: readonly FinishedCheck[]) => void recorder.keepLate(finished);
  const recorder = createLateRecorder(createRemoteRecorder(exchange, clock, log, uncounted), {
    spool,
    isCutOff: () => !hasLease() && exchange.isUnreachable(),
    clock: timed,
  });
  const timer = setInterval(recorder.look, LOOK_MS);
  const isBusy = () => exchange.isUnreachable() || (recorder.oldestPendingMs() ?? 0) > BUSY_MS;
  // A service of an earlier version does not take them: they are kept until it is upgraded.
  if (acceptsLate) void followLate({ spool, exchange, clock, process, isBusy, log }, signal);
  return {
    recorder,
    /** How many late results are not delivered. */
    size: () => spool.size(),
    /** Keeps what is not delivered on disk, after the signal. */
    end: async (): Promise<void> => {
      clearInterval(timer);
      await recorder.keepRest();
      await spool.close();
    },
  };
}
