import { DomainError } from './errors';

/** Maximum number of values in the JSON of one request; valid requests stay far below. */
export const MAX_JSON_VALUES = 10_000;
const MAX_DEPTH = 32;
const TOO_MUCH = `The JSON has more than ${MAX_JSON_VALUES.toLocaleString('en')} values or more than ${MAX_DEPTH} levels. Send a smaller body.`;

/** Parses foreign JSON. Throws VALIDATION_ERROR for too many values, before parsing, and INVALID_JSON. */
export function parseJson(text: string): unknown {
  if (!isSmallJson(text)) throw new DomainError('VALIDATION_ERROR', TOO_MUCH);
  try {
    return JSON.parse(text);
  } catch {
    throw new DomainError('INVALID_JSON', 'The body is not valid JSON.');
  }
}

/** Whether a JSON text has few enough values to be parsed, in one pass without allocations. */
export function isSmallJson(text: string): boolean {
  let values = 1;
  let depth = 0;
  for (let index = 0; index < text.length; index++) {
    switch (text[index]) {
      case '"':
        index = endOfString(text, index);
        break;
      case '[':
      case '{':
        values += 1;
        depth += 1;
        break;
      case ']':
      case '}':
        depth -= 1;
        break;
      case ',':
        values += 1;
        break;
    }
    if (values > MAX_JSON_VALUES || depth > MAX_DEPTH) return false;
  }
  return true;
}

/** The index of the closing quotation mark of the string that starts at `start`. */
function endOfString(text: string, start: number): number {
  let index = start + 1;
  while (index < text.length && text[index] !== '"') index += text[index] === '\\' ? 2 : 1;
  return index;
}

/** Throws VALIDATION_ERROR for a value that exceeds the limits of `parseJson`, such as one read from a form. */
export function requireSmall(value: unknown): void {
  const open: unknown[] = [value];
  let values = 0;
  while (open.length > 0) {
    const next = open.pop();
    values += 1;
    if (typeof next !== 'object' || next === null) continue;
    const parts = Object.values(next);
    if (values + open.length + parts.length > MAX_JSON_VALUES) {
      throw new DomainError('VALIDATION_ERROR', TOO_MUCH);
    }
    for (const part of parts) open.push(part);
  }
}
