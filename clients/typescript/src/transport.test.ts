import { afterEach, describe, expect, it } from 'vitest';
import { Pharos, PharosConnectionError, PharosError, type PharosOptions } from './index';
import {
  hangUp,
  refuse,
  reply,
  type ScriptedService,
  type Step,
  stall,
  startScriptedService,
} from './testing/scripted-service';

let service: ScriptedService;
afterEach(() => service.close());

const monitor = { id: 'mon_1', name: 'Shop' };
const created = reply(201, monitor);
const NOW = { 'retry-after': '0' };

async function connect(steps: Step[], options: Partial<PharosOptions> = {}): Promise<Pharos> {
  service = await startScriptedService(...steps);
  return new Pharos({ url: service.url, key: 'ph_live_key', ...options });
}

const create = (pharos: Pharos, options?: Parameters<Pharos['monitors']['create']>[1]) =>
  pharos.monitors.create({ name: 'Shop', url: 'https://shop.example.com/' }, options);
const keysOf = () => service.requests.map(({ headers }) => headers['idempotency-key']);

describe('a request of the client', () => {
  it('carries the key, the version of the client and the body, below the path of the url', async () => {
    const pharos = await connect([created]);
    const behindProxy = new Pharos({ url: `${service.url}/pharos/`, key: 'ph_live_key' });
    expect(await create(pharos)).toEqual(monitor);
    await create(behindProxy);
    expect(service.requests.map(({ path }) => path)).toEqual(['/api/monitors', '/pharos/api/monitors']);
    expect(service.requests[0]).toMatchObject({
      method: 'POST',
      headers: {
        authorization: 'Bearer ph_live_key',
        'content-type': 'application/json',
        'user-agent': expect.stringMatching(/^Pharos-Client-TypeScript\/\d+\.\d+\.\d+$/),
      },
      body: '{"name":"Shop","url":"https://shop.example.com/"}',
    });
  });

  it('encodes IDs and filters, and leaves out filters that are not set', async () => {
    const pharos = await connect([reply(200, [])]);
    await pharos.monitors.getByRef('a/b ?#');
    await pharos.monitors.list({ q: 'a&b', enabled: true, tag: undefined }).page();
    expect(service.requests.map(({ path }) => path)).toEqual([
      '/api/monitors/by-ref/a%2Fb%20%3F%23',
      '/api/monitors?q=a%26b&enabled=true',
    ]);
  });

  it.each(['', '.', '..'])(
    'is not sent for the ID "%s", which is the address of something else',
    async (id) => {
      const pharos = await connect([created]);
      expect(() => pharos.monitors.get(id)).toThrow('Pass the ID of the resource');
      expect(service.requests).toEqual([]);
    },
  );

  it('does not follow redirects, which would lose the body or the key', async () => {
    const pharos = await connect([
      (response) => response.writeHead(301, { location: 'https://x.test/' }).end(),
    ]);
    await expect(create(pharos)).rejects.toThrow('redirects to https://x.test/');
  });
});

describe('retries', () => {
  it.each([429, 500, 502, 503, 504])(
    'repeat a POST after %i with the same Idempotency-Key',
    async (status) => {
      const pharos = await connect([
        refuse(status, 'SOME_CODE', NOW),
        refuse(status, 'SOME_CODE', NOW),
        created,
      ]);
      expect(await create(pharos)).toEqual(monitor);
      const [first, ...others] = keysOf();
      expect(first).toMatch(/^[0-9a-f-]{36}$/);
      expect(others).toEqual([first, first]);
      expect(new Set(service.requests.map(({ body }) => body)).size).toBe(1);
    },
  );

  it('repeat what got no response, or half of one', async () => {
    const half: Step = (response) => {
      response.writeHead(201, { 'content-length': '100' }).write('{', () => response.destroy());
    };
    const pharos = await connect([hangUp, half, created]);
    expect(await create(pharos)).toEqual(monitor);
    expect(new Set(keysOf()).size).toBe(1);
    expect(service.requests).toHaveLength(3);
  });

  it('wait while the first request with the key is in progress, but do not repeat other conflicts', async () => {
    const pharos = await connect([refuse(409, 'IN_PROGRESS', NOW), created]);
    expect(await create(pharos)).toEqual(monitor);
    await service.close();
    const other = await connect([refuse(409, 'CONFLICT')]);
    await expect(create(other)).rejects.toMatchObject({ code: 'CONFLICT', status: 409 });
    expect(service.requests).toHaveLength(1);
  });

  it('use a key of yours, and another one for every call', async () => {
    const pharos = await connect([created]);
    await create(pharos, { idempotencyKey: 'order-4711' });
    await create(pharos);
    await create(pharos);
    const [own, ...others] = keysOf();
    expect(own).toBe('order-4711');
    expect(new Set(others).size).toBe(2);
  });

  it('never repeat a POST without a key', async () => {
    const pharos = await connect([refuse(503, 'INTERNAL_ERROR', NOW), created]);
    await expect(create(pharos, { idempotencyKey: null })).rejects.toMatchObject({ status: 503 });
    expect(keysOf()).toEqual([undefined]);
  });

  it('end after maxRetries, with the last error', async () => {
    const pharos = await connect([refuse(500, 'INTERNAL_ERROR', NOW)], { maxRetries: 2 });
    const error = await pharos.me.get().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(PharosError);
    expect(error).toMatchObject({ code: 'INTERNAL_ERROR', requestId: 'request-1', retryAfter: 0 });
    expect(service.requests).toHaveLength(3);
    await expect(pharos.me.get({ maxRetries: 0 })).rejects.toThrow('It is INTERNAL_ERROR.');
    expect(service.requests).toHaveLength(4);
  });

  it('wait as long as the service asks', async () => {
    const pharos = await connect([refuse(429, 'RATE_LIMITED', { 'retry-after': '1' }), reply(200, {})]);
    const begun = performance.now();
    await pharos.me.get();
    expect(performance.now() - begun).toBeGreaterThan(990);
  });

  it('do not wait longer than a minute: the error comes at once, with the delay that the service asks for', async () => {
    const pharos = await connect([refuse(429, 'RATE_LIMITED', { 'retry-after': '3600' })]);
    await expect(pharos.me.get()).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfter: 3600 });
    expect(service.requests).toHaveLength(1);
  });

  it('are not made for what stays wrong', async () => {
    const pharos = await connect([refuse(400, 'VALIDATION_ERROR')]);
    await expect(create(pharos)).rejects.toMatchObject({ code: 'VALIDATION_ERROR', details: [] });
    expect(service.requests).toHaveLength(1);
  });
});

describe('a call', () => {
  it('ends when its signal is aborted: before it, during a response, and while it waits for a retry', async () => {
    const pharos = await connect([stall, refuse(503, 'INTERNAL_ERROR', { 'retry-after': '30' })]);
    await expect(pharos.me.get({ signal: AbortSignal.abort(new Error('stop')) })).rejects.toThrow('stop');
    expect(service.requests).toEqual([]);
    for (const count of [1, 2]) {
      const controller = new AbortController();
      const call = pharos.me.get({ signal: controller.signal });
      await expect.poll(() => service.requests.length).toBe(count);
      controller.abort(new Error('stop'));
      await expect(call).rejects.toThrow('stop');
    }
  });

  it('has a timeout for each attempt, with its body, and repeats it', async () => {
    const pharos = await connect([stall, reply(200, { plan: 'free' })], { timeoutMs: 300 });
    expect(await pharos.me.get()).toEqual({ plan: 'free' });
    await service.close();
    const slow = await connect([stall], { timeoutMs: 100, maxRetries: 0 });
    const error = await slow.me.get().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(PharosConnectionError);
    expect(error).toMatchObject({ message: expect.stringContaining('did not respond within 100 ms') });
  });

  it('names the server that it cannot reach', async () => {
    const pharos = await connect([created], { maxRetries: 0 });
    await service.close();
    await expect(pharos.me.get()).rejects.toThrow(`Cannot reach ${service.url}: `);
    service = await startScriptedService();
  });

  it('reports a response that is not from Pharos', async () => {
    const page: Step = (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>');
    const pharos = await connect([page, refuse(503, 'INTERNAL_ERROR')]);
    await expect(pharos.me.get()).rejects.toMatchObject({ code: 'UNEXPECTED_RESPONSE', status: 200 });
  });

  it('returns what an unhealthy service reports', async () => {
    const pharos = await connect([reply(503, { status: 'unhealthy' })]);
    expect(await pharos.service.getHealth()).toEqual({ status: 'unhealthy' });
    expect(service.requests).toHaveLength(1);
  });
});
