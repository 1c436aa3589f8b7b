import type { FinishedCheck } from '@/lib/engine/checks/recording/store-results';
import type { BatchRecorder } from '@/lib/engine/runtime/batch-recorder';
import { type LateRecord, toLateRecord } from './late-record';
import type { Spool } from './spool';

/** The recorder of a probe that keeps what cannot be recorded in time. */
export type LateRecorder = BatchRecorder<FinishedCheck> & {
  /** Keeps results as late that are not recorded, if the probe is cut off. To be called about once a second. */
  look(): void;
  /** Keeps results as late that were refused. */
  keepLate(finished: readonly FinishedCheck[]): Promise<void>;
  /** Keeps all results as late that are not recorded, for the end of the probe. Resolves once they are on disk. */
  keepRest(): Promise<void>;
};

/**
 * Records results under the leases of the probe, and keeps as late what that refuses or gives up. While the probe `isCutOff`, which is
 * without its lease and unreachable, results are late at once. Those that were on their way then are kept as late too: should they still be
 * recorded, their slots are taken. A slot is free for the next check as soon as its result is kept.
 */
export function createLateRecorder(
  recorder: BatchRecorder<FinishedCheck>,
  {
    spool,
    isCutOff,
    clock,
  }: {
    spool: Pick<Spool, 'add'>;
    isCutOff: () => boolean;
    clock: () => Pick<LateRecord, 'process' | 'offsetMs'>;
  },
): LateRecorder {
  const onTheirWay = new Map<FinishedCheck, () => void>();
  const keep = (finished: readonly FinishedCheck[]) =>
    spool.add(finished.map((each) => toLateRecord(each, clock())));
  const keepRest = async () => {
    const rest = [...onTheirWay];
    if (rest.length === 0) return;
    onTheirWay.clear();
    await keep(rest.map(([finished]) => finished));
    for (const [, release] of rest) release();
  };
  return {
    ...recorder,
    add: async (finished) => {
      if (isCutOff()) {
        await keep([finished]);
        return false;
      }
      const released = new Promise<boolean>((resolve) => onTheirWay.set(finished, () => resolve(false)));
      const recorded = recorder.add(finished).then(async (isRecorded) => {
        if (onTheirWay.delete(finished) && !isRecorded) await keep([finished]);
        return isRecorded;
      });
      return Promise.race([recorded, released]);
    },
    look: () => {
      if (isCutOff()) void keepRest();
    },
    keepLate: keep,
    keepRest,
  };
}
