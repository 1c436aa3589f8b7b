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

/** Sends monitors in bulk; returns the monitors of the response. */
async function sendBulk({ api }: Tenant, monitors: unknown[], status: number) {
  const { body } = await api('POST', '/monitors/bulk', { monitors, upsert: true });
  expect(body, 'the response').toHaveProperty('results');
  const results: { status: number; monitor: Monitor }[] = body.results;
  expect(results.map((result) => result.status)).toEqual(Array(monitors.length).fill(status));
  return results.map(({ monitor }) => monitor);
}

// What it costs is in docs/benchmarks.
it('500 monitors are created or changed in one request, whatever is changed', async () => {
  const tenant = await backdoor.addTenant();
  const change = (fields: object) => MONITORS.map(({ ref }) => ({ ref, ...fields }));
  await sendBulk(tenant, MONITORS, 201);
  const fields = {
    url: `${CLOSED}other`,
    interval: 300,
    enabled: true,
    regions: ['us-east', 'ap-southeast'],
  };
  const moved = await sendBulk(tenant, change(fields), 200);
  // With all their fields, as a list returns them.
  const same = await sendBulk(tenant, moved, 200);
  expect(same.map(({ version }) => version)).toEqual(Array(500).fill(2));
  await tenant.api('POST', '/monitors/bulk', { monitors: change({ enabled: false }), upsert: true });
});
