import { findPagePath } from './page-paths';

/** A page that is served on a domain of its own. */
export type HostedPage = { id: string; slug: string };

/** Where a request belongs, and why. The path of a page is the one it has on the app's host. */
export type HostAction =
  | {
      to: 'app';
      reason:
        | 'liveness'
        | 'question of a proxy'
        | 'call of Inngest'
        | 'host of the app'
        | 'every host is the app';
    }
  | { to: 'page'; reason: 'verified domain'; page: HostedPage; path: string }
  | { to: 'notFound'; reason: 'unknown host' | 'no path of the page' };

/** What is known of hosts: the app's own name, null where it is not set, and which page a verified domain shows. */
export type Hosts = { appHost: string | null; findPage(host: string): HostedPage | null };

/** Answers to load balancers, whatever name they use. */
const LIVENESS = '/api/live';
/** Asked by a proxy beside us, under an address of the inner network; the answer itself looks at the host. */
const TLS_QUESTION = '/api/internal/tls-allowed';

/** Whether a path is one that Inngest calls; who calls shows by a signature, not by the host. */
export function isInngestPath(path: string): boolean {
  return path === '/api/inngest' || path.startsWith('/api/inngest/');
}

/**
 * Decides where a request for `path` (without its query) on `host` (normalized) belongs. The app's own host is never a
 * page's; a page's host shows that page and nothing else.
 */
export function resolveHost(host: string, path: string, { appHost, findPage }: Hosts): HostAction {
  if (path === LIVENESS) return { to: 'app', reason: 'liveness' };
  if (host === appHost) return { to: 'app', reason: 'host of the app' };
  const page = findPage(host);
  if (page === null && path === TLS_QUESTION) return { to: 'app', reason: 'question of a proxy' };
  if (page === null && isInngestPath(path)) return { to: 'app', reason: 'call of Inngest' };
  if (page === null) {
    return appHost === null
      ? { to: 'app', reason: 'every host is the app' }
      : { to: 'notFound', reason: 'unknown host' };
  }
  if (findPagePath(path) === null) return { to: 'notFound', reason: 'no path of the page' };
  const below = path === '/' ? '' : path;
  return { to: 'page', reason: 'verified domain', page, path: `/status/${page.slug}${below}` };
}
