import type { Clock } from '@/lib/core/clock';
import { createAnswerStore, createGenerations, type Entry } from './answer-store';
import type { PageChange } from './application';
import type { CapturedAnswer } from './captured-answer';
import type { PageRequest } from './page-request';
import { makeStored, type StoredAnswer } from './stored-answer';

/**
 * Gets an answer from the application; `null` where it is too large to be held. `isRefresh`: for the cache, not for a
 * visitor. Rejects where there is none.
 */
export type Ask = (request: PageRequest, isRefresh: boolean) => Promise<CapturedAnswer | null>;

/** What a visitor gets: a kept answer, marked where it could not be verified; one of their own; or nothing from here. */
export type Served =
  | { kind: 'stored'; answer: StoredAnswer; isStale: boolean }
  | { kind: 'own'; answer: CapturedAnswer }
  | { kind: 'tooLarge' };

export type PageCache = {
  /** The kept answer where it may be served as it is; undefined where `serve` has to see to it. */
  hit(request: PageRequest): StoredAnswer | undefined;
  /** Serves what is kept, or asks. Rejects where the application does and nothing is kept. */
  serve(request: PageRequest, ask: Ask): Promise<Served>;
  /** Takes over what changed: from now on nobody gets what was read before. */
  apply(change: PageChange): void;
  /** Changes are not heard any more: nothing is served without asking, as long as there are answers. */
  suspend(): void;
  /** Changes are heard from now on; what happened before is not known. */
  resume(): void;
};

export type PageCacheOptions = {
  clock: Clock;
  maxBytes: number;
  /** How long a visitor waits for a new answer where an old one is kept. */
  patienceMs?: number;
};

/** An answer is served for so long after it was last verified. */
const KEPT_MS = 24 * 3_600_000;
/** After a failure the old answer is served for so long before somebody waits again. */
const HOLD_OFF_MS = 2000;
/** While changes are not heard, a reading that began longer ago is joined by nobody. */
const JOIN_UNHEARD_MS = 500;

const TOO_LARGE_MS = 60_000;
const MAX_TOO_LARGE = 1000;

/** What came of a reading: kept or not, and the answer itself. */
type Outcome = { stored: StoredAnswer } | { own: CapturedAnswer } | { tooLarge: true };
type Reading = { outcome: Promise<Outcome>; begunAt: number; tag: string | null };

/**
 * The shared cache in front of the application (RFC 9111), in memory. It begins unheard: call `resume` when changes are
 * heard.
 */
export function createPageCache({ clock, maxBytes, patienceMs = 3000 }: PageCacheOptions): PageCache {
  const store = createAnswerStore(maxBytes);
  const generations = createGenerations();
  const readings = new Map<string, Reading>();
  /** Until when an answer is known to be too large, by key, so that it is not read in vain each time. */
  const tooLarge = new Map<string, number>();
  let isHearing = false;
  const time = () => clock.now().getTime();

  const hit = ({ key }: PageRequest) => {
    const entry = store.get(key);
    if (entry === undefined || entry.isPurged || !isHearing) return undefined;
    return time() < entry.answer.freshUntil ? entry.answer : undefined;
  };

  const serve = async (request: PageRequest, ask: Ask): Promise<Served> => {
    const entry = store.get(request.key);
    const now = time();
    if ((tooLarge.get(request.key) ?? 0) > now) return { kind: 'tooLarge' };
    if (entry === undefined) return serveNew(request, ask);
    const { answer, isPurged, failedAt } = entry;
    if (isHearing && !isPurged && now < answer.usableUntil) {
      if (now >= answer.freshUntil && now - failedAt >= HOLD_OFF_MS) void refresh(request, ask, entry);
      return { kind: 'stored', answer, isStale: false };
    }
    return serveAgain(request, ask, entry);
  };

  /** Nothing is kept: one asks, and who comes meanwhile waits for what may be kept of the answer. */
  const serveNew = async (request: PageRequest, ask: Ask): Promise<Served> => {
    const joined = findReading(request.key);
    if (joined) {
      const outcome = await joined.outcome.catch(() => null);
      if (outcome && 'stored' in outcome) return { kind: 'stored', answer: outcome.stored, isStale: false };
      // A refusal is for who asked: everybody else gets their own.
      return toServed(await read(request, ask, false));
    }
    return toServed(await begin(request, ask, null).outcome);
  };

  /** Something is kept that must be verified first; where that fails it is served all the same, and says so. */
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

  /** Asks again for what is kept; null where that failed. What is no longer there is no longer kept. */
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
    return reading && (isHearing || time() - reading.begunAt < JOIN_UNHEARD_MS) ? reading : undefined;
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
    const stored = makeStored(own, { begunAt, receivedAt: time(), language });
    if (stored === null) return { own };
    if (generations.isCurrent(stored.tag, begun)) store.set(request.key, stored);
    return { stored };
  };

  /** Who comes after a purge does not wait for what began before it. */
  const leaveReadings = (concerns: (tag: string) => boolean) => {
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
      for (const tag of gone) store.forget(tag);
      leaveReadings((tag) => changed.includes(tag) || gone.includes(tag));
    },
    suspend: () => {
      isHearing = false;
      readings.clear();
    },
    resume: () => {
      purgeAll();
      isHearing = true;
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

/** Whether the application could not answer, as opposed to: answered that there is nothing. */
function isFailure(status: number): boolean {
  return status >= 500 || status === 429 || status === 408;
}

/** What `work` comes to, or null when it takes longer. */
async function within<T>(ms: number, work: Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
