import fc from 'fast-check';
import { RE2JS, RE2Set } from 're2js';
import { describe, expect, it } from 'vitest';
import { sized } from '@/bin/testing/thorough.mjs';
import { Pattern } from './pattern';
import { sizePattern } from './pattern-size';

const nested = (inner: string) => `((((${inner}){9}){9}){9})`;

/** What RE2JS compiles a pattern to: its instructions, and the ends of all ranges in them. */
function compile(text: string): { instructions: number; ends: number } {
  const program: { numInst(): number; getInst(at: number): { runes?: ArrayLike<number> } } =
    RE2JS.compile(text).re2().prog;
  const instructions = Array.from({ length: program.numInst() }, (_, at) => program.getInst(at));
  const ends = instructions.reduce((sum, { runes }) => sum + (runes?.length ?? 0), 0);
  return { instructions: instructions.length, ends };
}

function isValid(text: string): boolean {
  try {
    new RE2Set().add(text);
    return true;
  } catch {
    return false;
  }
}

describe('the size of a pattern', () => {
  it.each([
    ['(?i)internal server error', 40, 60],
    ['^\\d{4}-\\d{2}-\\d{2}T[0-9:]{8}Z$', 40, 150],
    ['<title>.*shop.*</title>', 40, 70],
    ['^[\\p{L}\\p{N} _-]{1,32}$', 80, 6000],
  ])('%s that people write is small', (text, steps, size) => {
    expect(sizePattern(text).steps).toBeLessThan(steps);
    expect(sizePattern(text).size).toBeLessThan(size);
  });

  it.each([
    [nested('a'.repeat(450)), 328_050],
    [nested('(?:)'.repeat(100)), 100],
    ['(?:a?){1000}', 2000],
    ['((a{0,30}){0,30}){0,30}', 27_000],
  ])('%.30s multiplies its repetitions', (text, instructions) => {
    expect(sizePattern(text).steps).toBeGreaterThanOrEqual(instructions);
  });

  it.each([
    [`(?i)${'\\pL'.repeat(160)}`, 160 * 1370],
    [`(?i)${'[Ā-𞥃]'.repeat(80)}`, 80 * 125_000],
    [`(?i)[${'Ā-𞥃'.repeat(120)}`, 120 * 125_000],
    [`(?i)\\Q\\p{\\E[Ā-𞥃]}`, 125_000],
    [`(?-i)a(?s-i:b)(?mi)[\\x{100}-\\x{1e943}]`, 125_000],
  ])('%.30s counts what folding its classes walks', (text, ends) => {
    expect(sizePattern(text).size).toBeGreaterThanOrEqual(ends / 20);
  });
});

/** Parts, and characters that make parts of one another. */
const PARTS = [
  'a',
  'k',
  'ab',
  '.',
  '^',
  '$',
  '\\b',
  '\\pL',
  '\\PL',
  '\\p{Greek}',
  '\\p{^Lu}',
  '\\w',
  '\\D',
  '[a-z]',
  '[^a]',
  '[\\pL\\d]',
  '[Ā-𞥃]',
  '[\\x{180}-\\x{24f}]',
  '[[:alpha:]-z]',
  '[]a]',
  '[^]\\]]',
  '\\Qa{9}\\E',
  '\\x{41}',
  '\\101',
  'é',
  '{',
  '}',
  '-',
  '()',
  '|',
  '(?i)',
  '(?-i)',
  '(?s)',
  '\\Q',
  '\\E',
  '[',
  '(?i:',
  '(?P<n>',
  '(?<m>',
  '\\p',
  '\\x',
  '\\',
];
const REPEATED = ['*', '+', '?', '*?', '{2}', '{3,}', '{0,5}', '{2,7}', '{9}?', '{0}', '{30}', '{1000}'];
const NOT_REPEATED = ['{007}', '{,3}', '{1', '??', '{1001}'];

const parts: fc.Arbitrary<string> = fc.letrec<{ any: string }>((tie) => ({
  any: fc.oneof(
    { depthSize: 'medium' },
    fc.constantFrom(...PARTS),
    fc.tuple(tie('any'), fc.constantFrom(...REPEATED, ...NOT_REPEATED)).map((both) => both.join('')),
    fc.tuple(tie('any'), tie('any')).map((both) => both.join('')),
    fc.tuple(tie('any'), tie('any')).map((both) => both.join('|')),
    tie('any').map((inner) => `(${inner})`),
    tie('any').map((inner) => `(?:${inner})`),
  ),
})).any;
const patterns = fc.oneof(
  parts,
  fc.array(parts, { maxLength: 12 }).map((all) => all.join('')),
  fc.array(fc.constantFrom(...'ak()[]{}|?*+\\^$-.,0123:iQEpPxL', '(?i)')).map((all) => all.join('')),
);

describe('any pattern', () => {
  it('that is accepted compiles to no more than it was measured as, which is little', () => {
    fc.assert(
      fc.property(patterns, (text) => {
        const { steps, size } = sizePattern(text);
        fc.pre(isAccepted(text));
        const { instructions, ends } = compile(text);
        expect(instructions).toBeLessThanOrEqual(Math.min(steps, 1000));
        expect(ends).toBeLessThanOrEqual(20 * Math.min(size, 10_000));
      }),
      { numRuns: sized(400, { thorough: 20_000 }) },
    );
  });

  it('that is valid and small enough is accepted', () => {
    fc.assert(
      fc.property(patterns, (text) => {
        const { steps, size } = sizePattern(text);
        fc.pre(text.length <= 500 && steps <= 1000 && size <= 10_000 && isValid(text));
        expect(isAccepted(text)).toBe(true);
      }),
      { numRuns: sized(100, { thorough: 3000 }) },
    );
  });
});

function isAccepted(text: string): boolean {
  try {
    new Pattern(text);
    return true;
  } catch {
    return false;
  }
}
