import { describe, expect, it } from 'vitest';
import {
  coversMonitor,
  MAX_RULE_MONITORS,
  MAX_RULE_TAGS,
  MAX_RULES,
  memberRulesSchema,
  rulesSchema,
  storedRulesSchema,
} from './rules';

const EMPTY = { tags: [], monitors: [], severities: [], kinds: [], schedule: null };
const names = (count: number) => Array.from({ length: count }, (_, index) => `name-${index}`);
const problemOf = (rules: unknown, schema = rulesSchema) => {
  const { error } = schema.safeParse(rules);
  const [issue] = error?.issues ?? [];
  return issue && `${issue.path.join('.')}: ${issue.message}`;
};
const hours = { from: '08:00', to: '18:00' };

describe('rules', () => {
  it('have no condition where none is given', () => {
    expect(rulesSchema.parse([{ tags: ['shop'], monitors: null }])).toEqual([{ ...EMPTY, tags: ['shop'] }]);
    expect(rulesSchema.parse([{ schedule: hours }])).toEqual([
      { ...EMPTY, schedule: { ...hours, days: [], timeZone: 'UTC' } },
    ]);
  });

  it('are accepted as they are returned', () => {
    const given = [
      { severities: ['critical'], schedule: { ...hours, days: ['monday'], timeZone: 'Europe/Berlin' } },
    ];
    const stored = storedRulesSchema.parse(rulesSchema.parse(given));
    expect(rulesSchema.parse(stored)).toEqual(stored);
  });

  it.each<[unknown, string]>([
    [[{}], '0: must have a condition'],
    [[{ tags: [], schedule: null }], '0: must have a condition'],
    [[{ tags: ['a', 'a'] }], '0.tags: must not contain duplicates'],
    [[{ severities: ['huge'] }], '0.severities.0: must be one of minor, major, critical'],
    [[{ kinds: ['webhook.test'] }], expect.stringContaining('0.kinds.0: must be one of')],
    [[{ schedule: { ...hours, from: '24:00' } }], '0.schedule.from: must be a time such as 08:30'],
    [[{ schedule: { ...hours, to: '8:00' } }], '0.schedule.to: must be a time such as 08:30'],
    [
      [{ schedule: { ...hours, timeZone: 'Mars/Olympus' } }],
      '0.schedule.timeZone: must be a time zone such as Europe/Berlin',
    ],
    [
      [{ schedule: { ...hours, timeZone: '+01:00' } }],
      '0.schedule.timeZone: must be a time zone such as Europe/Berlin',
    ],
    [
      [{ schedule: { ...hours, days: ['someday'] } }],
      expect.stringContaining('0.schedule.days.0: must be one of monday'),
    ],
  ])('%j are refused', (rules, problem) => {
    expect(problemOf(rules)).toEqual(problem);
  });

  it('are bounded, and so is each list', () => {
    const many = (count: number) => names(count).map((tag) => ({ tags: [tag] }));
    expect(problemOf(many(MAX_RULES))).toBeUndefined();
    expect(problemOf(many(MAX_RULES + 1))).toBe(`: must have at most ${MAX_RULES} rules`);
    expect(problemOf([{ tags: names(MAX_RULE_TAGS) }])).toBeUndefined();
    expect(problemOf([{ tags: names(MAX_RULE_TAGS + 1) }])).toBe(
      `0.tags: must have at most ${MAX_RULE_TAGS} tags`,
    );
    expect(problemOf([{ monitors: names(MAX_RULE_MONITORS) }])).toBeUndefined();
    expect(problemOf([{ monitors: names(MAX_RULE_MONITORS + 1) }])).toBe(
      `0.monitors: must have at most ${MAX_RULE_MONITORS} monitors`,
    );
  });

  it('of members are about what they are emailed', () => {
    expect(memberRulesSchema.safeParse([{ kinds: ['monitor.down', 'monitor.up'] }]).success).toBe(true);
    expect(problemOf([{ kinds: ['incident.created'] }], memberRulesSchema)).toBe(
      '0.kinds.0: must be one of monitor.down, monitor.up',
    );
  });
});

it('a rule covers a monitor by its tags and ID only', () => {
  const blog = { id: 'mon_blog', tags: ['blog'] };
  expect(coversMonitor({ tags: [], monitors: [] }, blog)).toBe(true);
  expect(coversMonitor({ tags: ['blog'], monitors: [] }, blog)).toBe(true);
  expect(coversMonitor({ tags: ['blog'], monitors: ['mon_shop'] }, blog)).toBe(false);
});
