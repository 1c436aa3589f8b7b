import type { Logger } from '@/lib/core/logger';
import type { Services } from '@/lib/domain/context/services';
import { createShardKeeper, type KeeperOptions, type ShardKeeper } from './keep-shards';
import {
  announceLeaving,
  areOwned,
  type Beats,
  createBeats,
  createShards,
  forgetRunner,
  pruneRegion,
  type Runner,
  registerRunner,
  releaseShards,
  renewRunner,
  takeFree,
} from './leases';
import { loadMonitors } from './load-monitors';
import type { ShardStore } from './shard-store';

/** The schedule of a region in the database, for one worker. `beats`: those of the worker, if it has other regions. */
export function createDatabaseStore(
  services: Pick<Services, 'db' | 'keyring' | 'clock'>,
  runner: Runner,
  log: Logger,
  beats: Beats = createBeats(services, runner.workerId),
): ShardStore {
  const { region } = runner;
  const { clock } = services;
  const ago = (now: Date, ms: number) => new Date(now.getTime() - ms);
  return {
    register: async () => {
      const now = clock.now();
      await createShards(services, region);
      // Checks that still run are not in what is read now, so their results must not count: they run again under the next epochs.
      await releaseShards(services, runner, { now });
      return registerRunner(services, runner, now);
    },
    beat: ({ snapshot, dueSince, judgedAgoMs }) => beats({ region, snapshot, dueSince, judgedAgoMs }),
    renew: () => renewRunner(services, runner, clock.now()),
    takeFree: (limit, judgedAgoMs) =>
      takeFree(services, runner, { limit, now: ago(clock.now(), judgedAgoMs) }),
    load: (feed, selection) => loadMonitors(services, { region, feed, log }, selection),
    release: (shards) => releaseShards(services, runner, { shards, now: clock.now() }),
    announceLeaving: () => announceLeaving(services, runner, clock.now()),
    areOwned: (shards) => areOwned(services, region, shards),
    prune: (judgedAgoMs) => pruneRegion(services, region, ago(clock.now(), judgedAgoMs)),
    forget: () => forgetRunner(services, runner),
  };
}

/** Keeps shards of a region for a worker that reaches the database. `onLoaded` as in `createShardKeeper`, `beats` as in `createDatabaseStore`. */
export function createDatabaseKeeper(
  services: Pick<Services, 'db' | 'keyring' | 'clock'>,
  runner: Runner,
  { log, beats, ...options }: Pick<KeeperOptions, 'log' | 'onLoaded' | 'shares'> & { beats?: Beats },
): ShardKeeper {
  const store = createDatabaseStore(services, runner, log, beats);
  const { clock } = services;
  return createShardKeeper({ store, clock, region: runner.region, log, ...options });
}
