import { AsyncResource } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { Inngest, InngestFunction } from 'inngest';
import { describeError, StartupError } from '@/lib/core/errors';
import { type Clock, systemClock } from '@/lib/core/time/clock';
import { createEmbeddedClient, createTimerEvent, type DriverEvent, type DriverLog } from './client';
import { createCaller, driveRun, type RunEnd } from './run';

/** Calls `run` once after `ms`; returns a function that cancels it. */
export type SetTimer = (run: () => void, ms: number) => () => void;

const EVERY_MINUTE = '* * * * *';
/** Maximum concurrent runs; further ones are dropped and logged. */
const MAX_RUNS = 1000;
const DAY_MS = 86_400_000;

const setSystemTimer: SetTimer = (run, ms) => {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
};

/** Runs Inngest functions inside this process, in memory only: nothing survives the process. */
export type EmbeddedDriver = ReturnType<typeof createEmbeddedDriver>;

/** Creates a running driver. Throws StartupError listing every unsupported trigger and option. */
export function createEmbeddedDriver({
  id,
  buildFunctions,
  log,
  clock = systemClock,
  setTimer = setSystemTimer,
}: {
  id: string;
  buildFunctions: (client: Inngest) => InngestFunction.Any[];
  log: DriverLog;
  clock?: Clock;
  setTimer?: SetTimer;
}) {
  const client = createEmbeddedClient(id, { log, onEvents: receive });
  const functions = buildFunctions(client);
  const plans = planFunctions(functions, id);
  const hasSeen = createRecentIds({ clock, forMs: DAY_MS, atMost: 100_000 });
  const runs = createRuns(createCaller({ client, functions }), { log, setTimer });
  let stopping: Promise<void> | undefined;

  function receive(events: DriverEvent[]): void {
    for (const event of events) {
      if (hasSeen(event.id)) continue;
      for (const plan of plans) if (plan.eventNames.includes(event.name)) runs.launch(plan, event);
    }
  }

  const stopTicker = startMinuteTicker({ clock, setTimer }, (minute) => {
    for (const plan of plans) if (plan.hasCron) runs.launch(plan, createTimerEvent(EVERY_MINUTE, minute));
  });

  return {
    /** The client of the functions; the events it sends start runs here. */
    client,
    /** Live counters. `runsSkipped`: another run of the same singleton was in progress. */
    counters: runs.counters,
    /** Starts no new runs. Resolves when the running ones end, or after `graceMs`: none then starts a step. */
    stop({ graceMs }: { graceMs: number }): Promise<void> {
      stopTicker();
      stopping ??= runs.close(graceMs);
      return stopping;
    },
  };
}

type RunOptions = { log: DriverLog; setTimer: SetTimer };

/** The runs in progress. */
function createRuns(callFunction: ReturnType<typeof createCaller>, { log, setTimer }: RunOptions) {
  const running = new Map<string, Plan>();
  const counters = {
    runsStarted: 0,
    runsCompleted: 0,
    runsFailed: 0,
    runsSkipped: 0,
    get running() {
      return running.size;
    },
  };
  let phase: 'open' | 'closing' | 'closed' = 'open';
  let onIdle = (): void => {};

  // A run triggered by another run must not inherit its async context, in which the SDK keeps its run.
  const launch = AsyncResource.bind((plan: Plan, event: DriverEvent): void => {
    if (phase !== 'open') return;
    if (plan.isSingleton && [...running.values()].includes(plan)) {
      counters.runsSkipped += 1;
      return;
    }
    if (running.size >= MAX_RUNS) {
      report(log, 'error', { functionId: plan.id }, `dropped a run: ${MAX_RUNS} are in progress`);
      return;
    }
    const runId = randomUUID();
    running.set(runId, plan);
    counters.runsStarted += 1;
    driveRun({ id: runId, wireId: plan.wireId, event }, async (request) =>
      phase === 'closed' ? null : callFunction(request),
    )
      .catch((error: unknown): RunEnd => ({ kind: 'failed', error }))
      .then((end) => finish(runId, plan, end));
  });

  function finish(runId: string, plan: Plan, end: RunEnd): void {
    running.delete(runId);
    if (end.kind === 'completed') counters.runsCompleted += 1;
    if (end.kind === 'failed') {
      counters.runsFailed += 1;
      report(log, 'error', { functionId: plan.id, runId, err: readWireError(end.error) }, 'run failed');
    }
    if (running.size === 0) onIdle();
  }

  async function close(graceMs: number): Promise<void> {
    phase = 'closing';
    if (running.size > 0) {
      let cancel = () => {};
      await new Promise<void>((resolve) => {
        cancel = setTimer(resolve, graceMs);
        onIdle = resolve;
      });
      cancel();
    }
    phase = 'closed';
    if (running.size === 0) return;
    const runs = [...running].map(([runId, plan]) => ({ functionId: plan.id, runId }));
    report(log, 'warn', { runs, graceMs }, 'stopped while runs were in progress');
  }

  return { counters: counters as Readonly<typeof counters>, launch, close };
}

/** A throwing logger must not end the process. */
function report(log: DriverLog, level: keyof DriverLog, fields: object, message: string): void {
  try {
    log[level](fields, message);
  } catch {}
}

const SINGLETON = '{"mode":"skip"}';
const HONORED = ['id', 'name', 'description', 'triggers', 'retries', 'singleton'];

/** What the driver needs to know about a function to run it. */
type Plan = ReturnType<typeof planFunction>;

function planFunctions(functions: InngestFunction.Any[], clientId: string): Plan[] {
  const problems: string[] = [];
  const plans = functions.flatMap((fn) => {
    try {
      return [planFunction(fn, clientId)];
    } catch (error) {
      problems.push(`${fn.id()}: ${describeError(error)}`);
      return [];
    }
  });
  if (problems.length === 0) return plans;
  throw new StartupError(`the embedded Inngest driver cannot run these functions: ${problems.join('; ')}`);
}

function planFunction(fn: InngestFunction.Any, clientId: string) {
  const options: Record<string, unknown> = { ...fn.opts };
  for (const [name, value] of Object.entries(options)) {
    if (value !== undefined && !HONORED.includes(name))
      throw new Error(`the option "${name}" is not supported`);
  }
  if (options.retries !== 0) throw new Error('"retries: 0" is required: failed runs are not retried');
  const singleton = JSON.stringify(options.singleton);
  if (singleton !== undefined && singleton !== SINGLETON)
    throw new Error(`the singleton ${singleton} is not supported, only ${SINGLETON}`);
  const starts = [options.triggers].flat().map(readTrigger);
  if (starts.length === 0) throw new Error('it has no trigger to start it');
  return {
    id: fn.id(),
    wireId: fn.id(clientId),
    eventNames: starts.filter((start) => start !== EVERY_MINUTE),
    hasCron: starts.includes(EVERY_MINUTE),
    isSingleton: singleton !== undefined,
  };
}

/** The name of the event that starts a function, or `EVERY_MINUTE`. */
function readTrigger(trigger: unknown): string {
  const { cron, event, if: condition, jitter } = isRecord(trigger) ? trigger : {};
  if (condition !== undefined) throw new Error('a trigger with an "if" expression is not supported');
  if (jitter !== undefined) throw new Error('a cron trigger with "jitter" is not supported');
  if (cron === EVERY_MINUTE) return cron;
  if (cron !== undefined)
    throw new Error(`the cron "${String(cron)}" is not supported, only "${EVERY_MINUTE}"`);
  const name = isRecord(event) ? event.name : event;
  if (typeof name !== 'string' || name === '') throw new Error('a trigger has neither an event nor a cron');
  if (name.includes('*')) throw new Error(`the event pattern "${name}" is not supported`);
  if (name.startsWith('inngest/')) throw new Error(`the internal Inngest event "${name}" is not supported`);
  return name;
}

const MINUTE_MS = 60_000;

/**
 * Calls `onMinute` at the start of each minute after the current one, or once with the latest if several
 * passed while the machine was suspended. Returns a function that stops it.
 */
export function startMinuteTicker(
  { clock, setTimer }: { clock: Clock; setTimer: SetTimer },
  onMinute: (minute: Date) => void,
): () => void {
  const currentMinute = () => Math.floor(clock.now().getTime() / MINUTE_MS) * MINUTE_MS;
  let last = currentMinute();
  const arm = () => setTimer(tick, Math.max(1, last + MINUTE_MS - clock.now().getTime()));
  // Timers can fire early and clocks can be set, so each tick reads the clock.
  function tick(): void {
    const current = currentMinute();
    const hasBegun = current > last;
    if (hasBegun || current < last - MINUTE_MS) last = current;
    cancel = arm();
    if (hasBegun) onMinute(new Date(current));
  }
  let cancel = arm();
  return () => cancel();
}

/** Remembers the last `atMost` ids for `forMs`. The function records an id and returns whether it was known. */
export function createRecentIds({ clock, forMs, atMost }: { clock: Clock; forMs: number; atMost: number }) {
  // All ids live equally long, so insertion order is expiry order.
  const expiries = new Map<string, number>();
  return (id: string): boolean => {
    const now = clock.now().getTime();
    if ((expiries.get(id) ?? 0) > now) return true;
    for (const [old, expiresAt] of expiries) {
      if (expiresAt > now && expiries.size < atMost) break;
      expiries.delete(old);
    }
    expiries.set(id, now + forMs);
    return false;
  };
}

/** The error sent by the SDK, for logs, with its original name, message and stack. */
function readWireError(error: unknown): Error {
  if (error instanceof Error) return error;
  const { name, message, error: text, stack } = isRecord(error) ? error : { message: error };
  const own = { name: String(name ?? 'Error'), stack: String(stack ?? '') };
  return Object.assign(new Error(String(message ?? text ?? 'Unknown error')), own);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
