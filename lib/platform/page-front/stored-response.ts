import { createHash } from 'node:crypto';
import { namesTag } from '@/lib/core/entity-tag';
import type { Language } from '@/lib/schemas/language';
import { findAnnouncement, isHtml, without } from './announcements';
import { PARTS_HEADER, STALE_MARK } from './application';
import { type CapturedResponse, readStoragePolicy, varyNames } from './captured-response';
import { markStale } from './stale-note';
import { acceptedEncodings, createVariants, type Variant, type Variants } from './variants';

/** A stored response. Nothing in it depends on the requester. */
export type CachedResponse = {
  tag: string;
  etag: string;
  /** The paths of what it shows. */
  parts: readonly string[];
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
  /** The same, marked as not verified, and without an announcement that has ended at `now`; created on first use. */
  marked(now: number): CachedResponse;
};

/** Headers, key and objects. */
const OVERHEAD_BYTES = 2048;
/** Set for each response, or not sent at all. */
const DROPPED = /^(age|date|warning|etag|vary|content-length|content-encoding|x-request-id|x-pharos-.*)$/;

/** What a 304 does not repeat. Its policy may be another one than that of the copy. */
const OF_BODY = /^content-(?!security-policy$)/;

type Reading = { begunAt: number; receivedAt: number; language: Language | null };

/** Creates the stored form of a response; null if it must not be stored. Times are in epoch milliseconds. */
export function createStored(response: CapturedResponse, reading: Reading): CachedResponse | null {
  const policy = readStoragePolicy(response);
  if (policy === null) return null;
  const { tag, ageMs, freshMs, whileRevalidateMs } = policy;
  const parts = String(response.headers[PARTS_HEADER] ?? '')
    .split(' ')
    .filter(Boolean);
  const contentType = String(policy.headers['content-type'] ?? '');
  const freshUntil = reading.receivedAt + freshMs;
  const announcement = findAnnouncement(response.body, contentType);
  const endsAt = announcement?.endsAt ?? Number.POSITIVE_INFINITY;
  const head = [...listHeaders(policy.headers), 'vary', varyOf(response)];
  const isMarkable = isHtml(contentType) && response.body.includes(STALE_MARK);
  const build = (body: Buffer, etag: string): Omit<CachedResponse, 'marked'> => {
    const tagged = [...head, 'etag', etag];
    const variants = createVariants(body, contentType, tagged);
    return {
      tag,
      etag,
      parts,
      verifiedAt: reading.begunAt,
      freshUntil: Math.min(freshUntil, endsAt),
      usableUntil: Math.min(freshUntil + whileRevalidateMs, endsAt),
      ageMs,
      variants,
      head304: tagged.filter((_, index) => !OF_BODY.test(tagged[index - (index % 2)] ?? '')),
      // A marked copy has its own body.
      bytes: OVERHEAD_BYTES + (isMarkable ? 2 : 1) * variants.bytes,
    };
  };
  const etag = weakTag(response);
  const stored = build(response.body, etag);
  const buildMarked = (hasEnded: boolean) => {
    const whole = stored.variants.readBody();
    const body = hasEnded && announcement ? without(whole, announcement) : whole;
    return build(markStale(body, reading), etag.replace(/"$/, hasEnded ? '-stale-ended"' : '-stale"'));
  };
  let marked: { hasEnded: boolean; response: CachedResponse } | undefined;
  const mark = (now: number): CachedResponse => {
    const hasEnded = now >= endsAt;
    if (marked?.hasEnded !== hasEnded) {
      marked = { hasEnded, response: { ...(isMarkable ? buildMarked(hasEnded) : stored), marked: mark } };
    }
    return marked.response;
  };
  return { ...stored, marked: mark };
}

function listHeaders(headers: CapturedResponse['headers']): string[] {
  return Object.entries(headers).flatMap(([name, value]) => {
    if (value === undefined || DROPPED.test(name)) return [];
    return [value].flat().flatMap((one) => [name, one]);
  });
}

function varyOf({ headers }: CapturedResponse): string {
  const isTranslated = varyNames(headers.vary).includes('accept-language');
  return isTranslated ? 'Accept-Encoding, Accept-Language' : 'Accept-Encoding';
}

/** Weak, since one tag covers the body in every encoding. */
function weakTag({ headers, body }: CapturedResponse): string {
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
export type WireResponse = { status: number; head: string[]; body: Buffer | null };

/** Prepares a stored response for a reader at `now` (epoch milliseconds), synchronously unless that encoding is new. */
export function toWire(
  response: CachedResponse,
  reader: Reader,
  now: number,
  isStale: boolean,
): WireResponse | Promise<WireResponse> {
  const age = Math.max(0, Math.floor((now - response.verifiedAt + response.ageMs) / 1000));
  const extra = ['age', String(age)];
  if (isStale) {
    extra.push('warning', '111 - "Revalidation Failed"');
    extra.push('x-pharos-verified-at', new Date(response.verifiedAt).toISOString());
  }
  if (reader.ifNoneMatch !== undefined && namesTag(reader.ifNoneMatch, response.etag)) {
    return { status: 304, head: [...response.head304, ...extra], body: null };
  }
  const send = ({ body, head }: Variant): WireResponse => ({
    status: 200,
    head: [...head, ...extra],
    body: reader.method === 'HEAD' ? null : body,
  });
  const [encoding = 'identity'] = acceptedEncodings(reader.acceptEncoding);
  const variant = response.variants.in(encoding);
  return variant instanceof Promise ? variant.then(send) : send(variant);
}
