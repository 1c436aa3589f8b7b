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

/**
 * What a path of a status page answers by: which query parameters, and whether by the visitor's language. `isPersonal` is
 * what one visitor does, which the shared cache passes on as it is.
 */
export type PagePath = { query: readonly string[]; isTranslated: boolean; isPersonal?: true };

const HTML: PagePath = { query: ['lang'], isTranslated: true };
const STEP: PagePath = { query: ['lang', 'id', 'token'], isTranslated: true, isPersonal: true };
const DATA: PagePath = { query: [], isTranslated: false };

/**
 * Everything that a status page has, below `/status/<slug>` on the app's host and below `/` on its own. What is not here
 * is not served on a custom domain, and not kept by the shared cache; a parameter that is not named here does not reach
 * the page through it.
 */
const FIXED: Record<string, PagePath> = {
  '/': HTML,
  '/history': { query: ['lang', 'month', 'page'], isTranslated: true },
  '/subscribe': STEP,
  '/confirm': STEP,
  '/unsubscribe': STEP,
  '/embed': { query: ['lang', 'theme'], isTranslated: true },
  '/status.json': DATA,
  '/feed.atom': DATA,
  '/feed.rss': DATA,
  '/badge.svg': { query: ['monitor', 'show', 'label'], isTranslated: false },
};
const NUMBERED = /^\/(incidents\/inc|maintenance\/mnt)_[0-9a-z]{1,40}$/;

/** What is known of a path below a page, which begins with a slash; null where a page has nothing. */
export function findPagePath(path: string): PagePath | null {
  if (Object.hasOwn(FIXED, path)) return FIXED[path] ?? null;
  return NUMBERED.test(path) ? HTML : null;
}
