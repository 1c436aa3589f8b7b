import { cutText } from '@/lib/core/storable-text';

/** What is known of a browser that asks: shown to the person in the list of their sessions. */
export type Visitor = { address: string | null; userAgent: string | null };

const SHOWN_LENGTH = 300;

/** A User-Agent as it can be stored: no NUL, no half characters, not endless. */
export function storableUserAgent(text: string | null): string | null {
  return text === null ? null : cutText(text.replace(/\p{Cc}/gu, ''), SHOWN_LENGTH);
}
