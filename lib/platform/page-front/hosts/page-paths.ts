/**
 * What the response of a status page path depends on: query parameters, and whether the visitor's language.
 * `isPersonal` paths are for one visitor; the shared cache passes them through.
 */
export type PagePath = {
  query: readonly string[];
  isTranslated: boolean;
  isPersonal?: true;
  /** Data for programs, which can read a private page with a token. */
  takesToken?: true;
};

const HTML: PagePath = { query: ['lang'], isTranslated: true };
const STEP: PagePath = { query: ['lang', 'id', 'token'], isTranslated: true, isPersonal: true };
/** What visitors search for is unlimited, so it is not stored. */
const SEARCH: PagePath = { query: ['lang', 'q'], isTranslated: true, isPersonal: true };
const DATA: PagePath = { query: [], isTranslated: false, takesToken: true };

/**
 * All paths of a status page, below `/status/<slug>` on the app's host and below `/` on its own. Other paths
 * are neither served on a custom domain nor cached; other parameters do not reach the page through the cache.
 */
const FIXED: Record<string, PagePath> = {
  '/': HTML,
  '/history': { query: ['lang', 'month', 'page'], isTranslated: true },
  '/search': SEARCH,
  '/subscribe': STEP,
  '/confirm': STEP,
  '/access': { query: ['lang', 'to', 'ticket'], isTranslated: true, isPersonal: true },
  '/unsubscribe': STEP,
  '/subscription': STEP,
  '/embed': { query: ['lang', 'theme'], isTranslated: true, takesToken: true },
  '/status.json': DATA,
  '/feed.atom': DATA,
  '/feed.rss': DATA,
  '/maintenance.ics': DATA,
  '/api/v2/summary.json': DATA,
  '/api/v2/status.json': DATA,
  '/api/v2/components.json': DATA,
  '/api/v2/incidents.json': DATA,
  '/api/v2/incidents/unresolved.json': DATA,
  '/api/v2/scheduled-maintenances.json': DATA,
  '/api/v2/scheduled-maintenances/upcoming.json': DATA,
  '/api/v2/scheduled-maintenances/active.json': DATA,
  '/badge.svg': { query: ['monitor', 'show', 'label'], isTranslated: false, takesToken: true },
};
const NUMBERED = /^\/(incidents\/inc|maintenance\/mnt)_[0-9a-z]{1,40}$/;

/** The properties of a path below a page, starting with a slash; null if it does not exist. */
export function findPagePath(path: string): PagePath | null {
  if (Object.hasOwn(FIXED, path)) return FIXED[path] ?? null;
  return NUMBERED.test(path) ? HTML : null;
}
