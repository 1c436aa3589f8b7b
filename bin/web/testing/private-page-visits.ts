import pMap from 'p-map';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Visibility } from '@/lib/schemas/status-pages/visibility';
import {
  type Address,
  addSecretPage,
  cookieOf,
  enterPassword,
  leaksOf,
  makePrivate,
  newVisitor,
  PASSWORD,
  passOnDomain,
  type Response,
  type SecretPage,
  send,
  signIn,
} from './private-page-story';
import { APP, type TwoProcesses } from './two-processes';
import type { WebProcess } from './web-process';

/** Two processes, and the cookies of those who are signed in. Filled before the first test. */
export type PrivateSetting = { story: TwoProcesses; sessions: Record<'member' | 'stranger', string> };

/** What both processes of a `PrivateSetting` are started with. */
export const PRIVATE_PAGE_SETTINGS = {
  TRUSTED_PROXIES: '127.0.0.1',
  CUSTOM_DOMAIN_VERIFY: 'off',
  // Emails are queued, and no worker sends them.
  SMTP_URL: 'smtp://127.0.0.1:9',
};

/** The setting of two processes that have started. */
export async function signInBoth(story: TwoProcesses): Promise<PrivateSetting> {
  return {
    story,
    sessions: { member: await signIn(story, 'member'), stranger: await signIn(story, 'stranger') },
  };
}

/** Who visits, by the headers that they send to an address of a page. */
const VISITORS = {
  nobody: async () => ({}),
  'a broken pass': async () => ({ cookie: 'pharos.page=AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA' }),
  'a token': async ({ token }: SecretPage) => ({ authorization: `Bearer ${token}` }),
  'the token of another page': async (_: SecretPage, other: SecretPage) => ({
    authorization: `Bearer ${other.token}`,
  }),
  'a pass': async (page: SecretPage, _: SecretPage, { host }: Address, setting: PrivateSetting) => ({
    cookie: await getPassOnce(setting, page, host),
  }),
  'a pass for another page': async (
    _: SecretPage,
    other: SecretPage,
    __: Address,
    setting: PrivateSetting,
  ) => ({
    cookie: await getPassOnce(setting, other, APP),
  }),
  'the session of a member': async (
    _: SecretPage,
    __: SecretPage,
    ___: Address,
    { sessions }: PrivateSetting,
  ) => ({
    cookie: sessions.member,
  }),
  'the session of a stranger': async (
    _: SecretPage,
    __: SecretPage,
    ___: Address,
    { sessions }: PrivateSetting,
  ) => ({ cookie: sessions.stranger }),
  'an allowed address': async () => newVisitor('2001:db8:a:'),
} satisfies Record<
  string,
  (
    page: SecretPage,
    other: SecretPage,
    address: Address,
    setting: PrivateSetting,
  ) => Promise<Record<string, string>>
>;

type VisitorName = keyof typeof VISITORS;

const passes = new Map<string, Promise<string>>();

function getPassOnce(setting: PrivateSetting, page: SecretPage, host: string): Promise<string> {
  const key = `${page.slug} ${host}`;
  const pass = passes.get(key) ?? getPass(setting, page, host);
  passes.set(key, pass);
  return pass;
}

/** The pass of a visitor who knows the password, or is a member; none if the page gives none. */
async function getPass({ story, sessions }: PrivateSetting, page: SecretPage, host: string): Promise<string> {
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

/** How many requests are sent at a time. */
const CONCURRENCY = 8;

/** The forms of a request that a copy could be served for. */
const FORMS: { name: string; method?: string; headers(etag: string): Record<string, string> }[] = [
  { name: 'GET', headers: () => ({}) },
  { name: 'HEAD', method: 'HEAD', headers: () => ({}) },
  { name: 'gzip', headers: () => ({ 'accept-encoding': 'gzip' }) },
  { name: 'br, if changed', headers: (etag) => ({ 'accept-encoding': 'br', 'if-none-match': etag }) },
  { name: 'if any', headers: () => ({ 'if-none-match': '*' }) },
];

/**
 * What visitors request: everything in every form; or nobody each address in one form in turn, and the others every fourth address,
 * another than the next visitor.
 */
export type Extent = 'everything' | 'in turn';

/** The forms in which a visitor requests an address. */
function formsOf(extent: Extent, visitor: VisitorName, addressIndex: number) {
  if (extent === 'everything') return FORMS;
  const turn = addressIndex + Object.keys(VISITORS).indexOf(visitor);
  if (visitor !== 'nobody' && turn % 4 !== 0) return [];
  return FORMS.filter((_, index) => index === turn % FORMS.length);
}

const readEtag = async (web: WebProcess, address: Address) =>
  String((await send(web, address, { headers: newVisitor('2001:db8:3:') })).headers.etag ?? '"none"');

type Pages = { page: SecretPage; other: SecretPage; etags: Map<string, string> };

/** Tests who sees a page that becomes visible by `visibility` while copies are cached. */
export function describeVisits(
  setting: PrivateSetting,
  visibility: Exclude<Visibility, 'public'>,
  extent: Extent,
): void {
  describe(`a page that becomes visible by ${visibility} while copies are cached`, () => {
    const pages = {} as Pages;
    beforeAll(async () => {
      const [page, other] = [await addSecretPage(setting.story), await addSecretPage(setting.story)];
      const etags = new Map<string, string>();
      Object.assign(pages, { page, other, etags });
      await makePrivate(setting.story, other, 'password');
      // All visitors here request the one with a name.
      const { everywhere, named } = setting.story;
      for (const web of extent === 'everything' ? everywhere.map((each) => each.web) : [named]) {
        for (const [index, address] of [...page.documents, ...page.data].entries()) {
          etags.set(JSON.stringify(address), await readEtag(web, address));
          // Compressed once, so that each variant is stored.
          const encodings = ['gzip', 'br'].filter((_, turn) => extent === 'everything' || index % 2 === turn);
          for (const encoding of encodings) {
            const headers = { 'accept-encoding': encoding, ...newVisitor('2001:db8:4:') };
            await send(web, address, { headers });
          }
        }
      }
      await makePrivate(setting.story, page, visibility);
    });
    testVisits(setting, pages, visibility, extent);
    testHeaders(setting, pages, visibility);
  });
}

function testVisits(
  setting: PrivateSetting,
  pages: Pages,
  visibility: Exclude<Visibility, 'public'>,
  extent: Extent,
): void {
  it.each(Object.keys(VISITORS) as VisitorName[])(
    'shows %s what it should, at every address, and nothing else',
    async (visitor) => {
      const { page, other, etags } = pages;
      const requests = (['documents', 'data'] as const).flatMap((kind) =>
        page[kind].flatMap((address, index) =>
          formsOf(extent, visitor, index).map((form) => ({ kind, address, form })),
        ),
      );
      const findFaults = async ({ kind, address, form }: (typeof requests)[number]) => {
        // A session is not sent to the domain of a page, and a member has a pass only there.
        const isPointless = visitor === 'the session of a member' && address.host !== APP;
        const hasNoPass = visitor === 'a pass' && visibility === 'members' && address.host === APP;
        const isAdmitted = ADMITTED[visibility][kind].includes(visitor) && !isPointless && !hasNoPass;
        const headers = {
          ...newVisitor('2001:db8:5:'),
          ...(await VISITORS[visitor](page, other, address, setting)),
          ...form.headers(etags.get(JSON.stringify(address)) ?? ''),
        };
        const response = await send(setting.story.named, address, { ...form, headers });
        const expected = isAdmitted ? 200 : refusalOf(visibility, kind, visitor, address.host);
        const cacheControl = String(response.headers['cache-control']);
        const leaks = isAdmitted ? [] : leaksOf(response);
        if (response.status === expected && /no-store/.test(cacheControl) && leaks.length === 0) return [];
        return [[address, form.name, response.status, expected, cacheControl, leaks]];
      };
      expect((await pMap(requests, findFaults, { concurrency: CONCURRENCY })).flat()).toEqual([]);
    },
  );

  it('is in every process indistinguishable from an unknown page without a credential', async () => {
    const { page } = pages;
    for (const { web, host } of setting.story.everywhere) {
      const read = (slug: string) =>
        send(
          web,
          { host, path: `/api/status-pages/public?slug=${slug}` },
          { headers: newVisitor('2001:db8:6:') },
        );
      const [hidden, unknown] = [await read(page.slug), await read('there-is-none')];
      const anonymous = ({ status, body, headers }: Response) => [
        status,
        body.replace(/"requestId":"[^"]+"/, ''),
        Object.keys(headers).toSorted(),
      ];
      expect(anonymous(hidden)).toEqual(anonymous(unknown));
    }
  });
}

function testHeaders(setting: PrivateSetting, pages: Pages, visibility: Exclude<Visibility, 'public'>): void {
  it('asks no search engine to list what it shows, and lets no site read what an address or a cookie opens', async () => {
    const { page, other } = pages;
    const admitted = ADMITTED[visibility].documents[0] ?? 'nobody';
    const host = visibility === 'members' ? page.onDomain('') : page.below('');
    const headers = {
      ...newVisitor('2001:db8:5:'),
      ...(await VISITORS[admitted](page, other, host, setting)),
    };
    const shown = await send(setting.story.named, host, { headers });
    expect(shown.body).toContain('Periscope');
    expect(shown.headers['x-robots-tag']).toBe('noindex, nofollow');
    const data = { ...host, path: `${host.path === '/' ? '' : host.path}/status.json` };
    const opened = await send(setting.story.named, data, { headers });
    expect([opened.status, opened.headers['access-control-allow-origin']]).toEqual([200, undefined]);
    const token = { authorization: `Bearer ${page.token}` };
    const byToken = await send(setting.story.named, data, {
      headers: { ...newVisitor('2001:db8:5:'), ...token },
    });
    expect([byToken.status, byToken.headers['access-control-allow-origin']]).toEqual([200, '*']);
  });
}
