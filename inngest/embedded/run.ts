import type { Inngest, InngestFunction } from 'inngest';
import { serve } from 'inngest/edge';
import { z } from 'zod';
import { type DriverEvent, EMBEDDED_ORIGIN } from './client';

/** One run of one function. `wireId` is the name under which the SDK's handler knows the function. */
export type Run = { id: string; wireId: string; event: DriverEvent };

/** One request to run a function onward: `steps` are the outcomes so far, `stack` their ids in the order in which they ended. */
export type Call = Run & { steps: Record<string, StepOutcome>; stack: string[] };

type StepOutcome = { type: 'data'; data: unknown } | { type: 'error'; error: unknown };

/** How a call ended. */
export type Answer =
  | { kind: 'completed' }
  | { kind: 'failed'; error: unknown }
  | { kind: 'operations'; operations: Operation[] };

/** How a run ended; `abandoned`: the driver was stopped under it. */
export type RunEnd = Exclude<Answer, { kind: 'operations' }> | { kind: 'abandoned' };

/** Something that the SDK reports or asks for while a run is not over. */
export type Operation = z.output<typeof operation>;

const operation = z.object({
  id: z.string(),
  op: z.string(),
  name: z.string().nullish(),
  displayName: z.string().nullish(),
  data: z.unknown().optional(),
  error: z.unknown().optional(),
});

const operations = z.array(operation).min(1);

/** Takes a run to its end, step by step. `call` gives null once the run may go no further. */
export async function driveRun(run: Run, call: (call: Call) => Promise<Answer | null>): Promise<RunEnd> {
  const steps: Record<string, StepOutcome> = {};
  const stack: string[] = [];
  for (;;) {
    const answer = await call({ ...run, steps, stack });
    if (answer === null) return { kind: 'abandoned' };
    if (answer.kind !== 'operations') return answer;
    for (const step of answer.operations) {
      if (step.op === 'RunComplete') return { kind: 'completed' };
      const outcome = readOutcome(step);
      if (outcome === null) return { kind: 'failed', error: unsupported(step) };
      steps[step.id] = outcome;
      stack.push(step.id);
    }
  }
}

/** What a step came to; null for what this driver cannot do: sleep, wait, invoke, run steps side by side. */
function readOutcome({ op, data = null, error }: Operation): StepOutcome | null {
  if (op === 'StepRun') return { type: 'data', data };
  // Of a last attempt: the function may catch it.
  return op === 'StepFailed' ? { type: 'error', error } : null;
}

function unsupported({ op, displayName, name, id }: Operation): Error {
  return new Error(`The step "${displayName ?? name ?? id}" (${op}) cannot be run by the embedded driver`);
}

/**
 * Calls `functions` through the SDK's own handler, in this process. A call never throws for what a function does; it does for
 * an answer that the protocol does not know.
 */
export function createCaller(served: { client: Inngest; functions: InngestFunction.Any[] }) {
  const handle = serve(served);
  return async (call: Call): Promise<Answer> => {
    const url = new URL(EMBEDDED_ORIGIN);
    url.searchParams.set('fnId', call.wireId);
    url.searchParams.set('stepId', 'step');
    const headers = { host: url.host, 'content-type': 'application/json', 'x-inngest-server-kind': 'dev' };
    const body = JSON.stringify(callBody(call));
    return readAnswer(await handle(new Request(url, { method: 'POST', headers, body })));
  };
}

/** What a server sends with a call. `ctx.fn_id` is left out: the SDK checkpoints to a server as soon as it is there. */
export function callBody({ id, event, steps, stack }: Call) {
  return {
    version: 2,
    event,
    events: [event],
    steps,
    ctx: {
      run_id: id,
      attempt: 0,
      max_attempts: 1,
      disable_immediate_execution: false,
      use_api: false,
      stack: { stack, current: stack.length },
    },
  };
}

/** Reads how a call ended, as the SDK tells its server. Throws for what the protocol does not know. */
export async function readAnswer(response: Response): Promise<Answer> {
  const body: unknown = await response.json();
  if (response.status === 200) return { kind: 'completed' };
  if (response.status === 206) return { kind: 'operations', operations: operations.parse(body) };
  return { kind: 'failed', error: body };
}
