import { once } from 'node:events';
import { IncomingMessage } from 'node:http';
import { connect, Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { SeenBody } from '@/lib/checks/evidence';
import { listenLocally } from '@/lib/testing/http-listener';
import { keepLog } from '@/lib/testing/kept-log';
import { readOutput } from './call-output';
import { createHttpServer } from './http-server';

const MEGABYTE = 1024 * 1024;

/** The web server, with a listener that reads bodies within `readMs`. */
async function begin(readMs?: number) {
  const outputs: (SeenBody | null)[] = [];
  const { log } = keepLog();
  const server = createHttpServer(
    (request, response) => {
      void readOutput(request, readMs).then((output) => {
        outputs.push(output);
        response.end('OK');
      });
    },
    { maxConnectionsPerAddress: 10, trustedProxies: [], log },
  );
  const { port, close } = await listenLocally(server);
  onTestFinished(close);
  const send = async (body: BodyInit | null, headers: Record<string, string> = {}, method = 'POST') => {
    const response = await fetch(`http://127.0.0.1:${port}/`, { method, body, headers });
    expect(await response.text()).toBe('OK');
    return outputs.at(-1);
  };
  return { port, send, outputs };
}

describe('the output of a job', () => {
  it('is the text of the body, with its length and type', async () => {
    const { send } = await begin();
    const type = 'text/plain;charset=UTF-8';
    const output = { text: 'café: 0\n', size: 9, truncated: false, type, encoding: null };
    expect(await send('café: 0\n')).toEqual(output);
    expect(await send('café: 0\n', {}, 'PUT')).toEqual(output);
  });

  it('is nothing without a body', async () => {
    const { send } = await begin();
    expect(await send(null)).toBeNull();
    expect(await send(null, {}, 'GET')).toBeNull();
  });

  it.each([16 * 1024 + 1, 10 * MEGABYTE, 15 * MEGABYTE])(
    'of %i bytes is kept up to 16 KiB, and the call is OK',
    async (size) => {
      const { send } = await begin();
      const output = await send('x'.repeat(size));
      expect(output?.text).toBe('x'.repeat(16 * 1024));
      expect(output?.truncated).toBe(true);
    },
  );

  it('that is not text is its length and type', async () => {
    const { send } = await begin();
    const bytes = new Uint8Array(1000).fill(7);
    expect(await send(bytes, { 'content-type': 'application/x-tar' })).toMatchObject({
      text: null,
      size: 1000,
      type: 'application/x-tar',
    });
    expect(await send('x', { 'content-encoding': 'gzip' })).toMatchObject({ text: null, encoding: 'gzip' });
  });

  it.each([
    ['does not end', ''],
    ['breaks off', 'end'],
  ])('that %s is kept as far as it came', async (_, then) => {
    const { port, outputs } = await begin(then === '' ? 100 : 30_000);
    const socket = connect(port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    await once(socket, 'connect');
    socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nhalf of it');
    if (then === 'end') socket.end();
    else expect(String(await once(socket, 'data'))).toMatch(/^HTTP\/1.1 200 OK/);
    await expect.poll(() => outputs).toMatchObject([{ text: 'half of it', size: 10, truncated: true }]);
  });
});

it('bodies that are still arriving cost no more memory than what is kept of them', async () => {
  const chunk = Buffer.alloc(MEGABYTE, 'x');
  const bodies = Array.from({ length: 20 }, () => new IncomingMessage(new Socket()));
  const before = measureBuffers();
  const outputs = bodies.map((body) => {
    const output = readOutput(body, 60_000);
    for (let part = 0; part < 4; part++) body.emit('data', Buffer.from(chunk));
    return output;
  });
  // 80 MiB arrived. Polled: what the collector finds is freed by a thread of its own, a little later.
  await expect.poll(() => measureBuffers() - before).toBeLessThan(2 * MEGABYTE);
  for (const body of bodies) body.emit('end');
  for (const output of await Promise.all(outputs)) expect(output?.size).toBe(4 * MEGABYTE);
});

/** Bytes of buffers that are in use. */
function measureBuffers(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().arrayBuffers;
}
