import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError, type ErrorCode, StartupError } from '@/lib/core/errors';

/** Retries of one request. */
const MAX_RETRIES = 5;
/** Waiting for a server that asks for more is pointless: the person gives up first. */
const MAX_WAIT_MS = 60_000;
const PAGE_SIZE = 100;

/** Where the service is, and the key for it. */
export type Connection = { url: string; key: string };

/** The REST API of a service. */
export type Api = {
  connection: Connection;
  /** Calls the API and returns the body. Throws a DomainError with the code and message of an error response. */
  call<Body>(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Body>;
  /** All items of a list, from one page after another. */
  list<Item>(path: string): AsyncGenerator<Item>;
};

type Problem = { error: { code: ErrorCode; message: string; details?: DomainError['details'] } };

/** What a header permits; a line break or an ellipsis comes from copying. */
const KEY = /^[!-~]+$/;

/**
 * The API at `url`, which has no path. Requests that were limited, or did not reach a working service, are repeated, each POST
 * with the same Idempotency-Key. Throws a StartupError if the key cannot be one, or the service cannot be reached.
 */
export function openApi(connection: Connection): Api {
  if (!KEY.test(connection.key))
    throw new StartupError(
      'the API key is not valid: it contains a space, a line break or another character that no key has; copy it again',
    );
  const base = `${connection.url.replace(/\/+$/, '')}/api`;

  async function request(method: string, address: string, body?: unknown, added?: object): Promise<Response> {
    const headers = {
      Authorization: `Bearer ${connection.key}`,
      'User-Agent': 'Pharos-CLI/1.0',
      ...(method === 'POST' ? { 'Idempotency-Key': crypto.randomUUID() } : {}),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...added,
    };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    for (let attempt = 0; ; attempt++) {
      const response = await send(address, { method, headers, ...sent });
      if (response.ok) return response;
      const waitMs = attempt < MAX_RETRIES ? waitBefore(response, attempt) : null;
      if (waitMs === null) throw await readProblem(response, `${method} ${address}`);
      await response.body?.cancel();
      await sleep(waitMs);
    }
  }

  return {
    connection,
    call: async (method, path, body, headers) =>
      (await request(method, `${base}${path}`, body, headers)).json(),
    list: async function* (path) {
      const first = `${base}${path}${path.includes('?') ? '&' : '?'}limit=${PAGE_SIZE}`;
      for (let address: string | undefined = first; address !== undefined; ) {
        const response = await request('GET', address);
        yield* await response.json();
        const next = /<[^>]*\?([^>]*)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
        // The service may know itself by another name than this client does.
        address = next === undefined ? undefined : `${first.replace(/\?.*$/, '')}?${next}`;
      }
    },
  };
}

async function send(address: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(address, request);
  } catch (error) {
    const cause =
      error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
    const { origin } = new URL(address);
    throw new StartupError(`cannot reach ${origin}: ${cause}; check the address and that Pharos is running`);
  }
}

/** How long to wait before a retry, in milliseconds; null if a retry is of no use. */
function waitBefore({ status, headers }: Response, attempt: number): number | null {
  const after = Number(headers.get('retry-after') ?? Number.NaN);
  const mayPass = [429, 502, 503, 504].includes(status) || (status === 409 && !Number.isNaN(after));
  if (!mayPass) return null;
  const waitMs = Number.isNaN(after) ? 500 * 2 ** attempt : after * 1000;
  return waitMs > MAX_WAIT_MS ? null : waitMs;
}

async function readProblem(response: Response, request: string): Promise<Error> {
  const text = await response.text();
  try {
    const { code, message, details } = (JSON.parse(text) as Problem).error;
    return new DomainError(code, message, details);
  } catch {
    return new StartupError(
      `${request} responded ${response.status}, which is not Pharos; check the address`,
    );
  }
}
