import type { GuardedResponse } from '@/lib/platform/net/http-request';

/** Whether a body contains a text, read in the character set that the response names (UTF-8 unless it names one). */
export function containsKeyword(
  response: Pick<GuardedResponse, 'headers' | 'body'>,
  keyword: string,
): boolean {
  if (response.body.includes(keyword, 0, 'utf8')) return true;
  const charset = /charset\s*=\s*"?([^\s;"]+)/i.exec(response.headers['content-type'] ?? '')?.[1];
  if (charset === undefined || /^utf-?8$/i.test(charset)) return false;
  try {
    return new TextDecoder(charset).decode(response.body).includes(keyword);
  } catch {
    return false; // A character set that nobody knows: the bytes were searched already.
  }
}
