import type { ReactElement } from 'react';
import type { ServiceName } from '@/components/status-page/brand';
import { FRESHNESS_MARKS } from '@/components/status-page/freshness';
import { type PagePlace, uploadedPaths } from '@/components/status-page/links';
import { pageCss } from '@/components/status-page/theme/page-css';
import type { ThemeCss } from '@/components/status-page/theme/theme-css';
import { inTimeZone, type Translator } from '@/components/status-page/translator';
import type { Gate } from '@/lib/domain/status-pages/access/check-access';
import type { PageHead } from '@/lib/domain/status-pages/public/read-page-view';
import { getEnvironment } from '@/lib/env';
import { PARTS_HEADER } from '@/lib/platform/page-front/application';
import { respondConditionally, tagOf } from '@/lib/web/http/conditional';
import { countVisitor } from '@/lib/web/http/count-visitor';
import type { CacheBound } from '@/lib/web/http/page-access/caching';
import { beginVisit } from '@/lib/web/http/page-access/visit';
import { getWeb } from '@/lib/web/http/server-services';
import { documentHeaders, placeOf, readServiceName, renderDocument, securityPolicy } from './documents';
import { respondTranslated } from './respond-translated';

type Params = { slug: string };
type Services = ReturnType<typeof getWeb>['visitorServices'];

/** What all views of a page have in common; `asOf` is when the data was read. */
type View = { page: PageHead; asOf: string };

/** What a view is rendered with. `origin` is the absolute URL of the page; null if the service does not know its own. */
export type Drawing = {
  place: PagePlace;
  origin: string | null;
  /** Whether visitors can subscribe. */
  canSubscribe: boolean;
  service: ServiceName;
  theme: ThemeCss;
  t: Translator;
};

/** What a view is read with; `admit` decides whether the visitor may see the page. */
export type ReadCall<P extends Params> = {
  services: Services;
  params: P;
  query: URLSearchParams;
  admit: Gate;
};

type PageRoute<P extends Params, V extends View> = {
  read(call: ReadCall<P>): Promise<V>;
  draw(view: V, drawing: Drawing): ReactElement;
  /** With a search form, or what one found: for one visitor, without a script, neither stored nor indexed. By default neither. */
  kind?: 'page' | 'searchable' | 'found';
};

/** Each reads the texts of up to a thousand incidents. */
const SEARCHES = { of: 'search', perMinute: 60 };
const FOUND = { 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' };

/** A GET handler that returns HTML without framework scripts. Everything that is not found gets the same page. */
export function pageRoute<P extends Params, V extends View>({ read, draw, kind = 'page' }: PageRoute<P, V>) {
  return (request: Request, { params }: { params: Promise<P> }): Promise<Response> =>
    respondTranslated(request, async (t, lang) => {
      const { visitorServices: services } = getWeb();
      const isFound = kind === 'found';
      await (isFound ? countVisitor(request, SEARCHES) : countVisitor(request));
      const query = new URL(request.url).searchParams;
      const visit = beginVisit(request, 'document');
      const view = await read({ services, params: await params, query, admit: visit.admit });
      const { page } = view;
      const theme = pageCss(page);
      const origin = originOf(page);
      const { bytes: html, outline } = await renderDocument(
        draw(view, {
          place: placeOf(request, page.slug, lang),
          origin,
          canSubscribe: services.mail.isOn && origin !== null,
          service: readServiceName(),
          theme,
          t: inTimeZone(t, page.timeZone),
        }),
      );
      const { embedOrigins } = page;
      const policy = securityPolicy({ css: theme.css, images: page, embedOrigins }, isFound ? 'form' : kind);
      const headers = {
        ...documentHeaders(t),
        'Content-Security-Policy': policy,
        ...(isFound ? FOUND : visit.headers(boundOf(page, services.clock.now()))),
        [PARTS_HEADER]: uploadedPaths(page).join(' '),
      };
      if (isFound) return new Response(html, { headers });
      // The time of reading alone does not change the ETag. The policy does: not all browsers take that of a 304.
      return respondConditionally(request, html, headers, {
        etag: tagOf([outline, new TextEncoder().encode(policy)], { changing: FRESHNESS_MARKS }),
      });
    });
}

/** A copy is kept no longer than the announcement on it. */
function boundOf({ announcement }: PageHead, now: Date): CacheBound | undefined {
  return announcement === null ? undefined : { until: Date.parse(announcement.endsAt), now: now.getTime() };
}

/** Not from the request's Host header, because the response is cached for all visitors. */
function originOf({ slug, customDomain, customDomainVerified }: PageHead): string | null {
  if (customDomain !== null && customDomainVerified) return `https://${customDomain}`;
  const { APP_URL } = getEnvironment();
  return APP_URL === undefined ? null : `${APP_URL}/status/${slug}`;
}
