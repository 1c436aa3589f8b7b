import { describe, expect, it } from 'vitest';
import { serveDns } from '@/lib/platform/net/testing/dns-server';
import {
  findClosedPort,
  serveBytes,
  serveHttp,
  serveHttps,
  serveTcp,
} from '@/lib/platform/net/testing/servers';
import type { ProbeTarget } from '@/lib/schemas/monitor/fields';
import { NO_EVIDENCE } from './evidence';
import { probe } from './probe';
import type { ProbeEnvironment } from './probe-environment';
import { createTarget, openEnvironment, strictEnvironment } from './testing/target';

type Asked = { type?: ProbeTarget['type']; target?: Partial<ProbeTarget>; env?: Partial<ProbeEnvironment> };

async function see(url: string, { type = 'http', target = {}, env = {} }: Asked = {}) {
  const result = await probe(createTarget(type, url, target), {
    ...openEnvironment,
    evidenceOf: 'any',
    ...env,
  });
  return { result, seen: result.evidence?.() ?? null };
}

describe('which results carry what the check saw', () => {
  it.each([
    [undefined, 200, false],
    ['failed', 200, false],
    ['ok', 200, true],
    ['any', 200, true],
    [undefined, 500, false],
    ['failed', 500, true],
    ['ok', 500, false],
    ['any', 500, true],
  ] as const)('with evidenceOf %s and status %d', async (evidenceOf, status, carries) => {
    const server = await serveHttp((_request, response) => response.writeHead(status).end('body'));
    const { seen } = await see(server.url, { env: { evidenceOf } });
    expect(seen !== null).toBe(carries);
  });

  it('never one that says nothing of the target', async () => {
    const { result, seen } = await see('http://127.0.0.1:9', { env: strictEnvironment });
    expect(result.outcome).toBe('unknown');
    expect(seen).toBeNull();
  });
});

describe('what an http check saw', () => {
  it('is the response, from where, without cookies', async () => {
    const server = await serveHttp((_request, response) =>
      response
        .writeHead(503, 'Out of order', {
          'content-type': 'text/plain',
          'set-cookie': ['session=s3cret', 'b=s3cret'],
          date: 'x',
          connection: 'close',
        })
        .end('the database is full'),
    );
    const { seen } = await see(server.url.replace('127.0.0.1', 'localhost'));
    expect(seen).toEqual({
      ...NO_EVIDENCE,
      address: '127.0.0.1',
      addresses: expect.arrayContaining(['127.0.0.1']),
      statusLine: 'HTTP/1.1 503 Out of order',
      headers: {
        'content-type': 'text/plain',
        'set-cookie': '[hidden]',
        date: 'x',
        connection: 'close',
        'transfer-encoding': 'chunked',
      },
      body: {
        text: 'the database is full',
        size: 20,
        truncated: false,
        type: 'text/plain',
        encoding: null,
      },
    });
  });

  it('contains the redirects, each with where it led, without passwords', async () => {
    const server = await serveHttp((request, response) => {
      const next = request.url === '/' ? '/one?token=x' : 'ftp://me:pass@example.com/';
      response.writeHead(request.url === '/' ? 302 : 307, { location: next }).end();
    });
    const { result, seen } = await see(server.url);
    expect(result.error?.code).toBe('redirect');
    expect(seen?.redirects).toEqual([{ statusCode: 302, location: `${server.url}/one?token=x` }]);
    expect(seen?.headers.location).toBe('ftp://[hidden]@example.com/');
  });

  it('is a part of the response if it ended too early', async () => {
    const bytes = 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf of it';
    const server = await serveBytes(bytes, (socket) => socket.destroy());
    const { result, seen } = await see(server.url);
    expect(result.error?.code).toBe('connection_lost');
    expect(seen).toMatchObject({
      statusLine: 'HTTP/1.1 200 OK',
      body: { text: 'half of it', truncated: true },
    });
  });

  it('is the address if nothing else came', async () => {
    const server = await serveTcp((socket) => socket.destroy());
    expect((await see(server.url)).seen).toEqual({ ...NO_EVIDENCE, address: '127.0.0.1' });
  });

  it('are the addresses of the name if none could be connected to', async () => {
    const { seen } = await see(`http://localhost:${await findClosedPort()}`);
    expect(seen).toMatchObject({ address: null, addresses: expect.arrayContaining(['127.0.0.1']) });
  });

  it('is bounded, whatever the server sends', async () => {
    const server = await serveHttp((_request, response) => {
      for (let n = 0; n < 60; n++) response.setHeader(`x-${n}`, 'y'.repeat(1000));
      response.writeHead(500).end('z'.repeat(2 * 1024 * 1024));
    });
    const { seen } = await see(server.url);
    expect(seen?.body).toMatchObject({ size: 1024 * 1024, truncated: true });
    expect(JSON.stringify(seen).length).toBeLessThan(40_000);
  });
});

describe('the certificates that an https check saw', () => {
  it.each([
    ['expired', /^certificate expired \d{4} days ago$/],
    ['wrong-host', /^certificate is not valid for 127\.0\.0\.1/],
    ['self-signed', /^certificate is self-signed$/],
  ] as const)('include one that is %s, and why it was rejected', async (certificate, why) => {
    const server = await serveHttps(certificate);
    const { seen } = await see(server.url);
    expect(seen?.certificateError).toMatch(why);
    expect(seen?.certificates[0]).toMatchObject({
      subject: expect.stringMatching(/^CN=/),
      issuer: expect.stringMatching(/^CN=/),
      validFrom: expect.stringMatching(/^\d{4}-.*Z$/),
      validTo: expect.stringMatching(/^\d{4}-.*Z$/),
    });
  });

  it('lead from that of the server to its authority', async () => {
    const server = await serveHttps('good', (_request, response) => response.writeHead(500).end());
    const { seen } = await see(server.url);
    expect(seen?.certificateError).toBeNull();
    expect(seen?.certificates.map(({ issuer }) => issuer)).toEqual(['CN=Test CA', 'CN=Test CA']);
  });

  it('are shown with why they are not trusted even if that does not matter', async () => {
    const server = await serveHttps('self-signed');
    const { result, seen } = await see(server.url, { target: { tlsVerify: false } });
    expect(result.outcome).toBe('ok');
    expect(seen?.certificateError).toBe('certificate is self-signed');
    expect(seen?.certificates).toHaveLength(1);
  });

  it('lead to their authority even if they are not trusted, and that does not matter', async () => {
    const server = await serveHttps('expired', undefined, { sendsAuthority: true });
    const { result, seen } = await see(server.url, { target: { tlsVerify: false } });
    expect(result.outcome).toBe('ok');
    expect(seen?.certificateError).toMatch(/^certificate expired/);
    expect(seen?.certificates.map(({ subject }) => subject)).toEqual(['CN=a.test', 'CN=Test CA']);
    expect(seen?.certificates[0]?.names).toContain('a.test');
  });
});

it('a tcp check saw the address it reached', async () => {
  const server = await serveTcp();
  const { seen } = await see(`localhost:${server.port}`, { type: 'tcp' });
  expect(seen).toMatchObject({ address: '127.0.0.1', addresses: expect.arrayContaining(['127.0.0.1']) });
  const refused = await see(`localhost:${await findClosedPort()}`, { type: 'tcp' });
  expect(refused.seen).toMatchObject({ address: null, addresses: expect.arrayContaining(['127.0.0.1']) });
});

it('a ping saw the address that replied', async () => {
  const { result, seen } = await see('127.0.0.1', { type: 'ping' });
  expect(seen).toEqual(
    result.outcome === 'ok' ? { ...NO_EVIDENCE, addresses: ['127.0.0.1'], address: '127.0.0.1' } : null,
  );
});

describe('what a dns check saw', () => {
  it('are the queries with their answers', async () => {
    const { server } = await serveDns(({ type }) => {
      if (type === 'MX')
        return { answers: [{ type: 'MX', name: 'a.test', data: { preference: 10, exchange: 'm.test' } }] };
      return type === 'TXT' ? { answers: [{ type: 'TXT', name: 'a.test', data: ['v=spf1', ' -all'] }] } : {};
    });
    const env = { dnsServers: [server] };
    const mx = await see('dns:a.test?type=MX', { type: 'dns', env });
    const [query] = mx.seen?.dnsQueries ?? [];
    expect(query).toEqual({ type: 'MX', server, rcode: 'NOERROR', answers: ['10 m.test'] });
    const txt = await see('dns:a.test?type=TXT', { type: 'dns', env });
    expect(txt.seen?.dnsQueries[0]?.answers).toEqual(['v=spf1 -all']);
    const none = await see('a.test', { type: 'dns', env });
    expect(none.result.error?.code).toBe('no_record');
    expect(none.seen?.dnsQueries.map(({ type, answers }) => [type, answers])).toEqual([
      ['A', []],
      ['AAAA', []],
    ]);
  });

  it('includes the error that a server returned', async () => {
    const { server } = await serveDns(() => ({ rcode: 'SERVFAIL' }));
    const { seen } = await see('a.test', { type: 'dns', env: { dnsServers: [server] } });
    expect(seen?.dnsQueries).toEqual([
      { type: 'A', server, rcode: 'SERVFAIL', answers: [] },
      { type: 'AAAA', server, rcode: 'SERVFAIL', answers: [] },
    ]);
  });
});
