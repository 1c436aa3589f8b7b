/** A path that leads to the API only if it is read generously. `to`: the one that differs in nothing but its slashes; null: there is none. */
export type Misspelled = { to: string | null };

const API = /^\/api(\/|$)/;

/**
 * Whether a path, with its query, means one of the API, but is not spelled like it: with other letters, escapes, or repeated slashes. Null
 * for all other paths, and for those that the application resolves to a path of the API. Throws if it cannot be decoded.
 */
export function readMisspelled(path: string): Misspelled | null {
  const [pathname = '', ...query] = path.split('?');
  const resolved = resolve(pathname);
  if (API.test(resolved)) {
    return /\\|\/\//.test(pathname) ? { to: [resolved, ...query].join('?') } : null;
  }
  return API.test(resolve(decodeURIComponent(resolved)).toLowerCase()) ? { to: null } : null;
}

/** Without repeated slashes and dot segments. */
function resolve(pathname: string): string {
  // Not relative to a base: a path is never read as a host, even if removing a tab leaves two slashes at its start.
  return new URL(`http://localhost${pathname.replace(/[\\/]+/g, '/')}`).pathname;
}
