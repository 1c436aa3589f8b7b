import { describe, expect, it } from 'vitest';
import { findClosedPort, serveHttp } from '@/lib/platform/net/testing/servers';
import type { Authentication } from '@/lib/schemas/monitor/authentication-parts';
import type { ProbeTarget } from '@/lib/schemas/monitor/fields';
import { probe } from '../probe';
import { serveDigest, serveOauth } from '../testing/authenticating-servers';
import { createTarget, openEnvironment } from '../testing/target';

const ANN = { username: 'ann', password: 'ä:"ö"' };
const CLIENT = { id: 'pharos client', secret: 'top+secret%' };

const env = { ...openEnvironment, evidenceOf: 'any' } as const;

const check = (url: string, authentication: Authentication, changes: Partial<ProbeTarget> = {}) =>
  probe(createTarget('http', url, { authentication, ...changes }), env);

/** A server that notes the Authorization of each request, and redirects those to /from. */
async function serveNoting(location = '/to') {
  const seen: (string | undefined)[] = [];
  const server = await serveHttp(({ url, headers }, response) => {
    seen.push(headers.authorization);
    if (url === '/from') response.writeHead(302, { location }).end();
    else response.writeHead(headers.authorization === undefined ? 401 : 200).end();
  });
  return { ...server, seen };
}

const oauthOf = (tokenUrl: string, changes: Partial<Extract<Authentication, { method: 'oauth2' }>> = {}) => ({
  method: 'oauth2' as const,
  tokenUrl,
  clientId: CLIENT.id,
  clientSecret: CLIENT.secret,
  scope: null,
  ...changes,
});

describe('fixed credentials', () => {
  it.each([
    [{ method: 'basic', ...ANN }, `Basic ${Buffer.from('ann:ä:"ö"').toString('base64')}`],
    [{ method: 'bearer', token: 'abc' }, 'Bearer abc'],
  ] as const)('%o are sent with every request to the origin', async (authentication, expected) => {
    const { url, seen } = await serveNoting();
    expect(await check(`${url}/from`, authentication)).toMatchObject({ outcome: 'ok' });
    expect(seen).toEqual([expected, expected]);
  });

  it('are not sent to another origin, which the failure says', async () => {
    const elsewhere = await serveNoting();
    const { url, seen } = await serveNoting(`${elsewhere.url}/to`);
    const result = await check(`${url}/from`, { method: 'bearer', token: 'abc' });
    expect(result.error?.message).toBe(
      'responded with 401, expected 200 (redirected: credentials were not sent)',
    );
    expect(seen).toEqual(['Bearer abc']);
    expect(elsewhere.seen).toEqual([undefined]);
  });
});

describe('digest', () => {
  it.each(['MD5', 'MD5-sess', 'SHA-256', 'SHA-256-sess'] as const)(
    'with %s repeats a request once',
    async (algorithm) => {
      const { url, requests } = await serveDigest(ANN, { algorithm });
      const result = await check(`${url}/a?b=c`, { method: 'digest', ...ANN }, { keyword: 'welcome' });
      expect(result).toMatchObject({ outcome: 'ok', statusCode: 200 });
      expect(requests).toEqual([undefined, expect.stringMatching(/^Digest /)]);
    },
  );

  it('sends the method and the body again', async () => {
    const { url, requests } = await serveDigest(ANN);
    const changes = { method: 'POST', body: '{}' } as const;
    expect(await check(url, { method: 'digest', ...ANN }, changes)).toMatchObject({ outcome: 'ok' });
    expect(requests).toHaveLength(2);
  });

  it('fails at the second 401, with what the server responded as evidence', async () => {
    const { url, requests } = await serveDigest(ANN);
    const result = await check(url, { method: 'digest', username: 'ann', password: 'wrong-one' });
    expect(result).toMatchObject({
      outcome: 'failed',
      statusCode: 401,
      networkFailure: false,
      error: { code: 'status', message: 'responded with 401: the user name or password was not accepted' },
    });
    expect(requests).toHaveLength(2);
    const seen = result.evidence?.();
    expect(seen?.statusLine).toContain('401');
    expect(JSON.stringify([result, seen])).not.toContain('wrong-one');
  });

  it('fails where the server offers something else', async () => {
    const server = await serveHttp((_, response) =>
      response.writeHead(401, { 'www-authenticate': 'Basic' }).end(),
    );
    expect(await check(server.url, { method: 'digest', ...ANN })).toMatchObject({
      outcome: 'failed',
      error: { code: 'status', message: 'responded with 401, and offers no Digest authentication' },
    });
  });

  it('sends no credentials to another origin', async () => {
    const elsewhere = await serveDigest(ANN);
    const { url } = await serveNoting(elsewhere.url);
    const result = await check(`${url}/from`, { method: 'digest', ...ANN });
    expect(result.error?.message).toBe(
      'responded with 401, expected 200 (redirected: credentials were not sent)',
    );
    expect(elsewhere.requests).toEqual([undefined]);
  });
});

describe('oauth2', () => {
  it.each(['header', 'body'] as const)(
    'requests a token with credentials in the %s, and keeps it',
    async (accepts) => {
      const { tokenUrl, resource, state } = await serveOauth({ client: CLIENT, accepts });
      const authentication = oauthOf(tokenUrl, { scope: 'read write' });
      for (let count = 0; count < 3; count += 1)
        expect(await check(resource.url, authentication)).toMatchObject({ outcome: 'ok' });
      expect(state).toMatchObject({ issued: 1, scopes: ['read write'] });
    },
  );

  it('renews the token once after a 401', async () => {
    const { tokenUrl, resource, state } = await serveOauth({ client: CLIENT });
    await check(resource.url, oauthOf(tokenUrl));
    state.token = 'revoked';
    expect(await check(resource.url, oauthOf(tokenUrl))).toMatchObject({ outcome: 'ok' });
    expect(state.issued).toBe(2);
    const rejecting = await serveNoting();
    const result = await check(rejecting.url, oauthOf(tokenUrl), { expectedStatusCode: 204 });
    expect(result.error?.message).toBe('responded with 200, expected 204');
    expect(state.issued).toBe(2);
  });

  it('does not renew a token that it has just got', async () => {
    const { tokenUrl, state } = await serveOauth({ client: CLIENT });
    const rejecting = await serveHttp((_, response) => response.writeHead(401).end());
    const result = await check(rejecting.url, oauthOf(tokenUrl));
    expect(result.error?.message).toBe('responded with 401, expected 200');
    expect([state.issued, rejecting.connections()]).toEqual([1, 1]);
  });

  it('requests another token once one has expired', async () => {
    const respond = (token: string) => ({ body: { access_token: token, expires_in: '5' } });
    const { tokenUrl, resource, state } = await serveOauth({ client: CLIENT, respond });
    for (const count of [1, 2]) {
      expect(await check(resource.url, oauthOf(tokenUrl))).toMatchObject({ outcome: 'ok' });
      expect(state.issued).toBe(count);
    }
  });

  it('counts the token in the timeout', async () => {
    const resource = await serveNoting();
    const silent = await serveHttp(() => {});
    const late = await check(resource.url, oauthOf(silent.url), { timeout: 1 });
    expect(late).toMatchObject({ outcome: 'failed', error: { code: 'timeout' } });
    expect(late.error?.message).toMatch(
      /^token endpoint: no response within 1s while waiting for the first byte/,
    );
  });

  it.each([
    [
      { clientSecret: 'wrong-one' },
      undefined,
      'status',
      'the token endpoint responded with 401 (invalid_client)',
    ],
    [{}, { status: 500, body: 'wrong-one' }, 'status', 'the token endpoint responded with 500'],
    [{}, { body: [] }, 'protocol', 'the token endpoint responded without an access token'],
    [
      {},
      { body: { access_token: 'a\nb' } },
      'protocol',
      'the token endpoint responded without an access token',
    ],
    [
      {},
      { body: { access_token: 'abc', token_type: 'mac' } },
      'protocol',
      'the token endpoint responded with a token that is not a bearer token',
    ],
  ])(
    'names the token endpoint if that fails, without its text (%#)',
    async (changes, response, code, message) => {
      const respond = response && (() => response);
      const { tokenUrl, resource } = await serveOauth({ client: CLIENT, ...(respond && { respond }) });
      const result = await check(resource.url, oauthOf(tokenUrl, changes));
      expect(result).toMatchObject({ outcome: 'failed', statusCode: null, error: { code, message } });
      expect(resource.connections()).toBe(0);
      expect(JSON.stringify([result, result.evidence?.()])).not.toMatch(/wrong-one|top\+secret/);
    },
  );

  it('names the token endpoint if it cannot be reached', async () => {
    const port = await findClosedPort();
    const resource = await serveNoting();
    expect(await check(resource.url, oauthOf(`http://127.0.0.1:${port}/`))).toMatchObject({
      outcome: 'failed',
      networkFailure: false,
      error: { code: 'connect', message: `token endpoint: connection refused by 127.0.0.1:${port}` },
    });
  });

  it('obeys the target policy at the token endpoint', async () => {
    const { tokenUrl, state } = await serveOauth({ client: CLIENT });
    const target = createTarget('http', 'http://93.184.215.14/', { authentication: oauthOf(tokenUrl) });
    const strict = { ...env, policy: { mode: 'public', allowedCidrs: [] } } as const;
    expect(await probe(target, strict)).toMatchObject({
      outcome: 'unknown',
      error: { code: 'blocked', message: 'token endpoint: this target address is not allowed' },
    });
    expect(state).toMatchObject({ issued: 0, refused: 0 });
  });
});
