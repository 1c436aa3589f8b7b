import type { PasswordProblem } from '@/components/status-page/password-form';
import type { Translator } from '@/components/status-page/translator';
import { isPagePassword } from '@/lib/domain/status-pages/access/check-access';
import type { PageRow } from '@/lib/domain/status-pages/page-row';
import type { Language } from '@/lib/schemas/language';
import { enteredPasswordSchema } from '@/lib/schemas/status-pages/access';
import {
  countedAddress,
  isSameOrigin,
  readPageAddress,
  requestAddress,
} from '@/lib/web/http/address/request-address';
import { safePagePath } from '@/lib/web/http/page-access/page-paths';
import { findRejection } from '@/lib/web/http/rate-limit';
import { readForm } from '@/lib/web/http/read-input';
import { getWeb } from '@/lib/web/http/server-services';
import { admitWithPass } from './admit-with-pass';
import { askPassword } from './refusal';

/** Per address and page, right or wrong: hashing one costs as much as several pages. */
const ATTEMPTS_PER_MINUTE = 10;

/** Gives the sender of the password of a page a pass, and redirects to what they requested; shows the form again to others. */
export async function enterPassword(
  request: Request,
  page: PageRow,
  wording: { t: Translator; lang: Language | undefined },
): Promise<Response> {
  const to = safePagePath(new URL(request.url).searchParams.get('to') ?? '');
  const askAgain = (problem: PasswordProblem, status: number, headers?: Record<string, string>) =>
    askPassword(request, page, { ...wording, to, problem, status, headers });
  const form = await readForm(request);
  // Otherwise any site could guess from the addresses of its visitors.
  if (!isSameOrigin(request, [new URL(readPageAddress(request, page)).origin])) {
    return askAgain('otherSite', 403);
  }
  const tooMany = await countAttempt(request, page);
  if (tooMany !== null) return askAgain('tooMany', 429, tooMany);
  const { visitorServices: services } = getWeb();
  const { data: password } = enteredPasswordSchema.safeParse(form.password);
  if (password === undefined || !(await isPagePassword(services, page, password))) {
    return askAgain('wrong', 403);
  }
  return admitWithPass(request, page, { sessionId: null, to });
}

/** The headers of the rejection if an address makes too many attempts, else null. */
function countAttempt(
  { headers }: Request,
  { id }: Pick<PageRow, 'id'>,
): Promise<Record<string, string> | null> {
  const address = requestAddress(headers);
  const counted = address === null ? 'unknown' : countedAddress(address);
  const key = `page-password ${id} ${counted}`;
  return findRejection(getWeb().rateLimiter.count(key, ATTEMPTS_PER_MINUTE));
}
