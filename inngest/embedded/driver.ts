import { AsyncResource } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { Inngest, InngestFunction } from 'inngest';
import { type Clock, systemClock } from '@/lib/core/clock';
import { describeError, StartupError } from '@/lib/core/errors';
import { createEmbeddedClient, createTimerEvent, type DriverEvent, type DriverLog } from './client';
import { type Call, createCaller, driveRun, type RunEnd } from './run';

/** Runs Inngest functions inside this process, from memory. It holds no promise: what it knew is gone with it. */
export type EmbeddedDriver = {
  /** The client that the functions belong to; what it sends starts runs here. */
  client: Inngest;
  /** Live numbers. `runsSkipped`: another run of their singleton was under way. */
  counters: Readonly<Record<Counter, number>>;
  /**
   * Lets no new run begin and resolves when the running ones are over, at the latest after `graceMs`; from then on none goes
   * on to a further step. Events sent from now on are dropped.
   */
  stop(options: { graceMs: number }): Promise<void>;
};

type Counter = 'running' | 'runsStarted' | 'runsCompleted' | 'runsFailed' | 'runsSkipped';

/** What the driver has to know of a function to run it. */
type Plan = { id: string; wireId: string; eventNames: string[]; hasCron: boolean; isSingleton: boolean };

/** Calls `run` once after `ms`, and returns what calls it off. */
export type SetTimer = (run: () => void, ms: number) => () => void;

const EVERY_MINUTE = '* * * * *';
/** So many runs at once; more are dropped, and the log says so. */
const MAX_RUNS = 1000;
const EVENT_ID_MEMORY_MS = 24 * 60 * 60 * 1000;
const MAX_EVENT_IDS = 100_000;

const setSystemTimer: SetTimer = (run, ms) => {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
};

/**
 * Creates a driver and its client. It runs from now on, cron triggers from the next minute of `clock`. Throws StartupError
 * naming each trigger and option that cannot be honored here.
 */
export function createEmbeddedDriver(options: {
  id: string;
  buildFunctions: (client: Inngest) => InngestFunction.Any[];
  log: DriverLog;
  clock?: Clock;
  setTimer?: SetTimer;
}): EmbeddedDriver {
  const { id, buildFunctions, log, clock = systemClock, setTimer = setSystemTimer } = options;
  const client = createEmbeddedClient({ id, log, onEvents: receive });
  const functions = buildFunctions(client);
  const plans = planFunctions(functions, id);
  const callFunction = createCaller({ client, functions });
  const hasSeen = createRecentIds({ clock, forMs: EVENT_ID_MEMORY_MS, atMost: MAX_EVENT_IDS });
  const running = new Map<string, Plan>();
  const counters = {
    ...{ runsStarted: 0, runsCompleted: 0, runsFailed: 0, runsSkipped: 0 },
    get running() {
      return running.size;
    },
  };
  let phase: 'open' | 'closing' | 'closed' = 'open';
  let onQuiet = (): void => {};
  let stopping: Promise<void> | undefined;

  function receive(events: DriverEvent[]): void {
    for (const event of events) {
      if (hasSeen(event.id)) continue;
      for (const plan of plans) if (plan.eventNames.includes(event.name)) launch(plan, event);
    }
  }

  // A run sent from within another one must not inherit that one's async context, which the SDK keeps its run in.
  const launch = AsyncResource.bind((plan: Plan, event: DriverEvent): void => {
    if (phase !== 'open') return;
    if (plan.isSingleton && [...running.values()].includes(plan)) {
      counters.runsSkipped += 1;
      return;
    }
    if (running.size >= MAX_RUNS) {
      report('error', { functionId: plan.id }, `Run dropped: ${MAX_RUNS} are under way`);
      return;
    }
    const runId = randomUUID();
    running.set(runId, plan);
    counters.runsStarted += 1;
    driveRun({ id: runId, wireId: plan.wireId, event }, call)
      .catch((error: unknown): RunEnd => ({ kind: 'failed', error }))
      .then((end) => finish(runId, plan, end));
  });

  async function call(request: Call) {
    return phase === 'closed' ? null : callFunction(request);
  }

  function finish(runId: string, plan: Plan, end: RunEnd): void {
    running.delete(runId);
    if (end.kind === 'completed') counters.runsCompleted += 1;
    if (end.kind === 'failed') {
      counters.runsFailed += 1;
      report('error', { functionId: plan.id, runId, err: readWireError(end.error) }, 'Run failed');
    }
    if (running.size === 0) onQuiet();
  }

  /** A logger that throws must not end the process. */
  function report(level: keyof DriverLog, fields: object, message: string): void {
    try {
      log[level](fields, message);
    } catch {}
  }

  function fireCrons(minute: Date): void {
    for (const plan of plans) if (plan.hasCron) launch(plan, createTimerEvent(EVERY_MINUTE, minute));
  }

  const stopTicker = startMinuteTicker({ clock, setTimer, onMinute: fireCrons });

  async function close(graceMs: number): Promise<void> {
    phase = 'closing';
    stopTicker();
    if (running.size > 0) {
      await new Promise<void>((resolve) => {
        const cancel = setTimer(resolve, graceMs);
        onQuiet = () => {
          cancel();
          resolve();
        };
      });
    }
    phase = 'closed';
    if (running.size === 0) return;
    const runs = [...running].map(([runId, plan]) => ({ functionId: plan.id, runId }));
    report('warn', { runs, graceMs }, 'Stopped while runs were still going');
  }

  return {
    client,
    counters,
    stop({ graceMs }) {
      stopping ??= close(graceMs);
      return stopping;
    },
  };
}

const SINGLETON = '{"mode":"skip"}';
const HONORED = ['id', 'name', 'description', 'triggers', 'retries', 'singleton'];

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
  throw new StartupError(`The embedded Inngest driver cannot run these functions: ${problems.join('; ')}`);
}

function planFunction(fn: InngestFunction.Any, clientId: string): Plan {
  const options: Record<string, unknown> = { ...fn.opts };
  for (const [name, value] of Object.entries(options)) {
    if (value !== undefined && !HONORED.includes(name))
      throw new Error(`the option "${name}" is not supported`);
  }
  if (options.retries !== 0) throw new Error('it must have "retries: 0": a failed run is not repeated');
  const singleton = JSON.stringify(options.singleton);
  if (singleton !== undefined && singleton !== SINGLETON)
    throw new Error(`the singleton ${singleton} is not supported, only ${SINGLETON}`);
  const starts = [options.triggers].flat().map(readTrigger);
  if (starts.length === 0) throw new Error('it has no trigger, so nothing could start it');
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
  if (name.startsWith('inngest/')) throw new Error(`Inngest's own event "${name}" is not sent in memory`);
  return name;
}

const MINUTE_MS = 60_000;

/**
 * Calls `onMinute` as each minute of `clock` begins; once, with the latest, where several passed while the machine was
 * suspended. The minute in which it was started is not one of them. Returns what stops it.
 */
export function startMinuteTicker({
  clock,
  setTimer,
  onMinute,
}: {
  clock: Clock;
  setTimer: SetTimer;
  onMinute: (minute: Date) => void;
}): () => void {
  const currentMinute = () => Math.floor(clock.now().getTime() / MINUTE_MS) * MINUTE_MS;
  let last = currentMinute();
  const arm = () => setTimer(tick, Math.max(1, last + MINUTE_MS - clock.now().getTime()));
  // A timer can fire early and a clock can be set, so each tick looks at the clock again.
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

/** Remembers each id for `forMs`, the last `atMost` of them. What it returns notes an id and tells whether it was known. */
export function createRecentIds({ clock, forMs, atMost }: { clock: Clock; forMs: number; atMost: number }) {
  // All ids live equally long, so the order of insertion is the order of expiry.
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

/** The error that the SDK wrote on the wire, for logs: name, message and stack as they were where it was thrown. */
function readWireError(error: unknown): Error {
  if (error instanceof Error) return error;
  const { name, message, error: text, stack } = isRecord(error) ? error : { message: error };
  return Object.assign(new Error(String(message ?? text ?? 'Unknown error')), {
    name: String(name ?? 'Error'),
    stack: String(stack ?? ''),
  });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
