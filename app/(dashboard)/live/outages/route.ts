import { countDownMonitors } from '@/lib/domain/monitors/count-down';
import { admit } from '@/lib/web/http/dashboard-gate';
import { findVisitorSession } from '@/lib/web/http/dashboard-session';
import { findRejection } from '@/lib/web/http/rate-limit';

export const dynamic = 'force-dynamic';

/** How many monitors of the visitor's organization are down, for the tabs that show it. */
export async function GET(): Promise<Response> {
  const session = await findVisitorSession();
  if (session === null) return new Response(null, { status: 401 });
  const rejection = await findRejection(admit(session, 'monitor.read'));
  if (rejection !== null) return new Response(null, { status: 429, headers: rejection });
  const down = await countDownMonitors(session.ctx);
  return Response.json({ down }, { headers: { 'Cache-Control': 'no-store' } });
}
