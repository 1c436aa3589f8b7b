import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createSecureContext } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { beginDeliveryStory } from '@/lib/engine/testing/delivery-story';
import { serveHttps, type TestCertificate, testAuthority } from '@/lib/platform/net/testing/servers';
import { useTestDatabase } from '@/lib/testing/database';

const database = useTestDatabase();
const closing: (() => void)[] = [];

afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A receiver that sends arbitrary bytes once a request has arrived. */
async function startRawReceiver(respond: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('data', () => respond(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests: [] };
}

const status = (line: string, rest = '') => `HTTP/1.1 ${line}\r\nConnection: close\r\n${rest}\r\n`;

/** A timeout that a test would not live to see. */
const NEVER_MS = 600_000;

function drip(socket: Socket, beginning: string, drop = '.') {
  socket.write(beginning);
  const timer = setInterval(() => socket.write(drop), 10);
  socket.on('close', () => clearInterval(timer));
}

async function attemptAt(respond: (socket: Socket) => void, options: { timeout?: number } = {}) {
  const story = await beginDeliveryStory(database.db, await startRawReceiver(respond), options);
  await story.emit();
  await story.send();
  const { attemptLog, ...delivery } = await story.delivery();
  return { delivery, attempt: attemptLog[0] };
}

describe('a receiver that responds', () => {
  it.each(['200 OK', '201 Created', '202 Accepted', '204 No Content', '299 Fine'])(
    '%s has taken the delivery',
    async (line) => {
      const { delivery, attempt } = await attemptAt((socket) => socket.end(status(line, 'X-Reply: yes\r\n')));
      expect(delivery).toMatchObject({ status: 'delivered', failures: 0, nextAttemptAt: null });
      expect(attempt).toMatchObject({ statusCode: Number(line.slice(0, 3)), error: null });
      expect(attempt?.responseHeaders).toMatchObject({ 'x-reply': 'yes' });
    },
  );

  it.each([
    ['301 Moved Permanently', 'Location: http://127.0.0.1:9/elsewhere\r\n'],
    ['302 Found', 'Location: /\r\n'],
    ['304 Not Modified', ''],
    ['400 Bad Request', ''],
    ['410 Gone', ''],
    ['500 Internal Server Error', ''],
    ['503 Service Unavailable', ''],
  ])('%s has not, and is retried; redirects are not followed', async (line, headers) => {
    const { delivery, attempt } = await attemptAt((socket) => socket.end(status(line, headers)));
    const code = Number(line.slice(0, 3));
    expect(delivery).toMatchObject({ status: 'pending', failures: 1, attempts: 1 });
    expect(attempt).toMatchObject({ statusCode: code, error: `responded with ${code}, expected 2xx` });
  });
});

describe('a receiver that misbehaves', () => {
  it('fails the attempt when it resets the connection', async () => {
    const { delivery, attempt } = await attemptAt((socket) => socket.resetAndDestroy());
    expect(delivery).toMatchObject({ status: 'pending', failures: 1 });
    expect(attempt).toMatchObject({ statusCode: null, error: expect.stringContaining('before a response') });
  });

  it('fails the attempt when it hangs', async () => {
    const { delivery, attempt } = await attemptAt(() => undefined, { timeout: 100 });
    expect(delivery).toMatchObject({ status: 'pending', failures: 1 });
    expect(attempt?.error).toMatch(/timeout|timed out|within/i);
    expect(attempt?.duration).toBeGreaterThanOrEqual(99);
  });

  it('is recorded without NUL, whatever bytes it sends', async () => {
    const garbage = Buffer.concat([Buffer.from('a\0b'), Buffer.from([0xff, 0xfe, 0xc3, 0x28, 0x00])]);
    const { delivery, attempt } = await attemptAt((socket) => {
      socket.write(status('200 OK', `Content-Length: ${garbage.length}\r\nX-Odd: caf\xe9\r\n`));
      socket.end(garbage);
    });
    expect(delivery.status).toBe('delivered');
    expect(attempt?.responseBody).toMatch(/^ab/);
    expect(attempt?.responseBody).not.toContain('\0');
  });

  it('fails the attempt when it does not speak HTTP', async () => {
    const { delivery, attempt } = await attemptAt((socket) => socket.end('\0\0 hello \xff\r\n\r\n'));
    expect(delivery).toMatchObject({ status: 'pending', failures: 1 });
    expect(attempt?.error).toContain('sent bytes that are not HTTP');
  });
});

describe('a receiver that responds 2xx in time has the delivery, whatever comes after the headers', () => {
  const sized = status('200 OK', 'Content-Length: 99\r\n');
  const chunked = status('202 Accepted', 'Transfer-Encoding: chunked\r\n');

  it.each<[what: string, respond: (socket: Socket) => void]>([
    ['a body that is cut off', (socket) => socket.end(`${sized}partial`)],
    ['a reset', (socket) => socket.write(`${sized}partial`, () => socket.resetAndDestroy())],
    ['a chunk without a size', (socket) => socket.write(`${chunked}7\r\npartial\r\nno size\r\n`)],
    ['silence', (socket) => socket.write(`${sized}partial`)],
    ['an endless drip', (socket) => drip(socket, `${status('200 OK')}partial`)],
    ['an endless drip of chunks', (socket) => drip(socket, `${chunked}7\r\npartial\r\n`, '1\r\n.\r\n')],
  ])('%s', async (_what, respond) => {
    let closed: Promise<unknown> | undefined;
    const { delivery, attempt } = await attemptAt(
      (socket) => {
        closed = new Promise((resolve) => socket.on('close', resolve));
        respond(socket);
      },
      { timeout: NEVER_MS },
    );
    expect(delivery).toMatchObject({ status: 'delivered', failures: 0, nextAttemptAt: null });
    expect(attempt).toMatchObject({ error: null, responseBody: expect.stringMatching(/^(partial|$)/) });
    expect(attempt?.statusCode).toBeOneOf([200, 202]);
    await closed;
  });

  it('an endless body, with 16 KiB kept', async () => {
    const { delivery, attempt } = await attemptAt((socket) => {
      socket.write(status('200 OK'));
      const pour = () => {
        while (!socket.destroyed && socket.write('x'.repeat(64 * 1024)));
      };
      socket.on('drain', pour);
      pour();
    });
    expect(delivery.status).toBe('delivered');
    expect(attempt?.responseBody).toHaveLength(16 * 1024);
  });

  it('the end of its 30 seconds', async () => {
    const { delivery, attempt } = await attemptAt((socket) => socket.write(sized), { timeout: 200 });
    expect(delivery.status).toBe('delivered');
    expect(attempt).toMatchObject({ statusCode: 200, error: null });
  });

  it.each(['302 Found', '500 Internal Server Error'])('but %s is a failure, cut off or not', async (line) => {
    const { delivery, attempt } = await attemptAt((socket) =>
      socket.end(status(line, 'Content-Length: 99\r\n')),
    );
    expect(delivery).toMatchObject({ status: 'pending', failures: 1 });
    expect(attempt).toMatchObject({ statusCode: Number(line.slice(0, 3)), error: expect.any(String) });
  });
});

describe('a receiver behind TLS', () => {
  async function attemptOver(certificate: TestCertificate, secureContext = testAuthority) {
    const received: string[] = [];
    const server = await serveHttps(certificate, (request, response) => {
      received.push(request.url ?? '');
      response.writeHead(204).end();
    });
    const receiver = { url: server.url, requests: [] };
    const story = await beginDeliveryStory(database.db, receiver, { secureContext });
    await story.emit();
    await story.send();
    const { attemptLog, ...delivery } = await story.delivery();
    return { delivery, attempt: attemptLog[0], received };
  }

  it('with a certificate from a trusted authority accepts the delivery', async () => {
    const { delivery, attempt, received } = await attemptOver('good');
    expect(delivery).toMatchObject({ status: 'delivered', failures: 0 });
    expect(attempt).toMatchObject({ statusCode: 204, error: null });
    expect(received).toHaveLength(1);
  });

  it.each([
    ['expired', /^certificate expired \d+ days ago$/],
    ['wrong-host', /^certificate is not valid for 127\.0\.0\.1 \(valid for a\.test, b\.test\)$/],
    ['self-signed', /^certificate is self-signed$/],
  ] as const)(
    'with a certificate that is %s gets nothing, and the reason is recorded',
    async (certificate, error) => {
      const { delivery, attempt, received } = await attemptOver(certificate);
      expect(delivery).toMatchObject({ status: 'pending', failures: 1, attempts: 1 });
      expect(attempt).toMatchObject({
        statusCode: null,
        responseHeaders: null,
        error: expect.stringMatching(error),
        url: expect.stringMatching(/^https:/),
      });
      expect(received, 'nothing of the delivery goes over such a connection').toEqual([]);
    },
  );

  it('with a certificate from an untrusted authority receives nothing either', async () => {
    const { attempt, received } = await attemptOver('good', createSecureContext());
    expect(attempt).toMatchObject({
      statusCode: null,
      error:
        'the server does not send its certificate chain: the issuer “Test CA” is neither sent nor trusted',
    });
    expect(received).toEqual([]);
  });
});
