import { parseUrl } from '@/lib/core/parse-url';

const HOME = '/monitors';
const HERE = 'http://here.invalid';

/** `safePath` of the query of a page. */
export function readCallbackUrl({ callbackUrl }: Record<string, string | string[] | undefined>): string {
  return safePath(typeof callbackUrl === 'string' ? callbackUrl : undefined);
}

/** The path of a `callbackUrl` on this site, else the list of monitors, to prevent open redirects. */
export function safePath(callbackUrl: string | undefined): string {
  const url = callbackUrl?.startsWith('/') ? parseUrl(callbackUrl, HERE) : null;
  if (url === null) return HOME;
  const { origin, pathname, search } = url;
  const staysHere = origin === HERE && !pathname.startsWith('//');
  return staysHere && pathname !== '/sign-in' ? `${pathname}${search}` : HOME;
}
