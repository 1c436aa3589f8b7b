import { setTimeout as delay } from 'node:timers/promises';
import pMap from 'p-map';
import type { Logger } from '@/lib/core/logger';
import type { Clock } from '@/lib/core/time/clock';
import { shardOf } from '@/lib/state/schedule-grid';
import type { OrganizationShares } from './organization-shares';
import { CheckSchedule } from './schedule';
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

export type KeeperOptions = {
  store: ShardStore;
  clock: Clock;
  region: string;
  log: Logger;
  /** Those of the worker, if it has other regions. */
  shares?: OrganizationShares;
  /** Called when the monitors of another shard were loaded: many of them can be overdue. */
  onLoaded?: () => void;
  /** Whether checks continue although the lease has ended; by default they do not. Asked only then. */
  continues?: () => boolean;
};

/** The shards of one region that this worker owns, and the schedule of their monitors. */
export type ShardKeeper = Pick<OwnShards, keyof OwnShards>;

/** Owns nothing before the first `sync`. */
export function createShardKeeper(options: KeeperOptions): ShardKeeper {
  return new OwnShards(options);
}

class OwnShards {
  readonly region: string;
  readonly #options: KeeperOptions;
  readonly #store: ShardStore;
  readonly #schedule: CheckSchedule;
  readonly #leases = new Map<number, Lease>();
  #feed: Feed = { snapshot: NOTHING_SEEN };
  #isStarted = false;
  /** Since when it owns shards that it has not read, in epoch milliseconds; null: it has read all. */
  #unreadSince: number | null = null;
  #isLeaving = false;
  #isEnding = false;
  #syncing: Promise<boolean> | null = null;
  #syncedAt = Number.NEGATIVE_INFINITY;
  #prunedAt = Number.NEGATIVE_INFINITY;
  /** Times without the database, each until it no longer counts. */
  #gaps: { ms: number; until: number }[] = [];

  constructor(options: KeeperOptions) {
    this.#options = options;
    this.#store = options.store;
    this.region = options.region;
    this.#schedule = new CheckSchedule(options.shares);
  }

  /**
   * Reports that this worker is alive, and follows what others changed. Throws if the database is unavailable; what was not done then
   * is done the next time. Returns whether this worker may have been without its shards before, so that checks are overdue.
   */
  sync(): Promise<boolean> {
    if (this.#isEnding) return Promise.resolve(false);
    this.#syncing ??= (this.#isLeaving ? this.#renew().then(() => false) : this.#syncNow()).finally(() => {
      this.#syncing = null;
    });
    return this.#syncing;
  }

  /** Whether its lease has ended, as far as it knows: another worker may have its shards. */
  isWithoutLease(): boolean {
    return Math.abs(this.#now() - this.#syncedAt) > LEASE_MS;
  }

  /**
   * Takes at most so many checks that are due, the longest due first; none if this worker may have lost its shards. With more slots `free` than that,
   * an organization may hold more of them.
   */
  takeDue(limit: number, free: number = limit): DueCheck[] {
    const { continues = () => false } = this.#options;
    const now = this.#now();
    const checks: DueCheck[] = [];
    if (this.isWithoutLease() && !continues()) return checks;
    while (checks.length < limit) {
      const next = this.#schedule.take(now, free - checks.length);
      if (next === null) break;
      const lease = this.#leases.get(shardOf(next.monitor.slot));
      if (lease) checks.push({ monitor: next.monitor, lease, dueAt: new Date(next.dueAt) });
    }
    return checks;
  }

  /** Whether more was due than `takeDue` was allowed to take. */
  isBehind(): boolean {
    return this.#schedule.isBehind();
  }

  /** To be called when a check has ended, whether its result was recorded or not. */
  giveBack({ monitor }: DueCheck): void {
    this.#schedule.giveBack(monitor, this.#now());
  }

  /** Has a check made again with the next `spread`, because its result showed nothing. */
  checkAgain({ monitor }: DueCheck): void {
    this.#schedule.checkAgain(monitor.id, this.#now());
  }

  nextDueAt(): Date | null {
    const dueAt = this.#schedule.nextDueAt();
    return dueAt === null ? null : new Date(dueAt);
  }

  /** Spreads overdue checks after a gap; returns how many there were. */
  spread(): number {
    return this.#schedule.spread(this.#now());
  }

  /**
   * Gives its shards to other workers, a few at a time, while it runs the checks of those that it still has: so none waits until
   * all are read. Ends early without others, if none takes them, and at the signal; the rest is left to `release`.
   */
  async handOver(signal: AbortSignal): Promise<void> {
    this.#isLeaving = true;
    await this.#syncing?.catch(() => 'what it owns is given away');
    if (!this.#isStarted || (await this.#store.announceLeaving()) === 0) return;
    while (this.#leases.size > 0 && !signal.aborted) {
      const shards = await this.#giveAway(AT_ONCE);
      if (!(await this.#awaitOwners(shards, signal))) return;
    }
  }

  /** Gives its shards to others at once, for the end of this worker. Results that are not recorded yet are refused. */
  async release(): Promise<void> {
    this.#isEnding = true;
    await this.#syncing?.catch(() => 'it is tried no more');
    for (const shard of this.#leases.keys()) this.#drop(shard);
    if (!this.#isStarted) return;
    await this.#store.release();
    await this.#store.forget();
  }

  async #syncNow(): Promise<boolean> {
    const { region, log } = this.#options;
    const now = this.#now();
    const silentMs = Number.isFinite(this.#syncedAt) ? now - this.#syncedAt : 0;
    const gapMs = silentMs < CRASHED_MS ? 0 : silentMs;
    const judgedAgoMs = this.#sumGaps(now, gapMs);
    const seen = await this.#sayAlive(now, judgedAgoMs);
    const lost = this.#followLeases(seen.own);
    if (lost > 0) log.warn({ region, shards: lost }, 'other workers took over checks of this one');
    await this.#followChanges(seen);
    this.#syncedAt = seen.seenAt;
    if (gapMs > 0) this.#gaps.push({ ms: gapMs, until: this.#syncedAt + LEASE_MS });
    // All after a start; otherwise those whose loading failed the last time.
    await this.#load(seen.own.filter(({ shard }) => !this.#leases.has(shard)));
    await this.#balance(seen, judgedAgoMs);
    if (Math.abs(this.#syncedAt - this.#prunedAt) >= PRUNE_EVERY_MS) {
      this.#prunedAt = this.#syncedAt;
      await this.#store.prune(judgedAgoMs);
    }
    return gapMs > LEASE_MS;
  }

  async #sayAlive(now: number, judgedAgoMs: number): Promise<Beat> {
    const say = () => {
      const own = [...this.#leases.values()];
      return this.#store.beat({
        snapshot: this.#feed.snapshot,
        dueSince: this.#dueSince(now),
        own,
        judgedAgoMs,
      });
    };
    const seen = this.#isStarted ? await say() : null;
    if (seen) return seen;
    await this.#start();
    const first = await say();
    if (!first) throw new Error('other workers took this one for dead while it started');
    return first;
  }

  /** Starts from scratch: what others may have changed or taken meanwhile is read again. */
  async #start(): Promise<void> {
    this.#isStarted = false;
    for (const shard of this.#leases.keys()) this.#drop(shard);
    this.#feed = { snapshot: await this.#store.register() };
    this.#isStarted = true;
  }

  async #renew(): Promise<void> {
    const now = this.#now();
    if (await this.#store.renew()) this.#syncedAt = now;
  }

  /** Follows what became of its shards; returns how many others have taken. */
  #followLeases(own: readonly Lease[]): number {
    const current = new Map(own.map((lease) => [lease.shard, lease.epoch]));
    const lost = [...this.#leases.values()].filter(({ shard, epoch }) => current.get(shard) !== epoch);
    for (const { shard } of lost) this.#drop(shard);
    return lost.length;
  }

  async #followChanges({ changed, snapshot }: Beat): Promise<void> {
    for (let from = 0; from < changed.length; from += LOAD_BATCH) {
      const ids = changed.slice(from, from + LOAD_BATCH);
      const loaded = await this.#store.load(this.#feed, { ids, shards: [...this.#leases.keys()] });
      const found = new Set(loaded.map(({ id }) => id));
      for (const id of ids) if (!found.has(id)) this.#schedule.remove(id);
      for (const monitor of loaded) this.#schedule.put(monitor);
    }
    this.#feed.snapshot = snapshot;
  }

  /** The checks of a shard begin while the next ones are read. */
  async #load(owned: readonly Lease[]): Promise<void> {
    this.#unreadSince = owned.length === 0 ? null : (this.#unreadSince ?? this.#now());
    const loadShard = async (lease: Lease) => {
      // Loading many monitors takes longer than a worker may be silent.
      if (this.#now() - this.#syncedAt >= LEASE_MS / 4) await this.#renew();
      const monitors = await this.#store.load(this.#feed, { shards: [lease.shard] });
      this.#leases.set(lease.shard, lease);
      for (const monitor of monitors) this.#schedule.put(monitor);
      this.#options.onLoaded?.();
    };
    // Even if one fails, all have ended before they are loaded again.
    await pMap(owned, loadShard, { concurrency: AT_ONCE, stopOnError: false });
    this.#unreadSince = null;
  }

  /** Its part of the shards: free ones are taken, and given to workers that have fewer. */
  async #balance(seen: Beat, judgedAgoMs: number): Promise<void> {
    const moved = countToMove(this.#leases.size, seen);
    if (moved < 0) await this.#giveAway(Math.min(-moved, AT_ONCE));
    if (moved <= 0) return;
    await this.#load(await this.#store.takeFree(moved, judgedAgoMs));
    const { region, log } = this.#options;
    log.info({ region, shards: this.#leases.size, monitors: this.#schedule.size() }, 'took over checks');
  }

  /** Releases its last shards, and returns them. */
  async #giveAway(count: number): Promise<number[]> {
    const shards = [...this.#leases.keys()].sort((a, b) => a - b).slice(-count);
    for (const shard of shards) this.#drop(shard);
    try {
      await this.#store.release(shards);
    } catch (error) {
      // It may still own them, but checks that still run are not in what it would read of them: it starts from scratch.
      this.#isStarted = false;
      throw error;
    }
    return shards;
  }

  async #awaitOwners(shards: readonly number[], signal: AbortSignal): Promise<boolean> {
    const until = performance.now() + TAKEN_WITHIN_MS;
    while (!signal.aborted && performance.now() < until) {
      if (await this.#store.areOwned(shards)) return true;
      await delay(LOOK_AGAIN_MS);
    }
    return false;
  }

  /** How long ago the others are judged as of: while this worker could not reach the database, they could not either. */
  #sumGaps(now: number, gapMs: number): number {
    this.#gaps = this.#gaps.filter(({ until }) => now < until);
    return this.#gaps.reduce((sum, { ms }) => sum + ms, gapMs);
  }

  #dueSince(now: number): Date | null {
    const dueAt = Math.min(this.#schedule.nextDueAt() ?? now, this.#unreadSince ?? now);
    return dueAt < now ? new Date(dueAt) : null;
  }

  #drop(shard: number): void {
    this.#leases.delete(shard);
    this.#schedule.removeShard(shard);
  }

  #now(): number {
    return this.#options.clock.now().getTime();
  }
}
