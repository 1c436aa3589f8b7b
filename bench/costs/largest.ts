import type { JsonSchema } from '@/app/api/testing/json-schema';

/** Values of fields whose schema does not express what is valid; `undefined` leaves a field out. */
export type KnownValues = Record<string, unknown>;

/**
 * The largest value of a JSON schema: all fields, as many items, and as long texts as it allows. Throws for a text with a
 * pattern that `known` does not contain by the name of its field.
 */
export function largest(schema: JsonSchema, known: KnownValues, name = ''): unknown {
  if (name in known) return known[name];
  const { enum: choices, anyOf, oneOf, type } = schema;
  if ('const' in schema) return schema.const;
  if (choices) return choices.at(-1);
  const [first] = (anyOf ?? oneOf ?? []).filter((choice) => choice.type !== 'null');
  if (first) return largest(first, known, name);
  switch (Array.isArray(type) ? type.find((one) => one !== 'null') : type) {
    case 'string':
      if (schema.pattern ?? schema.format) throw new Error(`add a value for ${name}: ${schema.pattern}`);
      return 'ü'.repeat(schema.maxLength ?? 1000);
    case 'integer':
    case 'number':
      return schema.maximum ?? 1e6;
    case 'boolean':
      return true;
    case 'array':
      return items(schema, known, name);
    case 'object':
      return fields(schema, known);
    default:
      // A read-only field, which is accepted and ignored.
      return undefined;
  }
}

/** All choices of an enumeration; of everything else, as many items as allowed, which differ from each other. */
function items({ items = {}, maxItems = 100 }: JsonSchema, known: KnownValues, name: string): unknown[] {
  if (items.enum) return items.enum.slice(0, maxItems);
  return Array.from({ length: maxItems }, (_, index) => {
    const item = largest(items, known, `${name}[]`);
    return typeof item === 'string' ? `${index}${item.slice(String(index).length)}` : item;
  });
}

function fields({ properties, additionalProperties }: JsonSchema, known: KnownValues): unknown {
  if (!properties) {
    if (typeof additionalProperties !== 'object') return {};
    return Object.fromEntries(
      Array.from({ length: 50 }, (_, index) => [`X-${index}`, largest(additionalProperties, known)]),
    );
  }
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, largest(schema, known, name)]),
  );
}
