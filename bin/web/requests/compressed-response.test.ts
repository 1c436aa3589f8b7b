import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import { createBrotliDecompress, createGunzip } from 'node:zlib';
import { expect, it, onTestFinished } from 'vitest';
import { listenLocally } from '@/lib/testing/http-listener';
import { compressResponse } from './compressed-response';

type Write = (response: ServerResponse) => void;

/** Requests what `write` writes, as the encoding says. */
async function request(write: Write, { path = '/', encoding = 'gzip' } = {}): Promise<IncomingMessage> {
  const server = createServer((incoming, response) => {
    response.setHeader('Content-Type', 'text/html');
    compressResponse(incoming, response);
    write(response);
  });
  const { url, close } = await listenLocally(server);
  onTestFinished(close);
  const [response] = await once(
    get(`${url}${path}`, { headers: { 'accept-encoding': encoding } }),
    'response',
  );
  return response as IncomingMessage;
}

/** Writes a piece as Next does. */
function writePiece(response: ServerResponse, text: string): void {
  response.flushHeaders();
  response.write(text);
  Reflect.apply(Reflect.get(response, 'flush'), response, []);
}

/** Where the blocks of a stream that was flushed end. */
const FLUSHED = Buffer.from([0, 0, 0xff, 0xff]);

function countFlushes(body: Buffer): number {
  let flushes = 0;
  for (let at = body.indexOf(FLUSHED); at >= 0; at = body.indexOf(FLUSHED, at + 1)) flushes += 1;
  return flushes;
}

it('pieces that follow each other quickly become one', async () => {
  const pieces = Array.from({ length: 10 }, () => randomBytes(200).toString('hex'));
  const response = await request((response) => {
    for (const piece of pieces) writePiece(response, piece);
    setTimeout(() => response.end('end'), 50);
  });
  const body = Buffer.concat(await response.toArray());
  expect(countFlushes(body)).toBe(1);
  expect(String(Buffer.concat(await createGunzip().end(body).toArray()))).toBe(`${pieces.join('')}end`);
});

it('what is there is sent before the rest, the head even if nothing else is', async () => {
  let finish: (() => void) | undefined;
  const response = await request((response) => {
    response.flushHeaders();
    finish = () => {
      writePiece(response, 'a'.repeat(2000));
      finish = () => response.end();
    };
  });
  expect(response.headers['content-encoding']).toBe('gzip');
  finish?.();
  const decoded = response.pipe(createGunzip());
  const [first] = await once(decoded, 'data');
  expect(String(first)).toBe('a'.repeat(2000));
  finish?.();
  await once(decoded, 'end');
});

it('browsers get Brotli, and files of the build take longer to compress, for fewer bytes', async () => {
  const text = Array.from({ length: 2000 }, (_, line) => `<p class="row">${line * 7919}</p>`).join('');
  const write: Write = (response) => response.end(text);
  const bytes = async (path: string) =>
    Buffer.concat(await (await request(write, { path })).toArray()).length;
  expect(await bytes('/_next/static/chunks/a.js')).toBeLessThan(await bytes('/monitors'));
  const response = await request(write, { encoding: 'gzip, deflate, br' });
  expect(response.headers).toMatchObject({ 'content-encoding': 'br', vary: 'Accept-Encoding' });
  expect(String(Buffer.concat(await response.pipe(createBrotliDecompress()).toArray()))).toBe(text);
});
