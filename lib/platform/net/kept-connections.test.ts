import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { connect, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type GuardedRequest, requestGuarded } from './http-request';
import { createKeptConnections, type KeptConnections, type KeptLimits } from './kept-connections';
import { BlockedTargetError } from './net-error';
import {
  serveBytes,
  serveHttp,
  serveHttps,
  serveTcp,
  type TestServer,
  testAuthority,
} from './testing/servers';

const base = {
  method: 'POST',
  policy: { mode: 'private' as const, allowedCidrs: [] },
  deadline: 2000,
  maxBodyBytes: 1000,
  body: '{}',
};
const RESPONSE = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
const KEY = { owner: 'whk_1', origin: 'http://127.0.0.1', terms: '' };
/** Longer than a test. */
const LONG_MS = 600_000;

function keepConnections(limits?: Partial<KeptLimits>): KeptConnections {
  const connections = createKeptConnections(limits);
  onTestFinished(() => connections.close());
  return connections;
}

type Options = Partial<Omit<GuardedRequest, 'deadline'>> & { url: string; deadline?: number };

/** Posts on behalf of one owner. */
function poster(connections: KeptConnections, options: Options) {
  return (owner = 'whk_1', revision = '1') =>
    requestGuarded({ ...base, ...options, kept: { connections, owner, revision } });
}

/** A receiver that responds to the first request of each connection; `then` handles the second request of the first connection. */
async function serveOnce(then: (socket: Socket, request: string) => void) {
  const requests: string[] = [];
  let connections = 0;
  const server = await serveTcp((socket) => {
    connections += 1;
    const isFirst = connections === 1;
    socket.once('data', (bytes) => {
      requests.push(bytes.toString());
      socket.write(RESPONSE);
      if (isFirst) socket.once('data', (more) => then(socket, more.toString()));
    });
  });
  return { server, requests };
}

/** A connection as the guard opens it, `ageMs` ago. */
async function openTo({ port }: TestServer, ageMs = 0) {
  const socket = connect({ host: '127.0.0.1', port });
  socket.on('error', () => {});
  await once(socket, 'connect');
  const openedAt = performance.now() - ageMs;
  return { socket, address: '127.0.0.1', openedAt, close: () => void socket.destroy() };
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

  it('stays with the address that was checked, whatever the name resolves to meanwhile', async () => {
    const server = await serveHttp((_request, response) => response.end('ok'));
    const addresses = ['127.0.0.1', '169.254.169.254'];
    const resolver = async () => [{ address: addresses.shift() ?? '', family: 4 }];
    const post = poster(keepConnections(), { url: `http://receiver.test:${server.port}/`, resolver });
    await post();
    expect(await post()).toMatchObject({ statusCode: 200, remoteAddress: '127.0.0.1' });
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

describe('a kept connection that its peer closes meanwhile', () => {
  it.each<[how: string, end: (socket: Socket) => void]>([
    ['closes', (socket) => socket.destroy()],
    ['resets', (socket) => socket.resetAndDestroy()],
  ])('and %s when it is reused, is replaced: the same request is sent over a new one', async (_how, end) => {
    let unprocessed = '';
    const { server, requests } = await serveOnce((socket, request) => {
      unprocessed = request;
      end(socket);
    });
    const post = poster(keepConnections(), { url: server.url });
    await post();
    expect((await post()).body.toString()).toBe('ok');
    expect(server.connections()).toBe(2);
    expect(requests).toHaveLength(2);
    expect(unprocessed).toBe(requests[1]);
  });

  it.each([
    ['its first byte', 'H'],
    ['its headers', 'HTTP/1.1 200 OK\r\nContent-'],
    ['an interim response', 'HTTP/1.1 100 Continue\r\n\r\n'],
  ])('after %s is a failure', async (_what, bytes) => {
    const { server, requests } = await serveOnce((socket) => {
      socket.write(bytes, () => setTimeout(() => socket.resetAndDestroy(), 20));
    });
    const post = poster(keepConnections(), { url: server.url });
    await post();
    await expect(post()).rejects.toMatchObject({ code: 'connection_lost' });
    expect(server.connections()).toBe(1);
    expect(requests).toHaveLength(1);
  });

  it('leaves the new one the rest of the time', async () => {
    let connections = 0;
    const server = await serveTcp((socket) => {
      connections += 1;
      if (connections > 1) {
        // Within a time of its own, but not within the rest.
        socket.once('data', () => setTimeout(() => socket.write(RESPONSE), 500));
        return;
      }
      socket.once('data', () => {
        socket.write(RESPONSE);
        socket.once('data', () => setTimeout(() => socket.destroy(), 600));
      });
    });
    const post = poster(keepConnections(), { url: server.url, deadline: 800 });
    await post();
    await expect(post()).rejects.toMatchObject({ code: 'timeout' });
    expect(server.connections()).toBe(2);
  });

  it('is not replaced twice: failures of a new one are reported', async () => {
    const server = await serveTcp((socket) => socket.once('data', () => socket.destroy()));
    const post = poster(keepConnections(), { url: server.url });
    await expect(post()).rejects.toMatchObject({
      code: 'connection_lost',
      message: expect.stringContaining(`by 127.0.0.1:${server.port} before a response`),
    });
    expect(server.connections()).toBe(1);
  });
});

describe('a connection is not kept', () => {
  it.each([
    ['asks to close it', 'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok'],
    ['closes it in a second', 'HTTP/1.1 200 OK\r\nKeep-Alive: timeout=1\r\nContent-Length: 2\r\n\r\nok'],
    ['sends more than a response', `${RESPONSE}HTTP/1.1 500 Oh\r\nContent-Length: 0\r\n\r\n`],
    ['sends more than is read', `HTTP/1.1 200 OK\r\nContent-Length: 2000\r\n\r\n${'x'.repeat(2000)}`],
  ])('if the peer %s', async (_what, bytes) => {
    const server = await serveBytes(bytes);
    const post = poster(keepConnections(), { url: server.url });
    expect((await post()).statusCode).toBe(200);
    await expect.poll(server.open).toBe(0);
  });

  it('if a response follows in another TLS record', async () => {
    const server = await serveHttps('good', (request) => {
      request.socket.write(RESPONSE);
      request.socket.write(RESPONSE);
    });
    const post = poster(keepConnections(), { url: server.url, secureContext: testAuthority });
    expect((await post()).statusCode).toBe(200);
    await expect.poll(server.open).toBe(0);
  });

  it('if the response did not arrive in time', async () => {
    const server = await serveTcp();
    await expect(poster(keepConnections(), { url: server.url, deadline: 100 })()).rejects.toMatchObject({
      code: 'timeout',
    });
    await expect.poll(server.open).toBe(0);
  });

  it('if the rest of a successful response did not arrive in time', async () => {
    const server = await serveBytes('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\npart');
    const post = poster(keepConnections(), { url: server.url, successTailMs: 20 });
    expect(await post()).toMatchObject({ statusCode: 200, truncated: true });
    await expect.poll(server.open).toBe(0);
  });

  it('if the peer responded before it had read the request', async () => {
    const server = await serveTcp((socket) => {
      socket.once('data', () => {
        socket.pause();
        socket.write(RESPONSE);
      });
    });
    const post = poster(keepConnections(), { url: server.url, body: Buffer.alloc(20_000_000) });
    expect((await post()).statusCode).toBe(200);
    await post();
    expect(server.connections()).toBe(2);
  });
});

describe('an idle connection', () => {
  it('is closed after its time', async () => {
    const server = await serveHttp((_request, response) => response.end('ok'));
    await poster(keepConnections({ idleMs: 20 }), { url: server.url })();
    await expect.poll(server.open).toBe(0);
  });

  it('is not used after its time, even if this process was delayed', async () => {
    const server = await serveTcp();
    const connections = keepConnections({ idleMs: 20 });
    connections.keep(KEY, await openTo(server), null);
    const until = performance.now() + 40;
    while (performance.now() < until);
    expect(connections.take(KEY)).toBeNull();
  });

  it('is closed a second before the idle timeout of the peer', async () => {
    const server = await serveTcp();
    const connections = keepConnections({ idleMs: LONG_MS });
    connections.keep(KEY, await openTo(server), 1020);
    await expect.poll(server.open).toBe(0);
  });

  it('is at most a minute old', async () => {
    const server = await serveTcp();
    const connections = keepConnections();
    connections.keep(KEY, await openTo(server, 60_000), null);
    expect(connections.take(KEY)).toBeNull();
    connections.keep(KEY, await openTo(server, 59_000), null);
    expect(connections.take(KEY)?.close()).toBeUndefined();
    connections.keep(KEY, await openTo(server, 59_980), null);
    await expect.poll(server.open).toBe(0);
  });

  it('is closed if anything arrives', async () => {
    const server = await serveBytes(RESPONSE, (socket) => setTimeout(() => socket.write(RESPONSE), 20));
    const connections = keepConnections({ idleMs: LONG_MS });
    await poster(connections, { url: server.url })();
    await expect.poll(server.open).toBe(0);
  });

  it.each<[what: string, options: Partial<Options>, revision?: string]>([
    ['the target policy', { policy: { mode: 'public', allowedCidrs: ['127.0.0.0/8'] } }],
    ['the authorities', { secureContext: testAuthority }],
    ['whether certificates are verified', { tlsVerify: false }],
    ['the resolver', { resolver: async () => [] }],
    ['the revision of its owner', {}, '2'],
  ])('is closed when its owner needs one that differs in %s', async (_what, options, revision) => {
    const server = await serveHttp((_request, response) => response.end('ok'));
    const connections = keepConnections();
    await poster(connections, { url: server.url })();
    await poster(connections, { url: server.url, ...options })('whk_1', revision);
    expect(server.connections()).toBe(2);
    await expect.poll(server.open).toBe(1);
  });

  it('is closed when the policy no longer allows its address', async () => {
    const server = await serveHttp((_request, response) => response.end('ok'));
    const connections = keepConnections();
    await poster(connections, { url: server.url })();
    const policy = { mode: 'public' as const, allowedCidrs: [] };
    await expect(poster(connections, { url: server.url, policy })()).rejects.toThrow(BlockedTargetError);
    await expect.poll(server.open).toBe(0);
  });

  it('whose certificate was not verified is not used where it must be', async () => {
    const server = await serveHttps('expired');
    const connections = keepConnections();
    const options = { url: server.url, secureContext: testAuthority };
    expect((await poster(connections, { ...options, tlsVerify: false })()).statusCode).toBe(200);
    await expect(poster(connections, options)()).rejects.toMatchObject({ code: 'tls' });
    await expect.poll(server.open).toBe(0);
  });

  it.each<[scheme: string, serve: (listener: RequestListener) => Promise<TestServer>]>([
    ['http', serveHttp],
    ['https', (listener) => serveHttps('good', listener)],
  ])('of %s does not keep the process alive', async (_scheme, serve) => {
    const countHolding = () => process.getActiveResourcesInfo().filter((name) => /TCP|TLS/.test(name)).length;
    let meanwhile = 0;
    const server = await serve((_request, response) => {
      meanwhile = countHolding();
      response.end('ok');
    });
    await poster(keepConnections(), { url: server.url, secureContext: testAuthority })();
    expect(countHolding()).toBe(meanwhile - 1);
    expect(server.open()).toBe(1);
  });
});

describe('idle connections', () => {
  it('are bounded for an origin, over all owners: the oldest is closed', async () => {
    const server = await serveHttp((_request, response) => response.end('ok'));
    const other = await serveHttp((_request, response) => response.end('ok'));
    const connections = keepConnections({ perOrigin: 2 });
    const post = poster(connections, { url: server.url });
    await poster(connections, { url: other.url })();
    for (const owner of ['whk_1', 'whk_2', 'whk_3']) await post(owner);
    await expect.poll(server.open).toBe(2);
    await post('whk_3');
    expect(server.connections()).toBe(3);
    await post('whk_1');
    expect(server.connections()).toBe(4);
    expect(other.open()).toBe(1);
  });

  it('are bounded in all: the oldest is closed', async () => {
    const servers = await Promise.all(
      [1, 2, 3].map(() => serveHttp((_request, response) => response.end('ok'))),
    );
    const connections = keepConnections({ total: 2 });
    for (const { url } of servers) await poster(connections, { url })();
    await expect.poll(() => servers.map(({ open }) => open())).toEqual([0, 1, 1]);
  });

  it('of one owner can be closed', async () => {
    const server = await serveHttp((_request, response) => response.end('ok'));
    const connections = keepConnections();
    const post = poster(connections, { url: server.url });
    await post('whk_1');
    await post('whk_2');
    connections.closeOf('whk_1');
    await expect.poll(server.open).toBe(1);
    await post('whk_2');
    expect(server.connections()).toBe(2);
  });

  it('are all closed in the end, and those in use after their exchange', async () => {
    let respond = () => {};
    let begun = 0;
    const server = await serveHttp((_request, response) => {
      begun += 1;
      if (begun <= 2) response.end('ok');
      else respond = () => void response.end('late');
    });
    const connections = keepConnections();
    const post = poster(connections, { url: server.url });
    await Promise.all([post(), post()]);
    expect(server.open()).toBe(2);
    const late = post();
    await expect.poll(() => begun).toBe(3);
    connections.close();
    await expect.poll(server.open).toBe(1);
    respond();
    expect((await late).body.toString()).toBe('late');
    await expect.poll(server.open).toBe(0);
  });
});
