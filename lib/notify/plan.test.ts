import { describe, expect, it } from 'vitest';
import { beginSequence, endpointOf, type MonitorFields, ruleOf, type Step } from './testing/sequence';

const SAME_HOST = { url: 'http://host.test/' };
const BEHIND_GATEWAY = { dependsOn: ['gateway'] };

type Case = {
  title: string;
  monitors: Record<string, MonitorFields>;
  /** Seconds after the step before, what changes, and what follows. */
  steps: [number, Record<string, Step['to']>, string[]][];
};

const down = { shop: 'down' } as const;
const up = { shop: 'operational' } as const;

/** Every endpoint is named by its format. `teams` is read by people, `pagerduty` keeps alerts, `standard` is a program. */
const ENDPOINTS = [endpointOf('standard'), endpointOf('teams'), endpointOf('pagerduty')];

const CASES: Case[] = [
  {
    title: 'an outage and its end are each one message for people, and all events for products and programs',
    monitors: { shop: {} },
    steps: [
      [
        0,
        down,
        [
          'standard: shop monitor.down',
          'teams: shop monitor.down',
          'pagerduty: shop monitor.down',
          'standard: shop incident.created',
          'pagerduty: shop incident.created',
          'mail: shop monitor.down',
        ],
      ],
      [
        120,
        up,
        [
          'standard: shop monitor.up',
          'teams: shop monitor.up',
          'pagerduty: shop monitor.up',
          'standard: shop incident.resolved',
          'pagerduty: shop incident.resolved',
          'mail: shop monitor.up',
        ],
      ],
    ],
  },
  {
    title: 'a slow monitor is no email, and a message of its own once it is down',
    monitors: { shop: {} },
    steps: [
      [
        0,
        { shop: 'degraded' },
        [
          'standard: shop monitor.degraded',
          'teams: shop monitor.degraded',
          'pagerduty: shop monitor.degraded',
          'standard: shop incident.created',
          'pagerduty: shop incident.created',
        ],
      ],
      [
        120,
        down,
        [
          'standard: shop monitor.down',
          'teams: shop monitor.down',
          'pagerduty: shop monitor.down',
          'standard: shop incident.updated',
          'pagerduty: shop incident.updated',
          'mail: shop monitor.down',
        ],
      ],
    ],
  },
  {
    title: 'what depends on a monitor that is down is held for all but programs, and its recovery is dropped',
    monitors: { gateway: {}, shop: BEHIND_GATEWAY },
    steps: [
      [
        0,
        { gateway: 'down' },
        [
          'standard: gateway monitor.down',
          'teams: gateway monitor.down',
          'pagerduty: gateway monitor.down',
          'standard: gateway incident.created',
          'pagerduty: gateway incident.created',
          'mail: gateway monitor.down',
        ],
      ],
      [120, down, ['standard: shop monitor.down', 'standard: shop incident.created', 'held: shop, gateway']],
      [120, up, ['standard: shop monitor.up', 'standard: shop incident.resolved', 'dropped: shop']],
    ],
  },
];

describe('a sequence of changes', () => {
  it.each(CASES)('$title', ({ monitors, steps }) => {
    const sequence = beginSequence(ENDPOINTS, monitors);
    for (const [seconds, changed, expected] of steps)
      expect(sequence.after(seconds, changed)).toEqual(expected);
  });
});

describe('changes of one cause', () => {
  const people = [endpointOf('teams')];
  const monitors = { blog: SAME_HOST, docs: SAME_HOST, shop: SAME_HOST };

  it('are the first one, and the rest later', () => {
    const sequence = beginSequence(people, monitors);
    expect(sequence.after(0, { shop: 'down', blog: 'down' })).toEqual([
      'teams: blog monitor.down',
      'mail: blog monitor.down',
      'mail: shop monitor.down',
      'later: rest of story-1',
    ]);
    expect(sequence.after(30, { docs: 'down' })).toEqual([
      'mail: docs monitor.down',
      'later: rest of story-1',
    ]);
  });

  it('are single ones a minute later, and for those who heard of none', () => {
    const [shop, docs] = [
      endpointOf('teams', { id: 'shops', rules: [ruleOf('shop')] }),
      endpointOf('teams', { id: 'docs', rules: [ruleOf('docs')] }),
    ];
    const tagged = { docs: { ...SAME_HOST, tags: ['docs'] }, shop: { ...SAME_HOST, tags: ['shop'] } };
    const sequence = beginSequence([shop, docs], tagged);
    expect(sequence.after(0, down)).toEqual(['shops: shop monitor.down', 'mail: shop monitor.down']);
    expect(sequence.after(30, { docs: 'down' })).toEqual([
      'docs: docs monitor.down',
      'mail: docs monitor.down',
      'later: rest of story-1',
    ]);
    const other = beginSequence(people, monitors);
    other.after(0, down);
    expect(other.after(60, { docs: 'down' })).toEqual([
      'teams: docs monitor.down',
      'mail: docs monitor.down',
    ]);
  });
});

describe('a monitor that flaps', () => {
  it('is one message, and one email, from the fifth change in ten minutes on', () => {
    const sequence = beginSequence(ENDPOINTS, { shop: {} });
    for (const each of [down, up, down, up]) expect(sequence.after(60, each)).toHaveLength(6);
    expect(sequence.after(60, down)).toEqual([
      'standard: shop monitor.down',
      'teams: shop is flapping',
      'pagerduty: shop monitor.down',
      'standard: shop incident.created',
      'pagerduty: shop incident.created',
      'mail: shop monitor.flapping',
    ]);
    // No alert ends and none begins until it is steady.
    expect(sequence.after(60, up)).toEqual(['standard: shop monitor.up', 'standard: shop incident.resolved']);
    expect(sequence.after(60, down)).toEqual([
      'standard: shop monitor.down',
      'standard: shop incident.created',
    ]);
  });

  it('does not, if its changes are further apart', () => {
    const sequence = beginSequence(ENDPOINTS, { shop: {} });
    for (const each of [down, up, down, up, down, up]) expect(sequence.after(151, each)).toHaveLength(6);
  });
});

describe('the rules of an endpoint', () => {
  it('choose monitors, and anyone who was notified of an incident gets its end', () => {
    const sequence = beginSequence([endpointOf('teams', { rules: [ruleOf('shop')] })], {
      shop: { tags: ['shop'] },
      blog: { tags: ['blog'] },
    });
    expect(sequence.after(0, { blog: 'down' })).toEqual(['mail: blog monitor.down']);
    expect(sequence.after(0, down)).toEqual(['teams: shop monitor.down', 'mail: shop monitor.down']);
    expect(sequence.after(90, up)).toEqual(['teams: shop monitor.up', 'mail: shop monitor.up']);
  });
});
