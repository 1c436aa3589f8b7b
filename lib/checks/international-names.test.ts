import { describe, expect, it } from 'vitest';
import { serveDns } from '@/lib/platform/net/testing/dns-server';
import { serveTcp } from '@/lib/platform/net/testing/servers';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { parseInput } from '@/lib/schemas/validation';
import type { Assertion } from './assertions/assertion';
import { probe } from './probe';
import { createTarget, openEnvironment, strictEnvironment } from './testing/target';

const GIVEN = 'münchen.example';
const ASCII = 'xn--mnchen-3ya.example';
const ENCODED = encodeURIComponent(GIVEN);

/** Knows the name as DNS has it, and only that. */
function createResolver(address: string | null) {
  const asked: string[] = [];
  const resolver = async (name: string) => {
    asked.push(name);
    if (name === ASCII && address !== null) return [{ address, family: 4 }];
    throw Object.assign(new Error('unknown'), { code: 'ENOTFOUND' });
  };
  return { asked, env: { ...openEnvironment, resolver } };
}

describe('an internationalized name is stored as given, looked up as punycode and shown as given:', () => {
  it.each([
    ['tcp', `${GIVEN}:443`],
    ['ping', GIVEN],
    ['dns', GIVEN],
    ['dns', `dns:${GIVEN}?type=MX`],
    ['dns', `dns:${ENCODED}?type=MX`],
    ['dns', `dns://${GIVEN}:5353/a.test?type=MX`],
  ] as const)('stored as %s %s', (type, url) => {
    expect(parseInput(createMonitorSchema, { name: 'Shop', type, url }).url).toBe(url);
  });

  it('tcp', async () => {
    const { port } = await serveTcp();
    const { env } = createResolver('127.0.0.1');
    expect(await probe(createTarget('tcp', `${GIVEN}:${port}`), env)).toMatchObject({ outcome: 'ok' });
    const unknown = createResolver(null);
    expect((await probe(createTarget('tcp', `${GIVEN}:${port}`), unknown.env)).error?.message).toBe(
      `host name ${GIVEN} does not exist`,
    );
    expect(unknown.asked).toEqual([ASCII]);
  });

  it('http', async () => {
    const { asked, env } = createResolver(null);
    const result = await probe(createTarget('http', `https://${GIVEN}/`), env);
    expect(result.error?.message).toBe(`host name ${GIVEN} does not exist`);
    expect(asked).toEqual([ASCII]);
  });

  it('ping', async () => {
    const { asked, env } = createResolver(null);
    expect((await probe(createTarget('ping', GIVEN), env)).error?.message).toBe(
      `host name ${GIVEN} does not exist`,
    );
    expect(asked).toEqual([ASCII]);
  });

  it.each([GIVEN, `${GIVEN}.`, `dns:${GIVEN}?type=A`, `dns:${ENCODED}?type=A`])('%s', async (url) => {
    const known = await serveDns(({ type, name }) =>
      name === ASCII && type === 'A' ? { answers: [{ type, name, data: '192.0.2.1' }] } : {},
    );
    const unknown = await serveDns(() => ({ rcode: 'NXDOMAIN' }));
    const silent = await serveDns(() => null);
    const check = (server: string) =>
      probe(createTarget('dns', url, { timeout: 0.3 }), { ...openEnvironment, dnsServers: [server] });
    expect(await check(known.server)).toMatchObject({ outcome: 'ok' });
    expect((await check(unknown.server)).error?.message).toBe(`${GIVEN} does not exist (NXDOMAIN)`);
    expect((await check(silent.server)).error?.message).toMatch(/while looking up münchen\.example$/);
  });

  it('with an ideographic full stop, DNS servers are asked for it', async () => {
    const { server } = await serveDns(() => ({ rcode: 'NXDOMAIN' }));
    const name = GIVEN.replace('.', '。');
    const result = await probe(createTarget('dns', name), { ...openEnvironment, dnsServers: [server] });
    expect(result.error?.message).toBe(`${name} does not exist (NXDOMAIN)`);
  });

  it('the name of a resolver', async () => {
    const { port } = await serveDns(() => ({
      answers: [{ type: 'MX', name: 'a.test', data: { exchange: 'm' } }],
    }));
    const { env } = createResolver('127.0.0.1');
    const target = createTarget('dns', `dns://${GIVEN}:${port}/a.test?type=MX`);
    expect(await probe(target, env)).toMatchObject({ outcome: 'ok' });
  });

  it('in an assertion about a record', async () => {
    const { server } = await serveDns(({ name }) => ({ answers: [{ type: 'CNAME', name, data: ASCII }] }));
    const isGiven: Assertion = {
      source: 'record',
      property: null,
      comparison: 'equals',
      target: `${GIVEN}.`,
    };
    const target = createTarget('dns', 'dns:a.test?type=CNAME', { assertions: [isGiven] });
    const env = { ...openEnvironment, dnsServers: [server] };
    expect(await probe(target, env)).toMatchObject({ outcome: 'ok' });
  });
});

describe('a name is judged by the policy as it is looked up:', () => {
  it.each(['ｌocalhost', 'ａ.localhost', 'ｉntranet', 'intranet。'])('%s is local', async (name) => {
    const asked: string[] = [];
    const resolver = async (host: string) => {
      asked.push(host);
      return [];
    };
    for (const [type, url] of [
      ['ping', name],
      ['tcp', `${name}:80`],
      ['dns', `dns:${name}?type=A`],
    ] as const) {
      const { outcome, error } = await probe(createTarget(type, url), { ...strictEnvironment, resolver });
      expect([outcome, error?.code]).toEqual(['unknown', 'blocked']);
    }
    expect(asked).toEqual([]);
  });

  it.each(['10.0.0.5', '5.0.0.10.in-addr.arpa', '10.in-addr.arpa', 'fd00::1'])(
    'the host name of %s is internal',
    async (name) => {
      const { server, seen } = await serveDns(() => ({}));
      const env = { ...strictEnvironment, dnsServers: [server] };
      const { outcome, error } = await probe(createTarget('dns', `dns:${name}?type=PTR`), env);
      expect([outcome, error?.code]).toEqual(['unknown', 'blocked']);
      expect(seen.udp).toBe(0);
    },
  );
});

it.each([
  ['192.0.2.1', '1.2.0.192.in-addr.arpa'],
  ['2001:db8::1', '1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa'],
])('PTR records of the address %s are those of %s', async (address, name) => {
  const { server } = await serveDns((question) =>
    question.name === name ? { answers: [{ type: 'PTR', name, data: 'host.test' }] } : {},
  );
  const env = { ...openEnvironment, dnsServers: [server] };
  expect(await probe(createTarget('dns', `dns:${address}?type=PTR`), env)).toMatchObject({ outcome: 'ok' });
});
