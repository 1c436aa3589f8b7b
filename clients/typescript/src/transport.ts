import { createUnexpected, PharosConnectionError, type PharosError, readError } from './errors.js';
import { VERSION } from './generated/version.js';
import { List, readPage } from './list.js';
import { isIdempotent, mayPass, readRetryAfter, sleep, waitBefore } from './retry.js';

/** Where the service is, and how to call it. */
export type PharosOptions = {
  /** The address of Pharos, such as `https://pharos.example.com`. */
  url: string;
  /** An API key. The public status page, health and the document need none. */
  key?: string;
  /** Another implementation of `fetch`. */
  fetch?: typeof fetch;
  /** Retries of one request; 4 by default. */
  maxRetries?: number;
  /** Milliseconds for one attempt, with its body; 60,000 by default. */
  timeoutMs?: number;
};

/** For one call. */
export type RequestOptions = Pick<PharosOptions, 'maxRetries' | 'timeoutMs'> & {
  /** Cancels the call, its retries and its waits. */
  signal?: AbortSignal;
  /**
   * Of a POST: your own key, which makes it take effect once also if you repeat it within 24 hours. By default every call has a
   * key of its own. With null, no key is sent, and the request is not retried.
   */
  idempotencyKey?: string | null;
  /** Added to the request: `If-Match`, for example. */
  headers?: Record<string, string>;
};

type QueryValue = string | number | boolean | null | undefined;

/** One call, as the generated methods describe it. */
export type Call = {
  method: string;
  /** Below `/api`, encoded. */
  path: string;
  body?: unknown;
  query?: Record<string, QueryValue> | undefined;
  /** What the body of the response is; JSON by default. */
  reads?: 'text' | 'nothing';
  /** Statuses of errors whose response is a result. */
  accepts?: readonly number[];
};

type Received = { response: Response; text: string };

/** Filters of a list: what the API takes as `'true'` or `'false'` can be a boolean. */
export type Query<Parameters> = {
  [Name in keyof Parameters]: 'true' extends Parameters[Name] ? Parameters[Name] | boolean : Parameters[Name];
};

/** Sends the calls of a client, and repeats those that may succeed later. */
export class Transport {
  readonly #base: string;
  readonly #options: PharosOptions;

  constructor(options: PharosOptions) {
    const { origin, pathname } = new URL(options.url);
    this.#base = `${origin}${pathname.replace(/\/+$/, '').replace(/\/api$/, '')}/api`;
    this.#options = options;
  }

  /** Resolves to the body of the response. Throws PharosError, PharosConnectionError or the reason of the signal. */
  async send<Result>(call: Call, options?: RequestOptions): Promise<Result> {
    return readBody<Result>(call, await this.#sendWithRetries(call, options ?? {}));
  }

  /** The list at a path. */
  list<Item>(path: string, query: Call['query'], options?: RequestOptions): List<Item> {
    const fetchPage = async (changes: { limit?: number; cursor?: string }) => {
      const call: Call = { method: 'GET', path, query: { ...query, ...changes } };
      const received = await this.#sendWithRetries(call, options ?? {});
      return readPage(readBody<Item[]>(call, received), received.response.headers);
    };
    return new List(fetchPage, typeof query?.limit === 'number' ? query.limit : undefined);
  }

  async #sendWithRetries(call: Call, options: RequestOptions): Promise<Received> {
    const { maxRetries = this.#options.maxRetries ?? 4, signal } = options;
    const request = this.#prepare(call, options);
    const mayRepeat = isIdempotent(call.method) || request.headers.has('idempotency-key');
    for (let retry = 0; ; retry++) {
      const outcome = await this.#attempt(call, request, options);
      if (!(outcome instanceof Error)) return outcome;
      const isLast = !mayRepeat || retry >= maxRetries;
      const waitMs =
        isLast || !isPassing(outcome) ? null : waitBefore(retry, retryAfterOf(outcome), Math.random());
      if (waitMs === null) throw outcome;
      await sleep(waitMs, signal);
    }
  }

  /** One attempt: the response and its body, or the error that it is. Throws the reason of the signal once it is aborted. */
  async #attempt(
    { accepts = [] }: Call,
    request: RequestInit & { url: string },
    { signal, timeoutMs = this.#options.timeoutMs ?? 60_000 }: RequestOptions,
  ): Promise<Received | PharosError | PharosConnectionError> {
    signal?.throwIfAborted();
    const timeout = AbortSignal.timeout(timeoutMs);
    const signals = signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
    const { fetch: send = fetch } = this.#options;
    try {
      const { url, ...init } = request;
      const response = await send(url, { ...init, signal: signals });
      const text = await response.text();
      if (response.ok || accepts.includes(response.status)) return { response, text };
      return readError(response, text, readRetryAfter(response.headers.get('retry-after'), Date.now()));
    } catch (error) {
      signal?.throwIfAborted();
      const reason = timeout.aborted ? `it did not respond within ${timeoutMs} ms` : explain(error);
      return new PharosConnectionError(`Cannot reach ${new URL(request.url).origin}: ${reason}.`, {
        cause: error,
      });
    }
  }

  #prepare({ method, path, query, body }: Call, { idempotencyKey, headers: added }: RequestOptions) {
    const headers = new Headers({
      Accept: 'application/json',
      'User-Agent': `Pharos-Client-TypeScript/${VERSION}`,
    });
    if (this.#options.key !== undefined) headers.set('Authorization', `Bearer ${this.#options.key}`);
    const isFile = body instanceof Blob;
    if (body !== undefined && !isFile) headers.set('Content-Type', 'application/json');
    if (isFile) headers.set('Content-Type', body.type || 'application/octet-stream');
    // The same for all attempts: if the response to the first one was lost, the next one gets it.
    if (method === 'POST' && idempotencyKey !== null)
      headers.set('Idempotency-Key', idempotencyKey ?? crypto.randomUUID());
    for (const [name, value] of Object.entries(added ?? {})) headers.set(name, value);
    return {
      url: `${this.#base}${path}${formatQuery(query)}`,
      method,
      headers,
      // A redirect would turn a POST into a GET, and take the key elsewhere.
      redirect: 'manual' as const,
      ...(body === undefined ? {} : { body: isFile ? body : JSON.stringify(body) }),
    };
  }
}

/** What the groups of generated methods have in common. */
export class Resource {
  protected readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }
}

/** A part of a path. Throws TypeError for what would address something else. */
export function segment(value: string): string {
  if (typeof value === 'string' && !['', '.', '..'].includes(value)) return encodeURIComponent(value);
  throw new TypeError(`${JSON.stringify(value) ?? value} is not an ID. Pass the ID of the resource.`);
}

function formatQuery(query: Call['query']): string {
  const set = Object.entries(query ?? {}).filter(([, value]) => value !== undefined && value !== null);
  return set.length === 0 ? '' : `?${new URLSearchParams(set.map(([name, value]) => [name, String(value)]))}`;
}

function readBody<Result>({ reads }: Call, { response, text }: Received): Result {
  if (reads === 'text') return text as Result;
  if (reads === 'nothing') return undefined as Result;
  try {
    return JSON.parse(text) as Result;
  } catch {
    throw createUnexpected(response);
  }
}

function isPassing(error: PharosError | PharosConnectionError): boolean {
  return 'status' in error ? mayPass(error.status, error.code) : true;
}

function retryAfterOf(error: PharosError | PharosConnectionError): number | null {
  return 'retryAfter' in error ? error.retryAfter : null;
}

/** `fetch` throws TypeError for network errors; the reason is its cause. */
function explain(error: unknown): string {
  const { cause } = error as { cause?: unknown };
  return cause instanceof Error ? cause.message : String(error);
}
