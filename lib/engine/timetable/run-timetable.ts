import { setTimeout as delay } from 'node:timers/promises';
import pLimit from 'p-limit';
import type { Logger } from '@/lib/core/logger';
import type { Clock } from '@/lib/core/time/clock';
import { untilNext } from '@/lib/core/time/together';
import { createWake } from '@/lib/core/time/wake';
import { createMoments } from '@/lib/platform/db/moments';
import { whyUnavailable } from '@/lib/platform/db/unavailable';
import { type Job, type JobServices, TIMETABLE } from './timetable';

/** What a worker reports of a job; `lateAt` is when health reports it as late, unless it has run well by then. */
export type JobReport = { job: string; lateAt: string; ranAt: string | null; failedAt: string | null };

/** Counts the runs of jobs. */
export type JobObserver = { ran: (job: string, run: { ms: number; isFailed: boolean }) => void };

type TimetableOptions = {
  jobs?: readonly Job[];
  observer?: JobObserver | undefined;
  signal: AbortSignal;
  log: Logger;
};

/** `nextAt`: when the job is due next, as far as it knows; null: it does not know, or failed. */
type Ran = { isFailed: boolean; nextAt: Date | null };

/** The jobs of this process. */
export type Timetable = ReturnType<typeof createTimetable>;

/** The pause after the first failure, and its increase per further one, up to the period of the job: short, to notice a recovery soon. */
const PAUSE_MS = 1000;
const MAX_PAUSE_MS = 2000;
const MIN_SLEEP_MS = 20;
/** Each may need a connection of the pool, which checks and deliveries use too. */
const MAX_RUNNING = 4;
/** How long a job may fail, or take, before health says so. */
const PATIENCE_MS = 60_000;

/**
 * Creates the timetable of this process; nothing runs before `start`. Each job repeats by itself: one that fails, which is logged with its
 * name, or takes long holds up no other.
 */
export function createTimetable(needs: JobServices, options: TimetableOptions) {
  const { jobs = TIMETABLE, signal } = options;
  const { clock } = needs.services;
  const wake = createWake();
  const reports = createReports(clock);
  const runIfDue = createRuns(needs, options, reports);
  let running: Promise<unknown> = Promise.resolve();

  const repeat = async (job: Job): Promise<void> => {
    const { everyMs, wokenEveryMs } = job;
    reports.begin(job);
    for (let failures = 0; !signal.aborted; ) {
      const seen = wake.rings();
      const begunAt = performance.now();
      const { isFailed, nextAt } = await runIfDue(job);
      failures = isFailed ? failures + 1 : 0;
      if (isFailed) {
        // Not ended by the bell, which may ring repeatedly during a failure.
        await rest(Math.min(failures * PAUSE_MS, Math.max(MAX_PAUSE_MS, everyMs)), signal);
        continue;
      }
      const dueMs = nextAt === null ? Number.POSITIVE_INFINITY : nextAt.getTime() - clock.now().getTime();
      // All that run as often look at the same moments, together.
      const ms = Math.max(MIN_SLEEP_MS, Math.min(untilNext(everyMs), dueMs));
      if (wokenEveryMs === undefined) await rest(ms, signal);
      else {
        await wake.sleep(ms, { signal, seen });
        // It may have been woken, or due, at once.
        await rest(begunAt + wokenEveryMs - performance.now(), signal);
      }
    }
  };

  return {
    start: (): void => {
      running = Promise.all(jobs.map(repeat));
    },
    /** Looks for work now: something was written that a job handles. */
    wake: wake.ring,
    /** What each job has done; empty before `start`. */
    report: reports.list,
    /** Resolves when no job is running any more; call it after the signal. */
    stopped: async (): Promise<void> => {
      await running;
    },
  };
}

async function rest(ms: number, signal: AbortSignal): Promise<void> {
  if (ms > 0) await delay(ms, undefined, { signal }).catch(() => 'the worker is stopping');
}

/** Returns what runs a job unless nothing of it is due. It never throws: an error is logged. */
function createRuns(
  needs: JobServices,
  { observer, signal, log }: TimetableOptions,
  reports: ReturnType<typeof createReports>,
): (job: Job) => Promise<Ran> {
  const inTurn = pLimit(MAX_RUNNING);
  const { clock, db } = needs.services;
  // Of jobs alone: some read more than an index.
  const moments = createMoments(db);

  const record = async (job: Job, run = () => job.run(needs)): Promise<Ran> => {
    // While it waited for its turn.
    if (signal.aborted) return { isFailed: false, nextAt: null };
    const begunAt = performance.now();
    const end = (isFailed: boolean, nextAt: Date | null): Ran => {
      observer?.ran(job.name, { ms: performance.now() - begunAt, isFailed });
      reports.note(job, isFailed);
      return { isFailed, nextAt };
    };
    try {
      const returned = await run();
      return end(false, returned instanceof Date ? returned : null);
    } catch (error) {
      log.error({ job: job.name, err: error }, 'a job of the timetable failed; retrying');
      return end(true, null);
    }
  };

  /** A job about which nothing could be read runs, unless it could not do more than that. */
  const runUnread = async (job: Job, error: unknown): Promise<Ran> => {
    if (whyUnavailable(error) !== null) return record(job, () => Promise.reject(error));
    if (!signal.aborted)
      log.error({ job: job.name, err: error }, 'could not read when a job of the timetable is due');
    return inTurn(record, job);
  };

  return async (job) => {
    if (job.dueAt === undefined) return inTurn(record, job);
    let dueAt: Date | null;
    try {
      dueAt = await moments(job.dueAt(clock.now(), needs));
    } catch (error) {
      return runUnread(job, error);
    }
    if (dueAt !== null && dueAt <= clock.now()) return inTurn(record, job);
    reports.note(job, false);
    return { isFailed: false, nextAt: dueAt };
  };
}

/** What the jobs of this process have done. */
function createReports(clock: Clock) {
  const reports = new Map<string, { lateAt: Date; ranAt: Date | null; failedAt: Date | null }>();
  const lateAfter = ({ everyMs }: Job) => new Date(clock.now().getTime() + everyMs + PATIENCE_MS);
  return {
    begin: (job: Job): void =>
      void reports.set(job.name, { lateAt: lateAfter(job), ranAt: null, failedAt: null }),
    note: (job: Job, isFailed: boolean): void => {
      const now = clock.now();
      const last = reports.get(job.name);
      const { lateAt, ranAt } = isFailed && last ? last : { lateAt: lateAfter(job), ranAt: now };
      reports.set(job.name, { lateAt, ranAt, failedAt: isFailed ? now : null });
    },
    list: (): JobReport[] =>
      [...reports].map(([job, { lateAt, ranAt, failedAt }]) => ({
        job,
        lateAt: lateAt.toISOString(),
        ranAt: ranAt?.toISOString() ?? null,
        failedAt: failedAt?.toISOString() ?? null,
      })),
  };
}
