import { readdirSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { describe, expect, it } from 'vitest';
import { openIcmpSocket } from '@/lib/platform/net/icmp/icmp-echo';
import { loadLibc } from '@/lib/platform/net/icmp/icmp-libc';
import { probe } from '../probe';
import { createTarget, openEnvironment } from '../testing/target';

const libc = await loadLibc().catch(() => null);
const hasIPv6 = Object.values(networkInterfaces())
  .flat()
  .some((one) => one?.address === '::1');
const mayPing = (family: 4 | 6) => {
  const socket = libc === null ? 'none' : openIcmpSocket(libc, family);
  if (typeof socket === 'string') return false;
  socket.close();
  return true;
};
const check = (url: string, resolved: string[] = []) =>
  probe(createTarget('ping', url, { timeout: 1 }), {
    ...openEnvironment,
    resolver: async () => resolved.map((address) => ({ address, family: 0 })),
  });

describe.runIf(mayPing(4))('a ping check', () => {
  it('is ok if the host replies', async () => {
    const result = await check('127.0.0.1');
    expect(result).toMatchObject({ outcome: 'ok', error: null, statusCode: null });
    expect(result.responseTime).toBeGreaterThanOrEqual(0);
  });

  it('resolves names', async () => {
    expect(await check('a.test', ['127.0.0.1'])).toMatchObject({
      outcome: 'ok',
      phases: { dns: expect.any(Number) },
    });
  });

  it.runIf(hasIPv6 && mayPing(6))('supports IPv6', async () => {
    expect(await check('::1')).toMatchObject({ outcome: 'ok' });
  });

  it('runs many concurrently over one socket', async () => {
    const hosts = Array.from({ length: 200 }, (_, index) => `127.0.0.${index + 1}`);
    const results = await Promise.all(hosts.map((host) => check(host)));
    expect(results.every(({ outcome }) => outcome === 'ok')).toBe(true);
  });

  it('leaves no socket open', async () => {
    const count = () => (process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0);
    await check('127.0.0.1');
    const before = count();
    for (let round = 0; round < 20; round += 1) await check('127.0.0.1');
    expect(count()).toBe(before);
  });
});

it('a ping without a reply does not succeed', async () => {
  const result = await check('a.test', []);
  expect(result).toMatchObject({ outcome: 'failed', error: { code: 'dns' } });
});

it.skipIf(mayPing(4))('a worker that is not permitted to ping does not blame the host', async () => {
  const { outcome, error } = await check('127.0.0.1');
  expect(outcome).not.toBe('failed');
  if (outcome === 'unknown') expect(error?.message).toMatch(/^this worker cannot ping: /);
});
