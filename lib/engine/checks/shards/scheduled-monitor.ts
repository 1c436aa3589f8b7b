import type { ProbeTarget } from '@/lib/schemas/monitor/fields';
import type { StateConfig } from '@/lib/state/types';

/** How much of what others changed a worker knows about a region: everything that is visible in this snapshot of PostgreSQL. */
export type Feed = { snapshot: string };

/** The right to store results of a shard, until another worker takes it with the next epoch. */
export type Lease = { shard: number; epoch: number };

/** A monitor in one region, as the worker knows it that owns its shard. Replaced as a whole when it is changed. */
export type ScheduledMonitor = {
  id: string;
  number: number;
  organizationId: string;
  region: string;
  slot: number;
  phase: number;
  configVersion: number;
  config: StateConfig;
  target: ProbeTarget;
  /** What its checks reach, to tell an outage of this worker's network. */
  host: string;
  /** Why `target` lacks the monitor's headers and body, so that it cannot be checked; null if it is complete. */
  targetError: string | null;
  /** When its next check is due, in epoch milliseconds. */
  dueAt: number;
  /** Since when that check is overdue, in epoch milliseconds, if overdue checks are being spread; null otherwise. */
  overdueSince: number | null;
  /** When a check was last scheduled outside the grid; one that began since has taken its place. */
  scheduledAt: number;
  /** When its last check began here, in epoch milliseconds; null if none did. */
  begunAt: number | null;
  /** When the next check is due after that one, in epoch milliseconds. */
  nextAt: number;
  feed: Feed;
  /** Whether every result of the monitor is decided upon: see `recordRoutine`. */
  isContested: boolean;
  /** When the previous result of the region arrived, and the expiry of the certificate it saw, in epoch milliseconds. */
  lastResultAt: number | null;
  certificateExpiresAt: number | null;
  /** What the previous result of the region was, as by `failureOf`, if it failed; null otherwise. */
  failure: string | null;
  /** When a result of the region was last decided upon, in epoch milliseconds; null if none was. */
  decidedAt: number | null;
  /** When the previous result of the region arrived, if it failed; null otherwise. */
  failedAt: number | null;
  /** Whether the last failure whose evidence was kept is without the first success after it. */
  awaitsRecovery: boolean;
  /** When the next good response of the monitor is to be kept, in epoch milliseconds. */
  goodDueAt: number;
  /** Whether it was changed, removed or taken by another worker since. */
  isOutdated: boolean;
  /** What was read since and took its place; null: nothing. */
  replacedBy: ScheduledMonitor | null;
};

/** Whether nobody but the owner checks a monitor, so that it learns from its own decisions whether the next results can be routine. */
export function hasOneOwner({ config }: Pick<ScheduledMonitor, 'config'>): boolean {
  return config.regions.length === 1;
}

/** What its owner knows of a monitor now. */
export function currentOf(monitor: ScheduledMonitor): ScheduledMonitor {
  let current = monitor;
  while (current.replacedBy !== null) current = current.replacedBy;
  return current;
}

/** A check that only this process may record, for as long as it holds the lease. */
export type DueCheck = {
  monitor: ScheduledMonitor;
  lease: Lease;
  /** When it was due; lateness is measured from here. */
  dueAt: Date;
};
