import { describe, expect, it } from 'vitest';
import type { Overview } from '@/lib/domain/monitors/read-overview';
import type { Incident } from '@/lib/schemas/incidents/incident';
import { formatMs } from '../format-numbers';
import { chartData } from './chart-data';
import { formatBucket, formatEvents, formatFailures, formatTimeTicks } from './chart-texts';
import { packChart, unpackChart } from './packed-chart';

const MINUTE = 60_000;
const QUARTER = 15 * MINUTE;
const START = Date.parse('2026-03-10T14:00:00.000Z');
const at = (quarters: number) => new Date(START + quarters * QUARTER);
const NOW = new Date(START + 3.5 * QUARTER);

const bucket = (index: number, p50: number | null, checks: number, failures = 0) => ({
  from: at(index).toISOString(),
  to: new Date(Math.min(at(index + 1).getTime(), NOW.getTime())).toISOString(),
  checks,
  failures,
  p50,
  p95: p50 && p50 * 2,
  p99: p50 && p50 * 3,
});

/** Four quarters of an hour: good, down for five minutes, unknown, good until now. */
const series = {
  checks: 40,
  failures: 3,
  latency: { p50: 100, p95: 200, p99: 300 },
  buckets: [bucket(0, 100, 15), bucket(1, 120, 15, 3), bucket(2, null, 0), bucket(3, 90, 7)],
};
const overview: Overview = {
  window: '24h',
  from: at(0),
  to: NOW,
  width: QUARTER,
  uptime: { '24h': 99, '7d': 99, '30d': 99, '90d': 99 },
  measuredUptime: null,
  days: [],
  periods: [
    { state: 'operational', from: at(-8), to: at(1) },
    { state: 'down', from: at(1), to: new Date(at(1).getTime() + 5 * MINUTE) },
    { state: 'operational', from: new Date(at(1).getTime() + 5 * MINUTE), to: at(2) },
    { state: 'unknown', from: at(2), to: at(3) },
    { state: 'operational', from: at(3), to: null },
  ],
  together: series,
  regions: [
    { region: 'us-east', addUp: () => series },
    { region: 'eu-west', addUp: () => ({ ...series, latency: { p50: 50, p95: 60, p99: 70 } }) },
  ],
  marks: [
    { at: at(1), region: 'us-east', failures: 2 },
    { at: at(1.1), region: 'eu-west', failures: 1 },
  ],
};

const incident = (id: string, startedAt: Date, resolvedAt: Date | null): Incident => ({
  id,
  title: 'Shop is down',
  description: '',
  status: resolvedAt ? 'resolved' : 'investigating',
  severity: 'critical',
  affectedMonitors: [],
  affectedComponents: [],
  impacts: {},
  translations: {},
  resolveAfterMinutes: null,
  scheduledUpdates: [],
  automatic: true,
  postmortem: null,
  postmortemPublished: false,
  publishedOn: [],
  acknowledgedAt: null,
  acknowledgedBy: null,
  version: 1,
  startedAt: startedAt.toISOString(),
  createdAt: startedAt.toISOString(),
  updatedAt: startedAt.toISOString(),
  resolvedAt: resolvedAt?.toISOString() ?? null,
  updates: [],
});
const incidents = [incident('inc_now', at(1), at(2)), incident('inc_before', at(-9), at(-8))];

const markers = [
  { id: 'mrk_in', title: 'Shop 2.14', occurredAt: at(1.2).toISOString() },
  { id: 'mrk_before', title: 'Shop 2.13', occurredAt: at(-1).toISOString() },
];

const names = {};
const data = chartData(overview, { by: 'all', names, incidents, markers });

describe('chart data', () => {
  it('has three percentiles, or the median of each region, with gaps where nothing was measured', () => {
    expect(data.lines).toEqual([
      { key: 'p50', label: 'Median', values: [100, 120, null, 90], total: 100 },
      { key: 'p95', label: 'p95', values: [200, 240, null, 180], total: 200 },
      { key: 'p99', label: 'p99', values: [300, 360, null, 270], total: 300 },
    ]);
    const { lines } = chartData(overview, { by: 'region', names, incidents, markers });
    expect(lines.map(({ label, total }) => [label, total])).toEqual([
      ['us-east', 100],
      ['eu-west', 50],
    ]);
    const [first, ...others] = overview.regions;
    const own = first ? [{ ...first, region: 'loc_101' as const }, ...others] : [];
    const named = { by: 'region', names: { loc_101: 'Office' }, incidents, markers } as const;
    expect(chartData({ ...overview, regions: own }, named).lines[0]).toMatchObject({
      key: 'loc_101',
      label: 'Office',
    });
  });

  it('is sent as a text, from which the browser has the same again: the lines of the chart are those of its lanes', () => {
    const byRegion = chartData(overview, { by: 'region', names, incidents, markers });
    for (const sent of [data, byRegion]) {
      const received = unpackChart(packChart(sent));
      expect(received).toEqual(sent);
      expect(received.lines[0]).toBe(received.lanes[0]?.lines[0]);
    }
  });

  it('has a lane for each region, with its own failures at their place', () => {
    expect(data.lanes.map(({ marks }) => marks)).toEqual([[at(1).getTime(), at(1.1).getTime()]]);
    const { lanes } = chartData(overview, { by: 'region', names, incidents, markers });
    expect(lanes.map(({ key, marks }) => [key, marks])).toEqual([
      ['us-east', [at(1).getTime()]],
      ['eu-west', [at(1.1).getTime()]],
    ]);
    const [lane] = chartData({ ...overview, marks: null }, { by: 'all', names, incidents, markers }).lanes;
    expect([lane?.marks, lane?.shares]).toEqual([null, [0, 0.2, 0, 0]]);
  });

  it('highlights states other than operational, overlapping incidents, and deploys within it', () => {
    expect(data.bands.map(({ state }) => state)).toEqual(['down', 'unknown']);
    expect(data.incidents.map(({ id }) => id)).toEqual(['inc_now']);
    expect(data.markers.map(({ id }) => id)).toEqual(['mrk_in']);
    expect([data.from, data.width, data.count]).toEqual([START, QUARTER, 4]);
  });
});

describe('a bucket', () => {
  it.each([
    [0, ['15 checks, none failed']],
    [1, ['3 of 15 checks failed', 'down for 5m', 'deploy: Shop 2.14', 'incident: Shop is down']],
    [2, ['No checks', 'unknown for 15m']],
    [3, ['7 checks, none failed']],
  ])('%i lists its events', (index, expected) => expect(formatEvents(data, index)).toEqual(expected));

  it('counts thousands readably', () => {
    expect(formatFailures(9, 4305)).toBe('9 of 4,305 checks failed');
  });

  it('shows its time in the reader’s zone, and days of the longest chart in UTC', () => {
    expect(formatBucket(data, 1, 'Asia/Tokyo')).toBe('Mar 10, 23:15 – 23:30');
    expect(formatBucket(data, 3, 'Asia/Tokyo')).toBe('Mar 10, 23:45 – 00:00');
    expect(
      formatBucket({ ...data, from: Date.parse('2026-03-09'), width: 86_400_000 }, 1, 'Asia/Tokyo'),
    ).toBe('Mar 10 (UTC)');
    expect(formatTimeTicks(data, 'Asia/Tokyo').map(({ label }) => label)).toEqual([
      '23:00',
      '23:15',
      '23:30',
      '23:45',
    ]);
  });
});

describe('milliseconds', () => {
  it.each([
    [null, '–'],
    [0, '0 ms'],
    [999, '999 ms'],
    [1000, '1s'],
    [1254, '1.25s'],
  ])('%s are %s', (ms, text) => expect(formatMs(ms)).toBe(text));
});
