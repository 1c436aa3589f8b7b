/** Whether this is a run of `npm run test:thorough`, or of one `*.thorough.test.ts` file. */
export const isThorough = process.env.TEST_THOROUGH === '1';

/**
 * The size of a test: `few` is enough to see that what it promises is broken, `thorough` is what only thorough runs take. A file
 * `x.thorough.test.ts` that imports `x.test.ts` repeats it with the latter.
 * @template Size
 * @param {Size} few
 * @param {{ thorough: Size }} many
 * @returns {Size}
 */
export function sized(few, { thorough }) {
  return isThorough ? thorough : few;
}
