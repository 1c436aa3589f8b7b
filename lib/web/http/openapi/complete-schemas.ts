/** A schema of the document, as far as it is completed here. */
export type Schema = {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  default?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  allOf?: Schema[];
  oneOf?: Schema[];
  additionalProperties?: boolean | Schema;
  minimum?: number;
  maximum?: number;
  description?: string;
  examples?: unknown[];
  [other: string]: unknown;
};
export type Schemas = Record<string, Schema>;

/** The largest integer that every language of clients can hold. */
const MAX_INTEGER = 2_147_483_647;

/** Completes every schema below one: examples, and bounds that mean something. */
export function completeSchema(schema: Schema): void {
  simplify(schema);
  // The rules are those of the schema that it refers to.
  if (schema.$ref !== undefined) delete schema.additionalProperties;
  if (schema.type === 'integer') boundInteger(schema);
  const { properties = {}, items, additionalProperties, anyOf = [], allOf = [], oneOf = [] } = schema;
  for (const property of Object.values(properties)) completeProperty(property);
  const parts = [...Object.values(properties), items, additionalProperties, ...anyOf, ...allOf, ...oneOf];
  for (const part of parts) if (typeof part === 'object') completeSchema(part);
}

/** Lets objects have other fields than those of the schema. */
export function openSchema(schema: Schema): void {
  if (schema.additionalProperties === false) delete schema.additionalProperties;
  const parts = [...Object.values(schema.properties ?? {}), schema.items, ...(schema.anyOf ?? [])];
  for (const part of parts) if (part) openSchema(part);
}

function completeProperty(property: Schema): void {
  const isIgnored = isUnknown(property);
  simplify(property);
  const { example, default: usual = example } = property;
  delete property.example;
  if (isIgnored || property.$ref !== undefined) return;
  const own = fits(property, usual ?? example) ? (usual ?? example) : usualValue(property);
  if (own !== undefined) property.examples ??= [own];
}

function fits({ pattern, enum: values }: Schema, example: unknown): boolean {
  if (example === undefined) return false;
  if (values) return values.includes(example);
  return typeof pattern !== 'string' || new RegExp(pattern).test(String(example));
}

/** An example of a time, or of an ID with the prefix that a property requires; undefined if it is neither. */
function usualValue({ pattern, format, anyOf = [] }: Schema): string | undefined {
  if (format === 'date-time' || anyOf[0]?.format === 'date-time') return '2027-03-01T10:00:00.000Z';
  const [, prefix] = /^\^([a-z]{2,3}_)/.exec(String(pattern)) ?? [];
  return prefix === undefined ? undefined : `${prefix}01kxk1j7c2e5x8q3n6w4r9t0zb`;
}

/** Whether a property takes anything, since it is ignored. */
export function isUnknown(property: Schema): boolean {
  return Object.keys(property).every((key) => key === 'description');
}

/** Null twice is null once, and what describes the value describes it with null, too. */
function simplify(schema: Schema): void {
  const [value, none, ...others] = schema.anyOf ?? [];
  if (!value || none?.type !== 'null' || others.length > 0) return;
  simplify(value);
  const { description, examples, example, ...rest } = value;
  if (value.$ref === undefined) {
    if (description !== undefined) schema.description ??= description;
    if (examples !== undefined) schema.examples ??= examples;
    if (example !== undefined && !('example' in schema)) schema.example = example;
  }
  if (value.anyOf?.some((part) => part.type === 'null')) schema.anyOf = value.anyOf;
  else if (value.$ref === undefined) schema.anyOf = [rest, none];
}

function boundInteger(schema: Schema): void {
  const { minimum = 0, maximum = MAX_INTEGER } = schema;
  schema.minimum = minimum <= Number.MIN_SAFE_INTEGER ? 0 : minimum;
  schema.maximum = maximum >= Number.MAX_SAFE_INTEGER ? MAX_INTEGER : maximum;
}

/** Optional fields that an example of a request shows. */
const SHOWN = 'interval regions tags monitors published events severity scope affectedMonitors'.split(' ');
/** Without required fields, it shows the first two of these that exist. */
const CHANGED = ['name', 'title', 'status', 'enabled', 'published', 'overlapHours', 'immediate', 'url'];

/** A request that changes little: the required fields, and a few that are often set. */
export function exampleRequest(schema: Schema, schemas: Schemas): unknown {
  const { $ref, properties, items, required = [] } = schema;
  const target = schemas[$ref?.split('/').at(-1) ?? ''];
  if (target) return exampleRequest(target, schemas);
  if (items?.properties) return [exampleRequest(items, schemas)];
  if (!properties) return exampleOf(schema, schemas);
  const names = Object.keys(properties);
  const usual = names.filter((name) => required.includes(name) || SHOWN.includes(name));
  const changed = CHANGED.filter((name) => names.includes(name)).slice(0, 2);
  const chosen = required.length > 0 ? usual : changed.length > 0 ? changed : names;
  return Object.fromEntries(chosen.map((name) => [name, exampleRequest(properties[name] ?? {}, schemas)]));
}

/** A value that fits a schema, composed of the examples of its parts. */
export function exampleOf(schema: Schema, schemas: Schemas): unknown {
  const { $ref, examples, anyOf, oneOf, allOf, properties, items } = schema;
  if (examples && examples.length > 0) return examples[0];
  if ($ref !== undefined) {
    const target = schemas[$ref.split('/').at(-1) ?? ''];
    return target === undefined ? undefined : exampleOf(target, schemas);
  }
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  const [alternative] = anyOf ?? oneOf ?? allOf ?? [];
  if (alternative) return exampleOf(alternative, schemas);
  if (properties) {
    const used = Object.entries(properties).filter(([, property]) => !isUnknown(property));
    return Object.fromEntries(used.map(([name, property]) => [name, exampleOf(property, schemas)]));
  }
  if (items) return [exampleOf(items, schemas)];
  return { object: {}, array: [], boolean: true, integer: schema.minimum, null: null }[String(schema.type)];
}
