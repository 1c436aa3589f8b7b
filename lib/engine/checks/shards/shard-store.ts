import type { Feed, Lease, ScheduledMonitor } from './scheduled-monitor';

/** A worker that was not seen for this long loses its shards. */
export const LEASE_MS = 10_000;
/** The same if the connection that it was last seen on is closed: it crashed. */
export const CRASHED_MS = 1500;

/** What a worker learns about its region when it reports that it is alive. */
export type Beat = {
  snapshot: string;
  /** The monitors that were changed since the snapshot it gave. */
  changed: string[];
  own: Lease[];
  /** How many shards have no living owner, and how many living workers share them. */
  free: number;
  runners: number;
};

/** What a worker reports: how much it knows, since when its checks are overdue, and which shards it believes to own. */
export type Report = {
  snapshot: string;
  dueSince: Date | null;
  own: readonly Lease[];
  now: Date;
  /** As of when the others are judged. */
  judgedAt: Date;
};

/** Which monitors of a region: those of these shards, or only these of them. */
export type Selection = { shards: readonly number[]; ids?: readonly string[] };

/**
 * The schedule of a region as one worker reaches it: in the database, or over HTTPS through a web process. Everything rejects while
 * it cannot be reached, and can be repeated.
 */
export type ShardStore = {
  /** Makes the worker known to the others, and the shards exist; what it owned is released. Returns a snapshot from before all it reads from now on. */
  register(now: Date): Promise<string>;
  /** Reports that the worker is alive, and reads what concerns it. Null if the others have forgotten it. */
  beat(report: Report): Promise<Beat | null>;
  /** Reports only that it is alive, between two beats; returns whether the others still know it. */
  renew(now: Date): Promise<boolean>;
  /** Takes at most `limit` free shards, under new epochs. */
  takeFree(limit: number, now: Date): Promise<Lease[]>;
  load(feed: Feed, selection: Selection): Promise<ScheduledMonitor[]>;
  /** Gives shards back, by default all of its own, for others to take at once. */
  release(now: Date, shards?: readonly number[]): Promise<void>;
  /** Makes known that the worker takes no more shards; returns how many others do. */
  announceLeaving(now: Date): Promise<number>;
  /** Whether all of these shards have owners. */
  areOwned(shards: readonly number[]): Promise<boolean>;
  /** Deletes dead workers, and changes that all living ones know. */
  prune(judgedAt: Date): Promise<void>;
  /** Forgets the worker, which stops. */
  forget(): Promise<void>;
};
