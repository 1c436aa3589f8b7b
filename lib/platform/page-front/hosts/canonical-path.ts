import { splitQuery } from '../page-request';

const UNUSUAL = /[\\#]|\/\.|%2e/i;

/**
 * A path, with its query, as Next reads it: without dot segments (in escapes, too), backslashes and a fragment. Repeated slashes stay. What is
 * decided by a path must not depend on how it is spelled.
 */
export function canonicalPath(path: string): string {
  if (!UNUSUAL.test(path)) return path;
  const [whole = ''] = path.split('#');
  const [pathname, query] = splitQuery(whole);
  // Not relative to a base: a path is never read as a host.
  return UNUSUAL.test(pathname) ? new URL(`http://localhost${pathname}`).pathname + query : whole;
}
