import type { InngestFunction } from 'inngest';
import { describeError, StartupError } from '@/lib/core/errors';
import type { CronSchedule } from './cron';
import { type GroupOf, isRecord, oneGroup, parseKeyExpression } from './key-expression';
import { readTriggers } from './triggers';
import { parseDuration } from './wait-time';

/** What the driver has to know of a function to run it. */
export type FunctionPlan = {
  id: string;
  /** The name under which the SDK's handler knows it. */
  wireId: string;
  /** The same of its `onFailure` handler, or null. */
  failureWireId: string | null;
  eventNames: string[];
  crons: CronSchedule[];
  retries: number;
  /** At most `max` calls at once within a group; a sleeping run holds no place. */
  concurrency: { max: number; groupOf: GroupOf } | null;
  /** A group in which one run at a time is let in and others are dropped. */
  singleton: { groupOf: GroupOf } | null;
  timeouts: { startMs: number | null; finishMs: number | null };
};

const SDK_DEFAULT_RETRIES = 3;

/** Options that are honoured here, or that change nothing where there is no server. */
const HONOURED = new Set([
  'id',
  'name',
  'description',
  'triggers',
  'retries',
  'concurrency',
  'singleton',
  'timeouts',
  'onFailure',
  'middleware',
  'optimizeParallelism',
  'checkpointing',
  'experimentalCheckpointing',
]);

/**
 * Reads how each function wants to be run.
 * @throws StartupError naming every trigger and option that the embedded driver cannot honour
 */
export function planFunctions(functions: InngestFunction.Any[], clientId: string): FunctionPlan[] {
  const problems: string[] = [];
  const plans = functions.flatMap((fn) => {
    try {
      return [planFunction(fn, clientId)];
    } catch (error) {
      problems.push(`${fn.id()}: ${describeError(error)}`);
      return [];
    }
  });
  if (problems.length > 0) {
    throw new StartupError(`The embedded Inngest driver cannot run these functions: ${problems.join('; ')}`);
  }
  return plans;
}

function planFunction(fn: InngestFunction.Any, clientId: string): FunctionPlan {
  const options: Record<string, unknown> = { ...fn.opts };
  for (const [name, value] of Object.entries(options)) {
    if (value !== undefined && !HONOURED.has(name)) throw new Error(`the option "${name}" is not supported`);
  }
  const wireId = fn.id(clientId);
  return {
    id: fn.id(),
    wireId,
    failureWireId: options.onFailure ? `${wireId}-failure` : null,
    ...readTriggers(options.triggers),
    retries: typeof options.retries === 'number' ? options.retries : SDK_DEFAULT_RETRIES,
    concurrency: readConcurrency(options.concurrency),
    singleton: readSingleton(options.singleton),
    timeouts: readTimeouts(options.timeouts),
  };
}

function readConcurrency(option: unknown): FunctionPlan['concurrency'] {
  if (Array.isArray(option)) {
    if (option.length > 1) throw new Error('more than one concurrency limit is not supported');
    return readConcurrency(option[0]);
  }
  if (typeof option === 'number') return limitOf(option, oneGroup);
  if (!isRecord(option)) return null;
  if (option.scope !== undefined && option.scope !== 'fn') {
    throw new Error(`the concurrency scope "${String(option.scope)}" is not supported`);
  }
  return limitOf(Number(option.limit), readKey(option.key, 'concurrency'));
}

// To Inngest, 0 means as many as there can be.
function limitOf(max: number, groupOf: GroupOf): FunctionPlan['concurrency'] {
  return max > 0 ? { max, groupOf } : null;
}

function readSingleton(option: unknown): FunctionPlan['singleton'] {
  if (!isRecord(option)) return null;
  if (option.mode !== 'skip') throw new Error(`the singleton mode "${String(option.mode)}" is not supported`);
  return { groupOf: readKey(option.key, 'singleton') };
}

function readKey(key: unknown, option: string): GroupOf {
  if (key === undefined) return oneGroup;
  const groupOf = parseKeyExpression(String(key));
  if (!groupOf)
    throw new Error(`the ${option} key "${String(key)}" is not a plain path such as event.data.id`);
  return groupOf;
}

function readTimeouts(option: unknown): FunctionPlan['timeouts'] {
  const { start, finish } = isRecord(option) ? option : {};
  return { startMs: readTimeout(start), finishMs: readTimeout(finish) };
}

function readTimeout(option: unknown): number | null {
  if (option === undefined) return null;
  const ms = parseDuration(String(option));
  if (!ms) throw new Error(`the timeout "${String(option)}" is not a duration such as 1m30s`);
  return ms;
}
