import { SHARDS } from '@/lib/state/schedule-grid';
import type { Feed, Lease, ScheduledMonitor } from './scheduled-monitor';

/** A worker that was not seen for this long loses its shards. */
export const LEASE_MS = 10_000;
/** The same if the connection that it was last seen on is closed: it crashed. */
export const CRASHED_MS = 1500;

/** Monitors read at a time. */
export const LOAD_BATCH = 2000;

/** What a worker learns about its region when it reports that it is alive. */
export type Beat = {
  /** When it was seen last, in epoch milliseconds: its lease counts from then. */
  seenAt: number;
  snapshot: string;
  /** The monitors that were changed since the snapshot it gave. */
  changed: string[];
  own: Lease[];
  /** How many shards have no living owner, and how many living workers share them. */
  free: number;
  runners: number;
};

/** What a worker reports: how much it knows, since when its checks are overdue, and which shards it believes to own. */
export type ShardReport = {
  snapshot: string;
  dueSince: Date | null;
  own: readonly Lease[];
  /** How long ago the others are judged as of: what kept this worker away may have kept them away, too. */
  judgedAgoMs: number;
};

/** Which monitors of a region: those of these shards, or only these of them. */
export type ShardSelection = { shards: readonly number[]; ids?: readonly string[] };

/**
 * The schedule of a region as one worker reaches it: in the database, or over HTTPS through a web process. Everything rejects while
 * it cannot be reached, and can be repeated. The time is that of the store.
 */
export type ShardStore = {
  /** Makes the worker known to the others, and the shards exist; what it owned is released. Returns a snapshot from before all it reads from now on. */
  register(): Promise<string>;
  /** Reports that the worker is alive, and reads what concerns it. Null if the others have forgotten it. */
  beat(report: ShardReport): Promise<Beat | null>;
  /** Reports only that it is alive, between two beats; returns whether the others still know it. */
  renew(): Promise<boolean>;
  /** Takes at most `limit` free shards, under new epochs. */
  takeFree(limit: number, judgedAgoMs: number): Promise<Lease[]>;
  load(feed: Feed, selection: ShardSelection): Promise<ScheduledMonitor[]>;
  /** Gives shards back, by default all of its own, for others to take at once. */
  release(shards?: readonly number[]): Promise<void>;
  /** Makes known that the worker takes no more shards; returns how many others do. */
  announceLeaving(): Promise<number>;
  /** Whether all of these shards have owners. */
  areOwned(shards: readonly number[]): Promise<boolean>;
  /** Deletes dead workers, and changes that all living ones know. */
  prune(judgedAgoMs: number): Promise<void>;
  /** Forgets the worker, which stops. */
  forget(): Promise<void>;
};

/** How many shards a worker is to take, or to give away if it is negative, so that all have their part. */
export function countToMove(owned: number, { free, runners }: Pick<Beat, 'free' | 'runners'>): number {
  const missing = Math.ceil(SHARDS / runners) - owned;
  // Others must read what they take, so the next ones wait until they have.
  return missing > 0 === free > 0 ? missing : 0;
}
