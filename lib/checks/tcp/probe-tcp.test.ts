import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { findClosedPort, serveTcp } from '@/lib/platform/net/testing/servers';
import type { Assertion } from '../assertions/assertion';
import { probe } from '../probe';
import { createTarget, openEnvironment } from '../testing/target';

const check = (url: string, resolved: string[] = []) =>
  probe(createTarget('tcp', url), {
    ...openEnvironment,
    resolver: async () => resolved.map((address) => ({ address, family: 0 })),
  });

async function see(port: number, assertions: Assertion[] = [], during = () => {}) {
  const target = createTarget('tcp', `127.0.0.1:${port}`, { assertions });
  const checked = probe(target, { ...openEnvironment, evidenceOf: 'any' });
  // The kernel has accepted the connection as soon as the check asks for it, which it does before anything is polled.
  for (let turn = 0; turn < 10; turn += 1) await new Promise<void>((resolve) => process.nextTick(resolve));
  during();
  const result = await checked;
  return { port, result, evidence: result.evidence?.() };
}

/** A reset that arrives before the check polls its connection: the listener ends with the connection still in its queue. */
async function resetUnseen(assertions?: Assertion[]) {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return see(port, assertions, () => server.close());
}

async function resetOnAccept(assertions?: Assertion[]) {
  const { port } = await serveTcp((socket) => socket.resetAndDestroy());
  return see(port, assertions);
}

describe('a tcp check', () => {
  it('is ok if the connection is accepted', async () => {
    const server = await serveTcp();
    expect(await check(`127.0.0.1:${server.port}`)).toMatchObject({
      outcome: 'ok',
      responseTime: expect.any(Number),
      statusCode: null,
      phases: { dns: null, connect: expect.any(Number), firstByte: null },
    });
  });

  it('is ok if only a later address of the name accepts', async () => {
    const server = await serveTcp();
    expect(await check(`a.test:${server.port}`, ['127.0.0.2', '127.0.0.1'])).toMatchObject({ outcome: 'ok' });
  });

  it('fails if the port is closed', async () => {
    const port = await findClosedPort();
    expect(await check(`a.test:${port}`, ['127.0.0.1', '127.0.0.2'])).toMatchObject({
      outcome: 'failed',
      networkFailure: false,
      address: '127.0.0.1',
      error: { code: 'connect', message: `connection refused by 127.0.0.1:${port}` },
      phases: { dns: expect.any(Number), connect: null },
    });
  });

  it.each([
    ['is reset before the check sees that it was accepted', resetUnseen],
    ['is reset afterwards', resetOnAccept],
  ])('is ok if the connection %s, which is evidence', async (_when, serve) => {
    const { result, evidence } = await serve();
    expect(result).toMatchObject({ outcome: 'ok', phases: { connect: expect.any(Number) } });
    expect(evidence).toMatchObject({ address: '127.0.0.1', wasReset: true });
  });

  it.each([
    ['is reset before the check sees that it was accepted', resetUnseen],
    ['is reset afterwards', resetOnAccept],
  ])('fails if a banner is expected and the connection %s', async (_when, serve) => {
    const { port, result, evidence } = await serve([
      { source: 'banner', property: null, comparison: 'notContains', target: 'ERR' },
    ]);
    expect(result).toMatchObject({
      outcome: 'failed',
      networkFailure: false,
      error: {
        code: 'connection_lost',
        message: `connection reset by 127.0.0.1:${port} before a response`,
      },
    });
    expect(evidence).toMatchObject({ address: '127.0.0.1', wasReset: true });
  });

  it('fails if the name has no address', async () => {
    expect((await check('a.test:80')).error).toEqual({
      code: 'dns',
      message: 'host name a.test has no address',
    });
  });

  it.each(['a.test', 'a.test:0', 'a.test:99999', 'http://a.test:80', '[::1]'])(
    'rejects %s, which is not host:port',
    async (url) => {
      expect(await check(url)).toMatchObject({ outcome: 'failed', error: { code: 'protocol' } });
    },
  );
});
