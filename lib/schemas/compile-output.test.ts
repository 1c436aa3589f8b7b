import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { checkOutput, compileOutput } from './compile-output';

const schema = z.object({
  id: z.string(),
  count: z.int(),
  share: z.number(),
  at: z.iso.datetime().nullable(),
  kind: z.enum(['one', 'other']).nullable(),
  isOpen: z.boolean(),
  headers: z.record(z.string(), z.string()),
  tags: z.array(z.string()),
  // Named like words of JSON Schema.
  description: z.string().nullable(),
  pattern: z.object({ format: z.int().nullable() }).nullable(),
});

const values = fc.record({
  id: fc.string({ unit: 'grapheme' }),
  count: fc.maxSafeInteger(),
  share: fc.double({ noNaN: true, noDefaultInfinity: true }),
  at: fc.option(fc.constant('2026-03-01T12:00:00.000Z')),
  kind: fc.option(fc.constantFrom('one' as const, 'other' as const)),
  isOpen: fc.boolean(),
  headers: fc.dictionary(
    fc.string().filter((name) => name !== '__proto__'),
    fc.string(),
  ),
  tags: fc.array(fc.string({ unit: 'binary' })),
  description: fc.option(fc.string()),
  pattern: fc.option(fc.record({ format: fc.option(fc.integer()) })),
});

describe('compiled output', () => {
  it('is the JSON of the validated value, for any texts and numbers', () => {
    const write = compileOutput(z.array(schema), { isChecked: false });
    fc.assert(
      fc.property(fc.array(values), (value) => {
        expect(JSON.parse(write(value))).toEqual(JSON.parse(JSON.stringify(z.array(schema).parse(value))));
      }),
    );
  });

  it('never has a field that the schema does not have, as of a row that was passed on', () => {
    const write = compileOutput(z.object({ id: z.string() }), { isChecked: false });
    const row = { id: 'mon_1', passwordHash: 'secret' };
    expect(write(row)).toBe('{"id":"mon_1"}');
  });

  it('is validated where that is asked for', () => {
    const write = compileOutput(z.object({ id: z.string().startsWith('mon_') }), { isChecked: true });
    expect(write({ id: 'mon_1' })).toBe('{"id":"mon_1"}');
    expect(() => write({ id: 'inc_1' })).toThrow(z.ZodError);
  });

  it('from any other function is validated, too', () => {
    const item = z.strictObject({ id: z.string().startsWith('mon_') });
    const write = checkOutput(item, (text: string) => text, { isChecked: true });
    expect(write('{"id":"mon_1"}')).toBe('{"id":"mon_1"}');
    for (const wrong of ['{"id":"inc_1"}', '{"id":"mon_1","secret":1}'])
      expect(() => write(wrong)).toThrow(z.ZodError);
    expect(() => write('{"id": "mon_1"}')).toThrow('differs');
    expect(checkOutput(item, String, { isChecked: false })('{}')).toBe('{}');
  });
});
