/** The part of JSON Schema that the API's document uses. */
export type JsonSchema = {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  items?: JsonSchema;
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  pattern?: string;
  format?: string;
};

const REFERENCE = /^#\/components\/schemas\/(.+)$/;

/** A schema with every `$ref` replaced by its component. */
export function inlineReferences(schema: unknown, components: Record<string, unknown>): unknown {
  if (Array.isArray(schema)) return schema.map((each) => inlineReferences(each, components));
  if (typeof schema !== 'object' || schema === null) return schema;
  const reference = (schema as { $ref?: unknown }).$ref;
  const name = typeof reference === 'string' ? REFERENCE.exec(reference)?.[1] : undefined;
  if (name !== undefined) return inlineReferences(components[name], components);
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, inlineReferences(value, components)]),
  );
}
