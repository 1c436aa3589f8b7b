import { cutText } from '@/lib/core/storable-text';

/** The longest text that incidents of a status page are searched for, and the most words of it. */
export const MAX_SEARCH_LENGTH = 100;
export const MAX_SEARCH_WORDS = 8;

/** A text to search for, as it is shown: what PostgreSQL can hold of its first characters. */
export function cleanSearch(text: string): string {
  return cutText(text.trim(), MAX_SEARCH_LENGTH).trim();
}

/** The distinct words of a text to search for, in lower case. */
export function splitSearch(text: string): string[] {
  const words = cleanSearch(text).toLowerCase().split(/\s+/);
  return [...new Set(words.filter((word) => word !== ''))].slice(0, MAX_SEARCH_WORDS);
}
