import { describeError } from '@/lib/core/errors';
import type { Logger } from '@/lib/core/logger';
import { LEASE_SECONDS } from './claim-deliveries';
import type { SettledTry } from './settle-delivery';

/** Few enough that the organizations of a batch fit into one notification. */
const MAX_BATCH = 200;
/** Tries that are over wait this long for company: a statement and its commit cost much the same for one and for twenty. */
const GATHER_MS = 10;
const RETRY_MS = 1000;

/** Records tries that are over in batches, one statement at a time. */
export type SettlementRecorder = {
  /** Hands over a try; resolves when it is recorded, or given up: then its lease ends, and it is made again. */
  add(settled: SettledTry): Promise<void>;
  /** From now on what cannot be recorded is given up instead of tried again. */
  stop(): void;
};

type Waiting = { settled: SettledTry; until: number; done: () => void };

/** A recorder that writes with `write` and tries again while the database is away, as long as the leases last. */
export function createSettlementRecorder({
  write,
  log,
}: {
  write: (settled: SettledTry[]) => Promise<void>;
  log: Logger;
}): SettlementRecorder {
  let waiting: Waiting[] = [];
  let isWorking = false;
  let stopped = false;

  const work = async () => {
    isWorking = true;
    while (waiting.length > 0) {
      if (waiting.length < MAX_BATCH) await delay(GATHER_MS);
      const batch = waiting.slice(0, MAX_BATCH);
      waiting = waiting.slice(MAX_BATCH);
      await writeOrSplit(batch);
    }
    isWorking = false;
  };

  /** A batch that fails is tried again in halves: a row that the database refuses holds up no other for long. */
  const writeOrSplit = async (batch: Waiting[]): Promise<void> => {
    const now = performance.now();
    const live = batch.filter(({ until }) => until > now);
    giveUp(batch.filter(({ until }) => until <= now));
    if (live.length === 0) return;
    try {
      await write(live.map(({ settled }) => settled));
      for (const { done } of live) done();
    } catch (error) {
      log.error({ error: describeError(error), tries: live.length }, 'tries could not be recorded');
      if (stopped) return giveUp(live);
      if (live.length === 1) return void setTimeout(() => hand(live), RETRY_MS);
      await delay(RETRY_MS);
      const half = Math.ceil(live.length / 2);
      await writeOrSplit(live.slice(0, half));
      await writeOrSplit(live.slice(half));
    }
  };

  const giveUp = (late: Waiting[]) => {
    for (const { settled, done } of late) {
      log.error({ delivery: settled.delivery.id }, 'a try was not recorded; its lease will end');
      done();
    }
  };

  const hand = (more: Waiting[]) => {
    waiting.push(...more);
    if (!isWorking) void work();
  };

  return {
    add: (settled) =>
      new Promise((done) => {
        // A little less than the lease, of which the try itself has taken its share.
        const left = LEASE_SECONDS * 1000 - settled.outcome.duration - 2 * RETRY_MS;
        hand([{ settled, until: performance.now() + left, done }]);
      }),
    stop: () => {
      stopped = true;
    },
  };
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
