import { createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findFreePort } from '@/lib/core/ports';
import { checkCanaries, parseCanaryTarget, parseGateways } from './canary';
import { serveDns } from './testing/dns-server';

async function listen(): Promise<number> {
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

const connect = (port: number) => ({ kind: 'connect' as const, address: '127.0.0.1', port });

describe('the canary', () => {
  it('succeeds if a connection is accepted or refused, because both reached a host', async () => {
    expect(await checkCanaries([connect(await listen())])).toBe(true);
    expect(await checkCanaries([connect(await findFreePort())])).toBe(true);
  });

  it('succeeds if a resolver sends any reply, and fails if it is silent', async () => {
    const failing = await serveDns(() => ({ rcode: 'SERVFAIL' }));
    const silent = await serveDns(() => null);
    const resolver = (port: number) => ({
      kind: 'resolver' as const,
      server: { address: '127.0.0.1', port },
    });
    expect(await checkCanaries([resolver(failing.port)])).toBe(true);
    expect(await checkCanaries([resolver(silent.port)])).toBe(false);
    const both = checkCanaries([resolver(silent.port), resolver(failing.port)]);
    const alone = checkCanaries([resolver(silent.port)]);
    expect(await Promise.race([both, alone]), 'does not wait for the silent one').toBe(true);
    await alone;
  });

  it('is unknown without a target', async () => {
    expect(await checkCanaries([])).toBeNull();
  });

  it('is configured by NETWORK_CANARY', () => {
    expect(parseCanaryTarget('10.0.0.1')).toEqual({ kind: 'ping', address: '10.0.0.1' });
    expect(parseCanaryTarget('10.0.0.1:443')).toEqual({ kind: 'connect', address: '10.0.0.1', port: 443 });
    expect(parseCanaryTarget('gateway.internal')).toBeNull();
  });

  it('is the default gateway of the routing table', () => {
    const routes = [
      'Iface\tDestination\tGateway\tFlags',
      'eth0\t00000000\t0101A8C0\t0003',
      'eth0\t0001A8C0\t00000000\t0001',
    ].join('\n');
    expect(parseGateways(routes)).toEqual(['192.168.1.1']);
  });
});
