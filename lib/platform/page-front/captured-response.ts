import CachePolicy from 'http-cache-semantics';
import { KEPT_HEADER, TAG_HEADER } from './application';

/** A complete response of the application, uncompressed; lowercase header names. */
export type CapturedResponse = {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
};

/** What a response may vary by: part of the key, or not in the request. */
const HARMLESS_VARY = /^(|accept-encoding|accept-language|rsc|next-[a-z-]+)$/;

/**
 * Applies RFC 9111 for a shared cache, and stricter rules: only a 200 with `s-maxage` and a tag may be stored, without
 * cookies or encoding, varying by nothing outside the key, and only if it may be served stale. Null: must not be stored.
 */
export function readStoragePolicy(response: CapturedResponse) {
  const { status, headers } = response;
  const tag = headers[TAG_HEADER];
  if (status !== 200 || typeof tag !== 'string' || tag === '') return null;
  const { 'set-cookie': cookies, 'content-encoding': encoding = 'identity' } = headers;
  if (cookies !== undefined || encoding !== 'identity') return null;
  if (!varyNames(headers.vary).every((name) => HARMLESS_VARY.test(name))) return null;
  const { vary, 'cache-control': control, ...others } = headers;
  const own = { ...others, 'cache-control': headers[KEPT_HEADER] ?? control };
  const policy = new CachePolicy({ method: 'GET', headers: {} }, { status, headers: own });
  const { rescc: directives } = policy.toObject();
  if (directives['s-maxage'] === undefined || 'must-revalidate' in directives) return null;
  // Whole seconds, like its Age header.
  const ageMs = 1000 * Math.floor(policy.age());
  const freshMs = 1000 * policy.maxAge() - ageMs;
  if (!policy.storable() || freshMs <= 0) return null;
  const shown: CapturedResponse['headers'] = { ...policy.responseHeaders(), 'cache-control': control };
  return {
    tag,
    /** Its age when received. */
    ageMs,
    /** How long it is served without revalidation. */
    freshMs,
    /** How long after that it may be served while it is revalidated. */
    whileRevalidateMs: 1000 * (Number(directives['stale-while-revalidate']) || 0),
    /** Its headers, without connection headers. */
    headers: shown,
  };
}

/** The lowercase names in a Vary header. */
export function varyNames(vary: string | string[] | undefined): string[] {
  const names = [vary ?? ''].flat().join().toLowerCase().split(',');
  return names.map((name) => name.trim());
}
