import type { Inngest, InngestFunction } from 'inngest';
import { serve } from 'inngest/edge';
import { z } from 'zod';
import type { Clock } from '@/lib/core/clock';
import { EMBEDDED_ORIGIN } from './client';
import type { DriverEvent } from './event';
import { parseRetryAfter } from './wait-time';

/** What is remembered of a step that has an outcome. */
export type StepMemory = { type: 'data'; data: unknown } | { type: 'error'; error: unknown };

/** One request to run a function onwards, or one step of it alone. */
export type Call = {
  wireId: string;
  runId: string;
  event: DriverEvent;
  /** The step to run alone, or `step` to go on where the function stands. */
  stepId: string;
  attempt: number;
  maxAttempts: number;
  steps: Record<string, StepMemory>;
  /** The ids of `steps` in the order in which they ended. */
  stack: string[];
  /** Set once steps run side by side: the SDK then plans steps instead of running them at once. */
  disableImmediateExecution: boolean;
};

/** Something that the SDK asks for or reports while a function is not over. */
export type Operation = z.output<typeof operation>;

/** How a call ended. `retryAfterMs` is null unless the code asked for a wait. */
export type Answer =
  | { kind: 'completed' }
  | { kind: 'operations'; operations: Operation[]; retryAfterMs: number | null }
  | { kind: 'failed'; error: unknown; isRetriable: boolean; retryAfterMs: number | null };

const operation = z.object({
  id: z.string(),
  op: z.string(),
  name: z.string().nullish(),
  displayName: z.string().nullish(),
  data: z.unknown().optional(),
  error: z.unknown().optional(),
});

const operations = z.array(operation).min(1);

/**
 * Makes calls to `functions` through the SDK's own handler, in this process. A call never throws for what the
 * function does; it does for an answer that the protocol does not know.
 */
export function createCaller(options: { client: Inngest; functions: InngestFunction.Any[]; clock: Clock }) {
  const { clock, ...served } = options;
  const handle = serve(served);

  return async function call(request: Call): Promise<Answer> {
    return readAnswer(await handle(buildRequest(request)), clock.now());
  };
}

/** Reads how a call ended, as the SDK tells its server. Throws for what the protocol does not know. */
export async function readAnswer(response: Response, now: Date): Promise<Answer> {
  const body: unknown = await response.json();
  if (response.status === 200) return { kind: 'completed' };
  const retryAfterMs = parseRetryAfter(response.headers.get('retry-after'), now);
  if (response.status === 206) {
    return { kind: 'operations', operations: operations.parse(body), retryAfterMs };
  }
  const isRetriable = response.headers.get('x-inngest-no-retry') !== 'true';
  return { kind: 'failed', error: body, isRetriable, retryAfterMs };
}

// `ctx.fn_id` is left out on purpose: the SDK checkpoints to a server as soon as it is there.
function buildRequest(call: Call): Request {
  const url = new URL(EMBEDDED_ORIGIN);
  url.searchParams.set('fnId', call.wireId);
  url.searchParams.set('stepId', call.stepId);
  return new Request(url, {
    method: 'POST',
    headers: { host: url.host, 'content-type': 'application/json', 'x-inngest-server-kind': 'dev' },
    body: JSON.stringify(callBody(call)),
  });
}

/** What a server sends with a call. */
export function callBody(call: Call) {
  return {
    version: 2,
    event: call.event,
    events: [call.event],
    steps: call.steps,
    ctx: {
      run_id: call.runId,
      attempt: call.attempt,
      max_attempts: call.maxAttempts,
      disable_immediate_execution: call.disableImmediateExecution,
      use_api: false,
      stack: { stack: call.stack, current: call.stack.length },
    },
  };
}
