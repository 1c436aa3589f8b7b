import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import type { ReportLine } from '@/lib/schemas/reports/report';
import { OutageTable } from './outage-table';
import { splitRows } from './split-rows';
import { MonitorTable } from './uptime-table';

const ids = Array.from({ length: 1000 }, (_, index) => `mon_${index}`);
const nothing = { measured: null, checks: 0, failures: 0, tags: [] };
const times = { knownMs: 1000, downMs: 10, degradedMs: 0, maintenanceMs: 0, longestOutageMs: 10 };
const lines: ReportLine[] = ids.map((monitorId) => ({
  monitorId,
  name: `Shop ${monitorId}`,
  ...nothing,
  ...times,
  uptimePercentage: 99,
  outages: 1,
  budgetMs: 1,
  budgetLeftMs: -9,
  responseTime: { p50: 1, p95: 2, p99: 3 },
}));

const from = '2026-10-01T00:00:00.000Z';
const until = '2026-11-01T00:00:00.000Z';
const outages = ids.map((monitorId, index) => {
  const startedAt = new Date(Date.parse(from) + index * 60_000).toISOString();
  return { monitorId, startedAt, endedAt: until, downMs: 10, cause: 'timeout', incidentId: null };
});

const countRows = (html: string) => html.split('<tr ').length - 1;

it('of a thousand monitors and outages, the server draws few rows', () => {
  const monitors = renderToStaticMarkup(<MonitorTable lines={lines} />);
  const report = { monitors: lines, outages, timeZone: 'UTC', from, until };
  const ofOutages = renderToStaticMarkup(<OutageTable report={report} />);
  expect([countRows(monitors), countRows(ofOutages)]).toEqual([51, 51]);
});

it('the browser gets all others as one text', () => {
  const rows = ids.map((key) => ({ key }));
  const { first, later } = splitRows(rows);
  expect([...first, ...JSON.parse(later ?? '')]).toEqual(rows);
  expect(splitRows(first).later).toBeNull();
});
