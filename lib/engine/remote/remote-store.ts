import type { NetworkCondition } from '@/lib/engine/checks/outage-watch';
import type { ShardStore } from '@/lib/engine/checks/shards/shard-store';
import type { Machine } from '@/lib/platform/machine/machine';
import type { Exchange } from './exchange';
import { type Input, MAX_JUDGED_AGO_MS, MAX_WAIT_MS, type ProbeStatistics } from './protocol';
import type { SealingKeys } from './sealed-secrets';

/** What a probe reports with each beat, besides what it knows. */
export type ProbeCondition = {
  startedAt: Date;
  network(): NetworkCondition;
  pendingMs(): number | null;
  statistics(): ProbeStatistics;
  machine: Machine;
  /** How long a report may wait for news, in milliseconds. */
  waitMs?: number;
  /** Called after each report. */
  onReported(): void;
};

/** The schedule of the region of a probe, as the service hands it out. A beat waits for news, so that changes are known at once. */
export function createRemoteStore(
  { request }: Pick<Exchange, 'request'>,
  keys: SealingKeys,
  condition: ProbeCondition,
): ShardStore {
  const { startedAt, machine, waitMs = MAX_WAIT_MS } = condition;
  let hasReported = false;
  return {
    register: async () => (await request('register', {})).snapshot,
    beat: async ({ snapshot, dueSince, own, judgedAgoMs }) => {
      const { cutOffAt, dropped, silentCanaryAt } = condition.network();
      const input: Input<'beat'> = {
        snapshot,
        dueSince: dueSince?.getTime() ?? null,
        judgedAgoMs: bounded(judgedAgoMs),
        own: [...own],
        // The first one is followed by taking shards.
        waitMs: hasReported ? waitMs : 0,
        machine: { id: machine.id, host: machine.host },
        startedAt: startedAt.getTime(),
        cutOffAt: cutOffAt?.getTime() ?? null,
        network: { dropped, silentCanaryAt: silentCanaryAt?.getTime() ?? null },
        pendingMs: condition.pendingMs(),
        statistics: condition.statistics(),
      };
      const { beat } = await request('beat', input);
      hasReported = beat !== null;
      condition.onReported();
      return beat;
    },
    renew: async () => (await request('renew', {})).isKnown,
    takeFree: async (limit, judgedAgoMs) =>
      (await request('takeFree', { limit, judgedAgoMs: bounded(judgedAgoMs) })).leases,
    load: async (feed, { shards, ids }) => {
      const { publicKey } = keys;
      const input = { publicKey, shards: [...shards], ...(ids && { ids: [...ids] }) };
      const { monitors } = await request('load', input);
      return (await keys.restore(monitors)).map((monitor) => ({
        ...monitor,
        feed,
        isOutdated: false,
        replacedBy: null,
      }));
    },
    release: async (shards) => {
      await request('release', shards === undefined ? {} : { shards: [...shards] });
    },
    announceLeaving: async () => (await request('announceLeaving', {})).count,
    areOwned: async (shards) => (await request('areOwned', { shards: [...shards] })).areOwned,
    prune: async (judgedAgoMs) => {
      await request('prune', { judgedAgoMs: bounded(judgedAgoMs) });
    },
    forget: async () => {
      await request('forget', {});
    },
  };
}

/** A clock that was set back leaves a gap below zero. */
const bounded = (ms: number) => Math.min(Math.max(0, ms), MAX_JUDGED_AGO_MS);
