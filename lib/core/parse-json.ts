import { DomainError } from './errors';

/** Maximum number of values in the JSON of one request; valid requests stay far below. */
export const MAX_JSON_VALUES = 10_000;
const MAX_DEPTH = 32;

/** Parses foreign JSON. Throws VALIDATION_ERROR for too many values, before parsing, and INVALID_JSON. */
export function parseJson(text: string, maxValues = MAX_JSON_VALUES): unknown {
  if (!isSmallJson(text, maxValues)) throw tooMuch(maxValues);
  try {
    return JSON.parse(text);
  } catch {
    throw new DomainError('INVALID_JSON', 'The body is not valid JSON.');
  }
}

function tooMuch(maxValues: number): DomainError {
  const message = `The JSON has more than ${maxValues.toLocaleString('en')} values or more than ${MAX_DEPTH} levels. Send a smaller body.`;
  return new DomainError('VALIDATION_ERROR', message);
}

/** Whether a JSON text has few enough values to be parsed, in one pass without allocations. */
export function isSmallJson(text: string, maxValues = MAX_JSON_VALUES): boolean {
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
    if (values > maxValues || depth > MAX_DEPTH) return false;
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
export function requireSmall(value: unknown, maxValues = MAX_JSON_VALUES): void {
  const open: unknown[] = [value];
  let values = 0;
  while (open.length > 0) {
    const next = open.pop();
    values += 1;
    if (typeof next !== 'object' || next === null) continue;
    const parts = Object.values(next);
    if (values + open.length + parts.length > maxValues) throw tooMuch(maxValues);
    for (const part of parts) open.push(part);
  }
}
