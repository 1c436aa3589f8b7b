import { describe, expect, it } from 'vitest';
import { DomainError } from '@/lib/core/errors';
import { leastCpu } from '@/lib/testing/cpu';
import { parseInput } from '../validation';
import { createMonitorSchema } from '.';
import { bulkItems } from './bulk';

const MAX_CPU_MS = 200;
const LARGE = `((((${'a'.repeat(450)}){9}){9}){9})`;
const FOLDED = `(?i)${'\\pL'.repeat(160)}`;

const matching = (target: string) => ({ source: 'body', comparison: 'matches', target });
const monitor = (assertions: object[]) => ({ name: 'Shop', url: 'http://shop.test/', assertions });

/** The details of the error, by path; none if the monitor is valid. */
function problemsOf(parse: () => unknown): Record<string, string> {
  try {
    parse();
    return {};
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return Object.fromEntries((error.details ?? []).map(({ path, message }) => [path, message]));
  }
}

describe('the patterns of a request', () => {
  it('are refused by name before they cost anything', () => {
    const assertions = Array.from({ length: 20 }, () => matching(LARGE));
    const refuse = () => problemsOf(() => parseInput(createMonitorSchema, monitor(assertions)));
    expect(refuse()['assertions.19.target']).toMatch(/^is too large: .*Repeat less$/);
    expect(leastCpu(refuse, MAX_CPU_MS)).toBeLessThan(MAX_CPU_MS);
  });

  it('are refused in each monitor of a bulk request', () => {
    const classes = Array.from({ length: 20 }, (_, index) => matching(`${FOLDED}${index}`));
    const sent = Array.from({ length: 5 }, () => monitor(classes));
    const refuse = () => bulkItems(sent).map(({ creation }) => problemsOf(creation));
    expect(refuse().map((problems) => problems['assertions.0.target'])).toEqual(
      Array(5).fill(expect.stringMatching(/^is too large: .*Use smaller classes, or repeat them less$/)),
    );
    expect(leastCpu(refuse, MAX_CPU_MS)).toBeLessThan(MAX_CPU_MS);
  });

  it('share one budget, in which the same pattern counts once', () => {
    const same = Array.from({ length: 500 }, () => monitor([matching('(?i)internal server error')]));
    expect(bulkItems(same).flatMap(({ creation }) => Object.keys(problemsOf(creation)))).toEqual([]);
    const others = Array.from({ length: 500 }, (_, index) =>
      monitor([matching(`(?i)order ${index} failed`)]),
    );
    expect(bulkItems(others).flatMap(({ creation }) => Object.keys(problemsOf(creation)))).toEqual([]);
    const long = Array.from({ length: 100 }, (_, index) => monitor([matching('a'.repeat(390) + index)]));
    const problems = bulkItems(long).map(({ creation }) => problemsOf(creation)['assertions.0.target']);
    expect(problems[0]).toBeUndefined();
    expect(problems.at(-1)).toMatch(/^is too large together with the other patterns and paths: send fewer/);
  });

  it('include those in paths, and the paths', () => {
    const paths = Array.from({ length: 50 }, (_, index) => `$.items[?search(@.a, '\\\\pL{30}')].b${index}`);
    const assertions = paths.map((property) => ({ source: 'json', property, comparison: 'exists' }));
    const sent = Array.from({ length: 3 }, (_, at) => monitor(assertions.slice(at * 15, at * 15 + 15)));
    const problems = bulkItems(sent).map(({ creation }) => Object.values(problemsOf(creation)));
    expect(problems[0]?.length).toBeLessThan(15);
    expect(problems[2]).toHaveLength(15);
    expect(problems[2]?.[0]).toContain('is too large together');
  });
});
