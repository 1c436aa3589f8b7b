import type { Clock } from '@/lib/core/time/clock';
import { createAnswerStore, createGenerations, type Entry } from './answer-store';
import type { PageChange } from './application';
import type { CapturedAnswer } from './captured-answer';
import type { PageRequest } from './page-request';
import { createStored, type StoredAnswer } from './stored-answer';

/**
 * Requests a response from the application; `null` if it is too large to store. `isRefresh`: for the cache,
 * not for a visitor. Rejects if there is none.
 */
export type Ask = (request: PageRequest, isRefresh: boolean) => Promise<CapturedAnswer | null>;

/**
 * What a visitor gets: a stored response, marked if it could not be verified; their own response; or nothing
 * from here.
 */
export type Served =
  | { kind: 'stored'; answer: StoredAnswer; isStale: boolean }
  | { kind: 'own'; answer: CapturedAnswer }
  | { kind: 'tooLarge' };

export type PageCache = {
  /** The stored response if it can be served as is; undefined if `serve` is needed. */
  hit(request: PageRequest): StoredAnswer | undefined;
  /** Serves the stored response, or requests one. Rejects if the application does and nothing is stored. */
  serve(request: PageRequest, ask: Ask): Promise<Served>;
  /** Applies a change: from now on nobody gets anything read before. */
  apply(change: PageChange): void;
  /** Changes are no longer received: every response is revalidated, as long as the application responds. */
  suspend(): void;
  /** Changes are received from now on; earlier ones are unknown. */
  resume(): void;
};

export type PageCacheOptions = {
  clock: Clock;
  maxBytes: number;
  /** How long a visitor waits for a new response if an old one is stored. */
  patienceMs?: number;
};

/** How long a response is served after it was last verified. */
const KEPT_MS = 24 * 3_600_000;
/** How long the old response is served after a failure before anyone waits again. */
const HOLD_OFF_MS = 2000;
/** While suspended, reads older than this are not shared. */
const JOIN_UNHEARD_MS = 500;

const TOO_LARGE_MS = 60_000;
const MAX_TOO_LARGE = 1000;

/** The result of a read: stored or not, and the response itself. */
type Outcome = { stored: StoredAnswer } | { own: CapturedAnswer } | { tooLarge: true };
type Reading = { outcome: Promise<Outcome>; begunAt: number; tag: string | null };

/**
 * The in-memory shared cache in front of the application (RFC 9111). Initially suspended: call `resume` when
 * changes are received.
 */
export function createPageCache({ clock, maxBytes, patienceMs = 3000 }: PageCacheOptions): PageCache {
  const store = createAnswerStore(maxBytes);
  const generations = createGenerations();
  const readings = new Map<string, Reading>();
  /** Until when a response is known to be too large, by key, to avoid reading it in vain. */
  const tooLarge = new Map<string, number>();
  let isReceiving = false;
  const time = () => clock.now().getTime();

  const hit = ({ key }: PageRequest) => {
    const entry = store.get(key);
    if (entry === undefined || entry.isPurged || !isReceiving) return undefined;
    return time() < entry.answer.freshUntil ? entry.answer : undefined;
  };

  const serve = async (request: PageRequest, ask: Ask): Promise<Served> => {
    const entry = store.get(request.key);
    const now = time();
    if ((tooLarge.get(request.key) ?? 0) > now) return { kind: 'tooLarge' };
    if (entry === undefined) return serveNew(request, ask);
    const { answer, isPurged, failedAt } = entry;
    if (isReceiving && !isPurged && now < answer.usableUntil) {
      if (now >= answer.freshUntil && now - failedAt >= HOLD_OFF_MS) void refresh(request, ask, entry);
      return { kind: 'stored', answer, isStale: false };
    }
    return serveAgain(request, ask, entry);
  };

  /** Nothing is stored: one request is sent, and concurrent visitors wait for its storable response. */
  const serveNew = async (request: PageRequest, ask: Ask): Promise<Served> => {
    const joined = findReading(request.key);
    if (joined) {
      const outcome = await joined.outcome.catch(() => null);
      if (outcome && 'stored' in outcome) return { kind: 'stored', answer: outcome.stored, isStale: false };
      // An unstorable response is only for its requester: everyone else gets their own.
      return toServed(await read(request, ask, false));
    }
    return toServed(await begin(request, ask, null).outcome);
  };

  /** The stored response must be verified first; if that fails it is served with a note. */
  const serveAgain = async (request: PageRequest, ask: Ask, entry: Entry): Promise<Served> => {
    const now = time();
    if (now - entry.answer.verifiedAt > KEPT_MS) {
      store.delete(request.key);
      return serveNew(request, ask);
    }
    if (now - entry.failedAt < HOLD_OFF_MS) return serveMarked(entry);
    const outcome = await within(patienceMs, refresh(request, ask, entry));
    if (outcome !== null) return toServed(outcome);
    entry.failedAt = time();
    return serveMarked(entry);
  };

  /** Revalidates a stored response; null if that failed. Removes it if it no longer exists. */
  const refresh = async (request: PageRequest, ask: Ask, entry: Entry): Promise<Outcome | null> => {
    const { outcome } = findReading(request.key) ?? begin(request, ask, entry.answer.tag);
    const result = await outcome.catch(() => null);
    if (result !== null && !('own' in result && isFailure(result.own.status))) {
      if (!('stored' in result) && store.get(request.key) === entry) store.delete(request.key);
      return result;
    }
    entry.failedAt = time();
    return null;
  };

  const findReading = (key: string): Reading | undefined => {
    const reading = readings.get(key);
    return reading && (isReceiving || time() - reading.begunAt < JOIN_UNHEARD_MS) ? reading : undefined;
  };

  const begin = (request: PageRequest, ask: Ask, tag: string | null): Reading => {
    const outcome = read(request, ask, tag !== null);
    const reading = { outcome, begunAt: time(), tag };
    readings.set(request.key, reading);
    const end = () => {
      if (readings.get(request.key) === reading) readings.delete(request.key);
    };
    outcome.then(end, end);
    return reading;
  };

  const read = async (request: PageRequest, ask: Ask, isRefresh: boolean): Promise<Outcome> => {
    const begun = generations.begin();
    const begunAt = time();
    const own = await ask(request, isRefresh);
    if (own === null) {
      if (tooLarge.size >= MAX_TOO_LARGE) tooLarge.clear();
      tooLarge.set(request.key, time() + TOO_LARGE_MS);
      return { tooLarge: true };
    }
    const { language } = request;
    const stored = createStored(own, { begunAt, receivedAt: time(), language });
    if (stored === null) return { own };
    if (generations.isCurrent(stored.tag, begun)) store.set(request.key, stored);
    return { stored };
  };

  /** Requests after a purge do not wait for reads started before it. */
  const dropReadings = (concerns: (tag: string) => boolean) => {
    for (const [key, { tag }] of readings) if (tag === null || concerns(tag)) readings.delete(key);
  };

  const purgeAll = () => {
    generations.purge();
    store.purge();
    readings.clear();
  };

  return {
    hit,
    serve,
    apply: (change) => {
      if (change.kind === 'all') return purgeAll();
      const { changed, gone } = change;
      for (const tag of [...changed, ...gone]) generations.purge(tag);
      for (const tag of changed) store.purge(tag);
      for (const tag of gone) store.deleteTag(tag);
      dropReadings((tag) => changed.includes(tag) || gone.includes(tag));
    },
    suspend: () => {
      isReceiving = false;
      readings.clear();
    },
    resume: () => {
      purgeAll();
      isReceiving = true;
    },
  };
}

function serveMarked({ answer }: Entry): Served {
  return { kind: 'stored', answer: answer.marked(), isStale: true };
}

function toServed(outcome: Outcome): Served {
  if ('stored' in outcome) return { kind: 'stored', answer: outcome.stored, isStale: false };
  return 'own' in outcome ? { kind: 'own', answer: outcome.own } : { kind: 'tooLarge' };
}

/** Whether the application failed to respond, as opposed to a definite response such as 404. */
function isFailure(status: number): boolean {
  return status >= 500 || status === 429 || status === 408;
}

/** The result of `work`, or null if it takes longer than `ms`. */
async function within<T>(ms: number, work: Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
