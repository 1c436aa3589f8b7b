import { describe, expect, it } from 'vitest';
import { findClosedPort, serveTcp } from '@/lib/platform/net/testing/servers';
import { probe } from '../probe';
import { createTarget, openEnvironment } from '../testing/target';

const check = (url: string, resolved: string[] = []) =>
  probe(createTarget('tcp', url), {
    ...openEnvironment,
    resolver: async () => resolved.map((address) => ({ address, family: 0 })),
  });

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
      networkFailure: true,
      error: { code: 'connect', message: `connection refused by 127.0.0.1:${port}` },
      phases: { dns: expect.any(Number), connect: null },
    });
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
