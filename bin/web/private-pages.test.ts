import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Address,
  addSecretPage,
  cookieOf,
  enterPassword,
  leaksOf,
  makePrivate,
  newVisitor,
  PASSWORD,
  type Response,
  SECRETS,
  type SecretPage,
  send,
} from './testing/private-page-story';
import {
  describeVisits,
  PRIVATE_PAGE_SETTINGS,
  type PrivateSetting,
  signInBoth,
} from './testing/private-page-visits';
import { APP, startTwoProcessesAlone, type TwoProcessesAlone } from './testing/two-processes';

const setting = {} as PrivateSetting;
let story: TwoProcessesAlone;

beforeAll(async () => {
  story = await startTwoProcessesAlone(PRIVATE_PAGE_SETTINGS);
  Object.assign(setting, await signInBoth(story));
});
afterAll(() => story?.stop());

// private-pages.thorough.test.ts has every form of every request.
for (const visibility of ['password', 'ip', 'members'] as const)
  describeVisits(setting, visibility, 'in turn');

let hidden: SecretPage;
beforeAll(async () => {
  hidden = await addSecretPage(story);
  await makePrivate(story, hidden, 'ip');
  for (const slug of ['public-acme', 'other-acme']) {
    await story.api('POST', '/status-pages', { name: 'Acme', slug, published: true, monitors: [] });
  }
});

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
    const response = await visit(hidden.slug);
    expect(response).toEqual(await visit(UNKNOWN));
    expect(response).toMatchObject({ status: 404 });
  });

  it('nor does the API know it', async () => {
    const visit = async (slug: string) => {
      const address = { host: APP, path: `/api/status-pages/public?slug=${slug}` };
      return readResponse(await send(story.named, address, { headers: newVisitor() }), slug);
    };
    expect(await visit(hidden.slug)).toEqual(await visit(UNKNOWN));
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
    ['a page that is hidden from the visitor', (path) => hidden.below(path)],
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
      expect((await send(story.named, hidden.below(path), { headers: visitor })).status).toBe(200);
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
    await send(story.named, hidden.below(''), { headers: visitor });
    await story.db.rateLimit.updateMany({ where: { key }, data: { points: 300 } });
    for (const path of ['', '/status.json']) {
      for (const address of [hidden.below(path), unknown(path)]) {
        expect((await send(story.named, address, { headers: visitor })).status).toBe(429);
      }
    }
  });
});

describe('access to a private page ends at once', () => {
  const read = (address: Address, headers: Record<string, string>) =>
    send(story.named, address, { headers: { ...newVisitor('2001:db8:7:'), ...headers } });

  it('with its token', async () => {
    const page = await addSecretPage(story);
    await makePrivate(story, page, 'password');
    const json = page.below('/status.json');
    const withToken = { ...json, path: `${json.path}?token=${page.token}` };
    expect((await read(withToken, {})).status).toBe(200);
    await story.api('DELETE', `/status-pages/${page.slug}/tokens/${page.tokenId}`);
    expect((await read(withToken, {})).status).toBe(404);
  });

  it('with a new password, and with another visibility', async () => {
    const page = await addSecretPage(story);
    await makePrivate(story, page, 'password');
    const cookie = cookieOf(await enterPassword(story.named, page.below(''), PASSWORD));
    expect((await read(page.below(''), { cookie })).status).toBe(200);
    await story.api('PUT', `/status-pages/${page.slug}`, { password: 'another horse' });
    expect((await read(page.below(''), { cookie })).status).toBe(403);
    const next = cookieOf(await enterPassword(story.named, page.below(''), 'another horse'));
    await story.api('PUT', `/status-pages/${page.slug}`, { visibility: 'members' });
    await story.api('PUT', `/status-pages/${page.slug}`, { visibility: 'password' });
    expect((await read(page.below(''), { cookie: next })).status).toBe(403);
  });

  it('with the membership, and a ticket opens the domain of a page once', async () => {
    const page = await addSecretPage(story);
    await makePrivate(story, page, 'members');
    const toDomain = { host: APP, path: `/status/${page.slug}/access` };
    const { headers } = await read(toDomain, { cookie: setting.sessions.member });
    const ticket = new URL(String(headers.location));
    const redeem = () => read({ host: ticket.host, path: ticket.pathname + ticket.search }, {});
    const cookie = cookieOf(await redeem());
    expect(cookie).toMatch(/^pharos\.page=/);
    expect(cookieOf(await redeem())).toBe('');
    expect((await read(page.onDomain(''), { cookie })).status).toBe(200);
    const { db, own } = story;
    const where = { organizationId: own.organizationId };
    const [membership] = await db.membership.findMany({ where });
    await db.membership.deleteMany({ where });
    expect((await read(page.onDomain(''), { cookie })).status).toBe(303);
    expect((await read(page.below(''), { cookie: setting.sessions.member })).status).toBe(404);
    if (membership) await db.membership.create({ data: { ...membership, alertRules: [] } });
  });
});

it('ten passwords a minute are compared for an address and page', async () => {
  const page = await addSecretPage(story);
  await makePrivate(story, page, 'password');
  const from = { 'x-forwarded-for': '203.0.113.77' };
  const attempt = (password: string) => enterPassword(story.named, page.below(''), password, from);
  for (let each = 0; each < 10; each++) expect((await attempt('wrong horse')).status).toBe(403);
  const refused = await attempt(PASSWORD);
  expect([refused.status, cookieOf(refused)]).toEqual([429, '']);
  expect((await enterPassword(story.named, page.below(''), PASSWORD)).status).toBe(303);
});

it('a pass is sent to its page only, never to scripts, and only over TLS where the page has it', async () => {
  const page = await addSecretPage(story);
  await makePrivate(story, page, 'password');
  const cookieAt = async (address: Address, scheme: string) => {
    const response = await enterPassword(story.named, address, PASSWORD, { 'x-forwarded-proto': scheme });
    return [response.headers['set-cookie']].flat().map((cookie) => cookie?.replace(/=[\w-]{40,}/, '=PASS'));
  };
  const attributes = `Max-Age=${30 * 24 * 3600}; HttpOnly; SameSite=Lax`;
  const { slug } = page;
  expect(await cookieAt(page.below(''), 'http')).toEqual([
    `pharos.page=PASS; Path=/status/${slug}; ${attributes}`,
  ]);
  expect(await cookieAt(page.onDomain(''), 'http')).toEqual([`pharos.page=PASS; Path=/; ${attributes}`]);
  expect(await cookieAt(page.onDomain(''), 'https')).toEqual([
    `pharos.page=PASS; Path=/; ${attributes}; Secure`,
  ]);
});

it('a password from the form of another site is not compared', async () => {
  const page = await addSecretPage(story);
  await makePrivate(story, page, 'password');
  const response = await enterPassword(story.named, page.below(''), PASSWORD, {
    'sec-fetch-site': 'cross-site',
  });
  expect([response.status, cookieOf(response)]).toEqual([403, '']);
});

// The last one: the others need the database.
it('without the database, those who were just admitted see the page, and others get 503', async () => {
  const page = await addSecretPage(story);
  await makePrivate(story, page, 'password');
  const cookie = cookieOf(await enterPassword(story.named, page.below(''), PASSWORD));
  const json = page.below('/status.json');
  const bearer = { authorization: `Bearer ${page.token}` };
  const visit = (address: Address, headers: Record<string, string>) =>
    send(story.named, address, { headers: { ...newVisitor('2001:db8:8:'), ...headers } });
  await visit(page.below(''), { cookie });
  const opened = await visit(json, bearer);
  expect(opened.headers['access-control-allow-origin']).toBe('*');
  await story.database.stop();
  try {
    const held = await visit(page.below(''), { cookie });
    expect([held.status, leaksOf(held)]).toEqual([200, SECRETS]);
    expect(held.headers['cache-control']).toBe('private, no-store');
    expect(held.body).toContain('class="pharos-stale"');
    const heldData = await visit(json, bearer);
    expect([heldData.status, heldData.headers['access-control-allow-origin']]).toEqual([200, undefined]);
    expect(heldData.headers['x-request-id']).not.toBe(opened.headers['x-request-id']);
    for (const [address, headers] of [
      [page.below(''), {}],
      [page.below('/search?q=torpedo'), { cookie }],
      [page.below('/subscribe'), { cookie }],
      [page.below('/access'), {}],
      [{ host: APP, path: '/status/there-is-none' }, {}],
      [{ host: APP, path: '/status/there-is-none/status.json' }, {}],
      [{ host: APP, path: '/api/status-pages/public?slug=there-is-none' }, {}],
      [page.below(''), bearer],
      [json, { authorization: `Bearer ${page.token.replace('ph_page_', 'ph_page_x')}` }],
      [page.onDomain(''), { cookie }],
      [page.below('/history'), { cookie }],
    ] as const) {
      const refused = await visit(address, headers);
      expect([address.path, refused.status, leaksOf(refused)]).toEqual([address.path, 503, []]);
      expect([address.path, refused.headers['retry-after']]).toEqual([address.path, '5']);
    }
  } finally {
    await story.database.start();
  }
});
