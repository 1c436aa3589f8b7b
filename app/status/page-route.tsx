import { randomUUID } from 'node:crypto';
import type { ReactElement } from 'react';
import { z } from 'zod';
import type { Place } from '@/components/status-page/links';
import { type ThemeCss, themeCss } from '@/components/status-page/theme/theme-css';
import { type Translator, translatorOf } from '@/components/status-page/translator';
import { DomainError } from '@/lib/core/errors';
import { readFeed } from '@/lib/domain/status-pages/read-feed';
import type { PageHead } from '@/lib/domain/status-pages/read-page-view';
import { statusPageNotFound } from '@/lib/domain/status-pages/read-status-pages';
import { type FeedFormat, writeFeed } from '@/lib/domain/status-pages/write-feed';
import { getEnvironment } from '@/lib/env';
import { PAGE_HOST_HEADER } from '@/lib/platform/page-front/application';
import { isLanguage, type Language, negotiateLanguage } from '@/lib/schemas/language';
import { isSlug } from '@/lib/schemas/status-page';
import { answerConditionally } from '@/lib/web/http/conditional';
import { CACHE_TAG_HEADER, pageResource } from '@/lib/web/http/page-resource';
import { getWeb } from '@/lib/web/http/server-services';
import { documentHeaders, renderDocument, respondPlain, securityPolicy } from './documents';

type Params = { slug: string };
type Services = ReturnType<typeof getWeb>['services'];

/** What every view of a page has in common; `asOf` is when it was read. */
type View = { page: PageHead; asOf: string };

/** What a view is drawn with. `origin` is the page's own absolute address, null where the service does not know its own. */
export type Drawing = {
  place: Place;
  origin: string | null;
  /** Whether people can subscribe to mails. */
  canSubscribe: boolean;
  theme: ThemeCss;
  t: Translator;
};

type PageRoute<P extends Params, V extends View> = {
  read(services: Services, params: P, query: URLSearchParams): Promise<V>;
  draw(view: V, drawing: Drawing): ReactElement;
};

/** A GET handler that answers HTML without any framework script; whatever is not found gets one and the same page. */
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
      return await answerPage(
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

async function answerPage(
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
  // That nothing but the clock has moved is no change.
  const identity = html.replaceAll(view.asOf, '').replaceAll(t.moment(view.asOf), '');
  return answerConditionally(request, html, headers, identity);
}

/** Never from the request's own Host header: what is cached for everybody must not carry one visitor's word. */
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

/** The language to answer in: `?lang=` where it names one that the page speaks, else what the browser likes best. */
export function chooseLanguage(request: Request): { language: Language; isChosen: boolean } {
  const asked = new URL(request.url).searchParams.get('lang');
  if (asked !== null && isLanguage(asked)) return { language: asked, isChosen: true };
  return { language: negotiateLanguage(request.headers.get('accept-language')), isChosen: false };
}
