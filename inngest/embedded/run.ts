import type { Inngest, InngestFunction } from 'inngest';
import { serve } from 'inngest/edge';
import { z } from 'zod';
import { type DriverEvent, EMBEDDED_ORIGIN } from './client';

/** One run of a function. `wireId` is the function's name in the SDK's handler. */
export type DriverRun = { id: string; wireId: string; event: DriverEvent };

/** One request to continue a run: `steps` are the outcomes so far, `stack` their ids in order of ending. */
type Call = DriverRun & { steps: Record<string, StepOutcome>; stack: string[] };
type StepOutcome = { type: 'data'; data: unknown } | { type: 'error'; error: unknown };

export type CallResult =
  | { kind: 'completed' }
  | { kind: 'failed'; error: unknown }
  | { kind: 'operations'; operations: StepOperation[] };

/** The end of a run; `abandoned`: the driver was stopped. */
export type RunEnd = Exclude<CallResult, { kind: 'operations' }> | { kind: 'abandoned' };

const operation = z.object({
  id: z.string(),
  op: z.string(),
  name: z.string().nullish(),
  displayName: z.string().nullish(),
  data: z.unknown().optional(),
  error: z.unknown().optional(),
});
export type StepOperation = z.output<typeof operation>;

const operations = z.array(operation).min(1);

/** Drives a run to its end, step by step; `call` returns null to abandon it. Throws for unsupported steps. */
export async function driveRun(
  run: DriverRun,
  call: (call: Call) => Promise<CallResult | null>,
): Promise<RunEnd> {
  const steps: Record<string, StepOutcome> = {};
  const stack: string[] = [];
  for (;;) {
    const result = await call({ ...run, steps, stack });
    if (result === null) return { kind: 'abandoned' };
    if (result.kind !== 'operations') return result;
    for (const step of result.operations) {
      if (step.op === 'RunComplete') return { kind: 'completed' };
      steps[step.id] = readOutcome(step);
      stack.push(step.id);
    }
  }
}

/** The outcome of a step. Throws for what is not supported: sleep, wait, invoke, parallel steps. */
function readOutcome({ op, data = null, error, displayName, name, id }: StepOperation): StepOutcome {
  if (op === 'StepRun') return { type: 'data', data };
  // The last attempt failed; the function may catch it.
  if (op === 'StepFailed') return { type: 'error', error };
  throw new Error(`The step "${displayName ?? name ?? id}" (${op}) is not supported by the embedded driver`);
}

/** Calls `functions` through the SDK's handler. Throws only for a response outside the protocol. */
export function createCaller(served: { client: Inngest; functions: InngestFunction.Any[] }) {
  const handle = serve(served);
  return async (call: Call): Promise<CallResult> => {
    const url = new URL(EMBEDDED_ORIGIN);
    url.searchParams.set('fnId', call.wireId);
    url.searchParams.set('stepId', 'step');
    const headers = { host: url.host, 'content-type': 'application/json', 'x-inngest-server-kind': 'dev' };
    const body = JSON.stringify(callBody(call));
    return readResult(await handle(new Request(url, { method: 'POST', headers, body })));
  };
}

/** The body of a server's call. Omits `ctx.fn_id`, which would make the SDK checkpoint to a server. */
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

/** Parses the SDK's response to a call. Throws if it is outside the protocol. */
export async function readResult(response: Response): Promise<CallResult> {
  const body: unknown = await response.json();
  if (response.status === 200) return { kind: 'completed' };
  if (response.status === 206) return { kind: 'operations', operations: operations.parse(body) };
  return { kind: 'failed', error: body };
}
