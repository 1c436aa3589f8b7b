import CachePolicy from 'http-cache-semantics';
import { TAG_HEADER } from './application';

/** A whole answer of the application, uncompressed; header names in lower case. */
export type CapturedAnswer = {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
};

/** What this cache may do with an answer: from when it was got, in milliseconds. */
export type Keeping = {
  tag: string;
  /** How old it was already. */
  ageMs: number;
  /** For how long it is to be served without asking. */
  freshMs: number;
  /** For how long after that it may be served while it is asked for again. */
  whileRevalidateMs: number;
  /** Its headers without those of the connection. */
  headers: Record<string, string | string[] | undefined>;
};

/** What an answer may vary by here: all of it is part of the key, or was not in the request. */
const HARMLESS_VARY = /^(|accept-encoding|accept-language|rsc|next-[a-z-]+)$/;

/**
 * Decides by RFC 9111, as a shared cache, and by rules of its own: only a 200 with `s-maxage` and a tag is kept, nothing
 * with a cookie, in an encoding, or varying by what is not part of the key, and nothing that must never be served stale.
 * Null: not to be kept.
 */
export function decideKeeping(answer: CapturedAnswer): Keeping | null {
  const { status, headers } = answer;
  const tag = headers[TAG_HEADER];
  if (status !== 200 || typeof tag !== 'string' || tag === '') return null;
  if (headers['set-cookie'] !== undefined || !isPlain(headers['content-encoding'])) return null;
  if (!varyNames(headers.vary).every((name) => HARMLESS_VARY.test(name))) return null;
  const { vary, ...own } = headers;
  const policy = new CachePolicy({ method: 'GET', headers: {} }, { status, headers: own });
  const { rescc: directives } = policy.toObject();
  if (directives['s-maxage'] === undefined || 'must-revalidate' in directives) return null;
  // Whole seconds, as its Age header counts them.
  const ageMs = 1000 * Math.floor(policy.age());
  const freshMs = 1000 * policy.maxAge() - ageMs;
  if (!policy.storable() || freshMs <= 0) return null;
  return {
    tag,
    ageMs,
    freshMs,
    whileRevalidateMs: 1000 * (Number(directives['stale-while-revalidate']) || 0),
    headers: policy.responseHeaders(),
  };
}

/** The names in a Vary header, in lower case. */
export function varyNames(vary: string | string[] | undefined): string[] {
  return [vary ?? '']
    .flat()
    .join()
    .split(',')
    .map((name) => name.trim().toLowerCase());
}

function isPlain(encoding: string | string[] | undefined): boolean {
  return encoding === undefined || encoding === 'identity';
}
