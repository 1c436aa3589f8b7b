import { describe, expect, it } from 'vitest';
import { fill } from '@/lib/core/text';
import { LANGUAGES } from '@/lib/schemas/language';
import { inLanguage } from '../in-language';
import {
  incidentTranslationsSchema,
  messageTranslationsSchema,
  titledTranslationsSchema,
  writtenTexts,
} from '../translations';
import { SERVICE_TEXTS, translateServiceText } from '.';

const VALUES = { name: 'Shop', n: '30' };
const own = { isAutomatic: true };
const typed = { isAutomatic: false };

describe.each(LANGUAGES)('in %s', (language) => {
  it.each(Object.entries(SERVICE_TEXTS.en))('%s keeps its value', (key, english) => {
    const text = SERVICE_TEXTS[language][key as keyof typeof SERVICE_TEXTS.en];
    expect(text.match(/\{\w+\}/g)).toEqual(english.match(/\{\w+\}/g));
    expect(translateServiceText(fill(english, VALUES), language, own)).toBe(fill(text, VALUES));
  });
});

describe('a text', () => {
  it('that somebody typed stays as it is, unless it is word for word one of the service', () => {
    for (const text of [
      'Shop is down',
      'We are on it.',
      'This incident is resolved: no further problems for days.',
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
