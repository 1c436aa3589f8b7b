import { describe, expect, it } from 'vitest';
import { fill } from '@/lib/core/text';
import { LANGUAGES, type Language } from '@/lib/schemas/language';
import { fillPlural } from '@/lib/schemas/language/texts';
import { describeTexts } from '@/lib/testing/describe-texts';
import { inLanguage } from '../in-language';
import {
  incidentTranslationsSchema,
  messageTranslationsSchema,
  titledTranslationsSchema,
  writtenTexts,
} from '../translations';
import { SERVICE_TEXTS, translateServiceText } from '.';

const KEYS = Object.keys(SERVICE_TEXTS.en) as (keyof typeof SERVICE_TEXTS.en)[];
const own = { isAutomatic: true };
const typed = { isAutomatic: false };

describeTexts(SERVICE_TEXTS);

function write(key: (typeof KEYS)[number], language: Language, n: number): string {
  const text = SERVICE_TEXTS[language][key];
  return typeof text === 'string' ? fill(text, { name: 'Shop' }) : fillPlural(text, n, language);
}

describe.each(LANGUAGES)('in %s', (language) => {
  it.each(KEYS)('%s keeps its value', (key) => {
    for (const n of [1, 30, 10_080]) {
      expect(translateServiceText(write(key, 'en', n), language, own)).toBe(write(key, language, n));
    }
  });
});

describe('a text', () => {
  it('that somebody typed stays as it is, unless it is word for word one of the service', () => {
    for (const text of [
      'Shop is down',
      'We are on it.',
      'This incident is resolved: no further problems for days.',
      'This incident is resolved: no further problems for 1 minutes.',
    ]) {
      expect(translateServiceText(text, 'de', typed)).toBe(text);
    }
    expect(translateServiceText('This incident is resolved.', 'de', typed)).toBe(
      'Diese Störung ist behoben.',
    );
  });

  it('keeps a name that looks like a placeholder, or like a text', () => {
    expect(translateServiceText('{n} is down', 'fr', own)).toBe('{n} est en panne');
    expect(translateServiceText('A is down is down', 'fr', own)).toBe('A is down est en panne');
  });
});

describe('a reader', () => {
  const update = { message: 'We look.', translations: { de: { message: 'Wir schauen.' } } };

  it('sees a translation, and the text where there is none', () => {
    expect(inLanguage(update, 'de', typed).message).toBe('Wir schauen.');
    expect(inLanguage(update, 'fr', typed).message).toBe('We look.');
  });

  it('sees what people translated rather than the translation of the service', () => {
    const title = { title: 'Shop is down', translations: { de: { title: 'Shop streikt' } } };
    expect(inLanguage(title, 'de', own).title).toBe('Shop streikt');
    expect(inLanguage(title, 'es', own).title).toBe('Shop está caído');
  });
});

it('texts that are empty are not translations', () => {
  const translations = { de: { title: '', description: 'Wir schauen.' }, fr: { title: '' }, es: {} };
  expect(writtenTexts(translations)).toEqual({ de: { description: 'Wir schauen.' } });
  expect(incidentTranslationsSchema.parse(translations)).toEqual({ de: { description: 'Wir schauen.' } });
  const message = { de: { message: 'Wir schauen.' } };
  const others = { fr: { message: '' }, es: {} };
  expect(messageTranslationsSchema.parse({ ...message, ...others })).toEqual(message);
  expect(titledTranslationsSchema.parse({ ...message, ...others })).toEqual(message);
});
