import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlib } from 'node:zlib';
import Negotiator from 'negotiator';

/** A body as it goes out, with its headers ready: name, value, name, value. */
export type Variant = { body: Buffer; head: readonly string[] };

/** The variants of a body. Each is made when it is asked for first, and at hand from then on. */
export type Variants = {
  in(encoding: Encoding): Variant | Promise<Variant>;
  /** What all of them together take at most, near enough. */
  readonly bytes: number;
};

/** Text becomes at least so much smaller. */
const COMPRESSED_SHARE = 0.3;

/** The variants of `body`, whose other headers are `head`. */
export function createVariants(body: Buffer, contentType: string, head: readonly string[]): Variants {
  const isText = isCompressible(body, contentType);
  const write = (own: Buffer, headers: readonly string[]): Variant => ({
    body: own,
    head: [...head, ...headers, 'content-length', String(own.length)],
  });
  const identity = write(body, []);
  const made: Partial<Record<Encoding, Variant | Promise<Variant>>> = { identity };
  const make = async (encoding: Exclude<Encoding, 'identity'>): Promise<Variant> => {
    const compressed = await compressBody(body, encoding);
    const variant = compressed === null ? identity : write(compressed, ['content-encoding', encoding]);
    made[encoding] = variant;
    return variant;
  };
  return {
    in: (encoding) => {
      if (encoding === 'identity' || !isText) return identity;
      made[encoding] ??= make(encoding);
      return made[encoding];
    },
    bytes: Math.ceil(body.length * (isText ? 1 + 2 * COMPRESSED_SHARE : 1)),
  };
}

/** How a body goes over the wire, the best first. */
export const ENCODINGS = ['br', 'gzip', 'identity'] as const;
export type Encoding = (typeof ENCODINGS)[number];

export type Compression = Exclude<Encoding, 'identity'>;

/** Smaller bodies fit in one packet anyway. */
const WORTH_BYTES = 1000;
const TEXT = /^(text\/|image\/svg\+xml|application\/([a-z.-]+\+)?(json|xml|javascript))/;
const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

/** Whether a body is worth compressing at all. */
export function isCompressible(body: Buffer, contentType: string): boolean {
  return body.length >= WORTH_BYTES && TEXT.test(contentType);
}

/** Compresses a body, off the event loop; null where that makes it no smaller. */
export async function compressBody(body: Buffer, encoding: Compression): Promise<Buffer | null> {
  // The levels at which the next byte saved costs more than it is worth, for what lives for seconds.
  const compressed = await (encoding === 'br'
    ? toBrotli(body, {
        params: { [zlib.BROTLI_PARAM_QUALITY]: 5, [zlib.BROTLI_PARAM_SIZE_HINT]: body.length },
      })
    : toGzip(body, { level: 6 }));
  return compressed.length < body.length ? compressed : null;
}

const MAX_HEADERS = 1000;
const accepted = new Map<string, readonly Encoding[]>();

/** The encodings that an `Accept-Encoding` header allows, the best first; `identity` at the end in any case. */
export function acceptedEncodings(acceptEncoding = ''): readonly Encoding[] {
  const known = accepted.get(acceptEncoding);
  if (known !== undefined) return known;
  const negotiator = new Negotiator({ headers: { 'accept-encoding': acceptEncoding } });
  const allowed = new Set(negotiator.encodings([...ENCODINGS]));
  const encodings = ENCODINGS.filter((encoding) => encoding === 'identity' || allowed.has(encoding));
  if (accepted.size >= MAX_HEADERS) accepted.clear();
  if (acceptEncoding.length < 200) accepted.set(acceptEncoding, encodings);
  return encodings;
}
