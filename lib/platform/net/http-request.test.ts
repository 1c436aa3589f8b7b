import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { requestGuarded } from './http-request';
import { BlockedTargetError, NetError } from './net-error';
import { serveBytes, serveHttp, serveTcp } from './testing/servers';

const base = {
  method: 'POST',
  policy: { mode: 'private' as const, allowedCidrs: [] },
  deadline: 2000,
  maxBodyBytes: 16,
};

describe('requestGuarded', () => {
  it('sends the bytes of the body and returns the whole response', async () => {
    const server = await serveHttp(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      response
        .writeHead(201, { 'X-Seen': String(request.headers['content-length']) })
        .end(Buffer.concat(chunks));
    });
    const response = await requestGuarded({ ...base, url: server.url, body: Buffer.from('{"a":"ö"}') });
    expect(response).toMatchObject({
      statusCode: 201,
      truncated: false,
      remoteAddress: '127.0.0.1',
      progress: { certificateEnd: null },
    });
    expect(response.headers['x-seen']).toBe('10');
    expect(response.body.toString()).toBe('{"a":"ö"}');
  });

  it.each([
    [15, false],
    [16, false],
    [17, true],
  ])('reads at most maxBodyBytes: of %i bytes, truncated is %s', async (length, truncated) => {
    const server = await serveHttp((_request, response) => response.end('x'.repeat(length)));
    const response = await requestGuarded({ ...base, url: server.url });
    expect(response.truncated).toBe(truncated);
    expect(response.body.length).toBe(Math.min(length, 16));
  });

  describe('with successTailMs', () => {
    const open = { ...base, deadline: 600_000, successTailMs: 20 };
    const sized = (status: string) => `HTTP/1.1 ${status}\r\nContent-Length: 9\r\n\r\npart`;

    it.each<[how: string, then?: (socket: Socket) => void]>([
      ['stalls'],
      ['is cut off', (socket) => socket.end()],
    ])('returns a 2xx response whose body %s as far as it came', async (_, then) => {
      const server = await serveBytes(sized('200 OK'), then);
      const response = await requestGuarded({ ...open, url: server.url });
      expect(response).toMatchObject({ statusCode: 200, truncated: true, body: Buffer.from('part') });
    });

    it('waits for the body of any other response', async () => {
      const server = await serveBytes(sized('500 Oh'), (socket) => setTimeout(() => socket.end(), 60));
      const request = requestGuarded({ ...open, url: server.url });
      await expect(request).rejects.toMatchObject({ code: 'connection_lost', progress: { statusCode: 500 } });
    });
  });

  it('does not follow redirects', async () => {
    const server = await serveHttp((_request, response) => response.writeHead(302, { location: '/b' }).end());
    expect((await requestGuarded({ ...base, url: server.url })).statusCode).toBe(302);
    expect(server.connections()).toBe(1);
  });

  it('throws a typed error with the progress of the exchange', async () => {
    const server = await serveTcp();
    const error = await requestGuarded({ ...base, url: server.url, deadline: 200 }).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(NetError);
    expect(error).toMatchObject({
      code: 'timeout',
      message: expect.stringMatching(/^no response within 200 ms while waiting for the first byte from /),
      progress: { remoteAddress: '127.0.0.1', statusCode: null, timings: { firstByte: null } },
    });
  });

  it('reads what arrived in time before it ends, also if this process was delayed', async () => {
    const server = await serveBytes('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok', () => {
      const until = performance.now() + 300;
      while (performance.now() < until);
    });
    expect((await requestGuarded({ ...base, url: server.url, deadline: 250 })).statusCode).toBe(200);
  });

  it('throws BlockedTargetError if the policy blocks the target', async () => {
    const policy = { mode: 'public' as const, allowedCidrs: [] };
    const request = requestGuarded({ ...base, policy, url: 'http://127.0.0.1:9' });
    await expect(request).rejects.toThrow(BlockedTargetError);
  });

  it('throws the reason of the caller that aborts it', async () => {
    const stop = AbortSignal.abort(new Error('shutting down'));
    await expect(requestGuarded({ ...base, url: 'http://127.0.0.1:9', signal: stop })).rejects.toThrow(
      'shutting down',
    );
  });
});
