import type { ReactElement } from 'react';
import { PLAIN_THEME, PlainDocument } from '@/components/status-page/plain-document';
import type { Translator } from '@/components/status-page/translator';
import { STALE_MARK } from '@/lib/platform/page-front/stale-mark';
import { securityPolicy } from './security-policy';

/** The answer where there is no page to show: no cache keeps it, and it tells nothing of what was asked for. */
export async function answerPlain(
  status: number,
  says: { title: string; text: string },
  t: Translator,
): Promise<Response> {
  const html = await renderDocument(<PlainDocument says={says} t={t} />);
  const policy = securityPolicy({ themeCss: PLAIN_THEME.css, logoUrl: null });
  return new Response(html, {
    status,
    headers: { ...documentHeaders(t), 'Content-Security-Policy': policy, 'Cache-Control': 'no-store' },
  });
}

/** A whole document as text. */
export async function renderDocument(element: ReactElement): Promise<string> {
  // Next refuses a plain import: it would have one render React within React.
  const { renderToStaticMarkup } = await import('react-dom/server');
  // The first thing in <main>, so that a refresh in place takes the note away with it. React writes no comments.
  const html = renderToStaticMarkup(element).replace(/<main[^>]*>/, `$&${STALE_MARK}`);
  return `<!doctype html>${html}`;
}

/** What every document of a public page is sent with. */
export function documentHeaders(t: Translator): Record<string, string> {
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Language': t.language,
    Vary: 'Accept-Language',
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'strict-origin-when-cross-origin',
  };
}
