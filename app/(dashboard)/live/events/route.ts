import { findVisitorSession } from '@/lib/web/http/dashboard-session';
import { createLiveStreams, getLiveHub, type LiveStreams } from '@/lib/web/http/live-streams';
import { getWeb } from '@/lib/web/http/server-services';

export const dynamic = 'force-dynamic';

let streams: LiveStreams | null = null;

/** What happens in the organization that the visitor acts for, as it happens: hints alone, the pages read for themselves. */
export async function GET(): Promise<Response> {
  const session = await findVisitorSession();
  if (session === null) return new Response(null, { status: 401 });
  const hub = getLiveHub();
  if (hub === null) return new Response(null, { status: 503 });
  streams ??= createLiveStreams({ services: getWeb().services, hub });
  return streams.open({ sessionId: session.id, organizationId: session.ctx.organizationId });
}

/** Next would open a stream for it that nobody reads. */
export function HEAD(): Response {
  return new Response(null, { status: 405, headers: { Allow: 'GET' } });
}
