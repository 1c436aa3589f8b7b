import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { waitFor } from '@/lib/testing/wait-for';
import { callSharedRoute, shareWithServer } from '@/lib/web/http/process-shared';
import { createApplication } from './application';

function ask(handle: RequestListener, headers = {}) {
  const limits = { maxBytes: 100_000, patienceMs: 200 };
  return createApplication(handle, limits).ask('/status/acme?lang=de', { host: 'pharos.test', ...headers });
}

it('sends a real HTTP request and returns the whole response', async () => {
  const received = await ask(
    (request, response) => {
      response.setHeader('Set-Cookie', ['a=1', 'b=2']);
      response.write(`${request.method} ${request.headers.host}${request.url} `);
      response.end('x'.repeat(90_000));
    },
    { 'accept-language': 'de' },
  );
  expect(received).toMatchObject({ status: 200, headers: { 'set-cookie': ['a=1', 'b=2'] } });
  expect(received?.body.toString()).toBe(`GET pharos.test/status/acme?lang=de ${'x'.repeat(90_000)}`);
});

it('returns null for a response that is too large, without reading all of it', async () => {
  let ended = false;
  const received = await ask((_, response) => {
    response.on('close', () => {
      ended = response.writableFinished;
    });
    const write = () => {
      while (!response.destroyed && response.write('x'.repeat(50_000)));
      response.once('drain', write);
    };
    write();
  });
  expect(received).toBeNull();
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
  await waitFor(() => expect(socket?.closed).toBe(true));
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

describe('a route that is shared with the server', () => {
  const application = createApplication((_, response) => void response.end('Next'), {
    maxBytes: 1000,
    patienceMs: 200,
  });
  const textOf = async (path: string) => (await application.ask(path, {}))?.body.toString();

  it('is called directly, with its slug, the query and the headers', async () => {
    shareWithServer('/test/[slug]/history', async (request, { params }) => {
      const { slug } = await params;
      const { searchParams } = new URL(request.url);
      const words = [slug, searchParams.get('lang'), request.headers.get('host')];
      return new Response(words.join(' '), { status: 404, headers: { 'Cache-Control': 'no-store' } });
    });
    const headers = { host: 'status.example.com', 'x-absent': undefined };
    expect(await application.ask('/test/acme/history?lang=de', headers)).toMatchObject({
      status: 404,
      headers: { 'cache-control': 'no-store' },
      body: Buffer.from('acme de status.example.com'),
    });
    expect(await textOf('/test/acme/histories')).toBe('Next');
    expect(await textOf('/test/acme/more/history')).toBe('Next');
  });

  it('has the same limits', async () => {
    shareWithServer('/test-large', async () => new Response('x'.repeat(1001)));
    shareWithServer('/test-late', () => new Promise(() => undefined));
    shareWithServer('/test-failing', () => Promise.reject(new Error('not today')));
    expect(await application.ask('/test-large', {})).toBeNull();
    await expect(application.ask('/test-late', {})).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await expect(application.ask('/test-failing', {})).rejects.toThrow('not today');
  });

  it('is that of a page or its JSON', async () => {
    await Promise.all([import('@/app/status/[slug]/route'), import('@/app/api/status-pages/public/route')]);
    for (const path of ['/status/acme?lang=de', '/api/status-pages/public?slug=acme']) {
      const response = callSharedRoute(path, new Headers());
      expect(response).not.toBeNull();
      // Without a database.
      await expect(response).rejects.toThrow();
    }
  });
});
