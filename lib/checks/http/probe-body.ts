import { cutText, storableText } from '@/lib/core/storable-text';
import type { SeenBody } from '../evidence';

/** How much of a body is kept. */
export const MAX_BODY_BYTES = 16 * 1024;
const MAX_TYPE = 200;
/** Text in which every 20th character is unreadable is not text. */
const MAX_UNREADABLE = 1 / 20;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these do not occur in text.
const UNREADABLE = /[\0-\x08\x0e-\x1a\x1c-\x1f\x7f\ufffd]/g;

type Received = {
  headers: Readonly<Record<string, string>>;
  body: Buffer;
  /** Whether the server sent more than was received. */
  isCut: boolean;
};

/** What is kept of a body: its beginning if it is text, whatever its type claims, and otherwise only its type and size. */
export function showBody({ headers, body, isCut }: Received): SeenBody {
  const type = headers['content-type'] ?? null;
  const encoding = headers['content-encoding'] ?? 'identity';
  const isEncoded = encoding.toLowerCase() !== 'identity';
  const text = isEncoded ? null : decode(body.subarray(0, MAX_BODY_BYTES), charsetOf(type));
  return {
    text,
    size: body.length,
    truncated: isCut || (text !== null && body.length > MAX_BODY_BYTES),
    type: type && storableText(type, MAX_TYPE),
    encoding: isEncoded ? storableText(encoding, MAX_TYPE) : null,
  };
}

/** The charset of a content type, or UTF-8. */
export function charsetOf(type: string | null | undefined): string {
  return /charset\s*=\s*"?([^\s;"]+)/i.exec(type ?? '')?.[1] ?? 'utf-8';
}

/** Null if the bytes are not text. */
function decode(bytes: Buffer, charset: string): string | null {
  // The last character may be cut off: as a stream, it is left out.
  const text = createDecoder(charset).decode(bytes, { stream: true });
  const unreadable = text.match(UNREADABLE)?.length ?? 0;
  return text.includes('\0') || unreadable > text.length * MAX_UNREADABLE
    ? null
    : cutText(text, MAX_BODY_BYTES);
}

function createDecoder(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder(); // Unknown charset.
  }
}
