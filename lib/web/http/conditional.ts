import { createHash, type Hash } from 'node:crypto';
import { namesTag } from '@/lib/core/entity-tag';
import { requirePreconditions } from './preconditions';

/** Texts around a part of a body. */
type Marks = { start: string; end: string };

/**
 * How an ETag is computed: what is between the marks `changing` does not count. `isStrong`: a change of any byte changes it. `etag`: it was
 * computed before. `updatedAt`: when the resource was changed, if that is known.
 */
type Tagging = { changing?: Marks; isStrong?: boolean; etag?: string; updatedAt?: string | null };

/** A body, complete or in parts that are sent one after the other. */
type Body = string | Uint8Array<ArrayBuffer> | readonly Uint8Array<ArrayBuffer>[];

/** The ETag of a body: weak unless it is strong, since proxies may compress the body. */
export function tagOf(body: Body, { changing, isStrong = false }: Tagging = {}): string {
  const [first = new Uint8Array(), ...others] = partsOf(body);
  const hash = hashOf(Buffer.from(first.buffer, first.byteOffset, first.length), changing);
  for (const part of others) hash.update(part);
  const tag = `"${hash.digest('base64url').slice(0, 27)}"`;
  return isStrong ? tag : `W/${tag}`;
}

/** Texts are encoded once for both the tag and the response: a list can be large. */
function partsOf(body: Body): readonly Uint8Array<ArrayBuffer>[] {
  if (typeof body === 'string') return [Buffer.from(body)];
  return body instanceof Uint8Array ? [body] : body;
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
 * JSON unless the headers override it. Throws PRECONDITION_FAILED for `If-Match` and
 * `If-Unmodified-Since`.
 */
export function respondConditionally(
  request: Request,
  body: Body,
  headers: Record<string, string>,
  tagging: Tagging = {},
): Response {
  const parts = partsOf(body);
  const etag = tagging.etag ?? tagOf(parts, tagging);
  requirePreconditions(request, { etag, version: null, updatedAt: tagging.updatedAt ?? null });
  const tagged = { ...headers, ETag: etag };
  if (namesTag(request.headers.get('if-none-match'), etag)) {
    return new Response(null, { status: 304, headers: tagged });
  }
  const typed = { 'Content-Type': 'application/json', ...tagged };
  const [first, ...others] = parts;
  const isSmall = others.length === 0 && (first === undefined || first.length < COPIED_BYTES);
  const response = new Response(isSmall ? (first ?? null) : streamOf(parts), { headers: typed });
  if (first !== undefined && others.length === 0) bodies.set(response, first);
  return response;
}

/** Copying a shorter body costs less than a stream of it. */
const COPIED_BYTES = 64 * 1024;

/** A stream of parts that are not copied. A `Response` copies what it is created with, even if nobody reads it. */
function streamOf(parts: readonly Uint8Array<ArrayBuffer>[]): ReadableStream<Uint8Array> {
  const remaining = parts.values();
  return new ReadableStream({
    pull: (controller) => {
      const { value, done } = remaining.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
}

/** A hash of all but what is between the marks. */
function hashOf(bytes: Buffer, changing?: Marks): Hash {
  const start = changing ? bytes.indexOf(changing.start) : -1;
  const hash = createHash('sha256');
  if (!changing || start < 0) return hash.update(bytes);
  const end = bytes.indexOf(changing.end, start);
  return hash.update(bytes.subarray(0, start)).update(bytes.subarray(end));
}
