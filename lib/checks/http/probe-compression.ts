import { isUtf8 } from 'node:buffer';
import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { storableText } from '@/lib/core/storable-text';
import { formatBytes } from '@/lib/core/text';
import { abortable, type StopSignal, startDeadline } from '@/lib/platform/net/deadline';
import type { GuardedResponse } from '@/lib/platform/net/http-request';
import { DeadlineError, errorCode } from '@/lib/platform/net/net-error';

/** How much of a body is read, also after it was decompressed. */
export const MAX_BODY_BYTES = 1024 * 1024;
/** Longer than 1 MiB takes on a busy machine. */
const MAX_INFLATE_MS = 2000;
/** Bodies that are compressed more often are not read. */
const MAX_CODINGS = 5;

/** What was read of the body of a response. */
export type ReadBody = {
  /** Decompressed; empty if that was not possible. */
  bytes: Buffer;
  /** Where it ends because the rest was not read, such as `1 MiB`; null if it is complete. */
  end: string | null;
  /** Why what it does not contain is not known: it did not end, or its compression cannot be read; null if it is known. */
  unread: string | null;
};

type Received = Pick<GuardedResponse, 'body' | 'truncated' | 'endless'>;

/** The body as it was received. */
export function asReceived({ body, truncated, endless }: Received): ReadBody {
  const cut = truncated ? '1 MiB' : null;
  return { bytes: body, end: endless === null ? cut : formatBytes(body.length), unread: endless };
}

/** The compressions of a body, in the order in which they are undone. */
export function codingsOf(contentEncoding: string | undefined): string[] {
  if (contentEncoding === undefined) return [];
  const codings = contentEncoding.split(',').map((coding) => coding.trim().toLowerCase());
  return codings.filter((coding) => coding !== '' && coding !== 'identity').reverse();
}

/**
 * Decompresses the body of a server that compresses although it was not asked to: gzip, deflate and Brotli, in the threads of Node.js, and at
 * most 1 MiB of what results. Text that only claims to be compressed, or so often, is returned as it
 * is, and what is not valid as far as it is.
 *
 * Throws an error if that takes more than two seconds, which says nothing about the server, or the signal's reason.
 */
export async function decompress(
  response: Received,
  codings: readonly string[],
  signal?: StopSignal,
): Promise<ReadBody> {
  const received = asReceived(response);
  if (codings.length > MAX_CODINGS)
    return unreadable(received, `the body is compressed more than ${MAX_CODINGS} times`);
  const deadline = startDeadline(MAX_INFLATE_MS, signal);
  let { body: bytes } = response;
  let { unread } = received;
  let isCut = false;
  try {
    for (const coding of codings) {
      const decoder = createDecoder(coding, bytes);
      // Some servers name a charset there, or what concerns only themselves.
      if (decoder === null && isUtf8(bytes)) break;
      if (decoder === null) {
        const name = storableText(coding, 50);
        return unreadable(received, `the body is compressed with ${name}, which cannot be read here`);
      }
      const inflated = await inflate(decoder, bytes, deadline.signal);
      const { problem } = inflated;
      if (problem !== null && inflated.bytes.length === 0 && isUtf8(bytes)) break;
      if (problem === 'is not valid') unread ??= `the body is not valid ${coding}`;
      // Otherwise the rest is what was not received.
      else if (problem !== null && !response.truncated) unread ??= `the ${coding} of the body ends too early`;
      bytes = inflated.bytes;
      isCut ||= inflated.isCut;
    }
  } catch (error) {
    if (!(error instanceof DeadlineError)) throw error;
    throw new Error(`the body could not be decompressed within ${error.within}`, { cause: error });
  } finally {
    deadline.release();
  }
  const end = received.end === null ? null : formatBytes(bytes.length);
  return { bytes, end: isCut ? '1 MiB' : end, unread };
}

function unreadable({ end }: ReadBody, unread: string): ReadBody {
  return { bytes: Buffer.alloc(0), end, unread };
}

/** Null if the coding is not known. */
function createDecoder(coding: string, [first = 0]: Buffer): Transform | null {
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'deflate':
      // Many servers leave out the header, whose first half byte is the method.
      return (first & 0x0f) === 8 ? createInflate() : createInflateRaw();
    case 'br':
      return createBrotliDecompress();
    default:
      return null;
  }
}

type Inflated = { bytes: Buffer; isCut: boolean; problem: 'is not valid' | 'ends too early' | null };

/** What the bytes inflate to, as far as it is read and they are valid. */
function inflate(decoder: Transform, bytes: Buffer, signal: StopSignal): Promise<Inflated> {
  return abortable(signal, (resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const finish = (isCut: boolean, problem: Inflated['problem'] = null) =>
      resolve({ bytes: Buffer.concat(chunks), isCut, problem });
    decoder
      .on('data', (chunk: Buffer) => {
        const kept = chunk.subarray(0, MAX_BODY_BYTES - size);
        chunks.push(kept);
        size += kept.length;
        if (kept.length < chunk.length) finish(true);
      })
      .on('end', () => finish(false))
      .on('error', (error) =>
        finish(false, errorCode(error) === 'Z_BUF_ERROR' ? 'ends too early' : 'is not valid'),
      )
      .end(bytes);
    return () => void decoder.destroy();
  });
}
