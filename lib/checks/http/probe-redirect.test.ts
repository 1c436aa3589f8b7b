import type { IncomingHttpHeaders } from 'node:http';
import { describe, expect, it } from 'vitest';
import { serveHttp, serveHttps } from '@/lib/platform/net/testing/servers';
import type { ProbeTarget } from '@/lib/schemas/monitor/fields';
import { probe } from '../probe';
import { createTarget, openEnvironment } from '../testing/target';
import { followRedirect } from './probe-redirect';

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

  it('drops credentials in the location', () => {
    expect(followRedirect(hop, 307, 'http://user:secret@a.test/y')?.url).toBe('http://a.test/y');
  });
});
