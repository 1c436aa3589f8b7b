import { createHash } from 'node:crypto';
import { namesTag } from '@/lib/core/entity-tag';

/**
 * Answers with an ETag, or 304 to a caller that has it already (`If-None-Match`, RFC 9110). The body is JSON unless the
 * headers say otherwise; `identity` is what the tag is made of where not all of the body counts.
 */
export function answerConditionally(
  request: Request,
  body: string,
  headers: Record<string, string>,
  identity = body,
): Response {
  // Weak: what lies between may compress the body.
  const etag = `W/"${createHash('sha256').update(identity).digest('base64url').slice(0, 27)}"`;
  const tagged = { ...headers, ETag: etag };
  if (namesTag(request.headers.get('if-none-match'), etag)) {
    return new Response(null, { status: 304, headers: tagged });
  }
  return new Response(body, { headers: { 'Content-Type': 'application/json', ...tagged } });
}
