import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import type { NextApiRequest, NextApiResponse } from 'next';
import NextAuth from 'next-auth';
import { createLogger } from '@/lib/core/logger';
import type { ProvenIdentity } from '@/lib/domain/members/identities/identity';
import { setForLibraries } from '@/lib/env';
import type { Database } from '@/lib/platform/db/client';
import { type HttpListener, listenLocally } from '@/lib/testing/http-listener';
import { createTestServices } from '@/lib/testing/services';
import { createAuthOptions } from '../../sign-in';
import type { Provider } from '../provider';
import { createAuthLogger, type SignInFailure, withFailure } from '../sign-in-failures';

/** What became of a request to next-auth. */
type Outcome = { location: string; failure: SignInFailure | null };

/** next-auth with providers, over HTTP on this machine; signing in ends at `/done`. */
export type AuthApp = HttpListener & {
  /** The accounts that providers have proven. */
  proven: ProvenIdentity[];
  /** A browser with its own cookies. */
  openBrowser(): Browser;
};

export type Browser = {
  /** Chooses a provider, and returns where next-auth sends the browser. */
  begin(providerId: string): Promise<URL>;
  /** Follows a redirect back to next-auth. */
  visit(url: URL): Promise<Outcome>;
};

/** Starts it. Only `db` of the services is used. */
export async function startAuthApp(db: Database, providers: () => readonly Provider[]): Promise<AuthApp> {
  const proven: ProvenIdentity[] = [];
  const failures = new Map<string, SignInFailure | null>();
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://app');
    const cookies = (request.headers.cookie ?? '').split('; ').map((pair) => pair.split(/=(.*)/s));
    const forNext = Object.assign(request, {
      query: { ...Object.fromEntries(searchParams), nextauth: pathname.split('/').slice(3) },
      cookies: Object.fromEntries(
        cookies.map(([name = '', value = '']) => [name, decodeURIComponent(value)]),
      ),
      body: Object.fromEntries(new URLSearchParams(await text(request))),
    });
    const forNextResponse = Object.assign(response, {
      status: (code: number) => Object.assign(response, { statusCode: code }),
      json: (body: unknown) => response.end(JSON.stringify(body)),
      send: (body: unknown) => response.end(typeof body === 'string' ? body : JSON.stringify(body)),
    });
    const options = createAuthOptions({
      services: createTestServices({ db }),
      isSecure: false,
      signIn: () => Promise.reject(new Error('no passwords here')),
      providers: providers(),
      signInByProvider: async (identity) => {
        proven.push(identity);
        return '/done';
      },
      logger: createAuthLogger(createLogger('silent', 'test')),
    });
    // What Next adds to Node's objects and next-auth uses is there.
    const handle = () =>
      NextAuth(forNext as unknown as NextApiRequest, forNextResponse as unknown as NextApiResponse, options);
    const key = String(request.headers['x-request'] ?? '');
    const { failure } = await withFailure(async () => handle());
    failures.set(key, failure);
  });
  const listener = await listenLocally(server);
  setForLibraries({ NEXTAUTH_URL: listener.url });
  return { ...listener, proven, openBrowser: () => openBrowser(listener.url, failures) };
}

function openBrowser(url: string, failures: Map<string, SignInFailure | null>): Browser {
  const jar = new Map<string, string>();
  let count = 0;
  const send = async (target: string | URL, init: RequestInit = {}) => {
    const key = `${Math.random()} ${count++}`;
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { ...init.headers, cookie, 'x-request': key };
    const response = await fetch(target, { ...init, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') jar.delete(name);
      else jar.set(name, value);
    }
    return { response, key };
  };
  return {
    begin: async (providerId) => {
      const { csrfToken } = await (await send(`${url}/api/auth/csrf`)).response.json();
      const body = new URLSearchParams({ csrfToken, callbackUrl: '/monitors' });
      const { response } = await send(`${url}/api/auth/signin/${providerId}`, { method: 'POST', body });
      return new URL(response.headers.get('location') ?? '', url);
    },
    visit: async (target) => {
      const { response, key } = await send(target);
      await response.text();
      return { location: response.headers.get('location') ?? '', failure: failures.get(key) ?? null };
    },
  };
}
