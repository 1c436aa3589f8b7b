import { Document } from '@/components/status-page/document';
import { linkTo } from '@/components/status-page/links';
import { Subscription, titleOf } from '@/components/status-page/subscription/subscription';
import type { SubscriptionScreen } from '@/components/status-page/subscription/subscription-screen';
import { pageCss } from '@/components/status-page/theme/page-css';
import type { Services } from '@/lib/domain/context/services';
import { type Gate, isOpen } from '@/lib/domain/status-pages/access/check-access';
import type { PageRow } from '@/lib/domain/status-pages/page-row';
import { serializeHead, serializeReducedHead } from '@/lib/domain/status-pages/public/read-page-view';
import type { Language } from '@/lib/schemas/language';
import { beginVisit } from '@/lib/web/http/page-access/visit';
import { getWeb } from '@/lib/web/http/server-services';
import {
  documentHeaders,
  placeOf,
  readServiceName,
  renderDocument,
  respondPlain,
  securityPolicy,
} from './documents';
import { respondTranslated } from './respond-translated';

/** The input of a subscription step; `query` has the parameters of the emailed link. */
export type StepCall = {
  request: Request;
  services: Services;
  slug: string;
  query: URLSearchParams;
  language: Language;
  /** Decides whether the visitor may see the page. */
  admit: Gate;
};

/** The result of a step. Without a page, it is shown as a plain document. */
export type StepResult = {
  screen: SubscriptionScreen;
  page: PageRow | null;
  status?: number;
  headers?: Record<string, string>;
};

/** The parameters of emailed links; every form keeps them in its URL. */
const LINK_PARAMETERS = ['id', 'token'];

/**
 * A handler for a step of subscribing or unsubscribing: uncached HTML without scripts, in the colors and languages of the
 * page. `path` is relative to the page. Everything that is not found gets the same 404 as an unknown page.
 */
export function subscriptionRoute(path: string, step: (call: StepCall) => Promise<StepResult>) {
  return (request: Request, { params }: { params: Promise<{ slug: string }> }): Promise<Response> =>
    respondTranslated(request, async (t, lang) => {
      const { slug } = await params;
      const query = new URL(request.url).searchParams;
      const { visitorServices: services } = getWeb();
      const visit = beginVisit(request, 'document');
      let isAdmitted = false;
      const admit: Gate = async (page) => {
        await visit.admit(page);
        isAdmitted = true;
      };
      const call = { request, services, slug, query, language: t.language, admit };
      const { screen, page, status = 200, headers = {} } = await step(call);
      if (page === null) {
        const { shows } = screen;
        return respondPlain(status, t.messages.subscription[shows === 'form' ? 'expired' : shows], t);
      }
      // A link in an email admits to the subscription, not to the page.
      const isShown = isAdmitted || isOpen(page);
      const head = isShown ? serializeHead(page, services.clock.now()) : serializeReducedHead(page);
      const theme = pageCss(head);
      const place = placeOf(request, page.slug, lang);
      const carried = Object.fromEntries([...query].filter(([name]) => LINK_PARAMETERS.includes(name)));
      const { bytes: html } = await renderDocument(
        <Document
          theme={theme}
          place={place}
          path={path}
          t={t}
          page={head}
          query={carried}
          origin={null}
          service={readServiceName()}
          title={titleOf(screen, t)}
          tone="rest"
          canSubscribe={false}
          isStill
        >
          <Subscription
            screen={screen}
            place={place}
            t={t}
            actionOf={(step) => linkTo(place, step, carried)}
            pageName={page.name}
          />
        </Document>,
      );
      return new Response(html, {
        status,
        headers: {
          ...documentHeaders(t),
          'Content-Security-Policy': securityPolicy({ css: theme.css, images: head }, 'form'),
          'Cache-Control': 'no-store',
          'X-Robots-Tag': 'noindex',
          // The URL contains a token, which must not be sent to other sites. Our own forms need the referrer.
          'Referrer-Policy': 'same-origin',
          ...headers,
        },
      });
    });
}
