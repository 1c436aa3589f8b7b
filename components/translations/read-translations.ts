import { readText } from '@/components/ui/forms/form-state';
import { LANGUAGES } from '@/lib/schemas/language';
import { translationName } from './translation-names';

/** The submitted translations of the texts of these names, as an unvalidated field of a body. */
export function readTranslations(form: FormData, names: readonly string[]): Record<string, unknown> {
  const translated = LANGUAGES.map((language) => {
    const texts = names.map((name) => [name, readText(form, translationName(language, name))] as const);
    return [language, Object.fromEntries(texts.filter(([, text]) => text !== ''))] as const;
  });
  return Object.fromEntries(translated.filter(([, texts]) => Object.keys(texts).length > 0));
}
