/** The languages of status pages, in display order. The first is the fallback. */
export const LANGUAGES = ['en', 'de', 'fr', 'es', 'ja', 'pt'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Whether a text is the code of a supported language. */
export function isLanguage(text: string): text is Language {
  return LANGUAGES.some((language) => language === text);
}
