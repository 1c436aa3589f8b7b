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
