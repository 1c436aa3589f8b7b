import { describe, expect, it, vi } from 'vitest';
import { echo } from '@/lib/platform/net/icmp/icmp-echo';
import { NetError } from '@/lib/platform/net/net-error';
import { probe } from '../probe';
import { createTarget, openEnvironment } from '../testing/target';

// No address of loopback is silent, and no other may be pinged from a test.
vi.mock(import('@/lib/platform/net/icmp/icmp-echo'), async (original) => ({
  ...(await original()),
  echo: vi.fn(),
}));

const SILENT = '2001:db8::1';
const UNREACHABLE = '2001:db8::2';
const RESPONDING = '192.0.2.1';

const ping = (...addresses: string[]) => {
  vi.mocked(echo).mockImplementation((address, signal) => {
    if (address === RESPONDING) return Promise.resolve(7);
    if (address === UNREACHABLE) return Promise.reject(new NetError('connect', `no route to ${address}`));
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  });
  const resolver = async () => addresses.map((address) => ({ address, family: 0 }));
  return probe(createTarget('ping', 'a.test', { timeout: 1 }), { ...openEnvironment, resolver });
};

describe('a ping check of a name with several addresses', () => {
  it('is ok if only a later address responds, whether the first is silent or unreachable', async () => {
    expect(await ping(SILENT, RESPONDING)).toMatchObject({ outcome: 'ok', responseTime: 7 });
    expect(await ping(UNREACHABLE, RESPONDING)).toMatchObject({ outcome: 'ok', responseTime: 7 });
  });

  it('fails if none responds', async () => {
    expect(await ping(SILENT, UNREACHABLE)).toMatchObject({
      outcome: 'failed',
      error: { code: 'no_reply', message: 'no echo reply within 1s' },
    });
    expect(await ping(UNREACHABLE, UNREACHABLE)).toMatchObject({
      outcome: 'failed',
      error: { code: 'connect' },
    });
  });
});
