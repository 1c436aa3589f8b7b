import TinyQueue from 'tinyqueue';
import { gridSlotAfter, nextSlot, shardOf, slotAfterLate } from '@/lib/state/schedule-grid';
import { OrganizationShares } from './organization-shares';
import { hasOneOwner, type ScheduledMonitor } from './scheduled-monitor';

/** After a gap, overdue checks run at this multiple of the usual pace, in addition to those falling due. */
const PACE = 1.5;
/** The same after a short gap, such as between two owners. */
const QUICK_PACE = 3;
const SHORT_GAP_MS = 10_000;
/** A monitor that was just read is at most one interval overdue, and the next slot at most one and a half away. */
const MAX_SLOTS_AHEAD = 3;
/** No burst for any worker, and a small installation knows within seconds. */
export const MIN_PACE_PER_SECOND = 10;

/** So many confirmations of an organization may begin in a row while its routine checks wait: a monitor that fails in one region only stays unconfirmed. */
const MAX_CONFIRMATIONS = 3;

/** By ID, so that it keeps no monitor that was replaced in memory. */
type Entry = { dueAt: number; id: string };

/** What an organization has due, and how many confirmations began since its last routine check. */
type Waiting = { confirming: TinyQueue<Entry>; routine: TinyQueue<Entry>; confirmed: number };

/**
 * The monitors that a worker checks in one region, and when each is due. Times are epoch milliseconds. A monitor that was taken is not due
 * again until it was given back. With more due than can be run, organizations take turns, so that what one adds delays no other; within
 * one, confirmations come first, three for each routine check, and of each kind what has been due for longest.
 */
export class CheckSchedule {
  readonly #monitors = new Map<string, ScheduledMonitor>();
  /** By ID, the configuration version of the check that is running: one of an earlier version does not delay the next. */
  readonly #taken = new Map<string, number>();
  readonly #shares: OrganizationShares;
  /** When the last check began that was overdue and had been spread. */
  #lastOverdueAt = Number.NEGATIVE_INFINITY;
  /** Entries of monitors that were replaced, removed or moved stay until they are due. */
  readonly #queue = createQueue();
  /** What was due at the last look and waits for a slot, by organization: the first is next, and then last. Outdated entries stay, as in the queue. */
  readonly #waiting = new Map<string, Waiting>();

  /** `shares` are those of the worker; by default, the schedule has all of it. */
  constructor(shares = new OrganizationShares()) {
    this.#shares = shares;
  }

  #isTaken({ id, configVersion }: ScheduledMonitor): boolean {
    return this.#taken.get(id) === configVersion;
  }

  /** The monitor of the first entry; discards entries that no longer hold. */
  #peek(queue: TinyQueue<Entry>): ScheduledMonitor | undefined {
    for (let entry = queue.peek(); entry !== undefined; entry = queue.peek()) {
      const monitor = this.#monitors.get(entry.id);
      if (monitor?.dueAt === entry.dueAt && !this.#isTaken(monitor)) return monitor;
      queue.pop();
    }
    return undefined;
  }

  /** Lets what is due at `now` wait for its turn. */
  #collectDue(now: number): void {
    for (
      let monitor = this.#peek(this.#queue);
      monitor !== undefined && monitor.dueAt <= now;
      monitor = this.#peek(this.#queue)
    ) {
      this.#queue.pop();
      const { id, dueAt, organizationId } = monitor;
      const own = this.#waiting.get(organizationId) ?? createWaiting();
      (isConfirming(monitor) ? own.confirming : own.routine).push({ id, dueAt });
      this.#waiting.set(organizationId, own);
    }
  }

  /** The next monitor of an organization, which no longer waits; undefined if none does. */
  #takeFirst(own: Waiting): ScheduledMonitor | undefined {
    const confirming = this.#peek(own.confirming);
    const routine = this.#peek(own.routine);
    const isConfirmed = confirming && (routine === undefined || own.confirmed < MAX_CONFIRMATIONS);
    own.confirmed = isConfirmed ? own.confirmed + 1 : 0;
    (isConfirmed ? own.confirming : own.routine).pop();
    return isConfirmed ? confirming : routine;
  }

  /** The next monitor of the organization whose turn it is; undefined if none waits that may begin. */
  #nextInTurn(now: number, free: number): ScheduledMonitor | undefined {
    for (const [organizationId, own] of this.#waiting) {
      if (!this.#shares.mayBegin(organizationId, free)) continue;
      this.#waiting.delete(organizationId);
      const monitor = this.#takeFirst(own);
      if (own.confirming.length + own.routine.length > 0) this.#waiting.set(organizationId, own);
      if (monitor === undefined) continue;
      if (monitor.dueAt <= now) return monitor;
      // The clock was set back.
      this.#enqueue(monitor);
    }
    return undefined;
  }

  #enqueue({ id, dueAt }: ScheduledMonitor): void {
    this.#queue.push({ dueAt, id });
  }

  remove(id: string): void {
    const known = this.#monitors.get(id);
    if (!known) return;
    known.isOutdated = true;
    this.#monitors.delete(id);
    this.#shares.removeMonitor(known.organizationId);
  }

  /** What was read from the database can be older than the last check, and does not know which slot it was for. No further than a slot can be: the clock may have been set back. */
  #followBegun(monitor: ScheduledMonitor, last: ScheduledMonitor | undefined): void {
    if (last?.configVersion !== monitor.configVersion) return;
    const { begunAt, nextAt } = last;
    monitor.begunAt = begunAt;
    monitor.nextAt = nextAt;
    if (begunAt === null || begunAt < monitor.scheduledAt) return;
    const furthest = monitor.dueAt + MAX_SLOTS_AHEAD * monitor.config.intervalMs;
    monitor.dueAt = Math.min(nextAt, furthest);
  }

  size(): number {
    return this.#monitors.size;
  }

  /** Adds a monitor, or replaces it; a check that is running continues, and the monitor is not due before it ends. */
  put(monitor: ScheduledMonitor): void {
    const last = this.#monitors.get(monitor.id);
    this.remove(monitor.id);
    this.#monitors.set(monitor.id, monitor);
    this.#shares.addMonitor(monitor.organizationId);
    if (last) replace(last, monitor);
    this.#followBegun(monitor, last);
    if (!this.#isTaken(monitor)) this.#enqueue(monitor);
  }

  /** Removes the monitors of a shard. */
  removeShard(shard: number): void {
    for (const monitor of this.#monitors.values())
      if (shardOf(monitor.slot) === shard) this.remove(monitor.id);
  }

  /** When the next monitor is due; null if none is. */
  nextDueAt(): number | null {
    const waiting = [...this.#waiting.values()].flatMap(({ confirming, routine }) => [confirming, routine]);
    const due = [this.#queue, ...waiting].flatMap((queue) => this.#peek(queue)?.dueAt ?? []);
    return due.length === 0 ? null : Math.min(...due);
  }

  /** Whether a check was due at the last look, and has not begun. */
  isBehind(): boolean {
    return this.#waiting.size > 0;
  }

  /**
   * Takes a monitor that is due at `now`, in turns of organizations; null if none is, or if so many `free` slots are too few for the
   * organizations that have one. Its next slot follows from `now`.
   */
  take(now: number, free = Number.POSITIVE_INFINITY): { monitor: ScheduledMonitor; dueAt: number } | null {
    this.#collectDue(now);
    const monitor = this.#nextInTurn(now, free);
    if (monitor === undefined) return null;
    const { dueAt } = monitor;
    this.#shares.begin(monitor.organizationId);
    this.#taken.set(monitor.id, monitor.configVersion);
    if (monitor.overdueSince !== null) this.#lastOverdueAt = now;
    monitor.nextAt = slotAfterCheck(monitor, now);
    monitor.begunAt = now;
    monitor.overdueSince = null;
    monitor.dueAt = monitor.nextAt;
    return { monitor, dueAt };
  }

  /** Gives a monitor back whose check has ended: one that ran past its next slot skips it, but not what was scheduled since it began. */
  giveBack({ id, configVersion, organizationId }: ScheduledMonitor, now: number): void {
    this.#shares.end(organizationId);
    if (this.#taken.get(id) !== configVersion) return;
    this.#taken.delete(id);
    const monitor = this.#monitors.get(id);
    if (monitor?.configVersion !== configVersion) return;
    const isAwaited = monitor.scheduledAt > (monitor.begunAt ?? monitor.scheduledAt);
    // Not overdue: it could not begin before.
    if (monitor.dueAt <= now)
      monitor.dueAt = isAwaited ? now : gridSlotAfter(now, monitor.config.intervalMs, monitor.phase);
    this.#enqueue(monitor);
  }

  /** Has a monitor checked again with the next `spread`, because its last check showed nothing. */
  checkAgain(id: string, now: number): void {
    const monitor = this.#monitors.get(id);
    if (monitor && !this.#isTaken(monitor)) monitor.overdueSince ??= now;
  }

  /**
   * Spreads overdue checks over time, since after a gap all would run in one burst: the longest overdue first and at once, then one of each other
   * organization, and so on, faster than the usual pace, at the latest in their next slots. Also draws in what lies too far ahead, as after a clock
   * was set back. Those that were spread before and wait for their turn are spread again, together with the others. Returns how
   * many were overdue.
   */
  spread(now: number): number {
    const waiting = [...this.#monitors.values()].filter((monitor) => !this.#isTaken(monitor));
    for (const monitor of waiting) {
      if (monitor.dueAt - now > 2 * monitor.config.intervalMs) this.#move(monitor, slotAfter(monitor, now));
    }
    const overdue = inTurns(
      waiting
        .flatMap((monitor) => {
          if (monitor.dueAt <= now) monitor.overdueSince ??= monitor.dueAt;
          return monitor.overdueSince === null ? [] : [{ monitor, since: monitor.overdueSince }];
        })
        .sort((a, b) => a.since - b.since),
    );
    const [longest] = overdue;
    const pace = longest && now - longest.since > SHORT_GAP_MS ? PACE : QUICK_PACE;
    const paceMs = 1 / Math.max(pace * usualPace(this.#monitors.values()), MIN_PACE_PER_SECOND / 1000);
    // Shards are read one after the other, and each must not begin a check at once.
    const first = Math.max(now, this.#lastOverdueAt + paceMs);
    for (const [place, { monitor }] of overdue.entries()) {
      this.#move(
        monitor,
        Math.min(first + place * paceMs, gridSlotAfter(now, monitor.config.intervalMs, monitor.phase)),
      );
    }
    return overdue.length;
  }

  #move(monitor: ScheduledMonitor, dueAt: number): void {
    monitor.dueAt = dueAt;
    this.#enqueue(monitor);
  }
}

function createQueue(): TinyQueue<Entry> {
  return new TinyQueue<Entry>([], (a, b) => a.dueAt - b.dueAt);
}

function createWaiting(): Waiting {
  return { confirming: createQueue(), routine: createQueue(), confirmed: 0 };
}

/** Whether its next check confirms or refutes what a result has shown, here or in another region. */
function isConfirming({ isContested, failure, scheduledAt, begunAt }: ScheduledMonitor): boolean {
  return (isContested && failure !== null) || (begunAt !== null && scheduledAt > begunAt);
}

/** The first of each organization, then the second of each, and so on. */
function inTurns<One extends { monitor: ScheduledMonitor }>(ordered: readonly One[]): One[] {
  const turns = new Map<string, number>();
  return ordered
    .map((one) => {
      const turn = turns.get(one.monitor.organizationId) ?? 0;
      turns.set(one.monitor.organizationId, turn + 1);
      return { one, turn };
    })
    .sort((a, b) => a.turn - b.turn)
    .map(({ one }) => one);
}

/** A decision may have been committed since the monitor was read: if only its owner knows, the next result is decided upon. */
function replace(last: ScheduledMonitor, monitor: ScheduledMonitor): void {
  last.replacedBy = monitor;
  const isDecidedHere = last.decidedAt !== monitor.decidedAt;
  if (hasOneOwner(monitor) && (last.isContested || isDecidedHere)) monitor.isContested = true;
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
