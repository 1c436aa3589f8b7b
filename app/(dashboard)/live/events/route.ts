import { admit } from '@/lib/web/http/dashboard-gate';
import { findVisitorSession } from '@/lib/web/http/dashboard-session';
import { createLiveStreams, type LiveStreams } from '@/lib/web/http/live-streams';
import { getLiveHub } from '@/lib/web/http/process-shared';
import { findRejection } from '@/lib/web/http/rate-limit';
import { getWeb } from '@/lib/web/http/server-services';

export const dynamic = 'force-dynamic';

let streams: LiveStreams | null = null;

/** Streams change hints of the visitor's organization; pages then read the data themselves. */
export async function GET(): Promise<Response> {
  const session = await findVisitorSession();
  if (session === null) return new Response(null, { status: 401 });
  const rejection = await findRejection(admit(session, 'monitor.read'));
  if (rejection !== null) return new Response(null, { status: 429, headers: rejection });
  const hub = getLiveHub();
  if (hub === null) return new Response(null, { status: 503 });
  streams ??= createLiveStreams({ services: getWeb().services, hub });
  return streams.open({ sessionId: session.id, organizationId: session.ctx.organizationId });
}

/** Without this, Next would open a stream that nobody reads. */
export function HEAD(): Response {
  return new Response(null, { status: 405, headers: { Allow: 'GET' } });
}
