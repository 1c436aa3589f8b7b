import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { borrowTenant } from '@/app/api/testing/borrow-tenant';
import type { ApiClient } from '@/e2e/support/api-client';
import { waitFor } from '@/lib/testing/wait-for';

const HOST = 'page.acme.test';
const CACHED = 'public, s-maxage=10, stale-while-revalidate=60';

const setting = borrowTenant();
let api: ApiClient;
let monitor: string;
let incident: string;

beforeAll(async () => {
  ({ api } = setting.tenant);
  const shop = { name: 'Shop <b>', url: 'http://127.0.0.1:9/', enabled: false };
  monitor = (await api('POST', '/monitors', shop)).body.id;
  const hidden = (await api('POST', '/monitors', { ...shop, name: 'Hidden' })).body.id;
  const page = { name: 'Acme', monitors: [monitor], published: true };
  await api('POST', '/status-pages', { ...page, slug: 'page-acme', logoUrl: 'https://acme.test/logo.svg' });
  await api('POST', '/status-pages', { ...page, slug: 'page-hosted', customDomain: HOST });
  await api('POST', '/status-pages', { ...page, slug: 'page-draft', published: false });
  const trouble = { title: 'Trouble <i>', affectedMonitors: [monitor, hidden], description: 'One\nTwo' };
  incident = (await api('POST', '/incidents', trouble)).body.id;
});

/** Rate limits are for each address. */
const VISITOR = { 'X-Forwarded-For': '198.51.100.1' };

const get = (path: string, headers: Record<string, string> = {}, init: RequestInit = {}) =>
  fetch(`${setting.service.url}/status${path}`, {
    headers: { ...VISITOR, ...headers },
    redirect: 'manual',
    ...init,
  });

/** Like `fetch`, but can set the Host header and does not decompress. */
function fetchRaw(path: string, headers: Record<string, string>): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const sent = request(
      `${setting.service.url}${path}`,
      { headers: { ...VISITOR, ...headers } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('end', () => resolve(Buffer.concat(chunks)));
      },
    );
    sent.on('error', reject).end();
  });
}

/** Everything by which two responses could be distinguished, except their time and encoding. */
async function readResponse(response: Response) {
  const headers = new Headers(response.headers);
  for (const name of ['date', 'x-request-id', 'content-encoding', 'content-length', 'transfer-encoding'])
    headers.delete(name);
  return { status: response.status, headers: Object.fromEntries(headers), body: await response.text() };
}

describe('the public page over HTTP', () => {
  it('is cacheable HTML in the language of the visitor', async () => {
    const response = await get('/page-acme', { 'Accept-Language': 'nl, pt-BR;q=0.8, en;q=0.5' });
    const html = await response.text();
    expect(response.status).toBe(200);
    const header = (name: string) => response.headers.get(name) ?? '';
    expect(header('content-type')).toBe('text/html; charset=utf-8');
    expect(header('cache-control')).toBe(CACHED);
    expect(header('x-pharos-cache-tag'), 'meant for our own cache').toBe('');
    expect(header('vary').toLowerCase()).toContain('accept-language');
    expect(header('content-language')).toBe('pt');
    expect(header('x-content-type-options')).toBe('nosniff');
    expect(header('set-cookie')).toBe('');
    expect(html).toMatch(/^<!doctype html><html lang="pt">/);
    expect(html).toContain('Shop &lt;b&gt;');
    expect(html).toContain('Trouble &lt;i&gt;');
    expect(html).not.toMatch(/127\.0\.0\.1:9|Hidden|_next|org_/);
    expect((await get('/page-acme', { 'Accept-Language': 'de' })).headers.get('content-language')).toBe('de');
    expect((await get('/page-acme', { 'Accept-Language': 'xx' })).headers.get('content-language')).toBe('en');
  });

  it('is in the language that the URL names, and keeps it in its links', async () => {
    const html = await (await get('/page-acme?lang=fr', { 'Accept-Language': 'de' })).text();
    expect(html).toContain('<html lang="fr">');
    expect(html).toContain('href="/status/page-acme/history?lang=fr"');
    expect(await (await get('/page-acme?lang=nl')).text()).toContain('<html lang="en">');
  });

  it('identifies itself to search engines, feed readers and social networks', async () => {
    const html = await (await get('/page-acme')).text();
    expect(html).toContain(`<link rel="canonical" href="${setting.service.url}/status/page-acme"/>`);
    expect(html).toContain('type="application/atom+xml" title="Acme" href="/status/page-acme/feed.atom"');
    expect(html).toContain('type="application/rss+xml" title="Acme" href="/status/page-acme/feed.rss"');
    expect(html).toContain('<meta property="og:site_name" content="Acme"/>');
    expect(html).toContain('<meta name="theme-color" content="#fbfbfb"/>');
    expect(html).toContain(
      '<meta name="theme-color" content="#0a0a0a" media="(prefers-color-scheme: dark)"/>',
    );
  });

  it('has links relative to the root on its own domain', async () => {
    const html = (await fetchRaw('/', { Host: HOST })).toString();
    expect(html).toContain('href="/history"');
    expect(html).toContain(`href="/incidents/${incident}"`);
    expect(html).toContain('<h1><a href="/">Acme</a></h1>');
    expect(html).toContain(`<link rel="canonical" href="https://${HOST}"/>`);
    expect(html).not.toContain('/status/page-hosted');
    const claimed = await (await get('/page-acme', { 'x-pharos-page-host': '1' })).text();
    expect(claimed, 'a header of the visitor is ignored').toContain('href="/status/page-acme/history"');
  });

  it('returns 304 for a known ETag, whatever time has passed', async () => {
    const etag = (await get('/page-acme')).headers.get('etag') ?? '';
    expect(etag).toMatch(/^W\/".+"$/);
    const again = await get('/page-acme', { 'If-None-Match': etag });
    expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([304, etag, '']);
    expect(again.headers.get('cache-control')).toBe(CACHED);
    expect((await get('/page-acme?lang=de', { 'If-None-Match': etag })).status).toBe(200);
    const head = await get('/page-acme', {}, { method: 'HEAD' });
    expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, etag, '']);
    await api('PUT', `/monitors/${monitor}`, { name: 'Shop <b> 2' });
    expect((await get('/page-acme', { 'If-None-Match': etag })).status).toBe(200);
    expect((await get('/page-acme', {}, { method: 'POST' })).status).toBe(405);
  });

  it('allows its own script and styles, by their hashes, its logo, and nothing else', async () => {
    for (const path of ['/page-acme', '/page-acme/history', `/page-acme/incidents/${incident}`, '/unknown']) {
      const response = await get(path);
      const html = await response.text();
      const hashes = (tag: string) =>
        [...html.matchAll(new RegExp(`<${tag}>(.*?)</${tag}>`, 'gs'))].map(
          ([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
        );
      const policy = Object.fromEntries(
        (response.headers.get('content-security-policy') ?? '').split('; ').map((directive) => {
          const [name, ...values] = directive.split(' ');
          return [name, values];
        }),
      );
      const logo = path === '/unknown' ? [] : ['https://acme.test'];
      expect(hashes('style')).toHaveLength(2);
      expect(hashes('script')).toHaveLength(path === '/unknown' ? 0 : 1);
      expect(policy).toEqual({
        'default-src': ["'none'"],
        'script-src': [expect.stringMatching(/^'sha256-/)],
        'style-src': hashes('style'),
        'img-src': ['data:', ...logo],
        'connect-src': ["'self'"],
        // Its search is a form.
        'form-action': [path === '/page-acme/history' ? "'self'" : "'none'"],
        'base-uri': ["'none'"],
        'frame-ancestors': ["'none'"],
      });
      for (const script of hashes('script')) expect(policy['script-src']).toEqual([script]);
    }
  });

  it('is compressed', async () => {
    const body = await fetchRaw('/status/page-acme', { 'Accept-Encoding': 'gzip' });
    expect(gunzipSync(body).toString()).toContain('<!doctype html>');
    expect(body.length).toBeLessThan(10_000);
  });
});

it('maintenance is shown above the systems, active windows first', async () => {
  const at = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
  const work = { monitors: [monitor], timeZone: 'UTC' };
  const soon = { ...work, title: 'Soon <u>', startsAt: at(60), endsAt: at(120), message: 'Short.' };
  const running = { ...work, title: 'Running', startsAt: at(0.02), endsAt: at(60) };
  expect((await api('POST', '/maintenance', soon)).status).toBe(201);
  expect((await api('POST', '/maintenance', running)).status).toBe(201);
  const read = async (path: string) => (await get(path)).text();
  await waitFor(async () => expect(await read('/page-acme')).toContain('Maintenance in progress</h2>'));
  const html = await read('/page-acme');
  const order = ['>Running<', '>Scheduled maintenance<', 'Soon &lt;u&gt;', 'Short.', '>Systems<'];
  expect(order.map((text) => html.indexOf(text))).toEqual(
    order.map((text) => html.indexOf(text)).toSorted((a, b) => a - b),
  );
  for (const text of order) expect(html).toContain(text);
});

describe('its other pages', () => {
  it('an incident has a permanent URL', async () => {
    const response = await get(`/page-acme/incidents/${incident}`);
    const html = await response.text();
    expect(response.status).toBe(200);
    expect(html).toContain('<h2>Trouble &lt;i&gt;</h2>');
    expect(html).toContain('One\nTwo');
    expect(html).toContain(
      `<link rel="canonical" href="${setting.service.url}/status/page-acme/incidents/${incident}"/>`,
    );
  });

  it('the history shows the requested month', async () => {
    const month = new Date().toISOString().slice(0, 7);
    for (const path of ['/page-acme/history', `/page-acme/history?month=${month}`]) {
      const response = await get(path);
      const html = await response.text();
      expect([response.status, response.headers.get('cache-control')]).toEqual([200, CACHED]);
      expect(html).toContain('Trouble &lt;i&gt;');
      expect(html).toContain('history?lang=de');
      expect(html).toContain('<search><form action="/status/page-acme/search">');
    }
  });

  it('search results are in the visitor’s language, need no script, and are neither cached nor indexed', async () => {
    const response = await get('/page-acme/search?q=TWO+trouble&lang=fr');
    const html = await response.text();
    expect(response.status).toBe(200);
    expect(html).toContain(`href="/status/page-acme/incidents/${incident}?lang=fr">Trouble &lt;i&gt;</a>`);
    expect(html).toContain('<input type="hidden" name="lang" value="fr"/>');
    expect(html).toContain('value="TWO trouble"');
    expect(html).not.toContain('<script');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('x-robots-tag')).toBe('noindex');
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("form-action 'self'");
    expect(policy).not.toContain('script-src');
    const hosted = (await fetchRaw('/search?q=trouble', { Host: HOST })).toString();
    expect(hosted).toContain('<search><form action="/search">');
    expect(hosted).toContain(`href="/incidents/${incident}"`);
  });

  it('a search that is empty, too long, or without results shows a hint', async () => {
    const search = async (q: string) => (await get(`/page-acme/search?q=${q}`)).text();
    expect(await search('nowhere')).toContain('No incidents match.');
    expect(await search('')).toContain('Enter one or more words.');
    expect(await (await get('/page-acme/search')).text()).toContain('Enter one or more words.');
    expect(await search(`%00${encodeURIComponent('<b>&%')}`)).toContain('“&lt;b&gt;&amp;%”');
    expect(await search('x'.repeat(4000))).toContain(`“${'x'.repeat(100)}”`);
  });
});

describe('an unknown page', () => {
  it('gets the same uncached response as any other', async () => {
    await api('POST', '/status-pages', { name: 'Gone', slug: 'page-gone', monitors: [], published: true });
    expect((await get('/page-gone')).status).toBe(200);
    await api('DELETE', '/status-pages/page-gone');
    const paths = [
      '/page-draft',
      '/unknown',
      '/page-gone',
      '/public',
      '/Acme',
      '/a%00b',
      '/%3Cscript%3E',
      '/page-draft/history',
      '/unknown/history',
      '/page-acme/history?month=1999-01',
      '/page-acme/history?month=x',
      '/page-draft/search?q=trouble',
      '/unknown/search?q=trouble',
      `/page-draft/incidents/${incident}`,
      '/page-acme/incidents/inc_unknown',
      '/page-acme/incidents/%00',
      '/page-acme/nothing',
      '/unknown/nothing/at/all',
    ];
    const [first, ...others] = await Promise.all(paths.map(async (path) => readResponse(await get(path))));
    expect(first?.status).toBe(404);
    expect(first?.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
    });
    expect(first?.headers).not.toHaveProperty('x-pharos-cache-tag');
    expect(first?.headers).not.toHaveProperty('etag');
    expect(first?.body).toContain('Status page not found');
    expect(first?.body).toContain('<meta name="robots" content="noindex"/>');
    for (const [index, other] of others.entries()) expect(other, paths[index + 1]).toEqual(first);
  });

  it('is in the visitor’s language', async () => {
    const html = await (await get('/unknown', { 'Accept-Language': 'es' })).text();
    expect(html).toContain('No se encontró la página de estado');
  });
});
