import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import type { Page } from '@playwright/test';
import Provider from 'oidc-provider';
import { type HttpListener, listenLocally } from '@/lib/testing/http-listener';

/** What the provider knows of a person, by the name they sign in with there. */
export type Person = { email: string; email_verified: boolean; name?: string; groups?: string[] };

/** A real OpenID Connect provider on this machine. Its page asks for a name, and accepts any password. */
export type IdentityProvider = HttpListener & {
  people: Map<string, Person>;
  /** The variables of a service that uses it. */
  env: Record<string, string>;
};

/** Starts one for the service at `appUrl`. */
export async function startIdentityProvider(appUrl: string): Promise<IdentityProvider> {
  const people = new Map<string, Person>();
  const client = { client_id: 'pharos', client_secret: 'a secret of the client' };
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const server = createServer((request, response) => handle(request, response));
  const listener = await listenLocally(server);
  const provider = new Provider(listener.url, {
    clients: [{ ...client, redirect_uris: [`${appUrl}/api/auth/callback/oidc`] }],
    claims: { email: ['email', 'email_verified'], profile: ['name', 'groups'] },
    findAccount: (_, accountId) => ({
      accountId,
      claims: () => ({ sub: accountId, ...people.get(accountId) }),
    }),
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'key', use: 'sig', alg: 'RS256' }] },
    cookies: { keys: ['keys of cookies in tests'] },
    pkce: { required: () => true },
  });
  const handle = provider.callback();
  return {
    ...listener,
    people,
    env: {
      OIDC_ISSUER: listener.url,
      OIDC_CLIENT_ID: client.client_id,
      OIDC_CLIENT_SECRET: client.client_secret,
      OIDC_NAME: 'Acme ID',
    },
  };
}

/** The page of the provider: who they are there, and that the service may know it. */
export async function signInAtProvider(page: Page, name: string): Promise<void> {
  await page.getByPlaceholder('Enter any login').fill(name);
  await page.getByPlaceholder('and password').fill('anything');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
}
