import fc from 'fast-check';
import type { JsonSchema } from './json-schema';

/** Values for a field of this name, if its schema is not specific enough for valid ones. */
export type KnownFields = Record<string, fc.Arbitrary<unknown>>;

/** Values that match a JSON schema, as far as it can express them. Lists and maps stay short. */
export function arbitraryFrom(schema: JsonSchema, known: KnownFields = {}): fc.Arbitrary<unknown> {
  const { anyOf, oneOf, type } = schema;
  const choices = anyOf ?? oneOf;
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (choices) return fc.oneof(...choices.map((choice) => arbitraryFrom(choice, known)));
  if (Array.isArray(type))
    return fc.oneof(...type.map((one) => arbitraryFrom({ ...schema, type: one }, known)));
  switch (type) {
    case undefined:
      return fc.jsonValue({ maxDepth: 2 });
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return integers(schema);
    case 'number':
      return fc.double({ min: schema.minimum ?? -1e9, max: schema.maximum ?? 1e9, noNaN: true });
    case 'string':
      return strings(schema);
    case 'array':
      return arrays(schema, known);
    case 'object':
      return objects(schema, known);
    default:
      throw new Error(`teach arbitraryFrom the type ${type}`);
  }
}

/** The bounds themselves occur often. */
function integers({ minimum, maximum }: JsonSchema): fc.Arbitrary<number> {
  const min = Math.max(minimum ?? -1e9, Number.MIN_SAFE_INTEGER);
  const max = Math.min(maximum ?? 1e9, Number.MAX_SAFE_INTEGER);
  return fc.oneof(fc.integer({ min, max }), fc.constantFrom(min, max));
}

function strings({ format, pattern, minLength = 0, maxLength = 100 }: JsonSchema): fc.Arbitrary<string> {
  if (format === 'date-time') {
    const [min, max] = [new Date('2000-01-01T00:00:00Z'), new Date('2100-01-01T00:00:00Z')];
    return fc.date({ min, max, noInvalidDate: true }).map((date) => date.toISOString());
  }
  if (pattern !== undefined) {
    return fc.stringMatching(new RegExp(pattern)).filter((text) => text.length <= maxLength);
  }
  const short = { minLength, maxLength: Math.min(maxLength, minLength + 20) };
  return fc.oneof(
    fc.string(short),
    fc.string({ ...short, unit: 'binary' }),
    fc.constantFrom('x'.repeat(minLength), 'x'.repeat(Math.min(maxLength, 5000))),
  );
}

function arrays({ items = {}, minItems = 0, maxItems = 3 }: JsonSchema, known: KnownFields) {
  const options = { minLength: minItems, maxLength: Math.max(minItems, Math.min(maxItems, 3)) };
  return fc.uniqueArray(arbitraryFrom(items, known), {
    ...options,
    selector: (item) => JSON.stringify(item),
  });
}

function objects(schema: JsonSchema, known: KnownFields): fc.Arbitrary<unknown> {
  const { properties, required = [], additionalProperties } = schema;
  if (!properties && typeof additionalProperties === 'object') {
    return fc.dictionary(fc.stringMatching(/^[A-Za-z][A-Za-z-]{0,9}$/), arbitraryFrom(additionalProperties), {
      maxKeys: 3,
    });
  }
  const fields = Object.entries(properties ?? {}).map(
    ([name, field]) => [name, known[name] ?? arbitraryFrom(field, known)] as const,
  );
  return fc.record(Object.fromEntries(fields), { requiredKeys: required, noNullPrototype: true });
}
