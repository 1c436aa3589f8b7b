import { z } from 'zod';
import { described } from '@/lib/schemas/described';
import { LANGUAGES, type Language } from '@/lib/schemas/language';
import { nameText, oneOf, text } from '@/lib/schemas/text';

/** Texts by language of status pages; what is missing is not translated. */
export type Translations<Name extends string = string> = Partial<
  Record<Language, Partial<Record<Name, string>>>
>;

function translationsOf<Shape extends z.ZodRawShape>(texts: Shape) {
  return z.partialRecord(oneOf(LANGUAGES), z.strictObject(texts).partial()).meta({
    maxProperties: LANGUAGES.length,
    propertyNames: { type: 'string', enum: [...LANGUAGES] },
  });
}

/** The title and description of an incident in other languages. */
export const incidentTranslationsSchema = translationsOf({
  title: described(nameText(0, 200), 'The title, shown publicly', 'Checkout is slow'),
  description: described(
    text(0, 5000),
    'More for people; null or empty for none',
    'Orders may take longer than usual.',
  ),
})
  .overwrite(writtenTexts)
  .describe(
    'The title and description in other languages, by the language code of a status page. A page in a language without one shows `title` and `description`',
  );

/** The message of an update in other languages. */
export const messageTranslationsSchema = translationsOf({
  message: described(
    text(0, 5000),
    'What people should know',
    'We found the cause and are working on a fix.',
  ),
})
  .overwrite(writtenTexts)
  .describe(
    'The message in other languages, by the language code of a status page. A page in a language without one shows `message`',
  );

/** The texts of a template or a maintenance window in other languages. */
export const titledTranslationsSchema = translationsOf({
  title: described(nameText(0, 200), 'The title, shown publicly', 'Checkout is slow'),
  message: described(text(0, 5000), 'The message, shown publicly', 'We upgrade the database.'),
})
  .overwrite(writtenTexts)
  .describe('The title and message in other languages, by the language code of a status page');

/** What was translated, without its empty texts and languages. */
export function writtenTexts<Name extends string>(translations: Translations<Name>): Translations<Name> {
  const all = Object.entries<Partial<Record<string, string>> | undefined>(translations);
  const written = all.flatMap(([language, texts = {}]) => {
    const own = Object.entries(texts).filter(([, text]) => Boolean(text));
    return own.length === 0 ? [] : [[language, Object.fromEntries(own)]];
  });
  return Object.fromEntries(written);
}
