import { findPagePath } from './page-paths';

/** A page served on its own domain. */
export type HostedPage = { id: string; slug: string };

/** Where a request belongs, and why. A page's path is the one on the app's host. */
type HostAction =
  | { to: 'app'; reason: 'liveness' | 'TLS check' | 'Inngest call' | 'app host' | 'every host is the app' }
  | { to: 'page'; reason: 'verified domain'; page: HostedPage; path: string }
  | { to: 'notFound'; reason: 'unknown host' | 'not a page path' };

/** Known hosts: the app's own name, null if not set, and the pages of verified domains. */
type Hosts = { appHost: string | null; findPage(host: string): HostedPage | null };

/** For load balancers, under any host name. */
const LIVENESS = '/api/live';
/** Requested by a proxy on the internal network, under any host name; the handler checks the domain. */
const TLS_CHECK = '/api/internal/tls-allowed';

/** Whether a path is called by Inngest, which authenticates by signature, not by host. */
export function isInngestPath(path: string): boolean {
  return path === '/api/inngest' || path.startsWith('/api/inngest/');
}

/**
 * Decides where a request for `path` (without query) on `host` (normalized) belongs. The app's own host never shows a page;
 * a page's host shows only that page.
 */
export function resolveHost(host: string, path: string, { appHost, findPage }: Hosts): HostAction {
  if (path === LIVENESS) return { to: 'app', reason: 'liveness' };
  if (host === appHost) return { to: 'app', reason: 'app host' };
  const page = findPage(host);
  if (page === null) {
    if (path === TLS_CHECK) return { to: 'app', reason: 'TLS check' };
    if (isInngestPath(path)) return { to: 'app', reason: 'Inngest call' };
    return appHost === null
      ? { to: 'app', reason: 'every host is the app' }
      : { to: 'notFound', reason: 'unknown host' };
  }
  if (findPagePath(path) === null) return { to: 'notFound', reason: 'not a page path' };
  const below = path === '/' ? '' : path;
  return { to: 'page', reason: 'verified domain', page, path: `/status/${page.slug}${below}` };
}
