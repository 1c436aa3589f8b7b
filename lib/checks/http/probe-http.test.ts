import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { findClosedPort, serveBytes, serveHttp, serveTcp } from '@/lib/platform/net/testing/servers';
import type { ProbeTarget } from '@/lib/schemas/monitor/fields';
import { probe } from '../probe';
import { createTarget, openEnvironment } from '../testing/target';

const check = (url: string, changes: Partial<ProbeTarget> = {}) =>
  probe(createTarget('http', url, changes), openEnvironment);

describe('a good response', () => {
  it('is ok, with status, times and no error', async () => {
    const server = await serveHttp((_request, response) => response.end('hello'));
    expect(await check(server.url)).toEqual({
      outcome: 'ok',
      responseTime: expect.any(Number),
      statusCode: 200,
      error: null,
      phases: {
        dns: null,
        connect: expect.any(Number),
        tls: null,
        firstByte: expect.any(Number),
        transfer: expect.any(Number),
      },
      certificateExpiresAt: null,
      certificateIssuer: null,
      certificateName: null,
      bodySize: expect.any(Number),
      networkFailure: false,
      address: '127.0.0.1',
      evidence: null,
    });
  });

  it('measures the resolution of a name', async () => {
    const server = await serveHttp((_request, response) => response.end());
    const resolver = async () => [{ address: '127.0.0.1', family: 4 }];
    const target = createTarget('http', `http://a.test:${server.port}`);
    const result = await probe(target, { ...openEnvironment, resolver });
    expect(result.outcome).toBe('ok');
    expect(result.phases.dns).toBeGreaterThanOrEqual(0);
  });

  it('may take its time within the timeout', async () => {
    const server = await serveHttp((_request, response) => setTimeout(() => response.end(), 150));
    const result = await check(server.url);
    expect(result.outcome).toBe('ok');
    expect(result.responseTime).toBeGreaterThanOrEqual(149);
  });

  it('comes after interim responses', async () => {
    const server = await serveBytes(
      'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok',
    );
    expect(await check(server.url, { keyword: 'ok' })).toMatchObject({ outcome: 'ok', statusCode: 200 });
  });

  it('may switch protocols if that is expected', async () => {
    const server = await serveBytes(
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
    );
    expect(await check(server.url, { expectedStatusCode: 101 })).toMatchObject({
      outcome: 'ok',
      statusCode: 101,
    });
  });
});

describe('a response that curl accepts', () => {
  const head = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n';
  it.each<[what: string, bytes: string, changes?: Partial<ProbeTarget>]>([
    ['has bytes after its Content-Length', `${head}\r\nok and more`],
    ['has a body after HEAD', `${head}\r\nok`, { method: 'HEAD' }],
    ['has headers that end in bare LF', `${head}\r\nok`.replaceAll('\r\n', '\n')],
    ['names the same Content-Length twice', `${head}Content-Length: 2\r\n\r\nok`],
  ])('is ok if it %s', async (_what, bytes, changes = { keyword: 'ok' }) => {
    const server = await serveBytes(bytes);
    expect(await check(server.url, changes)).toMatchObject({ outcome: 'ok', statusCode: 200 });
  });
});

describe('the request', () => {
  it('carries method, headers and body of the monitor, and our User-Agent', async () => {
    let seen = '';
    const server = await serveHttp(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const { host, 'user-agent': agent, 'x-one': one, 'content-length': length } = request.headers;
      seen = [request.method, request.url, host, agent, one, length, Buffer.concat(chunks)].join('|');
      response.end();
    });
    await check(`${server.url}/a?b=c`, { method: 'DELETE', headers: { 'X-One': '1' }, body: 'häh' });
    expect(seen).toBe(`DELETE|/a?b=c|127.0.0.1:${server.port}|Pharos-Monitor/1.0|1|4|häh`);
  });

  it('lets the monitor set its own User-Agent, in any spelling', async () => {
    let agent: string | undefined;
    const server = await serveHttp((request, response) => {
      agent = request.headers['user-agent'];
      response.end();
    });
    await check(server.url, { headers: { 'USER-AGENT': 'mine' } });
    expect(agent).toBe('mine');
  });

  it('that cannot be sent is a failure, not a crash', async () => {
    const result = await check('http://127.0.0.1:9', { headers: { 'x-a': 'b\r\nc: d' } });
    expect(result.outcome).toBe('failed');
  });
});

describe('a wrong response', () => {
  it('with another status fails and keeps status and time', async () => {
    const server = await serveHttp((_request, response) => response.writeHead(503).end());
    const result = await check(server.url);
    expect(result).toMatchObject({
      outcome: 'failed',
      statusCode: 503,
      responseTime: expect.any(Number),
      networkFailure: false,
      error: { code: 'status', message: 'responded with 503, expected 200' },
    });
  });

  it('without the keyword fails', async () => {
    const server = await serveHttp((_request, response) => response.end('all is wéll'));
    expect(await check(server.url, { keyword: 'wéll' })).toMatchObject({ outcome: 'ok' });
    expect(await check(server.url, { keyword: 'broken' })).toMatchObject({
      outcome: 'failed',
      error: { code: 'keyword', message: 'the response body does not contain “broken”' },
    });
  });

  it('is searched for the keyword in its character set', async () => {
    const server = await serveHttp((_request, response) => {
      response.setHeader('content-type', 'text/html; charset=iso-8859-1');
      response.end(Buffer.from('grün', 'latin1'));
    });
    expect(await check(server.url, { keyword: 'grün' })).toMatchObject({ outcome: 'ok' });
  });

  it('is searched for a split keyword, but not beyond the first MiB of an endless body', async () => {
    const server = await serveHttp((request, response) => {
      response.write('key');
      response.write('word');
      const pour = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536, 'x')));
      };
      response.on('drain', pour);
      request.on('close', () => response.destroy());
      pour();
    });
    expect(await check(server.url, { keyword: 'keyword' })).toMatchObject({ outcome: 'ok' });
    const { error } = await check(server.url, { keyword: 'never' });
    expect(error?.message).toBe('the first 1 MiB of the response body does not contain “never”');
  });

  it('with huge headers is an ordinary failure', async () => {
    const server = await serveBytes(`HTTP/1.1 200 OK\r\nX-Big: ${'a'.repeat(100_000)}\r\n\r\n`);
    const { error } = await check(server.url);
    expect(error).toEqual({
      code: 'protocol',
      message: `127.0.0.1:${server.port} sent headers larger than 64 KiB`,
    });
  });

  it('that is not HTTP is reported as such', async () => {
    const server = await serveBytes('SSH-2.0-OpenSSH_9.6\r\n');
    const { error } = await check(server.url);
    expect(error).toEqual({
      code: 'protocol',
      message: `127.0.0.1:${server.port} sent bytes that are not HTTP`,
    });
  });
});

describe('no response', () => {
  it('on a closed port is a refused connection', async () => {
    const port = await findClosedPort();
    expect(await check(`http://127.0.0.1:${port}`)).toMatchObject({
      outcome: 'failed',
      responseTime: null,
      networkFailure: false,
      error: { code: 'connect', message: `connection refused by 127.0.0.1:${port}` },
    });
  });

  it('from a name that does not exist is a DNS failure', async () => {
    const resolver = async () => {
      throw Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' });
    };
    const target = createTarget('http', 'http://example.test');
    expect(await probe(target, { ...openEnvironment, resolver })).toMatchObject({
      networkFailure: true,
      error: { code: 'dns', message: 'host name example.test does not exist' },
    });
  });

  it('within the timeout fails', async () => {
    const server = await serveTcp();
    expect(await check(server.url, { timeout: 1 })).toMatchObject({
      outcome: 'failed',
      responseTime: null,
      networkFailure: true,
      error: {
        code: 'timeout',
        message: `no response within 1s while waiting for the first byte from 127.0.0.1:${server.port}`,
      },
    });
  });

  it('from a resolver that never returns ends with the timeout', async () => {
    const target = createTarget('http', 'http://example.test', { timeout: 1 });
    const result = await probe(target, { ...openEnvironment, resolver: () => new Promise(() => {}) });
    expect(result.error).toEqual({
      code: 'timeout',
      message: 'no response within 1s while looking up example.test',
    });
  });

  it.each([
    ['hangs', 0],
    ['has a length and drips a byte at a time', 50],
  ])('to the end, when the body %s, fails with the timeout and keeps the status', async (_what, everyMs) => {
    const server = await serveHttp((_request, response) => {
      if (everyMs > 0) response.setHeader('content-length', 1000);
      response.write('a');
      if (everyMs === 0) return;
      const timer = setInterval(() => response.write('a'), everyMs);
      response.on('close', () => clearInterval(timer));
    });
    const result = await check(server.url, { timeout: 1 });
    expect(result).toMatchObject({ outcome: 'failed', statusCode: 200, error: { code: 'timeout' } });
    expect(result.phases.firstByte).not.toBeNull();
    expect(result.phases.transfer).toBeNull();
  });

  it('but a reset is a lost connection', async () => {
    const server = await serveTcp((socket) => socket.once('data', () => socket.resetAndDestroy()));
    expect(await check(server.url)).toMatchObject({
      networkFailure: false,
      error: {
        code: 'connection_lost',
        message: `connection reset by 127.0.0.1:${server.port} before a response`,
      },
    });
  });

  it('but a closed connection is reported as such', async () => {
    const server = await serveTcp((socket) => socket.once('data', () => socket.end()));
    const { error } = await check(server.url);
    expect(error?.message).toBe(`connection closed by 127.0.0.1:${server.port} before a response`);
  });

  it('but half of one is reported as such', async () => {
    const server = await serveBytes('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf', (socket) =>
      socket.end(),
    );
    const { error } = await check(server.url);
    expect(error?.message).toBe(`connection closed by 127.0.0.1:${server.port} during the response`);
  });

  it('because the worker stopped is unknown', async () => {
    const server = await serveTcp();
    const stop = new AbortController();
    const running = probe(createTarget('http', server.url), { ...openEnvironment, signal: stop.signal });
    stop.abort();
    expect(await running).toMatchObject({ outcome: 'unknown', error: { code: 'unavailable' } });
  });

  it('from an invalid URL is a failure', async () => {
    expect(await check('http://')).toMatchObject({ outcome: 'failed', error: { code: 'protocol' } });
  });
});

it('keeps messages short and without NUL, whatever the peer sends', async () => {
  const keyword = `\0${createHash('sha256').update(randomBytes(8)).digest('hex').repeat(20)}`;
  const server = await serveHttp((_request, response) => response.end());
  const { error } = await check(server.url, { keyword });
  expect(error?.message.length).toBeLessThanOrEqual(500);
  expect(error?.message).not.toContain('\0');
});
