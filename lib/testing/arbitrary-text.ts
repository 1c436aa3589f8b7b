import fc from 'fast-check';

/**
 * Characters that break truncating or storing text: surrogate halves, NUL, escapes that look like either, a
 * pair, a combined character.
 */
const TRAPS = [
  '\ud83d',
  '\ude00',
  '😀',
  '\0',
  '\\u0000',
  '\\ud83d',
  '"',
  '\n',
  '\u2028',
  '\ufeff',
  'e\u0301',
  ' ',
];

/**
 * Any sequence of UTF-16 code units, including lone surrogates and NUL, as sent by a target, a receiver or a
 * form.
 */
export const arbitraryText = (maxLength: number): fc.Arbitrary<string> =>
  fc.string({
    maxLength,
    unit: fc.oneof(
      fc.constantFrom(...TRAPS),
      fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
      fc.constant('k'),
    ),
  });
