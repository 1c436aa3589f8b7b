import { storableText } from '@/lib/core/storable-text';

/** Escapes a text for a product, with backslashes or entities. */
export type Escape = (text: string) => string;

/** Escapes what HTML, Slack and cards take for markup or an entity. */
export const escapeEntities: Escape = (text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** For products that show a text as it is. */
const asItIs: Escape = (text) => text;

/** Control characters except line breaks, and characters that change the text direction. */
const UNWANTED = /(?!\n)\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu;
/** What must not be split: an escape or a character. */
const ATOM = /\\.|&(?:amp|lt|gt);|./gsu;

/**
 * Escapes a foreign text and truncates it to `maximum` UTF-16 units, ending with `…`. An empty text becomes a dash, because no
 * product accepts empty texts.
 */
export function clip(text: string, maximum: number, write: Escape = asItIs): string {
  const whole = write(clean(text)) || '–';
  if (whole.length <= maximum) return whole;
  let kept = '';
  for (const [atom] of whole.matchAll(ATOM)) {
    if (kept.length + atom.length >= maximum) break;
    kept += atom;
  }
  return `${kept}…`;
}

/** The same on one line. */
export function clipLine(text: string, maximum: number, write: Escape = asItIs): string {
  return clip(text.replace(/\s+/g, ' '), maximum, write);
}

function clean(text: string): string {
  const lines = text.replace(/\r\n?|[\u2028\u2029]/g, '\n');
  return storableText(lines.replace(UNWANTED, '')).trim();
}
