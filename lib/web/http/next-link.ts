import { type Cursor, formatCursor } from '@/lib/schemas/cursor';

/**
 * The header that leads to the next page (RFC 8288): the same request with another cursor, under `appUrl` or, where that is
 * not set, under the address that the caller used. No header where there is no next page.
 */
export function nextLink(
  request: Request,
  next: Cursor | string | null,
  appUrl: string | undefined,
): { Link?: string } {
  if (next === null) return {};
  const { pathname, searchParams } = new URL(request.url);
  searchParams.set('cursor', typeof next === 'string' ? next : formatCursor(next));
  return { Link: `<${appUrl ?? calledOrigin(request)}${pathname}?${searchParams}>; rel="next"` };
}

function calledOrigin({ url, headers }: Request): string {
  const scheme = headers.get('x-forwarded-proto') === 'https' ? 'https' : 'http';
  const called = `${scheme}://${headers.get('host')}`;
  return new URL(headers.has('host') && URL.canParse(called) ? called : url).origin;
}
