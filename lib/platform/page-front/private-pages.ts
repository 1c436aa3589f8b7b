import { PRIVATE_HEADER } from './application';
import type { CapturedResponse } from './captured-response';
import type { VisitorCredentials } from './credentials';
import type { HeldPages } from './held-pages';
import type { Served } from './page-cache';
import type { PageRequest } from './page-request';
import { within } from './within';

/** How long a visitor waits for the application if the page is held. */
const PATIENCE_MS = 3000;
const RETRY_SECONDS = '5';

type Visitor = {
  credentials: VisitorCredentials;
  /** Requests what anyone may see: through the shared cache. */
  askShared(): Promise<Served>;
  /** Requests what this visitor may see, with their credentials; null if it is too large. */
  askOwn(): Promise<CapturedResponse | null>;
};

/**
 * Serves a page to a visitor. The shared cache only ever knows what anyone may see; if that is nothing because the page is private, the
 * application is asked again, for this visitor alone. While it does not respond, those whom it admitted within ten minutes see what is
 * held, and everyone else gets 503. Rejects if the application does and nothing is held.
 */
export async function serveVisitor(
  request: PageRequest,
  held: HeldPages,
  { credentials, askShared, askOwn }: Visitor,
): Promise<Served> {
  const isHeld = held.has(request.key);
  /** The result; null if something is held and the application does not respond. */
  const orHeld = <T>(work: Promise<T>): Promise<T | null> =>
    isHeld ? within(PATIENCE_MS, work).catch(() => null) : work;

  const shared = await orHeld(askShared());
  if (shared === null || isFailure(shared)) return serveHeld(shared);
  if (!isPrivate(shared)) return shared;
  const begun = held.begin();
  const own = await orHeld(askOwn().then(toServed));
  if (own === null || isFailure(own)) return serveHeld(own);
  if (own.kind === 'own') held.hold(request, own.response, { credentials, begun });
  return own;

  function serveHeld(failure: Served | null): Served {
    const response = held.find(request.key, credentials);
    return { kind: 'own', response: response ?? toUnavailable(failure) };
  }
}

function toServed(response: CapturedResponse | null): Served {
  return response === null ? { kind: 'tooLarge' } : { kind: 'own', response };
}

function isFailure(served: Served): boolean {
  return served.kind === 'own' && served.response.status >= 500;
}

function isPrivate(served: Served): boolean {
  return served.kind === 'own' && served.response.headers[PRIVATE_HEADER] !== undefined;
}

/** The response of the application, or an empty one, with the status of an outage. */
function toUnavailable(failure: Served | null): CapturedResponse {
  const own = failure?.kind === 'own' ? failure.response : null;
  return {
    status: 503,
    headers: { 'cache-control': 'no-store', ...own?.headers, 'retry-after': RETRY_SECONDS },
    body: own?.body ?? Buffer.alloc(0),
  };
}
