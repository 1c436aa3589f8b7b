import fc from 'fast-check';
import type { Rule, Step } from './group-model';

export const MAX_MEMBERS = 5;

const member = fc.nat(MAX_MEMBERS - 1);
const is = fc.constantFrom('up', 'up', 'degraded', 'down', 'down');

export const rules: fc.Arbitrary<Rule> = fc.oneof(
  fc.record({ kind: fc.constantFrom('all', 'any'), minimum: fc.constant(1) }),
  fc.record({ kind: fc.constant('count'), minimum: fc.integer({ min: 1, max: MAX_MEMBERS + 1 }) }),
  fc.record({ kind: fc.constant('share'), minimum: fc.integer({ min: 1, max: 100 }) }),
);

const step: fc.Arbitrary<Step> = fc
  .tuple(
    fc.integer({ min: 1, max: 20 }),
    fc.oneof(
      { weight: 12, arbitrary: fc.record({ do: fc.constant('change'), member, is, begun: fc.nat(40) }) },
      { weight: 8, arbitrary: fc.record({ do: fc.constant('return'), member, is }) },
      {
        weight: 4,
        arbitrary: fc.record({ do: fc.constantFrom('silence', 'pause', 'begin window'), member }),
      },
      {
        weight: 4,
        arbitrary: fc.record({
          do: fc.constantFrom('pause group', 'resume group', 'begin window of group', 'end window of group'),
        }),
      },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('edit'), rule: rules }) },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('remove'), member }) },
    ),
  )
  .map(([after, rest]): Step => ({ after, ...rest }));

/** A group and what happens to it and its members; steps that are not possible are skipped. */
export const sequences = fc.record({
  count: fc.integer({ min: 1, max: MAX_MEMBERS }),
  rule: rules,
  steps: fc.array(step, { minLength: 1, maxLength: 60, size: 'max' }),
});
