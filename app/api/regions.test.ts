import { expect, it } from 'vitest';
import { z } from 'zod';
import { regionSchema } from '@/lib/schemas/monitor/region';
import { borrowTenant } from './testing/borrow-tenant';
import { send } from './testing/send';

const setting = borrowTenant();

it('GET /api/regions shows a read key who probes: one worker on one machine for all three labels', async () => {
  const { readOnly } = await setting.backdoor.addCallers();
  const { status, body } = await readOnly('GET', '/regions');
  expect(status).toBe(200);
  const regions = z.array(regionSchema).parse(body);
  expect(regions.map(({ id }) => id)).toEqual(['us-east', 'eu-west', 'ap-southeast']);
  for (const { workers, machines, lastSeenAt } of regions) {
    expect([workers, machines.length]).toEqual([1, 1]);
    expect(machines[0]?.host).toEqual(expect.any(String));
    expect(Date.now() - Date.parse(lastSeenAt ?? '')).toBeLessThan(15_000);
  }
  expect(new Set(regions.map(({ machines }) => machines[0]?.id)).size).toBe(1);
});

it('GET /api/regions needs a key', async () => {
  const { status } = await send(setting.service.url, { method: 'GET', path: '/regions', key: null });
  expect(status).toBe(401);
});
