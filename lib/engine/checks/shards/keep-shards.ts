import { setTimeout as delay } from 'node:timers/promises';
import pMap from 'p-map';
import type { Logger } from '@/lib/core/logger';
import type { Clock } from '@/lib/core/time/clock';
import { shardOf } from '@/lib/state/schedule-grid';
import { createSchedule } from './schedule';
import type { DueCheck, Feed, Lease } from './scheduled-monitor';
import { type Beat, CRASHED_MS, countToMove, LEASE_MS, LOAD_BATCH, type ShardStore } from './shard-store';

/** Shards read at a time, and given to others at a time: while PostgreSQL reads one, the worker unpacks another. */
const AT_ONCE = 2;
/** Others are notified of a free shard, and take it within milliseconds unless they are reading. */
const TAKEN_WITHIN_MS = 1000;
const LOOK_AGAIN_MS = 20;
const PRUNE_EVERY_MS = 30_000;
/** What no snapshot of PostgreSQL is before. */
const NOTHING_SEEN = '1:1:';

/** The shards of one region that this worker owns, and the schedule of their monitors. */
export type ShardKeeper = ReturnType<typeof createShardKeeper>;

type KeeperOptions = {
  store: ShardStore;
  clock: Clock;
  region: string;
  log: Logger;
  /** Called when the monitors of another shard were loaded: many of them can be overdue. */
  onLoaded?: () => void;
  /** Whether checks continue although the lease has ended; by default they do not. Asked only then. */
  continues?: () => boolean;
};

/** Owns nothing before the first `sync`. */
export function createShardKeeper({
  store,
  clock,
  region,
  log,
  onLoaded,
  continues = () => false,
}: KeeperOptions) {
  const schedule = createSchedule();
  const leases = new Map<number, Lease>();
  let feed: Feed = { snapshot: NOTHING_SEEN };
  let isStarted = false;
  /** Since when it owns shards that it has not read, in epoch milliseconds; null: it has read all. */
  let unreadSince: number | null = null;
  let isLeaving = false;
  let isEnding = false;
  let syncing: Promise<boolean> | null = null;
  let syncedAt = Number.NEGATIVE_INFINITY;
  let prunedAt = Number.NEGATIVE_INFINITY;

  /** Times without the database, each until it no longer counts. */
  let gaps: { ms: number; until: number }[] = [];

  /** How long ago the others are judged as of: while this worker could not reach the database, they could not either. */
  const sumGaps = (now: number, gapMs: number): number => {
    gaps = gaps.filter(({ until }) => now < until);
    return gaps.reduce((sum, { ms }) => sum + ms, gapMs);
  };

  const isWithoutLease = (): boolean => Math.abs(clock.now().getTime() - syncedAt) > LEASE_MS;

  const dueSince = (now: number): Date | null => {
    const dueAt = Math.min(schedule.nextDueAt() ?? now, unreadSince ?? now);
    return dueAt < now ? new Date(dueAt) : null;
  };

  const drop = (shard: number) => {
    leases.delete(shard);
    schedule.removeShard(shard);
  };

  /** Follows what became of its shards; returns how many others have taken. */
  const followLeases = (own: readonly Lease[]): number => {
    const current = new Map(own.map((lease) => [lease.shard, lease.epoch]));
    const lost = [...leases.values()].filter(({ shard, epoch }) => current.get(shard) !== epoch);
    for (const { shard } of lost) drop(shard);
    return lost.length;
  };

  const renew = async (): Promise<void> => {
    const now = clock.now();
    if (await store.renew()) syncedAt = now.getTime();
  };

  /** The checks of a shard begin while the next ones are read. */
  const load = async (owned: readonly Lease[]): Promise<void> => {
    unreadSince = owned.length === 0 ? null : (unreadSince ?? clock.now().getTime());
    const loadShard = async (lease: Lease) => {
      // Loading many monitors takes longer than a worker may be silent.
      if (clock.now().getTime() - syncedAt >= LEASE_MS / 4) await renew();
      const monitors = await store.load(feed, { shards: [lease.shard] });
      leases.set(lease.shard, lease);
      for (const monitor of monitors) schedule.put(monitor);
      onLoaded?.();
    };
    // Even if one fails, all have ended before they are loaded again.
    await pMap(owned, loadShard, { concurrency: AT_ONCE, stopOnError: false });
    unreadSince = null;
  };

  const followChanges = async ({ changed, snapshot }: Beat) => {
    for (let from = 0; from < changed.length; from += LOAD_BATCH) {
      const ids = changed.slice(from, from + LOAD_BATCH);
      const loaded = await store.load(feed, { ids, shards: [...leases.keys()] });
      const found = new Set(loaded.map(({ id }) => id));
      for (const id of ids) if (!found.has(id)) schedule.remove(id);
      for (const monitor of loaded) schedule.put(monitor);
    }
    feed.snapshot = snapshot;
  };

  /** Releases its last shards, and returns them. */
  const giveAway = async (count: number): Promise<number[]> => {
    const shards = [...leases.keys()].sort((a, b) => a - b).slice(-count);
    for (const shard of shards) drop(shard);
    await store.release(shards);
    return shards;
  };

  const awaitOwners = async (shards: readonly number[], signal: AbortSignal): Promise<boolean> => {
    const until = performance.now() + TAKEN_WITHIN_MS;
    while (!signal.aborted && performance.now() < until) {
      if (await store.areOwned(shards)) return true;
      await delay(LOOK_AGAIN_MS);
    }
    return false;
  };

  /** Its part of the shards: free ones are taken, and given to workers that have fewer. */
  const balance = async (seen: Beat, judgedAgoMs: number): Promise<void> => {
    const moved = countToMove(leases.size, seen);
    if (moved < 0) await giveAway(Math.min(-moved, AT_ONCE));
    if (moved <= 0) return;
    await load(await store.takeFree(moved, judgedAgoMs));
    log.info({ region, shards: leases.size, monitors: schedule.size() }, 'took over checks');
  };

  /** Starts from scratch: what others may have changed or taken meanwhile is read again. */
  const start = async () => {
    isStarted = false;
    for (const shard of leases.keys()) drop(shard);
    feed = { snapshot: await store.register() };
    isStarted = true;
  };

  const sayAlive = async (now: number, judgedAgoMs: number): Promise<Beat> => {
    const say = () =>
      store.beat({
        snapshot: feed.snapshot,
        dueSince: dueSince(now),
        own: [...leases.values()],
        judgedAgoMs,
      });
    const seen = isStarted ? await say() : null;
    if (seen) return seen;
    await start();
    const first = await say();
    if (!first) throw new Error('other workers took this one for dead while it started');
    return first;
  };

  const syncNow = async (): Promise<boolean> => {
    const now = clock.now().getTime();
    const silentMs = Number.isFinite(syncedAt) ? now - syncedAt : 0;
    const gapMs = silentMs < CRASHED_MS ? 0 : silentMs;
    const judgedAgoMs = sumGaps(now, gapMs);
    const seen = await sayAlive(now, judgedAgoMs);
    const lost = followLeases(seen.own);
    if (lost > 0) log.warn({ region, shards: lost }, 'other workers took over checks of this one');
    await followChanges(seen);
    syncedAt = seen.seenAt;
    if (gapMs > 0) gaps.push({ ms: gapMs, until: syncedAt + LEASE_MS });
    // All after a start; otherwise those whose loading failed the last time.
    await load(seen.own.filter(({ shard }) => !leases.has(shard)));
    await balance(seen, judgedAgoMs);
    if (Math.abs(syncedAt - prunedAt) >= PRUNE_EVERY_MS) {
      prunedAt = syncedAt;
      await store.prune(judgedAgoMs);
    }
    return gapMs > LEASE_MS;
  };

  return {
    region,
    /**
     * Reports that this worker is alive, and follows what others changed. Throws if the database is unavailable; what was not done then
     * is done the next time. Returns whether this worker may have been without its shards before, so that checks are overdue.
     */
    sync: (): Promise<boolean> => {
      if (isEnding) return Promise.resolve(false);
      syncing ??= (isLeaving ? renew().then(() => false) : syncNow()).finally(() => {
        syncing = null;
      });
      return syncing;
    },
    /** Whether its lease has ended, as far as it knows: another worker may have its shards. */
    isWithoutLease,
    /** Takes the checks that are due, the longest due first; none if this worker may have lost its shards. */
    takeDue: (limit: number): DueCheck[] => {
      const now = clock.now().getTime();
      const checks: DueCheck[] = [];
      if (isWithoutLease() && !continues()) return checks;
      while (checks.length < limit) {
        const next = schedule.take(now);
        if (next === null) break;
        const lease = leases.get(shardOf(next.monitor.slot));
        if (lease) checks.push({ monitor: next.monitor, lease, dueAt: new Date(next.dueAt) });
      }
      return checks;
    },
    /** To be called when a check has ended, whether its result was recorded or not. */
    giveBack: ({ monitor }: DueCheck): void => schedule.giveBack(monitor, clock.now().getTime()),
    /** Has a check made again with the next `spread`, because its result showed nothing. */
    checkAgain: ({ monitor }: DueCheck): void => schedule.checkAgain(monitor.id, clock.now().getTime()),
    nextDueAt: (): Date | null => {
      const dueAt = schedule.nextDueAt();
      return dueAt === null ? null : new Date(dueAt);
    },
    /** Spreads overdue checks after a gap; returns how many there were. */
    spread: (): number => schedule.spread(clock.now().getTime()),
    /**
     * Gives its shards to other workers, a few at a time, while it runs the checks of those that it still has: so none waits until
     * all are read. Ends early without others, if none takes them, and at the signal; the rest is left to `release`.
     */
    handOver: async (signal: AbortSignal): Promise<void> => {
      isLeaving = true;
      await syncing?.catch(() => 'what it owns is given away');
      if (!isStarted || (await store.announceLeaving()) === 0) return;
      while (leases.size > 0 && !signal.aborted) {
        const shards = await giveAway(AT_ONCE);
        if (!(await awaitOwners(shards, signal))) return;
      }
    },
    /** Gives its shards to others at once, for the end of this worker. Results that are not recorded yet are refused. */
    release: async (): Promise<void> => {
      isEnding = true;
      await syncing?.catch(() => 'it is tried no more');
      for (const shard of leases.keys()) drop(shard);
      if (!isStarted) return;
      await store.release();
      await store.forget();
    },
  };
}
