import type { GuardedResponse } from '@/lib/net/http-request';

/** Whether a body contains a text, read in the character set that the answer names (UTF-8 unless it names one). */
export function containsKeyword(answer: Pick<GuardedResponse, 'headers' | 'body'>, keyword: string): boolean {
  if (answer.body.includes(keyword, 0, 'utf8')) return true;
  const charset = /charset\s*=\s*"?([^\s;"]+)/i.exec(answer.headers['content-type'] ?? '')?.[1];
  if (charset === undefined || /^utf-?8$/i.test(charset)) return false;
  try {
    return new TextDecoder(charset).decode(answer.body).includes(keyword);
  } catch {
    return false; // A character set that nobody knows: the bytes were searched already.
  }
}
