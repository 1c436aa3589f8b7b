import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlib } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';

/** A body as sent, with prepared headers as alternating names and values. */
export type Variant = { body: Buffer; head: readonly string[] };

/** The encoded variants of a body. */
export type Variants = ReturnType<typeof createVariants>;

/** Assumed compression ratio of text. */
const COMPRESSED_SHARE = 0.3;

/** The variants of `body`, with `head` as its other headers. Each is created on first use and then kept. */
export function createVariants(body: Buffer, contentType: string, head: readonly string[]) {
  const isText = isCompressible(body, contentType);
  const write = (own: Buffer, headers: readonly string[]): Variant => ({
    body: own,
    head: [...head, ...headers, 'content-length', String(own.length)],
  });
  const identity = write(body, []);
  const created: Partial<Record<Encoding, Variant | Promise<Variant>>> = { identity };
  const create = async (encoding: Compression): Promise<Variant> => {
    const compressed = await compressBody(body, encoding, contentType);
    const variant = compressed === null ? identity : write(compressed, ['content-encoding', encoding]);
    created[encoding] = variant;
    return variant;
  };
  return {
    in: (encoding: Encoding): Variant | Promise<Variant> => {
      if (encoding === 'identity' || !isText) return identity;
      created[encoding] ??= create(encoding);
      return created[encoding];
    },
    /** Approximate upper bound of their total size. */
    bytes: Math.ceil(body.length * (isText ? 1 + 2 * COMPRESSED_SHARE : 1)),
  };
}

/** Content encodings, best first. */
const ENCODINGS = ['br', 'gzip', 'identity'] as const;
export type Encoding = (typeof ENCODINGS)[number];

type Compression = Exclude<Encoding, 'identity'>;

/** Smaller bodies fit into one packet anyway. */
const WORTH_BYTES = 1000;
const TEXT = /^(text\/|image\/svg\+xml|application\/([a-z.-]+\+)?(json|xml|javascript))/;
const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

/** Whether a body is worth compressing at all. */
function isCompressible(body: Buffer, contentType: string): boolean {
  return body.length >= WORTH_BYTES && TEXT.test(contentType);
}

/** Compresses a body off the event loop; null if that does not make it smaller. */
async function compressBody(
  body: Buffer,
  encoding: Compression,
  contentType: string,
): Promise<Buffer | null> {
  // The levels beyond which further savings are not worth it for content that lives for seconds. A document of 40 monitors has to stay
  // below 16 KiB: of one with 17 KB, node:http sent less than half as many per second as of one with 15.
  const level = contentType.startsWith('text/html') ? 5 : 3;
  const compressed = await (encoding === 'br'
    ? toBrotli(body, {
        params: { [zlib.BROTLI_PARAM_QUALITY]: 4, [zlib.BROTLI_PARAM_SIZE_HINT]: body.length },
      })
    : toGzip(body, { level }));
  return compressed.length < body.length ? compressed : null;
}

/** Browsers send few distinct headers. */
const accepted = new LRUCache<string, readonly Encoding[]>({
  max: 1000,
  maxEntrySize: 200,
  sizeCalculation: (_, header) => header.length + 1,
  memoMethod: (header) => {
    const allowed = new Negotiator({ headers: { 'accept-encoding': header } }).encodings([...ENCODINGS]);
    return ENCODINGS.filter((encoding) => encoding === 'identity' || allowed.includes(encoding));
  },
});

/** The encodings allowed by an `Accept-Encoding` header, best first; always includes `identity`. */
export function acceptedEncodings(acceptEncoding = ''): readonly Encoding[] {
  return accepted.memo(acceptEncoding);
}
