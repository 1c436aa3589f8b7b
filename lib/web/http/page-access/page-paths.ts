import type { PageRow } from '@/lib/domain/status-pages/page-row';
import { findPagePath } from '@/lib/platform/page-front/application';
import { isPageHost } from '@/lib/web/http/address/request-address';

const MAX_LENGTH = 1000;
const ACCESS = '/access';

/** The path of a request below its page, with its query: empty for the page itself. */
export function readPagePath({ url }: Pick<Request, 'url'>, { slug }: Pick<PageRow, 'slug'>): string {
  const { pathname, search, searchParams } = new URL(url);
  const base = `/status/${slug}`;
  if (!pathname.startsWith(base)) return '';
  const path = pathname.slice(base.length);
  if (path === ACCESS) return safePagePath(searchParams.get('to') ?? '');
  return safePagePath(path + search);
}

/** A path below a page with its query; empty unless the page has it, so that no link leads elsewhere. */
export function safePagePath(given: string): string {
  const cut = given.indexOf('?');
  const [path, query] = cut < 0 ? [given, ''] : [given.slice(0, cut), given.slice(cut + 1)];
  if (given.length > MAX_LENGTH || path === ACCESS) return '';
  if (path !== '' && findPagePath(path) === null) return '';
  return query === '' ? path : `${path}?${new URLSearchParams(query)}`;
}

/** A path below a page, as the visitor requests it: on the domain of the page, or below `/status`. */
export function pathOn(
  request: Pick<Request, 'headers'>,
  { slug }: Pick<PageRow, 'slug'>,
  path: string,
): string {
  if (!isPageHost(request)) return `/status/${slug}${path}`;
  return path.startsWith('/') ? path : `/${path}`;
}
