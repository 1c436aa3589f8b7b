import { setTimeout as delay } from 'node:timers/promises';
import { createPartitionKeeper } from '@/lib/engine/checks/recording/record-results';
import { isDatabaseUnavailable } from '@/lib/platform/db/unavailable';
import type { CallServices } from './called-monitors';
import { type ReceivedCall, recordCalls } from './record-calls';

/** One transaction costs about the same for one call and for many. */
const MAX_BATCH = 200;
/** After a batch of this many, calls arrive so fast that it pays to wait for more: one transaction less for a wait that no job notices. */
const BUSY_BATCH = 8;
const BUSY_WAIT_MS = 30;
/** Some seconds of calls; more would wait longer than their clients. */
const MAX_PENDING = 5000;
/** Of the texts of all pending outputs. A call beyond that is recorded without its output. */
const MAX_PENDING_OUTPUT = 8 * 1024 * 1024;

type Write = (calls: readonly ReceivedCall[]) => Promise<boolean[]>;
type Pending = { call: ReceivedCall; resolve(isKnown: boolean): void; reject(error: unknown): void };

/** Thrown for a call that cannot be recorded in time. */
export class TooManyCallsError extends Error {}

/**
 * Records calls as they arrive: at once, or together with those that arrive while others are being recorded. Many jobs call at the
 * full minute.
 */
export function createCallIntake(services: CallServices) {
  return createBatches(createWriter(services));
}

function createWriter(services: CallServices): Write {
  const ensurePartition = createPartitionKeeper(services.db);
  return async (calls) => {
    await ensurePartition(services.clock.now());
    return recordCalls(services, calls);
  };
}

/** The same, with what writes a batch, and how long batches are apart if many calls arrive. */
export function createBatches(write: Write, { busyWaitMs = BUSY_WAIT_MS } = {}) {
  const pending: Pending[] = [];
  let isRunning = false;
  let pendingOutput = 0;

  const run = async () => {
    if (isRunning) return;
    isRunning = true;
    while (pending.length > 0) {
      const startedAt = performance.now();
      const batch = pending.splice(0, MAX_BATCH);
      await record(write, batch);
      for (const { call } of batch) pendingOutput -= sizeOf(call);
      const isBusy = batch.length >= BUSY_BATCH && pending.length < MAX_BATCH;
      const waitMs = startedAt + busyWaitMs - performance.now();
      if (isBusy && waitMs > 0) await delay(waitMs);
    }
    isRunning = false;
  };
  return {
    /** Resolves once a call is recorded, to whether its token is known. Rejects if the database is unavailable, or with TooManyCallsError. */
    receive: (call: ReceivedCall): Promise<boolean> =>
      new Promise((resolve, reject) => {
        if (pending.length >= MAX_PENDING) return reject(new TooManyCallsError('too many calls at once'));
        const isKept = pendingOutput + sizeOf(call) <= MAX_PENDING_OUTPUT;
        const kept = isKept ? call : { ...call, output: null };
        pendingOutput += sizeOf(kept);
        pending.push({ call: kept, resolve, reject });
        void run();
      }),
  };
}

function sizeOf({ output }: ReceivedCall): number {
  return 2 * (output?.text?.length ?? 0);
}

/** Never throws. A call that cannot be recorded must not prevent the others. */
async function record(write: Write, batch: readonly Pending[]): Promise<void> {
  try {
    const known = await write(batch.map(({ call }) => call));
    for (const [place, { resolve }] of batch.entries()) resolve(known[place] ?? false);
  } catch (error) {
    if (batch.length === 1 || isDatabaseUnavailable(error)) {
      for (const { reject } of batch) reject(error);
    } else {
      for (const each of batch) await record(write, [each]);
    }
  }
}
