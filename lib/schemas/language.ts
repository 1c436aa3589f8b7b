import Negotiator from 'negotiator';

/** The languages of status pages, in display order. The first is the fallback. */
export const LANGUAGES = ['en', 'de', 'fr', 'es', 'ja', 'pt'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Whether a text is the code of a supported language. */
export function isLanguage(text: string): text is Language {
  return LANGUAGES.some((language) => language === text);
}

/** The best language for an `Accept-Language` header (RFC 9110); English if none matches. */
export function negotiateLanguage(acceptLanguage: string | null | undefined): Language {
  const headers = { 'accept-language': acceptLanguage ?? 'en' };
  const [best = LANGUAGES[0]] = new Negotiator({ headers }).languages([...LANGUAGES]);
  return isLanguage(best) ? best : LANGUAGES[0];
}
