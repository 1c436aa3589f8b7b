import { DomainError } from '@/lib/core/errors';

const MAX_BYTES = 1024 * 1024;

/** Reads the body of a request. Throws PAYLOAD_TOO_LARGE beyond 1 MiB, without reading further. */
export async function readBounded(request: Request): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  if (request.body === null) return new Uint8Array();
  for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new DomainError('PAYLOAD_TOO_LARGE', 'The body is larger than 1 MiB.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
