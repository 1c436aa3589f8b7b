import { randomUUID } from 'node:crypto';
import { Document } from '@/components/status-page/document';
import { linkTo } from '@/components/status-page/links';
import { Subscription, type SubscriptionScreen, titleOf } from '@/components/status-page/subscription';
import { themeCss } from '@/components/status-page/theme/theme-css';
import { type Translator, translatorOf } from '@/components/status-page/translator';
import { DomainError } from '@/lib/core/errors';
import type { Services } from '@/lib/domain/context/services';
import type { PageRow } from '@/lib/domain/status-pages/page-row';
import { serializeHead } from '@/lib/domain/status-pages/read-page-view';
import { PAGE_HOST_HEADER } from '@/lib/platform/page-front/application';
import type { Language } from '@/lib/schemas/language';
import { ERROR_STATUS } from '@/lib/web/http/problem';
import { RateLimitedError } from '@/lib/web/http/rate-limit';
import { getWeb } from '@/lib/web/http/server-services';
import { documentHeaders, renderDocument, respondPlain, securityPolicy } from './documents';
import { chooseLanguage } from './page-route';

/** What a step of a subscription is taken with; `query` is what the link in a mail carries. */
export type StepCall = {
  request: Request;
  services: Services;
  slug: string;
  query: URLSearchParams;
  language: Language;
};

/** What comes of a step. Without a page it is told on a plain one. */
export type StepAnswer = {
  screen: SubscriptionScreen;
  page: PageRow | null;
  status?: number;
  headers?: Record<string, string>;
};

type Step = (call: StepCall) => Promise<StepAnswer>;
type Handler = (request: Request, context: { params: Promise<{ slug: string }> }) => Promise<Response>;

/** What the links in mails carry; it stays in the address through every form. */
const CARRIED = ['id', 'token'];

/**
 * A handler of a step into a subscription or out of it: HTML without any script, kept by no cache, in the colours and
 * languages of the page. `path` is the step's below the page. What is not found gets the same 404 as every unknown page.
 */
export function subscriptionRoute(path: string, step: Step): Handler {
  return async (request, { params }) => {
    const { language, isChosen } = chooseLanguage(request);
    const t = translatorOf(language);
    try {
      const { slug } = await params;
      const query = new URL(request.url).searchParams;
      const { services } = getWeb();
      const answer = await step({ request, services, slug, query, language });
      return await answerStep(answer, { request, path, query, t, lang: isChosen ? language : undefined });
    } catch (error) {
      if (error instanceof DomainError && error.code === 'NOT_FOUND') {
        return respondPlain(404, t.messages.notFound, t);
      }
      if (error instanceof RateLimitedError) return tooManyRequests(error);
      if (error instanceof DomainError) return respondPlain(ERROR_STATUS[error.code], t.messages.fault, t);
      getWeb().log.error({ err: error, requestId: randomUUID(), path }, 'a step of a subscription failed');
      return respondPlain(500, t.messages.fault, t);
    }
  };
}

type Surroundings = {
  request: Request;
  path: string;
  query: URLSearchParams;
  t: Translator;
  lang: Language | undefined;
};

async function answerStep(
  { screen, page, status = 200, headers = {} }: StepAnswer,
  { request, path, query, t, lang }: Surroundings,
): Promise<Response> {
  if (page === null) {
    const { shows } = screen;
    return respondPlain(status, t.messages.subscription[shows === 'form' ? 'expired' : shows], t);
  }
  const head = serializeHead(page);
  const theme = themeCss(head.theme);
  const isOwnHost = request.headers.get(PAGE_HOST_HEADER) === '1';
  const place = { base: isOwnHost ? '' : `/status/${page.slug}`, lang };
  const carried = Object.fromEntries([...query].filter(([name]) => CARRIED.includes(name)));
  const html = await renderDocument(
    <Document
      page={head}
      theme={theme}
      place={place}
      path={path}
      query={carried}
      origin={null}
      title={titleOf(screen, t)}
      tone="rest"
      canSubscribe={false}
      isStill
      t={t}
    >
      <Subscription
        screen={screen}
        action={linkTo(place, path, carried)}
        pageName={page.name}
        place={place}
        t={t}
      />
    </Document>,
  );
  return new Response(html, {
    status,
    headers: {
      ...documentHeaders(t),
      'Content-Security-Policy': securityPolicy({ themeCss: theme.css, logoUrl: page.logoUrl, isForm: true }),
      'Cache-Control': 'no-store',
      // The address holds a token, which no other site may see; this one sees where its form was submitted.
      'Referrer-Policy': 'same-origin',
      ...headers,
    },
  });
}

function tooManyRequests({ message, headers }: RateLimitedError): Response {
  return new Response(`${message}\n`, {
    status: 429,
    headers: { ...headers, 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' },
  });
}
