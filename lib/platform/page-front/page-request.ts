import { type Language, negotiateLanguage } from '@/lib/schemas/language';
import { findPagePath, type PagePath } from './resolve-host';

/** What a visitor requests, as far as a page's response may depend on it. */
export type PageRequest = {
  /** Identical for all requests with the same response. */
  key: string;
  /**
   * The request to the application: this path with its query, for this origin, in this language, and nothing
   * else.
   */
  path: string;
  origin: string;
  language: Language | null;
  /** Requested on the page's own domain. */
  isPageHost: boolean;
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
const ONE_SLUG = /^slug=[a-z0-9-]{1,63}$/;

/** Parses a GET or HEAD request that the shared cache may serve; null for everything else. */
export function readPageRequest(request: RoutedRequest): PageRequest | null {
  const { path, origin, isPageHost, acceptLanguage } = request;
  const cut = path.indexOf('?');
  const pathname = cut < 0 ? path : path.slice(0, cut);
  const query = cut < 0 ? '' : path.slice(cut + 1);
  if (pathname === PUBLIC_JSON) {
    return ONE_SLUG.test(query)
      ? { key: `${origin} ${path}`, path, origin, language: null, isPageHost }
      : null;
  }
  if (!pathname.startsWith('/status/')) return null;
  const match = PAGE.exec(pathname);
  const page = match && findPagePath(match[2] ?? '/');
  if (!page || page.isPersonal) return null;
  const asked = `${pathname}${pickQuery(query, page)}`;
  const language = page.isTranslated ? negotiateOnce(acceptLanguage) : null;
  return { key: `${origin} ${asked} ${language ?? ''}`, path: asked, origin, language, isPageHost };
}

/**
 * The parameters that a page uses, in a fixed order, so that neither order nor additions produce another
 * response.
 */
function pickQuery(query: string, page: PagePath): string {
  if (query === '' || page.query.length === 0) return '';
  const given = new URLSearchParams(query);
  const picked = new URLSearchParams();
  for (const name of page.query) {
    const value = given.get(name);
    if (value !== null) picked.set(name, value);
  }
  return picked.size === 0 ? '' : `?${picked}`;
}

const MAX_HEADERS = 1000;
const negotiated = new Map<string, Language>();

/** Browsers send few distinct headers, and parsing one is the most expensive step here. */
function negotiateOnce(acceptLanguage = ''): Language {
  const known = negotiated.get(acceptLanguage);
  if (known !== undefined) return known;
  const language = negotiateLanguage(acceptLanguage);
  if (negotiated.size >= MAX_HEADERS) negotiated.clear();
  if (acceptLanguage.length < 200) negotiated.set(acceptLanguage, language);
  return language;
}
