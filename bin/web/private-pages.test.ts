import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Visibility } from '@/lib/schemas/status-pages/access';
import {
  type Address,
  cookieOf,
  DATA,
  documents,
  enterPassword,
  newVisitor,
  PASSWORD,
  passOnDomain,
  type Response,
  SECRETS,
  send,
  signIn,
} from './testing/private-page-story';
import { APP, startTwoProcesses, type TwoProcesses } from './testing/two-processes';
import type { WebProcess } from './testing/web-process';

let story: TwoProcesses;
let sessions: Record<'member' | 'stranger', string>;

beforeAll(async () => {
  story = await startTwoProcesses({
    TRUSTED_PROXIES: '127.0.0.1',
    CUSTOM_DOMAIN_VERIFY: 'off',
    // Emails are queued, and no worker sends them.
    SMTP_URL: 'smtp://127.0.0.1:9',
  });
  sessions = { member: await signIn(story, 'member'), stranger: await signIn(story, 'stranger') };
}, 240_000);
afterAll(() => story?.stop());

/** A published page with something to hide, at two addresses, each read before so that both processes have copies of all of it. */
async function addSecretPage() {
  const { api } = story;
  const { slug, id, monitorId } = await story.addPage();
  const domain = `${slug}.acme.test`;
  await api('PUT', `/monitors/${monitorId}`, { name: 'Submarine' });
  await api('PUT', `/status-pages/${slug}`, { name: 'Periscope', customDomain: domain });
  const { body: incident } = await api('POST', '/incidents', {
    title: 'Torpedo',
    affectedMonitors: [monitorId],
  });
  const { body: token } = await api('POST', `/status-pages/${slug}/tokens`, { name: 'Reader' });
  const below = (path: string): Address => ({ host: APP, path: `/status/${slug}${path}` });
  const onDomain = (path: string): Address => ({ host: domain, path: path || '/' });
  const apiPath = { host: APP, path: `/api/status-pages/public?slug=${slug}` };
  return {
    ...{ slug, id, domain, token: token.token as string, tokenId: token.id as string, below, onDomain },
    documents: documents(incident.id).flatMap((path) => [below(path), onDomain(path)]),
    data: [...DATA.flatMap((path) => [below(path), onDomain(path)]), apiPath],
  };
}

type SecretPage = Awaited<ReturnType<typeof addSecretPage>>;

const PRIVATE: Record<Exclude<Visibility, 'public'>, object> = {
  password: { visibility: 'password', password: PASSWORD },
  ip: { visibility: 'ip', allowedCidrs: ['198.51.100.0/24', '2001:db8:a::/48'] },
  members: { visibility: 'members' },
};

/** Who visits, by the headers that they send to an address of a page. */
const VISITORS = {
  nobody: async () => ({}),
  'a broken pass': async () => ({ cookie: 'pharos.page=AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA' }),
  'a token': async ({ token }: SecretPage) => ({ authorization: `Bearer ${token}` }),
  'the token of another page': async (_: SecretPage, other: SecretPage) => ({
    authorization: `Bearer ${other.token}`,
  }),
  'a pass': async (page: SecretPage, _: SecretPage, { host }: Address) => {
    const pass = passes.get(`${page.slug} ${host}`) ?? (await getPass(page, host));
    passes.set(`${page.slug} ${host}`, pass);
    return { cookie: pass };
  },
  'a pass for another page': async (_: SecretPage, other: SecretPage) => ({
    cookie: cookieOf(await enterPassword(story.named, other.below(''), PASSWORD)),
  }),
  'the session of a member': async () => ({ cookie: sessions.member }),
  'the session of a stranger': async () => ({ cookie: sessions.stranger }),
  'an allowed address': async () => newVisitor('2001:db8:a:'),
} satisfies Record<
  string,
  (page: SecretPage, other: SecretPage, address: Address) => Promise<Record<string, string>>
>;

type VisitorName = keyof typeof VISITORS;

const passes = new Map<string, string>();

/** The pass of a visitor who knows the password, or is a member; none if the page gives none. */
async function getPass(page: SecretPage, host: string): Promise<string> {
  const { visibility } = (await story.api('GET', `/status-pages/${page.slug}`)).body;
  const address = host === APP ? page.below('') : page.onDomain('');
  if (visibility === 'password') return cookieOf(await enterPassword(story.named, address, PASSWORD));
  const isMemberOnDomain = visibility === 'members' && host !== APP;
  return isMemberOnDomain ? passOnDomain(story.named, host, sessions.member) : 'none=1';
}

/** For each visibility, who sees the documents and who the data of a page; a pass for members is for its domain only. */
const ADMITTED: Record<Exclude<Visibility, 'public'>, Record<'documents' | 'data', VisitorName[]>> = {
  password: { documents: ['a pass'], data: ['a pass', 'a token'] },
  ip: { documents: ['an allowed address'], data: ['an allowed address', 'a token'] },
  members: {
    documents: ['a pass', 'the session of a member'],
    data: ['a pass', 'the session of a member', 'a token'],
  },
};

/** What everyone else gets: the form, a redirect to the sign-in, or the same 404 as an unknown page. */
function refusalOf(visibility: Visibility, kind: 'documents' | 'data', visitor: VisitorName, host: string) {
  if (kind === 'data' || visibility === 'ip') return 404;
  if (visibility === 'password') return 403;
  return visitor === 'the session of a stranger' && host === APP ? 404 : 303;
}

/** The forms of a request that a copy could be served for. */
const FORMS: { name: string; method?: string; headers(etag: string): Record<string, string> }[] = [
  { name: 'GET', headers: () => ({}) },
  { name: 'HEAD', method: 'HEAD', headers: () => ({}) },
  { name: 'gzip', headers: () => ({ 'accept-encoding': 'gzip' }) },
  { name: 'br, if changed', headers: (etag) => ({ 'accept-encoding': 'br', 'if-none-match': etag }) },
  { name: 'if any', headers: () => ({ 'if-none-match': '*' }) },
];

function leaksOf({ body, headers }: Response): string[] {
  return SECRETS.filter((secret) => `${JSON.stringify(headers)} ${body}`.includes(secret));
}

const readEtag = async (web: WebProcess, address: Address) =>
  String((await send(web, address, { headers: newVisitor('2001:db8:3:') })).headers.etag ?? '"none"');

describe.each(['password', 'ip', 'members'] as const)(
  'a page that becomes visible by %s while copies are cached',
  (visibility) => {
    let page: SecretPage;
    let other: SecretPage;
    const etags = new Map<string, string>();

    beforeAll(async () => {
      [page, other] = [await addSecretPage(), await addSecretPage()];
      await story.api('PUT', `/status-pages/${other.slug}`, PRIVATE.password);
      for (const { web } of story.everywhere) {
        for (const address of [...page.documents, ...page.data]) {
          etags.set(JSON.stringify(address), await readEtag(web, address));
          // Compressed once, so that each variant is stored.
          for (const encoding of ['gzip', 'br']) {
            await send(web, address, {
              headers: { 'accept-encoding': encoding, ...newVisitor('2001:db8:4:') },
            });
          }
        }
      }
      await story.api('PUT', `/status-pages/${page.slug}`, PRIVATE[visibility]);
    }, 120_000);

    it.each(Object.keys(VISITORS) as VisitorName[])(
      'shows %s what it should, at every address and in every form, and nothing else',
      async (visitor) => {
        const wrong: unknown[] = [];
        for (const kind of ['documents', 'data'] as const) {
          for (const address of page[kind]) {
            // A session is not sent to the domain of a page, and a member has a pass only there.
            const isPointless = visitor === 'the session of a member' && address.host !== APP;
            const hasNoPass = visitor === 'a pass' && visibility === 'members' && address.host === APP;
            const isAdmitted = ADMITTED[visibility][kind].includes(visitor) && !isPointless && !hasNoPass;
            const credentials = await VISITORS[visitor](page, other, address);
            for (const { name, method, headers } of FORMS) {
              const sent = {
                ...newVisitor('2001:db8:5:'),
                ...credentials,
                ...headers(etags.get(JSON.stringify(address)) ?? ''),
              };
              const response = await send(story.named, address, { ...(method && { method }), headers: sent });
              const expected = isAdmitted ? 200 : refusalOf(visibility, kind, visitor, address.host);
              const isKept = !/no-store/.test(String(response.headers['cache-control']));
              const leaks = isAdmitted ? [] : leaksOf(response);
              if (response.status !== expected || isKept || leaks.length > 0) {
                wrong.push([
                  address,
                  name,
                  response.status,
                  expected,
                  response.headers['cache-control'],
                  leaks,
                ]);
              }
            }
          }
        }
        expect(wrong).toEqual([]);
      },
      180_000,
    );

    it('asks no search engine to list what it shows, and lets no site read what an address or a cookie opens', async () => {
      const admitted = ADMITTED[visibility].documents[0] ?? 'nobody';
      const host = visibility === 'members' ? page.onDomain('') : page.below('');
      const headers = { ...newVisitor('2001:db8:5:'), ...(await VISITORS[admitted](page, other, host)) };
      const shown = await send(story.named, host, { headers });
      expect(shown.body).toContain('Periscope');
      expect(shown.headers['x-robots-tag']).toBe('noindex, nofollow');
      const data = { ...host, path: `${host.path === '/' ? '' : host.path}/status.json` };
      const opened = await send(story.named, data, { headers });
      expect([opened.status, opened.headers['access-control-allow-origin']]).toEqual([200, undefined]);
      const token = { authorization: `Bearer ${page.token}` };
      const byToken = await send(story.named, data, { headers: { ...newVisitor('2001:db8:5:'), ...token } });
      expect([byToken.status, byToken.headers['access-control-allow-origin']]).toEqual([200, '*']);
    });

    it('disappears from every process at once, and indistinguishable from an unknown page without a credential', async () => {
      for (const { web, host } of story.everywhere) {
        const read = (slug: string) =>
          send(
            web,
            { host, path: `/api/status-pages/public?slug=${slug}` },
            { headers: newVisitor('2001:db8:6:') },
          );
        await expect.poll(async () => leaksOf(await read(page.slug)), { timeout: 1000 }).toEqual([]);
        const [hidden, unknown] = [await read(page.slug), await read('there-is-none')];
        const anonymous = ({ status, body, headers }: Response) => [
          status,
          body.replace(/"requestId":"[^"]+"/, ''),
          Object.keys(headers).toSorted(),
        ];
        expect(anonymous(hidden)).toEqual(anonymous(unknown));
      }
    });
  },
);

describe('access to a private page ends at once', () => {
  const read = (address: Address, headers: Record<string, string>) =>
    send(story.named, address, { headers: { ...newVisitor('2001:db8:7:'), ...headers } });

  it('with its token', async () => {
    const page = await addSecretPage();
    await story.api('PUT', `/status-pages/${page.slug}`, PRIVATE.password);
    const json = page.below('/status.json');
    const withToken = { ...json, path: `${json.path}?token=${page.token}` };
    expect((await read(withToken, {})).status).toBe(200);
    await story.api('DELETE', `/status-pages/${page.slug}/tokens/${page.tokenId}`);
    expect((await read(withToken, {})).status).toBe(404);
  });

  it('with a new password, and with another visibility', async () => {
    const page = await addSecretPage();
    await story.api('PUT', `/status-pages/${page.slug}`, PRIVATE.password);
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
    const page = await addSecretPage();
    await story.api('PUT', `/status-pages/${page.slug}`, PRIVATE.members);
    const toDomain = { host: APP, path: `/status/${page.slug}/access` };
    const { headers } = await read(toDomain, { cookie: sessions.member });
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
    expect((await read(page.below(''), { cookie: sessions.member })).status).toBe(404);
    if (membership) await db.membership.create({ data: membership });
  });
});

it('ten passwords a minute are compared for an address and page', async () => {
  const page = await addSecretPage();
  await story.api('PUT', `/status-pages/${page.slug}`, PRIVATE.password);
  const from = { 'x-forwarded-for': '203.0.113.77' };
  const attempt = (password: string) => enterPassword(story.named, page.below(''), password, from);
  for (let each = 0; each < 10; each++) expect((await attempt('wrong horse')).status).toBe(403);
  const refused = await attempt(PASSWORD);
  expect([refused.status, cookieOf(refused)]).toEqual([429, '']);
  expect((await enterPassword(story.named, page.below(''), PASSWORD)).status).toBe(303);
});

it('a password from the form of another site is not compared', async () => {
  const page = await addSecretPage();
  await story.api('PUT', `/status-pages/${page.slug}`, PRIVATE.password);
  const response = await enterPassword(story.named, page.below(''), PASSWORD, {
    'sec-fetch-site': 'cross-site',
  });
  expect([response.status, cookieOf(response)]).toEqual([403, '']);
});

it('without the database, those who were just admitted see the page, and others get 503', async () => {
  const page = await addSecretPage();
  await story.api('PUT', `/status-pages/${page.slug}`, PRIVATE.password);
  const cookie = cookieOf(await enterPassword(story.named, page.below(''), PASSWORD));
  const json = page.below('/status.json');
  const bearer = { authorization: `Bearer ${page.token}` };
  const visit = (address: Address, headers: Record<string, string>) =>
    send(story.named, address, { headers: { ...newVisitor('2001:db8:8:'), ...headers } });
  await visit(page.below(''), { cookie });
  await visit(json, bearer);
  await story.database.stop();
  try {
    const held = await visit(page.below(''), { cookie });
    expect([held.status, leaksOf(held)]).toEqual([200, SECRETS]);
    expect(held.headers['cache-control']).toBe('private, no-store');
    expect(held.body).toContain('class="pharos-stale"');
    expect((await visit(json, bearer)).status).toBe(200);
    for (const [address, headers] of [
      [page.below(''), {}],
      [page.below(''), bearer],
      [json, { authorization: `Bearer ${page.token.replace('ph_page_', 'ph_page_x')}` }],
      [page.onDomain(''), { cookie }],
      [page.below('/history'), { cookie }],
    ] as const) {
      const refused = await visit(address, headers);
      expect([address.path, refused.status, leaksOf(refused)]).toEqual([address.path, 503, []]);
    }
  } finally {
    await story.database.start();
  }
}, 120_000);
