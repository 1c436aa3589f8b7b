import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { connect, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { onTestFinished } from 'vitest';
import { createTrustContext } from '../tls';

/** A server on loopback that ends with the test. */
export type TestServer = {
  port: number;
  /** `http(s)://127.0.0.1:port` */
  url: string;
  /** The number of accepted connections. */
  connections(): number;
  /** How many of them are open. */
  open(): number;
};

export type TestCertificate = 'good' | 'expired' | 'wrong-host' | 'self-signed' | TestChain;

/**
 * A certificate until 2110, with what its server sends of a chain: an intermediate until 2050, and, by its name, first a former one until 2021
 * (`renewed`), nothing else (`missing`), only the former one (`expired`), others in no order (`unordered`), others in excess, such as the root
 * signed by another one, until 2040 (`excess`), or the root of another authority (`untrusted`).
 */
export type TestChain =
  | 'chain'
  | `chain-${'renewed' | 'missing' | 'expired' | 'unordered' | 'excess' | 'untrusted'}`;

/** The authorities that signed the certificates of the tests, valid until 2119. */
export const testAuthority = createTrustContext(readFixture('authorities.pem'));

/** Serves HTTP with a request listener. */
export function serveHttp(listener: RequestListener, host = '127.0.0.1'): Promise<TestServer> {
  return listen(createHttpServer(listener), 'http', host);
}

/** Serves HTTPS with one of the certificates in this folder, followed by that of its authority if asked to. */
export function serveHttps(
  certificate: TestCertificate,
  listener: RequestListener = (_request, response) => response.end('secure'),
  { sendsAuthority = false } = {},
): Promise<TestServer> {
  const pem = readFixture(`${certificate}.pem`);
  const chain = sendsAuthority ? `${pem}${readFixture('ca.pem')}` : pem;
  return listen(createHttpsServer({ key: pem, cert: chain }, listener), 'https', '127.0.0.1');
}

/** A certificate of this folder with its private key, as PEM. */
export function readCertificate(certificate: TestCertificate): string {
  return readFixture(`${certificate}.pem`).toString();
}

/** Serves HTTPS to clients with a certificate of the authorities of the tests only. */
export function serveMutualTls(listener: RequestListener): Promise<TestServer> {
  const pem = readFixture('good.pem');
  const clients = { ca: readFixture('authorities.pem'), requestCert: true, rejectUnauthorized: true };
  return listen(createHttpsServer({ key: pem, cert: pem, ...clients }, listener), 'https', '127.0.0.1');
}

/** Serves plain TCP. The test writes to the sockets; a reset by the client is not an error. */
export function serveTcp(
  onSocket: (socket: Socket) => void = () => {},
  host = '127.0.0.1',
): Promise<TestServer> {
  const server = createTcpServer((socket) => {
    onSocket(socket);
    // Unread data would hide from the server that the client has disconnected.
    socket.resume();
  });
  return listen(server, 'http', host);
}

/** Responds to every request with the same bytes as soon as its first bytes have arrived. */
export function serveBytes(
  bytes: string | Buffer,
  then: (socket: Socket) => void = () => {},
): Promise<TestServer> {
  return serveTcp((socket) => {
    socket.once('data', () => socket.write(bytes, () => then(socket)));
  });
}

/** A port without a listener. */
export async function findClosedPort(): Promise<number> {
  const server = createTcpServer();
  const port = await new Promise<number>((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve(portOf(server))),
  );
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Listens, and then its thread never runs again. */
const FULL = `
  const { parentPort } = require('node:worker_threads');
  const server = require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    parentPort.postMessage(server.address().port);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  });`;
/** One is in the queue, and one more than it may hold. */
const FULL_AT = 2;

/** A port where no connection can be opened: its listener accepts none, and its queue is full. */
export async function findFullPort(): Promise<number> {
  const worker = new Worker(FULL, { eval: true });
  onTestFinished(async () => void (await worker.terminate()));
  const [port] = await once(worker, 'message');
  for (let queued = 0; queued < FULL_AT; queued += 1) {
    const socket = connect({ port, host: '127.0.0.1' }).on('error', () => {});
    onTestFinished(() => void socket.destroy());
    await once(socket, 'connect');
  }
  return port;
}

async function listen(server: Server, scheme: string, host: string): Promise<TestServer> {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, host, resolve);
  });
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  const port = portOf(server);
  return {
    port,
    url: `${scheme}://127.0.0.1:${port}`,
    connections: () => connections,
    open: () => sockets.size,
  };
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server does not listen');
  return address.port;
}

function readFixture(name: string): Buffer {
  return readFileSync(fileURLToPath(new URL(name, import.meta.url)));
}
