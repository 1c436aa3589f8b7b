import { readFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import { fileURLToPath } from 'node:url';
import type { TestCertificate } from '@/lib/platform/net/testing/servers';

/** Sends what it likes to one connection, whose first request begins with the given line, and with the given headers. */
type Script = (socket: Socket, requestLine: string, head: string) => void;

/** How a server behaves. Bytes are written as ISO 8859-1. */
export type Behavior = {
  /** A text is sent immediately and ends the connection, unless `open` is set. */
  sends: string | Script;
  /** Leaves the connection open: the response must be complete without its end. */
  open?: boolean;
  /** Sends without waiting for a request. */
  speaksFirst?: boolean;
  /** TLS with a certificate of the tests, `good` unless named. */
  tls?: TlsOptions & { certificate?: TestCertificate };
};

/** Starts a server on loopback; `close` ends it with all of its connections. */
export async function serveOdd({ sends, open = false, speaksFirst = false, tls }: Behavior) {
  const sockets = new Set<Socket>();
  const send: Script =
    typeof sends === 'string'
      ? (socket) => (open ? socket.write(sends, 'latin1') : socket.end(sends, 'latin1'))
      : sends;
  const accept = (socket: Socket) => {
    sockets.add(socket);
    // The server ignores clients that hang up.
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    if (speaksFirst) send(socket, '', '');
    socket.once('data', (bytes) => {
      const head = bytes.toString('latin1');
      if (!speaksFirst) send(socket, head.split('\r\n')[0] ?? '', head);
    });
  };
  const server: Server = tls ? createTlsServer(withCertificate(tls), accept) : createServer(accept);
  const port = await new Promise<number>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(address !== null && typeof address === 'object' ? address.port : 0);
    });
  });
  return {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** Sends a text one byte at a time, each in its own packet. */
export function drip(text: string): Script {
  return async (socket) => {
    socket.setNoDelay();
    for (const byte of Buffer.from(text, 'latin1')) {
      await new Promise((resolve) => socket.write(Buffer.of(byte), resolve));
    }
    socket.end();
  };
}

/** Sends a text, and then another one every 20 ms, for as long as the client listens. */
export function flow(text: string, more: string): Script {
  return (socket) => {
    socket.write(text, 'latin1');
    const timer = setInterval(() => socket.write(more, 'latin1'), 20);
    socket.on('close', () => clearInterval(timer));
  };
}

/** Sends a text and closes the connection with most of the request unread, which resets it. */
export function resetAfter(text: string): Script {
  return (socket) => {
    socket.pause();
    socket.write(text, 'latin1', () => socket.destroy());
  };
}

/** Redirects to `location`, and responds to the request that follows. */
export function redirectTo(location: string, expected = /there/): Script {
  return (socket, requestLine) => {
    const to = location.replace('{host}', `127.0.0.1:${socket.localPort}`);
    socket.end(expected.test(requestLine) ? ARRIVED : formatRedirect(to), 'latin1');
  };
}

/** Redirects each path to itself, and responds the second time. */
export function redirectOnce(): Script {
  const seen = new Set<string>();
  return (socket, requestLine) => {
    const path = requestLine.split(' ')[1] ?? '/';
    socket.end(seen.has(path) ? ARRIVED : formatRedirect(path));
    seen.add(path);
  };
}

/** Redirects to `/login`, which sets cookies and redirects to `/app`, which redirects again unless the headers are as expected. */
export function signIn(setCookies: readonly string[], expected: RegExp): Script {
  const headers = setCookies.map((cookie) => `Set-Cookie: ${cookie}\r\n`).join('');
  return (socket, requestLine, head) => {
    if (requestLine.includes(' /login ')) socket.end(formatRedirect('/app', headers));
    else
      socket.end(requestLine.includes(' /app ') && expected.test(head) ? ARRIVED : formatRedirect('/login'));
  };
}

/** Redirects to `/there` of `host`, which responds with 400 unless the request is as expected. */
export function redirectRequest(
  status: number,
  host: string,
  { has = [], lacks = [] }: { has?: readonly RegExp[]; lacks?: readonly RegExp[] },
): Script {
  return (socket, requestLine, head) => {
    const isExpected = has.every((one) => one.test(head)) && !lacks.some((one) => one.test(head));
    if (requestLine.includes(' /there ')) socket.end(isExpected ? ARRIVED : 'HTTP/1.1 400 No\r\n\r\n');
    else
      socket.end(formatRedirect(`http://${host}:${socket.localPort}/there`).replace('302', String(status)));
  };
}

const ARRIVED = 'HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\narrived';

function withCertificate({ certificate = 'good', ...options }: NonNullable<Behavior['tls']>): TlsOptions {
  const path = new URL(`../../platform/net/testing/${certificate}.pem`, import.meta.url);
  const pem = readFileSync(fileURLToPath(path));
  return { key: pem, cert: pem, ...options };
}

function formatRedirect(location: string, headers = ''): string {
  return `HTTP/1.1 302 Found\r\n${headers}Location: ${location}\r\nContent-Length: 0\r\n\r\n`;
}
