import { sealPass } from '@/lib/domain/status-pages/access/passes';
import type { PageRow } from '@/lib/domain/status-pages/page-row';
import { pathOn } from '@/lib/web/http/page-access/page-paths';
import { passCookie } from '@/lib/web/http/page-access/pass-cookie';
import { getWeb } from '@/lib/web/http/server-services';
import { redirect } from './refusal';

/** Gives a browser a pass to a page, for as long as a session lasts at most, and redirects to the path `to` below the page. */
export function admitWithPass(
  request: Request,
  page: PageRow,
  { sessionId, to }: { sessionId: string | null; to: string },
): Response {
  const { clock, keyring, sessions } = getWeb().services;
  const { lifetimeMs: maxAgeMs } = sessions;
  const expiresAt = new Date(clock.now().getTime() + maxAgeMs);
  const pass = sealPass(keyring, page, { expiresAt, sessionId });
  const cookie = passCookie(request, { slug: page.slug, pass, maxAgeMs });
  return redirect(pathOn(request, page, to), { 'Set-Cookie': cookie });
}
