import { compressBody, type Encoding, isCompressible } from './encoding';

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
