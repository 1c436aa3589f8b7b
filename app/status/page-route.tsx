import { randomUUID } from 'node:crypto';
import type { ReactElement } from 'react';
import { z } from 'zod';
import type { Place } from '@/components/status-page/links';
import { type ThemeCss, themeCss } from '@/components/status-page/theme/theme-css';
import { type Translator, translatorOf } from '@/components/status-page/translator';
import { DomainError } from '@/lib/core/errors';
import { readFeed } from '@/lib/domain/status-pages/public/read-feed';
import type { PageHead } from '@/lib/domain/status-pages/public/read-page-view';
import { type FeedFormat, writeFeed } from '@/lib/domain/status-pages/public/write-feed';
import { statusPageNotFound } from '@/lib/domain/status-pages/read-status-pages';
import { getEnvironment } from '@/lib/env';
import { PAGE_HOST_HEADER } from '@/lib/platform/page-front/application';
import { isLanguage, type Language, negotiateLanguage } from '@/lib/schemas/language';
import { isSlug } from '@/lib/schemas/status-pages/status-page';
import { respondConditionally } from '@/lib/web/http/conditional';
import { CACHE_TAG_HEADER, pageResource } from '@/lib/web/http/page-resource';
import { getWeb } from '@/lib/web/http/server-services';
import { documentHeaders, renderDocument, respondPlain, securityPolicy } from './documents';

type Params = { slug: string };
type Services = ReturnType<typeof getWeb>['services'];

/** What all views of a page have in common; `asOf` is when the data was read. */
type View = { page: PageHead; asOf: string };

/** What a view is rendered with. `origin` is the absolute URL of the page; null if the service does not know its own. */
export type Drawing = {
  place: Place;
  origin: string | null;
  /** Whether visitors can subscribe to emails. */
  canSubscribe: boolean;
  theme: ThemeCss;
  t: Translator;
};

type PageRoute<P extends Params, V extends View> = {
  read(services: Services, params: P, query: URLSearchParams): Promise<V>;
  draw(view: V, drawing: Drawing): ReactElement;
};

/** A GET handler that returns HTML without framework scripts. Everything that is not found gets the same page. */
export function pageRoute<P extends Params, V extends View>({ read, draw }: PageRoute<P, V>) {
  return async (request: Request, { params }: { params: Promise<P> }): Promise<Response> => {
    const { language, isChosen } = chooseLanguage(request);
    const t = translatorOf(language);
    try {
      const known = await params;
      if (!isSlug(known.slug)) throw statusPageNotFound();
      const { services } = getWeb();
      const view = await read(services, known, new URL(request.url).searchParams);
      const isOwnHost = request.headers.get(PAGE_HOST_HEADER) === '1';
      const place = {
        base: isOwnHost ? '' : `/status/${view.page.slug}`,
        lang: isChosen ? language : undefined,
      };
      const theme = themeCss(view.page.theme);
      const origin = originOf(view.page);
      const canSubscribe = services.mail.isOn && origin !== null;
      return await respondPage(
        request,
        { view, t, theme },
        draw(view, { place, origin, canSubscribe, theme, t }),
      );
    } catch (error) {
      if (error instanceof DomainError && error.code === 'NOT_FOUND')
        return respondPlain(404, t.messages.notFound, t);
      const { pathname } = new URL(request.url);
      getWeb().log.error({ err: error, requestId: randomUUID(), path: pathname }, 'status page failed');
      return respondPlain(500, t.messages.fault, t);
    }
  };
}

async function respondPage(
  request: Request,
  { view, t, theme }: { view: View; t: Translator; theme: ThemeCss },
  element: ReactElement,
): Promise<Response> {
  const html = await renderDocument(element);
  const headers = {
    ...documentHeaders(t),
    'Content-Security-Policy': securityPolicy({ themeCss: theme.css, logoUrl: view.page.logoUrl }),
    'Cache-Control': 'public, s-maxage=10, stale-while-revalidate=60',
    [CACHE_TAG_HEADER]: view.page.id,
  };
  // The time of reading alone does not change the ETag.
  const identity = html.replaceAll(view.asOf, '').replaceAll(t.moment(view.asOf), '');
  return respondConditionally(request, html, headers, identity);
}

/** Not from the request's Host header, because the response is cached for all visitors. */
function originOf({ slug, customDomain, customDomainVerified }: PageHead): string | null {
  if (customDomain !== null && customDomainVerified) return `https://${customDomain}`;
  const { APP_URL } = getEnvironment();
  return APP_URL === undefined ? null : `${APP_URL}/status/${slug}`;
}

/** The handlers of a page's feed. */
export function feedResource(format: FeedFormat) {
  return pageResource({
    contentType: `application/${format}+xml; charset=utf-8`,
    query: z.object({}),
    write: async ({ services, page, address }) => {
      const { SERVICE_NAME: serviceName } = getEnvironment();
      return { body: writeFeed({ ...(await readFeed(services, page)), address, serviceName }, format) };
    },
  });
}

/** The language of the response: `?lang=` if it is supported, else the browser's preference. */
export function chooseLanguage(request: Request): { language: Language; isChosen: boolean } {
  const lang = new URL(request.url).searchParams.get('lang');
  if (lang !== null && isLanguage(lang)) return { language: lang, isChosen: true };
  return { language: negotiateLanguage(request.headers.get('accept-language')), isChosen: false };
}
