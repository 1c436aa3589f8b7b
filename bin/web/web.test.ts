import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type ApiClient, createApiClient } from '@/e2e/support/api-client';
import { systemClock } from '@/lib/core/time/clock';
import { createSession, endSession } from '@/lib/domain/people/sessions';
import { claimDueChecks } from '@/lib/engine/checks/claim-checks';
import { recordResults } from '@/lib/engine/checks/recording/record-results';
import { FAILED, OK } from '@/lib/engine/testing/story';
import { ensureResultPartitions } from '@/lib/engine/upkeep/retention';
import { createDatabase, type Database } from '@/lib/platform/db/client';
import { notePageMoved } from '@/lib/platform/page-front/application';
import {
  createTestOrganization,
  createTestServices,
  TEST_SECRET_KEY,
  type TestOrganization,
} from '@/lib/testing/services';
import { type StoppableDatabase, startStoppableDatabase } from '@/lib/testing/stoppable-database';
import { sealSession, sessionCookieName } from '@/lib/web/auth/session';
import { startWebProcess, type WebProcess } from './testing/web-process';

const APP = 'pharos.test';
const PATIENCE = { timeout: 1000, interval: 20 };

let database: StoppableDatabase;
let db: Database;
let own: TestOrganization;
/** With APP_URL, and behind no proxy. */
let named: WebProcess;
/** Without APP_URL, behind a proxy on this machine. */
let unnamed: WebProcess;
let api: ApiClient;

beforeAll(async () => {
  database = await startStoppableDatabase();
  db = createDatabase(database.url, { poolSize: 4, name: 'pharos tests' });
  own = await createTestOrganization(createTestServices({ db }));
  await ensureResultPartitions(db, new Date());
  const shared = { DATABASE_URL: database.url, SECRET_KEY: TEST_SECRET_KEY, LOG_LEVEL: 'warn' };
  // The first one builds, if anything is out of date.
  named = await startWebProcess({ ...shared, APP_URL: `http://${APP}` });
  unnamed = await startWebProcess({ ...shared, TRUSTED_PROXIES: '127.0.0.1' });
  api = createApiClient(unnamed.url, own.apiKey);
}, 240_000);
afterAll(async () => {
  await Promise.all([named?.stop(), unnamed?.stop()]);
  await db?.$disconnect();
  await database?.close();
});

const pathOf = (slug: string) => `/api/status-pages/public?slug=${slug}`;
const everywhere = () => [
  { web: named, host: APP },
  { web: unnamed, host: 'localhost' },
];

/** A published page with a monitor that is operational, kept by both processes. */
async function addPage(fields: object = {}) {
  const slug = `page-${randomBytes(6).toString('hex')}`;
  const monitor = await api('POST', '/monitors', {
    name: 'Shop',
    url: 'http://127.0.0.1:9/',
    regions: ['us-east'],
    alertThreshold: 1,
  });
  const body = { name: 'Acme', slug, monitors: [monitor.body.id], published: true, ...fields };
  const { body: page } = await api('POST', '/status-pages', body);
  await record(monitor.body.id, OK);
  for (const { web, host } of everywhere()) {
    const isShown = async () => expect((await read(web, host, slug)).status).toBe('operational');
    await vi.waitFor(isShown, { timeout: 10_000 });
  }
  return { slug, id: page.id as string, monitorId: monitor.body.id as string };
}

async function read(web: WebProcess, host: string, slug: string) {
  const { body } = await web.get(pathOf(slug), { host });
  return JSON.parse(body);
}

/** Records a check as a worker would, in a process that is neither of the two. */
async function record(monitorId: string, result: typeof OK): Promise<void> {
  const services = createTestServices({ db });
  await db.probeSchedule.updateMany({ where: { monitorId }, data: { nextCheckAt: new Date() } });
  const where = { region: 'us-east', shard: 0, shards: 1 };
  const checks = await claimDueChecks(services, where, { limit: 1000, workerId: 'wrk_test' });
  const claimed = checks.filter((check) => check.monitorId === monitorId);
  expect(claimed).toHaveLength(1);
  const startedAt = systemClock.now();
  await recordResults(
    services,
    claimed.map((check) => ({ check, startedAt, result })),
  );
}

let visitors = 0;

/** Headers of a visitor whom nobody has counted yet, as the proxy in front of `unnamed` sends them. */
function newVisitor(): { headers: Record<string, string> } {
  visitors += 1;
  return { headers: { 'x-forwarded-for': `203.0.113.${visitors}` } };
}

/** How many requests of a visitor were counted: those that were not answered from a cache. */
async function countVisits({ headers }: { headers: Record<string, string> }): Promise<number> {
  const row = await db.rateLimit.findFirst({ where: { key: `api:visitor ${headers['x-forwarded-for']}` } });
  return row?.points ?? 0;
}

/** Keeps the web processes from hearing anything for a while: halts the database's ends of their connections. */
async function holdNotifications(ms: number): Promise<{ release: Promise<void> }> {
  const rows = await db.$queryRaw<{ pid: number }[]>`
    SELECT pid FROM pg_stat_activity WHERE application_name = 'pharos listen'`;
  for (const { pid } of rows) process.kill(pid, 'SIGSTOP');
  const release = sleep(ms).then(() => {
    for (const { pid } of rows) process.kill(pid, 'SIGCONT');
  });
  return { release };
}

/** Shows a page on a domain, as after its verification. */
async function verifyDomain(id: string, domain: string): Promise<void> {
  await db.$transaction(async (tx) => {
    const data = { customDomain: domain, customDomainVerifiedAt: new Date() };
    await tx.statusPage.update({ where: { id }, data });
    await notePageMoved(tx, id);
  });
}

describe('the shared cache', () => {
  it('shows a status change in every process within a second of its commit', async () => {
    const { slug, monitorId } = await addPage();
    for (const [result, status, words] of [
      [FAILED, 'down', /<h2>All systems are down/],
      [OK, 'operational', /<h2>All systems operational/],
    ] as const) {
      await record(monitorId, result);
      const isShown = async ({ web, host }: { web: WebProcess; host: string }) => {
        await expect.poll(async () => (await read(web, host, slug)).status, PATIENCE).toBe(status);
        await expect
          .poll(async () => (await web.get(`/status/${slug}`, { host })).body, PATIENCE)
          .toMatch(words);
      };
      await Promise.all(everywhere().map(isShown));
    }
  });

  it('shows a change immediately in the process that made it', async () => {
    const { slug, monitorId } = await addPage();
    for (let round = 0; round < 20; round++) {
      await api('PUT', `/monitors/${monitorId}`, { name: `Shop ${round}` });
      expect((await read(unnamed, 'localhost', slug)).monitors[0].name).toBe(`Shop ${round}`);
    }
    const incident = await api('POST', '/incidents', { title: 'Trouble', affectedMonitors: [monitorId] });
    expect((await read(unnamed, 'localhost', slug)).incidents).toMatchObject([{ title: 'Trouble' }]);
    await api('DELETE', `/incidents/${incident.body.id}`);
    expect((await read(unnamed, 'localhost', slug)).incidents).toEqual([]);
    await expect.poll(async () => (await read(named, APP, slug)).monitors[0].name, PATIENCE).toBe('Shop 19');
  });

  it('delays the response to a write until the process has received its notification', async () => {
    const { slug, monitorId } = await addPage();
    const { release } = await holdNotifications(800);
    await api('PUT', `/monitors/${monitorId}`, { name: 'Store' });
    expect((await read(unnamed, 'localhost', slug)).monitors[0].name).toBe('Store');
    await release;
  });

  it.each([
    ['unpublished', (slug: string) => api('PUT', `/status-pages/${slug}`, { published: false })],
    ['deleted', (slug: string) => api('DELETE', `/status-pages/${slug}`)],
    ['moved', (slug: string) => api('PUT', `/status-pages/${slug}`, { slug: `${slug}-2` })],
  ])('answers 404 at once where a page is %s', async (_, act) => {
    const { slug } = await addPage();
    await act(slug);
    expect((await unnamed.get(pathOf(slug))).status).toBe(404);
    await expect.poll(async () => (await named.get(pathOf(slug), { host: APP })).status, PATIENCE).toBe(404);
  });

  it('renders once for many visitors, and does not rate limit cache hits', async () => {
    const { slug, monitorId } = await addPage();
    const visitor = newVisitor();
    // More than one visitor may ask in a minute.
    const crowd = async () => {
      const answers = Array.from({ length: 1000 }, () =>
        unnamed.get(pathOf(slug), { ...visitor, host: 'crowd' }),
      );
      const statuses = (await Promise.all(answers)).map(({ status }) => status);
      expect(statuses.filter((status) => status !== 200)).toEqual([]);
    };
    await crowd();
    expect(await countVisits(visitor)).toBe(1);
    await api('PUT', `/monitors/${monitorId}`, { name: 'Store' });
    await crowd();
    expect(await countVisits(visitor)).toBe(1);
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
    const said = { authorization: 'Bearer x', 'x-pharos-refresh': '1', 'x-pharos-peer': '192.0.2.1' };
    const answer = await unnamed.get(pathOf(slug), { headers: { ...visitor.headers, ...said } });
    expect([answer.status, answer.headers.age]).toEqual([200, undefined]);
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('x-pharos-'))).toEqual([]);
    expect(await countVisits(visitor)).toBe(1);
  });
});

/** The scripts of a page that its own Content-Security-Policy does not let run. */
function scriptsWithoutNonce({ headers, body }: { headers: IncomingHttpHeaders; body: string }): string[] {
  const nonce = /'nonce-([^']+)'/.exec(String(headers['content-security-policy']))?.[1] ?? 'none';
  const scripts = body.match(/<script[^>]*>/g) ?? [];
  expect(scripts.length).toBeGreaterThan(0);
  return scripts.filter((tag) => !tag.includes(`nonce="${nonce}"`));
}

describe('the policy of a page', () => {
  it.each(['/sign-in', '/setup', '/forgot-password', '/docs', '/nothing/here'])(
    'covers every script of %s',
    async (path) => {
      expect(scriptsWithoutNonce(await unnamed.get(path))).toEqual([]);
    },
  );
});

describe('an API key', () => {
  it('that is revoked in one process is rejected by the other within a second', async () => {
    const { body: made } = await api('POST', '/api-keys', { name: 'To be revoked' });
    const headers = { authorization: `Bearer ${made.apiKey}` };
    const statuses = () =>
      Promise.all(
        everywhere().map(async ({ web, host }) => (await web.get('/api/me', { host, headers })).status),
      );
    expect(await statuses()).toEqual([200, 200]);
    await api('DELETE', `/api-keys/${made.id}`);
    await expect.poll(statuses, PATIENCE).toEqual([401, 401]);
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
    const refusal = await named.get('/api/monitors', { host: 'unknown.test' });
    expect(JSON.parse(refusal.body).error).toMatchObject({ code: 'NOT_FOUND' });
  });

  it('of status pages show nothing of the app once they are verified, in every process', async () => {
    const { slug, id } = await addPage();
    const domain = `${slug}.acme.test`;
    expect((await unnamed.get(pathOf(slug), { host: domain })).status, 'not a page yet').toBe(200);
    await verifyDomain(id, domain);
    for (const { web } of everywhere()) {
      await expect
        .poll(async () => (await web.get(pathOf(slug), { host: domain })).status, PATIENCE)
        .toBe(404);
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
    await expect
      .poll(async () => (await unnamed.get(pathOf(slug), { host: domain })).status, PATIENCE)
      .toBe(404);
    const path = pathOf(slug);
    const absolute = (host: string, header: string) =>
      `GET http://${host}${path} HTTP/1.1\r\nHost: ${header}\r\nConnection: close\r\n\r\n`;
    expect(await named.sendRaw(absolute(APP, 'unknown.test'))).toBe(200);
    expect(await named.sendRaw(absolute('unknown.test', APP))).toBe(404);
    expect(await named.sendRaw(absolute(domain, APP))).toBe(404);
    const said = { 'x-forwarded-host': domain };
    expect((await named.get(path, { host: APP, headers: said })).status, 'nobody is trusted').toBe(200);
    expect((await unnamed.get(path, { host: 'localhost', headers: said })).status, 'the proxy is').toBe(404);
    const back = { 'x-forwarded-host': 'localhost' };
    expect((await unnamed.get(path, { host: domain, headers: back })).status).toBe(200);
  });

  it.each([
    ['two Host headers', `GET / HTTP/1.1\r\nHost: ${APP}\r\nHost: ${APP}\r\n\r\n`],
    ['an invalid one', 'GET / HTTP/1.1\r\nHost: a/b\r\n\r\n'],
    ['one with a user', `GET / HTTP/1.1\r\nHost: me@${APP}\r\n\r\n`],
    ['none', 'GET / HTTP/1.1\r\n\r\n'],
    ['a user in the absolute form', `GET http://me@${APP}/ HTTP/1.1\r\nHost: ${APP}\r\n\r\n`],
  ])('are refused: %s', async (_, bytes) => {
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

  it('reports a check in every process, whichever records it', async () => {
    const { monitorId } = await addPage();
    const { cookie } = await signIn();
    const open = ({ web, host }: { web: WebProcess; host: string }) =>
      web.follow('/live/events', { host, headers: { cookie, 'accept-encoding': 'gzip' } });
    const streams = await Promise.all(everywhere().map(open));
    for (const { text } of streams) await expect.poll(text).toContain('event: beat');
    await record(monitorId, FAILED);
    for (const { text } of streams) await expect.poll(text, PATIENCE).toContain('data: changes');
    for (const { close } of streams) close();
  });

  it('ends within five seconds when the session is ended', async () => {
    const { cookie, sessionId } = await signIn();
    const stream = await unnamed.follow('/live/events', { headers: { cookie } });
    await endSession(createTestServices({ db }), own.userId, sessionId);
    await expect.poll(stream.isOver, { timeout: 5000 }).toBe(true);
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

describe('without its listening connection', () => {
  it('a process verifies every page, and is up to date afterwards', async () => {
    const { slug, monitorId } = await addPage();
    await db.$executeRaw`
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'pharos listen'`;
    await api('PUT', `/monitors/${monitorId}`, { name: 'Store' });
    expect((await read(unnamed, 'localhost', slug)).monitors[0].name).toBe('Store');
    await expect.poll(async () => (await read(named, APP, slug)).monitors[0].name, PATIENCE).toBe('Store');
  });
});

describe('during a database outage', () => {
  it('a cached page is still served with a note, and recovers', async () => {
    const { slug, monitorId } = await addPage();
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
    const html = await unnamed.get(`/status/${slug}`);
    expect([
      html.status,
      html.body.includes('This page could not be updated. It shows what was known at'),
    ]).toEqual([200, true]);
    expect((await unnamed.get(pathOf('never-seen'))).status).toBe(500);
    expect((await unnamed.get('/api/live')).status).toBe(200);
    expect((await unnamed.get('/api/health')).status).toBe(503);
    const fault = await unnamed.get('/setup');
    expect(scriptsWithoutNonce(fault), 'the error page has a working reload').toEqual([]);
    expect(fault.status).toBe(500);

    await database.start();
    await expect
      .poll(async () => (await unnamed.get(pathOf(slug))).headers['x-pharos-verified-at'], {
        timeout: 10_000,
      })
      .toBeUndefined();
    await vi.waitFor(() => record(monitorId, FAILED), { timeout: 5000 });
    for (const { web, host } of everywhere()) {
      await expect.poll(async () => (await read(web, host, slug)).status, { timeout: 5000 }).toBe('down');
    }
  }, 60_000);
});
