import { cutText, storableText } from '@/lib/core/storable-text';

/** What ends a line, is invisible, or turns the direction of what follows. */
const BREAKS = /[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;

/**
 * Text on one line, whatever people put into a name: line breaks and control characters become a space. What is longer
 * than `length` characters ends in an ellipsis.
 */
export function oneLine(text: string, length: number): string {
  const flat = storableText(text.replace(BREAKS, ' ')).replace(/\s+/g, ' ').trim();
  return flat.length <= length ? flat : `${cutText(flat, length - 1).trimEnd()}…`;
}

/**
 * Text that no mail program turns into a link, though it looks the same: an email that somebody did not ask for must not
 * carry an address that a stranger chose.
 */
export function unlinked(text: string): string {
  return text.replace(/[.:@/](?=\S)/gu, '$&\u200b');
}
