import { expect, it } from 'vitest';
import { headlineOf } from './headline';
import { NOW, sampleIncident, sampleMonitor } from './testing/sample-view';

type Status = 'operational' | 'degraded' | 'down' | 'pending';

const monitors = (...statuses: Status[]) => statuses.map((status, index) => sampleMonitor(index, { status }));
const page = { asOf: NOW, monitors: monitors(), incidents: [] };

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
  ['incident', 'slow', { monitors: monitors('operational'), incidents: [sampleIncident()] }],
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
] as const)('a page says %s (%s)', (says, tone, fields) => {
  expect(headlineOf({ ...page, ...fields } as typeof page)).toEqual({ says, tone, lastCheck: null });
});

it('a page whose checks stopped does not call the last known status the current one', () => {
  const lastCheckedAt = new Date(Date.parse(NOW) - 16 * 60_000).toISOString();
  const silent = [sampleMonitor(0, { lastCheckedAt }), sampleMonitor(1, { lastCheckedAt: null })];
  expect(headlineOf({ ...page, monitors: silent })).toEqual({
    says: 'unknown',
    tone: 'rest',
    lastCheck: lastCheckedAt,
  });
  expect(headlineOf({ ...page, monitors: [...silent, sampleMonitor(2)] }).says).toBe('operational');
});
