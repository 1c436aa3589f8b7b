import { describe, expect, it, onTestFinished } from 'vitest';
import { type GuardedRequest, requestGuarded } from './http-request';
import { createKeptConnections, type KeptConnections } from './kept-connections';
import { BlockedTargetError } from './net-error';
import { serveHttp, serveHttps, serveTcp, testAuthority } from './testing/servers';

const base = {
  method: 'POST',
  policy: { mode: 'private' as const, allowedCidrs: [] },
  deadline: 2000,
  maxBodyBytes: 1000,
  body: '{}',
};
const RESPONSE = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

function keepConnections(): KeptConnections {
  const connections = createKeptConnections();
  onTestFinished(connections.close);
  return connections;
}

/** Posts on behalf of one owner. */
function poster(
  connections: KeptConnections,
  options: Partial<Omit<GuardedRequest, 'deadline'>> & { url: string; deadline?: number },
) {
  return (owner = 'whk_1') => requestGuarded({ ...base, ...options, kept: { connections, owner } });
}

describe('a kept connection', () => {
  it('is used for the next exchange of the same owner, and no other', async () => {
    const server = await serveHttp((_request, response) => response.end('ok'));
    const post = poster(keepConnections(), { url: server.url });
    expect(await post()).toMatchObject({ statusCode: 200, remoteAddress: '127.0.0.1' });
    expect(await post()).toMatchObject({ statusCode: 200, remoteAddress: '127.0.0.1' });
    expect(server.connections()).toBe(1);
    await post('whk_2');
    expect(server.connections()).toBe(2);
  });

  it('can use TLS, once its certificate has been verified', async () => {
    const connections = keepConnections();
    const server = await serveHttps('good');
    const post = poster(connections, { url: server.url, secureContext: testAuthority });
    expect((await post()).progress.certificateEnd?.expiresAt).toBeInstanceOf(Date);
    expect((await post()).statusCode).toBe(200);
    expect(server.connections()).toBe(1);
    const expired = await serveHttps('expired');
    await expect(
      poster(connections, { ...base, url: expired.url, secureContext: testAuthority })(),
    ).rejects.toMatchObject({
      code: 'tls',
    });
  });

  it('is not shared by simultaneous exchanges', async () => {
    const server = await serveHttp((_request, response) => setTimeout(() => response.end('ok'), 20));
    const post = poster(keepConnections(), { url: server.url });
    await Promise.all([post(), post(), post()]);
    expect(server.connections()).toBe(3);
    await Promise.all([post(), post(), post()]);
    expect(server.connections()).toBe(3);
  });

  it('is reopened through the guard, which resolves the name again', async () => {
    const server = await serveHttp((_request, response) =>
      response.writeHead(200, { Connection: 'close' }).end('ok'),
    );
    const addresses = ['127.0.0.1', '169.254.169.254'];
    const resolver = async () => [{ address: addresses.shift() ?? '', family: 4 }];
    const post = poster(keepConnections(), { url: `http://receiver.test:${server.port}/`, resolver });
    expect((await post()).statusCode).toBe(200);
    await expect(post()).rejects.toThrow(BlockedTargetError);
    expect(server.connections()).toBe(1);
  });

  it('that the peer closes during reuse is replaced: the request is sent over a new one', async () => {
    let connections = 0;
    const server = await serveTcp((socket) => {
      connections += 1;
      const isFirst = connections === 1;
      socket.once('data', () => {
        socket.write(RESPONSE);
        if (isFirst) socket.once('data', () => socket.destroy());
      });
    });
    const post = poster(keepConnections(), { url: server.url });
    await post();
    expect((await post()).body.toString()).toBe('ok');
    expect(server.connections()).toBe(2);
  });

  it('reports failures of a new one, and does not retry', async () => {
    const server = await serveTcp((socket) => socket.once('data', () => socket.destroy()));
    const post = poster(keepConnections(), { url: server.url });
    await expect(post()).rejects.toMatchObject({
      code: 'connection_lost',
      message: expect.stringContaining(`by 127.0.0.1:${server.port} before a response`),
    });
    expect(server.connections()).toBe(1);
  });

  it('is closed if the response was not fully read, or did not arrive in time', async () => {
    const long = await serveHttp((_request, response) => response.end('x'.repeat(2000)));
    const postLong = poster(keepConnections(), { url: long.url });
    expect((await postLong()).truncated).toBe(true);
    await postLong();
    expect(long.connections()).toBe(2);

    let isSilent = true;
    const late = await serveHttp((_request, response) => {
      if (!isSilent) response.end('ok');
    });
    const postLate = poster(keepConnections(), { url: late.url, deadline: 300 });
    await expect(postLate()).rejects.toMatchObject({ code: 'timeout' });
    isSilent = false;
    expect((await postLate()).statusCode).toBe(200);
    expect(late.connections()).toBe(2);
  });

  it('stays open while it is in use when the others are closed', async () => {
    let respond = () => {};
    let begun = 0;
    const server = await serveHttp((_request, response) => {
      begun += 1;
      if (begun === 1) response.end('ok');
      else respond = () => void response.end('late');
    });
    const connections = keepConnections();
    const post = poster(connections, { url: server.url });
    await post();
    const late = post();
    await expect.poll(() => begun).toBe(2);
    connections.close();
    respond();
    expect((await late).body.toString()).toBe('late');
    connections.close();
    void post().catch(() => undefined);
    await expect.poll(() => server.connections()).toBe(2);
  });

  it('reports an unreachable peer like any other failure', async () => {
    const server = await serveHttp(() => undefined);
    const policy = { mode: 'public' as const, allowedCidrs: [] };
    await expect(poster(keepConnections(), { url: server.url, policy })()).rejects.toThrow(
      BlockedTargetError,
    );
    expect(server.connections()).toBe(0);
  });
});
