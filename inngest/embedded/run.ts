import type { Clock } from '@/lib/core/clock';
import type { Answer, Call, Operation, StepMemory } from './call';
import type { DriverEvent } from './event';
import type { Sleeper } from './sleeper';
import { backoffMs, parseSleep } from './wait-time';

/** One run of one function. */
export type Run = {
  id: string;
  wireId: string;
  event: DriverEvent;
  retries: number;
};

/**
 * How a run ended: `skipped` when its singleton was busy, `abandoned` when the driver was stopped under it.
 */
export type RunEnd =
  | { kind: 'completed' }
  | { kind: 'failed'; error: unknown }
  | { kind: 'cancelled'; why: string }
  | { kind: 'skipped' }
  | { kind: 'abandoned' };

export type RunTools = {
  clock: Clock;
  sleeper: Sleeper;
  /** Calls the function as soon as it may be called, or says that the run is over instead. */
  call: (call: Call) => Promise<Answer | { kind: 'over'; end: RunEnd }>;
  /** Told of every failed attempt that will be made again. */
  onRetry: (retry: { error: unknown; attempt: number; waitMs: number }) => void;
};

/**
 * Takes a run to its end: calls, remembers what steps gave, waits, tries again. Attempts are counted per
 * step.
 */
export async function driveRun(run: Run, tools: RunTools): Promise<RunEnd> {
  const { clock, sleeper, call, onRetry } = tools;
  const steps: Record<string, StepMemory> = {};
  const stack: string[] = [];
  let disableImmediateExecution = false;

  for (;;) {
    const end = await advance('step');
    if (end) return end;
  }

  /**
   * Calls once, again while attempts fail, and settles what comes back. Gives the end of the run, if it was
   * that.
   */
  async function advance(stepId: string): Promise<RunEnd | null> {
    for (let attempt = 0; ; attempt++) {
      const answer = await call({
        wireId: run.wireId,
        runId: run.id,
        event: run.event,
        stepId,
        attempt,
        maxAttempts: run.retries + 1,
        steps,
        stack,
        disableImmediateExecution,
      });
      if (answer.kind === 'over') return answer.end;
      if (answer.kind === 'completed') return { kind: 'completed' };
      if (answer.kind === 'operations' && !isFailedStep(answer)) return settleAll(answer.operations);
      const failure = failureOf(answer);
      if (!failure.isRetriable || attempt >= run.retries) return { kind: 'failed', error: failure.error };
      const waitMs = failure.retryAfterMs ?? backoffMs(attempt);
      onRetry({ error: failure.error, attempt, waitMs });
      if (!(await sleeper.sleep(waitMs))) return { kind: 'abandoned' };
    }
  }

  /** All must be settled before the function is asked again: asking earlier would run it twice. */
  async function settleAll(operations: Operation[]): Promise<RunEnd | null> {
    if (operations.length > 1) disableImmediateExecution = true;
    const ends = await Promise.all(operations.map(settle));
    return ends.find((end) => end !== null) ?? null;
  }

  async function settle(operation: Operation): Promise<RunEnd | null> {
    switch (operation.op) {
      case 'StepRun':
        return remember(operation.id, { type: 'data', data: operation.data ?? null });
      case 'StepFailed':
        return remember(operation.id, { type: 'error', error: operation.error });
      case 'StepPlanned':
        return advance(operation.id);
      case 'Sleep':
        return sleepThrough(operation);
      case 'RunComplete':
        return { kind: 'completed' };
      default:
        return { kind: 'failed', error: unsupported(operation) };
    }
  }

  async function sleepThrough({ id, name }: Operation): Promise<RunEnd | null> {
    const ms = parseSleep(name ?? '', clock.now());
    if (ms === null) return { kind: 'failed', error: new Error(`Cannot sleep until "${name}"`) };
    if (!(await sleeper.sleep(ms))) return { kind: 'abandoned' };
    return remember(id, { type: 'data', data: null });
  }

  function remember(id: string, memory: StepMemory): null {
    steps[id] = memory;
    stack.push(id);
    return null;
  }
}

type Operations = Extract<Answer, { kind: 'operations' }>;
type Failed = Extract<Answer, { kind: 'failed' }>;

/**
 * A step that failed with attempts left; it comes alone. Without any left it is a `StepFailed`, which is an
 * outcome.
 */
function isFailedStep({ operations }: Operations): boolean {
  return operations[0]?.op === 'StepError';
}

function failureOf(answer: Operations | Failed): Omit<Failed, 'kind'> {
  if (answer.kind === 'failed') return answer;
  return { error: answer.operations[0]?.error, isRetriable: true, retryAfterMs: answer.retryAfterMs };
}

function unsupported({ op, displayName, name, id }: Operation): Error {
  return new Error(`The step "${displayName ?? name ?? id}" (${op}) cannot be run by the embedded driver`);
}
