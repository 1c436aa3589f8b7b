import { type Components, type DocSchema, refName } from './openapi';

/** One row of a field table. */
export type DocField = ReturnType<typeof describeField>;

/** The fields of an object, followed by those of nested objects and arrays. Components are not expanded. */
export function listFields(schema: DocSchema, components: Components, prefix = ''): DocField[] {
  const required = schema.required ?? [];
  return Object.entries(schema.properties ?? {})
    .filter(([, property]) => !isIgnored(property))
    .flatMap(([name, property]) => {
      const path = `${prefix}${name}`;
      const field = describeField(path, property, required.includes(name));
      return [field, ...listInside(path, property, components)];
    });
}

/** The read-only fields of an object, which updates accept and ignore. */
export function listIgnored(schema: DocSchema): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
    isIgnored(property) ? [name] : [],
  );
}

/** Describes a single value, such as a parameter. */
export function describeField(path: string, schema: DocSchema, required: boolean) {
  const core = withoutNull(schema);
  const valueSchema = core.items ? withoutNull(core.items) : core;
  const values = valueSchema.const === undefined ? (valueSchema.enum ?? []) : [valueSchema.const];
  return {
    /** Path from the root: `theme.primaryColor`, `updates[].id`, `headers.*`. */
    path,
    type: nameType(schema),
    /** The component that the type refers to, if any. */
    object: refName(core) ?? (core.items ? refName(core.items) : null),
    required,
    /** As JSON; null if there is none. */
    default: schema.default === undefined ? null : JSON.stringify(schema.default),
    /** The allowed values, if they are listed. */
    values: values.map(String),
    /** Other constraints, in words. */
    limits: listLimits(core),
    description: schema.description ?? core.description ?? null,
  };
}

/** A type in words: `array of Monitor`, `integer or null`. */
export function nameType(schema: DocSchema): string {
  const named = refName(schema);
  if (named) return named;
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return [...new Set(options.map(nameType))].join(' or ');
  if (Array.isArray(schema.type)) return schema.type.join(' or ');
  if (schema.type === 'array') return `array of ${nameType(schema.items ?? {})}`;
  if (schema.type === 'number' && schema.enum?.every(Number.isInteger)) return 'integer';
  return schema.type ?? (schema.const === undefined ? 'anything' : typeof schema.const);
}

function listInside(path: string, property: DocSchema, components: Components): DocField[] {
  const core = withoutNull(property);
  if (core.items) return listFields(withoutNull(core.items), components, `${path}[].`);
  if (core.properties) return listFields(core, components, `${path}.`);
  return [];
}

/** The schema without null. */
function withoutNull(schema: DocSchema): DocSchema {
  const options = (schema.anyOf ?? schema.oneOf)?.filter(({ type }) => type !== 'null') ?? [];
  return options.length === 1 && options[0] ? options[0] : schema;
}

/** A schema without constraints marks a field that is accepted and ignored. */
function isIgnored(schema: DocSchema): boolean {
  return Object.keys(schema).length === 0;
}

function listLimits(schema: DocSchema): string[] {
  const { format, pattern, items } = schema;
  return [
    range(schema.minimum, schema.maximum, ''),
    range(schema.minLength || undefined, schema.maxLength, 'characters'),
    range(schema.minItems, schema.maxItems, 'items'),
    items ? range(items.minLength || undefined, items.maxLength, 'characters each') : null,
    format === 'date-time' ? 'ISO 8601' : (format ?? null),
    // Patterns of dates only repeat their format.
    pattern && !format ? formatPattern(pattern) : null,
  ].filter((limit) => limit !== null);
}

/** `^mon_` in words; any other expression as it is. */
function formatPattern(pattern: string): string {
  return /^\^\w+$/.test(pattern) ? `begins with ${pattern.slice(1)}` : pattern;
}

function range(minimum: number | undefined, maximum: number | undefined, unit: string): string | null {
  const from = minimum === undefined || minimum <= Number.MIN_SAFE_INTEGER ? null : minimum;
  const to = maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? null : maximum;
  if (from === null && to === null) return null;
  const words = to === null ? `${from} or more` : from === null ? `at most ${to}` : `${from}–${to}`;
  return unit === '' ? words : `${words} ${unit}`;
}
