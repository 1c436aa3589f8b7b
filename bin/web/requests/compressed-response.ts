import type { IncomingMessage, ServerResponse } from 'node:http';
import { constants } from 'node:zlib';
import compression from 'compression';

/** What is written within this time is compressed and sent together. */
const GATHER_MS = 2;

/** A page is compressed for each visit: zlib's own level takes almost three times the CPU for a tenth fewer bytes. */
const compressPage = compression({ level: 3, brotli: { params: { [constants.BROTLI_PARAM_QUALITY]: 2 } } });

/** A file of the build is kept by browsers. */
const compressFile = compression();
const FILES = /^\/_next\/static\//;

/**
 * Compresses what is written to a response from here on. React writes a page in a dozen pieces, most of them within a millisecond, and Next flushes
 * each: pieces that follow each other quickly become one block and one packet.
 */
export function compressResponse(request: IncomingMessage, response: ServerResponse): void {
  const compress = FILES.test(request.url ?? '') ? compressFile : compressPage;
  const { flushHeaders } = response;
  // Typed for Express, although it needs nothing of it. It adds `flush` to the response.
  Reflect.apply(compress, undefined, [request, response, () => undefined]);
  const flush: unknown = Reflect.get(response, 'flush');
  let isDue = false;
  const send = () => {
    isDue = false;
    if (response.destroyed) return;
    if (!response.headersSent) Reflect.apply(flushHeaders, response, []);
    if (typeof flush === 'function') Reflect.apply(flush, response, []);
  };
  const sendSoon = () => {
    if (!isDue) setTimeout(send, GATHER_MS);
    isDue = true;
  };
  Object.assign(response, { flushHeaders: sendSoon, flush: sendSoon });
}
