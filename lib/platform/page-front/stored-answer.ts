import { createHash } from 'node:crypto';
import type { Language } from '@/lib/schemas/language';
import { type CapturedAnswer, TAG_HEADER } from './captured-answer';
import { decideKeeping, varyNames } from './decide-keeping';
import { markStale, STALE_MARK } from './stale-mark';
import { createVariants, type Variants } from './variants';

/** What is kept of an answer. Nothing in it depends on who asked. */
export type StoredAnswer = {
  tag: string;
  etag: string;
  variants: Variants;
  /** The headers of a 304. */
  head304: readonly string[];
  /** In milliseconds since 1970: when it began to be read, and until when it is served and how. */
  verifiedAt: number;
  freshUntil: number;
  usableUntil: number;
  /** How old it was when it came. */
  ageMs: number;
  bytes: number;
  /** The same, marked as not verified since; made when it is needed first. */
  marked(): StoredAnswer;
};

/** Beside the body: headers, key and objects. */
const OVERHEAD_BYTES = 2048;
/** Set anew for each answer that goes out, or for the whole of them. */
const DROPPED = /^(age|date|warning|etag|vary|content-length|content-encoding|x-request-id|x-pharos-.*)$/;
const MARKABLE = /^text\/html/;

type Reading = { begunAt: number; receivedAt: number; language: Language | null };

/** Makes of an answer what is kept of it; null where it must not be kept. Times are in milliseconds since 1970. */
export function makeStored(answer: CapturedAnswer, reading: Reading): StoredAnswer | null {
  const keeping = decideKeeping(answer);
  if (keeping === null) return null;
  const { tag, ageMs, freshMs, whileRevalidateMs } = keeping;
  const contentType = String(keeping.headers['content-type'] ?? '');
  const freshUntil = reading.receivedAt + freshMs;
  const head = [...listHeaders(keeping.headers), 'vary', varyOf(answer)];
  const times = {
    verifiedAt: reading.begunAt,
    freshUntil,
    usableUntil: freshUntil + whileRevalidateMs,
    ageMs,
  };
  // A marked copy has a body of its own.
  const copies = MARKABLE.test(contentType) && answer.body.includes(STALE_MARK) ? 2 : 1;
  const build = (body: Buffer, etag: string): Omit<StoredAnswer, 'marked'> => {
    const tagged = [...head, 'etag', etag];
    const variants = createVariants(body, contentType, tagged);
    return {
      tag,
      etag,
      ...times,
      variants,
      head304: tagged.filter((_, index) => !tagged[index - (index % 2)]?.startsWith('content-')),
      bytes: OVERHEAD_BYTES + copies * variants.bytes,
    };
  };
  const etag = weakTag(answer);
  const stored = build(answer.body, etag);
  let marked: StoredAnswer | null = null;
  const mark = (): StoredAnswer => {
    marked ??= buildMarked();
    return marked;
  };
  const buildMarked = (): StoredAnswer => {
    const note = MARKABLE.test(contentType) ? markStale(answer.body, reading) : null;
    const shown = note === null ? stored : build(note, etag.replace(/"$/, '-stale"'));
    return { ...shown, marked: mark };
  };
  return { ...stored, marked: mark };
}

function listHeaders(headers: CapturedAnswer['headers']): string[] {
  return Object.entries(headers).flatMap(([name, value]) => {
    if (value === undefined || DROPPED.test(name) || name === TAG_HEADER) return [];
    return [value].flat().flatMap((one) => [name, one]);
  });
}

function varyOf({ headers }: CapturedAnswer): string {
  const isTranslated = varyNames(headers.vary).includes('accept-language');
  return isTranslated ? 'Accept-Encoding, Accept-Language' : 'Accept-Encoding';
}

/** Weak, since one tag stands for the body in every encoding. */
function weakTag({ headers, body }: CapturedAnswer): string {
  const given = headers.etag;
  if (typeof given === 'string') return given.startsWith('W/') ? given : `W/${given}`;
  return `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
}
