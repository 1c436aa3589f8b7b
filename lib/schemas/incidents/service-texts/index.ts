import { fill } from '@/lib/core/text';
import type { Language } from '@/lib/schemas/language';
import { de } from './de';
import { en } from './en';
import { es } from './es';
import { fr } from './fr';
import { ja } from './ja';
import { pt } from './pt';
import type { ServiceTexts } from './texts';

export const SERVICE_TEXTS: Record<Language, ServiceTexts> = { en, de, fr, es, ja, pt };

/** An English text, as it starts and ends around its value. */
const STORED = (Object.keys(SERVICE_TEXTS.en) as (keyof ServiceTexts)[]).map((key) => {
  const [start = '', end] = SERVICE_TEXTS.en[key].split(/\{\w+\}/);
  return { key, start, end, isNamed: SERVICE_TEXTS.en[key].includes('{name}') };
});

/** A text of the service in another language; any other text as it is. Those with a name are only ours in automatic incidents. */
export function translateServiceText(
  text: string,
  language: Language,
  { isAutomatic }: { isAutomatic: boolean },
): string {
  for (const { key, start, end, isNamed } of STORED) {
    if (isNamed && !isAutomatic) continue;
    if (end === undefined ? text !== start : !text.startsWith(start) || !text.endsWith(end)) continue;
    const value = text.slice(start.length, text.length - (end ?? '').length);
    if (isNamed || end === undefined || /^\d+$/.test(value)) {
      return fill(SERVICE_TEXTS[language][key], { name: value, n: value });
    }
  }
  return text;
}
