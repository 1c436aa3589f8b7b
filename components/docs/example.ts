import { MOMENT, RANDOM, SUGGESTIONS, TOPICS } from './example-values';
import { type Components, refName, resolve, type Schema } from './openapi';

/** Optional fields that are worth showing in the example of a request. */
const SHOWN = ['interval', 'regions', 'tags', 'published', 'events', 'severity', 'scope', 'affectedMonitors'];
/** Where none is required: what one would change, the first of them that there is. */
const CHANGED = ['name', 'title', 'status', 'enabled', 'published', 'overlapHours', 'immediate', 'url'];
const CHANGES = 2;

const PREFIXES: Record<string, string> = {
  monitor: 'mon',
  incident: 'inc',
  organization: 'org',
  key: 'key',
  webhook: 'whk',
  'status-page': 'sp',
  delivery: 'del',
};

/** An id as the examples show it, by what it is the id of: `monitor`, `incidents`, … */
export function exampleId(of: string): string {
  const singular = of
    .toLowerCase()
    .replace(/deliveries$/, 'delivery')
    .replace(/^api-/, '')
    .replace(/s$/, '');
  return `${PREFIXES[singular] ?? 'obj'}_${RANDOM}`;
}

/** A complete value that fits the schema, as an answer or an event would hold it; `topic` is the kind of the event. */
export function exampleOf(schema: Schema, components: Components, topic = ''): unknown {
  return build(schema, { components, topic, name: '', parent: '', isRequest: false });
}

/** A body that the schema takes: what is required, and what is worth knowing. `topic` is the operation's tag. */
export function exampleRequest(schema: Schema, components: Components, topic = ''): unknown {
  return build(schema, { components, topic, name: '', parent: '', isRequest: true });
}

type Place = { components: Components; topic: string; name: string; parent: string; isRequest: boolean };

function build(given: Schema, place: Place): unknown {
  const schema = resolve(given, place.components);
  const known = [TOPICS[place.parent], TOPICS[place.topic], SUGGESTIONS]
    .filter((values) => values && place.name in values)
    .map((values) => values?.[place.name])
    .find((value) => fits(value, schema, place.components));
  if (known !== undefined) return known;
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return build(options[0] ?? {}, place);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return preferred(schema);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === 'object' || schema.properties) return buildObject(schema, { ...place, given: refName(given) });
  if (type === 'array') return [build(schema.items ?? {}, { ...place, name: singular(place.name) })];
  if (schema.default !== undefined) return schema.default;
  if (type === 'boolean') return false;
  if (type === 'integer' || type === 'number') return atLeast(schema, 0);
  if (type === 'string') return buildText(schema, place);
  return null;
}

function buildObject(schema: Schema, place: Place & { given: string | null }): Record<string, unknown> {
  const names = Object.keys(schema.properties ?? {});
  const required = schema.required ?? [];
  const wanted = place.isRequest ? pickRequested(names, required) : names;
  const parent = place.given ?? place.name;
  return Object.fromEntries(
    wanted.map((name) => [name, build(schema.properties?.[name] ?? {}, { ...place, name, parent })]),
  );
}

function pickRequested(names: string[], required: string[]): string[] {
  if (required.length > 0) return names.filter((name) => required.includes(name) || SHOWN.includes(name));
  const changed = CHANGED.filter((name) => names.includes(name)).slice(0, CHANGES);
  return changed.length > 0 ? changed : names;
}

/** The first of the values allowed, or the one that the service assumes. */
function preferred({ default: assumed, enum: values = [] }: Schema): unknown {
  return assumed ?? values[0] ?? null;
}

function buildText({ format, pattern }: Schema, { name, parent }: Place): string {
  if (format === 'date-time') return MOMENT;
  if (format === 'date') return MOMENT.slice(0, 10);
  const prefix = /^\^([a-z]+_)/.exec(pattern ?? '')?.[1];
  if (prefix) return `${prefix}${RANDOM}`;
  return name === 'id' ? exampleId(parent) : 'text';
}

function atLeast({ minimum, maximum }: Schema, wish: number): number {
  const low = minimum === undefined || minimum <= Number.MIN_SAFE_INTEGER ? wish : Math.max(wish, minimum);
  return maximum === undefined ? low : Math.min(low, maximum);
}

/** Whether a suggestion may stand here: of the right type, and one of the values where they are listed. */
function fits(value: unknown, given: Schema, components: Components): boolean {
  const schema = resolve(given, components);
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return options.some((option) => fits(value, option, components));
  if (schema.const !== undefined) return schema.const === value;
  if (schema.enum) return schema.enum.includes(value);
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  if (value === null) return types.includes('null');
  if (Array.isArray(value)) {
    return types.includes('array') && value.every((item) => fits(item, schema.items ?? {}, components));
  }
  if (typeof value === 'string') return types.includes('string') && matches(value, schema);
  if (typeof value === 'object') return types.includes('object') && !schema.properties;
  return types.includes(typeof value) || (Number.isInteger(value) && types.includes('integer'));
}

function matches(value: string, { pattern, maxLength = Number.POSITIVE_INFINITY }: Schema): boolean {
  return value.length <= maxLength && (pattern === undefined || new RegExp(pattern).test(value));
}

function singular(name: string): string {
  return name.replace(/ies$/, 'y').replace(/s$/, '');
}
