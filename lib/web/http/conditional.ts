import { createHash } from 'node:crypto';
import { namesTag } from '@/lib/core/entity-tag';

/** Texts around a part of a body. */
type Marks = { start: string; end: string };

/**
 * Responds with an ETag, or with 304 if the caller already has it (`If-None-Match`, RFC 9110). The body is
 * JSON unless the headers override it. What is between the marks `changing` does not change the tag.
 */
export function respondConditionally(
  request: Request,
  body: string,
  headers: Record<string, string>,
  changing?: Marks,
): Response {
  // Encoded once for both: a list can be large.
  const bytes = Buffer.from(body);
  // Weak, since proxies may compress the body.
  const etag = `W/"${hashOf(bytes, changing).slice(0, 27)}"`;
  const tagged = { ...headers, ETag: etag };
  if (namesTag(request.headers.get('if-none-match'), etag)) {
    return new Response(null, { status: 304, headers: tagged });
  }
  return new Response(bytes, { headers: { 'Content-Type': 'application/json', ...tagged } });
}

/** A hash of all but what is between the marks. */
function hashOf(bytes: Buffer, changing?: Marks): string {
  const start = changing ? bytes.indexOf(changing.start) : -1;
  const hash = createHash('sha256');
  if (!changing || start < 0) return hash.update(bytes).digest('base64url');
  const end = bytes.indexOf(changing.end, start);
  return hash.update(bytes.subarray(0, start)).update(bytes.subarray(end)).digest('base64url');
}
