import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parseEnvironment } from '@/lib/env';
import { useSharedDatabase } from '@/lib/testing/database';
import { createProviders } from './create-providers';
import { type AuthApp, startAuthApp } from './testing/auth-app';
import { type Issuer, type Misconduct, startIssuer } from './testing/issuer';

const database = useSharedDatabase();
let issuer: Issuer;
let app: AuthApp;

beforeAll(async () => {
  issuer = await startIssuer('pharos');
  const environment = parseEnvironment({
    APP_URL: 'https://pharos.example.com',
    OIDC_ISSUER: issuer.url,
    OIDC_CLIENT_ID: 'pharos',
    OIDC_CLIENT_SECRET: 'secret',
    OIDC_NAME: 'Acme',
    OIDC_ROLES: 'admins:admin',
    OIDC_ORGANIZATION: 'Acme',
  });
  const providers = createProviders(environment);
  app = await startAuthApp(database.db, () => providers);
});

afterAll(() => Promise.all([app.close(), issuer.close()]));

beforeEach(() => {
  issuer.behave();
  issuer.requests.length = 0;
  app.proven.length = 0;
});

/** Signs in in a new browser; the issuer misbehaves from the moment at which it is asked for tokens. */
async function signIn(misconduct: Misconduct = {}) {
  const browser = app.openBrowser();
  const request = await browser.begin('oidc');
  issuer.behave(misconduct);
  const back = issuer.authorize(request);
  const outcome = await browser.visit(back);
  return { browser, back, ...outcome };
}

describe('a sign-in with OpenID Connect', () => {
  it('asks with state, nonce and PKCE, and ends with what the issuer has proven', async () => {
    const request = await app.openBrowser().begin('oidc');
    expect(request.origin + request.pathname).toBe(`${issuer.url}/authorize`);
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(request.searchParams.get(name)).toMatch(/^[\w-]{43}$/);
    }
    expect(request.searchParams.get('scope')).toBe('openid email profile');

    const userinfo = { email: 'Ada@Example.com', email_verified: true, name: 'Ada', groups: ['admins'] };
    expect(await signIn({ userinfo })).toMatchObject({ location: '/done', failure: null });
    expect(app.proven).toEqual([
      {
        providerName: 'Acme',
        issuer: issuer.url,
        subject: 'ada',
        email: 'ada@example.com',
        isVerified: true,
        name: 'Ada',
        role: 'admin',
        vouchesForDomains: true,
      },
    ]);
  });

  it.each([
    [{ email_verified: true }, true],
    [{ email_verified: 'true' }, true],
    [{ email_verified: false }, false],
    [{ email_verified: 'false' }, false],
    [{}, false],
    [{ xms_edov: true }, true],
    [{ xms_edov: '1' }, true],
    [{ email_verified: false, xms_edov: true }, false],
  ])('with %j has an address that is verified: %s', async (claims, isVerified) => {
    await signIn({ claims });
    expect(app.proven).toMatchObject([{ isVerified }]);
  });

  it('believes signed claims more than others', async () => {
    await signIn({
      claims: { email_verified: false, groups: [] },
      userinfo: { email_verified: true, groups: ['admins'] },
    });
    expect(app.proven).toMatchObject([{ isVerified: false, role: null }]);
  });

  it.each([
    ['no address', { email: undefined }],
    ['an address that is none', { email: 'ada' }],
    ['several addresses', { email: ['ada@example.com'] }],
  ])('with %s has none', async (_, userinfo) => {
    await signIn({ userinfo });
    expect(app.proven).toMatchObject([{ email: null }]);
  });
});

describe('a response that was tampered with is refused', () => {
  const now = () => Math.floor(Date.now() / 1000);

  it.each<[string, () => Misconduct, string]>([
    ['another nonce', () => ({ claims: { nonce: 'x'.repeat(43) } }), 'rejected'],
    ['no nonce', () => ({ claims: { nonce: undefined } }), 'rejected'],
    ['another issuer in the token', () => ({ claims: { iss: 'https://evil.example.com' } }), 'rejected'],
    [
      'another issuer in the metadata',
      () => ({ metadata: { issuer: 'https://evil.example.com' } }),
      'rejected',
    ],
    ['another audience', () => ({ claims: { aud: 'other' } }), 'rejected'],
    ['another key', () => ({ hasForeignKey: true }), 'rejected'],
    ['user info of somebody else', () => ({ userinfo: { sub: 'bob' } }), 'rejected'],
    ['a clock 10 minutes ahead', () => ({ claims: { iat: now() + 600, exp: now() + 4200 } }), 'clock'],
    ['a clock 10 minutes behind', () => ({ claims: { iat: now() - 600, exp: now() + 3000 } }), 'clock'],
    [
      'a clock 10 minutes behind, and short tokens',
      () => ({ claims: { iat: now() - 600, exp: now() - 300 } }),
      'clock',
    ],
    ['a token not valid yet', () => ({ claims: { nbf: now() + 600 } }), 'clock'],
  ])('%s', async (_, misconduct, failure) => {
    expect(await signIn(misconduct())).toMatchObject({ failure });
    expect(app.proven).toEqual([]);
  });

  it('and the client secret is not sent to another issuer', async () => {
    await signIn({ metadata: { issuer: 'https://evil.example.com' } });
    expect(issuer.requests).not.toContain('/token');
  });

  it('a replayed callback, in the same and in another browser', async () => {
    const { browser, back, failure } = await signIn();
    expect(failure).toBeNull();
    expect(await browser.visit(back)).toMatchObject({ failure: 'expired' });
    expect(await app.openBrowser().visit(back)).toMatchObject({ failure: 'expired' });
    expect(app.proven).toHaveLength(1);
  });

  it('a code that was used before', async () => {
    const { back } = await signIn();
    const browser = app.openBrowser();
    const request = await browser.begin('oidc');
    back.searchParams.set('state', request.searchParams.get('state') ?? '');
    expect(await browser.visit(back)).toMatchObject({ failure: 'expired' });
    expect(app.proven).toHaveLength(1);
  });

  it('the callback of a sign-in that another browser began', async () => {
    const [victim, attacker] = [app.openBrowser(), app.openBrowser()];
    await victim.begin('oidc');
    const back = issuer.authorize(await attacker.begin('oidc'));
    expect(await victim.visit(back)).toMatchObject({ failure: 'expired' });
    expect(app.proven).toEqual([]);
  });

  it('a person who canceled', async () => {
    const browser = app.openBrowser();
    const back = issuer.authorize(await browser.begin('oidc'));
    back.searchParams.delete('code');
    back.searchParams.set('error', 'access_denied');
    expect(await browser.visit(back)).toMatchObject({ failure: 'canceled' });
  });
});

describe('an issuer that', () => {
  it.each<[string, Misconduct['outage']]>([
    ['fails at discovery', { path: '/.well-known/openid-configuration', as: 503 }],
    ['fails at the exchange', { path: '/token', as: 500 }],
    ['does not publish its keys', { path: '/jwks', as: 503 }],
    ['never responds', { path: '/token', as: 'silence' }],
    ['sends without end', { path: '/token', as: 'flood' }],
  ])('%s is unavailable', async (_, outage) => {
    expect(await signIn({ outage })).toMatchObject({ failure: 'unavailable' });
  });

  it('is down cannot be continued at', async () => {
    issuer.behave({ outage: { path: '/.well-known/openid-configuration', as: 503 } });
    const { searchParams } = await app.openBrowser().begin('oidc');
    expect(searchParams.get('error')).toBe('OAuthSignin');
  });
});
