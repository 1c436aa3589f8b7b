import {
  incidentTranslationsSchema,
  messageTranslationsSchema,
  type Translations,
  writtenTexts,
} from '@/lib/schemas/incidents/translations';
import { LANGUAGES, type Language } from '@/lib/schemas/language';

/** The stored translations of an incident. */
export function readTranslations({ translations }: { translations: unknown }) {
  return incidentTranslationsSchema.parse(translations);
}

/** The stored translations of an update. */
export function readMessages({ translations }: { translations: unknown }) {
  return messageTranslationsSchema.parse(translations);
}

type IncidentTexts = { description: string; translations: Translations<'title' | 'description'> };

/** The translations of the first message of an incident, which is its description, or else its title. */
export function translateFirst({ description, translations }: IncidentTexts): Translations<'message'> {
  return translateEach((language) => {
    const own = translations[language];
    return { message: description === '' ? own?.description || own?.title : own?.description };
  });
}

/** The translations of a notice: of the title of an incident, and of the message of an update. */
export function translateNotice(
  titles: Translations<'title' | 'description'>,
  messages: Translations<'message'>,
): Translations<'title' | 'message'> {
  return translateEach((language) => ({
    title: titles[language]?.title,
    message: messages[language]?.message,
  }));
}

function translateEach<Name extends string>(
  translate: (language: Language) => Partial<Record<Name, string>>,
): Translations<Name> {
  const all: Translations<Name> = {};
  for (const language of LANGUAGES) all[language] = translate(language);
  return writtenTexts(all);
}
