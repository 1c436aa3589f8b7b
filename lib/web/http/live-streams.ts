import type { Services } from '@/lib/domain/context/services';
import { readStandingSessions } from '@/lib/domain/people/sessions';
import type { LiveHub } from '@/lib/platform/live/hub';

/** Next has modules of its own in the same process; what its operations need of our server is handed over here. */
const shared = globalThis as typeof globalThis & { pharosLiveHub?: LiveHub };

/** Server-sent events to one reader. */
type EventStream = {
  response: Response;
  /** Sends an event; `data` is one line. */
  say(event: string, data: string): void;
  end(): void;
};

/** So many events unread by the other end: it is not reading. */
const MAX_UNREAD = 100;

const HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  // Nothing on the way may keep it, or hold it back to compress it.
  'Cache-Control': 'no-store, no-transform',
  'X-Accel-Buffering': 'no',
};

/** For whom a stream is: a session, and the organization that it acts for. */
export type LiveVisitor = { sessionId: string; organizationId: string };

/** The open streams of a process, which end when those for whom they are may see no more. */
export type LiveStreams = {
  /** Hints of one organization as server-sent events. 503 while nothing is heard, 429 for too many streams of a session. */
  open(visitor: LiveVisitor): Response;
};

type Options = {
  services: Pick<Services, 'db' | 'clock'>;
  hub: LiveHub;
  /** How often a stream says that it is there. */
  beatMs?: number;
  /** How often it is asked, in one query for all streams, whether their sessions still stand. */
  checkMs?: number;
};

type OpenStream = LiveVisitor & {
  /** Ends it for good: who listens is told that there is nothing more for them. */
  dismiss(): void;
};

/** A browser has one stream a window that is looked at. */
const MAX_PER_SESSION = 20;

/** The streams of a process that hears through `hub`. */
export function createLiveStreams({ services, hub, beatMs = 5000, checkMs = 3000 }: Options): LiveStreams {
  const streams = new Set<OpenStream>();
  let isWatching = false;

  const check = async () => {
    const asked = [...streams];
    const sessionIds = new Set(asked.map(({ sessionId }) => sessionId));
    const standing = await readStandingSessions(services, [...sessionIds]);
    for (const stream of asked) {
      if (standing.get(stream.sessionId) !== stream.organizationId) stream.dismiss();
    }
  };

  const goOnChecking = () => {
    isWatching = streams.size > 0;
    if (!isWatching) return;
    // Without the database nothing is heard either: the hub ends them all.
    const checkAgain = () => check().then(goOnChecking, goOnChecking);
    setTimeout(checkAgain, checkMs).unref();
  };

  return {
    open: (visitor) => {
      const own = [...streams].filter(({ sessionId }) => sessionId === visitor.sessionId);
      if (own.length >= MAX_PER_SESSION) return refuse(429);
      const stream = createEventStream({
        beatMs,
        onOver: () => {
          leave?.();
          streams.delete(open);
        },
      });
      const dismiss = () => {
        stream.say('dismissed', 'session');
        stream.end();
      };
      const open = { ...visitor, dismiss };
      const leave = hub.watch(visitor.organizationId, {
        onHint: (kinds) => stream.say('hint', kinds.join(',')),
        onEnd: stream.end,
      });
      if (leave === null) {
        stream.end();
        return refuse(503);
      }
      streams.add(open);
      if (!isWatching) goOnChecking();
      return stream.response;
    },
  };
}

function refuse(status: 429 | 503): Response {
  return new Response(null, { status, headers: { 'Retry-After': '5', 'Cache-Control': 'no-store' } });
}

/**
 * Begins a stream that says `beat` at once and every `beatMs`, so that both ends notice when the other is gone. `onOver` is
 * called once, when it was ended from here or left by the reader.
 */
function createEventStream({ beatMs, onOver }: { beatMs: number; onOver: () => void }): EventStream {
  const encoder = new TextEncoder();
  let controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  let beat: NodeJS.Timeout | undefined;

  const letGo = () => {
    if (controller === null) return;
    controller = null;
    clearInterval(beat);
    onOver();
  };
  const end = () => {
    const ended = controller;
    letGo();
    ended?.close();
  };
  const say = (event: string, data: string) => {
    if (controller === null) return;
    if ((controller.desiredSize ?? 0) < -MAX_UNREAD) return end();
    controller.enqueue(encoder.encode(`event: ${event}\ndata: ${data}\n\n`));
  };
  const body = new ReadableStream<Uint8Array>({
    start: (own) => {
      controller = own;
      say('beat', 'first');
      beat = setInterval(() => say('beat', 'next'), beatMs);
    },
    cancel: letGo,
  });
  return { response: new Response(body, { headers: HEADERS }), say, end };
}

/** Says through which hub this process hears what happens. */
export function shareLiveHub(hub: LiveHub): void {
  shared.pharosLiveHub = hub;
}

/** The hub of this process; null where none listens. */
export function getLiveHub(): LiveHub | null {
  return shared.pharosLiveHub ?? null;
}
