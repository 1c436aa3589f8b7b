import { Inngest, type Logger, Middleware } from 'inngest';
import type { Clock } from '@/lib/core/clock';
import { describeError } from '@/lib/core/errors';
import type { DriverLog } from './driver-log';
import { parseSentEvents, type SentEvent } from './event';

/** Never resolved nor dialled (RFC 2606): it only marks the calls that the SDK makes to its server. */
export const EMBEDDED_ORIGIN = 'http://embedded.invalid';

/**
 * An Inngest client whose server is `onEvents`, in this process. Its `send` gives the events' ids; every
 * other call the SDK could make to a server is rejected, so that nothing ever leaves the process.
 */
export function createEmbeddedClient(options: {
  id: string;
  clock: Clock;
  log: DriverLog;
  onEvents: (events: SentEvent[]) => void;
}): Inngest {
  const { id, clock, log, onEvents } = options;

  async function answer(input: string | URL | Request, init?: RequestInit): Promise<Response> {
    const url = new URL(input instanceof Request ? input.url : input);
    const isEventIntake = url.origin === EMBEDDED_ORIGIN && url.pathname.startsWith('/e/');
    if (!isEventIntake || init?.method !== 'POST') {
      throw new Error(
        `The embedded driver has no server to call: ${init?.method ?? 'GET'} ${url.origin}${url.pathname}`,
      );
    }
    let events: SentEvent[];
    try {
      events = parseSentEvents(String(init.body), clock.now());
    } catch (error) {
      return Response.json(
        { ids: [], status: 400, error: `Not an event: ${describeError(error)}` },
        { status: 400 },
      );
    }
    onEvents(events);
    return Response.json({ ids: events.map(({ event }) => event.id), status: 200 });
  }

  return new Inngest({
    id,
    isDev: true,
    // Set here because the SDK would otherwise take these from the environment.
    baseUrl: EMBEDDED_ORIGIN,
    eventKey: 'embedded',
    checkpointing: false,
    aiMetadata: false,
    fetch: answer,
    middleware: [createTimestamping(clock)],
    logger: silentLogger,
    internalLogger: createInternalLogger(log),
  });
}

/**
 * The SDK would date events by this machine's clock, and a clock that is behind it would take them for future
 * ones.
 */
function createTimestamping(clock: Clock): Middleware.Class {
  return class Timestamping extends Middleware.BaseMiddleware {
    readonly id = 'pharos:timestamping';

    override transformSendEvent(arg: Middleware.TransformSendEventArgs): Middleware.TransformSendEventArgs {
      const now = clock.now().getTime();
      return { ...arg, events: arg.events.map((event) => ({ ...event, ts: event.ts || now })) };
    }
  };
}

/**
 * The SDK logs each failed attempt with this; the driver reports those itself, once and with the function's
 * id.
 */
const silentLogger: Logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

function createInternalLogger(log: DriverLog): Logger {
  const forward = (...args: unknown[]): void => {
    const fields = typeof args[0] === 'object' && args[0] !== null ? args[0] : {};
    const words = args.filter((arg) => typeof arg === 'string').join(' ');
    log.warn(fields, `Inngest SDK: ${words}`);
  };
  return { ...silentLogger, warn: forward, error: forward };
}
