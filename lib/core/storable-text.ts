/**
 * Makes foreign text (from a target, a receiver or a form) storable in PostgreSQL, JSON and UTF-8: lone surrogates become U+FFFD,
 * NUL is removed, and text longer than `limit` UTF-16 units is truncated with an ellipsis, never inside a character. Required for
 * all foreign text that is stored, because one invalid row fails its whole batch.
 */
export function storableText(text: string, limit = Number.POSITIVE_INFINITY): string {
  const whole = repair(text);
  return whole.length <= limit ? whole : `${cutRepaired(whole, limit - 1)}…`;
}

/** The same without an ellipsis. */
export function cutText(text: string, limit: number): string {
  return cutRepaired(repair(text), limit);
}

/** The JSON of a value with every text made storable: `jsonb` rejects lone surrogates and NUL. */
export function storableJson(value: unknown): string {
  const json = JSON.stringify(value);
  return UNSTORABLE.test(json) ? JSON.stringify(value, (_, part: unknown) => repairPart(part)) : json;
}

/** The escapes of NUL and lone surrogates in the output of `JSON.stringify`. */
const UNSTORABLE = /\\u(?:0000|d[89a-f])/;

function repair(text: string): string {
  return text.toWellFormed().replaceAll('\0', '');
}

function cutRepaired(text: string, limit: number): string {
  const end = Math.max(0, limit);
  return text.slice(0, isFirstHalf(text.charCodeAt(end - 1)) ? end - 1 : end);
}

function isFirstHalf(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function repairPart(part: unknown): unknown {
  if (typeof part === 'string') return repair(part);
  if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [repair(key), value]));
}
