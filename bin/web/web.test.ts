import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pngImage } from '@/lib/core/images/testing/samples';
import { createSession, endSession } from '@/lib/domain/people/sessions';
import { FAILED, OK } from '@/lib/engine/testing/story';
import { notePageMoved } from '@/lib/platform/page-front/application';
import { createTestServices } from '@/lib/testing/services';
import { waitFor } from '@/lib/testing/wait-for';
import { sealSession, sessionCookieName } from '@/lib/web/auth/session';
import {
  APP,
  listBlockedScripts,
  logLinesAbout,
  METRICS_TOKEN,
  pathOf,
  readPage,
  record,
  startTwoProcessesAlone,
  type TwoProcessesAlone,
} from './testing/two-processes';
import type { WebProcess } from './testing/web-process';

let database: TwoProcessesAlone['database'];
let db: TwoProcessesAlone['db'];
let own: TwoProcessesAlone['own'];
let named: TwoProcessesAlone['named'];
let unnamed: TwoProcessesAlone['unnamed'];
let api: TwoProcessesAlone['api'];
let everywhere: TwoProcessesAlone['everywhere'];
let addPage: TwoProcessesAlone['addPage'];
let stop: TwoProcessesAlone['stop'] | undefined;

beforeAll(async () => {
  const logged = { LOG_LEVEL: 'info', ACCESS_LOG: 'on' };
  const processes = await startTwoProcessesAlone(logged);
  ({ database, db, own, named, unnamed, api, everywhere, addPage, stop } = processes);
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

let visitors = 0;

/** Headers of a new visitor, as the proxy in front of `unnamed` sends them. */
function newVisitor(): { headers: Record<string, string> } {
  visitors += 1;
  return { headers: { 'x-forwarded-for': `203.0.113.${visitors}` } };
}

/** How many requests of a visitor were counted: those that no cache served. */
async function countVisits({ headers }: { headers: Record<string, string> }): Promise<number> {
  const row = await db.rateLimit.findFirst({ where: { key: `api:visitor ${headers['x-forwarded-for']}` } });
  return row?.points ?? 0;
}

/** Delays notifications to the web processes: pauses the database's ends of their connections. */
async function holdNotifications(ms: number): Promise<{ release: Promise<void> }> {
  const rows = await db.$queryRaw<{ pid: number }[]>`
    SELECT pid FROM pg_stat_activity WHERE application_name = 'pharos listen'`;
  for (const { pid } of rows) process.kill(pid, 'SIGSTOP');
  const release = sleep(ms).then(() => {
    for (const { pid } of rows) process.kill(pid, 'SIGCONT');
  });
  return { release };
}

describe('the shared cache', () => {
  it('shows a status change in every process within a second of its commit', async () => {
    const { slug, monitorId } = await addPage();
    for (const [result, status, words] of [
      [FAILED, 'down', /<h2>Major outage/],
      [OK, 'operational', /<h2>All systems operational/],
    ] as const) {
      await record(db, monitorId, result);
      const isShown = async ({ web, host }: { web: WebProcess; host: string }) => {
        await expect.poll(async () => (await readPage(web, host, slug)).status).toBe(status);
        await expect.poll(async () => (await web.get(`/status/${slug}`, { host })).body).toMatch(words);
      };
      await Promise.all(everywhere.map(isShown));
    }
  });

  it('shows a change immediately in the process that handled it', async () => {
    const { slug, monitorId } = await addPage();
    for (let round = 0; round < 3; round++) {
      await api('PUT', `/monitors/${monitorId}`, { name: `Shop ${round}` });
      expect((await readPage(unnamed, 'localhost', slug)).monitors[0].name).toBe(`Shop ${round}`);
    }
    const incident = await api('POST', '/incidents', { title: 'Trouble', affectedMonitors: [monitorId] });
    expect((await readPage(unnamed, 'localhost', slug)).incidents).toMatchObject([{ title: 'Trouble' }]);
    await api('DELETE', `/incidents/${incident.body.id}`);
    expect((await readPage(unnamed, 'localhost', slug)).incidents).toEqual([]);
    await expect.poll(async () => (await readPage(named, APP, slug)).monitors[0].name).toBe('Shop 2');
  });

  it('shows an incident in row, headline, indicator, badge and embed once it is opened, changed or resolved', async () => {
    const { slug, monitorId } = await addPage();
    const read = async (path: string) => (await unnamed.get(path)).body;
    const shows = async (indicator: string, words: string, badge: string) => {
      const { status, indicator: shown, headline } = await readPage(unnamed, 'localhost', slug);
      const suffix = indicator === 'none' ? '' : ': Shop';
      expect([status, shown, headline]).toEqual(['operational', indicator, words + suffix]);
      expect(await read(`/status/${slug}/status.json`)).toContain(`"indicator":"${indicator}"`);
      expect(await read(`/status/${slug}/api/v2/status.json`)).toContain(`"indicator":"${indicator}"`);
      const html = await read(`/status/${slug}`);
      expect(html).toContain(`<h2>${words}</h2>`);
      expect(html.match(/<span class="state \w+">.*?<\/svg>([^<]+)/)?.[1]?.toLowerCase()).toBe(badge);
      expect(await read(`/status/${slug}/badge.svg`)).toContain(`Acme: ${badge}`);
      expect(await read(`/status/${slug}/badge.svg?monitor=${monitorId}`)).toContain(`Shop: ${badge}`);
      expect(await read(`/status/${slug}/embed`)).toContain(`<strong>Acme</strong> ${words}`);
    };
    await shows('none', 'All systems operational', 'operational');
    const input = { title: 'Trouble', affectedMonitors: [monitorId], severity: 'critical' };
    const { body: incident } = await api('POST', '/incidents', input);
    await shows('critical', 'Major outage', 'major outage');
    await api('PUT', `/incidents/${incident.id}`, { severity: 'major' });
    await shows('major', 'Partial outage', 'partial outage');
    await api('POST', `/incidents/${incident.id}/updates`, { status: 'monitoring', message: 'Fixed.' });
    await shows('major', 'Partial outage', 'partial outage');
    await api('PUT', `/incidents/${incident.id}`, { severity: 'minor' });
    await shows('minor', 'Degraded performance', 'degraded');
    await api('PUT', `/incidents/${incident.id}`, { status: 'resolved' });
    await shows('none', 'All systems operational', 'operational');
  });

  it('delays the response to a write until the process has received its notification', async () => {
    const { slug, monitorId } = await addPage();
    const { release } = await holdNotifications(800);
    await api('PUT', `/monitors/${monitorId}`, { name: 'Store' });
    expect((await readPage(unnamed, 'localhost', slug)).monitors[0].name).toBe('Store');
    await release;
  });

  it.each([
    ['unpublished', (slug: string) => api('PUT', `/status-pages/${slug}`, { published: false })],
    ['deleted', (slug: string) => api('DELETE', `/status-pages/${slug}`)],
    ['moved', (slug: string) => api('PUT', `/status-pages/${slug}`, { slug: `${slug}-2` })],
  ])('returns 404 immediately for a page that was %s', async (_, act) => {
    const { slug } = await addPage();
    await act(slug);
    expect((await unnamed.get(pathOf(slug))).status).toBe(404);
    await expect.poll(async () => (await named.get(pathOf(slug), { host: APP })).status).toBe(404);
  });

  it('renders once for many visitors, and does not rate limit cache hits', async () => {
    const { slug, monitorId } = await addPage();
    const visitor = newVisitor();
    // More than the limit of one visitor per minute.
    const crowd = async () => {
      const requests = Array.from({ length: 320 }, () =>
        unnamed.get(pathOf(slug), { ...visitor, host: 'crowd' }),
      );
      const statuses = (await Promise.all(requests)).map(({ status }) => status);
      expect(statuses.filter((status) => status !== 200)).toEqual([]);
    };
    await crowd();
    expect(await countVisits(visitor)).toBe(1);
    await api('PUT', `/monitors/${monitorId}`, { name: 'Store' });
    await crowd();
    expect(await countVisits(visitor)).toBe(2);
  });

  it('supports compression, 304 and HEAD', async () => {
    const { slug } = await addPage();
    const plain = await unnamed.get(pathOf(slug));
    expect(plain.headers).toMatchObject({
      'cache-control': 'public, s-maxage=10, stale-while-revalidate=60',
      'content-length': String(Buffer.byteLength(plain.body)),
      'access-control-allow-origin': '*',
      vary: 'Accept-Encoding',
      age: expect.stringMatching(/^\d+$/),
    });
    expect(Object.keys(plain.headers).filter((name) => name.startsWith('x-pharos-'))).toEqual([]);
    const br = await unnamed.get(pathOf(slug), { headers: { 'accept-encoding': 'gzip, br' } });
    expect(br.headers).toMatchObject({ 'content-encoding': 'br', etag: plain.headers.etag });
    const known = await unnamed.get(pathOf(slug), { headers: { 'if-none-match': plain.headers.etag ?? '' } });
    expect([known.status, known.body]).toEqual([304, '']);
    const head = await unnamed.get(pathOf(slug), { method: 'HEAD' });
    expect([head.status, head.body, head.headers['content-length']]).toEqual([
      200,
      '',
      plain.headers['content-length'],
    ]);
    expect(br.headers['x-request-id']).not.toBe(plain.headers['x-request-id']);
  });

  it('bypasses requests with a key, and ignores forged internal headers', async () => {
    const { slug } = await addPage();
    await unnamed.get(pathOf(slug));
    const visitor = newVisitor();
    const forged = { authorization: 'Bearer x', 'x-pharos-refresh': '1', 'x-pharos-peer': '192.0.2.1' };
    const response = await unnamed.get(pathOf(slug), { headers: { ...visitor.headers, ...forged } });
    expect([response.status, response.headers.age]).toEqual([200, undefined]);
    expect(Object.keys(response.headers).filter((name) => name.startsWith('x-pharos-'))).toEqual([]);
    expect(await countVisits(visitor)).toBe(1);
  });
});

describe('without its listening connection', () => {
  it('a process verifies every page, and is up to date afterwards', async () => {
    const { slug, monitorId } = await addPage();
    await db.$executeRaw`
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'pharos listen'`;
    await api('PUT', `/monitors/${monitorId}`, { name: 'Store' });
    expect((await readPage(unnamed, 'localhost', slug)).monitors[0].name).toBe('Store');
    await expect.poll(async () => (await readPage(named, APP, slug)).monitors[0].name).toBe('Store');
  });
});

describe('during a database outage', () => {
  it('a cached page is still served with a note, and recovers', async () => {
    const { slug, id, monitorId } = await addPage();
    const image = pngImage({ width: 60, height: 20 });
    const name = `${'5e'.repeat(16)}-60x20.png`;
    await db.pageImage.create({ data: { pageId: id, place: 'logo', name, bytes: image } });
    // A change that arrives while a page is being read keeps it from being stored.
    const visitCached = async () => {
      const visitor = newVisitor();
      await unnamed.get(pathOf(slug), visitor);
      await unnamed.get(`/status/${slug}`, visitor);
      return countVisits(visitor);
    };
    await expect.poll(visitCached).toBe(0);
    const before = await unnamed.get(pathOf(slug));
    expect((await unnamed.get(`/status/${slug}`)).body).not.toContain('could not be updated');
    await database.stop();
    for (let round = 0; round < 3; round++) {
      const during = await unnamed.get(pathOf(slug));
      expect([during.status, during.body]).toEqual([200, before.body]);
      expect(during.headers['x-pharos-verified-at']).toMatch(/^\d{4}-.*Z$/);
      expect(during.headers.warning).toMatch(/^111 /);
    }
    expect((await named.get(pathOf(slug), { host: APP })).status).toBe(200);
    const logo = `/status/${slug}/images/${name}`;
    const html = await unnamed.get(`/status/${slug}`);
    expect(html.body).toContain(`<img src="${logo}"`);
    const kept = await unnamed.get(logo);
    expect(kept, 'nobody requested it before').toMatchObject({
      status: 200,
      headers: { 'content-type': 'image/png', 'content-length': String(image.length) },
    });
    expect((await named.get(logo, { host: APP })).status, 'nor the page in this process').toBe(503);
    expect([
      html.status,
      html.body.includes('This page could not be updated. It shows what was known at'),
    ]).toEqual([200, true]);
    expect((await unnamed.get(pathOf('never-seen'))).status).toBe(503);
    expect((await unnamed.get('/api/live')).status).toBe(200);
    expect((await unnamed.get('/api/health')).status).toBe(503);
    const fault = await unnamed.get('/setup');
    expect(listBlockedScripts(fault), 'the error page has a working reload').toEqual([]);
    expect(fault.status).toBe(500);

    await database.start();
    await expect
      .poll(async () => (await unnamed.get(pathOf(slug))).headers['x-pharos-verified-at'])
      .toBeUndefined();
    await waitFor(() => record(db, monitorId, FAILED));
    for (const { web, host } of everywhere) {
      await expect.poll(async () => (await readPage(web, host, slug)).status).toBe('down');
    }
  });
});
