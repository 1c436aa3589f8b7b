import type { Services } from '@/lib/domain/context/services';
import { readStandingSessions } from '@/lib/domain/people/read-standing-sessions';
import type { LiveHub } from '@/lib/platform/live/hub';
import { createEventStream } from './event-stream';

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
const MOST_PER_SESSION = 20;

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
      if (own.length >= MOST_PER_SESSION) return refuse(429);
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
