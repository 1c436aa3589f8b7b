import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, request } from 'node:http';
import { connect } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { createLogger } from '@/lib/core/logger';
import { systemClock } from '@/lib/core/time/clock';
import { createHeldPages, PageCache } from '@/lib/platform/page-front';
import { listenLocally } from '@/lib/testing/http-listener';
import { waitUntil } from '@/lib/testing/wait-for';
import { RateLimitedError } from '@/lib/web/http/rate-limit';
import { createApplication } from './application';
import { createFront } from './front';
import { hashSource } from './security-headers';

const HTML = 'text/html; charset=utf-8';

/** What requests wait for before the application has them. */
let awaitTurn = (_: IncomingMessage): Promise<unknown> => Promise.resolve();

function setTurn(next: typeof awaitTurn): void {
  const usual = awaitTurn;
  awaitTurn = next;
  onTestFinished(() => {
    awaitTurn = usual;
  });
}

/** The URLs of requests that took a turn. */
function noteTurns(): (string | undefined)[] {
  const urls: (string | undefined)[] = [];
  setTurn(async ({ url }) => urls.push(url));
  return urls;
}

type Asked = { path?: string; headers?: object; method?: string };

/** Requests a path from a front, with `pass` as the application behind it. */
async function ask(
  pass: RequestListener,
  { appUrl, ...asked }: Asked & { appUrl?: string } = {},
): Promise<Response> {
  return (await openFront(pass, appUrl))(asked);
}

/** The URLs of requests whose keys were accepted. */
const accepted: (string | undefined)[] = [];

/** The port of a front with `pass` as the application behind it; `visits` are those that were counted. */
async function listenFront(
  pass: RequestListener,
  appUrl?: string,
  visits: (string | undefined)[] = [],
): Promise<number> {
  const cache = new PageCache({ clock: systemClock, maxBytes: 1024 * 1024 });
  cache.resume();
  const front = createFront({
    appUrl,
    trustedProxies: [],
    findPage: () => null,
    cache,
    held: createHeldPages({ clock: systemClock, maxBytes: 1024 * 1024 }),
    sessionCookie: 'session',
    addressOf: () => null,
    visitors: {
      nameOf: () => '',
      countMiss: async ({ url }) => {
        visits.push(url);
        return { headers: {}, refusal: null };
      },
      inTurn: (request, work) => awaitTurn(request).then(work),
      askInTurn: (request, _, ask) => awaitTurn(request).then(ask),
      countRequest: async ({ url, headers: { cookie } }) => {
        visits.push(url);
        if (cookie === 'too=many') throw new RateLimitedError({ 'Retry-After': '7' });
      },
      hasUnknownKey: ({ url = '', headers }) =>
        url.startsWith('/api/') && headers.authorization === 'Bearer unknown',
      acceptKey: ({ url }) => accepted.push(url),
    },
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
  return listener.port;
}

/** Sends requests to such a front. */
async function openFront(...front: Parameters<typeof listenFront>) {
  const port = await listenFront(...front);
  // A name for this machine that every resolver knows, so that APP_URL can name it.
  return ({ path = '/setup', headers = {}, method = 'GET' }: Asked) =>
    fetch(`http://localhost:${port}${path}`, { headers: { ...headers }, method });
}

const respondHtml: RequestListener = (request, response) => {
  response.setHeader('Content-Type', HTML);
  response.end(String(request.headers['content-security-policy']));
};

it('a document runs only scripts with its nonce, which is new each time', async () => {
  const nonces = new Set<string>();
  for (let round = 0; round < 2; round += 1) {
    const response = await ask(respondHtml);
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
  const response = await ask(respondHtml, { headers: { 'Content-Security-Policy': chosen } });
  expect(await response.text()).not.toContain('AAAAAAAA');
});

it('other responses cannot run anything, and are not sniffed', async () => {
  const response = await ask((_, response) =>
    response.setHeader('Content-Type', 'application/json').end('{}'),
  );
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
  });
});

it('a response with its own policy, such as a status page, keeps it', async () => {
  const own = "default-src 'none'; script-src 'sha256-x'";
  const response = await ask((_, response) => {
    response.setHeader('Content-Type', HTML);
    response.appendHeader('Content-Security-Policy', own);
    response.end();
  });
  expect(response.headers.get('content-security-policy')).toBe(own);
});

it.each([
  ['https://localhost', 'max-age=31536000'],
  ['http://localhost', null],
  [undefined, null],
])('with APP_URL %s, Strict-Transport-Security is %s', async (appUrl, expected) => {
  for (const path of ['/sign-in', '/api/status-pages/public?slug=acme', '/%ff']) {
    const response = await ask((_, response) => response.end(), { appUrl, path });
    expect(response.headers.get('strict-transport-security'), path).toBe(expected);
  }
});

it('errors of the web server itself are protected too', async () => {
  const appUrl = 'https://pharos.test';
  for (const path of ['/', '/api/monitors']) {
    const response = await ask(respondHtml, { appUrl, path });
    expect([response.status, response.headers.get('x-content-type-options')]).toEqual([404, 'nosniff']);
    expect(response.headers.get('content-security-policy')).toBe(
      "default-src 'none'; frame-ancestors 'none'",
    );
  }
});

it('what the application sends is compressed on its way', async () => {
  const response = await ask((_, response) => {
    response.setHeader('Content-Type', HTML);
    response.end('<p>Pharos</p>'.repeat(1000));
  });
  expect(response.headers.get('content-encoding')).toMatch(/^(br|gzip)$/);
  expect(await response.text()).toContain('<p>Pharos</p>');
});

/** Sends a path as it is, which `fetch` would resolve. */
async function askExactly(port: number, path: string) {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request({ host: 'localhost', port, path }, resolve).on('error', reject).end();
  });
  const text = await readText(response);
  return { status: response.statusCode, headers: response.headers, text };
}

const MISSPELLED: [path: string, location?: string][] = [
  ['//api/monitors', '/api/monitors'],
  ['///api//monitors?q=//a?b', '/api/monitors?q=//a?b'],
  ['/api//monitors', '/api/monitors'],
  ['/api/monitors//', '/api/monitors/'],
  ['/\\api\\monitors', '/api/monitors'],
  ['/.//api', '/api'],
  ['/API'],
  ['/Api/monitors'],
  ['//API/monitors'],
  ['/api%2Fmonitors'],
  ['/api%5Cmonitors'],
  ['/%2Fapi/monitors'],
  ['/%61pi/monitors'],
  ['/%41PI?q=1'],
  ['/%2e/API/monitors'],
  ['/x/../%61pi/monitors'],
  ['/x%2F..%2Fapi/monitors'],
  ['/api%20'],
  ['/api%3Fq=1'],
];

it.each(MISSPELLED)(
  '%s means a path of the API, and gets a response in its format',
  async (path, location) => {
    const { status, headers, text } = await askExactly(await listenFront(respondHtml), path);
    expect([status, headers.location]).toEqual([location === undefined ? 404 : 308, location]);
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'x-api-version': '1' });
    const requestId = headers['x-request-id'];
    expect(JSON.parse(text)).toMatchObject({ error: { code: 'NOT_FOUND', requestId } });
  },
);

it.each([
  '/api',
  '/api/',
  '/api/monitors/',
  '/./api/monitors',
  '/x/../api/monitors',
  '/api/API',
  '/apis',
  '/x/api',
  '/%09/x:99999',
])('%s is for the application', async (path) => {
  const { status, headers } = await askExactly(await listenFront(respondHtml), path);
  expect([status, headers['content-type']]).toEqual([200, HTML]);
});

const SCRIPTS =
  '<script src="/_next/a.js" async=""></script><script>one()</script><script>two()</script><p>Hi</p><script id="r">three()</script>';

/** Like Next without a nonce; what it sends depends on the theme. */
const respondOpen: RequestListener = ({ headers }, response) => {
  response.setHeader('Content-Type', HTML);
  response.setHeader('Cache-Control', 'private, no-store');
  response.setHeader('Vary', 'rsc, next-router-state-tree');
  response.end(
    `${headers.cookie ?? 'no cookie'} ${headers['content-security-policy'] ?? 'no nonce'}${SCRIPTS}`,
  );
};

const OPEN_PATHS = ['/sign-in', '/docs', '/docs/monitors', '/docs/guide/operate/backup'];

it.each([...OPEN_PATHS, '/api/openapi.json', '/docs/search.json'])(
  '%s is requested once for everyone without a session, whatever else is in the query, and counted for the first',
  async (path) => {
    const visits: (string | undefined)[] = [];
    let sent = 0;
    const get = await openFront(
      (request, response) => {
        sent += 1;
        respondOpen(request, response);
      },
      undefined,
      visits,
    );
    const turns = noteTurns();
    for (const query of ['', '?', '?unknown=1', '?_rsc=x']) {
      const response = await get({
        path: path + query,
        headers: { cookie: 'other=1', 'accept-encoding': 'br' },
      });
      expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'private, no-store']);
      expect(await response.text()).toContain('no cookie no nonce');
    }
    expect([sent, visits, turns]).toEqual([1, [path], [path]]);
  },
);

it('a document for many runs its own inline scripts by their hashes, without a nonce, and nothing else', async () => {
  const response = await (await openFront(respondOpen))({ path: '/sign-in' });
  expect(await response.text()).toContain(
    '<script>one();\ntwo()</script><p>Hi</p><script id="r">three()</script>',
  );
  const policy = response.headers.get('content-security-policy') ?? '';
  const rules = policy.split('; ');
  expect(rules).toContain(`script-src 'self' ${hashSource('one();\ntwo()')} ${hashSource('three()')}`);
  expect(policy).toContain("frame-ancestors 'none'");
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
});

it('a document is kept for each theme, and not for who has a session, sends a parameter that it reads, a form or requests a part', async () => {
  const visits: (string | undefined)[] = [];
  const get = await openFront(respondOpen, undefined, visits);
  const ask = async (asked: Asked) => (await get({ path: '/sign-in', ...asked })).text();
  expect(await ask({ headers: { cookie: 'theme=dark; other=1' } })).toContain('theme=dark');
  expect(await ask({ headers: { cookie: 'theme=anything' } })).toContain('no cookie');
  expect(visits).toHaveLength(2);
  const others: Asked[] = [
    { headers: { cookie: 'session=x' } },
    { path: '/sign-in?callbackUrl=%2Fmonitors' },
    { headers: { rsc: '1' } },
    { method: 'POST' },
  ];
  for (const asked of others) {
    for (let round = 0; round < 2; round += 1) expect(await ask(asked)).toContain("'nonce-");
  }
  expect(visits).toHaveLength(2 + 2 * others.length);
});

it.each([
  ['GET', '/setup'],
  ['GET', '/nowhere'],
  ['GET', '/a/b/c?page=1'],
  ['GET', '/reports'],
  ['GET', '/_next/image?url=x'],
  ['GET', '/status'],
  ['POST', '/sign-in'],
  ['POST', '/monitors'],
  ['GET', '/api/auth/csrf'],
  ['POST', '/api/auth/callback/credentials'],
])('%s %s counts before the application has it, and is 429 beyond the limit', async (method, path) => {
  const visits: (string | undefined)[] = [];
  let sent = 0;
  const get = await openFront(
    (_, response) => {
      sent += 1;
      response.end();
    },
    undefined,
    visits,
  );
  expect((await get({ method, path })).status).toBe(200);
  const headers = { cookie: 'too=many', accept: 'text/html' };
  const refused = await get({ method, path, headers });
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '7']);
  expect(await refused.text()).toContain('<h1>Too many requests</h1><p>Retry in 7s.</p>');
  const { error } = await (await get({ method, path, headers: { cookie: 'too=many' } })).json();
  expect([sent, visits, error.code]).toEqual([1, [path, path, path], 'RATE_LIMITED']);
});

it.each(['/_next/static/chunks/a.js', '/api/monitors', '/api/live', '/status/acme/subscribe'])(
  '%s counts elsewhere or not at all',
  async (path) => {
    const visits: (string | undefined)[] = [];
    const get = await openFront((_, response) => response.end(), undefined, visits);
    expect((await get({ path, method: 'POST' })).status).toBe(200);
    expect(visits).toEqual([]);
  },
);

it.each([
  '/./docs',
  '/x/../docs',
  '/%2e/docs',
  '/x/%2E%2e/docs',
  '/x/.%2e/docs',
  '/\\..\\docs',
  '/docs#part',
])('%s is served from memory like /docs', async (path) => {
  const visits: (string | undefined)[] = [];
  const port = await listenFront(respondOpen, undefined, visits);
  for (const spelled of ['/docs', path]) expect((await askExactly(port, spelled)).status).toBe(200);
  expect(visits).toEqual(['/docs']);
});

it.each([
  ['//status/acme?lang=de//en', '/status/acme?lang=de//en'],
  ['/docs//monitors', '/docs/monitors'],
  ['/\\\\evil.example', '/evil.example'],
])('%s leads to %s, without the application', async (path, location) => {
  const port = await listenFront(() => expect.unreachable());
  const { status, headers } = await askExactly(port, path);
  expect([status, headers.location]).toEqual([308, location]);
});

it('requests whose client left before their turn do not reach the application, though none has a response', async () => {
  const pending: IncomingMessage[] = [];
  setTurn((request) => {
    pending.push(request);
    return once(request.socket, 'close');
  });
  let sent = 0;
  const port = await listenFront(() => {
    sent += 1;
  });
  const socket = connect(port, '127.0.0.1');
  socket.write('GET /setup HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(5));
  await waitUntil(() => pending.length === 5);
  const closed = pending.map(({ socket: own }) => once(own, 'close'));
  socket.destroy();
  await Promise.all(closed);
  await setImmediate();
  expect(sent).toBe(0);
});

it.each([
  ['/status/acme', 1],
  ['/monitors', 1],
  ['/api/monitors', 1],
  ['/_next/static/chunks/a.js', 0],
  ['/api/live?ready', 0],
])('%s takes %i turns', async (path, count) => {
  const turns = noteTurns();
  const get = await openFront((_, response) => response.end());
  expect((await get({ path })).status).toBe(200);
  expect(turns).toHaveLength(count);
});

it('a key that may be made up counts before the application has it, and is accepted once it counts for an organization', async () => {
  const visits: (string | undefined)[] = [];
  // Whatever the organization has there.
  const pass: RequestListener = ({ url }, response) => {
    if (url === '/api/monitors') response.writeHead(404, { RateLimit: '"default";r=9;t=9' }).end();
    else response.writeHead(401).end();
  };
  const port = await listenFront(pass, undefined, visits);
  // Unlike fetch, this sends a path as it is.
  const get = async (path: string, key: string) => {
    const sent = request({ port, path, headers: { authorization: `Bearer ${key}` } }).end();
    const [response] = await once(sent, 'response');
    response.resume();
  };
  accepted.length = 0;
  await get('/x/../api/incidents', 'unknown');
  await get('/api/monitors', 'unknown');
  await get('/api/monitors', 'accepted');
  expect(visits).toEqual(['/api/incidents', '/api/monitors']);
  expect(accepted).toEqual(['/api/monitors', '/api/monitors']);
});
