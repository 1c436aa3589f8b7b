import { LANGUAGES, type Language } from '@/lib/schemas/language';
import { translateServiceText } from './service-texts';
import type { Translations } from './translations';

const NAMES = ['title', 'description', 'message'] as const;
type Shown = Partial<Record<(typeof NAMES)[number], string>> & { translations: Translations };

/** Texts as a reader of a language sees them: translated by people, or by the service what it wrote. */
export function inLanguage<Texts extends Shown>(
  texts: Texts,
  language: Language,
  origin: { isAutomatic: boolean },
): Texts {
  const own = texts.translations[language];
  // As they were written.
  if (language === LANGUAGES[0] && own === undefined) return texts;
  const ours = NAMES.flatMap((name) => {
    const text = texts[name];
    return text === undefined ? [] : [[name, translateServiceText(text, language, origin)]];
  });
  return { ...texts, ...Object.fromEntries(ours), ...own };
}
