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
export class PageCache {
  readonly #clock: Clock;
  readonly #patienceMs: number;
  readonly #store: ReturnType<typeof createResponseStore>;
  readonly #generations = createGenerations();
  readonly #readings = new Map<string, Reading>();
  /** Until when a response is known to be too large, by key, to avoid reading it in vain. */
  readonly #tooLarge = new Map<string, number>();
  readonly #requests = { hit: 0, miss: 0 };
  #isReceiving = false;

  constructor({ clock, maxBytes, patienceMs = PATIENCE_MS }: CacheOptions) {
    this.#clock = clock;
    this.#patienceMs = patienceMs;
    this.#store = createResponseStore(maxBytes);
  }

  /** The stored response if it can be served as is; undefined if `serve` is needed. */
  hit({ key }: PageRequest, now = this.#time()) {
    const entry = this.#store.get(key);
    if (entry === undefined || entry.isPurged || !this.#isReceiving) return undefined;
    if (now >= entry.response.freshUntil) return undefined;
    this.#requests.hit += 1;
    return entry.response;
  }

  /** Whether something is stored that can be served for long, should the application fail. */
  holds({ key }: PageRequest): boolean {
    const entry = this.#store.get(key);
    return entry !== undefined && this.#time() - entry.response.verifiedAt < KEPT_MS / 2;
  }

  /** Whether a stored response can be served without waiting for another, which may replace it. */
  #isUsable({ response, isPurged }: Entry, now: number): boolean {
    return this.#isReceiving && !isPurged && now < response.usableUntil;
  }

  /** Serves the stored response, or requests one. Rejects if the application does and nothing is stored. */
  async serve(request: PageRequest, asker: Asker): Promise<Served> {
    const entry = this.#store.get(request.key);
    const now = this.#time();
    const isTooLarge = (this.#tooLarge.get(request.key) ?? 0) > now;
    if (entry !== undefined && !isTooLarge && this.#isUsable(entry, now)) {
      this.#requests.hit += 1;
      const { response, failedAt } = entry;
      if (now >= response.freshUntil && now - failedAt >= HOLD_OFF_MS)
        void this.#refresh(request, asker, entry);
      return { kind: 'stored', response, isStale: false };
    }
    this.#requests.miss += 1;
    if (isTooLarge) return { kind: 'tooLarge' };
    return entry === undefined ? this.#serveNew(request, asker) : this.#serveAgain(request, asker, entry);
  }

  /** Nothing is stored: one request is sent, and concurrent visitors wait for its storable response. */
  async #serveNew(request: PageRequest, asker: Asker): Promise<Served> {
    const joined = this.#findReading(request, asker);
    if (joined) {
      const outcome = await joined.outcome.catch(() => null);
      if (outcome?.kind === 'stored') return outcome;
      // Of the limit of another visitor. One of those who waited requests it for the others.
      if (isLimited(outcome)) return this.#serveNew(request, asker);
      // That the page is private is the same for everyone, and all that this response says.
      if (outcome?.kind === 'own' && isRefusal(outcome.response)) return outcome;
      // Another unstorable response is only for its requester: everyone else gets their own.
      return this.#read(request, asker);
    }
    return this.#begin(request, asker, null).outcome;
  }

  /** The stored response must be verified first; if that fails it is served with a note. */
  async #serveAgain(request: PageRequest, asker: Asker, entry: Entry): Promise<Served> {
    const now = this.#time();
    if (now - entry.response.verifiedAt > KEPT_MS) {
      this.#store.delete(request.key);
      return this.#serveNew(request, asker);
    }
    if (now - entry.failedAt < HOLD_OFF_MS) return serveMarked(entry, this.#time());
    const outcome = await within(this.#patienceMs, this.#refresh(request, asker, entry));
    if (outcome !== null) return outcome;
    entry.failedAt = this.#time();
    return serveMarked(entry, this.#time());
  }

  /** Revalidates a stored response; null if that failed. Removes it if it no longer exists. */
  async #refresh(request: PageRequest, asker: Asker, entry: Entry): Promise<Served | null> {
    const joined = this.#findReading(request, asker);
    const { outcome } = joined ?? this.#begin(request, asker, entry.response.tag);
    const result = await outcome.catch(() => null);
    // Says nothing about the page.
    if (isLimited(result)) return joined ? this.#refresh(request, asker, entry) : result;
    if (result !== null && !(result.kind === 'own' && isFailure(result.response.status))) {
      if (result.kind !== 'stored' && this.#store.get(request.key) === entry) this.#store.delete(request.key);
      return result;
    }
    entry.failedAt = this.#time();
    return null;
  }

  #findReading({ key }: PageRequest, { name }: Asker): Reading | undefined {
    const reading = this.#readings.get(key);
    // Nobody waits for what another visitor has in their queue.
    if (reading?.turn.isQueued && reading.name !== name) return undefined;
    return reading && (this.#isReceiving || this.#time() - reading.begunAt < JOIN_UNHEARD_MS)
      ? reading
      : undefined;
  }

  #begin(request: PageRequest, asker: Asker, tag: string | null): Reading {
    const turn = { isQueued: false };
    const outcome = this.#read(request, asker, (isQueued) => Object.assign(turn, { isQueued }));
    const reading = { outcome, begunAt: this.#time(), tag, name: asker.name, turn };
    this.#readings.set(request.key, reading);
    const end = () => {
      if (this.#readings.get(request.key) === reading) this.#readings.delete(request.key);
    };
    outcome.then(end, end);
    return reading;
  }

  async #read(request: PageRequest, { name, send }: Asker, setQueued?: SetQueued): Promise<Served> {
    const begun = this.#generations.begin();
    const begunAt = this.#time();
    const own = await send(request, setQueued);
    if (own === null) {
      if (this.#tooLarge.size >= MAX_TOO_LARGE) this.#tooLarge.clear();
      this.#tooLarge.set(request.key, this.#time() + TOO_LARGE_MS);
      return { kind: 'tooLarge' };
    }
    const { language } = request;
    const stored = createStored(own, { begunAt, receivedAt: this.#time(), language });
    if (stored === null) return { kind: 'own', response: own };
    if (this.#generations.isCurrent(stored.tag, begun)) this.#store.set(request.key, stored, name);
    return { kind: 'stored', response: stored, isStale: false };
  }

  #purgeAll() {
    this.#generations.purge();
    this.#store.purge();
    this.#readings.clear();
  }

  #time(): number {
    return this.#clock.now().getTime();
  }

  /** Requests so far, by whether they were served from memory without waiting, and what is stored now. */
  usage() {
    return { requests: this.#requests, ...this.#store.size() };
  }

  /** Applies a change: nothing that was read before it is served anymore. */
  apply(change: PageChange): void {
    if (change.kind === 'all') {
      this.#purgeAll();
      return;
    }
    const { changed, gone } = change;
    const tags = new Set([...changed, ...gone]);
    for (const tag of tags) this.#generations.purge(tag);
    for (const tag of changed) this.#store.purge(tag);
    for (const tag of gone) this.#store.deleteTag(tag);
    // Later requests do not wait for reads started before the purge.
    for (const [key, { tag }] of this.#readings)
      if (tag === null || tags.has(tag)) this.#readings.delete(key);
  }

  /** Changes are no longer received: every response is revalidated, as long as the application responds. */
  suspend(): void {
    this.#isReceiving = false;
    this.#readings.clear();
  }

  /** Changes are received from now on; earlier ones are unknown. */
  resume(): void {
    this.#purgeAll();
    this.#isReceiving = true;
  }
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
