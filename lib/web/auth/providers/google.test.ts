import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
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
    GOOGLE_CLIENT_ID: 'pharos',
    GOOGLE_CLIENT_SECRET: 'secret',
  });
  const providers = createProviders(environment, { googleIssuer: issuer.url });
  app = await startAuthApp(database.db, () => providers);
});

afterAll(() => Promise.all([app.close(), issuer.close()]));

beforeEach(() => {
  app.proven.length = 0;
});

const signInWith = async (misconduct: Misconduct) => {
  const browser = app.openBrowser();
  const request = await browser.begin('google');
  issuer.behave(misconduct);
  return browser.visit(issuer.authorize(request));
};

it.each([
  ['of Gmail', { email: 'ada@gmail.com', email_verified: true }, true],
  ['of Workspace', { email: 'ada@example.com', email_verified: true, hd: 'example.com' }, true],
  [
    'of an account that was made with an address elsewhere',
    { email: 'ada@example.com', email_verified: true },
    false,
  ],
])('a sign-in with Google, with an address %s, proves who it is', async (_, claims, isVerified) => {
  expect(await signInWith({ claims })).toMatchObject({ location: '/done', failure: null });
  const { email } = claims;
  expect(app.proven).toMatchObject([{ providerName: 'Google', email, isVerified, role: null }]);
});

it('a token of another issuer, or with another nonce, is refused', async () => {
  for (const claims of [{ iss: 'https://evil.example.com' }, { nonce: 'x'.repeat(43) }]) {
    expect(await signInWith({ claims })).toMatchObject({ failure: 'rejected' });
  }
  expect(app.proven).toEqual([]);
});
