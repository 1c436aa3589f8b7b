import { createHash } from 'node:crypto';
import { namesTag } from '@/lib/core/entity-tag';

/**
 * Responds with an ETag, or with 304 if the caller already has it (`If-None-Match`, RFC 9110). The body is
 * JSON unless the headers override it; `identity` is the input of the tag if only part of the body is
 * relevant.
 */
export function respondConditionally(
  request: Request,
  body: string,
  headers: Record<string, string>,
  identity?: string,
): Response {
  // Encoded once for both: a list can be large.
  const bytes = Buffer.from(body);
  // Weak, since proxies may compress the body.
  const hash = createHash('sha256').update(identity ?? bytes);
  const etag = `W/"${hash.digest('base64url').slice(0, 27)}"`;
  const tagged = { ...headers, ETag: etag };
  if (namesTag(request.headers.get('if-none-match'), etag)) {
    return new Response(null, { status: 304, headers: tagged });
  }
  return new Response(bytes, { headers: { 'Content-Type': 'application/json', ...tagged } });
}
