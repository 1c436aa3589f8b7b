import { isLanguage, type Language } from '@/lib/schemas/language';
import { fillPlural, type Plural, type TextSet } from '@/lib/schemas/language/texts';
import de from './de.json' with { type: 'json' };
import en from './en.json' with { type: 'json' };
import es from './es.json' with { type: 'json' };
import fr from './fr.json' with { type: 'json' };
import ja from './ja.json' with { type: 'json' };
import pt from './pt.json' with { type: 'json' };

/** Every text of the emails to subscribers. For translators: lib/schemas/language/README.md. */
export const PAGE_TEXTS: TextSet<typeof en> = { en, de, fr, es, ja, pt };

/** The texts and grammar of emails to subscribers in one language. */
export type PageWords = {
  language: Language;
  texts: (typeof PAGE_TEXTS)[Language];
  /** The plural form for `n`, with the number filled in. */
  plural(forms: Plural, n: number): string;
  /** `a and b` */
  list(parts: string[]): string;
};

/** The words for a language code; English for unsupported languages. */
export function pageWords(code: string): PageWords {
  const language = isLanguage(code) ? code : 'en';
  const list = new Intl.ListFormat(language);
  return {
    language,
    texts: PAGE_TEXTS[language],
    plural: (forms, n) => fillPlural(forms, n, language),
    list: (parts) => list.format(parts),
  };
}
