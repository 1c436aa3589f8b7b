import { once } from 'node:events';
import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { serveTcp } from '@/lib/platform/net/testing/servers';
import type { Assertion } from '../assertions/assertion';
import { probe } from '../probe';
import { createTarget, openEnvironment } from '../testing/target';

const banner = (comparison: Assertion['comparison'], target: string): Assertion => ({
  source: 'banner',
  property: null,
  comparison,
  target,
});

async function check(assertions: Assertion[], onSocket: (socket: Socket) => void, changes = {}) {
  const { port } = await serveTcp(onSocket);
  return probe(createTarget('tcp', `127.0.0.1:${port}`, { assertions, ...changes }), openEnvironment);
}

describe('a tcp check with an assertion about the banner', () => {
  it('reads until it holds, however the text is divided', async () => {
    const found = await check([banner('contains', 'ESMTP')], (socket) => {
      socket.write('220 mail.test ES');
      setImmediate(() => socket.write('MTP'));
    });
    expect(found).toMatchObject({ outcome: 'ok', responseTime: expect.any(Number) });
  });

  it('sends what is to be sent first', async () => {
    const reply = async (socket: Socket) => {
      const [sent] = await once(socket, 'data');
      socket.write(String(sent) === 'PING\r\n' ? '+PONG\r\n' : '-ERR\r\n');
    };
    const found = await check([banner('matches', '^\\+PONG')], reply, { send: 'PING\r\n' });
    expect(found).toMatchObject({ outcome: 'ok' });
  });

  it('fails with what has arrived when the server closes the connection', async () => {
    const found = await check([banner('contains', 'SSH-2.0')], (socket) => socket.end('HTTP/1.1 400'));
    expect(found).toMatchObject({
      outcome: 'failed',
      networkFailure: false,
      error: {
        code: 'assertion',
        message: 'assertion 1 failed: banner does not contain the expected text',
        detail: 'banner is “HTTP/1.1 400”, expected to contain “SSH-2.0”',
      },
    });
  });

  it('fails with what has arrived in time, even if that is nothing', async () => {
    const silent = await check([banner('contains', 'SSH')], () => {}, { timeout: 0.2 });
    expect(silent.error?.detail).toBe('banner is “”, expected to contain “SSH”');
    const slow = await check([banner('contains', 'SSH')], (socket) => socket.write('SS'), { timeout: 0.2 });
    expect(slow.error?.detail).toBe('banner is “SS”, expected to contain “SSH”');
  });

  it('reads 8 KiB at most', async () => {
    const found = await check([banner('contains', 'end')], (socket) =>
      socket.write(`${'x'.repeat(8192)}end`),
    );
    expect(found.error?.code).toBe('assertion');
  });

  it('neither sends nor reads if no assertion is about it', async () => {
    let received = '';
    const found = await check(
      [],
      (socket) =>
        socket
          .on('data', (chunk) => {
            received += chunk;
          })
          .write('hello'),
      { send: 'PING' },
    );
    expect(found).toMatchObject({ outcome: 'ok' });
    expect(received).toBe('');
  });

  it('judges how long the banner took', async () => {
    const fast: Assertion = { source: 'responseTime', property: null, comparison: 'lessThan', target: 0 };
    expect((await check([fast], () => {})).error?.detail).toMatch(
      /^response time is \d+ ms, expected less than 0 ms$/,
    );
  });
});
