import { isLanguage, type Language } from '@/lib/schemas/language';
import { de } from './de';
import { en } from './en';
import { es } from './es';
import { fr } from './fr';
import { ja } from './ja';
import type { PageTexts, Plural } from './page-texts';
import { pt } from './pt';

const TEXTS: Record<Language, PageTexts> = { en, de, fr, es, ja, pt };

/** The texts and grammar of emails to subscribers in one language. */
export type PageWords = {
  language: Language;
  texts: PageTexts;
  /** The plural form for `n`, with the number filled in. */
  plural(forms: Plural, n: number): string;
  /** `a and b` */
  list(parts: string[]): string;
};

/** The words for a language code; English for unsupported languages. */
export function pageWords(code: string): PageWords {
  const language = isLanguage(code) ? code : 'en';
  const rules = new Intl.PluralRules(language);
  const list = new Intl.ListFormat(language);
  return {
    language,
    texts: TEXTS[language],
    plural: (forms, n) => (forms[rules.select(n)] ?? forms.other).replace('{n}', String(n)),
    list: (parts) => list.format(parts),
  };
}
