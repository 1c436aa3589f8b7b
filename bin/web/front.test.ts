import { createServer, type RequestListener } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { createLogger } from '@/lib/core/logger';
import { systemClock } from '@/lib/core/time/clock';
import { createHeldPages, createPageCache } from '@/lib/platform/page-front';
import { listenLocally } from '@/lib/testing/http-listener';
import { createApplication } from './application';
import { createFront } from './front';

const HTML = 'text/html; charset=utf-8';

/** Requests a path from the front, with `pass` as the application behind it. */
async function ask(
  pass: RequestListener,
  { appUrl, path = '/sign-in', headers = {} }: { appUrl?: string; path?: string; headers?: object } = {},
): Promise<Response> {
  const front = createFront({
    appUrl,
    trustedProxies: [],
    findPage: () => null,
    cache: createPageCache({ clock: systemClock, maxBytes: 1024 * 1024 }),
    held: createHeldPages({ clock: systemClock, maxBytes: 1024 * 1024 }),
    sessionCookie: 'session',
    addressOf: () => null,
    application: createApplication(pass),
    pass,
    passToWorker: null,
    receiveHeartbeat: () => {},
    serveProbe: () => {},
    serveMetrics: null,
    accessLog: null,
    clock: systemClock,
    log: createLogger('silent', 'test'),
  });
  const listener = await listenLocally(createServer(front));
  onTestFinished(listener.close);
  // A name for this machine that every resolver knows, so that APP_URL can name it.
  return fetch(`http://localhost:${listener.port}${path}`, { headers: { ...headers } });
}

const answerHtml: RequestListener = (request, response) => {
  response.setHeader('Content-Type', HTML);
  response.end(String(request.headers['content-security-policy']));
};

it('a document runs only scripts with its nonce, which is new each time', async () => {
  const nonces = new Set<string>();
  for (let round = 0; round < 2; round += 1) {
    const response = await ask(answerHtml);
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toBe(await response.text());
    const scripts = policy.split('; ').find((rule) => rule.startsWith('script-src')) ?? '';
    expect(scripts).toMatch(/^script-src 'self' 'nonce-[\w+/]{22}==' 'strict-dynamic'$/);
    nonces.add(scripts);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("base-uri 'none'");
  }
  expect(nonces.size).toBe(2);
});

it('a visitor cannot choose the nonce', async () => {
  const chosen = "script-src 'nonce-AAAAAAAAAAAAAAAAAAAAAA=='";
  const response = await ask(answerHtml, { headers: { 'Content-Security-Policy': chosen } });
  expect(await response.text()).not.toContain('AAAAAAAA');
});

it('other responses cannot run anything, and are not sniffed', async () => {
  const response = await ask((_, answer) => answer.setHeader('Content-Type', 'application/json').end('{}'));
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
  });
});

it('a response with its own policy, such as a status page, keeps it', async () => {
  const own = "default-src 'none'; script-src 'sha256-x'";
  const response = await ask((_, answer) => {
    answer.setHeader('Content-Type', HTML);
    answer.appendHeader('Content-Security-Policy', own);
    answer.end();
  });
  expect(response.headers.get('content-security-policy')).toBe(own);
});

it.each([
  ['https://localhost', 'max-age=31536000'],
  ['http://localhost', null],
  [undefined, null],
])('with APP_URL %s, Strict-Transport-Security is %s', async (appUrl, expected) => {
  for (const path of ['/sign-in', '/api/status-pages/public?slug=acme', '/%ff']) {
    const response = await ask((_, answer) => answer.end(), { appUrl, path });
    expect(response.headers.get('strict-transport-security'), path).toBe(expected);
  }
});

it('errors of the web server itself are protected too', async () => {
  const appUrl = 'https://pharos.test';
  for (const path of ['/', '/api/monitors']) {
    const response = await ask(answerHtml, { appUrl, path });
    expect([response.status, response.headers.get('x-content-type-options')]).toEqual([404, 'nosniff']);
    expect(response.headers.get('content-security-policy')).toBe(
      "default-src 'none'; frame-ancestors 'none'",
    );
  }
});

it('what the application sends is compressed on its way', async () => {
  const response = await ask((_, answer) => {
    answer.setHeader('Content-Type', HTML);
    answer.end('<p>Pharos</p>'.repeat(1000));
  });
  expect(response.headers.get('content-encoding')).toMatch(/^(br|gzip)$/);
  expect(await response.text()).toContain('<p>Pharos</p>');
});
