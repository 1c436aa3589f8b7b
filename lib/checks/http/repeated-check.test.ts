import { describe, expect, it } from 'vitest';
import { serveHttp } from '@/lib/platform/net/testing/servers';
import { probe } from '../probe';
import { createTarget, openEnvironment, strictEnvironment } from '../testing/target';

describe('a repeated check', () => {
  it('sends the same request, with the User-Agent of its environment', async () => {
    const seen: unknown[] = [];
    const server = await serveHttp(({ method, url, headers }, response) => {
      seen.push([method, url, headers['user-agent'], headers['x-own']]);
      response.end();
    });
    const target = createTarget('http', `${server.url}/a?b`, { method: 'PUT', headers: { 'X-Own': '1' } });
    for (const userAgent of ['one', 'one', 'two']) await probe(target, { ...openEnvironment, userAgent });
    const sent = (userAgent: string) => ['PUT', '/a?b', userAgent, '1'];
    expect(seen).toEqual([sent('one'), sent('one'), sent('two')]);
  });

  it('follows the redirect of each response', async () => {
    const seen: (string | undefined)[] = [];
    const redirects: [number, string][] = [
      [302, '/one'],
      [302, '/one'],
      [302, '/two'],
      [307, '/two'],
    ];
    const server = await serveHttp(({ method, url }, response) => {
      if (url !== '/') seen.push(`${method} ${url}`);
      const [status, location] = url === '/' ? (redirects.shift() ?? [200, '']) : [200, ''];
      response.writeHead(status, { location }).end();
    });
    const target = createTarget('http', `${server.url}/`, { method: 'POST' });
    for (const _ of [...redirects]) expect((await probe(target, openEnvironment)).outcome).toBe('ok');
    expect(seen).toEqual(['GET /one', 'GET /one', 'GET /two', 'POST /two']);
  });

  it('is resolved and judged again', async () => {
    const server = await serveHttp((_request, response) => response.end());
    const addresses = ['127.0.0.1', '169.254.169.254', '127.0.0.1', '127.0.0.1'];
    const resolver = async () => [{ address: addresses.shift() ?? '', family: 4 }];
    const urls = [`http://a.test:${server.port}`, server.url];
    const targets = urls.map((url) => createTarget('http', url));
    const codes: unknown[] = [];
    for (const env of [openEnvironment, openEnvironment, openEnvironment, strictEnvironment]) {
      for (const target of targets) {
        const { error } = await probe(target, { ...env, resolver });
        codes.push(error?.code ?? 'ok');
      }
    }
    expect(codes).toEqual(['ok', 'ok', 'blocked', 'ok', 'ok', 'ok', 'blocked', 'blocked']);
  });
});
