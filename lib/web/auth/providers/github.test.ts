import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { useSharedDatabase } from '@/lib/testing/database';
import { type HttpListener, listenLocally } from '@/lib/testing/http-listener';
import { createGitHubProvider } from './github';
import { type AuthApp, startAuthApp } from './testing/auth-app';

const PROFILE = { id: 583_231, login: 'ada', name: 'Ada', email: 'published@example.com' };
const ADDRESSES = [
  { email: 'old@example.com', primary: false, verified: true, visibility: null },
  { email: 'Ada@Example.com', primary: true, verified: true, visibility: 'private' },
];

const database = useSharedDatabase();
let app: AuthApp;
let github: HttpListener;
let profile: object;
let addresses: unknown;
let status: number;
let exchanges: URLSearchParams[];

/** What https://docs.github.com/apps/oauth-apps and https://docs.github.com/rest/users document. */
beforeAll(async () => {
  const server = createServer(async (request, response) => {
    const send = (code: number, body: unknown) =>
      response
        .writeHead(code, { 'content-type': 'application/json; charset=utf-8' })
        .end(JSON.stringify(body));
    const body = await text(request);
    if (request.url === '/login/oauth/access_token') {
      exchanges.push(new URLSearchParams(body));
      const isKnown = exchanges.at(-1)?.get('code') === 'code';
      // Errors have the status 200, too.
      return send(
        200,
        isKnown
          ? { access_token: 'gho_token', scope: 'read:user,user:email', token_type: 'bearer' }
          : { error: 'bad_verification_code', error_description: 'The code passed is incorrect or expired.' },
      );
    }
    if (request.headers.authorization !== 'Bearer gho_token')
      return send(401, { message: 'Bad credentials' });
    if (request.url === '/user') return send(200, profile);
    return send(status, addresses);
  });
  github = await listenLocally(server);
  const settings = { clientId: 'pharos', clientSecret: 'secret', vouchesForDomains: false };
  const provider = createGitHubProvider({ ...settings, url: github.url, apiUrl: github.url });
  app = await startAuthApp(database.db, () => [provider]);
});

afterAll(() => Promise.all([app.close(), github.close()]));

beforeEach(() => {
  app.proven.length = 0;
  [profile, addresses, status, exchanges] = [PROFILE, ADDRESSES, 200, []];
});

async function signIn(changes: Record<string, string> = {}) {
  const browser = app.openBrowser();
  const request = await browser.begin('github');
  const back = new URL(request.searchParams.get('redirect_uri') ?? '');
  const state = request.searchParams.get('state') ?? '';
  back.search = String(new URLSearchParams({ code: 'code', state, ...changes }));
  return { request, ...(await browser.visit(back)) };
}

describe('a sign-in with GitHub', () => {
  it('takes the primary address from its own endpoint, not the published one, and the number as ID', async () => {
    const { request, location } = await signIn();
    expect(location).toBe('/done');
    expect(request.pathname).toBe('/login/oauth/authorize');
    expect(request.searchParams.get('scope')).toBe('read:user user:email');
    expect(app.proven).toEqual([
      {
        providerName: 'GitHub',
        issuer: github.url,
        subject: '583231',
        email: 'ada@example.com',
        isVerified: true,
        name: 'Ada',
        role: null,
        vouchesForDomains: false,
      },
    ]);
    expect(exchanges[0]?.get('code_verifier')).toMatch(/^[\w-]{43}$/);
  });

  it.each([
    ['is not verified', [{ email: 'ada@example.com', primary: true, verified: false }], 'ada@example.com'],
    ['does not exist', [{ email: 'old@example.com', primary: false, verified: true }], null],
  ])('has no verified address if the primary one %s', async (_, found, email) => {
    addresses = found;
    await signIn();
    expect(app.proven).toMatchObject([{ email, isVerified: false }]);
  });

  it('has the login as name without another', async () => {
    profile = { ...PROFILE, name: null };
    await signIn();
    expect(app.proven).toMatchObject([{ name: 'ada' }]);
  });

  it.each([
    ['GitHub sends no addresses', 404, { message: 'Not Found' }],
    ['GitHub fails', 502, {}],
    ['the addresses are something else', 200, { email: 'ada@example.com', primary: true, verified: true }],
  ])('fails if %s', async (_, code, body) => {
    [status, addresses] = [code, body];
    expect(await signIn()).toMatchObject({ failure: 'unavailable' });
    expect(app.proven).toEqual([]);
  });

  it('fails with a code or a state that is not ours', async () => {
    expect(await signIn({ code: 'other' })).toMatchObject({ failure: 'expired' });
    expect(await signIn({ state: 'other' })).toMatchObject({ failure: 'expired' });
    expect(app.proven).toEqual([]);
  });
});
