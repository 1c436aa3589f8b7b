import type { Services } from '@/lib/domain/context/services';
import { readStandingSessions } from '@/lib/domain/people/sessions';
import type { LiveHub } from '@/lib/platform/live/hub';

/** With this many unread events, the other end has stopped reading. */
const MAX_UNREAD = 100;

const HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  // Proxies must not store it, or buffer it for compression.
  'Cache-Control': 'no-store, no-transform',
  'X-Accel-Buffering': 'no',
};

/** The owner of a stream: a session, and its organization. */
export type LiveVisitor = { sessionId: string; organizationId: string };

/** The open streams of a process, which end when their owners lose access. */
export type LiveStreams = ReturnType<typeof createLiveStreams>;

type Options = {
  services: Pick<Services, 'db' | 'clock'>;
  hub: LiveHub;
  /** How often a stream sends a heartbeat. */
  beatMs?: number;
  /** How often the sessions of all streams are checked, in one query. */
  checkMs?: number;
};

type OpenStream = LiveVisitor & {
  /** Ends the stream and keeps its reader from reconnecting. */
  dismiss(): void;
};

/** A browser has one stream per visible window. */
const MAX_PER_SESSION = 20;

/** Creates the streams of a process, which receives hints through `hub`. */
export function createLiveStreams({ services, hub, beatMs = 5000, checkMs = 3000 }: Options) {
  const streams = new Set<OpenStream>();
  let isWatching = false;

  const check = async () => {
    const open = [...streams];
    const sessionIds = new Set(open.map(({ sessionId }) => sessionId));
    const standing = await readStandingSessions(services, [...sessionIds]);
    for (const stream of open) {
      if (standing.get(stream.sessionId) !== stream.organizationId) stream.dismiss();
    }
  };

  const continueChecking = () => {
    isWatching = streams.size > 0;
    if (!isWatching) return;
    // Without the database no hints arrive either: the hub ends all streams.
    const checkAgain = () => check().then(continueChecking, continueChecking);
    setTimeout(checkAgain, checkMs).unref();
  };

  return {
    /** Opens a stream of an organization's hints. 503 while the hub is suspended, 429 for too many streams per session. */
    open: (visitor: LiveVisitor): Response => {
      const own = [...streams].filter(({ sessionId }) => sessionId === visitor.sessionId);
      if (own.length >= MAX_PER_SESSION) return reject(429);
      const stream = createEventStream({
        beatMs,
        onOver: () => {
          leave?.();
          streams.delete(open);
        },
      });
      const dismiss = () => {
        stream.send('dismissed', 'session');
        stream.end();
      };
      const open = { ...visitor, dismiss };
      const leave = hub.watch(visitor.organizationId, {
        onHint: (kinds) => stream.send('hint', kinds.join(',')),
        onEnd: stream.end,
      });
      if (leave === null) {
        stream.end();
        return reject(503);
      }
      streams.add(open);
      if (!isWatching) continueChecking();
      return stream.response;
    },
  };
}

function reject(status: 429 | 503): Response {
  return new Response(null, { status, headers: { 'Retry-After': '5', 'Cache-Control': 'no-store' } });
}

/**
 * Starts server-sent events to one reader, with a `beat` every `beatMs`, by which both ends notice a lost connection. The data
 * of an event is one line. `onOver` is called once.
 */
function createEventStream({ beatMs, onOver }: { beatMs: number; onOver: () => void }) {
  const encoder = new TextEncoder();
  let controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  let beat: NodeJS.Timeout | undefined;

  const close = () => {
    if (controller === null) return;
    controller = null;
    clearInterval(beat);
    onOver();
  };
  const end = () => {
    const ended = controller;
    close();
    ended?.close();
  };
  const send = (event: string, data: string) => {
    if (controller === null) return;
    if ((controller.desiredSize ?? 0) < -MAX_UNREAD) return end();
    controller.enqueue(encoder.encode(`event: ${event}\ndata: ${data}\n\n`));
  };
  const body = new ReadableStream<Uint8Array>({
    start: (own) => {
      controller = own;
      send('beat', 'first');
      beat = setInterval(() => send('beat', 'next'), beatMs);
    },
    cancel: close,
  });
  return { response: new Response(body, { headers: HEADERS }), send, end };
}
