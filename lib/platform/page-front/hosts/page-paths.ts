import { isLanguage } from '@/lib/schemas/language';
import { parseImageName } from '@/lib/schemas/status-pages/page-images';

/** The canonical form of the value of a query parameter; null where the response is the same as without it. */
type Canonical = (value: string) => string | null;

/**
 * What the response of a status page path depends on: the query parameters that its route reads, and whether the visitor's language.
 * `isPersonal` paths are for one visitor; the shared cache passes them through.
 */
export type PagePath =
  | { isPersonal: true }
  | {
      isPersonal?: never;
      query: Readonly<Record<string, Canonical>>;
      isTranslated: boolean;
      /** Data for programs, which can read a private page with a token. */
      takesToken?: true;
    };

/** The page ignores other languages. */
const lang: Canonical = (value) => (isLanguage(value) ? value : null);
/** Has one form; the route rejects all others, and what it rejects is not stored. */
const asGiven: Canonical = (value) => value;

const HTML: PagePath = { query: { lang }, isTranslated: true };
const PERSONAL: PagePath = { isPersonal: true };
const DATA: PagePath = { query: {}, isTranslated: false, takesToken: true };
const BADGE: PagePath = {
  query: { monitor: asGiven, show: (value) => (value === 'status' ? null : value), label: asGiven },
  isTranslated: false,
  takesToken: true,
};

/**
 * All paths of a status page, below `/status/<slug>` on the app's host and below `/` on its own. Other paths
 * are neither served on a custom domain nor cached; other parameters do not reach the page through the cache.
 */
const FIXED: Record<string, PagePath> = {
  '/': HTML,
  '/history': { query: { lang, month: asGiven }, isTranslated: true },
  // What visitors search for is unlimited, so it is not stored.
  '/search': PERSONAL,
  '/subscribe': PERSONAL,
  '/confirm': PERSONAL,
  '/access': PERSONAL,
  '/unsubscribe': PERSONAL,
  '/subscription': PERSONAL,
  '/embed': DATA,
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
  '/badge.svg': BADGE,
};
const IMAGES = '/images/';
const NUMBERED = /^\/(incidents\/inc|maintenance\/mnt)_[0-9a-z]{1,40}$/;

/** The properties of a path below a page, starting with a slash; null if it does not exist. */
export function findPagePath(path: string): PagePath | null {
  if (Object.hasOwn(FIXED, path)) return FIXED[path] ?? null;
  if (path.startsWith(IMAGES)) return parseImageName(path.slice(IMAGES.length)) === null ? null : DATA;
  return NUMBERED.test(path) ? HTML : null;
}
