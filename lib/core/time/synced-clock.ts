const MEASURE_MS = 60_000;
const RETRY_MS = 2000;
const JUMP_MS = 1000;
const SAMPLES = 5;
/** An hour of measurements, and more. */
const MAX_KNOWN = 100;

/** A clock synchronized with that of a service: every process that shares it agrees on the time. */
export type SyncedClock = ReturnType<typeof createSyncedClock>;

/**
 * `readTheirs` reads the time of the service, in epoch milliseconds. Uses `local`, this machine's time, until `measure` is called: by default the time at the start of the process plus
 * the time since then, so that a clock that is set meanwhile neither skips nor repeats checks. The shortest of a few
 * round trips is the most precise, since the response's time lies within it; an offset within its bounds is kept. So
 * processes on the machine of the service do not differ at all, however slow a connection or busy a processor.
 */
export function createSyncedClock(
  readTheirs: () => Promise<number>,
  local: () => number = () => performance.timeOrigin + performance.now(),
  wall: () => number = Date.now,
) {
  let offsetMs = 0;
  let measuredAt = Number.NEGATIVE_INFINITY;
  const known: { at: number; offsetMs: number }[] = [];
  /** `local` has millisecond resolution: the trip may end almost one millisecond later. */
  const allows = ({ before, after, theirs }: Sample) =>
    theirs - (after + 1) <= offsetMs && offsetMs <= theirs - before;
  /** Measures the offset to the clock of the service, valid until the next call. Rejects while that is unavailable. */
  const measure = async () => {
    const samples: Sample[] = [];
    for (let i = 0; i < SAMPLES; i++) samples.push(await takeSample(readTheirs, local));
    const best = samples.reduce((best, next) => (tripOf(next) < tripOf(best) ? next : best));
    if (!allows(best)) offsetMs = Math.round(best.theirs - (best.before + best.after) / 2);
    measuredAt = performance.now();
    known.push({ at: best.after, offsetMs });
    if (known.length > MAX_KNOWN) known.shift();
  };
  return {
    now: () => new Date(local() + offsetMs),
    measure,
    /** By how much the service is ahead, as it was last known: `now` adds it. */
    offsetMs: () => offsetMs,
    local,
    /** Corrects the clock at once if a response shows that it is wrong; it is measured again soon. */
    note: (sample: Sample): void => {
      if (allows(sample)) return;
      const [least, most] = [sample.theirs - sample.after, sample.theirs - sample.before];
      offsetMs = Math.round(Math.min(most, Math.max(least, offsetMs)));
      measuredAt = Number.NEGATIVE_INFINITY;
    },
    /**
     * A time of this clock, in epoch milliseconds, as it is known to have been by now: it was read with `offsetMs`, between two
     * measurements, and the clocks drift evenly. Without a measurement after it, or before it, as it is.
     */
    correct: (at: number, offsetMs: number): number => {
      const then = at - offsetMs;
      const before = known.findLast(({ at }) => at <= then);
      const after = known.find(({ at }) => at > then);
      if (!before || !after) return at;
      const part = (then - before.at) / (after.at - before.at);
      return Math.round(then + before.offsetMs + part * (after.offsetMs - before.offsetMs));
    },
    /**
     * Measures every minute, more often while the service is unavailable, and after the machine slept: `local` may have stood still,
     * while `wall` went on. Returns a function that stops it.
     */
    follow: () => {
      let isMeasuring = false;
      let aheadMs = wall() - local();
      const measureIfDue = async () => {
        const before = aheadMs;
        aheadMs = wall() - local();
        if (Math.abs(aheadMs - before) > JUMP_MS) measuredAt = Number.NEGATIVE_INFINITY;
        if (isMeasuring || performance.now() - measuredAt < MEASURE_MS) return;
        isMeasuring = true;
        // Those who use the service log that it is unavailable.
        await measure().catch(() => 'retried');
        isMeasuring = false;
      };
      const timer = setInterval(() => void measureIfDue(), RETRY_MS);
      timer.unref();
      return () => clearInterval(timer);
    },
  };
}

/** A time of the service, between two of this machine. */
export type Sample = { before: number; after: number; theirs: number };

const tripOf = ({ before, after }: Sample) => after - before;

async function takeSample(readTheirs: () => Promise<number>, local: () => number): Promise<Sample> {
  const before = local();
  const theirs = await readTheirs();
  return { before, after: local(), theirs };
}
