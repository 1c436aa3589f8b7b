import type { TLSSocket } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { readCertificate, serveHttp, serveHttps, serveMutualTls } from '@/lib/platform/net/testing/servers';
import type { ProbeTarget } from '@/lib/schemas/monitor/fields';
import { probe } from '../probe';
import { createTarget, openEnvironment } from '../testing/target';

const check = (url: string, changes: Partial<ProbeTarget> = {}) =>
  probe(createTarget('http', url, { clientCertificate: readCertificate('good'), ...changes }), {
    ...openEnvironment,
    evidenceOf: 'any',
  });

/** The subject of the certificate that a client presented; null for none. */
const presentedOn = (socket: unknown) =>
  (socket as TLSSocket).getPeerX509Certificate()?.fingerprint256 ?? null;

describe('a client certificate', () => {
  it('is presented to the server, whose own certificate is verified as ever', async () => {
    const seen: unknown[] = [];
    const server = await serveMutualTls(({ socket }, response) => {
      seen.push(presentedOn(socket));
      response.end();
    });
    expect(await check(server.url)).toMatchObject({ outcome: 'ok', certificateExpiresAt: expect.any(Date) });
    expect(seen).toEqual([expect.stringMatching(/^[0-9A-F:]+$/)]);
    const wrong = await serveHttps('wrong-host');
    expect(await check(wrong.url)).toMatchObject({ outcome: 'failed', error: { code: 'tls' } });
  });

  it('that is missing fails a server that requires one, and so does one of an unknown authority', async () => {
    const server = await serveMutualTls((_, response) => response.end());
    expect((await check(server.url, { clientCertificate: null })).error).toEqual({
      code: 'tls',
      message: `127.0.0.1:${server.port} requires a client certificate`,
    });
    const unknown = await check(server.url, { clientCertificate: readCertificate('self-signed') });
    expect(unknown).toMatchObject({ outcome: 'failed', statusCode: null });
    expect(JSON.stringify([unknown, unknown.evidence?.()])).not.toContain('PRIVATE KEY');
  });

  it('is not presented after a redirect to another origin', async () => {
    const elsewhere = await serveMutualTls((_, response) => response.end());
    const server = await serveHttp((_, response) =>
      response.writeHead(302, { location: elsewhere.url }).end(),
    );
    expect((await check(server.url)).error?.message).toBe(
      `127.0.0.1:${elsewhere.port} requires a client certificate`,
    );
  });
});
