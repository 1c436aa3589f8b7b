import { setTimeout as delay, setImmediate } from 'node:timers/promises';
import { describeError } from '@/lib/core/errors';
import type { Logger } from '@/lib/core/logger';
import { untilNext } from '@/lib/core/time/together';
import type { Wake } from '@/lib/core/time/wake';
import { drainUntil } from '@/lib/engine/runtime/drain-until';
import type { Slots } from '@/lib/engine/runtime/slots';
import { type CheckRunner, runCheck } from './run-check';
import type { ShardKeeper } from './shards/keep-shards';
import type { DueCheck } from './shards/scheduled-monitor';

/** The schedule is looked at about once a second; a longer pause is a gap. */
const GAP_MS = 1500;
/** Acceptable lateness: checks that fall due together cost less than one by one. */
const MIN_SLEEP_MS = 50;
const MAX_QUIET_MS = 1000;
/**
 * Checks of a region that begin in one turn of the event loop; the next turn first reads what has arrived. With more than the processor can run, a thousand
 * that begin together would each seem to respond as slowly as all of them take.
 */
const MAX_AT_ONCE = 48;
/** How long changes by others take to be followed if a notification is lost, and how soon they are otherwise. */
const SYNC_MS = 1000;
const MIN_SYNC_MS = 50;
const SKIP_LOG_MS = 60_000;

/** What a process needs to run checks: slots, a recorder, and the wake bells for free slots and for changes. */
export type CheckEngine = CheckRunner & {
  /** Keeps shards of a region; `onLoaded` as in `createShardKeeper`. */
  openKeeper(region: string, onLoaded: () => void): ShardKeeper;
  slots: Slots;
  /** By region; initially empty. */
  keepers: Map<string, ShardKeeper>;
  /** Rung when a slot becomes free, and when the schedule may have changed: there may be a check to start. */
  wake: Wake;
  /** Rung when others say that they changed something. */
  changes: Wake;
};

/** Runs the checks of a region from now on, until the signal; does nothing if they are run already. */
export function startChecks(engine: CheckEngine, region: string, signal: AbortSignal): void {
  const { keepers, wake } = engine;
  if (keepers.has(region)) return;
  const onLoaded = () => {
    keeper.spread();
    wake.ring();
  };
  const keeper: ShardKeeper = engine.openKeeper(region, onLoaded);
  keepers.set(region, keeper);
  void drainChecks(engine, keeper, signal);
}

/** Runs the checks of the shards that this worker owns in a region until the signal. Running checks continue in their slots. */
export async function drainChecks(
  engine: CheckEngine,
  keeper: ShardKeeper,
  signal: AbortSignal,
): Promise<void> {
  await Promise.all([keepSynced(engine, keeper, signal), startDue(engine, keeper, signal)]);
}

/** Every second, and when others say that they changed something. An error is logged once, and retried. */
async function keepSynced(
  { changes, wake, log }: CheckEngine,
  keeper: ShardKeeper,
  signal: AbortSignal,
): Promise<void> {
  let failure: string | null = null;
  while (!signal.aborted) {
    const seen = changes.rings();
    try {
      if (await keeper.sync()) keeper.spread();
      if (failure !== null) log.warn({ region: keeper.region }, 'the schedule of a region is followed again');
      failure = null;
      wake.ring();
    } catch (error) {
      const reason = describeError(error);
      const fields = { region: keeper.region, error: reason };
      if (reason !== failure) log.error(fields, 'could not follow the schedule of a region; retrying');
      failure = reason;
    }
    // The bell may ring repeatedly, also during a failure.
    await delay(failure === null ? MIN_SYNC_MS : SYNC_MS, undefined, { signal }).catch(
      () => 'the drain is ending',
    );
    // All regions of the worker at the same moments, together.
    if (failure === null) await changes.sleep(untilNext(SYNC_MS), { signal, seen });
  }
}

function startDue(engine: CheckEngine, keeper: ShardKeeper, signal: AbortSignal): Promise<void> {
  const { clock, slots, wake, log } = engine;
  const skips = createSkipLog(log, keeper.region);
  const checkAgain = createRecheck(engine, keeper);
  let lookedAt = clock.now().getTime();
  return drainUntil(
    { services: { clock }, wake, log },
    {
      name: `checks of ${keeper.region}`,
      minSleepMs: MIN_SLEEP_MS,
      maxQuietMs: MAX_QUIET_MS,
      startDue: async () => {
        // A stored batch frees hundreds of slots, one after the other, and the first of them wakes this drain.
        await setImmediate();
        const now = clock.now().getTime();
        if (Math.abs(now - lookedAt) > GAP_MS) {
          skips.noteGap();
          const spread = keeper.spread();
          if (spread > 0) {
            const fields = { region: keeper.region, gapMs: now - lookedAt, spread };
            log.info(fields, 'no check was started for a while; spread overdue checks over time');
          }
        }
        lookedAt = now;
        const free = Math.max(0, slots.free());
        const due = keeper.takeDue(Math.min(free, MAX_AT_ONCE), free);
        skips.note(due, now, { free, isBehind: keeper.isBehind() });
        for (const check of due) {
          const onBack = () => checkAgain(check);
          slots.run(() => runToEnd(engine, keeper, check, { signal, onBack }));
        }
        return due.length === MAX_AT_ONCE;
      },
      nextDueAt: async () => {
        lookedAt = clock.now().getTime();
        // A slot that becomes free wakes the drain.
        return slots.free() > 0 ? keeper.nextDueAt() : null;
      },
    },
    { signal },
  );
}

/** Has checks made again that showed nothing, all of a turn of the event loop spread over time. */
function createRecheck({ wake }: CheckEngine, keeper: ShardKeeper): (check: DueCheck) => void {
  let isSpreading = false;
  const spread = async () => {
    isSpreading = true;
    await setImmediate();
    isSpreading = false;
    keeper.spread();
    wake.ring();
  };
  return (check) => {
    keeper.checkAgain(check);
    if (!isSpreading) void spread();
  };
}

/** Never throws, as slots require. */
async function runToEnd(
  engine: CheckEngine,
  keeper: ShardKeeper,
  check: DueCheck,
  options: Parameters<typeof runCheck>[2],
): Promise<void> {
  try {
    await runCheck(engine, check, options);
  } catch (error) {
    const fields = { error: describeError(error), monitor: check.monitor.id };
    engine.log.error(fields, 'a check failed to run; its slot is skipped');
  }
  keeper.giveBack(check);
}

const AT_LIMIT =
  'checks were skipped: more are due than this worker can run; add a worker or raise CHECK_CONCURRENCY';
const TOO_BUSY =
  'checks were skipped: more are due than the processor of this worker can run; add a worker, or give it more of the processor';
const NOTHING_RAN =
  'checks were skipped while none was started: this worker was paused, or had neither its shards nor the database';

/** Counts the slots that passed before their checks were started, and logs once a minute how many and why. */
function createSkipLog(log: Logger, region: string) {
  /** Since when more was due at every look than could begin; null: all of it began. */
  let behindSince: number | null = null;
  const atLimit = createSkipCount((skipped) => log.warn({ region, skipped }, AT_LIMIT));
  const tooBusy = createSkipCount((skipped) => log.warn({ region, skipped }, TOO_BUSY));
  const nothingRan = createSkipCount((skipped) => log.warn({ region, skipped }, NOTHING_RAN));
  return {
    /** Nothing is known about the time since the last look. */
    noteGap: (): void => {
      behindSince = null;
    },
    /** Notes the checks that are started at `now`, when this many slots of the worker were free; `isBehind`: more was due. */
    note: (
      due: readonly DueCheck[],
      now: number,
      { free, isBehind }: { free: number; isBehind: boolean },
    ): void => {
      if (free === 0) behindSince ??= now;
      const cause = due.length === MAX_AT_ONCE && due.length < free ? tooBusy : atLimit;
      for (const { dueAt, monitor } of due) {
        const lateMs = now - dueAt.getTime();
        const behindMs = behindSince === null ? 0 : now - behindSince;
        const skipped = Math.max(0, Math.floor(lateMs / monitor.config.intervalMs));
        (behindMs >= lateMs / 2 ? cause : nothingRan).add(skipped);
      }
      if (free > 0) behindSince = isBehind || due.length === free ? (behindSince ?? now) : null;
      atLimit.report(now);
      tooBusy.report(now);
      nothingRan.report(now);
    },
  };
}

function createSkipCount(log: (skipped: number) => void) {
  let skipped = 0;
  let loggedAt = Number.NEGATIVE_INFINITY;
  return {
    add: (count: number): void => {
      skipped += count;
    },
    report: (now: number): void => {
      if (skipped === 0 || now - loggedAt < SKIP_LOG_MS) return;
      log(skipped);
      skipped = 0;
      loggedAt = now;
    },
  };
}
