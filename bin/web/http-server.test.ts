import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLogger } from '@/lib/core/logger';
import { type HttpListener, listenLocally } from '@/lib/testing/http-listener';
import { createHttpServer } from './http-server';
import { createInngestPass } from './inngest-pass';
import { connectRaw, type RawConnection } from './testing/raw-connection';

const MEBIBYTE = 1024 * 1024;
const DRAIN_MS = 200;
const DEADLINES = {
  headersMs: 300,
  requestMs: 600,
  idleMs: 300,
  unreadMs: 300,
  drainMs: DRAIN_MS,
  checkMs: 50,
};

let server: Server;
let listener: HttpListener;
let connections: RawConnection[] = [];

async function listen(options: object = {}, handle: RequestListener = respondOrLeave): Promise<void> {
  server = createHttpServer(handle, {
    maxConnectionsPerAddress: 512,
    trustedProxies: [],
    log: createLogger('silent', 'tests'),
    deadlines: { drainMs: DRAIN_MS },
    ...options,
  });
  listener = await listenLocally(server);
}

beforeEach(() => listen());
afterEach(async () => {
  for (const { close } of connections) close();
  connections = [];
  await listener.close();
});

/** Listens again with deadlines that a test can wait for. */
async function listenImpatiently(): Promise<void> {
  await listener.close();
  await listen({ deadlines: DEADLINES });
}

/** Responds as the application does: after reading the body, a part of it, or none of it. */
async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { url, method } = request;
  if (url === '/large') return void response.end(Buffer.alloc(32 * MEBIBYTE));
  if (url === '/refuse') return void response.writeHead(401).end('refused');
  if (url === '/limit') {
    // Next forwards a body through its own stream, which is not read any further.
    const body = request.pipe(new PassThrough());
    let bytes = 0;
    for await (const chunk of body.iterator({ destroyOnReturn: false })) {
      bytes += chunk.length;
      if (bytes > MEBIBYTE) break;
    }
    return void response.writeHead(413).end('too large');
  }
  if (url === '/stream') {
    response.write('first');
    setTimeout(() => response.end('last'), 3 * DEADLINES.requestMs);
    return;
  }
  const body = await text(request);
  response.end(`${method} ${url} ${body.length}`);
}

const respondOrLeave: RequestListener = (request, response) => {
  respond(request, response).catch(() => response.destroy());
};

async function connect(): Promise<RawConnection> {
  const connection = await connectRaw(listener.port);
  connections.push(connection);
  return connection;
}

/** Sends bytes over a connection of their own. */
async function send(bytes: string): Promise<RawConnection> {
  const connection = await connect();
  await connection.send(bytes);
  return connection;
}

/** A request without its body. */
function head(method: string, path: string, ...lines: string[]): string {
  return `${[`${method} ${path} HTTP/1.1`, 'Host: localhost', ...lines].join('\r\n')}\r\n\r\n`;
}

async function expectNoConnections(ms: number): Promise<void> {
  const count = promisify(server.getConnections.bind(server));
  await expect.poll(() => count(), { timeout: ms }).toBe(0);
}

const H2C = ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQ'];

describe('an upgrade', () => {
  it.each([
    ['to a WebSocket', ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13']],
    ['to a WebSocket in capitals, among others', ['Connection: upgrade', 'Upgrade: foo, WebSocket/13']],
    ['to a WebSocket that no Connection header names', ['Upgrade: websocket']],
  ])('%s is rejected, and the connection is released even if the client stays', async (_, lines) => {
    const connection = await send(head('GET', '/anything', ...lines));
    expect(await connection.waitFor(/WebSocket/)).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    await connection.waitForEnd();
    await expectNoConnections(5000);
  });

  it('to HTTP/2 is ignored: the request is served as HTTP/1.1, with its body', async () => {
    const connection = await send(`${head('POST', '/read', ...H2C, 'Content-Length: 5')}hello`);
    expect(await connection.waitFor(/POST/)).toMatch(/^HTTP\/1\.1 200 OK\r\n.*\r\n\r\nPOST \/read 5$/s);
  });

  it('that is ignored never blocks a later request: the connection ends', async () => {
    const connection = await send(head('GET', '/one', ...H2C) + head('GET', '/two'));
    await connection.waitFor(/connection: close.*GET \/one 0/is);
    await connection.waitForEnd();
  });
});

describe('CONNECT', () => {
  it('of a client that resets the connection is harmless', async () => {
    const connection = await send('CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n');
    connection.reset();
    await expectNoConnections(5000);
    await (await send(head('GET', '/one'))).waitFor(/GET \/one 0/);
  });

  it('gets 405, and the connection ends', async () => {
    const connection = await send('CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n');
    expect(await connection.waitFor(/\r\n\r\n/)).toMatch(/^HTTP\/1\.1 405 Method Not Allowed\r\n/);
    await connection.waitForEnd();
    await expectNoConnections(5000);
  });
});

describe('a body that is not read to its end', () => {
  const tooLarge = () => head('POST', '/limit', `Content-Length: ${8 * MEBIBYTE}`);

  it('lets a client that first sends all 8 MB read the 413', async () => {
    const connection = await send(tooLarge());
    await connection.send(Buffer.alloc(8 * MEBIBYTE));
    expect(await connection.waitFor(/too large/)).toMatch(/^HTTP\/1\.1 413 .*\r\nconnection: close\r\n/is);
    await connection.waitForEnd();
  });

  it.each([
    ['read in part', '/limit', 413, 2 * MEBIBYTE],
    ['not read at all', '/refuse', 401, 1000],
    ['there already, and not read', '/refuse', 401, 100_000],
  ])('and was %s ends the connection immediately', async (_, path, status, bytes) => {
    const connection = await send(head('POST', path, `Content-Length: ${8 * MEBIBYTE}`));
    await connection.send(Buffer.alloc(bytes));
    const received = await connection.waitFor(/too large|refused/);
    expect(received).toMatch(new RegExp(`^HTTP/1\\.1 ${status} .*\r\nconnection: close\r\n`, 'is'));
    await connection.waitForEnd();
    await expectNoConnections(3000);
  });

  it('closes the connection of a client that never stops sending', async () => {
    const connection = await send(head('POST', '/limit', 'Transfer-Encoding: chunked'));
    const chunk = Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(65_536), Buffer.from('\r\n')]);
    const sending = (async () => {
      for (;;) await connection.send(chunk);
    })();
    await expect(sending).rejects.toThrow();
    expect(connection.received()).toMatch(/^HTTP\/1\.1 413 /);
    await expectNoConnections(3000);
  });

  it('ends the connection after a response of the worker, whatever its Connection header', async () => {
    const worker = await listenLocally(
      createServer((_, response) => response.writeHead(401, { Connection: 'keep-alive' }).end('refused')),
    );
    await listener.close();
    await listen({}, createInngestPass(worker.url));
    const connection = await send(head('POST', '/api/inngest', `Content-Length: ${8 * MEBIBYTE}`));
    await connection.send(' '.repeat(1000));
    await connection.waitFor(/^HTTP\/1\.1 401 .*\r\nconnection: close\r\n.*refused/is);
    await connection.waitForEnd();
    await worker.close();
  });

  it('is never parsed as another request', async () => {
    const connection = await send(head('POST', '/limit', `Content-Length: ${2 * MEBIBYTE}`));
    await connection.send(Buffer.alloc(2 * MEBIBYTE));
    await connection.send(head('GET', '/one').repeat(3)).catch(() => undefined);
    await connection.waitForEnd();
    expect(connection.received().match(/HTTP\/1\.1 /g)).toHaveLength(1);
  });
});

describe('a connection', () => {
  it('stays open for the next request after its body was read', async () => {
    const connection = await connect();
    for (let round = 1; round <= 3; round++) {
      await connection.send(`${head('POST', `/read-${round}`, 'Content-Length: 5')}hello`);
      await connection.waitFor(new RegExp(`POST /read-${round} 5$`));
    }
    expect(connection.received()).not.toMatch(/connection: close/i);
  });

  it.each([
    ['sends nothing', ''],
    ['stops within the head of a request', 'GET / HTTP/1.1\r\nHost: loc'],
    ['stops within a body', `${head('POST', '/read', 'Content-Length: 5')}he`],
    ['is idle after a request', head('GET', '/one')],
  ])('that %s is closed at its deadline', async (_, bytes) => {
    await listenImpatiently();
    const connection = await send(bytes);
    await connection.waitForEnd();
    await expectNoConnections(3000);
  });

  it('that sends a head byte by byte is closed at the same deadline', async () => {
    await listenImpatiently();
    const connection = await connect();
    const dripping = (async () => {
      for (;;) {
        await connection.send('G');
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    })();
    await expect(dripping).rejects.toThrow();
    await expectNoConnections(3000);
  });

  it('is not closed by any deadline while a response continues', async () => {
    await listenImpatiently();
    const connection = await send(head('GET', '/stream'));
    await connection.waitFor(/last/);
  });

  it('whose client does not read the response is closed', async () => {
    await listenImpatiently();
    const connection = await connect();
    connection.pause();
    await connection.send(head('GET', '/large'));
    await expectNoConnections(5000);
  });
});
