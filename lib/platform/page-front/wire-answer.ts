import { namesTag } from '@/lib/core/entity-tag';
import { acceptedEncodings } from './encoding';
import type { StoredAnswer } from './stored-answer';
import type { Variant } from './variants';

/** How somebody asks for a kept answer. */
export type Reader = {
  method: string | undefined;
  acceptEncoding: string | undefined;
  ifNoneMatch: string | undefined;
};

/** An answer ready to go out: status, headers as name, value, name, value, and the body, null for none. */
export type WireAnswer = { status: number; head: string[]; body: Buffer | null };

/**
 * Puts a kept answer into the form that a reader can take, at the moment `now` (milliseconds since 1970); at once, unless
 * nobody took it in that encoding before.
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
