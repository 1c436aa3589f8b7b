import { expect, it } from 'vitest';
import type { PublicIncident } from '@/lib/schemas/status-pages/public-status-page';
import { type ComponentSource, type StatuspageSource, toStatuspage } from './to-statuspage';

const NOW = new Date('2026-03-10T12:00:00.000Z');
const INCIDENT: PublicIncident = {
  id: 'inc_1',
  title: 'Trouble',
  description: '',
  status: 'resolved',
  severity: 'major',
  translations: {},
  impacts: {},
  automatic: false,
  updates: [],
  affectedMonitors: ['mon_2', 'mon_0'],
  affectedComponents: [],
  startedAt: NOW.toISOString(),
  createdAt: NOW.toISOString(),
  updatedAt: NOW.toISOString(),
  resolvedAt: NOW.toISOString(),
};

/** A page with this many monitors. */
function sourceOf(count: number, incidents: PublicIncident[]): StatuspageSource {
  const components = Array.from(
    { length: count },
    (_, number): ComponentSource => ({
      id: `mon_${number}`,
      name: `Service ${number}`,
      status: 'operational',
      state: 'operational',
      noDataSince: null,
      createdAt: NOW,
      changedAt: NOW,
    }),
  );
  return {
    page: { id: 'sp_1', name: 'Acme', createdAt: NOW, updatedAt: NOW },
    address: 'https://status.acme.test',
    status: {
      state: 'operational',
      indicator: 'none',
      affected: [],
      moreAffected: 0,
      openIncidents: 0,
      noDataSince: null,
    },
    components,
    sections: [],
    incidents,
    maintenance: [],
  };
}

it('an incident has its components in the order of the page, and is read as often for 1,000 as for 10', () => {
  const readsWith = (count: number) => {
    let reads = 0;
    const seen = new Proxy(INCIDENT, {
      get: (target, property) => {
        reads += 1;
        return Reflect.get(target, property);
      },
    });
    const { incidents } = toStatuspage(sourceOf(count, [seen]));
    expect(incidents[0]?.components.map(({ id }) => id)).toEqual(['mon_0', 'mon_2']);
    return reads;
  };
  expect(readsWith(1000)).toBe(readsWith(10));
});
