import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSession, endSession } from '@/lib/domain/people/sessions';
import { FAILED } from '@/lib/engine/testing/story';
import { notePageMoved } from '@/lib/platform/page-front/application';
import { createTestServices } from '@/lib/testing/services';
import { sealSession, sessionCookieName } from '@/lib/web/auth/session';
import {
  APP,
  listBlockedScripts,
  logLinesAbout,
  METRICS_TOKEN,
  pathOf,
  record,
  startTwoProcesses,
  type TwoProcesses,
} from './testing/two-processes';
import type { WebProcess } from './testing/web-process';

let db: TwoProcesses['db'];
let own: TwoProcesses['own'];
let named: TwoProcesses['named'];
let unnamed: TwoProcesses['unnamed'];
let api: TwoProcesses['api'];
let everywhere: TwoProcesses['everywhere'];
let addPage: TwoProcesses['addPage'];
let stop: TwoProcesses['stop'] | undefined;

beforeAll(async () => {
  const logged = { LOG_LEVEL: 'info', ACCESS_LOG: 'on' };
  ({ db, own, named, unnamed, api, everywhere, addPage, stop } = await startTwoProcesses(logged));
});
afterAll(() => stop?.());

/** Shows a page on a domain, as after its verification. */
async function verifyDomain(id: string, domain: string): Promise<void> {
  await db.$transaction(async (tx) => {
    const data = { customDomain: domain, customDomainVerifiedAt: new Date() };
    await tx.statusPage.update({ where: { id }, data });
    await notePageMoved(tx, id);
  });
}

describe('the policy of a page', () => {
  it.each(['/sign-in', '/setup', '/forgot-password', '/docs', '/nothing/here'])(
    'covers every script of %s',
    async (path) => {
      expect(listBlockedScripts(await unnamed.get(path))).toEqual([]);
    },
  );
});

describe('metrics', () => {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` };

  it('are there for who has the token, on the host of the service only', async () => {
    await named.get('/api/live', { host: APP });
    const { status, body, headers: sent } = await named.get('/metrics', { host: APP, headers });
    expect([status, sent['x-content-type-options']]).toEqual([200, 'nosniff']);
    expect(body).toMatch(/^nodejs_eventloop_lag_seconds\{process="web"\} /m);
    expect(body).toMatch(/^pharos_health\{part="database",process="web"\} 0$/m);
    expect(body).toMatch(
      /^pharos_http_requests_total\{surface="api",method="GET",status="2xx",process="web"\} /m,
    );
    expect((await named.get('/metrics', { host: APP })).status).toBe(401);
    expect((await named.get('/metrics', { host: 'status.other.test', headers })).status).toBe(404);
  });

  it('count the connections of the routes of Next, which have their own pools', async () => {
    const authorization = `Bearer ${own.apiKey}`;
    await named.get('/api/monitors', { host: APP, headers: { authorization } });
    const { body } = await named.get('/metrics', { host: APP, headers });
    for (const pool of ['pharos web', 'pharos web front', 'pharos limits']) {
      const isOpen = new RegExp(
        `^pharos_database_connections\\{pool="${pool}",state="(used|idle)",.* [1-9]`,
        'm',
      );
      expect(body).toMatch(isOpen);
    }
  });

  it('do not exist without METRICS_TOKEN', async () => {
    expect((await unnamed.get('/metrics', { headers })).status).toBe(404);
  });
});

it('a page for certain addresses is hidden from everyone where TRUSTED_PROXIES is not set', async () => {
  const { slug } = await addPage();
  const allowedCidrs = ['203.0.113.0/24', '127.0.0.0/8'];
  await api('PUT', `/status-pages/${slug}`, { visibility: 'ip', allowedCidrs });
  const path = `/status/${slug}`;
  const headers = { 'x-forwarded-for': '203.0.113.7' };
  expect((await unnamed.get(path, { headers })).status).toBe(200);
  for (const sent of [{}, headers]) {
    const { status, body } = await named.get(path, { host: APP, headers: sent });
    expect([status, body.includes('Acme')]).toEqual([404, false]);
  }
});

describe('a request', () => {
  it('of the API is one line in the log, with its caller, and with the ID that a trusted proxy gave it', async () => {
    const id = `proxy-${crypto.randomUUID()}`;
    const headers = { authorization: `Bearer ${own.apiKey}`, 'x-request-id': id };
    const path = `/api/monitors/${id}`;
    for (const { web, host } of everywhere) {
      const { headers: sent, body } = await web.get(path, { host, headers });
      const requestId = sent['x-request-id'];
      expect(requestId === id, 'only one process trusts us').toBe(web === unnamed);
      expect(JSON.parse(body).error.requestId).toBe(requestId);
      await expect
        .poll(() => logLinesAbout(web, path))
        .toMatchObject([
          {
            level: 30,
            msg: 'request',
            method: 'GET',
            status: 404,
            requestId,
            organizationId: own.organizationId,
            keyId: expect.stringMatching(/^key_/),
            durationMs: expect.any(Number),
          },
        ]);
      expect(web.logs()).not.toContain(own.apiKey);
    }
  });

  it('of the dashboard has an ID, and its line has no query', async () => {
    const { headers } = await unnamed.get('/sign-in?callbackUrl=/someone');
    await expect
      .poll(() => logLinesAbout(unnamed, '/sign-in').at(-1))
      .toMatchObject({ status: 200, requestId: headers['x-request-id'] });
    expect(unnamed.logs()).not.toContain('someone');
  });
});

describe('an API key', () => {
  it('that is revoked in one process is rejected by the other within a second', async () => {
    const { body: created } = await api('POST', '/api-keys', { name: 'To be revoked' });
    const headers = { authorization: `Bearer ${created.apiKey}` };
    const statuses = () =>
      Promise.all(
        everywhere.map(async ({ web, host }) => (await web.get('/api/me', { host, headers })).status),
      );
    expect(await statuses()).toEqual([200, 200]);
    await api('DELETE', `/api-keys/${created.id}`);
    await expect.poll(statuses).toEqual([401, 401]);
  });
});

describe('internal headers of Next', () => {
  it.each([
    'x-middleware-subrequest',
    'x-middleware-rewrite',
    'x-middleware-next',
    'x-invoke-path',
    'x-matched-path',
  ])('%s has no effect if a visitor sends it', async (name) => {
    const values = [
      '/status/acme',
      'middleware:middleware:middleware:middleware:middleware',
      'src/middleware',
      '1',
    ];
    for (const value of values) {
      const { status, headers } = await unnamed.get('/monitors', { headers: { [name]: value } });
      expect([status, headers.location], value).toEqual([307, '/sign-in']);
      expect((await unnamed.get('/api/monitors', { headers: { [name]: value } })).status, value).toBe(401);
    }
  });
});

describe('hosts', () => {
  it('show the app only under its own name, and /api/live under every name', async () => {
    const { slug } = await addPage();
    const hosts = [APP, 'PHAROS.test:80', `${APP}.`, 'unknown.test', '127.0.0.1', 'evil.pharos.test'];
    const statuses = await Promise.all(
      hosts.map(async (host) => [
        (await named.get(pathOf(slug), { host })).status,
        (await named.get('/sign-in', { host })).status,
        (await named.get('/api/live', { host })).status,
      ]),
    );
    const [app, other] = [
      [200, 200, 200],
      [404, 404, 200],
    ];
    expect(statuses).toEqual([app, app, app, other, other, other]);
    expect((await unnamed.get(pathOf(slug), { host: 'unknown.test' })).status, 'without APP_URL').toBe(200);
    const rejection = await named.get('/api/monitors', { host: 'unknown.test' });
    expect(JSON.parse(rejection.body).error).toMatchObject({ code: 'NOT_FOUND' });
  });

  it('of status pages show nothing of the app once they are verified, in every process', async () => {
    const { slug, id } = await addPage();
    const domain = `${slug}.acme.test`;
    expect((await unnamed.get(pathOf(slug), { host: domain })).status, 'not a page yet').toBe(200);
    await verifyDomain(id, domain);
    for (const { web } of everywhere) {
      await expect.poll(async () => (await web.get(pathOf(slug), { host: domain })).status).toBe(404);
      for (const path of [
        '/api/monitors',
        '/api/health',
        '/sign-in',
        `/status/${slug}`,
        '/_next/static/x.js',
      ]) {
        expect((await web.get(path, { host: domain })).status, path).toBe(404);
      }
      for (const host of [domain.toUpperCase(), `${domain}.`, `${domain}:8443`]) {
        expect((await web.get(pathOf(slug), { host })).status, host).toBe(404);
      }
      expect((await web.get('/api/live', { host: domain })).status).toBe(200);
    }
  });

  it('are read from the absolute form, and from trusted proxies only', async () => {
    const { slug, id } = await addPage();
    const domain = `${slug}.acme.test`;
    await verifyDomain(id, domain);
    await expect.poll(async () => (await unnamed.get(pathOf(slug), { host: domain })).status).toBe(404);
    const path = pathOf(slug);
    const absolute = (host: string, header: string) =>
      `GET http://${host}${path} HTTP/1.1\r\nHost: ${header}\r\nConnection: close\r\n\r\n`;
    expect(await named.sendRaw(absolute(APP, 'unknown.test'))).toBe(200);
    expect(await named.sendRaw(absolute('unknown.test', APP))).toBe(404);
    expect(await named.sendRaw(absolute(domain, APP))).toBe(404);
    const forged = { 'x-forwarded-host': domain };
    expect((await named.get(path, { host: APP, headers: forged })).status, 'no proxy is trusted').toBe(200);
    expect(
      (await unnamed.get(path, { host: 'localhost', headers: forged })).status,
      'the proxy is trusted',
    ).toBe(404);
    const back = { 'x-forwarded-host': 'localhost' };
    expect((await unnamed.get(path, { host: domain, headers: back })).status).toBe(200);
  });

  it.each([
    ['two Host headers', `GET / HTTP/1.1\r\nHost: ${APP}\r\nHost: ${APP}\r\n\r\n`],
    ['an invalid one', 'GET / HTTP/1.1\r\nHost: a/b\r\n\r\n'],
    ['one with a user', `GET / HTTP/1.1\r\nHost: me@${APP}\r\n\r\n`],
    ['none', 'GET / HTTP/1.1\r\n\r\n'],
    ['a user in the absolute form', `GET http://me@${APP}/ HTTP/1.1\r\nHost: ${APP}\r\n\r\n`],
  ])('are rejected: %s', async (_, bytes) => {
    expect(await named.sendRaw(bytes)).toBe(400);
  });
});

describe('the stream of hints', () => {
  /** The cookie of the owner, signed in. */
  async function signIn(): Promise<{ cookie: string; sessionId: string }> {
    const services = createTestServices({ db });
    const visitor = { userId: own.userId, address: null, userAgent: null };
    const sessionId = await createSession(services, visitor);
    return {
      sessionId,
      cookie: `${sessionCookieName(false)}=${await sealSession(services, sessionId)}`,
    };
  }

  it('reports a check in every process', async () => {
    const { monitorId } = await addPage();
    const { cookie } = await signIn();
    const open = ({ web, host }: { web: WebProcess; host: string }) =>
      web.follow('/live/events', { host, headers: { cookie, 'accept-encoding': 'gzip' } });
    const streams = await Promise.all(everywhere.map(open));
    for (const { text } of streams) await expect.poll(text).toContain('event: beat');
    await record(db, monitorId, FAILED);
    for (const { text } of streams) await expect.poll(text).toContain('data: changes');
    for (const { close } of streams) close();
  });

  it('ends within five seconds when the session is ended', async () => {
    const { cookie, sessionId } = await signIn();
    const stream = await unnamed.follow('/live/events', { headers: { cookie } });
    await endSession(createTestServices({ db }), own.userId, sessionId);
    await expect.poll(stream.isOver).toBe(true);
    expect((await unnamed.get('/live/events', { headers: { cookie } })).status).toBe(401);
  });

  it('requires sign-in', async () => {
    expect((await unnamed.get('/live/events')).status).toBe(401);
  });

  it('is released when the browser disconnects: a session has at most twenty', async () => {
    const { cookie } = await signIn();
    const open = () => unnamed.follow('/live/events', { headers: { cookie } });
    const streams = await Promise.all(Array.from({ length: 20 }, open));
    expect(streams.map(({ status }) => status)).toEqual(streams.map(() => 200));
    expect((await open()).status).toBe(429);
    for (const { close } of streams) close();
    const again = async () => {
      const stream = await open();
      stream.close();
      return stream.status;
    };
    await expect.poll(again).toBe(200);
    expect((await unnamed.get('/live/events', { method: 'HEAD', headers: { cookie } })).status).toBe(405);
  });
});
