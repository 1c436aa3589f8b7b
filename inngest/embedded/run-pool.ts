import { AsyncResource } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { Clock } from '@/lib/core/clock';
import type { Answer, Call } from './call';
import type { DriverLog } from './driver-log';
import { createFailureEvent, type DriverEvent } from './event';
import type { FunctionPlan } from './function-plan';
import { driveRun, type Run, type RunEnd } from './run';
import { createSleeper } from './sleeper';
import { createSlots } from './slots';
import type { Timers } from './timers';
import { fromWireError, toWireError } from './wire-error';

/** What the driver has done since it was made. */
export type DriverCounters = {
  /** Runs that wait for their time or for a place. */
  queued: number;
  /** Runs that have begun and are not over, sleeping ones included. */
  running: number;
  runsStarted: number;
  runsCompleted: number;
  /** Runs that gave up after their last attempt. */
  runsFailed: number;
  /** Runs dropped by a timeout of their function. */
  runsCancelled: number;
  /** Runs not begun because another of their singleton was under way. */
  runsSkipped: number;
};

type Ticket = Run & { plan: FunctionPlan; queuedAt: number; begunAt: number | null };

const FAILURE_HANDLER_RETRIES = 1;

/**
 * Queues runs, lets them go as their functions' limits allow, reports how they end. Nothing here throws or
 * rejects.
 */
export function createRunPool(options: {
  clock: Clock;
  timers: Timers;
  log: DriverLog;
  call: (call: Call) => Promise<Answer>;
}) {
  const { clock, timers, log, call } = options;
  const slots = createSlots();
  const sleeper = createSleeper(timers);
  const busySingletons = new Set<string>();
  const begun = new Set<Ticket>();
  const onQuiet: (() => void)[] = [];
  let phase: 'open' | 'closing' | 'closed' = 'open';
  const counters: DriverCounters = {
    queued: 0,
    running: 0,
    runsStarted: 0,
    runsCompleted: 0,
    runsFailed: 0,
    runsCancelled: 0,
    runsSkipped: 0,
  };

  /** Queues a run of a function, to begin at the event's `ts` or now. */
  function launch(plan: FunctionPlan, event: DriverEvent): void {
    enqueue({ plan, event, id: randomUUID(), wireId: plan.wireId, retries: plan.retries });
  }

  // A run sent from within another one must not inherit that one's async context, which the SDK keeps its
  // run in.
  const enqueue = AsyncResource.bind((run: Run & { plan: FunctionPlan }): void => {
    if (phase !== 'open') return;
    counters.queued += 1;
    const queuedAt = Math.max(clock.now().getTime(), run.event.ts);
    // What is left to reject is a logger that throws, and that must not end the process.
    carry({ ...run, queuedAt, begunAt: null }).catch(() => {});
  });

  async function carry(ticket: Ticket): Promise<void> {
    const end = await driveAlone(ticket).catch((error: unknown): RunEnd => ({ kind: 'failed', error }));
    if (ticket.begunAt === null) counters.queued -= 1;
    else counters.running -= 1;
    begun.delete(ticket);
    if (counters.running === 0) for (const resolve of onQuiet.splice(0)) resolve();
    report(ticket, end);
  }

  async function driveAlone(ticket: Ticket): Promise<RunEnd> {
    if (!(await sleeper.sleep(ticket.event.ts - clock.now().getTime()))) return { kind: 'abandoned' };
    const group = groupFor(ticket, ticket.plan.singleton);
    if (group === null) return drive(ticket);
    if (busySingletons.has(group)) return { kind: 'skipped' };
    busySingletons.add(group);
    return drive(ticket).finally(() => busySingletons.delete(group));
  }

  function drive(ticket: Ticket): Promise<RunEnd> {
    return driveRun(ticket, {
      clock,
      sleeper,
      call: (request) => callInTurn(ticket, request),
      onRetry: ({ error, attempt, waitMs }) =>
        log.warn(
          { ...identify(ticket), attempt, waitMs, err: fromWireError(error) },
          'Attempt failed, will retry',
        ),
    });
  }

  async function callInTurn(ticket: Ticket, request: Call): Promise<Answer | { kind: 'over'; end: RunEnd }> {
    const { plan } = ticket;
    const group = groupFor(ticket, plan.concurrency);
    const release = group === null ? () => {} : await slots.acquire(group, plan.concurrency?.max ?? 1);
    try {
      const end = endBeforeCall(ticket);
      if (end) return { kind: 'over', end };
      if (ticket.begunAt === null) begin(ticket);
      return await call(request);
    } finally {
      release();
    }
  }

  function endBeforeCall({ plan, queuedAt, begunAt }: Ticket): RunEnd | null {
    if (phase === 'closed' || (phase === 'closing' && begunAt === null)) return { kind: 'abandoned' };
    const now = clock.now().getTime();
    const { startMs, finishMs } = plan.timeouts;
    if (begunAt === null && startMs !== null && now - queuedAt > startMs) {
      return { kind: 'cancelled', why: 'it waited longer than timeouts.start' };
    }
    if (begunAt !== null && finishMs !== null && now - begunAt > finishMs) {
      return { kind: 'cancelled', why: 'it took longer than timeouts.finish' };
    }
    return null;
  }

  function begin(ticket: Ticket): void {
    ticket.begunAt = clock.now().getTime();
    begun.add(ticket);
    counters.queued -= 1;
    counters.running += 1;
    counters.runsStarted += 1;
  }

  function report(ticket: Ticket, end: RunEnd): void {
    if (end.kind === 'completed') counters.runsCompleted += 1;
    if (end.kind === 'skipped') counters.runsSkipped += 1;
    if (end.kind === 'cancelled') {
      counters.runsCancelled += 1;
      log.warn({ ...identify(ticket), why: end.why }, 'Run cancelled');
    }
    if (end.kind === 'failed') {
      counters.runsFailed += 1;
      log.error({ ...identify(ticket), err: fromWireError(end.error) }, 'Run failed');
      handleFailure(ticket, end.error);
    }
  }

  function handleFailure(ticket: Ticket, error: unknown): void {
    const { plan, event } = ticket;
    if (plan.failureWireId === null || ticket.wireId === plan.failureWireId) return;
    enqueue({
      plan: { ...plan, concurrency: null, singleton: null, timeouts: { startMs: null, finishMs: null } },
      event: createFailureEvent({
        functionId: plan.wireId,
        runId: ticket.id,
        error: toWireError(error),
        event,
        now: clock.now(),
      }),
      id: randomUUID(),
      wireId: plan.failureWireId,
      retries: FAILURE_HANDLER_RETRIES,
    });
  }

  /**
   * Lets no new run begin, ends all sleep, and resolves when the runs that have begun are over or `graceMs`
   * later; from then on none goes on to a further step.
   */
  async function close(graceMs: number): Promise<void> {
    phase = 'closing';
    sleeper.wakeAll();
    await quietWithin(graceMs);
    phase = 'closed';
    if (begun.size > 0) {
      log.warn({ runs: [...begun].map(identify), graceMs }, 'Stopped while runs were still going');
    }
  }

  function quietWithin(ms: number): Promise<void> {
    return new Promise((resolve) => {
      if (counters.running === 0) return resolve();
      const cancel = timers.schedule(resolve, ms, { keepAlive: true });
      onQuiet.push(() => {
        cancel();
        resolve();
      });
    });
  }

  return { launch, close, counters };
}

function groupFor(ticket: Ticket, limit: FunctionPlan['singleton']): string | null {
  return limit && `${ticket.plan.id} ${limit.groupOf(ticket.event)}`;
}

function identify(ticket: Ticket): { functionId: string; runId: string } {
  return { functionId: ticket.plan.id, runId: ticket.id };
}
