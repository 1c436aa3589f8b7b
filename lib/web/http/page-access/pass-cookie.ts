import { PASS_COOKIE } from '@/lib/platform/page-front/application';
import { isPageHost, isSecureApp, requestScheme } from '@/lib/web/http/address/request-address';

/** A Set-Cookie header with the pass to a page, only for the page itself: its path, or its own domain. */
export function passCookie(
  request: Pick<Request, 'headers'>,
  { slug, pass, maxAgeMs }: { slug: string; pass: string; maxAgeMs: number },
): string {
  const isOwnHost = isPageHost(request);
  const isSecure = isSecureApp() || (isOwnHost && requestScheme(request.headers) === 'https');
  return [
    `${PASS_COOKIE}=${pass}`,
    `Path=${isOwnHost ? '/' : `/status/${slug}`}`,
    `Max-Age=${Math.floor(maxAgeMs / 1000)}`,
    'HttpOnly',
    'SameSite=Lax',
    ...(isSecure ? ['Secure'] : []),
  ].join('; ');
}
