import { attempt } from '@/app/attempt';
import { type RouteResult, toRefusal } from '@/components/ui/call-route';
import { acknowledgeByLink } from '@/lib/domain/incidents/acknowledge/acknowledge-by-link';
import { acknowledgeLinkSchema } from '@/lib/schemas/incidents/acknowledge-link';
import { parseInput } from '@/lib/schemas/validation';
import { requestAddress } from '@/lib/web/http/address/request-address';
import { countVisitor } from '@/lib/web/http/count-visitor';
import { findRejection } from '@/lib/web/http/rate-limit';
import { readJsonBody } from '@/lib/web/http/read-input';
import { getWeb } from '@/lib/web/http/server-services';

export const dynamic = 'force-dynamic';

const LIMITED = { ok: false, message: 'Too many requests. Try again in a minute.', errors: {} } as const;

/**
 * Acknowledges the incidents of a link without a page, for the button of a notification: pressing it is the decision, which following a link
 * is not. The token is what admits.
 */
export async function POST(request: Request): Promise<Response> {
  const rejection = await findRejection(countVisitor(request));
  if (rejection !== null) return respond(LIMITED, 429, rejection);
  const outcome = await attempt(async () => {
    const link = parseInput(acknowledgeLinkSchema, await readJsonBody(request));
    await acknowledgeByLink(getWeb().services, link, requestAddress(request.headers));
    return null;
  });
  return respond(outcome.ok ? outcome : toRefusal(outcome.error));
}

function respond(result: RouteResult<null>, status = 200, headers: Record<string, string> = {}): Response {
  return Response.json(result, { status, headers: { 'Cache-Control': 'no-store', ...headers } });
}
