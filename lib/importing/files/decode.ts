import { DomainError, invalidState } from '@/lib/core/errors';
import { MAX_ITEMS } from '../plan/plan';

const MIB = 1024 * 1024;
/** Most bytes of a database. */
export const MAX_DATABASE_BYTES = 64 * MIB;
/** Most bytes of a text. */
export const MAX_TEXT_BYTES = 5 * MIB;

/** Throws PAYLOAD_TOO_LARGE for a file with more bytes. `subject` is what the message is about. */
export function requireSize(
  file: Pick<Uint8Array, 'byteLength'>,
  maximum: number,
  subject = 'The file is',
): void {
  if (file.byteLength <= maximum) return;
  const size = `${maximum / MIB} MiB`;
  throw new DomainError(
    'PAYLOAD_TOO_LARGE',
    `${subject} larger than ${size}, the most that can be imported.`,
  );
}

/** Throws VALIDATION_ERROR for more monitors than one import may have. */
export function requireItems(count: number): void {
  if (count <= MAX_ITEMS) return;
  const most = MAX_ITEMS.toLocaleString('en');
  throw invalidState(`The file has more than ${most} monitors. Split it and import the parts.`);
}

/** The text of a file: UTF-8, or UTF-16 with a byte order mark. Throws PAYLOAD_TOO_LARGE, and VALIDATION_ERROR with `hint`. */
export function decodeText(file: Uint8Array, hint: string, maximum = MAX_TEXT_BYTES): string {
  requireSize(file, maximum);
  const isUtf16 = file[0] === 0xff && file[1] === 0xfe;
  try {
    return new TextDecoder(isUtf16 ? 'utf-16le' : 'utf-8', { fatal: true }).decode(file);
  } catch {
    // No text has a NUL, except in UTF-16.
    if (file.includes(0)) throw invalidState(`The file is not a text. ${hint}`);
    throw invalidState(`The file is not encoded as UTF-8. Save it as UTF-8 (in Excel, “CSV UTF-8”). ${hint}`);
  }
}

/** Whether a text is meant as JSON. */
export function looksLikeJson(text: string): boolean {
  return /^\s*[[{]/.test(text);
}

/** The value of a JSON text. Throws VALIDATION_ERROR with `hint`. */
export function decodeJson(text: string, hint: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalidState(`The file is not valid JSON. ${hint}`);
  }
}
