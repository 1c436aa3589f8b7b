import { createHash } from 'node:crypto';
import { namesTag } from '@/lib/core/entity-tag';
import { requirePreconditions } from './preconditions';

/** Texts around a part of a body. */
type Marks = { start: string; end: string };

/** How an ETag is computed: what is between the marks `changing` does not count. `isStrong`: a change of any byte changes it. */
type Tagging = { changing?: Marks; isStrong?: boolean };

/** The ETag of a body: weak unless it is strong, since proxies may compress the body. */
export function tagOf(bytes: Uint8Array, { changing, isStrong = false }: Tagging = {}): string {
  const tag = `"${hashOf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), changing).slice(0, 27)}"`;
  return isStrong ? tag : `W/${tag}`;
}

/** What responses were created with: to read a body again would copy it twice. */
const bodies = new WeakMap<Response, Uint8Array<ArrayBuffer>>();

/** The body of a response. */
export async function readBody(response: Response): Promise<Buffer> {
  const known = bodies.get(response);
  return known === undefined
    ? Buffer.from(await response.arrayBuffer())
    : Buffer.from(known.buffer, known.byteOffset, known.length);
}

/**
 * Responds with an ETag, or with 304 if the caller already has it (`If-None-Match`, RFC 9110). The body is
 * JSON unless the headers override it. Throws PRECONDITION_FAILED for `If-Match`.
 */
export function respondConditionally(
  request: Request,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string>,
  tagging: Tagging = {},
): Response {
  // Encoded once for both: a list can be large.
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const etag = tagOf(bytes, tagging);
  requirePreconditions(request, { etag, version: null, updatedAt: null });
  const tagged = { ...headers, ETag: etag };
  if (namesTag(request.headers.get('if-none-match'), etag)) {
    return new Response(null, { status: 304, headers: tagged });
  }
  const response = new Response(bytes, { headers: { 'Content-Type': 'application/json', ...tagged } });
  bodies.set(response, bytes);
  return response;
}

/** A hash of all but what is between the marks. */
function hashOf(bytes: Buffer, changing?: Marks): string {
  const start = changing ? bytes.indexOf(changing.start) : -1;
  const hash = createHash('sha256');
  if (!changing || start < 0) return hash.update(bytes).digest('base64url');
  const end = bytes.indexOf(changing.end, start);
  return hash.update(bytes.subarray(0, start)).update(bytes.subarray(end)).digest('base64url');
}
