import { randomUUID } from 'node:crypto';
import { z } from 'zod';

/** An event as a run receives it. `ts` is in milliseconds. */
export type DriverEvent = {
  id: string;
  name: string;
  data: Record<string, unknown>;
  ts: number;
};

/** An event with whether the sender named it: only a sender's own id is deduplicated by. */
export type SentEvent = { event: DriverEvent; hasOwnId: boolean };

const wireEvent = z.looseObject({
  name: z.string().min(1),
  data: z.record(z.string(), z.unknown()).default({}),
  id: z.string().nullish(),
  ts: z.number().optional(),
});

const wireEvents = z.union([wireEvent.transform((event) => [event]), z.array(wireEvent)]);

/**
 * Reads what the SDK's `send` posts: one event or an array.
 * @throws ZodError or SyntaxError when it is neither
 */
export function parseSentEvents(body: string, now: Date): SentEvent[] {
  return wireEvents.parse(JSON.parse(body)).map(({ id, ts, ...rest }) => ({
    event: { ...rest, id: id || randomUUID(), ts: ts ?? now.getTime() },
    hasOwnId: Boolean(id),
  }));
}

/** The event that starts a run of the clock. */
export function createTimerEvent(cron: string, minute: Date): DriverEvent {
  return { id: randomUUID(), name: 'inngest/scheduled.timer', data: { cron }, ts: minute.getTime() };
}

/** The event that an `onFailure` handler is given. */
export function createFailureEvent(of: {
  functionId: string;
  runId: string;
  error: unknown;
  event: DriverEvent;
  now: Date;
}): DriverEvent {
  const { functionId, runId, error, event, now } = of;
  return {
    id: randomUUID(),
    name: 'inngest/function.failed',
    data: { function_id: functionId, run_id: runId, error, event },
    ts: now.getTime(),
  };
}
