import { DomainError } from '@/lib/core/errors';
import { unsubscribeMember } from '@/lib/domain/people/mail-preferences';
import { memberLinkSchema } from '@/lib/schemas/people';
import { requestAddress } from '@/lib/web/http/address/request-address';
import { countVisitor } from '@/lib/web/http/count-visitor';
import { findRejection } from '@/lib/web/http/rate-limit';
import { getWeb } from '@/lib/web/http/server-services';

export const dynamic = 'force-dynamic';

/** Leads to a page with a button, because mail scanners follow links but press no buttons. */
export function GET(request: Request): Response {
  const { search } = new URL(request.url);
  const headers = { Location: `/unsubscribe/confirm${search}`, 'Cache-Control': 'no-store' };
  return new Response(null, { status: 303, headers });
}

/** Turns alerts or the digest off with one click in a mail client (RFC 8058), which is not signed in and follows no redirects. */
export async function POST(request: Request): Promise<Response> {
  const rejection = await findRejection(countVisitor(request));
  if (rejection !== null) return respond(429, 'Too many requests.', rejection);
  const link = memberLinkSchema.safeParse(Object.fromEntries(new URL(request.url).searchParams));
  if (!link.success) return respond(404, 'This link is not valid.');
  try {
    await unsubscribeMember(getWeb().services, link.data, requestAddress(request.headers));
    return respond(200, link.data.list === 'alerts' ? 'Alert emails are off.' : 'The weekly digest is off.');
  } catch (error) {
    if (error instanceof DomainError) return respond(404, error.message);
    throw error;
  }
}

function respond(status: number, text: string, own: Record<string, string> = {}): Response {
  const headers = { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store', ...own };
  return new Response(`${text}\n`, { status, headers });
}
