import { readdir } from 'node:fs/promises';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addPage } from '@/lib/domain/status-pages/testing/pages';
import { useTestDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices, TEST_SECRET_KEY } from '@/lib/testing/services';
import { connectRaw, type RawConnection } from './testing/raw-connection';
import { isInstalled, type ReverseProxy, startReverseProxy } from './testing/reverse-proxy';
import { startWebProcess, type WebProcess } from './testing/web-process';

const database = useTestDatabase();
let web: WebProcess;
let port: number;
let apiKey: string;

beforeAll(async () => {
  const own = await createTestOrganization(createTestServices({ db: database.db }));
  apiKey = own.apiKey;
  await addPage(own.ctx, { slug: 'acme', published: true });
  web = await startWebProcess({
    DATABASE_URL: database.url,
    SECRET_KEY: TEST_SECRET_KEY,
    LOG_LEVEL: 'warn',
    APP_URL: 'http://localhost',
    SMTP_URL: 'smtp://127.0.0.1:9',
    TRUSTED_PROXIES: '127.0.0.1',
  });
  port = Number(new URL(web.url).port);
  // What is loaded at the first request is not what is measured.
  const paths = ['/sign-in', '/api/live', '/api/monitors', '/status/acme/subscribe'];
  for (const path of paths) await web.get(path, { host: 'localhost' });
});
afterAll(() => web?.stop());

/** A request without its body. */
function head(line: string, ...lines: string[]): string {
  return `${[`${line} HTTP/1.1`, 'Host: localhost', ...lines].join('\r\n')}\r\n\r\n`;
}

/** The status of what comes back for these bytes, which must be the end of the connection; 0: nothing. */
async function sendAlone(bytes: string): Promise<number> {
  const connection = await connectRaw(port);
  await connection.send(bytes);
  await connection.waitForEnd();
  connection.close();
  return Number(/^HTTP\/1\.1 (\d{3}) /.exec(connection.received())?.[1] ?? 0);
}

const REQUEST_LINES: [line: string, status: number][] = [
  ['OPTIONS *', 204],
  ['GET *', 400],
  ['POST *', 400],
  ['TRACE *', 405],
  ['TRACE /', 405],
  ['TRACE /api/monitors', 405],
  ['PROPFIND /api/monitors', 405],
  ['OPTIONS /api/monitors', 405],
  ['CONNECT localhost:80', 405],
  ['CONNECT /', 405],
  ['BREW /', 400],
  ['get /', 400],
  ['PRI *', 400],
  ['GET http://localhost/api/live', 200],
  ['GET HTTP://LOCALHOST/api/live', 200],
  ['GET http:///api/live', 400],
  ['GET http://localhost:99999/', 400],
  ['GET http://[::1', 400],
  ['GET ftp://localhost/', 400],
  ['GET localhost:80', 400],
  ['GET api/live', 400],
  ['GET ?', 400],
  ['GET /a b', 400],
  ['GET /\u0001', 400],
  ['GET /\u00e9', 400],
  ['GET //', 308],
  ['GET //example.com', 308],
  ['GET /\\example.com', 308],
  ['GET /%2f%2fexample.com', 404],
  ['GET /%5cexample.com', 404],
  ['GET /%', 404],
  ['GET /%zz', 404],
  ['GET /%ff', 404],
  ['GET /%c0%ae%c0%ae/', 404],
  ['GET /%00', 404],
  ['GET /status/%00', 404],
  ['GET /status/%ed%a0%80', 404],
  ['GET /api/monitors/%00', 401],
  ['GET /api/status-pages/public?slug=%00', 400],
  ['GET /sign-in?%zz=%ff&%00', 200],
  [`GET /setup?${'a=1&'.repeat(3500)}`, 400],
  ['GET /../../etc/passwd', 404],
  ['GET /..%2f..%2fetc%2fpasswd', 404],
  ['GET /_next/static/..%2f..%2f..%2fpackage.json', 404],
  ['GET /_next/static/../../../package.json', 404],
  ['GET /_next/image?url=http://127.0.0.1/&w=64&q=75', 400],
  ['GET /_next/webpack-hmr', 404],
  [`GET /${'a/'.repeat(7000)}`, 404],
  [`GET /${'a'.repeat(20_000)}`, 431],
];

describe('a request line', () => {
  for (const [line, status] of REQUEST_LINES) {
    it(`${line.slice(0, 60)} gets ${status}`, async () => {
      expect(await sendAlone(head(line, 'Connection: close'))).toBe(status);
    });
  }

  it('with several slashes never leads to another host', async () => {
    for (const line of ['//example.com', '/\\example.com', '///example.com/..', '//example.com//a']) {
      const connection = await connectRaw(port);
      await connection.send(head(`GET ${line}`, 'Connection: close'));
      await connection.waitForEnd();
      expect(/^location: (.*)/im.exec(connection.received())?.[1], line).toMatch(/^\/(?![/\\])/);
    }
  });
});

describe('a head', () => {
  const chunked = 'Transfer-Encoding: chunked';
  it.each([
    ['with two lengths', head('POST /', 'Content-Length: 1', 'Content-Length: 2')],
    ['with a negative length', head('POST /', 'Content-Length: -1')],
    ['with a length that is no number', head('POST /', 'Content-Length: 1e3')],
    ['with a length and chunks', head('POST /', 'Content-Length: 5', chunked)],
    ['with an encoding after the chunks', head('POST /', `${chunked}, gzip`)],
    ['with a chunk of no length', `${head('POST /api/monitors', chunked)}zz\r\n`],
    ['with a folded line', head('GET /', 'A: b', ' c')],
    ['with a NUL', head('GET /', 'A: \0')],
    ['with a bare line feed', 'GET / HTTP/1.1\nHost: localhost\nA\n\n'],
    ['with a blank before the colon', head('GET /', 'Transfer-Encoding : chunked')],
    ['of another protocol', 'SSH-2.0-OpenSSH_9.2\r\n\r\n'],
    ['of TLS', '\u0016\u0003\u0001\u0000\u00a5\u0001\u0000\u0000\u00a1\u0003\u0003'],
  ])('%s is rejected', async (_, bytes) => {
    expect(await sendAlone(bytes)).toBe(400);
  });

  it('of 20 KB is rejected', async () => {
    expect(await sendAlone(head('GET /', `A: ${'a'.repeat(20_000)}`))).toBe(431);
  });
});

const WEBSOCKET = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'];

/** The descriptors that the web process has open. */
async function countDescriptors(): Promise<number> {
  return (await readdir(`/proc/${web.pid}/fd`)).length;
}

/** Opens `count` connections that request a WebSocket, and keeps them. */
async function openWebSockets(count: number, where: number): Promise<RawConnection[]> {
  const connections: RawConnection[] = [];
  for (let index = 0; index < count; index++) {
    const connection = await connectRaw(where);
    await connection.send(head(`GET /${index}`, ...WEBSOCKET));
    connections.push(connection);
  }
  return connections;
}

describe.runIf(process.platform === 'linux')('300 requests for a WebSocket (descriptors: Linux)', () => {
  it('are rejected, and leave no descriptors after five seconds, although no client disconnects', async () => {
    const before = await countDescriptors();
    const connections = await openWebSockets(300, port);
    await expect.poll(countDescriptors).toBeLessThanOrEqual(before + 5);
    for (const { received, close } of connections) {
      expect(received()).toMatch(/^HTTP\/1\.1 400 /);
      close();
    }
  });
});

/** A request whose body is not read to its end, and what comes back for one of 1.2 MB. */
type Large = { path: string; status: number; lines?: () => string[]; body?(bytes: number): string };

/** What is sent with one may be larger, even one of nobody. */
const SESSION = 'Cookie: next-auth.session-token=x';

const LARGE: [to: string, Large][] = [
  ['to the API', { path: '/api/monitors', status: 413, lines: () => [`Authorization: Bearer ${apiKey}`] }],
  ['to the API without a key', { path: '/api/monitors', status: 401 }],
  ['to an API path that is none', { path: '/api/nothing', status: 404 }],
  ['to the form of subscribers', { path: '/status/acme/subscribe', status: 413 }],
  ['to the form of subscribers of no page', { path: '/status/nothing/subscribe', status: 413 }],
  ['to a page without a session', { path: '/sign-in', status: 413 }],
  ['to a page', { path: '/sign-in', status: 200, lines: () => [SESSION] }],
  [
    'to a server action',
    { path: '/sign-in', status: 409, lines: () => [SESSION, `Next-Action: ${'a'.repeat(42)}`] },
  ],
  [
    'to a form of the app',
    {
      path: '/sign-in',
      status: 400,
      lines: () => [SESSION, 'Content-Type: multipart/form-data; boundary=x'],
      body: (bytes) => {
        const start = '--x\r\nContent-Disposition: form-data; name="email"\r\n\r\n';
        return `${start.padEnd(bytes - 9)}\r\n--x--\r\n`;
      },
    },
  ],
];

async function sendLarge(
  where: number,
  { path, lines = () => ['Content-Type: application/json'], body = (bytes) => ' '.repeat(bytes) }: Large,
  { megabytes, isChunked = false }: { megabytes: number; isChunked?: boolean },
): Promise<RawConnection> {
  const bytes = Math.round(megabytes * 1_000_000);
  const connection = await connectRaw(where);
  const length = isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${bytes}`;
  await connection.send(head(`POST ${path}`, length, ...lines()));
  const sent = isChunked ? `${bytes.toString(16)}\r\n${body(bytes)}\r\n0\r\n\r\n` : body(bytes);
  await connection.send(sent).catch(() => undefined);
  return connection;
}

const statusLine = (status: number) => new RegExp(`^HTTP/1\\.1 ${status} `);

describe('a body', () => {
  it.each(LARGE)('of 8 MB %s gets 413, and the connection ends', async (_, large) => {
    const connection = await sendLarge(port, large, { megabytes: 8 });
    expect(await connection.waitFor(/\r\nconnection: close\r\n.*\r\n\r\n/is)).toMatch(statusLine(413));
    await connection.waitForEnd();
    connection.close();
  });

  it.each(LARGE)(
    'of 1.2 MB %s gets a response, and the connection ends if it was not read',
    async (_, large) => {
      const connection = await sendLarge(port, large, { megabytes: 1.2 });
      expect(await connection.waitFor(/\r\n\r\n/)).toMatch(statusLine(large.status));
      if (/\r\nconnection: close\r\n/i.test(connection.received())) await connection.waitForEnd();
      else {
        await connection.send(head('OPTIONS *'));
        await connection.waitFor(/HTTP\/1\.1 204 /);
      }
      connection.close();
    },
  );

  it.each(LARGE)(
    'of 8 MB of unknown length %s gets a response, and the connection ends',
    async (_, large) => {
      const connection = await sendLarge(port, large, { megabytes: 8, isChunked: true });
      await connection.waitFor(/^HTTP\/1\.1 \d{3} .*\r\nconnection: close\r\n/is);
      await connection.waitForEnd();
      connection.close();
    },
  );

  it('that is read keeps the connection: ten requests share one', async () => {
    const connection = await connectRaw(port);
    const lines = [`Authorization: Bearer ${apiKey}`, 'Content-Type: application/json', 'Content-Length: 2'];
    for (let round = 0; round < 10; round++)
      await connection.send(`${head('POST /api/monitors', ...lines)}{}`);
    await expect.poll(() => connection.received().match(/HTTP\/1\.1 400 /g)?.length).toBe(10);
    connection.close();
  });
});

/** Another visitor gets a response over their own connection to the proxy. */
async function visit(where: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port: where, path: '/api/live', agent: false }, (response) => {
      expect(response.statusCode).toBe(200);
      response.resume().on('end', resolve);
    });
    sent.on('error', reject);
    sent.end();
  });
}

for (const name of ['caddy', 'nginx'] as const) {
  describe.runIf(isInstalled(name))(`behind ${name}`, () => {
    let proxy: ReverseProxy;
    beforeAll(async () => {
      proxy = await startReverseProxy(name, port);
      await visit(proxy.port);
    });
    afterAll(() => proxy?.stop());

    // A proxy keeps a connection that took all of a body: what fits into buffers is worse than what does not.
    it.each(LARGE)('bodies %s get responses, and hold up no other visitor', async (_, large) => {
      for (const megabytes of [1.2, 2, 2.5, 4, 8]) {
        const connection = await sendLarge(proxy.port, large, { megabytes });
        await connection.waitFor(statusLine(megabytes > 2 ? 413 : large.status));
        for (let round = 0; round < 3; round++) await visit(proxy.port);
        connection.close();
      }
    });

    it.runIf(process.platform === 'linux')('requests for a WebSocket leave no descriptor', async () => {
      const before = await countDescriptors();
      const connections = await openWebSockets(200, proxy.port);
      for (const connection of connections) {
        expect(await connection.waitFor(/\r\n/)).toMatch(/^HTTP\/1\.1 400 /);
      }
      await expect.poll(countDescriptors).toBeLessThanOrEqual(before + 10);
      for (const { close } of connections) close();
    });
  });
}
