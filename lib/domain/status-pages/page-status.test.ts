import { describe, expect, it } from 'vitest';
import { decidePageStatus, formatHeadline, publicStatus } from './page-status';

const NOW = '2026-03-10T12:00:00.000Z';

type Monitor = Parameters<typeof decidePageStatus>[0][number];
type Incident = Parameters<typeof decidePageStatus>[1][number];

const FIELDS = {
  up: { status: 'operational' },
  slow: { status: 'degraded' },
  down: { status: 'down' },
  new: { status: 'pending' },
  paused: { status: 'down', enabled: false },
  worked: { status: 'down', inMaintenance: true },
  silent: { status: 'operational', noDataSince: NOW },
  silentDown: { status: 'down', noDataSince: NOW },
} satisfies Record<string, Partial<Monitor>>;

type Kind = keyof typeof FIELDS;

/** Monitors with the names A, B, C …, which are their IDs too. */
const monitorsOf = (kinds: readonly Kind[]): Monitor[] =>
  kinds.map((kind, place) => {
    const name = String.fromCharCode(65 + place);
    return { id: name, name, enabled: true, inMaintenance: false, noDataSince: null, ...FIELDS[kind] };
  });

const incident = (
  severity: Incident['severity'],
  affected: string,
  fields: Partial<Incident> = {},
): Incident => ({
  severity,
  impacts: {},
  automatic: false,
  affectedMonitors: [...affected],
  affectedComponents: [],
  resolvedAt: null,
  ...fields,
});
const automatic = { automatic: true };

/** On a page that shows automatic incidents immediately. */
const decide = (monitors: readonly Monitor[], incidents: readonly Incident[] = []) =>
  decidePageStatus(monitors, incidents, { automaticDelay: 0 });

describe('a page without incidents is as bad as its monitors', () => {
  it.each([
    [[], 'empty', 'none', 'No systems yet'],
    [['up', 'new'], 'operational', 'none', 'All systems operational'],
    [['new'], 'pending', 'none', 'Waiting for the first checks'],
    [['up', 'slow'], 'degraded', 'minor', 'Degraded performance: B'],
    [['down', 'slow', 'up'], 'majorOutage', 'critical', 'Major outage: A'],
    [['down', 'down'], 'majorOutage', 'critical', 'Major outage: A, B'],
    [
      ['down', 'up', 'down', 'down', 'down', 'down'],
      'majorOutage',
      'critical',
      'Major outage: A, C, D, 2 more',
    ],
    [['paused'], 'paused', 'none', 'Monitoring is paused'],
    [['up', 'paused'], 'operational', 'none', 'All systems operational'],
    [['up', 'worked'], 'maintenance', 'maintenance', 'Under maintenance: B'],
    [['worked', 'paused'], 'maintenance', 'maintenance', 'Under maintenance: A'],
    [['down', 'worked'], 'majorOutage', 'critical', 'Major outage: A'],
    [['up', 'silent'], 'noData', 'none', 'No current data for some systems'],
    [['up', 'silentDown'], 'noData', 'none', 'No current data for some systems'],
    [['down', 'silent'], 'majorOutage', 'critical', 'Major outage: A'],
    [['worked', 'up', 'silent'], 'noData', 'none', 'No current data for some systems'],
    [['silent', 'silentDown'], 'unknown', 'none', 'Current status unknown'],
    [['silent', 'worked'], 'unknown', 'none', 'Current status unknown'],
  ] as const)('%j: %s, %s', (kinds, state, indicator, headline) => {
    const { status } = decide(monitorsOf(kinds));
    expect([status.state, status.indicator, formatHeadline(status)]).toEqual([state, indicator, headline]);
    expect(status.noDataSince).toBe(state === 'unknown' ? NOW : null);
  });
});

describe('an open incident shows on the rows of its monitors if it is worse', () => {
  it.each([
    ['minor', 'up', 'degraded', 'Degraded performance: A'],
    ['major', 'up', 'partialOutage', 'Partial outage: A'],
    ['critical', 'up', 'majorOutage', 'Major outage: A'],
    ['minor', 'slow', 'degraded', 'Degraded performance: A'],
    ['major', 'slow', 'partialOutage', 'Partial outage: A'],
    ['minor', 'down', 'down', 'Major outage: A'],
    ['critical', 'down', 'down', 'Major outage: A'],
    ['major', 'new', 'partialOutage', 'Partial outage: A'],
    ['minor', 'silent', 'degraded', 'Degraded performance: A'],
    ['major', 'worked', 'partialOutage', 'Partial outage: A'],
    ['critical', 'paused', 'majorOutage', 'Major outage: A'],
  ] as const)('%s on a monitor that is %s: %s', (severity, kind, state, headline) => {
    const { states, status } = decide(monitorsOf([kind, 'up']), [incident(severity, 'A')]);
    expect([states, formatHeadline(status)]).toEqual([[state, 'operational'], headline]);
  });

  it('the worst of several counts, whose monitors are named, and all are counted', () => {
    const some = [incident('minor', 'ABC'), incident('major', 'CB'), incident('minor', 'D')];
    const { states, status } = decide(monitorsOf(['up', 'up', 'slow', 'up', 'up']), some);
    expect(states).toEqual(['degraded', 'partialOutage', 'partialOutage', 'degraded', 'operational']);
    expect(status).toMatchObject({ indicator: 'major', affected: ['B', 'C'], openIncidents: 3 });
    expect(formatHeadline(status)).toBe('Partial outage: B, C (3 open incidents)');
  });

  it('a resolved one has no effect', () => {
    const over = [incident('critical', 'A', { resolvedAt: NOW })];
    const { states, status } = decide(monitorsOf(['up']), over);
    expect([states, status.indicator, status.openIncidents]).toEqual([['operational'], 'none', 0]);
  });

  it('an automatic one counts as long as the status that it follows', () => {
    const on = (kind: Kind) => decide(monitorsOf([kind]), [incident('critical', 'A', automatic)]);
    expect(on('slow').states, 'after an outage').toEqual(['majorOutage']);
    expect(on('worked').states).toEqual(['maintenance']);
    expect(on('paused').states).toEqual(['paused']);
    expect(on('silentDown')).toMatchObject({ states: ['noData'], status: { state: 'unknown' } });
  });
});

it('without any current data, the page says since when', () => {
  const [first, second, worked] = monitorsOf(['silent', 'silentDown', 'worked']);
  if (!first || !second || !worked) throw new Error('three monitors are needed');
  const earlier = { ...first, noDataSince: '2026-03-10T11:59:00.000Z' };
  const later = { ...worked, noDataSince: '2026-03-10T12:01:00.000Z' };
  expect(decide([earlier, second, later]).status.noDataSince).toBe(NOW);
});

it.each([
  [[], 'operational'],
  [['new'], 'pending'],
  [['new', 'up'], 'operational'],
  [['up', 'slow', 'new'], 'degraded'],
  [['slow', 'down', 'up'], 'down'],
  [['silent'], 'pending'],
  [['silent', 'up'], 'pending'],
  [['silent', 'slow'], 'degraded'],
  [['silentDown', 'up'], 'down'],
] as const)(
  'the status in the API of monitors that are %j is %s, whatever is paused or in maintenance',
  (kinds, status) => {
    expect(publicStatus(monitorsOf(kinds))).toBe(status);
    expect(publicStatus(monitorsOf([...kinds, 'paused', 'worked']))).toBe(status);
  },
);

it('a row has the severity that the incident has for it, and the page the worst', () => {
  const { states, status } = decide(monitorsOf(['up', 'up', 'up']), [
    incident('minor', 'ABC', { impacts: { B: 'critical', C: 'major' } }),
  ]);
  expect(states).toEqual(['degraded', 'majorOutage', 'partialOutage']);
  expect(formatHeadline(status)).toBe('Major outage: B');
});

it.each([10, null])(
  'with a delay of %s, a problem shows only once its incident is published',
  (automaticDelay) => {
    const monitors = monitorsOf(['down', 'slow', 'silentDown']);
    const on = (incidents: Incident[]) => decidePageStatus(monitors, incidents, { automaticDelay });
    expect(on([])).toMatchObject({
      monitors: [{ status: 'operational' }, { status: 'operational' }, { status: 'operational' }],
      states: ['operational', 'operational', 'noData'],
      status: { indicator: 'none' },
    });
    const published = incident('critical', 'A', automatic);
    expect(on([published]).states).toEqual(['down', 'operational', 'noData']);
    expect(on([{ ...published, resolvedAt: NOW }]).states[0]).toBe('operational');
  },
);

it('an incident is read as often for a page of 1,000 monitors as for one of 10', () => {
  const readsWith = (count: number) => {
    let reads = 0;
    const seen = new Proxy(incident('major', 'A'), {
      get: (target, property) => {
        reads += 1;
        return Reflect.get(target, property);
      },
    });
    decide(monitorsOf(Array.from({ length: count }, () => 'up')), [seen]);
    return reads;
  };
  expect(readsWith(1000)).toBe(readsWith(10));
});
