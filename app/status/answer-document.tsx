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

/**
 * The Content-Security-Policy of a page: its own script and styles by their hashes, the page itself to refresh from, the
 * logo's host for images, and nothing else. A page with a form runs nothing, and sends the form to itself. Other web sites frame its `embed`, not the page.
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
    ...looksOf(themeCss, logoUrl),
    `form-action ${isForm ? "'self'" : "'none'"}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/**
 * The policy of a preview: it looks like the page, runs nothing and sends nothing, and only our own pages frame it. It keeps
 * its origin, for them to measure it; without scripts that gives it nothing.
 */
export function previewPolicy({ themeCss, logoUrl }: { themeCss: string; logoUrl: string | null }): string {
  return [
    "default-src 'none'",
    ...looksOf(themeCss, logoUrl),
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
    'sandbox allow-same-origin',
  ].join('; ');
}

function looksOf(themeCss: string, logoUrl: string | null): string[] {
  const logo = readLogo(logoUrl);
  return [
    `style-src ${STYLE} ${hash(themeCss)}`,
    `img-src data:${logo === null ? '' : ` ${new URL(logo).origin}`}`,
  ];
}

/** As a browser compares it: of the text between the tags, to the byte. */
function hash(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
