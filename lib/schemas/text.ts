import { z } from 'zod';
import { described } from './described';

/** Rejects text that PostgreSQL or UTF-8 cannot hold. */
export const storable = (schema: z.ZodString) =>
  schema
    .refine((value) => !value.includes('\0'), 'must not contain NUL characters')
    .refine((value) => value.isWellFormed(), 'must be valid Unicode');

/** A text field: trimmed, storable, of `minimum` to `maximum` characters. */
export const text = (minimum: number, maximum: number) =>
  storable(
    z
      .string('must be a string')
      .trim()
      .min(minimum, minimum === 1 ? 'must not be empty' : `must be at least ${minimum} characters`)
      .max(maximum, { error: `must be at most ${maximum} characters`, abort: true }),
  );

const IS_BLANK = /^[\p{Z}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/** A name of `minimum` to `maximum` characters, which people can see and which is a single line. */
export const nameText = (minimum: number, maximum: number) =>
  text(minimum, maximum)
    .refine(
      (name) => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name),
      'must be a single line, without control characters',
    )
    .refine((name) => name === '' || !IS_BLANK.test(name), 'must have a visible character');

/** Upper bound for text whose own rule is in bytes or per line: no request body is longer. */
export const MAX_SENT = 1024 * 1024;

/** The caller's own ID of a resource. It is a part of paths, in which `.` and `..` mean something else. */
export const refText = nameText(1, 200).refine((ref) => !/^\.\.?$/.test(ref), 'must not be . or ..');

/** One of a list of values, with an error that names them. */
export const oneOf = <const Values extends readonly string[]>(values: Values) =>
  z.enum(values, `must be one of ${values.join(', ')}`);

/** IDs have 30 characters. */
const MAX_ID = 100;

/** The ID of a resource. */
export const idText = (message: string) => z.string(message).max(MAX_ID, { error: message, abort: true });

/** An ID, or another short text of a fixed form. */
export const idLike = (pattern: RegExp, message: string) =>
  z.string(message).max(MAX_ID, message).regex(pattern, message);

/**
 * The ID of a request: what proxies and load balancers generate, such as UUIDs, hexadecimal digits, and traces like
 * `Root=1-67891233-abcdef012345678912345678`.
 */
export const REQUEST_ID = /^[\w.:;=+/-]{1,128}$/;

/** The ID of a monitor, of any organization. */
export const monitorIdSchema = idLike(/^mon_[0-9a-z]+$/, 'must be a monitor ID');

/** The IDs of at most 1000 different monitors. */
export const monitorIdsSchema = z
  .array(idText('must be a monitor ID'), 'must be an array of monitor IDs')
  .max(1000, 'must have at most 1000 monitors')
  .refine((ids) => new Set(ids).size === ids.length, 'must not contain duplicates');

/** The IDs of at most 1000 different components of status pages. */
export const componentIdsSchema = z
  .array(idLike(/^cmp_[0-9a-z]+$/, 'must be a component ID'), 'must be an array of component IDs')
  .max(1000, 'must have at most 1000 components')
  .refine((ids) => new Set(ids).size === ids.length, 'must not contain duplicates');

/** A map of at most `maximum` entries, with the same bound in its JSON Schema. */
export function boundedRecord<Value extends z.ZodType>(key: z.ZodString, value: Value, maximum: number) {
  return z
    .record(key, value)
    .refine((entries) => Object.keys(entries).length <= maximum, `must have at most ${maximum} entries`)
    .meta({ maxProperties: maximum, propertyNames: { type: 'string', maxLength: key.maxLength ?? 0 } });
}

/** The version of a resource. */
export const versionSchema = described(
  z.int().min(1),
  'How often the configuration was changed, plus one. Sent back in a PUT, it must still be the current one; otherwise the response is 409 CONFLICT',
  3,
);

/** A time in API bodies: ISO 8601, UTC, with milliseconds. */
export const instantSchema = z.iso.datetime({ precision: 3 });

/** `createdAt` of a resource. */
export const createdAtSchema = instantSchema.describe('When it was created');

/** `updatedAt` of a resource. */
export const updatedAtSchema = instantSchema.describe('When its configuration was last changed');

const GIVEN_INSTANT = 'must be an ISO 8601 date and time with a UTC offset, such as 2027-01-31T12:00:00Z';
const EARLIEST = Date.parse('1900-01-01T00:00:00Z');
const LATEST = Date.parse('3000-01-01T00:00:00Z');

/** A time sent by a caller, as a Date; limited to years that every part of the service can represent. */
export const givenInstantSchema = z.iso
  .datetime({ offset: true, error: GIVEN_INSTANT })
  .max(MAX_ID, { error: GIVEN_INSTANT, abort: true })
  .refine((text) => {
    const instant = Date.parse(text);
    return instant >= EARLIEST && instant < LATEST;
  }, 'must be between the years 1900 and 3000')
  .transform((text) => new Date(text));

/** Defaults of some of the fields of a body. */
type DefaultsOf<Shape extends z.ZodRawShape> = {
  readonly [Name in keyof Shape]?: Readonly<z.output<Shape[Name]>>;
};

type Creation<Shape extends z.ZodRawShape, Defaults> = {
  [Name in keyof Shape]: Name extends keyof Defaults ? z.ZodType<z.output<Shape[Name]>> : Shape[Name];
};

/** The fields of a creation: each of those with a default can be omitted or null. */
export function creationOf<Shape extends z.ZodRawShape, const Defaults extends DefaultsOf<Shape>>(
  fields: Shape,
  defaults: Defaults,
): Creation<Shape, Defaults> {
  const optional = Object.entries(defaults).map(([name, fallback]) => [
    name,
    orFallback(nullable(fields[name]).default(fallback), fallback),
  ]);
  return { ...fields, ...Object.fromEntries(optional) };
}

/** The fields of a change: null resets each of those with a default. */
export function resettable<Shape extends z.ZodRawShape>(fields: Shape, defaults: DefaultsOf<Shape>): Shape {
  const optional = Object.entries(defaults).map(([name, fallback]) => [
    name,
    orFallback(nullable(fields[name]), fallback),
  ]);
  return { ...fields, ...Object.fromEntries(optional) };
}

function nullable(field: unknown) {
  return (field as z.ZodType).nullable();
}

/** A schema with null for a default. */
function orFallback(schema: z.ZodType, fallback: unknown) {
  return schema.transform((value) => value ?? fallback);
}

/** The version that a change was made for, in its body; null is the same as none. */
export const expectedVersion = z
  .int('must be a whole number')
  .min(1, 'must be at least 1')
  .nullish()
  .describe('If it is not the current version, nothing is changed, and the response is 409 CONFLICT');

/** Takes anything. */
const ignored = (description: string) =>
  z.unknown().optional().describe(`${description}. Read-only: accepted, and ignored`);

/**
 * The body of a change: any of the `settable` fields, where null resets one with a default. The other fields of `shown`, which is
 * what is returned, are accepted and ignored, so that what was fetched can be sent back whole.
 */
export function changesOf<Shape extends z.ZodRawShape>(
  settable: Shape,
  shown: z.ZodObject,
  defaults: DefaultsOf<Shape> = {},
) {
  const settableSchema = z.strictObject(resettable(settable, defaults)).partial();
  const readOnly = Object.keys(shown.shape).filter((name) => !(name in settable));
  const readOnlySchemas = Object.fromEntries(
    readOnly.map((name) => [name, ignored(shown.shape[name]?.description ?? name)]),
  );
  return settableSchema
    .extend({ ...readOnlySchemas, version: expectedVersion.meta({ example: 3 }) })
    .transform((sent) => {
      const changes = Object.entries(sent).filter(([name]) => name !== 'version' && !readOnly.includes(name));
      return Object.fromEntries(changes) as z.output<typeof settableSchema>;
    });
}
