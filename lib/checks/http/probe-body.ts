import { cutText, storableText } from '@/lib/core/storable-text';
import type { SeenBody } from '../evidence';
import { decodeText } from './decode-text';
import { codingsOf, type ReadBody } from './probe-compression';

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
  /** What was read of it, if it was decompressed. */
  read?: ReadBody | null;
};

/** What is kept of a body: its beginning if it is text, whatever its type claims, and otherwise only its type and size. */
export function showBody({ headers, body, isCut, read = null }: Received): SeenBody {
  const { 'content-type': type, 'content-encoding': encoding } = headers;
  const isEncoded = codingsOf(encoding).length > 0;
  const bytes = isEncoded ? read?.bytes : body;
  const text = bytes === undefined || (isEncoded && bytes.length === 0) ? null : decode(bytes, type);
  return {
    text,
    size: body.length,
    truncated:
      isCut ||
      (read !== null && read.end !== null) ||
      (text !== null && Number(bytes?.length) > MAX_BODY_BYTES),
    type: type ? storableText(type, MAX_TYPE) : null,
    encoding: encoding !== undefined && isEncoded ? storableText(encoding, MAX_TYPE) : null,
  };
}

/** The beginning; null if the bytes are not text. */
function decode(bytes: Buffer, type: string | undefined): string | null {
  // The last character may be cut off.
  const text = decodeText(bytes.subarray(0, MAX_BODY_BYTES), type, { isCut: true });
  const unreadable = text.match(UNREADABLE)?.length ?? 0;
  return text.includes('\0') || unreadable > text.length * MAX_UNREADABLE
    ? null
    : cutText(text, MAX_BODY_BYTES);
}
