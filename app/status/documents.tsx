import { createHash } from 'node:crypto';
import type { ReactElement } from 'react';
import { PLAIN_THEME, PlainDocument } from '@/components/status-page/document';
import { REFRESH_SCRIPT } from '@/components/status-page/freshness';
import { readLogo } from '@/components/status-page/links';
import { STYLESHEET } from '@/components/status-page/stylesheet';
import type { Translator } from '@/components/status-page/translator';
import { STALE_MARK } from '@/lib/platform/page-front/application';

const SCRIPT = hash(REFRESH_SCRIPT);

const STYLE = hash(STYLESHEET);

/** Responds with an uncacheable error page that reveals nothing about the request. */
export async function respondPlain(
  status: number,
  texts: { title: string; text: string },
  t: Translator,
): Promise<Response> {
  const html = await renderDocument(<PlainDocument title={texts.title} text={texts.text} t={t} />);
  const policy = securityPolicy({ themeCss: PLAIN_THEME.css, logoUrl: null });
  return new Response(html, {
    status,
    headers: { ...documentHeaders(t), 'Content-Security-Policy': policy, 'Cache-Control': 'no-store' },
  });
}

/** A complete document as HTML. */
export async function renderDocument(element: ReactElement): Promise<string> {
  // Next rejects a static import of react-dom/server.
  const { renderToStaticMarkup } = await import('react-dom/server');
  // The mark is inside <main>, so that the next refresh removes the note that may replace it. React writes no comments.
  const html = renderToStaticMarkup(element).replace(/<main[^>]*>/, `$&${STALE_MARK}`);
  return `<!doctype html>${html}`;
}

/** The headers of every document of a public page. */
export function documentHeaders(t: Translator): Record<string, string> {
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Language': t.language,
    Vary: 'Accept-Language',
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'strict-origin-when-cross-origin',
  };
}

/**
 * The Content-Security-Policy of a page. Allowed are its own script and styles by hash, requests to its own origin, and
 * images from the logo's host. A page with a form runs no script and may submit to itself. Pages cannot be framed; `embed` can.
 */
export function securityPolicy({
  themeCss,
  logoUrl,
  isForm = false,
}: {
  themeCss: string;
  logoUrl: string | null;
  isForm?: boolean;
}): string {
  return [
    "default-src 'none'",
    ...(isForm ? [] : [`script-src ${SCRIPT}`, "connect-src 'self'"]),
    ...styleRules(themeCss, logoUrl),
    `form-action ${isForm ? "'self'" : "'none'"}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/**
 * The policy of a preview: no scripts, no forms, and only our own pages may frame it. It keeps its origin, so that they can
 * measure it; without scripts that is harmless.
 */
export function previewPolicy({ themeCss, logoUrl }: { themeCss: string; logoUrl: string | null }): string {
  return [
    "default-src 'none'",
    ...styleRules(themeCss, logoUrl),
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
    'sandbox allow-same-origin',
  ].join('; ');
}

function styleRules(themeCss: string, logoUrl: string | null): string[] {
  const logo = readLogo(logoUrl);
  return [
    `style-src ${STYLE} ${hash(themeCss)}`,
    `img-src data:${logo === null ? '' : ` ${new URL(logo).origin}`}`,
  ];
}

/** The hash of the text between the tags, as browsers calculate it. */
function hash(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
