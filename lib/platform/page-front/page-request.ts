import { LRUCache } from 'lru-cache';
import { isLanguage, type Language } from '@/lib/schemas/language';
import { negotiateLanguage } from '@/lib/schemas/language/negotiate-language';
import { findPagePath } from './hosts/page-paths';

/** What a visitor requests, as far as a page's response may depend on it. */
export type PageRequest = {
  /** Identical for all requests with the same response. */
  key: string;
  /** The request to the application: this path with its query, for this origin, in this language, and nothing else. */
  path: string;
  origin: string;
  language: Language | null;
  /** Requested on the page's own domain. */
  isPageHost: boolean;
  /** Whether a token can open it, should the page be private, and the one in the query; it is part of neither key nor path. */
  takesToken: boolean;
  token: string | null;
};

/** A routed request: `path` on the app's host, with its query; `origin` is scheme, host and port. */
export type RoutedRequest = {
  path: string;
  origin: string;
  isPageHost: boolean;
  acceptLanguage: string | undefined;
};

const PAGE = /^\/status\/([a-z0-9-]{1,63})(\/.*)?$/;
const PUBLIC_JSON = '/api/status-pages/public';
const ONE_SLUG = /^(\?slug=[a-z0-9-]{1,63})(?:&token=([A-Za-z0-9_]{1,100}))?$/;

/** Parses a GET or HEAD request that the shared cache may serve; null for everything else. */
export function readPageRequest(request: RoutedRequest): PageRequest | null {
  const { path, origin, isPageHost, acceptLanguage = '' } = request;
  const [pathname, query] = splitQuery(path);
  if (pathname === PUBLIC_JSON) {
    const [, slug, token = null] = ONE_SLUG.exec(query) ?? [];
    if (slug === undefined) return null;
    const path = pathname + slug;
    return { key: `${origin} ${path}`, path, origin, language: null, isPageHost, takesToken: true, token };
  }
  const match = PAGE.exec(pathname);
  const page = match && findPagePath(match[2] ?? '/');
  if (!page || page.isPersonal) return null;
  const parameters = pickParameters(query, page.query);
  const picked = parameters.size === 0 ? pathname : `${pathname}?${parameters}`;
  // A language in the URL takes precedence over that of the browser.
  const chosen = parameters.get('lang') ?? '';
  const preferred = isLanguage(chosen) ? chosen : languages.memo(acceptLanguage);
  const language = page.isTranslated ? preferred : null;
  const { takesToken = false } = page;
  const token = takesToken && query.includes('token=') ? new URLSearchParams(query).get('token') : null;
  const key = `${origin} ${picked} ${language ?? ''}`;
  return { key, path: picked, origin, language, isPageHost, takesToken, token };
}

/**
 * The parameters that a page reads, in a fixed order and in their canonical form: no order, addition or value that the page ignores leads
 * to another response.
 */
function pickParameters(
  query: string,
  known: Readonly<Record<string, (value: string) => string | null>>,
): URLSearchParams {
  const picked = new URLSearchParams();
  if (query === '') return picked;
  const given = new URLSearchParams(query);
  for (const [name, canonical] of Object.entries(known)) {
    const value = given.get(name);
    const used = value === null ? null : canonical(value);
    if (used !== null) picked.set(name, used);
  }
  return picked;
}

/** Browsers send few distinct headers, and parsing one is the most expensive step here. */
const languages = new LRUCache<string, Language>({
  max: 1000,
  maxEntrySize: 200,
  sizeCalculation: (_, header) => header.length + 1,
  memoMethod: (header) => negotiateLanguage(header),
});

/** A path and its query, question mark included. */
export function splitQuery(path: string): [pathname: string, query: string] {
  const cut = path.indexOf('?');
  return cut < 0 ? [path, ''] : [path.slice(0, cut), path.slice(cut)];
}
