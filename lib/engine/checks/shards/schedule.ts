import TinyQueue from 'tinyqueue';
import { gridSlotAfter, nextSlot, shardOf, slotAfterLate } from '@/lib/state/schedule-grid';
import type { ScheduledMonitor } from './scheduled-monitor';

/** After a gap, overdue checks run at this multiple of the usual pace, in addition to those falling due. */
const PACE = 1.5;
/** The same after a short gap, such as between two owners. */
const QUICK_PACE = 3;
const SHORT_GAP_MS = 10_000;
/** A monitor that was just read is at most one interval overdue, and the next slot at most one and a half away. */
const MAX_SLOTS_AHEAD = 3;
/** No burst for any worker, and a small installation knows within seconds. */
export const MIN_PACE_PER_SECOND = 10;

/** The monitors that a worker checks in one region, and when each is due. Times are epoch milliseconds. */
export type CheckSchedule = ReturnType<typeof createSchedule>;

/** By ID, so that it keeps no monitor that was replaced in memory. */
type Entry = { dueAt: number; id: string };

/** An empty schedule. A monitor that was taken is not due again until it was given back. */
export function createSchedule() {
  const monitors = new Map<string, ScheduledMonitor>();
  /** By ID, the configuration version of the check that is running: one of an earlier version does not delay the next. */
  const taken = new Map<string, number>();
  /** When the last check began that was overdue and had been spread. */
  let lastOverdueAt = Number.NEGATIVE_INFINITY;
  /** Entries of monitors that were replaced, removed or moved stay until they are due. */
  const queue = new TinyQueue<Entry>([], (a, b) => a.dueAt - b.dueAt);

  const isTaken = ({ id, configVersion }: ScheduledMonitor): boolean => taken.get(id) === configVersion;

  /** The next monitor that is due; discards entries that no longer hold. */
  const peek = (): ScheduledMonitor | undefined => {
    for (let entry = queue.peek(); entry !== undefined; entry = queue.peek()) {
      const monitor = monitors.get(entry.id);
      if (monitor?.dueAt === entry.dueAt && !isTaken(monitor)) return monitor;
      queue.pop();
    }
    return undefined;
  };

  const enqueue = ({ id, dueAt }: ScheduledMonitor) => queue.push({ dueAt, id });

  const remove = (id: string): void => {
    const known = monitors.get(id);
    if (known) known.isOutdated = true;
    monitors.delete(id);
  };

  /** What was read from the database can be older than the last check, and does not know which slot it was for. No further than a slot can be: the clock may have been set back. */
  const followBegun = (monitor: ScheduledMonitor, last: ScheduledMonitor | undefined): void => {
    if (last?.configVersion !== monitor.configVersion) return;
    const { begunAt, nextAt } = last;
    monitor.begunAt = begunAt;
    monitor.nextAt = nextAt;
    if (begunAt === null || begunAt < monitor.scheduledAt) return;
    const furthest = monitor.dueAt + MAX_SLOTS_AHEAD * monitor.config.intervalMs;
    monitor.dueAt = Math.min(nextAt, furthest);
  };

  return {
    size: (): number => monitors.size,
    /** Adds a monitor, or replaces it; a check that is running continues, and the monitor is not due before it ends. */
    put: (monitor: ScheduledMonitor): void => {
      const last = monitors.get(monitor.id);
      remove(monitor.id);
      monitors.set(monitor.id, monitor);
      followBegun(monitor, last);
      if (!isTaken(monitor)) enqueue(monitor);
    },
    remove,
    /** Removes the monitors of a shard. */
    removeShard: (shard: number): void => {
      for (const monitor of monitors.values()) if (shardOf(monitor.slot) === shard) remove(monitor.id);
    },
    /** When the next monitor is due; null if none is. */
    nextDueAt: (): number | null => peek()?.dueAt ?? null,
    /** Takes the monitor that has been due for longest; null if none is due at `now`. Its next slot follows from `now`. */
    take: (now: number): { monitor: ScheduledMonitor; dueAt: number } | null => {
      const monitor = peek();
      if (monitor === undefined || monitor.dueAt > now) return null;
      queue.pop();
      const { dueAt } = monitor;
      taken.set(monitor.id, monitor.configVersion);
      if (monitor.overdueSince !== null) lastOverdueAt = now;
      monitor.nextAt = slotAfterCheck(monitor, now);
      monitor.begunAt = now;
      monitor.overdueSince = null;
      monitor.dueAt = monitor.nextAt;
      return { monitor, dueAt };
    },
    /** Gives a monitor back whose check has ended: one that ran past its next slot skips it, but not what was scheduled since it began. */
    giveBack: ({ id, configVersion }: ScheduledMonitor, now: number): void => {
      if (taken.get(id) !== configVersion) return;
      taken.delete(id);
      const monitor = monitors.get(id);
      if (monitor?.configVersion !== configVersion) return;
      const isAwaited = monitor.scheduledAt > (monitor.begunAt ?? monitor.scheduledAt);
      // Not overdue: it could not begin before.
      if (monitor.dueAt <= now)
        monitor.dueAt = isAwaited ? now : gridSlotAfter(now, monitor.config.intervalMs, monitor.phase);
      enqueue(monitor);
    },
    /** Has a monitor checked again with the next `spread`, because its last check showed nothing. */
    checkAgain: (id: string, now: number): void => {
      const monitor = monitors.get(id);
      if (monitor && !isTaken(monitor)) monitor.overdueSince ??= now;
    },
    /**
     * Spreads overdue checks over time, since after a gap all would run in one burst: the longest overdue first and at once, the others
     * faster than the usual pace, at the latest in their next slots. Also draws in what lies too far ahead, as after a clock
     * was set back. Those that were spread before and wait for their turn are spread again, together with the others. Returns how
     * many were overdue.
     */
    spread: (now: number): number => {
      const waiting = [...monitors.values()].filter((monitor) => !isTaken(monitor));
      for (const monitor of waiting) {
        if (monitor.dueAt - now > 2 * monitor.config.intervalMs) move(monitor, slotAfter(monitor, now));
      }
      const overdue = waiting
        .flatMap((monitor) => {
          if (monitor.dueAt <= now) monitor.overdueSince ??= monitor.dueAt;
          return monitor.overdueSince === null ? [] : [{ monitor, since: monitor.overdueSince }];
        })
        .sort((a, b) => a.since - b.since);
      const [longest] = overdue;
      const pace = longest && now - longest.since > SHORT_GAP_MS ? PACE : QUICK_PACE;
      const paceMs = 1 / Math.max(pace * usualPace(monitors.values()), MIN_PACE_PER_SECOND / 1000);
      // Shards are read one after the other, and each must not begin a check at once.
      const first = Math.max(now, lastOverdueAt + paceMs);
      for (const [place, { monitor }] of overdue.entries()) {
        move(
          monitor,
          Math.min(first + place * paceMs, gridSlotAfter(now, monitor.config.intervalMs, monitor.phase)),
        );
      }
      return overdue.length;
    },
  };

  function move(monitor: ScheduledMonitor, dueAt: number): void {
    monitor.dueAt = dueAt;
    enqueue(monitor);
  }
}

/** Checks per millisecond. */
function usualPace(monitors: Iterable<ScheduledMonitor>): number {
  let perMs = 0;
  for (const { config } of monitors) perMs += 1 / config.intervalMs;
  return perMs;
}

/** The slot after a check that begins now. One that is more than half an interval late is nearer to the next slot than to its own. */
function slotAfterCheck(monitor: ScheduledMonitor, now: number): number {
  const { config, phase, dueAt, overdueSince, scheduledAt } = monitor;
  const since = overdueSince ?? dueAt;
  const isLate = since !== scheduledAt && now - since > config.intervalMs / 2;
  return isLate ? slotAfterLate(now, config.intervalMs, phase) : slotAfter(monitor, now);
}

function slotAfter({ config, phase }: ScheduledMonitor, now: number): number {
  return nextSlot(now, config.intervalMs, phase, config.confirmMs);
}
