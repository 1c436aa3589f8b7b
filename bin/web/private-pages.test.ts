import pMap from 'p-map';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
});
afterAll(() => story?.stop());

/** Who visits, by the headers that they send to an address of a page. */
const VISITORS = {
  nobody: async () => ({}),
  'a broken pass': async () => ({ cookie: 'pharos.page=AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA' }),
  'a token': async ({ token }: SecretPage) => ({ authorization: `Bearer ${token}` }),
  'the token of another page': async (_: SecretPage, other: SecretPage) => ({
    authorization: `Bearer ${other.token}`,
  }),
  'a pass': async (page: SecretPage, _: SecretPage, { host }: Address) => ({
    cookie: await getPassOnce(page, host),
  }),
  'a pass for another page': async (_: SecretPage, other: SecretPage) => ({
    cookie: await getPassOnce(other, APP),
  }),
  'the session of a member': async () => ({ cookie: sessions.member }),
  'the session of a stranger': async () => ({ cookie: sessions.stranger }),
  'an allowed address': async () => newVisitor('2001:db8:a:'),
} satisfies Record<
  string,
  (page: SecretPage, other: SecretPage, address: Address) => Promise<Record<string, string>>
>;

type VisitorName = keyof typeof VISITORS;

const passes = new Map<string, Promise<string>>();

function getPassOnce(page: SecretPage, host: string): Promise<string> {
  const key = `${page.slug} ${host}`;
  const pass = passes.get(key) ?? getPass(page, host);
  passes.set(key, pass);
  return pass;
}

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

/** How many requests are sent at a time. */
const CONCURRENCY = 8;

/**
 * `VITE_EVERY_FORM=1 npx vitest run bin/web/private-pages.test.ts` sends the requests of all visitors in every form. Otherwise only
 * nobody does; the others request each address in one form, another than the next visitor, and another at the next address.
 */
const { VITE_EVERY_FORM } =
  (import.meta as ImportMeta & { env?: Record<string, string | undefined> }).env ?? {};

/** The forms of a request that a copy could be served for. */
const FORMS: { name: string; method?: string; headers(etag: string): Record<string, string> }[] = [
  { name: 'GET', headers: () => ({}) },
  { name: 'HEAD', method: 'HEAD', headers: () => ({}) },
  { name: 'gzip', headers: () => ({ 'accept-encoding': 'gzip' }) },
  { name: 'br, if changed', headers: (etag) => ({ 'accept-encoding': 'br', 'if-none-match': etag }) },
  { name: 'if any', headers: () => ({ 'if-none-match': '*' }) },
];

/** The forms in which a visitor requests an address. */
function formsOf(visitor: VisitorName, addressIndex: number) {
  if (VITE_EVERY_FORM || visitor === 'nobody') return FORMS;
  const turn = addressIndex + Object.keys(VISITORS).indexOf(visitor);
  return FORMS.filter((_, index) => index === turn % FORMS.length);
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
      [page, other] = [await addSecretPage(story), await addSecretPage(story)];
      await makePrivate(story, other, 'password');
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
      await makePrivate(story, page, visibility);
    });

    it.each(Object.keys(VISITORS) as VisitorName[])(
      'shows %s what it should, at every address, and nothing else',
      async (visitor) => {
        const requests = (['documents', 'data'] as const).flatMap((kind) =>
          page[kind].flatMap((address, index) =>
            formsOf(visitor, index).map((form) => ({ kind, address, form })),
          ),
        );
        const findFaults = async ({ kind, address, form }: (typeof requests)[number]) => {
          // A session is not sent to the domain of a page, and a member has a pass only there.
          const isPointless = visitor === 'the session of a member' && address.host !== APP;
          const hasNoPass = visitor === 'a pass' && visibility === 'members' && address.host === APP;
          const isAdmitted = ADMITTED[visibility][kind].includes(visitor) && !isPointless && !hasNoPass;
          const headers = {
            ...newVisitor('2001:db8:5:'),
            ...(await VISITORS[visitor](page, other, address)),
            ...form.headers(etags.get(JSON.stringify(address)) ?? ''),
          };
          const response = await send(story.named, address, { ...form, headers });
          const expected = isAdmitted ? 200 : refusalOf(visibility, kind, visitor, address.host);
          const cacheControl = String(response.headers['cache-control']);
          const leaks = isAdmitted ? [] : leaksOf(response);
          if (response.status === expected && /no-store/.test(cacheControl) && leaks.length === 0) return [];
          return [[address, form.name, response.status, expected, cacheControl, leaks]];
        };
        expect((await pMap(requests, findFaults, { concurrency: CONCURRENCY })).flat()).toEqual([]);
      },
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

    it('is in every process indistinguishable from an unknown page without a credential', async () => {
      for (const { web, host } of story.everywhere) {
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
  },
);
