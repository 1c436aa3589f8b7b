import { request } from 'node:http';
import { beforeAll, describe, expect, it } from 'vitest';
import { borrowTenant } from '@/app/api/testing/borrow-tenant';
import { HOSTILE_TEXT, SHOWN_TEXT } from '@/lib/domain/status-pages/testing/hostile-text';
import { childOf, parseXml } from '@/lib/domain/status-pages/testing/xml';
import { statuspageSchemas } from '@/lib/schemas/status-pages/statuspage';

const PATHS = [
  'status.json',
  'api/v2/summary.json',
  'feed.atom',
  'feed.rss',
  'maintenance.ics',
  'badge.svg',
  'embed',
];
const DOMAIN = 'resources.acme.test';
// Names and titles have no control characters; descriptions may have all but NUL.
const NAME = SHOWN_TEXT.slice(0, 100);

const setting = borrowTenant();
let page: { id: string; slug: string };
let monitor: string;

beforeAll(async () => {
  const { api } = setting.tenant;
  monitor = (await api('POST', '/monitors', { name: NAME, url: 'http://127.0.0.1:9/', enabled: false })).body
    .id;
  const body = {
    name: 'Acme',
    slug: 'res-shown',
    monitors: [monitor],
    published: true,
    customDomain: DOMAIN,
  };
  page = (await api('POST', '/status-pages', body)).body;
  await api('POST', '/status-pages', { name: 'Hidden', slug: 'res-hidden', monitors: [] });
  await api('POST', '/incidents', {
    title: SHOWN_TEXT,
    description: HOSTILE_TEXT.replaceAll('\0', ''),
    affectedMonitors: [monitor],
  });
});

/** Rate limits are for each address. */
const VISITOR = { 'X-Forwarded-For': '198.51.100.2' };

const get = (path: string, { headers, ...init }: RequestInit = {}) =>
  fetch(`${setting.service.url}/status/${path}`, { headers: { ...VISITOR, ...headers }, ...init });
const text = async (path: string) => (await get(path)).text();

/** With any headers, also the host. */
function fetchRaw(path: string, headers: Record<string, string>): Promise<{ status?: number; body: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(
      `${setting.service.url}${path}`,
      { headers: { ...VISITOR, ...headers } },
      async (response) => {
        let body = '';
        for await (const chunk of response) body += chunk;
        resolve({ status: response.statusCode, body });
      },
    );
    sent.on('error', reject).end();
  });
}

describe('the machine-readable resources of a published page', () => {
  it.each([
    ['status.json', 'application/json'],
    ...Object.keys(statuspageSchemas).map((path) => [`api/v2/${path}`, 'application/json']),
    ['feed.atom', 'application/atom+xml; charset=utf-8'],
    ['feed.rss', 'application/rss+xml; charset=utf-8'],
    ['maintenance.ics', 'text/calendar; charset=utf-8'],
    ['badge.svg', 'image/svg+xml; charset=utf-8'],
    ['embed', 'text/html; charset=utf-8'],
  ])('%s is %s, available to any origin, cacheable, and supports 304', async (path, type) => {
    const response = await get(`res-shown/${path}?utm_source=reader`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe(type);
    expect(response.headers.get('cache-control')).toBe('public, s-maxage=10, stale-while-revalidate=60');
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'; /);
    expect(response.headers.get('content-security-policy')?.includes('frame-ancestors *')).toBe(
      path === 'embed',
    );
    const etag = response.headers.get('etag') ?? '';
    expect(etag).toMatch(/^W\/".+"$/);
    const again = await get(`res-shown/${path}`, { headers: { 'If-None-Match': etag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
    const head = await get(`res-shown/${path}`, { method: 'HEAD' });
    expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, etag, '']);
    expect((await get(`res-shown/${path}`, { method: 'OPTIONS' })).status).toBe(204);
    expect((await get(`res-shown/${path}`, { method: 'POST' })).status).toBe(405);
  });

  it.each(PATHS)('%s is the same 404 for an unpublished page and an unknown one', async (path) => {
    const responses = ['res-hidden', 'unknown', 'public', 'NO', '%00', '..%2Fres-shown'].map(async (slug) => {
      const response = await get(`${slug}/${path}`);
      const {
        date: _date,
        'x-request-id': _id,
        ratelimit: _remaining,
        'content-encoding': _encoding,
        'content-length': _length,
        'transfer-encoding': _chunks,
        ...headers
      } = Object.fromEntries(response.headers);
      const body = (await response.text()).replace(/"requestId":"[^"]*"/, '');
      return { status: response.status, headers, body };
    });
    const [hidden, ...others] = await Promise.all(responses);
    expect(hidden).toMatchObject({ status: 404, headers: { 'cache-control': 'no-store' } });
    expect(hidden?.headers).not.toHaveProperty('x-pharos-cache-tag');
    for (const other of others) expect(other).toEqual(hidden);
  });

  it('status.json equals the response of the API', async () => {
    const response = await fetch(`${setting.service.url}/api/status-pages/public?slug=res-shown`);
    expect(await (await get('res-shown/status.json')).json()).toEqual(await response.json());
  });

  it('clients of Statuspage find the page, its components and incidents, also on its own domain', async () => {
    const summary = statuspageSchemas['summary.json'].parse(
      await (await get('res-shown/api/v2/summary.json')).json(),
    );
    expect(summary.page).toMatchObject({ id: page.id, url: `${setting.service.url}/status/res-shown` });
    expect(summary.status.indicator).toBe('major');
    expect(summary.components).toMatchObject([{ id: monitor, name: NAME, status: 'partial_outage' }]);
    expect(summary.incidents[0]?.shortlink).toMatch(
      new RegExp(`^${setting.service.url}/status/res-shown/incidents/inc_`),
    );
    const hosted = await fetchRaw('/api/v2/incidents/unresolved.json', { Host: DOMAIN });
    const { incidents } = statuspageSchemas['incidents/unresolved.json'].parse(JSON.parse(hosted.body));
    expect(incidents[0]?.shortlink).toMatch(new RegExp(`^https?://${DOMAIN}(:\\d+)?/incidents/inc_`));
    expect((await fetchRaw('/api/v2/monitors.json', { Host: DOMAIN })).status).toBe(404);
  });

  it('the feeds are valid XML with absolute links, whatever users wrote', async () => {
    const atom = parseXml(await text('res-shown/feed.atom'));
    const entry = childOf(atom, 'entry');
    expect(childOf(atom, 'id').text).toBe(`tag:pharos,2026:${page.id}`);
    expect(childOf(entry, 'title').text).toContain('<img src=x onerror=alert(1)> ]]>');
    expect(childOf(entry, 'link').attributes.href).toMatch(
      new RegExp(`^${setting.service.url}/status/res-shown/incidents/inc_[0-9a-z]+$`),
    );
    const channel = childOf(parseXml(await text('res-shown/feed.rss')), 'channel');
    expect(childOf(channel, 'link').text).toBe(`${setting.service.url}/status/res-shown`);
    expect(childOf(childOf(channel, 'item'), 'description').text).toContain('Affected: &lt;img');
  });

  it('the badge shows a page or a monitor and rejects unknown parameters', async () => {
    const label = async (query: string) =>
      parseXml(await text(`res-shown/badge.svg${query}`)).attributes['aria-label'];
    expect(await label('')).toBe('Acme: partial outage');
    expect(await label(`?monitor=${monitor}`)).toMatch(/^<img src=x onerror=alert\(1\)> .*: partial outage$/);
    expect(await label(`?monitor=${monitor}&show=uptime&label=Shop`)).toBe('Shop: no data');
    expect(await label(`?label=${encodeURIComponent(SHOWN_TEXT.slice(0, 60))}`)).toContain('<img src=x');
    const statuses = ['?show=uptime', '?show=x', `?label=${'x'.repeat(61)}`, '?monitor=mon_none'];
    expect(
      await Promise.all(statuses.map(async (query) => (await get(`res-shown/badge.svg${query}`)).status)),
    ).toEqual([400, 400, 400, 404]);
  });
});

describe('GET /api/internal/tls-allowed', () => {
  const check = (query: string, headers: Record<string, string> = {}) =>
    fetchRaw(`/api/internal/tls-allowed${query}`, headers);

  it('is 200 without a body for the verified domain of a published page, else 404', async () => {
    expect(await check(`?domain=${DOMAIN}`)).toEqual({ status: 200, body: '' });
    expect((await check(`?domain=${DOMAIN.toUpperCase()}.`)).status).toBe(200);
    for (const query of [
      '?domain=other.acme.test',
      '?domain=',
      '',
      '?domain=%00',
      '?domain=%3Cimg%20onerror%3D%3E',
    ]) {
      expect((await check(query)).status, query).toBe(404);
    }
  });

  it('does not exist on the domain of a page', async () => {
    expect((await check(`?domain=${DOMAIN}`, { Host: DOMAIN, 'x-pharos-page-host': '1' })).status).toBe(404);
  });
});

it('every response of a page that is hidden from search engines includes X-Robots-Tag, also in the API', async () => {
  const body = { name: 'Quiet', slug: 'res-quiet', monitors: [monitor], published: true, noindex: true };
  await setting.tenant.api('POST', '/status-pages', body);
  for (const path of ['', 'history', ...PATHS]) {
    const [quiet, shown] = await Promise.all([get(`res-quiet/${path}`), get(`res-shown/${path}`)]);
    expect([path, quiet.headers.get('x-robots-tag')]).toEqual([path, 'noindex']);
    expect([path, shown.headers.get('x-robots-tag')]).toEqual([path, null]);
  }
  expect(await text('res-quiet')).toContain('<meta name="robots" content="noindex"/>');
  for (const [slug, robots] of [
    ['res-quiet', 'noindex'],
    ['res-shown', null],
  ]) {
    // Twice: also from the cache.
    for (let time = 0; time < 2; time += 1) {
      const { status, headers } = await fetch(`${setting.service.url}/api/status-pages/public?slug=${slug}`);
      expect([slug, status, headers.get('x-robots-tag')]).toEqual([slug, 200, robots]);
    }
  }
});
