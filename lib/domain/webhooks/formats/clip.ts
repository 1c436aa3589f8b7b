import { storableText } from '@/lib/core/storable-text';
/** How a product wants a text written so that it shows as itself: with `\` before a character, or with an entity for it. */
export type Escape = (text: string) => string;

/** What no message needs: controls but the line break, and characters that turn the direction of what follows. */
const UNWANTED = /(?!\n)\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu;
/** What is never cut in two: an escape, or a character. */
const ATOM = /\\.|&(?:amp|lt|gt);|./gsu;

/**
 * A text of others as a product takes it: escaped, and at most `maximum` UTF-16 units long with that, the last of them `…`
 * where it was cut. An empty text becomes a dash, for no product takes none.
 */
export function clip(text: string, maximum: number, write: Escape): string {
  const whole = write(clean(text)) || '–';
  if (whole.length <= maximum) return whole;
  let kept = '';
  for (const [atom] of whole.matchAll(ATOM)) {
    if (kept.length + atom.length >= maximum) break;
    kept += atom;
  }
  return `${kept}…`;
}

/** The same of a text that has to fit in a line. */
export function clipLine(text: string, maximum: number, write: Escape): string {
  return clip(text.replace(/\s+/g, ' '), maximum, write);
}

function clean(text: string): string {
  const lines = text.replace(/\r\n?|[\u2028\u2029]/g, '\n');
  return storableText(lines.replace(UNWANTED, '')).trim();
}
