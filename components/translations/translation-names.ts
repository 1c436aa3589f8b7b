import type { Translations } from '@/lib/schemas/incidents/translations';
import { LANGUAGES, type Language } from '@/lib/schemas/language';

/** The name of the field of a text in a language. */
export function translationName(language: Language, text: string): string {
  return `translation.${language}.${text}`;
}

/** Translations as the values of their fields; `renamed` are the names of texts that fields call otherwise. */
export function translationValues(
  translations: Translations,
  renamed: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const values = LANGUAGES.flatMap((language) =>
    Object.entries(translations[language] ?? {}).map(([name, text]) => [
      translationName(language, renamed[name] ?? name),
      text,
    ]),
  );
  return Object.fromEntries(values);
}

const names = new Intl.DisplayNames('en', { type: 'language' });

/** `German` */
export function nameOfLanguage(language: Language): string {
  return names.of(language) ?? language;
}

/** The languages that something was translated into: `German and French`; empty without any. */
export function listTranslated(translations: Translations): string {
  const translated = LANGUAGES.filter((language) => translations[language] !== undefined);
  return new Intl.ListFormat('en', { type: 'conjunction' }).format(translated.map(nameOfLanguage));
}
