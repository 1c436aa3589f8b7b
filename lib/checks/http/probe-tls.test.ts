import { describe, expect, it } from 'vitest';
import { serveBytes, serveHttp, serveHttps, serveTcp } from '@/lib/platform/net/testing/servers';
import type { ProbeTarget } from '@/lib/schemas/monitor/fields';
import { probe } from '../probe';
import { createTarget, openEnvironment } from '../testing/target';

const check = (url: string, changes: Partial<ProbeTarget> = {}) =>
  probe(createTarget('http', url, changes), openEnvironment);

describe('TLS', () => {
  it('with a good certificate is ok, and shows when it expires and who issued it', async () => {
    const server = await serveHttps('good');
    const result = await check(server.url);
    expect(result).toMatchObject({ outcome: 'ok', certificateExpiresAt: new Date('2120-01-01T00:00:00Z') });
    expect(result.certificateIssuer).toBe('Test CA');
    expect(result.phases.tls).not.toBeNull();
  });

  it.each([
    ['expired', /^certificate expired \d{4} days ago$/],
    ['wrong-host', /^certificate is not valid for 127\.0\.0\.1 \(valid for a\.test, b\.test\)$/],
    ['self-signed', /^certificate is self-signed$/],
  ] as const)(
    'with a certificate that is %s fails, and still shows when it expires',
    async (certificate, message) => {
      const server = await serveHttps(certificate);
      const result = await check(server.url);
      expect(result).toMatchObject({ outcome: 'failed', networkFailure: false, error: { code: 'tls' } });
      expect(result.error?.message).toMatch(message);
      expect(result.certificateExpiresAt).toBeInstanceOf(Date);
    },
  );

  it('fails with a certificate from an unknown authority', async () => {
    const server = await serveHttps('good', undefined, { sendsAuthority: true });
    const result = await probe(createTarget('http', server.url), {
      ...openEnvironment,
      secureContext: undefined,
    });
    expect(result.error?.message).toBe('certificate was issued by an unknown authority');
  });

  it.each(['expired', 'wrong-host', 'self-signed'] as const)(
    'accepts %s if tlsVerify is off',
    async (certificate) => {
      const server = await serveHttps(certificate);
      expect(await check(server.url, { tlsVerify: false })).toMatchObject({ outcome: 'ok' });
    },
  );

  it('sends nothing to a server whose certificate is rejected', async () => {
    let requests = 0;
    const server = await serveHttps('wrong-host', (_request, response) => {
      requests += 1;
      response.end();
    });
    await check(server.url);
    expect(requests).toBe(0);
  });

  it('verifies the certificate for the name, which it sends as SNI', async () => {
    const server = await serveHttps('wrong-host', (request, response) => {
      response.end('servername' in request.socket ? String(request.socket.servername) : '');
    });
    const resolver = async () => [{ address: '127.0.0.1', family: 4 }];
    const target = createTarget('http', `https://b.test:${server.port}`, { keyword: 'b.test' });
    expect(await probe(target, { ...openEnvironment, resolver })).toMatchObject({ outcome: 'ok' });
  });

  it('with a server that does not speak it is reported as such', async () => {
    const server = await serveHttp((_request, response) => response.end());
    const { error } = await check(server.url.replace('http:', 'https:'));
    expect(error).toEqual({ code: 'tls', message: `127.0.0.1:${server.port} does not speak TLS` });
  });

  const alert = (code: number) => Buffer.from([0x15, 3, 3, 0, 2, 2, code]);
  const hello = (version: number) =>
    Buffer.from([0x16, 3, version, 0, 42, 2, 0, 0, 38, 3, version, ...Array(32).fill(7), 0, 0, 0x2f, 0]);

  it.each([
    ['TLS 1.0', hello(1), 'supports only outdated versions of TLS; Pharos uses 1.2 and 1.3'],
    ['TLS 1.1', hello(2), 'supports only outdated versions of TLS; Pharos uses 1.2 and 1.3'],
    ['an unknown name', alert(112), 'has no certificate for this host name'],
    ['an internal error', alert(80), 'reported an internal error during the TLS handshake'],
    ['anything else', alert(49), 'refused the TLS handshake (access denied)'],
  ])('with a server that responds with %s is reported in plain words', async (_what, bytes, message) => {
    const server = await serveBytes(bytes, (socket) => socket.end());
    const { error } = await check(server.url.replace('http:', 'https:'));
    expect(error).toEqual({ code: 'tls', message: `127.0.0.1:${server.port} ${message}` });
  });

  it('without a handshake ends with the timeout', async () => {
    const server = await serveTcp();
    const { error } = await check(server.url.replace('http:', 'https:'), { timeout: 1 });
    expect(error?.code).toBe('timeout');
  });
});

describe('the certificate that ends first', () => {
  const resolver = async () => [{ address: '127.0.0.1', family: 4 }];
  const checkName = (url: string, changes: Partial<ProbeTarget> = {}) =>
    probe(createTarget('http', url, changes), { ...openEnvironment, resolver });
  const UNTIL_2050 = new Date('2050-01-01T00:00:00Z');

  it('is the one that the check reports, with its own issuer and its name', async () => {
    const server = await serveHttps('chain');
    expect(await check(server.url)).toMatchObject({
      outcome: 'ok',
      certificateExpiresAt: UNTIL_2050,
      certificateIssuer: 'Chain Root',
      certificateName: 'intermediate certificate “Chain Intermediate”',
    });
    const plain = await serveHttps('good');
    expect(await check(plain.url)).toMatchObject({ certificateIssuer: 'Test CA', certificateName: null });
  });

  it.each([
    ['good', 'chain', 'intermediate certificate “Chain Intermediate” of b.test'],
    ['chain', 'good', 'intermediate certificate “Chain Intermediate”'],
  ] as const)('is looked for in every request of a redirect: %s, then %s', async (first, second, name) => {
    const last = await serveHttps(second);
    const to = `https://b.test:${last.port}/`;
    const server = await serveHttps(first, (_request, response) =>
      response.writeHead(302, { location: to }).end(),
    );
    expect(await checkName(`https://a.test:${server.port}`)).toMatchObject({
      outcome: 'ok',
      certificateExpiresAt: UNTIL_2050,
      certificateName: name,
    });
  });

  it('is named by its host if that is not the target', async () => {
    const last = await serveHttps('good');
    const server = await serveHttp((_request, response) =>
      response.writeHead(302, { location: `https://b.test:${last.port}/` }).end(),
    );
    expect(await checkName(`http://a.test:${server.port}`)).toMatchObject({
      certificateName: 'certificate of b.test',
    });
  });

  it('counts in an assertion about certificates', async () => {
    const server = await serveHttps('chain');
    const years = (count: number) => ({
      source: 'certificateDays' as const,
      property: null,
      comparison: 'lessThan' as const,
      target: count * 365,
    });
    // The server's own certificate is valid until 2110.
    expect(await check(server.url, { assertions: [years(40)] })).toMatchObject({ outcome: 'ok' });
  });

  it('is the server’s own where nothing is verified', async () => {
    const server = await serveHttps('chain-untrusted');
    expect(await check(server.url, { tlsVerify: false })).toMatchObject({
      outcome: 'ok',
      certificateExpiresAt: new Date('2110-01-01T00:00:00Z'),
      certificateName: null,
    });
  });

  it('is known of a failure after the handshake too', async () => {
    const server = await serveHttps('chain', (_request, response) => response.destroy());
    expect(await check(server.url)).toMatchObject({ outcome: 'failed', certificateExpiresAt: UNTIL_2050 });
  });
});
