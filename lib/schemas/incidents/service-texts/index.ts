import { fill } from '@/lib/core/text';
import type { Language } from '@/lib/schemas/language';
import { fillPlural, type TextSet } from '@/lib/schemas/language/texts';
import de from './de.json' with { type: 'json' };
import en from './en.json' with { type: 'json' };
import es from './es.json' with { type: 'json' };
import fr from './fr.json' with { type: 'json' };
import ja from './ja.json' with { type: 'json' };
import pt from './pt.json' with { type: 'json' };

/**
 * What the service writes about incidents. The English text is stored, and translated where it is shown, so a changed English text is
 * no longer recognized in older incidents. For translators: lib/schemas/language/README.md.
 */
export const SERVICE_TEXTS: TextSet<typeof en> = { en, de, fr, es, ja, pt };

type Key = keyof typeof en;

/** The English texts, and each form of plural ones, as they start and end around their value. */
const STORED = (Object.keys(en) as Key[]).flatMap((key) => {
  const text = en[key];
  return (typeof text === 'string' ? [text] : Object.values(text)).map((form) => {
    const [start = '', end = ''] = form.split(/\{\w+\}/);
    return { key, start, end, isNamed: form.includes('{name}') };
  });
});

/** A text of the service in another language; any other text as it is. Those with a name are only ours in automatic incidents. */
export function translateServiceText(
  text: string,
  language: Language,
  { isAutomatic }: { isAutomatic: boolean },
): string {
  for (const { key, start, end, isNamed } of STORED) {
    if ((isNamed && !isAutomatic) || !text.startsWith(start) || !text.endsWith(end)) continue;
    const value = text.slice(start.length, text.length - end.length);
    if (write(key, 'en', value) === text) return write(key, language, value);
  }
  return text;
}

function write(key: Key, language: Language, value: string): string {
  const text = SERVICE_TEXTS[language][key];
  return typeof text === 'string' ? fill(text, { name: value }) : fillPlural(text, Number(value), language);
}
