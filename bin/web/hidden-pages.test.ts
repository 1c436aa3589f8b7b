import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Address,
  addSecretPage,
  makePrivate,
  newVisitor,
  PASSWORD,
  type Response,
  type SecretPage,
  send,
} from './testing/private-page-story';
import { APP, startTwoProcesses, type TwoProcesses } from './testing/two-processes';

let story: TwoProcesses;
let page: SecretPage;

beforeAll(async () => {
  // Emails are queued, and no worker sends them.
  const mail = { SMTP_URL: 'smtp://127.0.0.1:9' };
  story = await startTwoProcesses({ TRUSTED_PROXIES: '127.0.0.1', CUSTOM_DOMAIN_VERIFY: 'off', ...mail });
  page = await addSecretPage(story);
  await makePrivate(story, page, 'ip');
  for (const slug of ['public-acme', 'other-acme']) {
    await story.api('POST', '/status-pages', { name: 'Acme', slug, published: true, monitors: [] });
  }
});
afterAll(() => story?.stop());

/** Everything by which two responses could be distinguished, except what is random or the time. */
function readResponse({ status, headers, body }: Response, slug: string): Record<string, unknown> {
  const same = (text: string) =>
    text
      .replaceAll(slug, 'SLUG')
      .replace(/"requestId":"[^"]+"/, '"requestId":"ID"')
      .replace(/'nonce-[^']+'/g, "'nonce'")
      .replace(/;t=\d+/, ';t=60');
  const shown = Object.entries(headers).filter(([name]) => name !== 'date' && name !== 'x-request-id');
  return {
    status,
    body: same(body),
    ...Object.fromEntries(shown.map(([name, value]) => [name, same(String(value))])),
  };
}

const UNKNOWN = 'there-is-none';
const PUBLIC = [
  '',
  '/history',
  '/subscribe',
  '/status.json',
  '/feed.atom',
  '/maintenance.ics',
  '/badge.svg?label=Shop',
  '/embed',
  '/api/v2/summary.json',
].map((path) => ({ host: APP, path: `/status/public-acme${path}` }));
const FORM = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };

describe('a page for certain addresses is for others like one that does not exist', () => {
  const paths = [
    '',
    '/access',
    '/access?to=/history',
    '/search',
    '/search?q=torpedo',
    '/history',
    '/subscribe',
  ];
  const data = ['/status.json', '/feed.atom', '/badge.svg', '/embed', '/api/v2/summary.json', '/nothing'];
  const requests = [
    ...[...paths, ...data].flatMap((path) => ['GET', 'HEAD'].map((method) => ({ method, path, body: '' }))),
    { method: 'POST', path: '/access', body: `password=${encodeURIComponent(PASSWORD)}` },
    { method: 'POST', path: '/subscribe', body: 'email=reader%40example.com' },
  ];

  it.each(requests)('$method $path', async ({ method, path, body }) => {
    const visit = async (slug: string) => {
      const headers = { ...newVisitor(), ...(body === '' ? {} : FORM) };
      const response = await send(
        story.named,
        { host: APP, path: `/status/${slug}${path}` },
        { method, headers, body },
      );
      return readResponse(response, slug);
    };
    const hidden = await visit(page.slug);
    expect(hidden).toEqual(await visit(UNKNOWN));
    expect(hidden).toMatchObject({ status: 404 });
  });

  it('nor does the API know it', async () => {
    const visit = async (slug: string) => {
      const address = { host: APP, path: `/api/status-pages/public?slug=${slug}` };
      return readResponse(await send(story.named, address, { headers: newVisitor() }), slug);
    };
    expect(await visit(page.slug)).toEqual(await visit(UNKNOWN));
  });
});

describe('a visit is counted once', () => {
  /** How many requests of a visitor were counted. */
  const countVisits = async (visitor: Record<string, string>) => {
    const key = `api:visitor ${visitor['x-forwarded-for']}`;
    return (await story.db.rateLimit.findFirst({ where: { key } }))?.points ?? 0;
  };
  const unknown = (path: string): Address => ({ host: APP, path: `/status/${UNKNOWN}${path}` });

  it.each<[string, (path: string) => Address]>([
    ['an unknown page', unknown],
    ['a page that is hidden from the visitor', (path) => page.below(path)],
  ])('whether it is to %s', async (_, address) => {
    for (const path of ['', '/history', '/status.json', '/embed']) {
      const visitor = newVisitor();
      await send(story.named, address(path), { headers: visitor });
      await send(story.named, address(path), { headers: visitor });
      expect([path, await countVisits(visitor)]).toEqual([path, 2]);
    }
  });

  it('or to a page that the visitor may see', async () => {
    for (const path of ['', '/history', '/status.json', '/embed']) {
      const visitor = { 'x-forwarded-for': `198.51.100.${1 + path.length}` };
      expect((await send(story.named, page.below(path), { headers: visitor })).status).toBe(200);
      expect([path, await countVisits(visitor)]).toEqual([path, 1]);
    }
  });

  it.each(PUBLIC)('also to $path of a public page, unless a cache serves it', async (address) => {
    const visitor = newVisitor('198.51.101');
    const other = newVisitor('198.51.101');
    expect((await send(story.named, address, { headers: visitor })).status).toBe(200);
    expect([await countVisits(visitor), await countVisits(other)]).toEqual([1, 0]);
    await send(story.named, address, { headers: other });
    const isKept = !address.path.includes('/subscribe');
    expect(await countVisits(other)).toBe(isKept ? 0 : 1);
  });

  it.each(PUBLIC)('and $path is refused beyond the limit', async ({ host, path }) => {
    const visitor = newVisitor('198.51.102');
    const key = `api:visitor ${visitor['x-forwarded-for']}`;
    const unread = { host, path: path.replace(/^\/status\/public-acme/, '/status/other-acme') };
    await send(story.named, { host: APP, path: '/status/there-is-none' }, { headers: visitor });
    await story.db.rateLimit.updateMany({ where: { key }, data: { points: 300 } });
    const { status, headers } = await send(story.named, unread, { headers: visitor });
    expect([status, headers['retry-after']]).toEqual([429, expect.stringMatching(/^\d+$/)]);
  });

  it('and beyond the limit, documents and data of both are refused', async () => {
    const visitor = newVisitor();
    const key = `api:visitor ${visitor['x-forwarded-for']}`;
    await send(story.named, page.below(''), { headers: visitor });
    await story.db.rateLimit.updateMany({ where: { key }, data: { points: 300 } });
    for (const path of ['', '/status.json']) {
      for (const address of [page.below(path), unknown(path)]) {
        expect((await send(story.named, address, { headers: visitor })).status).toBe(429);
      }
    }
  });
});
