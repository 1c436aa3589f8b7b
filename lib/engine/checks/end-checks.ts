import { once } from 'node:events';
import { describeError } from '@/lib/core/errors';
import type { CheckEngine } from './drain-checks';
import type { ShardKeeper } from './shards/keep-shards';

/** Lets others take over while this worker continues, for at most `ms`: a database that does not respond must not hold up the end. */
export async function handOverShards(
  { keepers, log }: Pick<CheckEngine, 'keepers' | 'log'>,
  ms: number,
): Promise<void> {
  const signal = AbortSignal.timeout(ms);
  const handOver = async (keeper: ShardKeeper) => {
    try {
      await keeper.handOver(signal);
    } catch (error) {
      const fields = { region: keeper.region, error: describeError(error) };
      log.warn(fields, 'could not hand over the checks of a region; they are released');
    }
  };
  await Promise.race([Promise.all([...keepers.values()].map(handOver)), once(signal, 'abort')]);
}

/** Others take over at once. If that fails, they do when this worker is missed. */
export async function releaseShards({ keepers, log }: Pick<CheckEngine, 'keepers' | 'log'>): Promise<void> {
  for (const keeper of keepers.values()) {
    await keeper
      .release()
      .catch((error: unknown) =>
        log.warn(
          { region: keeper.region, error: describeError(error) },
          'could not release the checks of a region',
        ),
      );
  }
}
