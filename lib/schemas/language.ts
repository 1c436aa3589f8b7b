import Negotiator from 'negotiator';

/** The languages of status pages, in the order of their names; the first serves who asked for none of them. */
export const LANGUAGES = ['en', 'de', 'fr', 'es', 'ja', 'pt'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Whether a text is the code of a language of status pages. */
export function isLanguage(text: string): text is Language {
  return LANGUAGES.some((language) => language === text);
}

/** The language for a visitor with this `Accept-Language` header (RFC 9110): English where nothing fits. */
export function negotiateLanguage(acceptLanguage: string | null | undefined): Language {
  const headers = { 'accept-language': acceptLanguage ?? 'en' };
  const [best = LANGUAGES[0]] = new Negotiator({ headers }).languages([...LANGUAGES]);
  return isLanguage(best) ? best : LANGUAGES[0];
}
