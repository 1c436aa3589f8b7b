import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import { findCookie } from '@/lib/core/cookies';
import { readBearer } from '@/lib/core/token-format';
import { isWellFormedApiKey } from '@/lib/domain/api-keys/key-format';
import type { Services } from '@/lib/domain/context/services';
import { findPerson } from '@/lib/domain/people/profile';
import type { CapturedResponse, PageVisitors } from '@/lib/platform/page-front';
import { openSession } from '@/lib/web/auth/session';
import { countedAddress } from '@/lib/web/http/address/request-address';
import { ANY_ORIGIN, commonHeaders, problemBody } from '@/lib/web/http/problem';
import {
  countAddress,
  RateLimitedError,
  type RateLimiter,
  VISITS,
  type VisitorLimit,
} from '@/lib/web/http/rate-limit';
import { requestIdOf } from './requests/request-id';
import { createTurns } from './turns';

/** More than a person and the prefetches of their browsers cause. */
const PAGES_PER_MINUTE = 600;
/** Actions have limits of their own, below this, which forms show without losing what was typed. */
const SENDS_PER_MINUTE = 1200;
/** Each costs a query. A key that was accepted lately is not among them. */
const UNKNOWN_KEYS: VisitorLimit = { of: 'unknown key', perMinute: 300 };
/** What was accepted this long ago may have ended meanwhile, which the application finds out. */
const KNOWN_MS = 60_000;

/** What limits the requests of visitors and members. */
export type Visitors = PageVisitors & {
  /** Has the application do something for a request when it is its turn. Throws `RateLimitedError` if too many are pending. */
  inTurn<T>(request: IncomingMessage, work: () => Promise<T>): Promise<T>;
  /**
   * Counts a request to the application before it has it: by person, wherever they are signed in, and by address of all others, which
   * includes keys that may be made up. Throws `RateLimitedError`.
   */
  countRequest(request: IncomingMessage): Promise<void>;
  /** Whether a request has a key that may be made up: it takes its turn, and counts, as one of its address. */
  hasUnknownKey(request: IncomingMessage): boolean;
  /** The API accepted the key of a request, which is then a source of its own for a while. */
  acceptKey(request: IncomingMessage): void;
};

type Names = {
  addressOf(request: IncomingMessage): string | null;
  /** Who is signed in; null: nobody. */
  personOf(request: IncomingMessage): Promise<string | null>;
};

/** Handles requests in turns, and counts in all web processes: what visitors request and memory cannot serve 300 times a minute of an address, and members by person. */
export function createVisitors(
  rateLimiter: RateLimiter,
  { addressOf, personOf }: Names,
  takeTurn = createTurns(),
): Visitors {
  const nameOf = (request: IncomingMessage): string => {
    const address = addressOf(request);
    return address === null ? '' : countedAddress(address);
  };
  const accepted = new LRUCache<string, true>({ max: 10_000, ttl: KNOWN_MS });
  const inTurn: Visitors['inTurn'] = (request, work) => {
    const key = keyOf(request);
    const source = key !== null && accepted.has(key) ? key : nameOf(request);
    return source === '' ? work() : takeTurn(source, work);
  };
  const hasUnknownKey: Visitors['hasUnknownKey'] = (request) => {
    const key = keyOf(request);
    return key !== null && !accepted.has(key);
  };
  return {
    inTurn,
    nameOf,
    countMiss: async (request, kind) => {
      try {
        return { headers: await countAddress(rateLimiter, addressOf(request), VISITS), refusal: null };
      } catch (error) {
        if (!(error instanceof RateLimitedError)) throw error;
        return { headers: error.headers, refusal: refuse(error, request, kind) };
      }
    },
    askInTurn: (request, kind, ask) =>
      inTurn(request, ask).catch((error: unknown) => {
        if (!(error instanceof RateLimitedError)) throw error;
        return refuse(error, request, kind);
      }),
    hasUnknownKey,
    acceptKey: (request) => {
      const key = keyOf(request);
      if (key !== null) accepted.set(key, true);
    },
    countRequest: async (request) => {
      if (hasUnknownKey(request)) {
        await countAddress(rateLimiter, addressOf(request), UNKNOWN_KEYS);
        return;
      }
      const person = await personOf(request);
      if (person === null) await countAddress(rateLimiter, addressOf(request), VISITS);
      else if (request.method === 'GET' || request.method === 'HEAD')
        await rateLimiter.count(`pages ${person}`, PAGES_PER_MINUTE);
      else await rateLimiter.count(`sends ${person}`, SENDS_PER_MINUTE);
    },
  };
}

/** What an API key is not needed for. */
const PUBLIC = /^\/api\/(status-pages\/public|health|internal\/tls-allowed|live|openapi\.json)([?/]|$)/;

/** The key of a request to the API: its clients may share an address. Null for everything else, and for what is no key. */
function keyOf({ url = '', headers }: IncomingMessage): string | null {
  const key = url.startsWith('/api/') && !PUBLIC.test(url) ? readBearer(headers.authorization) : null;
  return key !== null && isWellFormedApiKey(key) ? key : null;
}

/** Finds who is signed in by the cookie of a request. A session counts by itself while the database is unavailable. */
export function createPersonFinder(services: Services, sessionCookie: string): Names['personOf'] {
  const found = new LRUCache<string, Promise<string | null>>({
    max: 10_000,
    ttl: KNOWN_MS,
    ttlResolution: 0,
    perf: { now: () => services.clock.now().getTime() },
  });
  const find = (sessionId: string): Promise<string | null> =>
    findPerson(services, sessionId).then(
      (person) => person?.userId ?? null,
      () => {
        // The application fails for the same reason, and says so.
        found.delete(sessionId);
        return sessionId;
      },
    );
  return async ({ headers }) => {
    const sessionId = await openSession(services, findCookie(headers.cookie, sessionCookie) ?? undefined);
    if (sessionId === null) return null;
    const known = found.get(sessionId);
    if (known !== undefined) return known;
    const person = find(sessionId);
    found.set(sessionId, person);
    return person;
  };
}

/** The response beyond the limit: a text for people, the format of the API for programs. */
function refuse(
  error: RateLimitedError,
  request: IncomingMessage,
  { isDocument }: { isDocument: boolean },
): CapturedResponse {
  const requestId = requestIdOf(request);
  const { status, body } = problemBody(error, requestId);
  const headers: Record<string, string> = isDocument
    ? { 'cache-control': 'no-store', 'content-type': 'text/plain; charset=utf-8' }
    : { ...ANY_ORIGIN, ...commonHeaders(requestId), 'content-type': 'application/json' };
  const text = isDocument ? `${error.message}\n` : JSON.stringify(body);
  return {
    status,
    headers: lowerCased({ ...headers, ...error.headers }),
    body: Buffer.from(text),
  };
}

function lowerCased(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
