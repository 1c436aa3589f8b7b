import { expect, it } from 'vitest';
import type { MonitorOverview } from '@/lib/domain/monitors/lists/list-overviews';
import { WHOLE_LIST } from './list-query';
import { packLater, packMonitors, unpackMonitors } from './packed-monitors';

const usual: MonitorOverview = {
  id: 'mon_1',
  name: 'Shop',
  url: 'http://target.test/',
  type: 'http',
  regions: ['us-east', 'eu-west'],
  tags: ['shop'],
  enabled: true,
  maintenance: false,
  noDataSince: null,
  status: 'operational',
  lastCheckedAt: 1_000,
  changedAt: 500,
  uptimePercentage: 99.5,
  p95: 100,
  alertsAfter: 20,
};

const unusual: MonitorOverview = {
  ...usual,
  id: 'mon_2',
  regions: [],
  tags: [],
  enabled: false,
  maintenance: true,
  noDataSince: '2026-11-27T00:00:00.000Z',
  status: 'down',
  lastCheckedAt: null,
  changedAt: null,
  p95: null,
  cause: 'connection refused',
  youngSince: 400,
  flappingSince: 450,
};

it('monitors are the same when unpacked', () => {
  const unknown = { ...usual, uptimePercentage: null };
  expect(unpackMonitors(packMonitors([usual, unknown, unusual]))).toEqual([usual, unknown, unusual]);
});

it('packed monitors are half as long as their JSON', () => {
  const monitors = Array.from({ length: 100 }, (_, number) => ({ ...usual, id: `mon_${number}` }));
  expect(packMonitors(monitors).length).toBeLessThan(JSON.stringify(monitors).length / 2);
});

it('monitors that are packed later are in order', async () => {
  const named = ['Shop 10', 'Shop 9', 'Auth'].map((name) => ({ ...usual, id: name, name }));
  const packed = await packLater(named, WHOLE_LIST.sort);
  expect(unpackMonitors(packed).map(({ name }) => name)).toEqual(['Auth', 'Shop 9', 'Shop 10']);
});
