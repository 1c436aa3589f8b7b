import { type Translator, translatorOf } from '@/components/status-page/translator';
import { DomainError } from '@/lib/core/errors';
import type { Language } from '@/lib/schemas/language';
import { NotAdmittedError } from '@/lib/web/http/page-access/visit';
import { CODE_HEADERS, ERROR_STATUS, reportedError } from '@/lib/web/http/problem';
import { RateLimitedError } from '@/lib/web/http/rate-limit';
import { getWeb } from '@/lib/web/http/server-services';
import { chooseLanguage, respondPlain } from './documents';
import { respondNotAdmitted } from './refusal';

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
    if (error instanceof NotAdmittedError) {
      return respondNotAdmitted(request, error, { t, lang: isChosen ? language : undefined });
    }
    if (error instanceof RateLimitedError) return tooManyRequests(error);
    if (!(error instanceof DomainError)) {
      const { pathname: path } = new URL(request.url);
      getWeb().log.error({ err: error, path }, 'status page failed');
    }
    const { code } = reportedError(error);
    const texts = code === 'NOT_FOUND' ? t.messages.notFound : t.messages.fault;
    return respondPlain(ERROR_STATUS[code], texts, t, CODE_HEADERS[code]);
  }
}

function tooManyRequests({ message, headers }: RateLimitedError): Response {
  return new Response(`${message}\n`, {
    status: 429,
    headers: { ...headers, 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' },
  });
}
