import fastJson, { type AnySchema } from 'fast-json-stringify';
import { z } from 'zod';

/**
 * A function that writes values of `schema` as JSON: the fields that the schema has, in its order, and no others. With `isChecked` every
 * value is also validated completely, and throws ZodError; without, the compiled function takes a sixth of the time.
 */
export function compileOutput<Schema extends z.ZodType>(
  schema: Schema,
  { isChecked }: { isChecked: boolean },
): (value: z.input<Schema>) => string {
  // Compiled at the first call: most processes use few of the schemas.
  let write: ((value: unknown) => string) | undefined;
  return (value) => {
    write ??= fastJson(toPlainSchema(z.toJSONSchema(schema, { io: 'output' })) as AnySchema);
    const text = write(value);
    if (isChecked) requireEqual(text, JSON.stringify(schema.parse(value)));
    return text;
  };
}

/** The same of any other function that writes values of `schema`: with `isChecked`, what it writes is validated completely. */
export function checkOutput<Written>(
  schema: z.ZodType,
  write: (value: Written) => string,
  { isChecked }: { isChecked: boolean },
): (value: Written) => string {
  if (!isChecked) return write;
  return (value) => {
    const text = write(value);
    requireEqual(text, JSON.stringify(schema.parse(JSON.parse(text))));
    return text;
  };
}

/** What is checked in development and tests holds for production, too. */
function requireEqual(compiled: string, validated: string): void {
  if (compiled !== validated) throw new Error(`the compiled JSON differs: ${compiled} is not ${validated}`);
}

/** What only validation needs. Texts of a format would be parsed. */
const UNUSED = new Set('$schema pattern format minimum maximum description example examples'.split(' '));

type Json = unknown;

/** A JSON Schema for writing only: without checks, and `nullable` instead of alternatives, which would be validated one by one. */
function toPlainSchema(schema: Json, isNames = false): Json {
  if (Array.isArray(schema)) return schema.map((each) => toPlainSchema(each));
  if (typeof schema !== 'object' || schema === null) return schema;
  // The keys of these are names of fields and types.
  const entries = Object.entries(schema).filter(([key]) => isNames || !UNUSED.has(key));
  const plain = Object.fromEntries(
    entries.map(([key, value]) => [
      key,
      toPlainSchema(value, !isNames && (key === 'properties' || key === '$defs')),
    ]),
  );
  const [one, none] = Array.isArray(plain.anyOf) && plain.anyOf.length === 2 ? plain.anyOf : [];
  if (none?.type !== 'null') return plain;
  // What has alternatives of its own is validated anyway: most values are null.
  if (Array.isArray(one.oneOf)) return { ...plain, anyOf: [none, ...one.oneOf] };
  const { anyOf: _, ...rest } = plain;
  return { ...rest, ...one, nullable: true };
}
