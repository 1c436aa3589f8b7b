import { createUnknown } from '@/lib/checks/probe-result';
import type { Logger } from '@/lib/core/logger';
import type { Clock } from '@/lib/core/time/clock';
import { noteResult } from '@/lib/engine/checks/recording/note-result';
import type { FinishedCheck } from '@/lib/engine/checks/recording/store-results';
import { type BatchRecorder, createBatchRecorder } from '@/lib/engine/runtime/batch-recorder';
import { type Exchange, ExchangeError } from './exchange';
import { MAX_RESULTS, type WireResult } from './protocol';

/** As in a worker: a minute and a half of results at 1,000 checks per second. */
const MAX_PENDING = { count: 100_000, bytes: 64 * 1024 * 1024 };
const RESULT_BYTES = 500;
const NOT_ACCEPTED = createUnknown('unavailable', 'the result could not be stored');

/** Sends results in batches, and keeps them while the service cannot be reached. `onUncounted` gets those that may not have been recorded. */
export function createRemoteRecorder(
  { request }: Pick<Exchange, 'request'>,
  clock: Clock,
  log: Logger,
  onUncounted: (finished: readonly FinishedCheck[]) => void = () => undefined,
): BatchRecorder<FinishedCheck> {
  let lastBatch: string | null = null;
  return createBatchRecorder<FinishedCheck>({
    kind: 'results',
    write: async (finished, batch) => {
      const isRepeated = batch === lastBatch;
      lastBatch = batch;
      const { uncounted } = await request('record', { batch, isRepeated, results: finished.map(toWire) });
      const now = clock.now();
      for (const each of finished) noteResult(each, now);
      if (uncounted.length > 0) onUncounted(uncounted.flatMap((place) => finished[place] ?? []));
    },
    // Without a valid token, nothing is said about a result.
    isUnavailable: (error) => !(error instanceof ExchangeError && error.refused === 'request'),
    replaceRefused: ({ check, startedAt }) => ({ check, startedAt, result: NOT_ACCEPTED }),
    subjectOf: ({ check: { monitor } }) => ({ monitor: monitor.id, region: monitor.region }),
    sizeOf: ({ evidence }) => RESULT_BYTES + 2 * (evidence?.content.length ?? 0),
    maxBatch: MAX_RESULTS,
    gatherMs: 120,
    maxPending: MAX_PENDING,
    log,
  });
}

/** A finished check as it is sent. */
export function toWire({
  check: { monitor, lease },
  startedAt,
  result,
  evidence,
}: FinishedCheck): WireResult {
  const { evidence: _, certificateExpiresAt, ...found } = result;
  return {
    id: monitor.id,
    configVersion: monitor.configVersion,
    ...lease,
    startedAt: startedAt.getTime(),
    ...found,
    certificateExpiresAt: certificateExpiresAt?.getTime() ?? null,
    evidence: evidence === undefined ? null : Buffer.from(evidence.content).toString('base64'),
  };
}
