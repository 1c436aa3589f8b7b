import type { TLSSocket } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { findClosedPort, serveHttp, serveHttps } from '@/lib/platform/net/testing/servers';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import type { ProbeTarget } from '@/lib/schemas/monitor/fields';
import { probe } from '../probe';
import type { ProbeEnvironment } from '../probe-environment';
import { createTarget, openEnvironment, strictEnvironment } from '../testing/target';

const noName: ProbeEnvironment['resolver'] = async (name) =>
  Promise.reject(new Error(`${name} was looked up`));

const check = (url: string, changes: Partial<ProbeTarget>, env: Partial<ProbeEnvironment> = {}) =>
  probe(createTarget('http', url, changes), {
    ...openEnvironment,
    resolver: noName,
    evidenceOf: 'any',
    ...env,
  });

describe('connectTo', () => {
  it('is connected to; Host, TLS server name and certificate remain those of the URL', async () => {
    const server = await serveHttps('wrong-host', (request, response) => {
      const { servername } = request.socket as TLSSocket;
      response.end(`${request.headers.host} ${servername}`);
    });
    const connectTo = `127.0.0.1:${server.port}`;
    const good = await check('https://a.test/', { connectTo, keyword: 'a.test a.test' });
    expect(good).toMatchObject({ outcome: 'ok', address: '127.0.0.1' });
    const wrong = await check('https://c.test/', { connectTo });
    expect(wrong.error?.message).toBe('certificate is not valid for c.test (valid for a.test, b.test)');
  });

  it('keeps the port of the URL unless it has one, and can be a name', async () => {
    const server = await serveHttp((_request, response) => response.end());
    const resolver: ProbeEnvironment['resolver'] = async (name) =>
      name === 'edge.test' ? [{ address: '127.0.0.1', family: 4 }] : [];
    const url = `http://shop.test:${server.port}/`;
    expect(await check(url, { connectTo: 'edge.test' }, { resolver })).toMatchObject({ outcome: 'ok' });
    const port = await findClosedPort();
    const refused = await check('http://shop.test/', { connectTo: `127.0.0.1:${port}` });
    expect(refused.error?.message).toBe(`connection refused by 127.0.0.1:${port}`);
  });

  it('holds for redirects to the same host, and not for others', async () => {
    const other = await serveHttp((_request, response) => response.writeHead(201).end());
    const server = await serveHttp((request, response) => {
      if (request.url === '/') response.writeHead(302, { location: '/own' }).end();
      else response.writeHead(302, { location: `http://other.test:${other.port}/` }).end();
    });
    const asked: string[] = [];
    const resolver: ProbeEnvironment['resolver'] = async (name) => {
      asked.push(name);
      return [{ address: '127.0.0.1', family: 4 }];
    };
    const connectTo = `127.0.0.1:${server.port}`;
    const result = await check('http://shop.test/', { connectTo, expectedStatusCode: 201 }, { resolver });
    expect(result).toMatchObject({ outcome: 'ok', statusCode: 201 });
    expect(asked).toEqual(['other.test']);
    expect(server.connections()).toBe(2);
  });

  it('with a port does not hold for another port of the host', async () => {
    const second = await serveHttp((_request, response) => response.writeHead(201).end());
    const first = await serveHttp((_request, response) =>
      response.writeHead(302, { location: `http://shop.test:${second.port}/` }).end(),
    );
    const changes = { connectTo: `127.0.0.1:${first.port}`, expectedStatusCode: 201 };
    expect(await check('http://shop.test/', changes)).toMatchObject({ outcome: 'ok', statusCode: 201 });
  });

  it('is subject to the target policy, also if it is a name', async () => {
    const resolver = async () => [{ address: '127.0.0.1', family: 4 }];
    const env = { ...strictEnvironment, resolver };
    for (const connectTo of ['127.0.0.1', 'edge.test']) {
      const result = await check('https://shop.test/', { connectTo }, env);
      expect(result).toMatchObject({ outcome: 'unknown', error: { code: 'blocked' } });
    }
  });

  it('decides with which version of IP it goes', async () => {
    const parse = (body: object) => createMonitorSchema.safeParse({ name: 'Shop', ...body }).success;
    const url = 'https://shop.test/';
    expect(parse({ url, connectTo: '[::1]:443', ipVersion: '4' })).toBe(false);
    expect(parse({ url, connectTo: '::1', ipVersion: '6' })).toBe(true);
    expect(parse({ url: 'https://127.0.0.1/', connectTo: 'edge.test', ipVersion: '6' })).toBe(true);
  });

  it.each(['edge.test:0', 'http://edge.test', 'edge test', '', '[::1', 'edge.test:99999', 'a@b'])(
    'is not %j',
    (connectTo) => {
      const { error } = createMonitorSchema.safeParse({ name: 'Shop', url: 'https://shop.test/', connectTo });
      expect(error?.issues[0]?.path).toEqual(['connectTo']);
    },
  );
});
