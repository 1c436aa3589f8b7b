import { afterAll, beforeAll, expect, it } from 'vitest';
import { type BorrowedService, borrowService } from '@/e2e/support/borrow-service';
import { CLOSED } from './testing/fixtures';
import { type Backdoor, openBackdoor, type Tenant } from './testing/tenants';

let service: BorrowedService;
let backdoor: Backdoor;

beforeAll(async () => {
  service = await borrowService();
  backdoor = await openBackdoor(service);
});
afterAll(() => backdoor?.close());

type Monitor = Record<string, unknown> & { version: number };

const MONITORS = Array.from({ length: 500 }, (_, index) => ({
  name: `Shop ${index}`,
  url: CLOSED,
  ref: `shop-${index}`,
  enabled: false,
  interval: 60,
  regions: ['us-east', 'eu-west'],
  headers: { Authorization: `Bearer ${index}`, Accept: 'application/json' },
  tags: ['shop', 'production'],
  alertThreshold: 3,
}));

/** Sends monitors in bulk; returns the monitors of the response, and how long it took. */
async function timeBulk({ api }: Tenant, monitors: unknown[], status: number) {
  const began = performance.now();
  const { body } = await api('POST', '/monitors/bulk', { monitors, upsert: true });
  const seconds = (performance.now() - began) / 1000;
  const results: { status: number; monitor: Monitor }[] = body.results;
  expect(results.map((result) => result.status)).toEqual(Array(monitors.length).fill(status));
  return { seconds, monitors: results.map(({ monitor }) => monitor) };
}

// Each takes less than 2 s on a quiet machine. Repeated, because a busy one says nothing about the service.
it('500 monitors are created or changed in less than 15 seconds', {
  retry: 2,
}, async () => {
  const tenant = await backdoor.addTenant();
  const change = (fields: object) => MONITORS.map(({ ref }) => ({ ref, ...fields }));
  const created = await timeBulk(tenant, MONITORS, 201);
  const probed = await timeBulk(tenant, change({ url: `${CLOSED}other`, interval: 300 }), 200);
  const resumed = await timeBulk(
    tenant,
    change({ enabled: true, regions: ['eu-west', 'ap-southeast'] }),
    200,
  );
  const moved = await timeBulk(tenant, change({ interval: 60, regions: ['us-east'] }), 200);
  // With all their fields, as a list returns them.
  const same = await timeBulk(tenant, moved.monitors, 200);
  expect(same.monitors.map(({ version }) => version)).toEqual(Array(500).fill(4));
  const all = { created, probed, resumed, moved, same };
  const times = Object.entries(all).map(([name, { seconds }]) => `${name}: ${seconds.toFixed(2)} s`);
  for (const { seconds } of Object.values(all)) expect(seconds, times.join()).toBeLessThan(15);
  await tenant.api('POST', '/monitors/bulk', { monitors: change({ enabled: false }), upsert: true });
});
