import { AsyncLocalStorage } from 'node:async_hooks';

/** What is known about the request being handled. The caller is added once authenticated. */
export type RequestContext = { requestId: string; organizationId?: string; keyId?: string };

/** Next has its own module instances in the same process, so a global holds the request of both. */
const shared = globalThis as typeof globalThis & { pharosRequests?: AsyncLocalStorage<RequestContext> };

/** Runs `work`, and all that follows from it, as part of a request. */
export function runInRequest<T>(context: RequestContext, work: () => T): T {
  shared.pharosRequests ??= new AsyncLocalStorage();
  return shared.pharosRequests.run(context, work);
}

/** Runs `work` as part of no request, although one caused it: what is created then is there for later ones, too. */
export function runOutsideRequests<T>(work: () => T): T {
  return shared.pharosRequests === undefined ? work() : shared.pharosRequests.exit(work);
}

/** The request being handled; undefined outside of one. */
export function currentRequest(): RequestContext | undefined {
  return shared.pharosRequests?.getStore();
}

/** Notes who sent the request being handled. */
export function noteCaller(caller: Pick<RequestContext, 'organizationId' | 'keyId'>): void {
  const context = currentRequest();
  if (context !== undefined) Object.assign(context, caller);
}
