import { within } from '@/lib/core/calls/within';
import type { CapturedResponse } from '../captured-response';
import { isRefusal, type Served } from '../page-cache';
import type { PageRequest } from '../page-request';
import type { VisitorCredentials } from './credentials';
import type { HeldPages } from './held-pages';

/** How long a visitor waits for the application if the page is held. */
const PATIENCE_MS = 3000;

type Visitor = {
  /** Reads what they bring along; not called for a page that anyone may see. */
  credentials(): VisitorCredentials;
  /** Requests what anyone may see: through the shared cache. */
  askShared(): Promise<Served>;
  /** Requests what this visitor may see, with their credentials; null if it is too large. */
  askOwn(): Promise<CapturedResponse | null>;
};

/**
 * Serves a page to a visitor. The shared cache only ever knows what anyone may see; if that is nothing because the page is private, the
 * application is asked again, for this visitor alone. While it fails or does not respond, those whom it admitted within ten minutes see
 * what is held. Everyone else gets its response; rejects if there is none.
 */
export async function serveVisitor(
  request: PageRequest,
  held: HeldPages,
  { credentials, askShared, askOwn }: Visitor,
): Promise<Served> {
  const shared = await orHeld(askShared());
  if (shared.kind !== 'own' || !isRefusal(shared.response)) return shared;
  const begun = held.begin();
  const own = await orHeld(askOwn().then(toServed));
  if (own.kind === 'own') held.hold(request, own.response, { credentials: credentials(), begun });
  return own;

  /** The result of `work`, or what is held for this visitor if it fails or takes too long. */
  async function orHeld(work: Promise<Served>): Promise<Served> {
    if (!held.has(request.key)) return work;
    const served = await within(PATIENCE_MS, work).catch(() => null);
    if (served !== null && isSuccess(served)) return served;
    const response = held.find(request.key, credentials());
    // Others wait as long as for an unknown page.
    return response === null ? work : { kind: 'own', response };
  }
}

function toServed(response: CapturedResponse | null): Served {
  return response === null ? { kind: 'tooLarge' } : { kind: 'own', response };
}

function isSuccess(served: Served): boolean {
  return served.kind !== 'own' || served.response.status < 500;
}
