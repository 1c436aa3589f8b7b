import { describe, expect, it } from 'vitest';
import { isSmallJson, MAX_JSON_VALUES, parseJson, requireSmall } from './parse-json';
import { splitList } from './text';

const codeOf = (run: () => unknown) => {
  try {
    return run();
  } catch (error) {
    return (error as { code: string }).code;
  }
};

describe('the JSON of a request', () => {
  it('is parsed up to a number of values', () => {
    const many = Array.from({ length: MAX_JSON_VALUES - 10 }, (_, index) => index);
    expect(parseJson(JSON.stringify({ many }))).toEqual({ many });
  });

  it('is parsed up to another number where many resources are sent at once', () => {
    const text = `[${'1,'.repeat(MAX_JSON_VALUES)}1]`;
    expect(parseJson(text, 2 * MAX_JSON_VALUES)).toHaveLength(MAX_JSON_VALUES + 1);
    expect(codeOf(() => parseJson(`[${'1,'.repeat(2 * MAX_JSON_VALUES)}1]`, 2 * MAX_JSON_VALUES))).toBe(
      'VALIDATION_ERROR',
    );
  });

  it.each([
    ['numbers', `[${'1,'.repeat(150_000)}1]`],
    ['arrays', `[${'[],'.repeat(300_000)}[]]`],
    ['keys', `{${'"k":1,'.repeat(80_000)}"k":1}`],
    ['levels', '['.repeat(500_000)],
    ['levels of objects', '{"a":'.repeat(100_000)],
  ])('is rejected with too many %s, before it is parsed', (_, text) => {
    expect(codeOf(() => parseJson(text))).toBe('VALIDATION_ERROR');
  });

  it('may contain any text: characters in strings are not counted', () => {
    const text = `${'[{,'.repeat(50_000)}"\\`;
    expect(parseJson(JSON.stringify({ text }))).toEqual({ text });
    expect(isSmallJson(`"${'\\"[,'.repeat(50_000)}"`)).toBe(true);
  });

  it.each(['', '{', '"', '"\\', '[1,]', 'nonsense'])('is rejected if invalid: %j', (text) => {
    expect(codeOf(() => parseJson(text))).toBe('INVALID_JSON');
  });
});

it('a value that was not parsed from JSON has the same limits', () => {
  expect(codeOf(() => requireSmall({ many: Array(MAX_JSON_VALUES - 10).fill(1) }))).toBeUndefined();
  expect(codeOf(() => requireSmall({ many: Array(MAX_JSON_VALUES).fill(1) }))).toBe('VALIDATION_ERROR');
  const pairs = Array.from({ length: 200 }, () => Object.fromEntries(Array(100).entries()));
  expect(codeOf(() => requireSmall(pairs))).toBe('VALIDATION_ERROR');
});

it('a list is only split until it is too long', () => {
  expect(splitList(' a, ,b,', ',', 5)).toEqual(['a', 'b']);
  expect(splitList('', ',', 5)).toEqual([]);
  expect(splitList('x,'.repeat(500_000), ',', 3)).toEqual(['x', 'x', 'x', 'x']);
  expect(splitList(`${','.repeat(500_000)}x`, ',', 3)).toEqual(['x']);
});
