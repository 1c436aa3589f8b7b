import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FAILED, OK } from '@/lib/engine/testing/story';
import { waitFor } from '@/lib/testing/wait-for';
import {
  APP,
  listBlockedScripts,
  pathOf,
  readPage,
  record,
  startTwoProcessesAlone,
  type TwoProcesses,
  type TwoProcessesAlone,
} from './testing/two-processes';
import type { WebProcess } from './testing/web-process';

let database: TwoProcessesAlone['database'];
let db: TwoProcesses['db'];
let named: TwoProcesses['named'];
let unnamed: TwoProcesses['unnamed'];
let api: TwoProcesses['api'];
let everywhere: TwoProcesses['everywhere'];
let addPage: TwoProcesses['addPage'];
let stop: TwoProcesses['stop'] | undefined;

beforeAll(async () => {
  ({ database, db, named, unnamed, api, everywhere, addPage, stop } = await startTwoProcessesAlone());
});
afterAll(() => stop?.());

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
    for (let round = 0; round < 20; round++) {
      await api('PUT', `/monitors/${monitorId}`, { name: `Shop ${round}` });
      expect((await readPage(unnamed, 'localhost', slug)).monitors[0].name).toBe(`Shop ${round}`);
    }
    const incident = await api('POST', '/incidents', { title: 'Trouble', affectedMonitors: [monitorId] });
    expect((await readPage(unnamed, 'localhost', slug)).incidents).toMatchObject([{ title: 'Trouble' }]);
    await api('DELETE', `/incidents/${incident.body.id}`);
    expect((await readPage(unnamed, 'localhost', slug)).incidents).toEqual([]);
    await expect.poll(async () => (await readPage(named, APP, slug)).monitors[0].name).toBe('Shop 19');
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
      const requests = Array.from({ length: 1000 }, () =>
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
    const { slug, monitorId } = await addPage();
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
    const html = await unnamed.get(`/status/${slug}`);
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
