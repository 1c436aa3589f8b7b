import { linkTo } from '@/components/status-page/links';
import { PasswordDocument, type PasswordProblem } from '@/components/status-page/password-form';
import { themeCss } from '@/components/status-page/theme/theme-css';
import type { Translator } from '@/components/status-page/translator';
import type { PageRow } from '@/lib/domain/status-pages/page-row';
import { getEnvironment } from '@/lib/env';
import type { Language } from '@/lib/schemas/language';
import { isPageHost } from '@/lib/web/http/address/request-address';
import { readPagePath } from '@/lib/web/http/page-access/page-paths';
import { type NotAdmittedError, refusalHeaders } from '@/lib/web/http/page-access/visit';
import { documentHeaders, placeOf, renderDocument, respondPlain, securityPolicy } from './documents';

type Wording = { t: Translator; lang: Language | undefined };

/** Responds to a visitor who is not admitted: asks for what would admit them, or looks like an unknown page. */
export async function respondNotAdmitted(
  request: Request,
  error: NotAdmittedError,
  wording: Wording,
): Promise<Response> {
  const { page, access } = error;
  const to = readPagePath(request, page);
  if (access === 'askPassword') return askPassword(request, page, { ...wording, to, problem: null });
  const signIn = access === 'askSignIn' ? signInUrl(request, page, to) : null;
  if (signIn !== null) return redirect(signIn, refusalHeaders(error));
  return respondPlain(404, wording.t.messages.notFound, wording.t, refusalHeaders(error));
}

type Asked = Wording & {
  /** The path below the page to show next, with its query. */
  to: string;
  problem: PasswordProblem | null;
  status?: number;
  headers?: Record<string, string>;
};

/** Shows the form for the password of a page. */
export async function askPassword(
  request: Request,
  page: PageRow,
  { t, lang, to, problem, status = 403, headers = {} }: Asked,
): Promise<Response> {
  const theme = themeCss(page);
  const action = linkTo(placeOf(request, page.slug, lang), '/access', to === '' ? {} : { to });
  const { bytes: html } = await renderDocument(
    <PasswordDocument action={action} problem={problem} theme={theme} t={t} />,
  );
  return new Response(html, {
    status,
    headers: {
      ...documentHeaders(t),
      'Content-Security-Policy': securityPolicy({ css: theme.css, images: null }, 'form'),
      'Cache-Control': 'private, no-store',
      'X-Robots-Tag': 'noindex, nofollow',
      // Our form needs the referrer, others must not get the path.
      'Referrer-Policy': 'same-origin',
      ...headers,
    },
  });
}

/**
 * Where a visitor signs in and comes back from: on the app's own host. On the domain of a page, the app's host must be known. null: there
 * is no way to sign in.
 */
function signInUrl(request: Request, { slug }: PageRow, to: string): string | null {
  if (!isPageHost(request)) return `/sign-in?${new URLSearchParams({ callbackUrl: `/status/${slug}${to}` })}`;
  const { APP_URL } = getEnvironment();
  return APP_URL === undefined ? null : `${APP_URL}/status/${slug}/access?${new URLSearchParams({ to })}`;
}

/** A redirect that no cache keeps. */
export function redirect(location: string, headers: Record<string, string> = {}): Response {
  const own = {
    Location: location,
    'Cache-Control': 'private, no-store',
    'X-Robots-Tag': 'noindex, nofollow',
  };
  return new Response(null, { status: 303, headers: { ...own, ...headers } });
}
