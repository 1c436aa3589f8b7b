import { describeError } from '@/lib/core/errors';
import type { Logger } from '@/lib/core/logger';
import type { FinishedCheck } from './store-results';

const MAX_BATCH = 500;
/**
 * Results wait this long for company: what a transaction costs is mostly its round trips and its commit, whether it holds
 * one result or hundreds.
 */
const GATHER_MS = 200;
const RETRY_MS = 1000;

/** Records results in batches, one transaction at a time. */
export type ResultRecorder = {
  /** Hands over a result; it is kept until it is recorded. */
  add(finished: FinishedCheck): void;
  /** Resolves when all that was handed over is recorded, or given up after `stop`. */
  flushed(): Promise<void>;
  /** From now on a batch that cannot be recorded is dropped instead of tried again. */
  stop(): void;
};

/** A recorder that writes with `record` and tries again while the database is away. */
export function createResultRecorder({
  record,
  log,
}: {
  record: (finished: FinishedCheck[]) => Promise<unknown>;
  log: Logger;
}): ResultRecorder {
  let waiting: FinishedCheck[] = [];
  let working: Promise<void> | null = null;
  let stopped = false;

  const work = async () => {
    while (waiting.length > 0) {
      if (!stopped && waiting.length < MAX_BATCH) await delay(GATHER_MS);
      const batch = waiting.slice(0, MAX_BATCH);
      waiting = waiting.slice(MAX_BATCH);
      await recordOrRetry(batch);
    }
    working = null;
  };

  const recordOrRetry = async (batch: FinishedCheck[]) => {
    for (;;) {
      try {
        await record(batch);
        return;
      } catch (error) {
        log.error(
          { error: describeError(error), results: batch.length },
          'results could not be recorded; trying again',
        );
        if (stopped) return;
        await delay(RETRY_MS);
      }
    }
  };

  return {
    add: (finished) => {
      waiting.push(finished);
      working ??= work();
    },
    flushed: async () => {
      while (working) await working;
    },
    stop: () => {
      stopped = true;
    },
  };
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
