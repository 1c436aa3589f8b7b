import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WAIT_MS } from '@/bin/testing/patience.mjs';
import type { ApiClient } from '@/e2e/support/api-client';
import { type BorrowedService, borrowService } from '@/e2e/support/borrow-service';
import { checkResultSchema } from '@/lib/schemas/monitor/result';
import { statsSchema } from '@/lib/schemas/monitor/stats';
import { transitionSchema } from '@/lib/schemas/monitor/transition';
import { startTarget, type Target } from '@/lib/testing/target';
import { type Backdoor, openBackdoor } from './testing/tenants';

const REGIONS = ['us-east', 'eu-west', 'ap-southeast'];

let service: BorrowedService;
let backdoor: Backdoor;
let target: Target;
let api: ApiClient;
let foreign: ApiClient;
let readOnly: ApiClient;
/** A monitor that was checked once from each of three regions. */
let monitor: string;

beforeAll(async () => {
  target = await startTarget();
  service = await borrowService();
  backdoor = await openBackdoor(service);
  ({ api, readOnly, foreign } = await backdoor.addCallers());
  const shop = { name: 'Shop', url: target.url, interval: 300, regions: REGIONS };
  monitor = `/monitors/${(await api('POST', '/monitors', shop)).body.id}`;
  await waitForResults(3);
});
afterAll(() => Promise.all([backdoor?.close(), target?.close()]));

async function waitForResults(count: number): Promise<void> {
  for (const deadline = Date.now() + WAIT_MS; Date.now() < deadline; await sleep(100)) {
    if ((await api('GET', `${monitor}/results`)).body.length >= count) return;
  }
  throw new Error(`fewer than ${count} results:\n${await service.logs()}`);
}

describe('GET /api/monitors/:id/results', () => {
  it('returns the checks, newest first', async () => {
    const { status, headers, body } = await readOnly('GET', `${monitor}/results`);
    expect(status).toBe(200);
    expect(headers.get('link')).toBeNull();
    expect(body).toHaveLength(3);
    for (const result of body) {
      expect(checkResultSchema.parse(result)).toMatchObject({
        outcome: 'ok',
        statusCode: 200,
        errorCode: null,
      });
    }
    const times = body.map((result: { checkedAt: string }) => result.checkedAt);
    expect(times).toEqual(times.toSorted().toReversed());
    expect(body.map((result: { region: string }) => result.region).sort()).toEqual(REGIONS.toSorted());
  });

  it('links to the next page', async () => {
    const all = (await api('GET', `${monitor}/results`)).body;
    const seen = [];
    let path: string | undefined = `${monitor}/results?outcome=ok&limit=1`;
    while (path) {
      const { headers, body } = await api('GET', path);
      expect(body).toHaveLength(1);
      seen.push(...body);
      const [, link] = /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '') ?? [];
      path = link?.replace(`${service.url}/api`, '');
      if (path) expect(path).toMatch(/^\/monitors\/.*outcome=ok&limit=1&cursor=\w+$/);
    }
    expect(seen).toEqual(all);
  });

  it('filters by region and outcome', async () => {
    expect((await api('GET', `${monitor}/results?region=eu-west`)).body).toMatchObject([
      { region: 'eu-west' },
    ]);
    expect((await api('GET', `${monitor}/results?outcome=failed`)).body).toEqual([]);
  });
});

describe('GET /api/monitors/:id/stats', () => {
  it.each([
    ['', '24h', 96],
    ['?window=90d', '90d', 90],
  ])('returns numbers and series: %s', async (query, window, buckets) => {
    const { status, body } = await readOnly('GET', `${monitor}/stats${query}`);
    expect(status).toBe(200);
    const stats = statsSchema.parse(body);
    expect(stats).toMatchObject({ window, region: null, uptimePercentage: 100, checks: 3, failures: 0 });
    expect([stats.buckets.length, stats.days.length]).toEqual([buckets, 90]);
    expect(stats.latency.p95).toEqual(expect.any(Number));
  });
});

describe('GET /api/monitors/:id/transitions', () => {
  it('returns each status change with its reason', async () => {
    const { status, body } = await readOnly('GET', `${monitor}/transitions`);
    expect(status).toBe(200);
    for (const transition of body) transitionSchema.parse(transition);
    expect(body).toMatchObject([
      { from: 'pending', to: 'operational', endedAt: null, why: { rule: expect.any(String), quorum: 2 } },
      { from: null, to: 'pending', why: null },
    ]);
    expect((await readOnly('GET', monitor)).body.statusChangedAt).toBe(body[0].at);
    const { headers } = await api('GET', `${monitor}/transitions?limit=1`);
    expect(headers.get('link')).toContain(`${service.url}/api${monitor}/transitions?limit=1&cursor=`);
  });
});

describe('all three', () => {
  it.each([
    ['results?limit=0', ['limit']],
    ['results?limit=101&cursor=nonsense', ['limit', 'cursor']],
    ['results?region=mars&outcome=slow', ['region', 'outcome']],
    ['results?limit=1&limit=2', ['limit']],
    ['results?color=red', ['color']],
    ['stats?window=1y', ['window']],
    ['stats?limit=5', ['limit']],
    ['transitions?region=us-east', ['region']],
  ])('reject %s with 400, naming each parameter', async (path, names) => {
    const { status, body } = await api('GET', `${monitor}/${path}`);
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(body.error.details.map((detail: { path: string }) => detail.path).sort()).toEqual(
      names.toSorted(),
    );
  });

  it.each(['results', 'stats', 'transitions'])("hide another organization's monitor: %s", async (name) => {
    const theirs = await foreign('GET', `${monitor}/${name}`);
    expect([theirs.status, theirs.body.error.code]).toEqual([404, 'NOT_FOUND']);
    expect((await api('GET', `/monitors/mon_nobody/${name}`)).status).toBe(404);
    expect((await api('POST', `${monitor}/${name}`, {})).status).toBe(405);
  });
});

describe('maintenance entered afterwards', () => {
  it('corrects its time until it is deleted, and is refused where that is not possible', async () => {
    const id = monitor.replace('/monitors/', '');
    const startsAt = (await api('GET', monitor)).body.createdAt;
    const endsAt = new Date(Date.parse(startsAt) + 1).toISOString();
    const body = { title: 'New disks', monitors: [id], startsAt, endsAt };
    const created = await api('POST', '/maintenance', body);
    expect(created).toMatchObject({ status: 201, body: { ...body, status: 'finished', occurrence: null } });
    const window = created.body.id;
    const corrections = async () => (await api('GET', `${monitor}/corrections`)).body;
    expect(await corrections()).toMatchObject([
      { from: startsAt, to: endsAt, state: 'maintenance', reason: 'New disks', maintenanceId: window },
    ]);
    const refused = { status: 400, body: { error: { details: [{ path: 'startsAt' }] } } };
    expect(await api('POST', '/maintenance', body)).toMatchObject(refused);
    const before = { ...body, startsAt: '2026-01-01T00:00:00Z', endsAt: '2026-01-01T01:00:00Z' };
    expect(await api('POST', '/maintenance', before)).toMatchObject(refused);
    expect((await foreign('DELETE', `/maintenance/${window}`)).status).toBe(404);
    expect((await api('DELETE', `/maintenance/${window}`)).status).toBe(200);
    expect(await corrections()).toEqual([]);
  });
});
