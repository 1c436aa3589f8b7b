import { expect, it } from 'vitest';
import { findNameProblem } from './source-choice';

it.each([
  ['', 'Enter a name.'],
  ['main', 'This is the name of the first source. Enter another one.'],
  ['office', 'This is the name of the first source. Enter another one.'],
  ['Branch Office', 'must have only a–z, 0–9 and single hyphens between them'],
  ['branch', undefined],
])('the name “%s” of another source than office: %s', (name, problem) => {
  expect(findNameProblem(name, 'office')).toBe(problem);
});
