import { describe, expect, it } from 'vitest';
import { findClosedPort, serveHttp, serveHttps, serveTcp } from '@/lib/platform/net/testing/servers';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import type { ProbeTarget } from '@/lib/schemas/monitor/fields';
import { probe } from './probe';
import type { ProbeEnvironment } from './probe-environment';
import { createTarget, openEnvironment, strictEnvironment } from './testing/target';

const FOUR = { address: '127.0.0.1', family: 4 };
const SIX = { address: '::1', family: 6 };

const check = (
  type: ProbeTarget['type'],
  url: string,
  changes: Partial<ProbeTarget>,
  env: Partial<ProbeEnvironment> = {},
) => {
  const resolver = async () => [FOUR, SIX];
  return probe(createTarget(type, url, changes), {
    ...openEnvironment,
    evidenceOf: 'any',
    resolver,
    ...env,
  });
};

describe('a check over one version of IP', () => {
  it('connects only over that, whatever else the name resolves to', async () => {
    const peers: string[] = [];
    const server = await serveHttp((request, response) => {
      peers.push(request.socket.remoteAddress ?? '');
      response.end();
    }, '::');
    const url = `http://shop.test:${server.port}/`;
    expect(await check('http', url, { ipVersion: '4' })).toMatchObject({
      outcome: 'ok',
      address: '127.0.0.1',
    });
    expect(await check('http', url, { ipVersion: '6' })).toMatchObject({ outcome: 'ok', address: '::1' });
    expect(peers).toEqual(['::ffff:127.0.0.1', '::1']);
  });

  it.each([
    ['http', 'http://shop.test/', 'none'],
    ['tcp', 'shop.test:80', 'none'],
    ['tcp', 'shop.test:25', 'smtp'],
    ['ping', 'shop.test', 'none'],
  ] as const)(
    'of %s %s with protocol %s states that the name has no address of it',
    async (type, url, protocol) => {
      const result = await check(type, url, { ipVersion: '6', protocol }, { resolver: async () => [FOUR] });
      expect(result).toMatchObject({
        outcome: 'failed',
        networkFailure: false,
        error: { code: 'dns', message: 'host name shop.test has no IPv6 address' },
      });
    },
  );

  it('asks for addresses of that version only, and for all if the system denies them', async () => {
    const asked: (number | undefined)[] = [];
    const resolver: ProbeEnvironment['resolver'] = async (_name, family) => {
      asked.push(family);
      if (family === 6) throw Object.assign(new Error('no'), { code: 'ENOTFOUND' });
      return [FOUR];
    };
    const result = await check('tcp', 'shop.test:80', { ipVersion: '6' }, { resolver });
    expect(result.error?.message).toBe('host name shop.test has no IPv6 address');
    expect(asked).toEqual([6, undefined]);
    const nowhere = async () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }));
    const missing = await check('tcp', 'shop.test:80', { ipVersion: '6' }, { resolver: nowhere });
    expect(missing.error?.message).toBe('host name shop.test does not exist');
  });

  it('fails if it is redirected to an address of the other one', async () => {
    const server = await serveHttp(
      (_request, response) => response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end(),
      '::1',
    );
    const result = await check('http', `http://shop.test:${server.port}/`, { ipVersion: '6' });
    expect(result.error?.message).toBe('127.0.0.1 is not an IPv6 address');
  });

  it('is not blocked by an address that it never connects to', async () => {
    const mixed = async () => [FOUR, { address: '2001:db8::1', family: 6 }];
    const env = { policy: { mode: 'public', allowedCidrs: ['127.0.0.0/8'] }, resolver: mixed } as const;
    const server = await serveTcp();
    const url = `shop.test:${server.port}`;
    expect(await check('tcp', url, { ipVersion: '4' }, env)).toMatchObject({ outcome: 'ok' });
    expect(await check('tcp', url, {}, env)).toMatchObject({
      outcome: 'unknown',
      error: { code: 'blocked' },
    });
  });
});

describe('a check over both versions of IP', () => {
  it('is ok if both are, with the time of the slower one and both addresses', async () => {
    const server = await serveHttp((request, response) => {
      const isSix = request.socket.remoteAddress === '::1';
      setTimeout(() => response.end(), isSix ? 120 : 0);
    }, '::');
    const result = await check('http', `http://shop.test:${server.port}/`, { ipVersion: 'both' });
    expect(result).toMatchObject({ outcome: 'ok', error: null, address: '::1' });
    expect(result.responseTime).toBeGreaterThanOrEqual(119);
    expect(result.evidence?.().addresses).toEqual(['127.0.0.1', '::1']);
  });

  it('fails if one of them does, and states which', async () => {
    const server = await serveTcp(undefined, '127.0.0.1');
    const result = await check('tcp', `shop.test:${server.port}`, { ipVersion: 'both' });
    expect(result).toMatchObject({
      outcome: 'failed',
      networkFailure: false,
      address: '::1',
      error: { code: 'connect', message: `IPv6: connection refused by [::1]:${server.port}` },
    });
    expect(result.evidence?.().addresses).toEqual(['127.0.0.1', '::1']);
  });

  it('states an error of both once, and different ones one after the other', async () => {
    const server = await serveHttp((_request, response) => response.writeHead(500).end(), '::');
    const result = await check('http', `http://shop.test:${server.port}/`, { ipVersion: 'both' });
    expect(result.error?.message).toBe('IPv4 and IPv6: responded with 500, expected 200');
    const port = await findClosedPort();
    const refused = await check('tcp', `shop.test:${port}`, { ipVersion: 'both' });
    expect(refused.error?.message).toBe(
      `IPv4: connection refused by 127.0.0.1:${port}; IPv6: connection refused by [::1]:${port}`,
    );
  });

  it('keeps what only members may read apart', async () => {
    const server = await serveHttp((_request, response) => response.end('{"up": "s3cret"}'), '::');
    const result = await check('http', `http://shop.test:${server.port}/`, {
      ipVersion: 'both',
      assertions: [{ source: 'json', property: '$.up', comparison: 'equals', target: true }],
    });
    expect(result.error?.message).toMatch(/^IPv4 and IPv6: /);
    expect(result.error?.message).not.toContain('s3cret');
    expect(result.error?.detail).toContain('s3cret');
  });

  it('needs an address of both', async () => {
    const server = await serveTcp();
    const resolver = async () => [FOUR];
    const result = await check('tcp', `shop.test:${server.port}`, { ipVersion: 'both' }, { resolver });
    expect(result.error?.message).toBe('IPv6: host name shop.test has no IPv6 address');
  });

  it('fails rather than being unknown if one is blocked and the other fails', async () => {
    const port = await findClosedPort();
    const env = { ...strictEnvironment, policy: { mode: 'public', allowedCidrs: ['127.0.0.0/8'] } } as const;
    const url = `shop.test:${port}`;
    const result = await check('tcp', url, { ipVersion: 'both' }, { policy: env.policy });
    expect(result.error?.message).toBe(`IPv4: connection refused by 127.0.0.1:${port}`);
    const server = await serveTcp();
    const blocked = await check(
      'tcp',
      `shop.test:${server.port}`,
      { ipVersion: 'both' },
      { policy: env.policy },
    );
    expect(blocked).toMatchObject({
      outcome: 'unknown',
      error: { message: 'IPv6: this target address is not allowed' },
    });
  });

  it('shows what a dry run observes of one of them', async () => {
    const server = await serveHttp((_request, response) => response.end('hello'), '::');
    const seen: unknown[] = [];
    const observe: ProbeEnvironment['observe'] = (observed) => void seen.push(observed.body);
    await check('http', `http://shop.test:${server.port}/`, { ipVersion: 'both' }, { observe });
    expect(seen).toEqual(['hello']);
  });

  it('pings both', async () => {
    const result = await check('ping', 'shop.test', { ipVersion: 'both' });
    if (result.outcome !== 'unknown') expect(result).toMatchObject({ outcome: 'ok' });
    expect(result.networkFailure).toBe(false);
  });

  it('verifies the certificate of both', async () => {
    const server = await serveHttps('wrong-host');
    const result = await check('http', `https://shop.test:${server.port}/`, { ipVersion: 'both' });
    expect(result.error?.message).toMatch(/^IPv4: certificate is not valid .*; IPv6: connection refused/);
    expect(result.certificateExpiresAt).toBeInstanceOf(Date);
  });
});

describe('an address as the target', () => {
  const parse = (body: object) => createMonitorSchema.safeParse({ name: 'Shop', ...body });

  it.each([
    ['http', 'http://127.0.0.1/', '6'],
    ['http', 'http://[::1]/', '4'],
    ['http', 'http://0x7f.1/', 'both'],
    ['tcp', '[::1]:80', 'both'],
    ['ping', '::1', '4'],
  ])('of a %s monitor, %s, does not go with %s', (type, url, ipVersion) => {
    const { error } = parse({ type, url, ipVersion });
    expect(error?.issues).toMatchObject([{ path: ['ipVersion'] }]);
    expect(error?.issues[0]?.message).toMatch(/^must be "any" or "[46]" for a target/);
  });

  it.each([
    ['http', 'http://127.0.0.1/', '4'],
    ['ping', '::1', '6'],
    ['ping', 'shop.test', 'both'],
    ['dns', 'shop.test', 'both'],
  ])('of a %s monitor, %s, goes with %s', (type, url, ipVersion) => {
    expect(parse({ type, url, ipVersion }).success).toBe(true);
  });

  it('is written as a text', () => {
    const { error } = parse({ url: 'http://shop.test/', ipVersion: 4 });
    expect(error?.issues[0]?.message).toBe('must be one of "any", "4", "6", "both"');
  });
});
