import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { regionSchema } from '@/lib/schemas/monitor/region';
import { borrowTenant } from './testing/borrow-tenant';
import { send } from './testing/send';

const setting = borrowTenant();

it('GET /api/regions shows a read key who probes: one worker on one machine for all three labels', async () => {
  const { readOnly } = await setting.backdoor.addCallers();
  const read = async () => {
    const { status, body } = await readOnly('GET', '/regions');
    expect(status).toBe(200);
    return z.array(regionSchema).parse(body);
  };
  const regions = await read();
  expect(regions.map(({ id }) => id)).toEqual(['us-east', 'eu-west', 'ap-southeast']);
  for (const { workers, machines } of regions) {
    expect([workers, machines.length]).toEqual([1, 1]);
    expect(machines[0]?.host).toEqual(expect.any(String));
  }
  expect(new Set(regions.map(({ machines }) => machines[0]?.id)).size).toBe(1);
  // Each is seen again and again.
  const seen = async () => (await read()).map(({ lastSeenAt }) => Date.parse(lastSeenAt ?? ''));
  const before = Math.max(...(await seen()));
  await expect.poll(async () => Math.min(...(await seen()))).toBeGreaterThan(before);
});

it('GET /api/regions needs a key', async () => {
  const { status } = await send(setting.service, { method: 'GET', path: '/regions', key: null });
  expect(status).toBe(401);
});

const UNKNOWN = /^unknown region; known are us-east, eu-west, ap-southeast and the own regions/;

describe('own regions', () => {
  const office = (name = 'Office') => ({ name, place: 'hamburg' });

  it('are created, changed and deleted, and follow the built-in ones', async () => {
    const { api } = await setting.backdoor.addCallers();
    const created = await api('POST', '/regions', office());
    expect([created.status, created.headers.get('location')]).toEqual([
      201,
      expect.stringMatching(`/api/regions/${created.body.id}$`),
    ]);
    expect((await api('GET', '/regions')).body.slice(3)).toEqual([created.body]);
    const moved = await api('PUT', `/regions/${created.body.id}`, { ...created.body, place: 'oslo' });
    expect(moved.body).toMatchObject({ name: 'Office', location: 'Oslo, Norway', version: 2 });
    const late = await api('PUT', `/regions/${created.body.id}`, { name: 'Depot', version: 1 });
    expect([late.status, late.body.error.code]).toEqual([409, 'CONFLICT']);
    expect((await api('DELETE', `/regions/${created.body.id}`)).body).toEqual({ message: 'Region deleted' });
    expect((await api('GET', `/regions/${created.body.id}`)).status).toBe(404);
  });

  it('cannot be built-in ones, on the free plan, by a read key, or in a place that is not on the list', async () => {
    const { api, readOnly, free } = await setting.backdoor.addCallers();
    const codeOf = async (response: ReturnType<typeof api>) => (await response).body.error?.code;
    expect(await codeOf(api('PUT', '/regions/us-east', { name: 'Mine' }))).toBe('NOT_FOUND');
    expect(await codeOf(api('DELETE', '/regions/us-east'))).toBe('NOT_FOUND');
    expect(await codeOf(free('POST', '/regions', office()))).toBe('PLAN_LIMIT_EXCEEDED');
    expect(await codeOf(readOnly('POST', '/regions', office()))).toBe('FORBIDDEN');
    expect(await codeOf(api('POST', '/regions', { ...office(), place: 'atlantis' }))).toBe(
      'VALIDATION_ERROR',
    );
  });

  it('of others are unknown to every operation that takes some, as those that nobody has', async () => {
    const { api, foreign } = await setting.backdoor.addCallers();
    const { id: theirs } = (await foreign('POST', '/regions', office())).body;
    const shop = { name: 'Shop', url: 'http://127.0.0.1:9/', enabled: false };
    const { id } = (await api('POST', '/monitors', { ...shop, ref: 'shop' })).body;
    const calls = (regions: string[]) =>
      [
        ['POST', '/monitors', { ...shop, regions }],
        ['PUT', `/monitors/${id}`, { regions }],
        ['PUT', '/monitors/by-ref/shop', { ...shop, regions }],
        ['PUT', '/monitors/by-ref/new', { ...shop, regions }],
        ['POST', '/monitors/bulk', { monitors: [{ ...shop, regions }], atomic: true }],
        ['POST', '/monitors/test', { ...shop, regions }],
        ['POST', `/monitors/${id}/backtest`, { regions }],
      ] as const;
    for (const region of [theirs, 'loc_32001', 'mars']) {
      for (const [method, path, body] of calls([region])) {
        const { status, body: response } = await api(method, path, body);
        expect([method, path, status, response.error?.code]).toEqual([method, path, 400, 'UNKNOWN_REGION']);
        expect(response.error.details).toMatchObject([{ message: expect.stringMatching(UNKNOWN) }]);
      }
      const results = await api('GET', `/monitors/${id}/results?region=${region}`);
      expect(results.body.error?.code ?? results.body).toEqual(region === 'mars' ? 'VALIDATION_ERROR' : []);
    }
    expect((await api('GET', `/regions/${theirs}`)).status).toBe(404);
    expect((await api('GET', '/regions')).body).toHaveLength(3);
    expect((await api('GET', '/monitors')).body).toHaveLength(1);
  });
});
