import { within } from '@/lib/core/calls/within';
import type { Clock } from '@/lib/core/time/clock';
import { type PageChange, PRIVATE_HEADER } from './application';
import type { CapturedResponse } from './captured-response';
import type { PageRequest } from './page-request';
import { createGenerations, createResponseStore, type Entry } from './response-store';
import { type CachedResponse, createStored } from './stored-response';

/**
 * The visitor on whose behalf a response is requested. `name` is what their requests are counted by. `send` counts one toward their limit and
 * requests the response from the application; null if it is too large to store, and 429 beyond the limit.
 */
export type Asker = {
  name: string;
  send(request: PageRequest, setQueued?: SetQueued): Promise<CapturedResponse | null>;
};

/** Learns whether a request waits for the turn of its visitor. */
export type SetQueued = (isQueued: boolean) => unknown;

/** What a visitor gets: a stored response, marked if it could not be verified; their own response; or nothing from here. */
export type Served =
  | { kind: 'stored'; response: CachedResponse; isStale: boolean }
  | { kind: 'own'; response: CapturedResponse }
  | { kind: 'tooLarge' };

/** A cache of `createPageCache`. */
export type PageCache = ReturnType<typeof createPageCache>;

/** How long a visitor waits for a new response if an old one is stored. */
const PATIENCE_MS = 3000;
/** How long a response is served after it was last verified. */
export const KEPT_MS = 24 * 3_600_000;
/** How long the old response is served after a failure before anyone waits again. */
const HOLD_OFF_MS = 2000;
/** While suspended, reads older than this are not shared. */
const JOIN_UNHEARD_MS = 500;
const TOO_LARGE_MS = 60_000;
const MAX_TOO_LARGE = 1000;

type CacheOptions = { clock: Clock; maxBytes: number; patienceMs?: number };

type Reading = {
  outcome: Promise<Served>;
  begunAt: number;
  tag: string | null;
  /** The visitor who reads. */
  name: string;
  turn: { isQueued: boolean };
};

/** The in-memory shared cache in front of the application (RFC 9111). Initially suspended: call `resume` when changes are received. */
export function createPageCache({ clock, maxBytes, patienceMs = PATIENCE_MS }: CacheOptions) {
  const store = createResponseStore(maxBytes);
  const generations = createGenerations();
  const readings = new Map<string, Reading>();
  /** Until when a response is known to be too large, by key, to avoid reading it in vain. */
  const tooLarge = new Map<string, number>();
  const requests = { hit: 0, miss: 0 };
  let isReceiving = false;
  const time = () => clock.now().getTime();

  /** The stored response if it can be served as is; undefined if `serve` is needed. */
  const hit = ({ key }: PageRequest, now = time()) => {
    const entry = store.get(key);
    if (entry === undefined || entry.isPurged || !isReceiving) return undefined;
    if (now >= entry.response.freshUntil) return undefined;
    requests.hit += 1;
    return entry.response;
  };

  /** Whether a stored response can be served without waiting for another, which may replace it. */
  const isUsable = ({ response, isPurged }: Entry, now: number) =>
    isReceiving && !isPurged && now < response.usableUntil;

  /** Serves the stored response, or requests one. Rejects if the application does and nothing is stored. */
  const serve = async (request: PageRequest, asker: Asker): Promise<Served> => {
    const entry = store.get(request.key);
    const now = time();
    const isTooLarge = (tooLarge.get(request.key) ?? 0) > now;
    if (entry !== undefined && !isTooLarge && isUsable(entry, now)) {
      requests.hit += 1;
      const { response, failedAt } = entry;
      if (now >= response.freshUntil && now - failedAt >= HOLD_OFF_MS) void refresh(request, asker, entry);
      return { kind: 'stored', response, isStale: false };
    }
    requests.miss += 1;
    if (isTooLarge) return { kind: 'tooLarge' };
    return entry === undefined ? serveNew(request, asker) : serveAgain(request, asker, entry);
  };

  /** Nothing is stored: one request is sent, and concurrent visitors wait for its storable response. */
  const serveNew = async (request: PageRequest, asker: Asker): Promise<Served> => {
    const joined = findReading(request, asker);
    if (joined) {
      const outcome = await joined.outcome.catch(() => null);
      if (outcome?.kind === 'stored') return outcome;
      // Of the limit of another visitor. One of those who waited requests it for the others.
      if (isLimited(outcome)) return serveNew(request, asker);
      // That the page is private is the same for everyone, and all that this response says.
      if (outcome?.kind === 'own' && isRefusal(outcome.response)) return outcome;
      // Another unstorable response is only for its requester: everyone else gets their own.
      return read(request, asker);
    }
    return begin(request, asker, null).outcome;
  };

  /** The stored response must be verified first; if that fails it is served with a note. */
  const serveAgain = async (request: PageRequest, asker: Asker, entry: Entry): Promise<Served> => {
    const now = time();
    if (now - entry.response.verifiedAt > KEPT_MS) {
      store.delete(request.key);
      return serveNew(request, asker);
    }
    if (now - entry.failedAt < HOLD_OFF_MS) return serveMarked(entry, time());
    const outcome = await within(patienceMs, refresh(request, asker, entry));
    if (outcome !== null) return outcome;
    entry.failedAt = time();
    return serveMarked(entry, time());
  };

  /** Revalidates a stored response; null if that failed. Removes it if it no longer exists. */
  const refresh = async (request: PageRequest, asker: Asker, entry: Entry): Promise<Served | null> => {
    const joined = findReading(request, asker);
    const { outcome } = joined ?? begin(request, asker, entry.response.tag);
    const result = await outcome.catch(() => null);
    // Says nothing about the page.
    if (isLimited(result)) return joined ? refresh(request, asker, entry) : result;
    if (result !== null && !(result.kind === 'own' && isFailure(result.response.status))) {
      if (result.kind !== 'stored' && store.get(request.key) === entry) store.delete(request.key);
      return result;
    }
    entry.failedAt = time();
    return null;
  };

  const findReading = ({ key }: PageRequest, { name }: Asker): Reading | undefined => {
    const reading = readings.get(key);
    // Nobody waits for what another visitor has in their queue.
    if (reading?.turn.isQueued && reading.name !== name) return undefined;
    return reading && (isReceiving || time() - reading.begunAt < JOIN_UNHEARD_MS) ? reading : undefined;
  };

  const begin = (request: PageRequest, asker: Asker, tag: string | null): Reading => {
    const turn = { isQueued: false };
    const outcome = read(request, asker, (isQueued) => Object.assign(turn, { isQueued }));
    const reading = { outcome, begunAt: time(), tag, name: asker.name, turn };
    readings.set(request.key, reading);
    const end = () => {
      if (readings.get(request.key) === reading) readings.delete(request.key);
    };
    outcome.then(end, end);
    return reading;
  };

  const read = async (
    request: PageRequest,
    { name, send }: Asker,
    setQueued?: SetQueued,
  ): Promise<Served> => {
    const begun = generations.begin();
    const begunAt = time();
    const own = await send(request, setQueued);
    if (own === null) {
      if (tooLarge.size >= MAX_TOO_LARGE) tooLarge.clear();
      tooLarge.set(request.key, time() + TOO_LARGE_MS);
      return { kind: 'tooLarge' };
    }
    const { language } = request;
    const stored = createStored(own, { begunAt, receivedAt: time(), language });
    if (stored === null) return { kind: 'own', response: own };
    if (generations.isCurrent(stored.tag, begun)) store.set(request.key, stored, name);
    return { kind: 'stored', response: stored, isStale: false };
  };

  const purgeAll = () => {
    generations.purge();
    store.purge();
    readings.clear();
  };

  return {
    hit,
    serve,
    /** Requests so far, by whether they were served from memory without waiting, and what is stored now. */
    usage: () => ({ requests, ...store.size() }),
    /** Applies a change: nothing that was read before it is served anymore. */
    apply: (change: PageChange) => {
      if (change.kind === 'all') return purgeAll();
      const { changed, gone } = change;
      const tags = new Set([...changed, ...gone]);
      for (const tag of tags) generations.purge(tag);
      for (const tag of changed) store.purge(tag);
      for (const tag of gone) store.deleteTag(tag);
      // Later requests do not wait for reads started before the purge.
      for (const [key, { tag }] of readings) if (tag === null || tags.has(tag)) readings.delete(key);
    },
    /** Changes are no longer received: every response is revalidated, as long as the application responds. */
    suspend: () => {
      isReceiving = false;
      readings.clear();
    },
    /** Changes are received from now on; earlier ones are unknown. */
    resume: () => {
      purgeAll();
      isReceiving = true;
    },
  };
}

function serveMarked({ response }: Entry, now: number): Served {
  return { kind: 'stored', response: response.marked(now), isStale: true };
}

/** Whether a page is private. */
export function isRefusal({ headers }: CapturedResponse): boolean {
  return headers[PRIVATE_HEADER] !== undefined;
}

/** Whether a visitor is beyond their limit, which is about nobody else. */
function isLimited(served: Served | null): boolean {
  return served?.kind === 'own' && served.response.status === 429;
}

/** Whether the application failed to respond, as opposed to a definite response such as 404. */
function isFailure(status: number): boolean {
  return status >= 500 || status === 408;
}
