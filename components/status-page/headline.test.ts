import { expect, it } from 'vitest';
import { headlineOf } from './headline';
import { NOW, sampleIncident, sampleMonitor } from './testing/sample-view';

type Status = 'operational' | 'degraded' | 'down' | 'pending';

const monitors = (...statuses: Status[]) => statuses.map((status, index) => sampleMonitor(index, { status }));
const silent = (index: number, fields = {}) => sampleMonitor(index, { noDataSince: NOW, ...fields });
const page = { monitors: monitors(), incidents: [] };

it.each([
  ['empty', 'rest', {}],
  ['operational', 'good', { monitors: monitors('operational', 'pending') }],
  ['pending', 'rest', { monitors: monitors('pending') }],
  ['degraded', 'slow', { monitors: monitors('operational', 'degraded') }],
  ['someDown', 'bad', { monitors: monitors('down', 'degraded', 'operational') }],
  ['allDown', 'bad', { monitors: monitors('down', 'down') }],
  ['paused', 'rest', { monitors: [sampleMonitor(0, { status: 'down', enabled: false })] }],
  [
    'operational',
    'good',
    { monitors: [sampleMonitor(0), sampleMonitor(1, { status: 'down', enabled: false })] },
  ],
  ['criticalIncident', 'slow', { monitors: monitors('operational'), incidents: [sampleIncident()] }],
  [
    'majorIncident',
    'slow',
    {
      monitors: monitors('operational'),
      incidents: [sampleIncident({ severity: 'minor' }), sampleIncident({ severity: 'major' })],
    },
  ],
  [
    'minorIncident',
    'slow',
    { monitors: monitors('operational'), incidents: [sampleIncident({ severity: 'minor' })] },
  ],
  [
    'operational',
    'good',
    {
      monitors: monitors('operational'),
      incidents: [sampleIncident({ status: 'resolved', resolvedAt: NOW })],
    },
  ],
  [
    'maintenance',
    'info',
    { monitors: [sampleMonitor(0), sampleMonitor(1, { status: 'down', inMaintenance: true })] },
  ],
  [
    'someDown',
    'bad',
    {
      monitors: [
        ...monitors('down', 'operational'),
        sampleMonitor(2, { status: 'down', inMaintenance: true }),
      ],
    },
  ],
  ['noData', 'rest', { monitors: [sampleMonitor(0), silent(1)] }],
  ['noData', 'rest', { monitors: [sampleMonitor(0), silent(1, { status: 'down' })] }],
  ['someDown', 'bad', { monitors: [...monitors('down'), silent(1)] }],
  ['operational', 'good', { monitors: [sampleMonitor(0), silent(1, { enabled: false })] }],
  ['maintenance', 'info', { monitors: [silent(0, { inMaintenance: true })] }],
] as const)('the headline is %s (%s)', (message, tone, fields) => {
  expect(headlineOf({ ...page, ...fields } as typeof page)).toEqual({ message, tone, noDataSince: null });
});

it('without any current data, the last known status is not shown as the current one', () => {
  const earlier = new Date(Date.parse(NOW) - 60_000).toISOString();
  const monitors = [silent(0, { noDataSince: earlier }), silent(1, { status: 'down' })];
  const unknown = { message: 'unknown', tone: 'rest', noDataSince: NOW };
  expect(headlineOf({ ...page, monitors })).toEqual(unknown);
  const maintained = sampleMonitor(2, { inMaintenance: true });
  expect(headlineOf({ ...page, monitors: [...monitors, maintained] }), 'the rest is in maintenance').toEqual(
    unknown,
  );
});
