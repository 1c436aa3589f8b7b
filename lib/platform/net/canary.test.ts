import { createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findFreePort } from '@/lib/core/ports';
import { createOwnNetwork, isReachable, parseCanaryTarget, parseGateways, parseIpv6Gateways } from './canary';
import { readLinks } from './links';
import { serveDns } from './testing/dns-server';

async function listen(): Promise<number> {
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

const connect = (port: number) => ({ kind: 'connect' as const, address: '127.0.0.1', port });

const LAN = { address: '10.1.0.2', cidr: '10.1.0.2/24', netmask: '255.255.255.0', mac: '02:00:00:00:00:01' };
const LINKS = readLinks({ lan: [{ ...LAN, family: 'IPv4', internal: false }] });

describe('a canary', () => {
  it('responds if a connection is accepted or refused, because both reached a host', async () => {
    expect(await isReachable(connect(await listen()))).toBe(true);
    expect(await isReachable(connect(await findFreePort()))).toBe(true);
  });

  it('that is a resolver responds with any reply', async () => {
    const failing = await serveDns(() => ({ rcode: 'SERVFAIL' }));
    const server = { address: '127.0.0.1', port: failing.port };
    expect(await isReachable({ kind: 'resolver', server })).toBe(true);
  });

  it('is configured by NETWORK_CANARY', () => {
    expect(parseCanaryTarget('10.0.0.1')).toEqual({ kind: 'ping', address: '10.0.0.1' });
    expect(parseCanaryTarget('10.0.0.1:443')).toEqual({ kind: 'connect', address: '10.0.0.1', port: 443 });
    expect(parseCanaryTarget('gateway.internal')).toBeNull();
  });

  it('is proof for the way it is on', async () => {
    const proofs = await createOwnNetwork(['192.0.2.1', '10.1.0.7:80', '127.0.0.1'], []).listProofs(LINKS);
    expect(proofs.filter(({ isConfigured }) => isConfigured)).toMatchObject([
      { id: '192.0.2.1', way: 'routed' },
      { id: '10.1.0.7:80', way: 'on-link lan' },
      { id: '127.0.0.1', way: 'routed' },
    ]);
    expect(proofs.some(({ id }) => id === 'lookup')).toBe(false);
  });
});

describe('the lookup that is the default proof', () => {
  /** What the lookup proves with these resolvers. */
  const lookUp = async (...servers: string[]) => {
    const proofs = await createOwnNetwork([], servers).listProofs(LINKS);
    return proofs.find(({ id, way }) => id === 'lookup' && way === 'routed')?.ask();
  };

  it('works if a resolver knows, or knows that there is none', async () => {
    const existing = await serveDns(() => ({}));
    const missing = await serveDns(() => ({ rcode: 'NXDOMAIN' }));
    expect(await lookUp(existing.server)).toBe(true);
    expect(await lookUp(missing.server)).toBe(true);
  });

  it('fails with an error code and in silence, which another resolver outweighs', async () => {
    const failing = await serveDns(() => ({ rcode: 'SERVFAIL' }));
    const refusing = await serveDns(() => ({ rcode: 'REFUSED' }));
    const silent = await serveDns(() => null);
    const missing = await serveDns(() => ({ rcode: 'NXDOMAIN' }));
    expect(await lookUp(failing.server, refusing.server)).toBe(false);
    const [alone, together] = [lookUp(silent.server), lookUp(silent.server, failing.server, missing.server)];
    expect(await Promise.race([alone, together]), 'does not wait for the silent one').toBe(true);
    expect(await alone).toBe(false);
  });

  it('asks each time for a name that no cache can hold', async () => {
    const names: string[] = [];
    const { server } = await serveDns(({ name }) => {
      names.push(name);
      return { rcode: 'NXDOMAIN' };
    });
    await lookUp(server);
    await lookUp(server);
    expect(new Set(names).size).toBe(2);
    expect(names).toEqual([expect.stringMatching(/^[0-9a-f]{32}\.com$/), expect.any(String)]);
  });
});

describe('the gateways', () => {
  it('are those of the default routes, on their links', () => {
    const routes = [
      'Iface\tDestination\tGateway\tFlags',
      'eth0\t00000000\t0101A8C0\t0003',
      'eth0\t0001A8C0\t00000000\t0001',
    ].join('\n');
    expect(parseGateways(routes)).toEqual([{ address: '192.168.1.1', link: 'eth0' }]);
  });

  it('of IPv6 may be valid on their link only', () => {
    const none = '0'.repeat(32);
    const route = (to: string, bits: string, gateway: string) =>
      `${to} ${bits} ${none} 00 ${gateway} 00000400 00000003 00000000 00000003     eth0`;
    const routes = [
      route(none, '00', 'fe800000000000000000000000000001'),
      route(none, '00', '20010db8000000000000000000000001'),
      route('fd000000000000000000000000000000', '40', none),
      route(none, '00', none),
    ];
    expect(parseIpv6Gateways(routes.join('\n'))).toEqual([
      { address: 'fe80:0000:0000:0000:0000:0000:0000:0001%eth0', link: 'eth0' },
      { address: '2001:0db8:0000:0000:0000:0000:0000:0001', link: 'eth0' },
    ]);
  });
});
