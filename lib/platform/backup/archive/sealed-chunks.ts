import { createCipheriv, createDecipheriv, createHash, type KeyObject } from 'node:crypto';
import { StartupError } from '@/lib/core/errors';

/** Chunks of a backup, at most this long before they are sealed. */
const CHUNK_BYTES = 64 * 1024;
const TAG_BYTES = 16;
const LENGTH_BYTES = 4;
/** In the length of a chunk: it is the last one. */
const LAST = 0x8000_0000;

const TRUNCATED = 'the backup is incomplete: its end is missing. Use another copy';
const ALTERED = 'the backup is damaged: its content was altered. Use another copy';

/**
 * How chunks are sealed. With a key, they are encrypted and authenticated; without one, their digests only reveal accidental changes.
 * `header` is the text in front of the chunks, which is sealed with each of them.
 */
export type Seal = { key: KeyObject | null; header: Buffer };

/**
 * Splits bytes into chunks, each with its length and a tag. The tag covers the header, the position of the chunk and whether it is
 * the last: chunks cannot be changed, moved, left out or cut off unnoticed.
 */
export async function* sealChunks(source: AsyncIterable<Buffer>, seal: Seal): AsyncGenerator<Buffer> {
  const { close } = createSealer(seal);
  let pending: Buffer[] = [];
  let size = 0;
  let index = 0;
  for await (const bytes of source) {
    pending.push(bytes);
    size += bytes.length;
    if (size <= CHUNK_BYTES) continue;
    const joined = Buffer.concat(pending);
    let start = 0;
    // The rest stays, because the last chunk must be known to be the last.
    for (; joined.length - start > CHUNK_BYTES; start += CHUNK_BYTES) {
      yield close(joined.subarray(start, start + CHUNK_BYTES), { index, isLast: false });
      index += 1;
    }
    pending = [joined.subarray(start)];
    size = joined.length - start;
  }
  yield close(Buffer.concat(pending), { index, isLast: true });
}

/** The bytes that `sealChunks` was given. Throws StartupError at the first byte that is missing, altered or left over. */
export async function* openChunks(source: AsyncIterable<Buffer>, seal: Seal): AsyncGenerator<Buffer> {
  const { open } = createSealer(seal);
  let rest: Buffer = Buffer.alloc(0);
  let index = 0;
  let hasEnded = false;
  for await (const bytes of source) {
    if (hasEnded) throw new StartupError(ALTERED);
    rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
    while (!hasEnded && rest.length >= LENGTH_BYTES) {
      const prefix = rest.readUInt32BE(0);
      const isLast = prefix >= LAST;
      const length = isLast ? prefix - LAST : prefix;
      if (length > CHUNK_BYTES) throw new StartupError(ALTERED);
      const end = LENGTH_BYTES + length + TAG_BYTES;
      if (rest.length < end) break;
      yield open(rest.subarray(LENGTH_BYTES, end), { index, isLast });
      index += 1;
      hasEnded = isLast;
      rest = rest.subarray(end);
    }
    if (hasEnded && rest.length > 0) throw new StartupError(ALTERED);
  }
  if (!hasEnded) throw new StartupError(TRUNCATED);
}

type Position = { index: number; isLast: boolean };

function createSealer({ key, header }: Seal) {
  const context = createHash('sha256').update(header).digest();
  const digest = (body: Buffer, nonce: Buffer) =>
    createHash('sha256').update(context).update(nonce).update(body).digest().subarray(0, TAG_BYTES);

  const close = (chunk: Buffer, position: Position): Buffer => {
    const nonce = toNonce(position);
    const prefix = Buffer.alloc(LENGTH_BYTES);
    prefix.writeUInt32BE(chunk.length + (position.isLast ? LAST : 0));
    if (key === null) return Buffer.concat([prefix, chunk, digest(chunk, nonce)]);
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(context);
    return Buffer.concat([prefix, cipher.update(chunk), cipher.final(), cipher.getAuthTag()]);
  };

  const open = (sealed: Buffer, position: Position): Buffer => {
    const nonce = toNonce(position);
    const [body, tag] = [sealed.subarray(0, -TAG_BYTES), sealed.subarray(-TAG_BYTES)];
    if (key === null) {
      if (!digest(body, nonce).equals(tag)) throw new StartupError(ALTERED);
      return body;
    }
    const decipher = createDecipheriv('aes-256-gcm', key, nonce).setAAD(context).setAuthTag(tag);
    try {
      return Buffer.concat([decipher.update(body), decipher.final()]);
    } catch (error) {
      throw new StartupError(ALTERED, { cause: error });
    }
  };
  return { close, open };
}

/** Every backup has a key of its own, so positions are never repeated under a key. */
function toNonce({ index, isLast }: Position): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUIntBE(index, 2, 6);
  nonce.writeUInt8(isLast ? 1 : 0, 11);
  return nonce;
}
