import type { Logger } from '@/lib/core/logger';

/** Longer than garbage collection holds up a timer. */
const LATE_MS = 1000;
const TICK_MS = 250;
/** A process that computes, or reads pages from a disk, gets more than this of the time. */
const MIN_CPU_SHARE = 0.1;

/** What this process knows of suspensions of itself. */
export type Suspensions = ReturnType<typeof watchSuspensions>;

/** The time by a clock that nobody sets, by one that is set, and the processor time of the process, in milliseconds. */
type Meters = { monotonic(): number; wall(): number; cpu(): number };

const OWN: Meters = {
  monotonic: () => performance.now(),
  wall: () => Date.now(),
  cpu: () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  },
};

/**
 * Notices when this process was suspended: stopped, in a snapshot, or on a machine that slept. Then timers fire late though it got no
 * processor time, or the wall clock jumps, because the monotonic one may stand still meanwhile. A timer that is late because of the
 * process's own load is a stall. `onSuspension` gets how long it took, in milliseconds.
 */
export function watchSuspensions(onSuspension: (ms: number) => void, meters: Meters = OWN) {
  const read = () => ({ monotonic: meters.monotonic(), wall: meters.wall(), cpu: meters.cpu() });
  let seen = read();
  let suspensions = 0;
  let stalls = 0;
  const look = () => {
    const passedMs = meters.monotonic() - seen.monotonic;
    const jumpMs = Math.abs(meters.wall() - seen.wall - passedMs);
    const isLate = passedMs > TICK_MS + LATE_MS;
    if (jumpMs <= LATE_MS && !isLate) return;
    const before = seen;
    seen = read();
    if (jumpMs <= LATE_MS && seen.cpu - before.cpu >= passedMs * MIN_CPU_SHARE) {
      stalls += 1;
      return;
    }
    suspensions += 1;
    onSuspension(Math.max(jumpMs, passedMs));
  };
  const timer = setInterval(() => {
    look();
    seen = read();
  }, TICK_MS);
  timer.unref();
  return {
    /** How many there were, including one that ended just now: timers that it made late may fire before this one looks. */
    count: (): number => {
      look();
      return suspensions;
    },
    /** How often the event loop was held up for over a second by the load of the process itself. */
    stalls: (): number => stalls,
    stop: (): void => clearInterval(timer),
  };
}

/** Writes suspensions of a process that runs checks to its log. */
export function logSuspension(log: Pick<Logger, 'warn'>): (ms: number) => void {
  return (ms) =>
    log.warn({ suspendedMs: Math.round(ms) }, 'this process was suspended; the checks that ran are repeated');
}
