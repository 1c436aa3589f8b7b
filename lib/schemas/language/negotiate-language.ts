import Negotiator from 'negotiator';
import { isLanguage, LANGUAGES, type Language } from '@/lib/schemas/language';

/** The best language for an `Accept-Language` header (RFC 9110); English if none matches. */
export function negotiateLanguage(acceptLanguage: string | null | undefined): Language {
  const headers = { 'accept-language': acceptLanguage ?? 'en' };
  const [best = LANGUAGES[0]] = new Negotiator({ headers }).languages([...LANGUAGES]);
  return isLanguage(best) ? best : LANGUAGES[0];
}
