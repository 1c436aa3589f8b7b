import { createServer } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createManualClock } from '@/lib/core/time/clock';
import { TooManyCallsError } from '@/lib/engine/heartbeats/call-intake';
import type { ReceivedCall } from '@/lib/engine/heartbeats/record-calls';
import { listenLocally } from '@/lib/testing/http-listener';
import { keepLog } from '@/lib/testing/kept-log';
import { createHeartbeatListener } from './heartbeats';

const TOKEN = 'abcdefghijklmnopqrstuvwxyz-_0123';
const START = new Date('2026-03-01T12:00:00.000Z');

/** A listener in front of an intake that knows every token by default. */
async function begin(receive: (call: ReceivedCall) => Promise<boolean> = async () => true) {
  const calls: ReceivedCall[] = [];
  const { log, lines } = keepLog();
  const listener = createHeartbeatListener({
    intake: {
      receive: (call) => {
        calls.push(call);
        return receive(call);
      },
    },
    reception: { resume: async () => {} },
    addressOf: () => '192.0.2.1',
    clock: createManualClock(START),
    log,
  });
  const { port, close } = await listenLocally(createServer(listener));
  onTestFinished(close);
  const call = async (path: string, init?: RequestInit) => {
    const response = await fetch(`http://127.0.0.1:${port}/heartbeat/${path}`, init);
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  return { call, calls, lines };
}

describe('a call of a job', () => {
  it.each(['GET', 'HEAD', 'POST', 'PUT'])('by %s is OK once it is recorded', async (method) => {
    const { call, calls } = await begin();
    const { status, headers, text } = await call(TOKEN, { method });
    expect({ status, text, cached: headers.get('cache-control') }).toEqual({
      status: 200,
      text: method === 'HEAD' ? '' : 'OK\n',
      cached: 'no-store',
    });
    expect(calls).toMatchObject([{ kind: 'success', at: START.getTime(), message: null }]);
  });

  it.each([
    ['', 'success', null],
    ['/start', 'start', null],
    ['/fail', 'failure', null],
    ['/0', 'success', null],
    ['/3', 'failure', 'the job ended with exit code 3'],
    ['/255', 'failure', 'the job ended with exit code 255'],
  ])('to %s reports %s', async (path, kind, message) => {
    const { call, calls } = await begin();
    expect((await call(TOKEN + path, { method: 'POST', body: 'done' })).status).toBe(200);
    expect(calls).toMatchObject([{ kind, message, output: { text: 'done', size: 4 } }]);
  });

  it.each([
    ['?rid=8f14e45f-ceea-467f', '8f14e45f-ceea-467f'],
    [`/start?a=b&rid=${'x'.repeat(64)}`, 'x'.repeat(64)],
    ['', null],
    ['?rid=', null],
    [`?rid=${'x'.repeat(65)}`, null],
    ['/fail?rid=%00', null],
    ['/0?rid=%zz%', null],
    ['?rid=a/b', null],
    ['?%&rid[]=1', null],
  ])('to %s is OK, and is about the run %s', async (path, rid) => {
    const { call, calls } = await begin();
    expect((await call(TOKEN + path)).status).toBe(200);
    expect(calls).toMatchObject([{ rid }]);
  });

  it.each(['/256', '/-1', '/stop', '/start/now', '/'])('to %s is 404', async (path) => {
    const { call, calls } = await begin();
    expect(await call(TOKEN + path)).toMatchObject({ status: 404, text: 'Not found\n' });
    expect(calls).toEqual([]);
  });

  it('by another method is 405', async () => {
    const { call } = await begin();
    const { status, headers } = await call(TOKEN, { method: 'DELETE' });
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD, POST, PUT']);
  });

  it('can have a body of megabytes', async () => {
    const { call } = await begin();
    const body = 'x'.repeat(4 * 1024 * 1024);
    expect((await call(TOKEN, { method: 'POST', body })).status).toBe(200);
  });
});

describe('an unknown token', () => {
  it('is 404 like a malformed one, and 429 for an address with many', async () => {
    const { call } = await begin(async () => false);
    expect(await call(TOKEN)).toMatchObject({ status: 404, text: 'Not found\n' });
    expect(await call('short')).toMatchObject({ status: 404, text: 'Not found\n' });
    const more = await Promise.all(Array.from({ length: 60 }, () => call(TOKEN)));
    expect(more.map(({ status }) => status).filter((status) => status === 429)).toHaveLength(2);
    expect((await call(TOKEN)).headers.get('retry-after')).toMatch(/^\d+$/);
  });

  it('of an address does not prevent its other jobs from calling', async () => {
    let isKnown = false;
    const { call } = await begin(async () => isKnown);
    await Promise.all(Array.from({ length: 70 }, () => call(TOKEN)));
    isKnown = true;
    expect((await call(TOKEN)).status).toBe(200);
  });
});

describe('a call that cannot be recorded', () => {
  it.each([
    ['because the database is unavailable', new Error('connect ECONNREFUSED')],
    ['because too many arrive at once', new TooManyCallsError('too many calls at once')],
  ])('%s is 503 with Retry-After, and no log line has its token', async (_, error) => {
    const { call, lines } = await begin(async () => {
      throw error;
    });
    const { status, headers } = await call(TOKEN);
    expect([status, headers.get('retry-after')]).toEqual([503, '5']);
    expect(lines()).toHaveLength(1);
    expect(JSON.stringify(lines())).not.toContain(TOKEN);
  });
});
