/** What ends a line, is invisible, or turns the direction of what follows. */
const BREAKS = /[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;

/**
 * Text on one line, whatever people put into a name: line breaks and control characters become a space. What is longer
 * than `length` characters ends in an ellipsis.
 */
export function oneLine(text: string, length: number): string {
  const flat = text.replace(BREAKS, ' ').replace(/\s+/g, ' ').trim();
  return flat.length <= length ? flat : `${cutText(flat, length - 1).trimEnd()}…`;
}

/** At most `length` UTF-16 units of a text, and no half character at its end. */
export function cutText(text: string, length: number): string {
  return text.slice(0, length).replace(/\p{Surrogate}/gu, '');
}
