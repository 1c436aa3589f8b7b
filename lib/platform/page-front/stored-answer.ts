import { createHash } from 'node:crypto';
import { namesTag } from '@/lib/core/entity-tag';
import { LANGUAGES, type Language } from '@/lib/schemas/language';
import { STALE_MARK, TAG_HEADER } from './application';
import { type CapturedAnswer, decideKeeping, varyNames } from './captured-answer';
import { acceptedEncodings, createVariants, type Variant, type Variants } from './variants';

/** A stored response. Nothing in it depends on the requester. */
export type StoredAnswer = {
  tag: string;
  etag: string;
  variants: Variants;
  /** The headers of a 304. */
  head304: readonly string[];
  /** In epoch milliseconds: when its read started, and until when it is fresh and usable. */
  verifiedAt: number;
  freshUntil: number;
  usableUntil: number;
  /** Its age when received. */
  ageMs: number;
  bytes: number;
  /** The same, marked as not verified; created on first use. */
  marked(): StoredAnswer;
};

/** Headers, key and objects. */
const OVERHEAD_BYTES = 2048;
/** Set for each response, or not sent at all. */
const DROPPED = /^(age|date|warning|etag|vary|content-length|content-encoding|x-request-id|x-pharos-.*)$/;
const MARKABLE = /^text\/html/;

type Reading = { begunAt: number; receivedAt: number; language: Language | null };

/** Creates the stored form of a response; null if it must not be stored. Times are in epoch milliseconds. */
export function createStored(answer: CapturedAnswer, reading: Reading): StoredAnswer | null {
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
  // A marked copy has its own body.
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

/** Weak, since one tag covers the body in every encoding. */
function weakTag({ headers, body }: CapturedAnswer): string {
  const given = headers.etag;
  if (typeof given === 'string') return given.startsWith('W/') ? given : `W/${given}`;
  return `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
}

/** The relevant headers of a request for a stored response. */
export type Reader = {
  method: string | undefined;
  acceptEncoding: string | undefined;
  ifNoneMatch: string | undefined;
};

/** A response ready to send: status, headers as alternating names and values, and the body, or null. */
export type WireAnswer = { status: number; head: string[]; body: Buffer | null };

/**
 * Prepares a stored response for a reader at `now` (epoch milliseconds), synchronously unless that encoding
 * was never used before.
 */
export function toWire(
  answer: StoredAnswer,
  reader: Reader,
  now: number,
  isStale: boolean,
): WireAnswer | Promise<WireAnswer> {
  const age = Math.max(0, Math.floor((now - answer.verifiedAt + answer.ageMs) / 1000));
  const extra = ['age', String(age)];
  if (isStale) {
    extra.push('warning', '111 - "Revalidation Failed"');
    extra.push('x-pharos-verified-at', new Date(answer.verifiedAt).toISOString());
  }
  if (reader.ifNoneMatch !== undefined && namesTag(reader.ifNoneMatch, answer.etag)) {
    return { status: 304, head: [...answer.head304, ...extra], body: null };
  }
  const send = ({ body, head }: Variant): WireAnswer => ({
    status: 200,
    head: [...head, ...extra],
    body: reader.method === 'HEAD' ? null : body,
  });
  const [encoding = 'identity'] = acceptedEncodings(reader.acceptEncoding);
  const variant = answer.variants.in(encoding);
  return variant instanceof Promise ? variant.then(send) : send(variant);
}

const SENTENCES: Record<Language, (time: string) => string> = {
  en: (time) => `This page could not be updated. It shows what was known at ${time}.`,
  de: (time) => `Diese Seite konnte nicht aktualisiert werden. Sie zeigt den Stand von ${time}.`,
  fr: (time) => `Cette page n’a pas pu être mise à jour. Elle montre l’état connu à ${time}.`,
  es: (time) => `No se pudo actualizar esta página. Muestra lo que se sabía a las ${time}.`,
  ja: (time) => `このページを更新できませんでした。${time} 時点の情報を表示しています。`,
  pt: (time) => `Não foi possível atualizar esta página. Ela mostra o que se sabia às ${time}.`,
};

/**
 * Adds a note to the page, in its language, with the time it was last verified; null if the page has no place
 * for it.
 */
export function markStale(
  page: Buffer,
  { begunAt, language }: { begunAt: number; language: Language | null },
): Buffer | null {
  const at = page.indexOf(STALE_MARK);
  if (at < 0) return null;
  const iso = new Date(begunAt).toISOString();
  const shown = `<time datetime="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC</time>`;
  const sentence = SENTENCES[language ?? LANGUAGES[0]](shown);
  const note = `<div class="pharos-stale" role="status">${sentence}</div>`;
  return Buffer.concat([page.subarray(0, at), Buffer.from(note), page.subarray(at + STALE_MARK.length)]);
}
