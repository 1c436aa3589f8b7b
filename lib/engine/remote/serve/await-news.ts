import type { Clock } from '@/lib/core/time/clock';
import type { Wake } from '@/lib/core/time/wake';
import type { Beat, ShardStore } from '@/lib/engine/checks/shards/shard-store';
import { type Input, MAX_WAIT_MS } from '@/lib/engine/remote/protocol';
import { SHARDS } from '@/lib/state/schedule-grid';

/** As often as a worker reports that it is alive. */
const BEAT_MS = 1000;

/**
 * Reports that a probe is alive, once a second until there is news for it or it has waited for `waitMs`: a change of its monitors or of
 * its shards, or shards to take or to give. Null if the other workers have forgotten it.
 */
export async function awaitNews(
  { clock, store, changes }: { clock: Clock; store: ShardStore; changes: Wake },
  {
    snapshot,
    dueSince,
    own,
    waitMs,
    judgedAgoMs,
  }: Pick<Input<'beat'>, 'snapshot' | 'dueSince' | 'own' | 'waitMs' | 'judgedAgoMs'>,
): Promise<Beat | null> {
  const until = performance.now() + Math.min(waitMs, MAX_WAIT_MS);
  for (;;) {
    const seen = changes.rings();
    const now = clock.now();
    const since = dueSince === null ? null : new Date(dueSince);
    const judgedAt = new Date(now.getTime() - judgedAgoMs);
    const beat = await store.beat({ snapshot, dueSince: since, own, now, judgedAt });
    const restMs = until - performance.now();
    if (beat === null || restMs <= 0 || isNews(beat, own)) return beat;
    await changes.sleep(Math.min(restMs, BEAT_MS), { seen });
  }
}

function isNews({ changed, own, free, runners }: Beat, known: Input<'beat'>['own']): boolean {
  const fair = Math.ceil(SHARDS / runners);
  const epochs = new Map(known.map(({ shard, epoch }) => [shard, epoch]));
  const isSame = own.length === known.length && own.every(({ shard, epoch }) => epochs.get(shard) === epoch);
  const canBalance = own.length > fair ? free === 0 : own.length < fair && free > 0;
  return changed.length > 0 || !isSame || canBalance;
}
