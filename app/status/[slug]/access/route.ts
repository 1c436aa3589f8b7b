import { enterPassword } from '@/app/status/enter-password';
import { issueTicket, redeemTicket } from '@/app/status/member-tickets';
import { redirect } from '@/app/status/refusal';
import { notFound } from '@/lib/core/errors';
import type { Gate } from '@/lib/domain/status-pages/access/check-access';
import { findPublishedPage } from '@/lib/domain/status-pages/public/read-public-page';
import { isPageHost } from '@/lib/web/http/address/request-address';
import { countVisitor } from '@/lib/web/http/count-visitor';
import { pathOn, safePagePath } from '@/lib/web/http/page-access/page-paths';
import { getWeb } from '@/lib/web/http/server-services';
import { respondTranslated } from '../../respond-translated';

export const dynamic = 'force-dynamic';

type Context = { params: Promise<{ slug: string }> };

/** Whom to admit is what this route finds out. */
const admitAnyone: Gate = async () => undefined;

/**
 * Where a member who is signed in on the app's host gets a pass for the domain of the page. With any other visibility, the page itself
 * says what it asks for.
 */
export function GET(request: Request, { params }: Context): Promise<Response> {
  return respondTranslated(request, async () => {
    await countVisitor(request);
    const page = await findPublishedPage(getWeb().visitorServices.db, (await params).slug, admitAnyone);
    const query = new URL(request.url).searchParams;
    const to = safePagePath(query.get('to') ?? '');
    if (page.visibility === 'ip') throw notFound('Status page');
    if (page.visibility !== 'members') return redirect(pathOn(request, page, to));
    if (isPageHost(request)) return redeemTicket(request, page, { ticket: query.get('ticket') ?? '', to });
    return issueTicket(request, page, to);
  });
}

/** Gives a visitor who enters the password of a page a pass, and shows what they requested. */
export function POST(request: Request, { params }: Context): Promise<Response> {
  return respondTranslated(request, async (t, lang) => {
    await countVisitor(request);
    const page = await findPublishedPage(getWeb().visitorServices.db, (await params).slug, admitAnyone);
    if (page.visibility !== 'password') throw notFound('Status page');
    return enterPassword(request, page, { t, lang });
  });
}
