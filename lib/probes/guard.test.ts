import { describe, expect, it } from 'vitest';
import type { Resolver } from '@/lib/net/resolve';
import { serveHttp, serveTcp } from '@/lib/net/testing/servers';
import { probe } from './probe';
import { createTarget, openEnvironment, strictEnvironment } from './testing/target';

const LOOPBACK_HOSTS = [
  '127.0.0.1',
  '127.1',
  '0x7f.1',
  '0177.0.0.1',
  '2130706433',
  '0',
  '[::1]',
  '[::]',
  '[::ffff:7f00:1]',
  '[::7f00:1]',
  '[64:ff9b::7f00:1]',
  '[2002:7f00:1::]',
];
const METADATA_HOSTS = [
  '169.254.169.254',
  '2852039166',
  '[fd00:ec2::254]',
  '100.100.100.200',
  '168.63.129.16',
  '[fe80::1]',
  '[::ffff:a9fe:a9fe]',
];
const BLOCKED = {
  outcome: 'unknown',
  responseTime: null,
  error: { code: 'blocked', message: 'this target is not allowed' },
};

describe('under the public policy', () => {
  it.each(LOOPBACK_HOSTS)('no probe reaches %s', async (host) => {
    const server = await serveTcp(() => {}, '::');
    const http = createTarget('http', `http://${host}:${server.port}/`);
    const tcp = createTarget('tcp', `${host}:${server.port}`);
    const ping = createTarget('ping', host);
    const dns = createTarget('dns', `dns://${host}:${server.port}/example.test?type=A`);
    for (const target of [http, tcp, ping, dns]) {
      expect(await probe(target, strictEnvironment)).toMatchObject(BLOCKED);
    }
    expect(server.connections()).toBe(0);
  });

  it.each([
    ['private', ['10.0.0.5']],
    ['loopback', ['127.0.0.1']],
    ['public and a private', ['93.184.215.14', '127.0.0.1']],
    ['private and a public', ['::1', '93.184.215.14']],
  ])('no probe reaches a name with a %s record', async (_what, addresses) => {
    const server = await serveTcp();
    const resolver: Resolver = async () => addresses.map((address) => ({ address, family: 0 }));
    for (const [type, url] of [
      ['http', `http://name.test:${server.port}`],
      ['tcp', `name.test:${server.port}`],
      ['ping', 'name.test'],
      ['dns', `dns://name.test:${server.port}/a.test`],
    ] as const) {
      expect(await probe(createTarget(type, url), { ...strictEnvironment, resolver })).toMatchObject(BLOCKED);
    }
    expect(server.connections()).toBe(0);
  });
});

it.each(METADATA_HOSTS)('no policy lets a probe reach %s', async (host) => {
  const target = createTarget('http', `http://${host}/latest/meta-data/`, { timeout: 1 });
  expect(await probe(target, openEnvironment)).toMatchObject(BLOCKED);
});

it('a name that changes after it was checked is not looked up again', async () => {
  const closed = await serveHttp((_request, response) => response.end('closed'), '127.0.0.2');
  const allowed = {
    ...strictEnvironment,
    policy: { mode: 'public' as const, allowedCidrs: ['127.0.0.1/32'] },
  };
  let lookups = 0;
  const resolver: Resolver = async () => {
    lookups += 1;
    return [{ address: lookups === 1 ? '127.0.0.1' : '127.0.0.2', family: 4 }];
  };
  const result = await probe(createTarget('http', `http://name.test:${closed.port}`), {
    ...allowed,
    resolver,
  });
  expect(result.error?.code).toBe('connect');
  expect(lookups).toBe(1);
  expect(closed.connections()).toBe(0);
});

it('each hop of a redirect is checked, and the message names no address', async () => {
  const inner = await serveHttp((_request, response) => response.end('inner'), '127.0.0.2');
  const outer = await serveHttp((_request, response) => {
    response.writeHead(302, { location: `http://127.0.0.2:${inner.port}/` }).end();
  });
  const env = { ...strictEnvironment, policy: { mode: 'public' as const, allowedCidrs: ['127.0.0.1/32'] } };
  expect(await probe(createTarget('http', outer.url), env)).toMatchObject({
    outcome: 'failed',
    error: { code: 'blocked', message: 'redirected to a target that is not allowed' },
  });
  expect(inner.connections()).toBe(0);
});
