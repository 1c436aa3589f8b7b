const MEASURE_MS = 60_000;
const RETRY_MS = 2000;
const SAMPLES = 5;

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
) {
  let offsetMs = 0;
  let measuredAt = Number.NEGATIVE_INFINITY;
  /** Measures the offset to the clock of the service, valid until the next call. Rejects while that is unavailable. */
  const measure = async () => {
    const samples: Sample[] = [];
    for (let i = 0; i < SAMPLES; i++) samples.push(await takeSample(readTheirs, local));
    const { before, after, theirs } = samples.reduce((best, next) =>
      tripOf(next) < tripOf(best) ? next : best,
    );
    // `local` has millisecond resolution: the trip may end almost one millisecond later.
    const allowed = theirs - (after + 1) <= offsetMs && offsetMs <= theirs - before;
    if (!allowed) offsetMs = Math.round(theirs - (before + after) / 2);
    measuredAt = performance.now();
  };
  return {
    now: () => new Date(local() + offsetMs),
    measure,
    /** Measures every minute, and more often while the service is unavailable. Returns a function that stops it. */
    follow: () => {
      let isMeasuring = false;
      const measureIfDue = async () => {
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

type Sample = { before: number; after: number; theirs: number };

const tripOf = ({ before, after }: Sample) => after - before;

async function takeSample(readTheirs: () => Promise<number>, local: () => number): Promise<Sample> {
  const before = local();
  const theirs = await readTheirs();
  return { before, after: local(), theirs };
}
