import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { expect, it, vi } from 'vitest';
import { createApplication } from './application';

function ask(handle: RequestListener, headers = {}) {
  const limits = { maxBytes: 100_000, patienceMs: 200 };
  return createApplication(handle, limits).ask('/status/acme?lang=de', { host: 'pharos.test', ...headers });
}

it('sends a real HTTP request and returns the whole response', async () => {
  const answer = await ask(
    (request, response) => {
      response.setHeader('Set-Cookie', ['a=1', 'b=2']);
      response.write(`${request.method} ${request.headers.host}${request.url} `);
      response.end('x'.repeat(90_000));
    },
    { 'accept-language': 'de' },
  );
  expect(answer).toMatchObject({ status: 200, headers: { 'set-cookie': ['a=1', 'b=2'] } });
  expect(answer?.body.toString()).toBe(`GET pharos.test/status/acme?lang=de ${'x'.repeat(90_000)}`);
});

it('returns null for a response that is too large, without reading all of it', async () => {
  let ended = false;
  const answer = await ask((_, response) => {
    response.on('close', () => {
      ended = response.writableFinished;
    });
    const write = () => {
      while (!response.destroyed && response.write('x'.repeat(50_000)));
      response.once('drain', write);
    };
    write();
  });
  expect(answer).toBeNull();
  expect(ended).toBe(false);
});

it.each<[string, RequestListener]>([
  ['in one part', (_, response) => void response.end('x')],
  [
    'in parts',
    (_, response) => {
      response.write('x'.repeat(90_000), () => setImmediate(() => response.end()));
    },
  ],
  ['that is too large', (_, response) => void response.end('x'.repeat(200_000))],
  ['that does not arrive', () => undefined],
])('keeps nothing of a request after a response %s', async (_, handle) => {
  let socket: Socket | undefined;
  await ask((request, response) => {
    socket = request.socket;
    handle(request, response);
  }).catch(() => null);
  await vi.waitFor(() => expect(socket?.closed).toBe(true));
});

it.each<[string, RequestListener]>([
  ['no response in time', () => undefined],
  [
    'a response that does not end in time',
    (_, response) => {
      response.write('x');
    },
  ],
  ['a response that breaks off', (_, response) => void response.destroy()],
  [
    'a truncated body',
    (_, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('x', () => response.destroy());
    },
  ],
])('rejects with %s', async (_, handle) => {
  await expect(ask(handle)).rejects.toThrow();
});
