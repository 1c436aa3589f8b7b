import type { RequestListener } from 'node:http';
import { expect, it } from 'vitest';
import { createApplication } from './application';

function ask(handle: RequestListener, headers = {}) {
  const limits = { mostBytes: 100_000, patienceMs: 200 };
  return createApplication(handle, limits).ask('/status/acme?lang=de', { host: 'pharos.test', ...headers });
}

it('asks as a visitor over HTTP would, and answers the whole of what came', async () => {
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

it('answers null for what is too large, without reading it to its end', async () => {
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
  ['no answer in time', () => undefined],
  [
    'an answer that does not end in time',
    (_, response) => {
      response.write('x');
    },
  ],
  ['an answer that breaks off', (_, response) => void response.destroy()],
  [
    'a body that breaks off',
    (_, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('x', () => response.destroy());
    },
  ],
])('rejects with %s', async (_, handle) => {
  await expect(ask(handle)).rejects.toThrow();
});
