import { randomUUID } from 'node:crypto';
import { Inngest, type Logger } from 'inngest';
import { z } from 'zod';
import { describeError } from '@/lib/core/errors';
import { readSdkLog } from '../sdk-log';

/** Where the driver logs; compatible with pino. */
export type DriverLog = Record<'warn' | 'error', (fields: object, message: string) => void>;

/** An event as received by a run. `ts` is in milliseconds. */
export type DriverEvent = { id: string; name: string; data: Record<string, unknown>; ts: number };

/** Never resolved or connected to (RFC 2606): marks the calls that the SDK makes to its server. */
export const EMBEDDED_ORIGIN = 'http://embedded.invalid';
/** The SDK dates events when sending; a later time means a scheduled event. */
const MAX_AHEAD_MS = 1000;

const wireEvent = z.looseObject({
  name: z.string().min(1),
  data: z.record(z.string(), z.unknown()).default({}),
  id: z.string().nullish(),
  ts: z.number().optional(),
});

const wireEvents = z.union([wireEvent.transform((event) => [event]), z.array(wireEvent)]);

/**
 * Parses what the SDK's `send` posts: one event or an array. Throws ZodError, SyntaxError, or RangeError for an event that
 * starts later than `now`.
 */
export function parseSentEvents(body: string, now = Date.now()): DriverEvent[] {
  return wireEvents.parse(JSON.parse(body)).map(({ id, ts = now, ...rest }) => {
    if (ts > now + MAX_AHEAD_MS) throw new RangeError('an event that starts later is not supported');
    return { ...rest, id: id || randomUUID(), ts };
  });
}

/** The event that starts a run at the full minute. */
export function createTimerEvent(cron: string, minute: Date): DriverEvent {
  return { id: randomUUID(), name: 'inngest/scheduled.timer', data: { cron }, ts: minute.getTime() };
}

/** Creates an Inngest client whose server is `onEvents`: every other call of the SDK is rejected. */
export function createEmbeddedClient(
  id: string,
  { log, onEvents }: { log: DriverLog; onEvents: (events: DriverEvent[]) => void },
): Inngest {
  const respond: typeof fetch = async (input, { method = 'GET', body } = {}) => {
    const { origin, pathname } = new URL(input instanceof Request ? input.url : input);
    if (method !== 'POST' || origin !== EMBEDDED_ORIGIN || !pathname.startsWith('/e/')) {
      throw new Error(`the embedded driver has no server to call: ${method} ${origin}${pathname}`);
    }
    let events: DriverEvent[];
    try {
      events = parseSentEvents(String(body));
    } catch (error) {
      const rejection = { ids: [], status: 400, error: `not an event: ${describeError(error)}` };
      return Response.json(rejection, { status: 400 });
    }
    onEvents(events);
    return Response.json({ ids: events.map((event) => event.id), status: 200 });
  };
  const forward = (...args: unknown[]) => log.warn(...readSdkLog(args));
  return new Inngest({
    id,
    isDev: true,
    // Set explicitly, since the SDK would otherwise read these from the environment.
    baseUrl: EMBEDDED_ORIGIN,
    eventKey: 'embedded',
    checkpointing: false,
    aiMetadata: false,
    fetch: respond,
    logger: SILENT,
    internalLogger: { ...SILENT, warn: forward, error: forward },
  });
}

/** Silences the SDK's log of failed attempts: the driver reports them once, with the function id. */
const SILENT: Logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
