import { describe, expect, it } from 'vitest';
import { leastCpu } from '@/lib/testing/cpu';
import { Pattern } from './pattern';
import { EvaluationError, WorkLimit } from './work-limit';

const MAX_CPU_MS = 1000;
const texts = [
  'a'.repeat(1_000_000),
  `c!9${Array.from({ length: 1_000_000 }, (_, index) => ((index * 7919) % 13 < 6 ? 'a' : 'b')).join('')}`,
  'é'.repeat(500_000),
];

describe('a pattern', () => {
  it.each([
    '(a+)+$',
    '(a|aa)+b$',
    '(.*)(.*)(.*)(.*)(.*)[0-9]$',
    '[ab]*a[ab]{20}[^ab]$',
    '(?i)(\\pL{0,20}){5}[0-9]$',
    '\\pL{110}[^\\pL]$',
  ])('%s takes less than a second of CPU over any body, or fails', (text) => {
    const pattern = new Pattern(text);
    for (const body of texts.flatMap((whole) => [whole, whole.slice(0, 200_000), whole.slice(0, 9_000)])) {
      const judge = () => {
        try {
          pattern.isIn(body, new WorkLimit());
        } catch (error) {
          expect(error).toBeInstanceOf(EvaluationError);
        }
      };
      expect(leastCpu(judge, MAX_CPU_MS)).toBeLessThan(MAX_CPU_MS);
    }
  });

  it('shares its limit with all others of a check', () => {
    const limit = new WorkLimit();
    const pattern = new Pattern('[ab]*a[ab]{20}[^ab]$');
    const judge = () => pattern.isIn('ab'.repeat(25_000), limit);
    expect(() => Array.from({ length: 20 }, judge)).toThrow(EvaluationError);
  });

  it('searches a page of 100 KB', () => {
    const page = `<html><title>The shop</title>${'<p>text</p>'.repeat(9_000)}</html>`;
    expect(new Pattern('<title>.*shop.*</title>').isIn(page, new WorkLimit())).toBe(true);
    expect(new Pattern('(?i)internal server error').isIn(page, new WorkLimit())).toBe(false);
  });
});
