import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { serveBytes, serveHttp } from '@/lib/platform/net/testing/servers';
import type { ProbeTarget } from '@/lib/schemas/monitor/fields';
import type { Assertion } from '../assertions/assertion';
import { probe } from '../probe';
import { createTarget, openEnvironment } from '../testing/target';

const TIMEOUT_S = 0.5;
const EVENTS = { 'content-type': 'text/event-stream; charset=utf-8' };

async function check(
  headers: Record<string, string | number>,
  send: (response: ServerResponse) => void,
  changes: Partial<ProbeTarget> = {},
) {
  const server = await serveHttp((_request, response) => {
    response.writeHead(200, headers);
    response.flushHeaders();
    send(response);
  });
  const target = createTarget('http', server.url, { timeout: TIMEOUT_S, ...changes });
  return probe(target, { ...openEnvironment, evidenceOf: 'any' });
}

/** Writes a text every 20 ms, as long as the client listens. */
const pour = (text: string) => (response: ServerResponse) => {
  response.write(text);
  const timer = setInterval(() => response.write(text), 20);
  response.on('close', () => clearInterval(timer));
};

const body = (comparison: Assertion['comparison'], target: string): Assertion => ({
  source: 'body',
  property: null,
  comparison,
  target,
});

describe('a response without end', () => {
  it('that flows at the deadline counts by its status, its headers and what was read', async () => {
    const result = await check({ 'content-type': 'audio/mpeg' }, pour('frame '), {
      keyword: 'frame',
      assertions: [{ source: 'header', property: 'content-type', comparison: 'contains', target: 'audio' }],
    });
    expect(result).toMatchObject({ outcome: 'ok', statusCode: 200, error: null });
    expect(result.bodySize).toBeGreaterThan(6);
    expect(result.evidence?.().body).toMatchObject({
      text: expect.stringMatching(/^frame /),
      truncated: true,
    });
  });

  it('took as long as its headers', async () => {
    const { responseTime, phases } = await check({}, pour('x'));
    expect(responseTime).toBeLessThan(TIMEOUT_S * 1000);
    expect(phases).toMatchObject({ firstByte: expect.any(Number), transfer: null });
  });

  it('fails by its status, a missing keyword, or text that it must not contain', async () => {
    const [status, keyword, forbidden] = await Promise.all([
      check({}, pour('x'), { expectedStatusCode: 204 }),
      check({}, pour('x'), { keyword: 'never' }),
      check({}, pour('an error '), { assertions: [body('notContains', 'error')] }),
    ]);
    expect(status.error?.message).toBe('responded with 200, expected 204');
    expect(keyword.error?.message).toMatch(/^the first \d+ B of the response body does not contain “never”$/);
    expect(forbidden).toMatchObject({ outcome: 'failed', error: { code: 'assertion' } });
  });

  it('leaves undecided what it must not contain, and says so', async () => {
    const assertions = [body('contains', 'fine'), body('notMatches', 'err(or)?')];
    const result = await check({}, pour('fine '), { assertions });
    expect(result).toMatchObject({
      outcome: 'ok',
      error: {
        code: 'assertion',
        message: expect.stringMatching(
          /^assertion 2 is undecided: the response did not end within 500 ms, after \d+ B$/,
        ),
      },
    });
  });

  it('leaves undecided whether it stays that short, and whether it becomes that long', async () => {
    const size = (comparison: Assertion['comparison'], target: number): Assertion => ({
      source: 'size',
      property: null,
      comparison,
      target,
    });
    for (const undecided of [size('lessThan', 1e6), size('greaterThan', 1e6)]) {
      const result = await check({}, pour('fine '), { assertions: [undecided] });
      const message = expect.stringMatching(/^assertion 1 is undecided: the response did not end/);
      expect(result).toMatchObject({ outcome: 'ok', error: { code: 'assertion', message } });
    }
    expect((await check({}, pour('fine '), { assertions: [size('lessThan', 2)] })).outcome).toBe('failed');
    expect((await check({}, pour('fine '), { assertions: [size('greaterThan', 2)] })).error).toBeNull();
  });

  it('counts without a length after 64 KB, even if nothing more comes', async () => {
    const result = await check({}, (response) => response.write('x'.repeat(64 * 1024)));
    expect(result).toMatchObject({ outcome: 'ok', bodySize: 64 * 1024 });
  });

  it('that may be longer than what is read counts if it flows, although it has a length', async () => {
    const result = await check({ 'content-length': 5_000_000 }, pour('x'));
    expect(result).toMatchObject({ outcome: 'ok', statusCode: 200 });
  });
});

describe('server-sent events', () => {
  it('count at once if nothing is expected of the body', async () => {
    const result = await check(EVENTS, () => {}, { timeout: 60 });
    expect(result).toMatchObject({ outcome: 'ok', bodySize: 0 });
  });

  it('are read until they contain the keyword, however it is divided', async () => {
    const send = (response: ServerResponse) => {
      response.write('data: rea');
      setTimeout(() => response.write('dy\n\n'), 20);
    };
    expect(await check(EVENTS, send, { keyword: 'ready', timeout: 60 })).toMatchObject({ outcome: 'ok' });
  });

  it('are read to the deadline for assertions about the body, and may be silent then', async () => {
    const send = (response: ServerResponse) => response.write('data: ready\n\n');
    const assertions = [body('contains', 'ready')];
    expect(await check(EVENTS, send, { assertions })).toMatchObject({ outcome: 'ok', bodySize: 13 });
    const { error } = await check(EVENTS, send, { assertions: [body('contains', 'never')] });
    expect(error?.detail).toBe('body does not contain “never” in its first 13 B');
    const size: Assertion = { source: 'size', property: null, comparison: 'greaterThan', target: 12 };
    const later = (response: ServerResponse) => setTimeout(() => send(response), 20);
    expect(await check(EVENTS, later, { assertions: [size] })).toMatchObject({ outcome: 'ok' });
  });
});

describe('a response that did not end in time', () => {
  it.each([
    ['stalls without a length', {}, (response: ServerResponse) => response.write('x'.repeat(34_000))],
    ['has a length and flows', { 'content-length': 900_000 }, pour('x'.repeat(34))],
  ])('fails if it %s, with how much was read', async (_what, headers, send) => {
    const result = await check(headers, (response) => void send(response));
    expect(result).toMatchObject({
      outcome: 'failed',
      statusCode: 200,
      responseTime: null,
      error: {
        code: 'timeout',
        message: expect.stringMatching(/^the response did not end within 500 ms, after [\d.]+ K?B$/),
      },
    });
  });

  it('fails if it is cut short, even server-sent events', async () => {
    const head = 'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n';
    const { url } = await serveBytes(`${head}5\r\ndata:\r\n`, (socket) => socket.end());
    const target = createTarget('http', url, { keyword: 'never' });
    expect((await probe(target, openEnvironment)).error?.code).toBe('connection_lost');
  });
});
