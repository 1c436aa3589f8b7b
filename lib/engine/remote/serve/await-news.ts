import type { Wake } from '@/lib/core/time/wake';
import { type Beat, countToMove, type ShardStore } from '@/lib/engine/checks/shards/shard-store';
import { type Input, MAX_WAIT_MS } from '@/lib/engine/remote/protocol';

/** As often as a worker reports that it is alive. */
const BEAT_MS = 1000;

/**
 * Reports that a probe is alive, once a second until there is news for it or it has waited for `waitMs`: a change of its monitors or of
 * its shards, or shards to take or to give. Null if the other workers have forgotten it.
 */
export async function awaitNews(
  { store, changes }: { store: ShardStore; changes: Wake },
  {
    waitMs,
    dueSince,
    ...report
  }: Pick<Input<'beat'>, 'waitMs' | 'dueSince' | 'snapshot' | 'own' | 'judgedAgoMs'>,
): Promise<Beat | null> {
  const until = performance.now() + Math.min(waitMs, MAX_WAIT_MS);
  for (;;) {
    const seen = changes.rings();
    const beat = await store.beat({ ...report, dueSince: dueSince === null ? null : new Date(dueSince) });
    const restMs = until - performance.now();
    if (beat === null || restMs <= 0 || isNews(beat, report.own)) return beat;
    await changes.sleep(Math.min(restMs, BEAT_MS), { seen });
  }
}

function isNews({ changed, own, ...shared }: Beat, known: Input<'beat'>['own']): boolean {
  const epochs = new Map(known.map(({ shard, epoch }) => [shard, epoch]));
  const isSame = own.length === known.length && own.every(({ shard, epoch }) => epochs.get(shard) === epoch);
  return changed.length > 0 || !isSame || countToMove(own.length, shared) !== 0;
}
