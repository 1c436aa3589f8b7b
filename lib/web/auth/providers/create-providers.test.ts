import { describe, expect, it } from 'vitest';
import { parseEnvironment } from '@/lib/env';
import { createProviders, isVerifiedByGoogle } from './create-providers';

const APP_URL = 'https://pharos.example.com';
const OIDC = {
  OIDC_ISSUER: 'https://sso.example.com',
  OIDC_CLIENT_ID: 'a',
  OIDC_CLIENT_SECRET: 'b',
  OIDC_NAME: 'Acme ID',
  APP_URL,
};
const GITHUB = { GITHUB_CLIENT_ID: 'a', GITHUB_CLIENT_SECRET: 'b', APP_URL };
const GOOGLE = { GOOGLE_CLIENT_ID: 'a', GOOGLE_CLIENT_SECRET: 'b', APP_URL };

describe('providers', () => {
  it.each([
    [{}, []],
    [OIDC, ['Acme ID']],
    [{ ...GITHUB, ...GOOGLE }, ['Google', 'GitHub']],
    [{ ...GITHUB, ...GOOGLE, ...OIDC }, ['Acme ID', 'Google', 'GitHub']],
  ])('of %j are %j', (settings, names) => {
    expect(createProviders(parseEnvironment(settings)).map(({ name }) => name)).toEqual(names);
  });

  it.each([
    [{ ...GOOGLE, ...GITHUB }, [true, true]],
    [{ ...OIDC, ...GOOGLE, ...GITHUB }, [true, false, false]],
  ])('of %j vouch for the allowed domains: %j', async (settings, expected) => {
    const users = createProviders(parseEnvironment(settings)).map(({ config }) =>
      config.profile({ sub: 'ada', id: 1, email: 'ada@example.com' }, {}),
    );
    expect(await Promise.all(users)).toMatchObject(
      expected.map((vouchesForDomains) => ({ identity: { vouchesForDomains } })),
    );
  });

  // https://developers.google.com/identity/gsi/web/guides/verify-google-id-token
  it.each([
    [{ email: 'ada@gmail.com', email_verified: true }, true],
    [{ email: 'ada@example.com', email_verified: true, hd: 'example.com' }, true],
    [{ email: 'ada@example.com', email_verified: true }, false],
    [{ email: 'ada@example.com', email_verified: false, hd: 'example.com' }, false],
    [{ email: 'ada@gmail.com' }, false],
    [{ email: 'ada@gmail.com.example.com', email_verified: true }, false],
  ])('of Google, %j is verified: %s', (claims, isVerified) => {
    expect(isVerifiedByGoogle(claims)).toBe(isVerified);
  });
});
