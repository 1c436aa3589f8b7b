import { storableText } from '@/lib/core/storable-text';
import { HIDDEN } from '@/lib/schemas/hidden';

const MAX_HEADERS = 100;
const MAX_NAME = 256;
const MAX_VALUE = 2048;
/** All of them together. */
const MAX_TOTAL = 16 * 1024;
/** Headers whose values can prove who somebody is. */
const SECRET_NAME =
  /cookie|auth(entication|orization|-|$)|token|secret|passw(or)?d|credential|session|signature|jwt|(api|access|private)-?key/i;
const CHALLENGES = new Set(['www-authenticate', 'proxy-authenticate']);

/**
 * The headers of a response as they may be stored: values of cookies, authorization and the like are replaced, and so are
 * passwords in URLs. The scheme of a challenge remains. Bounded in number and length; the first ones are kept.
 */
export function redactHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const kept: [string, string][] = [];
  let total = 0;
  for (const [name, value] of Object.entries(headers)) {
    const shown: [string, string] = [
      storableText(name, MAX_NAME),
      storableText(redactValue(name, value), MAX_VALUE),
    ];
    total += shown[0].length + shown[1].length;
    if (kept.length === MAX_HEADERS || total > MAX_TOTAL) break;
    kept.push(shown);
  }
  return Object.fromEntries(kept);
}

/** Whether the value of a header can prove who somebody is. */
export function isSecretHeader(name: string): boolean {
  return SECRET_NAME.test(name);
}

/** A text with the user names and passwords of its URLs replaced. */
export function redactUrls(text: string): string {
  return text.replace(/\/\/[^/?#\s"'<>]*@/g, `//${HIDDEN}@`);
}

function redactValue(name: string, value: string): string {
  if (CHALLENGES.has(name)) return redactChallenge(value);
  return isSecretHeader(name) ? HIDDEN : redactUrls(value);
}

function redactChallenge(value: string): string {
  const [scheme = '', ...rest] = value.trim().split(/\s+/);
  return rest.length === 0 ? scheme : `${scheme} ${HIDDEN}`;
}
