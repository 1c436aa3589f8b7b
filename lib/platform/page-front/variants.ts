import { promisify } from 'node:util';
import { brotliCompress, brotliDecompressSync, gunzipSync, gzip, constants as zlib } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';

/** A body as sent, with prepared headers as alternating names and values. */
export type Variant = { body: Buffer; head: readonly string[] };

/** The encoded variants of a body. */
export type Variants = ReturnType<typeof createVariants>;

/** Assumed compression ratio of text. */
const COMPRESSED_SHARE = 0.3;

/**
 * The variants of a body, with `head` as its other headers. Each is created on first use and then kept: compressed quickly, and better once it
 * is used again, which most are not while their page changes. The body itself is dropped as soon as it can be read from a compressed variant:
 * it takes ten times the memory, and collecting that costs more than the rest of a response.
 */
export function createVariants(body: Buffer, contentType: string, head: readonly string[]) {
  const isText = isCompressible(body, contentType);
  const { length } = body;
  const write = (own: Buffer, headers: readonly string[]): Variant => ({
    body: own,
    head: [...head, ...headers, 'content-length', String(own.length)],
  });
  const created: Partial<Record<Compression, Variant | Promise<Variant>>> = {};
  /** What was compressed quickly, and not used since. */
  const quick = new Set<Compression>();
  let identity: Variant | null = write(body, []);
  let isIdentityRead = false;
  /** Where the body is while it is not in `identity`. */
  let source: { encoding: Compression; body: Buffer } | null = null;
  const readBody = (): Buffer => {
    if (identity !== null) return identity.body;
    if (source === null) throw new Error('the body was dropped without a variant of it');
    return DECODERS[source.encoding](source.body);
  };
  const readIdentity = (): Variant => {
    isIdentityRead = true;
    identity ??= write(readBody(), []);
    return identity;
  };
  const create = async (encoding: Compression, effort: Effort): Promise<Variant> => {
    const compressed = await COMPRESSIONS[encoding](readBody(), effort);
    if (compressed.length >= length) return readIdentity();
    source = { encoding, body: compressed };
    if (!isIdentityRead) identity = null;
    return write(compressed, ['content-encoding', encoding]);
  };
  const keep = async (encoding: Compression, effort: Effort): Promise<Variant> => {
    const variant = await create(encoding, effort);
    created[encoding] = variant;
    return variant;
  };
  const improve = async (encoding: Compression, quickly: Variant | Promise<Variant>): Promise<void> => {
    await quickly;
    await keep(encoding, 'thorough');
  };
  return {
    in: (encoding: Encoding): Variant | Promise<Variant> => {
      if (encoding === 'identity' || !isText) return readIdentity();
      const known = created[encoding];
      if (known === undefined) {
        quick.add(encoding);
        created[encoding] = keep(encoding, 'quick');
        return created[encoding];
      }
      // The quick one is sent until the other is there, and stays if that fails.
      if (quick.delete(encoding)) improve(encoding, known).catch(() => undefined);
      return known;
    },
    /** The body, to make another of it. */
    readBody,
    /** Approximate upper bound of their total size. */
    bytes: Math.ceil(length * (isText ? 1 + 2 * COMPRESSED_SHARE : 1)),
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
const DECODERS: Record<Compression, (compressed: Buffer) => Buffer> = {
  br: (compressed) => brotliDecompressSync(compressed),
  gzip: (compressed) => gunzipSync(compressed),
};

/** Whether a body is worth compressing at all. */
function isCompressible(body: Buffer, contentType: string): boolean {
  return body.length >= WORTH_BYTES && TEXT.test(contentType);
}

type Effort = 'quick' | 'thorough';

/**
 * The levels beyond which further savings are not worth it for content that lives for seconds. A document of 40 monitors that is sent often has
 * to stay below 16 KiB: of one with 17 KB, node:http sent less than half as many per second as of one with 15.
 * Not 4 or 5 of gzip: the data of a page with 40 monitors had 7 KB at 3, 11 KB at 5, and 4 KB at 6.
 */
const LEVELS = { quick: { br: 2, gzip: 3 }, thorough: { br: 4, gzip: 6 } } as const;

/** Compress a body off the event loop. */
const COMPRESSIONS: Record<Compression, (body: Buffer, effort: Effort) => Promise<Buffer>> = {
  br: (body, effort) =>
    toBrotli(body, {
      params: {
        [zlib.BROTLI_PARAM_QUALITY]: LEVELS[effort].br,
        [zlib.BROTLI_PARAM_SIZE_HINT]: body.length,
      },
    }),
  gzip: (body, effort) => toGzip(body, { level: LEVELS[effort].gzip }),
};

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
