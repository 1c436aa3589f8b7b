import type { IncomingHttpHeaders, RequestListener, ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { serveHttp, serveHttps } from '@/lib/platform/net/testing/servers';
import type { ProbeTarget } from '@/lib/schemas/monitor/fields';
import { probe } from '../probe';
import { createTarget, openEnvironment } from '../testing/target';
import { followRedirect, formatLosses } from './probe-redirect';

const check = (url: string, changes: Partial<ProbeTarget> = {}) =>
  probe(createTarget('http', url, changes), openEnvironment);

const serveRedirects = (status: number, location: (path: string) => string | null) =>
  serveHttp((request, response) => {
    const to = location(request.url ?? '/');
    if (to === null) response.end('arrived');
    else response.writeHead(status, { location: to }).end();
  });

describe('redirects', () => {
  it('are followed to the final response, at most five', async () => {
    const server = await serveRedirects(302, (path) =>
      path === '/0' ? null : `/${Number(path.slice(1)) - 1}`,
    );
    expect(await check(`${server.url}/5`, { keyword: 'arrived' })).toMatchObject({
      outcome: 'ok',
      statusCode: 200,
    });
    expect(await check(`${server.url}/6`)).toMatchObject({
      outcome: 'failed',
      statusCode: 302,
      error: { code: 'redirect', message: 'too many redirects (limit: 5)' },
    });
  });

  it.each([0, 1, 2, 10])(
    'are followed %i times if that is the maximum, and no more',
    async (maxRedirects) => {
      const server = await serveRedirects(302, (path) =>
        path === '/0' ? null : `/${Number(path.slice(1)) - 1}`,
      );
      expect(await check(`${server.url}/${maxRedirects}`, { maxRedirects })).toMatchObject({
        outcome: 'ok',
        statusCode: 200,
      });
      expect(server.connections()).toBe(maxRedirects + 1);
      expect(await check(`${server.url}/${maxRedirects + 1}`, { maxRedirects })).toMatchObject({
        outcome: 'failed',
        statusCode: 302,
        error: {
          code: 'redirect',
          message: `too many redirects (limit: ${maxRedirects})`,
        },
      });
      expect(server.connections()).toBe(2 * (maxRedirects + 1));
    },
  );

  it('are not followed if the monitor disables them', async () => {
    const server = await serveRedirects(301, () => '/next');
    const changes = { followRedirects: false, expectedStatusCode: 301 };
    expect(await check(server.url, changes)).toMatchObject({ outcome: 'ok', statusCode: 301 });
    expect(server.connections()).toBe(1);
  });

  it('are not followed from a response that already has the expected status', async () => {
    const server = await serveRedirects(301, () => '/next');
    expect(await check(server.url, { expectedStatusCode: 301 })).toMatchObject({
      outcome: 'ok',
      statusCode: 301,
    });
  });

  it('in a loop fail', async () => {
    const server = await serveRedirects(302, (path) => (path === '/a' ? '/b' : '/a'));
    const { error } = await check(`${server.url}/a`);
    expect(error).toEqual({ code: 'redirect', message: 'redirect loop' });
  });

  it('to something other than http fail', async () => {
    const server = await serveRedirects(302, () => 'ftp://a.test/');
    expect((await check(server.url)).error?.code).toBe('redirect');
  });

  it('share one deadline', async () => {
    let count = 0;
    const server = await serveHttp((_request, response) => {
      count += 1;
      setTimeout(() => response.writeHead(302, { location: `/${count}` }).end(), 400);
    });
    expect((await check(server.url, { timeout: 1 })).error?.code).toBe('timeout');
  });

  it('keep custom headers within the same origin only', async () => {
    const seen: IncomingHttpHeaders[] = [];
    const other = await serveHttp((request, response) => {
      seen.push(request.headers);
      response.end();
    });
    const server = await serveHttp((request, response) => {
      seen.push(request.headers);
      response.writeHead(302, { location: request.url === '/' ? '/b' : other.url }).end();
    });
    await check(server.url, { headers: { 'X-Token': 's', Authorization: 'Bearer s', 'User-Agent': 'mine' } });
    expect(seen.map((headers) => headers['x-token'])).toEqual(['s', 's', undefined]);
    expect(seen.map((headers) => headers.authorization)).toEqual(['Bearer s', 'Bearer s', undefined]);
    expect(seen.map((headers) => headers['user-agent'])).toEqual(['mine', 'mine', 'mine']);
  });

  it('from https to http drop secrets', async () => {
    let authorization: string | undefined = 'not requested';
    const plain = await serveHttp((request, response) => {
      authorization = request.headers.authorization;
      response.end();
    });
    const server = await serveHttps('good', (_request, response) => {
      response.writeHead(302, { location: plain.url }).end();
    });
    expect(await check(server.url, { headers: { Authorization: 'Bearer s' } })).toMatchObject({
      outcome: 'ok',
    });
    expect(authorization).toBeUndefined();
  });
});

describe('a redirect with 307', () => {
  const request = {
    method: 'POST' as const,
    body: '{"a":1}',
    headers: { 'Content-Type': 'application/json', Authorization: 'Bearer s', 'X-Tenant': '7' },
    expectedStatusCode: 201,
  };

  /** What the server that is redirected to receives, and the message of the check, which expects another status. */
  async function follow(from: string, to: string, changes: Partial<ProbeTarget> = {}) {
    let received = '';
    const redirect: RequestListener = async ({ method, url, headers }, response) => {
      if (url !== '/there') {
        response.writeHead(changes.body === null ? 302 : 307, { location: locate(to) }).end();
        return;
      }
      const { 'content-type': type, authorization, 'x-tenant': tenant } = headers;
      received = [method, type, authorization, tenant, headers['content-length']].join('|');
      response.end();
    };
    const [plain, secure] = [await serveHttp(redirect), await serveHttps('good', redirect)];
    const other = await serveHttp(redirect);
    const ports: Record<string, number> = { http: plain.port, https: secure.port, other: other.port };
    const locate = (origin: string) => {
      const [scheme = '', host = ''] = origin.split('://');
      return `${scheme === 'other' ? 'http' : scheme}://${host}:${ports[scheme]}/there`;
    };
    const resolver = async () => [{ address: '127.0.0.1', family: 4 }];
    const target = createTarget('http', locate(from).replace('/there', '/'), {
      ...request,
      ...changes,
      tlsVerify: false,
    });
    const { error } = await probe(target, { ...openEnvironment, resolver });
    return { received, message: error?.message };
  }

  it('to the same origin keeps everything', async () => {
    expect(await follow('http://a.test', 'http://a.test')).toEqual({
      received: 'POST|application/json|Bearer s|7|7',
      message: 'responded with 200, expected 201',
    });
  });

  it('from http to https of the same host keeps everything', async () => {
    expect(await follow('http://a.test', 'https://a.test')).toEqual({
      received: 'POST|application/json|Bearer s|7|7',
      message: 'responded with 200, expected 201',
    });
  });

  it('from http to https of the same host keeps no authentication, which is for the origin of the URL only', async () => {
    const { Authorization: _, ...headers } = request.headers;
    const authentication = { method: 'bearer', token: 's' } as const;
    expect(await follow('http://a.test', 'https://a.test', { headers, authentication })).toEqual({
      received: 'POST|application/json||7|7',
      message: 'responded with 200, expected 201 (redirected: credentials were not sent)',
    });
  });

  it('to another port of the same host keeps all but credentials', async () => {
    expect(await follow('http://a.test', 'other://a.test')).toEqual({
      received: 'POST|application/json||7|7',
      message: 'responded with 200, expected 201 (redirected: credentials were not sent)',
    });
  });

  it('from https to http of the same host sends nothing that is private', async () => {
    expect(await follow('https://a.test', 'http://a.test')).toEqual({
      received: 'POST|application/json|||7',
      message: 'responded with 200, expected 201 (redirected: credentials and custom headers were not sent)',
    });
  });

  it('to another host takes the body with its Content-Type, and the message says so', async () => {
    expect(await follow('http://a.test', 'http://b.test')).toEqual({
      received: 'POST|application/json|||7',
      message:
        'responded with 200, expected 201 (redirected to another host: the body was sent with its Content-Type, credentials and custom headers were not sent)',
    });
  });

  it('to another host says only what matters', async () => {
    const headers = { 'Accept-Language': 'de' };
    expect(await follow('http://a.test', 'http://b.test', { method: 'GET', body: null, headers })).toEqual({
      received: 'GET||||',
      message: 'responded with 200, expected 201',
    });
  });
});

it('what redirects take from the request is named: credentials, and other headers', () => {
  const first = {
    url: 'http://a.test/',
    method: 'GET',
    headers: { authorization: 'a', 'x-tenant': '7' },
    body: null,
  };
  const last = { ...first, url: 'http://b.test/', headers: {} };
  expect(formatLosses(first, last)).toBe(
    'redirected to another host: credentials and custom headers were not sent',
  );
});

it.each(['http://[', 'http://exa mple/', 'http://a.test:99999/'])(
  'a redirect to %s names what is wrong',
  async (location) => {
    const server = await serveHttp((_, response) => response.writeHead(302, { location }).end());
    expect((await check(server.url)).error?.message).toBe('redirected to a URL that is not valid');
  },
);

it.each([
  ['does not end', (response: ServerResponse) => void response.write('Moved')],
  ['is cut short', (response: ServerResponse) => response.write('Moved', () => response.destroy())],
])('a redirect whose body %s is followed, as browsers do', async (_, send) => {
  const server = await serveHttp(({ url }, response) => {
    if (url === '/there') response.end('arrived');
    else send(response.writeHead(302, { location: '/there', 'content-length': '1000' }));
  });
  expect(await check(server.url, { keyword: 'arrived' })).toMatchObject({ outcome: 'ok', statusCode: 200 });
});

it('a redirect that drops the body says so if the check fails', async () => {
  const server = await serveHttp(({ url }, response) => {
    if (url === '/') response.writeHead(302, { location: '/there' });
    response.end();
  });
  const { error } = await check(server.url, { method: 'POST', body: 'b', keyword: 'saved' });
  expect(error?.message).toBe(
    'the response body does not contain “saved” (redirected: the body was not sent)',
  );
});

describe('followRedirect', () => {
  const hop = { url: 'http://a.test/x', method: 'POST', headers: { 'content-type': 'a/b' }, body: 'b' };

  it.each([301, 302, 303])('turns POST into GET without a body on %i', (status) => {
    expect(followRedirect(hop, status, '/y')).toEqual({
      url: 'http://a.test/y',
      method: 'GET',
      headers: {},
      body: null,
    });
  });

  it.each([307, 308])('keeps method and body on %i', (status) => {
    expect(followRedirect(hop, status, '/y')).toEqual({ ...hop, url: 'http://a.test/y' });
  });

  it('keeps HEAD on 303, and PUT on 302', () => {
    expect(followRedirect({ ...hop, method: 'HEAD' }, 303, '/y')?.method).toBe('HEAD');
    expect(followRedirect({ ...hop, method: 'PUT' }, 302, '/y')?.method).toBe('PUT');
  });

  it('keeps what describes the body, and harmless headers, to other hosts', () => {
    const harmless = {
      'content-encoding': 'gzip',
      'accept-language': 'de',
      accept: 'a/b',
      'user-agent': 'mine',
    };
    const secrets = {
      cookie: 'a=1',
      authorization: 'Basic s',
      'x-api-key': 's',
      'x-auth': 's',
      'x-tenant': '7',
    };
    const from = { ...hop, headers: { ...harmless, ...secrets } };
    expect(followRedirect(from, 308, 'http://b.test/')?.headers).toEqual(harmless);
  });

  it('drops credentials in the location', () => {
    expect(followRedirect(hop, 307, 'http://user:secret@a.test/y')?.url).toBe('http://a.test/y');
  });
});
