import { cutText } from '@/lib/core/storable-text';

const MAX_SHOWN = 60;

/** A count with its noun: `1 tag`, `1,200 tags`. */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}

/** A number of seconds in words: `90 seconds`, `5 minutes`, `1 hour`. */
export function spanOf(seconds: number): string {
  if (seconds >= 3600 && seconds % 3600 === 0) return countOf(seconds / 3600, 'hour');
  if (seconds >= 60 && seconds % 60 === 0) return countOf(seconds / 60, 'minute');
  return countOf(seconds, 'second');
}

/** `a, b and c`. */
export function listOf(parts: readonly string[]): string {
  const last = parts.at(-1) ?? '';
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(', ')} and ${last}`;
}

/** Foreign text in a sentence: one line, at most 60 characters. */
export function shown(text: string): string {
  const line = text.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
  return line.length > MAX_SHOWN ? `${cutText(line, MAX_SHOWN - 1)}…` : cutText(line, MAX_SHOWN);
}

/** A note on what else the file contains and is not imported; empty for a count of 0. */
export function leftBehind(count: number, one: string, many?: string): string[] {
  return count > 0 ? [`${countOf(count, one, many)} ${count === 1 ? 'is' : 'are'} not imported.`] : [];
}
