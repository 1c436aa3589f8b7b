import { describe, expect, it } from 'vitest';
import { HIDDEN, hideHeaders } from '@/lib/schemas/hidden';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import type { Authentication } from '@/lib/schemas/monitor/authentication-parts';
import { parseInput } from '@/lib/schemas/validation';
import { keepHidden } from './keep-hidden';

const AUTHORIZATION = { Authorization: 'Bearer abc', 'X-Old': '1' };
const stored = {
  type: 'http',
  url: 'https://shop.test/health',
  headers: AUTHORIZATION,
  body: 'pa55word' as string | null,
  send: null,
  connectTo: null as string | null,
  authentication: null,
  clientCertificate: null,
} as const;

/** The rejected fields, as path and code. */
function reject(
  given: object,
  target: Parameters<typeof keepHidden>[2] = stored,
  from: Parameters<typeof keepHidden>[1] = stored,
) {
  try {
    return keepHidden(given, from, target);
  } catch (error) {
    const { details } = error as { details: { path: string; code: string }[] };
    return details.map(({ path, code }) => `${path} ${code}`);
  }
}

describe('a hidden value that is sent back', () => {
  it('keeps the value stored under its name, in any case and order, with new values next to it', () => {
    const headers = { 'x-new': '2', authorization: HIDDEN };
    const kept = keepHidden({ headers, body: HIDDEN, url: 'https://shop.test/other' }, stored, stored);
    expect(kept).toEqual({
      url: 'https://shop.test/other',
      headers: { 'x-new': '2', authorization: 'Bearer abc' },
      body: 'pa55word',
    });
    expect(Object.keys(kept.headers)).toEqual(['x-new', 'authorization']);
  });

  it('is rejected if no value is stored under its name', () => {
    expect(reject({ headers: { 'X-Unknown': HIDDEN } })).toEqual(['headers.X-Unknown nothing_stored']);
    expect(reject({ body: HIDDEN }, stored, { ...stored, body: null })).toEqual(['body nothing_stored']);
  });

  it.each([
    ['https://evil.test/health'],
    ['http://shop.test/health'],
    ['https://shop.test:8443/health'],
    ['https://shop.test.evil.test/'],
  ])('is rejected for %s, which is another origin', (url) => {
    const given = { headers: { Authorization: HIDDEN, Accept: '*/*' }, body: HIDDEN };
    const expected = ['headers.Authorization origin_changed', 'body origin_changed'];
    expect(reject(given, { ...stored, url })).toEqual(expected);
  });

  it('is rejected if checks would connect to another place', () => {
    const elsewhere = { ...stored, connectTo: 'evil.test' };
    expect(reject({ body: HIDDEN }, elsewhere)).toEqual(['body origin_changed']);
    expect(reject({ body: HIDDEN }, stored, elsewhere as never)).toEqual(['body origin_changed']);
  });

  it('is kept for another path or spelling of the same origin', () => {
    for (const url of ['https://shop.test/other?a=1', 'HTTPS://SHOP.test:443/']) {
      expect(reject({ body: HIDDEN }, { ...stored, url })).toEqual({ body: 'pa55word' });
    }
  });

  it('is rejected for a monitor that becomes an http monitor', () => {
    const tcp = { ...stored, type: 'tcp', url: 'shop.test:443' } as never;
    expect(reject({ body: HIDDEN }, stored, tcp)).toEqual(['body origin_changed']);
  });

  it('is kept in an authentication of the same method and token endpoint only', () => {
    const client = {
      method: 'oauth2',
      tokenUrl: 'https://login.test/token',
      clientId: 'a',
      scope: null,
    } as const;
    const before = { ...stored, authentication: { ...client, clientSecret: 'pa55word' } };
    const keep = (authentication: Authentication) => reject({ authentication }, before, before);
    const hidden = { ...client, clientSecret: HIDDEN };
    expect(keep({ ...hidden, clientId: 'b', tokenUrl: 'https://login.test/v2/token' })).toMatchObject({
      authentication: { clientId: 'b', clientSecret: 'pa55word' },
    });
    expect(keep({ ...hidden, tokenUrl: 'https://evil.test/token' })).toEqual([
      'authentication.clientSecret nothing_stored',
    ]);
    expect(keep({ method: 'bearer', token: HIDDEN })).toEqual(['authentication.token nothing_stored']);
    expect(
      reject(
        { authentication: hidden },
        { type: 'http', url: 'https://evil.test/', connectTo: null },
        before,
      ),
    ).toEqual(['authentication.clientSecret origin_changed']);
  });

  it('is rejected for a new monitor', () => {
    const body = { name: 'Shop', url: 'https://shop.test/', method: 'POST' };
    const create = (more: object) => () => parseInput(createMonitorSchema, { ...body, ...more });
    expect(create({ headers: { Authorization: HIDDEN } })).toThrow('headers.Authorization');
    expect(create({ body: HIDDEN })).toThrow('not valid: body');
    const authentication = { method: 'bearer', token: HIDDEN };
    expect(create({ authentication })).toThrow('not valid: authentication.token');
  });
});

it('only headers without secrets are shown', () => {
  const headers = { ACCEPT: 'a', 'content-type': 'b', 'User-Agent': 'c', Cookie: 'd', 'X-Accept': 'e' };
  const shown = { ACCEPT: 'a', 'content-type': 'b', 'User-Agent': 'c', Cookie: HIDDEN, 'X-Accept': HIDDEN };
  expect(hideHeaders(headers)).toEqual(shown);
});
