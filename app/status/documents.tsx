import { createHash, randomUUID } from 'node:crypto';
import type { ReactElement } from 'react';
import type { ServiceName } from '@/components/status-page/brand';
import { PLAIN_THEME, PlainDocument } from '@/components/status-page/document';
import { encodeDocument } from '@/components/status-page/encoded-parts';
import { REFRESH_SCRIPT } from '@/components/status-page/freshness';
import { type Images, imageOrigins, type Place } from '@/components/status-page/links';
import { STYLESHEET } from '@/components/status-page/stylesheet';
import { type Translator, translatorOf } from '@/components/status-page/translator';
import { DomainError } from '@/lib/core/errors';
import { getEnvironment } from '@/lib/env';
import { PAGE_HOST_HEADER, STALE_MARK } from '@/lib/platform/page-front/application';
import { isLanguage, type Language, negotiateLanguage } from '@/lib/schemas/language';
import { ERROR_STATUS } from '@/lib/web/http/problem';
import { RateLimitedError } from '@/lib/web/http/rate-limit';
import { getWeb } from '@/lib/web/http/server-services';

const SCRIPT = hash(REFRESH_SCRIPT);
const STYLE = hash(STYLESHEET);

/**
 * Responds in the language of the visitor, or with an error page that reveals nothing about the request. Everything that is not
 * found gets the same page. `lang` is the language chosen in the URL, which links keep.
 */
export async function respondTranslated(
  request: Request,
  respond: (t: Translator, lang: Language | undefined) => Promise<Response>,
): Promise<Response> {
  const { language, isChosen } = chooseLanguage(request);
  const t = translatorOf(language);
  try {
    return await respond(t, isChosen ? language : undefined);
  } catch (error) {
    if (error instanceof RateLimitedError) return tooManyRequests(error);
    if (error instanceof DomainError) {
      const texts = error.code === 'NOT_FOUND' ? t.messages.notFound : t.messages.fault;
      return respondPlain(ERROR_STATUS[error.code], texts, t);
    }
    const { pathname: path } = new URL(request.url);
    getWeb().log.error({ err: error, requestId: randomUUID(), path }, 'status page failed');
    return respondPlain(500, t.messages.fault, t);
  }
}

/** The language of the response: `?lang=` if it is supported, else the browser's preference. */
export function chooseLanguage(request: Request): { language: Language; isChosen: boolean } {
  const lang = new URL(request.url).searchParams.get('lang');
  if (lang !== null && isLanguage(lang)) return { language: lang, isChosen: true };
  return { language: negotiateLanguage(request.headers.get('accept-language')), isChosen: false };
}

/** Where links of a page lead: it is requested on its own domain, or below `/status`. */
export function placeOf(request: Request, slug: string, lang: Language | undefined): Place {
  const isOwnHost = request.headers.get(PAGE_HOST_HEADER) === '1';
  return { base: isOwnHost ? '' : `/status/${slug}`, lang };
}

function tooManyRequests({ message, headers }: RateLimitedError): Response {
  return new Response(`${message}\n`, {
    status: 429,
    headers: { ...headers, 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' },
  });
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
): Promise<Response> {
  const html = await renderDocument(<PlainDocument title={title} text={text} t={t} />);
  const policy = securityPolicy({ css: PLAIN_THEME.css, images: null });
  return new Response(html, {
    status,
    headers: { ...documentHeaders(t), 'Content-Security-Policy': policy, 'Cache-Control': 'no-store' },
  });
}

/** A complete document as HTML, in UTF-8. */
export async function renderDocument(element: ReactElement): Promise<Uint8Array<ArrayBuffer>> {
  // Next rejects a static import of react-dom/server.
  const { renderToStaticMarkup } = await import('react-dom/server');
  return encodeDocument(() => {
    // The mark is inside <main>, so that the next refresh removes the note that may replace it. React writes no comments.
    const html = renderToStaticMarkup(element).replace(/<main[^>]*>/, `$&${STALE_MARK}`);
    return `<!doctype html>${html}`;
  });
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
 * The Content-Security-Policy of a document: its own styles by hash, and images from the hosts of its logos and icon. A page may run its own
 * script and send requests to its origin; a form runs no script and may submit to itself. A preview may do neither; only our
 * own pages may frame it, and it keeps its origin, so that they can measure it. Other documents cannot be framed.
 */
export function securityPolicy(
  { css, images }: { css: string; images: Images | null },
  kind: 'page' | 'form' | 'preview' = 'page',
): string {
  const origins = images === null ? [] : imageOrigins(images);
  return [
    "default-src 'none'",
    ...(kind === 'page' ? [`script-src ${SCRIPT}`, "connect-src 'self'"] : []),
    `style-src ${STYLE} ${hash(css)}`,
    ['img-src data:', ...origins].join(' '),
    `form-action ${kind === 'form' ? "'self'" : "'none'"}`,
    "base-uri 'none'",
    `frame-ancestors ${kind === 'preview' ? "'self'" : "'none'"}`,
    ...(kind === 'preview' ? ['sandbox allow-same-origin'] : []),
  ].join('; ');
}

/** The hash of the text between the tags, as browsers calculate it. */
function hash(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
