import { createHash } from 'node:crypto';
import type { ReactElement } from 'react';
import type { ServiceName } from '@/components/status-page/brand';
import { PLAIN_THEME, PlainDocument } from '@/components/status-page/document';
import { type EncodedDocument, encodeDocument } from '@/components/status-page/encoded-parts';
import { REFRESH_SCRIPT } from '@/components/status-page/freshness';
import { type Images, imageOrigins, type PagePlace } from '@/components/status-page/links';
import { STYLESHEET } from '@/components/status-page/stylesheet';
import type { Translator } from '@/components/status-page/translator';
import { mapInTurns } from '@/lib/core/map-in-turns';
import { getEnvironment } from '@/lib/env';
import { STALE_MARK } from '@/lib/platform/page-front/application';
import { isLanguage, type Language } from '@/lib/schemas/language';
import { negotiateLanguage } from '@/lib/schemas/language/negotiate-language';
import { isPageHost } from '@/lib/web/http/address/request-address';

const SCRIPT = hash(REFRESH_SCRIPT);
const STYLE = hash(STYLESHEET);

/** The language of the response: `?lang=` if it is supported, else the browser's preference. */
export function chooseLanguage(request: Request): { language: Language; isChosen: boolean } {
  const lang = new URL(request.url).searchParams.get('lang');
  if (lang !== null && isLanguage(lang)) return { language: lang, isChosen: true };
  return { language: negotiateLanguage(request.headers.get('accept-language')), isChosen: false };
}

/** Where links of a page lead: it is requested on its own domain, or below `/status`. */
export function placeOf(request: Request, slug: string, lang: Language | undefined): PagePlace {
  return { base: isPageHost(request) ? '' : `/status/${slug}`, lang };
}

/** What pages call this service. */
export function readServiceName(): ServiceName {
  const { SERVICE_NAME, APP_URL } = getEnvironment();
  return { name: SERVICE_NAME, url: APP_URL ?? null };
}

/** Responds with an uncacheable plain page. */
export async function respondPlain(
  status: number,
  { title, text }: { title: string; text: string },
  t: Translator,
  headers: Record<string, string> = {},
): Promise<Response> {
  const { bytes: html } = await renderDocument(<PlainDocument title={title} text={text} t={t} />);
  const policy = securityPolicy({ css: PLAIN_THEME.css, images: null });
  return new Response(html, {
    status,
    headers: {
      ...documentHeaders(t),
      'Content-Security-Policy': policy,
      'Cache-Control': 'no-store',
      ...headers,
    },
  });
}

/** A complete document as HTML, in UTF-8. */
export async function renderDocument(element: ReactElement): Promise<EncodedDocument> {
  // Next rejects a static import of react-dom/server.
  const { renderToStaticMarkup } = await import('react-dom/server');
  return encodeDocument({ write: renderToStaticMarkup, digest, inTurns: mapInTurns }, () => {
    // The mark is inside <main>, so that the next refresh removes the note that may replace it. React writes no comments.
    const html = renderToStaticMarkup(element).replace(/<main[^>]*>/, `$&${STALE_MARK}`);
    return `<!doctype html>${html}`;
  });
}

function digest(part: Uint8Array): Uint8Array {
  return createHash('sha256').update(part).digest();
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

type Drawn = { css: string; images: Images | null; embedOrigins?: readonly string[] };

/**
 * The Content-Security-Policy of a document: its own styles by hash, and images from the hosts of its logos and icon. A page may run its own
 * script and send requests to its origin, a searchable one also by a form; a form runs no script and may submit to its origin. A preview may
 * do neither; only our own pages may frame it, and it keeps its origin, so that they can measure it. `embedOrigins` may frame other documents.
 */
export function securityPolicy(
  { css, images, embedOrigins = [] }: Drawn,
  kind: 'page' | 'searchable' | 'form' | 'preview' = 'page',
): string {
  const origins = images === null ? [] : imageOrigins(images);
  return [
    "default-src 'none'",
    ...(kind === 'page' || kind === 'searchable' ? [`script-src ${SCRIPT}`, "connect-src 'self'"] : []),
    `style-src ${STYLE} ${hash(css)}`,
    ['img-src data:', ...origins].join(' '),
    `form-action ${kind === 'form' || kind === 'searchable' ? "'self'" : "'none'"}`,
    "base-uri 'none'",
    `frame-ancestors ${kind === 'preview' ? "'self'" : embedOrigins.join(' ') || "'none'"}`,
    ...(kind === 'preview' ? ['sandbox allow-same-origin'] : []),
  ].join('; ');
}

/** The hash of the text between the tags, as browsers calculate it. */
function hash(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
