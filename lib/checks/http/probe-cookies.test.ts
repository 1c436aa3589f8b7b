import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { serveHttp } from '@/lib/platform/net/testing/servers';
import type { ProbeTarget } from '@/lib/schemas/monitor/fields';
import { probe } from '../probe';
import { createTarget, openEnvironment } from '../testing/target';
import { CheckCookies } from './probe-cookies';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** Names that all lead to loopback, as the sites of a test. */
const resolver = async () => [{ address: '127.0.0.1', family: 4 }];
const check = (url: string, changes: Partial<ProbeTarget> = {}) =>
  probe(createTarget('http', url, changes), { ...openEnvironment, resolver });

/** Redirects `/app` to `/login` until a cookie is sent, and `/login` back to it with that cookie. */
async function serveSignIn(setCookie: string | string[], mayEnter: (cookie: string) => boolean) {
  const seen: string[] = [];
  const handle: Handler = ({ url, headers: { cookie = '' } }, response) => {
    seen.push(`${url} ${cookie}`.trim());
    if (url === '/login') response.writeHead(302, { location: '/app', 'set-cookie': setCookie }).end();
    else if (mayEnter(cookie)) response.end('welcome');
    else response.writeHead(302, { location: '/login' }).end();
  };
  return { ...(await serveHttp(handle)), seen };
}

describe('a cookie that a redirect sets', () => {
  it('is sent to the requests that follow, and with the next check no more', async () => {
    const server = await serveSignIn('session=1; Path=/; HttpOnly', (cookie) => cookie === 'session=1');
    const target = createTarget('http', `${server.url}/app`, { keyword: 'welcome' });
    for (const _check of [1, 2]) {
      expect(await probe(target, openEnvironment)).toMatchObject({ outcome: 'ok', statusCode: 200 });
    }
    const once = ['/app', '/login', '/app session=1'];
    expect(server.seen).toEqual([...once, ...once]);
  });

  it('follows the cookies of the monitor, and replaces that of the same name', async () => {
    const server = await serveSignIn(['a=new', 'b=2; Expires=Wed, 01 Jan 2098 00:00:00 GMT'], (cookie) =>
      cookie.includes('b=2'),
    );
    expect(await check(`${server.url}/app`, { headers: { Cookie: 'a=old; c=3' } })).toMatchObject({
      outcome: 'ok',
    });
    expect(server.seen).toEqual(['/app a=old; c=3', '/login a=old; c=3', '/app c=3; a=new; b=2']);
  });

  it('that is not kept is not blamed for a loop', async () => {
    const server = await serveSignIn('session=1; Domain=other.test', () => false);
    expect((await check(`${server.url}/app`)).error?.message).toBe('redirect loop');
  });

  it('does not end a loop that has other causes, which says so', async () => {
    const server = await serveSignIn('session=1', () => false);
    expect((await check(`${server.url}/app`)).error).toEqual({
      code: 'redirect',
      message: 'redirect loop, although cookies were kept',
    });
  });

  it('is only sent to the site that it is for', async () => {
    const seen: string[] = [];
    const server = await serveHttp(({ url, headers: { host, cookie = 'none' } }, response) => {
      seen.push(`${host?.split(':')[0]}${url} ${cookie}`);
      const { port } = server;
      const steps: Record<string, [string, string[]]> = {
        '/1': [
          `http://www.shop.test:${port}/2`,
          [
            'own=1',
            'site=1; Domain=shop.test',
            'theirs=1; Domain=other.test',
            'all=1; Domain=test',
            'path=1; Path=/x',
          ],
        ],
        '/2': [`http://other.test:${port}/3`, []],
        '/3': [`http://shop.test:${port}/x`, []],
      };
      const [location, cookies] = steps[url ?? ''] ?? [null, []];
      if (location === null) response.end();
      else response.writeHead(302, { location, 'set-cookie': cookies }).end();
    });
    expect(await check(`http://shop.test:${server.port}/1`)).toMatchObject({ outcome: 'ok' });
    expect(seen).toEqual([
      'shop.test/1 none',
      'www.shop.test/2 site=1',
      'other.test/3 none',
      'shop.test/x path=1; own=1; site=1',
    ]);
  });
});

describe('the cookies of a check', () => {
  it('are bounded in number and size, whatever a server sets', () => {
    const cookies = new CheckCookies();
    cookies.keep('http://a.test/', [
      `big=${'x'.repeat(5000)}`,
      ...Array.from({ length: 500 }, (_, i) => `n${i}=${'y'.repeat(3000)}`),
    ]);
    const header = cookies.headerFor('http://a.test/', undefined);
    expect(header).not.toContain('big=');
    expect(header?.length).toBeLessThanOrEqual(16 * 1024);
  });

  it('that are invalid, expired or for https are not sent', () => {
    const cookies = new CheckCookies();
    cookies.keep('https://a.test/', ['=', '', 'gone=1; Max-Age=0', 'secure=1; Secure', 'left=1']);
    expect(cookies.headerFor('http://a.test/', undefined)).toBe('left=1');
    expect(cookies.headerFor('https://a.test/', undefined)).toBe('secure=1; left=1');
    expect(cookies.headerFor('https://b.test/', undefined)).toBeNull();
  });

  const send = (setCookie: string, from: string, to: string) => {
    const cookies = new CheckCookies();
    cookies.keep(from, [setCookie]);
    return cookies.headerFor(to, undefined);
  };
  const SENT = 'a=1';

  it.each([
    // Domains
    ['a=1', 'http://b.test/', 'http://b.test:81/', SENT],
    ['a=1', 'http://b.test/', 'http://x.b.test/', null],
    ['a=1; Domain=b.test', 'http://b.test/', 'http://b.test/', SENT],
    ['a=1; Domain=b.test', 'http://b.test/', 'http://x.b.test/', SENT],
    ['a=1; Domain=.B.test', 'http://x.b.test/', 'http://y.b.test/', SENT],
    ['a=1; Domain=b.test', 'http://xb.test/', 'http://b.test/', null],
    ['a=1; Domain=x.b.test', 'http://b.test/', 'http://x.b.test/', null],
    ['a=1; Domain=test', 'http://b.test/', 'http://b.test/', null],
    ['a=1; Domain=localhost', 'http://localhost/', 'http://localhost/', SENT],
    ['a=1; Domain=0.0.1', 'http://127.0.0.1/', 'http://127.0.0.1/', null],
    ['a=1; Domain=münchen.test', 'http://xn--mnchen-3ya.test/', 'http://xn--mnchen-3ya.test/', SENT],
    ['a=1; Domain=b test', 'http://b.test/', 'http://b.test/', null],
    // Paths
    ['a=1', 'http://b.test/x/y', 'http://b.test/x/z', SENT],
    ['a=1', 'http://b.test/x/y', 'http://b.test/x', SENT],
    ['a=1', 'http://b.test/x/y', 'http://b.test/', null],
    ['a=1', 'http://b.test/x', 'http://b.test/y', SENT],
    ['a=1; Path=/x', 'http://b.test/', 'http://b.test/xy', null],
    ['a=1; Path=/x/', 'http://b.test/', 'http://b.test/x/y', SENT],
    ['a=1; Path=x', 'http://b.test/y/', 'http://b.test/y/z', SENT],
    // Times
    ['a=1; Expires=Thu, 01-Jan-1970 00:00:01 GMT', 'http://b.test/', 'http://b.test/', null],
    ['a=1; Expires=Thu, 01 Jan 1970 00:00:01 GMT; Max-Age=9', 'http://b.test/', 'http://b.test/', SENT],
    ['a=1; Expires=tomorrow; Max-Age=soon', 'http://b.test/', 'http://b.test/', SENT],
    ['a=1; Expires=0', 'http://b.test/', 'http://b.test/', SENT],
    ['a=1; Max-Age=9; Max-Age=-1', 'http://b.test/', 'http://b.test/', null],
    ['a=1; Max-Age=0; Max-Age=soon', 'http://b.test/', 'http://b.test/', null],
    // Security
    ['a=1; Secure', 'https://b.test/', 'http://b.test/', null],
    ['a=1; Secure', 'http://b.test/', 'https://b.test/', null],
    ['a=1; Secure; HttpOnly; SameSite=Strict', 'https://b.test/', 'https://b.test/', SENT],
    ['a=1; Secure', 'http://127.0.0.1/', 'http://127.0.0.1/', SENT],
    ['__Host-a=1; Secure; Path=/', 'https://b.test/', 'https://b.test/', '__Host-a=1'],
    ['__Host-a=1; Secure; Path=/; Domain=b.test', 'https://b.test/', 'https://b.test/', null],
    ['__Secure-a=1', 'https://b.test/', 'https://b.test/', null],
    // Texts
    ['a=1; __proto__=1; constructor=1; Foo', 'http://b.test/', 'http://b.test/', SENT],
    [' a = 1 ; Path = / ', 'http://b.test/x/y', 'http://b.test/', SENT],
    ['a=1=2', 'http://b.test/', 'http://b.test/', 'a=1=2'],
    ['a=', 'http://b.test/', 'http://b.test/', 'a='],
    ['a=\x01', 'http://b.test/', 'http://b.test/', null],
    ['a', 'http://b.test/', 'http://b.test/', null],
    ['=1', 'http://b.test/', 'http://b.test/', null],
  ])('%s, set by %s, are sent to %s: %s', (setCookie, from, to, sent) => {
    expect(send(setCookie, from, to)).toBe(sent);
  });
});
