import { randomUUID } from 'node:crypto';
import { Inngest, type Logger } from 'inngest';
import { z } from 'zod';
import { describeError } from '@/lib/core/errors';

/** Where the driver logs; compatible with pino. */
export type DriverLog = {
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
};

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
  ts: z
    .number()
    .refine((ts) => ts <= Date.now() + MAX_AHEAD_MS, 'an event that starts later is not supported')
    .optional(),
});

const wireEvents = z.union([wireEvent.transform((event) => [event]), z.array(wireEvent)]);

/** Parses what the SDK's `send` posts: one event or an array. Throws ZodError or SyntaxError otherwise. */
export function parseSentEvents(body: string): DriverEvent[] {
  return wireEvents
    .parse(JSON.parse(body))
    .map(({ id, ts = Date.now(), ...rest }) => ({ ...rest, id: id || randomUUID(), ts }));
}

/** The event that starts a run at the full minute. */
export function createTimerEvent(cron: string, minute: Date): DriverEvent {
  return { id: randomUUID(), name: 'inngest/scheduled.timer', data: { cron }, ts: minute.getTime() };
}

/**
 * Creates an Inngest client whose server is `onEvents`, in this process. `send` returns the event ids; every
 * other server call of the SDK is rejected, so nothing leaves the process.
 */
export function createEmbeddedClient(options: {
  id: string;
  log: DriverLog;
  onEvents: (events: DriverEvent[]) => void;
}): Inngest {
  const { id, log, onEvents } = options;

  async function respond(input: string | URL | Request, init?: RequestInit): Promise<Response> {
    const url = new URL(input instanceof Request ? input.url : input);
    const isEventIntake = url.origin === EMBEDDED_ORIGIN && url.pathname.startsWith('/e/');
    if (!isEventIntake || init?.method !== 'POST') {
      throw new Error(
        `the embedded driver has no server to call: ${init?.method ?? 'GET'} ${url.origin}${url.pathname}`,
      );
    }
    let events: DriverEvent[];
    try {
      events = parseSentEvents(String(init.body));
    } catch (error) {
      const rejection = { ids: [], status: 400, error: `not an event: ${describeError(error)}` };
      return Response.json(rejection, { status: 400 });
    }
    onEvents(events);
    return Response.json({ ids: events.map((event) => event.id), status: 200 });
  }

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
    internalLogger: createInternalLogger(log),
  });
}

/** Silences the SDK's log of failed attempts: the driver reports them once, with the function id. */
const SILENT: Logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

function createInternalLogger(log: DriverLog): Logger {
  const forward = (...args: unknown[]): void => {
    const fields = typeof args[0] === 'object' && args[0] !== null ? args[0] : {};
    const words = args.filter((arg) => typeof arg === 'string').join(' ');
    log.warn(fields, `Inngest SDK: ${words}`);
  };
  return { ...SILENT, warn: forward, error: forward };
}
