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
  SECRETS,
  send,
  signIn,
} from './testing/private-page-story';
import { APP, startTwoProcessesAlone, type TwoProcessesAlone } from './testing/two-processes';

let story: TwoProcessesAlone;
let member: string;

beforeAll(async () => {
  story = await startTwoProcessesAlone({ TRUSTED_PROXIES: '127.0.0.1', CUSTOM_DOMAIN_VERIFY: 'off' });
  member = await signIn(story, 'member');
});
afterAll(() => story?.stop());

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
    const { headers } = await read(toDomain, { cookie: member });
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
    expect((await read(page.below(''), { cookie: member })).status).toBe(404);
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
