import { createServer, type Server } from 'node:http';
import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import { createLogger } from '@/lib/core/logger';
import { type HttpListener, listenLocally } from '@/lib/testing/http-listener';
import { waitFor } from '@/lib/testing/wait-for';
import { createHttpServer, limitConnections } from './http-server';
import { connectRaw, type RawConnection } from './testing/raw-connection';

const log = createLogger('silent', 'tests');

/** Whether a server keeps each of these connections, by the address at its other end. */
function listServed(server: Server, addresses: (string | undefined)[]): boolean[] {
  return addresses.map((remoteAddress) => {
    const socket = Object.assign(new PassThrough(), { remoteAddress });
    server.emit('connection', socket);
    return !socket.destroyed;
  });
}

describe('the connections of one address', () => {
  let listener: HttpListener;
  const connections: RawConnection[] = [];
  afterEach(async () => {
    for (const { close } of connections) close();
    await listener?.close();
  });

  async function ask(): Promise<RawConnection> {
    const connection = await connectRaw(listener.port);
    connections.push(connection);
    await connection.send('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n').catch(() => undefined);
    return connection;
  }

  it('are limited: an additional one is closed immediately, and accepted after one disconnects', async () => {
    const server = createServer((_, response) => response.end('served'));
    limitConnections(server, { maxPerAddress: 3, isExempt: () => false, log });
    listener = await listenLocally(server);
    const held = [await ask(), await ask(), await ask()];
    for (const connection of held) await connection.waitFor(/served/);
    const fourth = await ask();
    await fourth.waitForEnd();
    expect(fourth.received()).toBe('');
    held[0]?.close();
    await waitFor(async () => (await ask()).waitFor(/served/));
  });

  it.each([
    ['10.1.2.3', '10.1.2.3', '10.1.2.4'],
    ['::ffff:10.1.2.3', '10.1.2.3', '::ffff:10.1.2.4'],
    ['2001:db8:1:2::3', '2001:db8:1:2:ffff::4', '2001:db8:1:3::3'],
    ['fe80::1%eth0', 'fe80::2%eth1', '2001:db8::1'],
  ])('%s and %s are the same address, %s is not', (one, same, other) => {
    const server = createServer();
    limitConnections(server, { maxPerAddress: 1, isExempt: () => false, log });
    expect(listServed(server, [one, same, other, undefined])).toEqual([true, false, true, false]);
  });

  it.each([
    ['127.0.0.1', true],
    ['::ffff:127.0.0.1', true],
    ['::1', true],
    ['10.0.0.7', true],
    ['::ffff:10.0.0.7', true],
    ['10.0.1.7', false],
  ])('%s has no limit if it is this machine or a trusted proxy: %s', (address, isUnbounded) => {
    const options = { maxConnectionsPerAddress: 1, trustedProxies: ['10.0.0.0/24'], log };
    const server = createHttpServer(() => undefined, options);
    expect(listServed(server, [address, address])).toEqual([true, isUnbounded]);
  });
});
