import { z } from 'zod';
import type { FieldGroup } from '@/lib/checks/check-type';
import type { HelpTopic } from '@/lib/schemas/help-topics';
import type { Secret } from './secrets';

/** The descriptor of a field of a monitor that callers set. */
export type Field<Value = unknown> = {
  /** Validates input; its description appears in the API reference. */
  schema: z.ZodType<Value>;
  /** What the API returns, if `schema` does not imply it. */
  output?: z.ZodType<Value>;
  /** Used if a caller omits the field; a field without one is required. */
  default?: Readonly<Value>;
  /** Only check types with this group of fields use it; by default all do. */
  group?: FieldGroup;
  /** Passed to the probe, and whether changing it resets the status to pending. */
  probed?: 'resets status' | 'keeps status';
  /**
   * The status depends on it, and whether a backtest can replay results under another value, or what the members of a group were: results
   * mean nothing for these.
   */
  decides?: 'replayed' | 'not replayed' | 'members replayed';
  /** Stored sealed, in a column named `…Sealed`, and hidden from those who may not change the monitor. */
  secret?: Secret<Value>;
  /** What is stored, if that is not the value itself; `read` reverses it. */
  write?(value: Value): string | null;
  /** Converts a stored value, such as one that the schema no longer permits. */
  read?(stored: unknown): Value;
  form: FormText & {
    /** What the form of a new monitor opens with, if not the default. */
    suggested?: Value;
    /** The label of a choice. */
    option?(value: string): string;
  };
};

/** How a field is edited, if its schema does not imply it. */
type OwnControl =
  | 'lines'
  | 'escaped'
  | 'headers'
  | 'assertions'
  | 'authentication'
  | 'secret'
  | 'type'
  | 'target'
  | 'regions'
  | 'monitors'
  | 'cron'
  | 'duration';
type Control = 'text' | 'number' | 'switch' | 'choice' | 'numbers' | 'list' | OwnControl;

type FormText = {
  section:
    | 'type'
    | 'target'
    | 'schedule'
    | 'alerts'
    | 'dependencies'
    | 'assertions'
    | 'request'
    | 'certificate'
    | 'connection'
    | 'more';
  control?: OwnControl;
  label: string;
  hint?: string;
  /** Replaces `hint` if the form opens with a value. */
  hintIfSet?: string;
  placeholder?: string;
  unit?: string;
  /** Of a list: how many entries it may have. */
  most?: number;
  /** What a “?” next to the label explains. */
  help?: HelpTopic;
  /** The field that is filled in instead of this one, the label of the choice, and those of the two. */
  alternative?: { name: string; label: string; labels: readonly [string, string] };
};

/** A field as the form requires it: plain data, which a server component can pass to the browser. */
export type FormField<Name extends string = string> = Omit<FormText, 'control'> & {
  name: Name;
  control: Control;
  default: unknown;
  isNullable: boolean;
  /** Of a number, both included; null for other values. */
  bounds: { minimum: number; maximum: number } | null;
  options: { value: string; label: string }[];
  group?: FieldGroup;
  resetsStatus: boolean;
  isReplayed: boolean;
};

/** A descriptor with the precise type of its schema. */
export function field<Schema extends z.ZodType, const Rest extends Omit<Field<z.output<Schema>>, 'schema'>>(
  schema: Schema,
  rest: Rest,
): { schema: Schema } & Rest {
  return { schema, ...rest };
}

const LIMITS = {
  least: (minimum: number) => `must be at least ${minimum}`,
  most: (maximum: number) => `must be at most ${maximum}`,
};

/** A whole number within bounds, both included. An empty input of a form is none. */
export const whole = (minimum: number, maximum: number, { least, most } = LIMITS) =>
  z
    .int({ error: ({ input }) => (input === '' ? 'needs a number' : 'must be a whole number') })
    .min(minimum, least(minimum))
    .max(maximum, most(maximum));

export const flag = z.boolean('must be true or false');

/** The schema of a returned field: its type without the rules for input. */
export function outputOf({ schema, output, default: usual }: Field): z.ZodType {
  const { description, examples, example = usual ?? undefined } = schema.meta() ?? {};
  const own = output ?? withoutRules(schema);
  return own.meta({ ...own.meta(), description, ...(examples ? { examples } : { example }) });
}

function withoutRules(schema: unknown): z.ZodType {
  if (schema instanceof z.ZodNullable) return withoutRules(schema.unwrap()).nullable();
  if (schema instanceof z.ZodEnum) return z.enum(schema.options.map(String));
  // The same closed sets and bounds, so that what is fetched can be sent back in typed clients.
  if (schema instanceof z.ZodNumber || schema instanceof z.ZodLiteral) return schema;
  if (schema instanceof z.ZodBoolean) return z.boolean();
  if (schema instanceof z.ZodArray) return z.array(withoutRules(schema.element));
  if (schema instanceof z.ZodRecord) return z.record(z.string(), z.string());
  if (schema instanceof z.ZodString) return z.string();
  throw new Error('a field of this kind needs an `output`');
}

/** A field as the form shows it. */
export function describeForForm<Name extends string>(name: Name, described: Field): FormField<Name> {
  const { option = String, suggested: _, ...form } = described.form;
  const isNullable = described.schema instanceof z.ZodNullable;
  const schema: unknown =
    described.schema instanceof z.ZodNullable ? described.schema.unwrap() : described.schema;
  return {
    ...form,
    name,
    control: form.control ?? controlOf(schema),
    default: described.default,
    isNullable,
    bounds: boundsOf(schema),
    options: valuesOf(schema).map((value) => ({ value, label: option(value) })),
    group: described.group,
    resetsStatus: described.probed === 'resets status',
    isReplayed: described.decides === 'replayed' || described.decides === 'members replayed',
  };
}

function boundsOf(schema: unknown): FormField['bounds'] {
  if (!(schema instanceof z.ZodNumber)) return null;
  return {
    minimum: schema.minValue ?? Number.MIN_SAFE_INTEGER,
    maximum: schema.maxValue ?? Number.MAX_SAFE_INTEGER,
  };
}

function valuesOf(schema: unknown): string[] {
  if (schema instanceof z.ZodEnum) return schema.options.map(String);
  return schema instanceof z.ZodLiteral ? [...schema.values].map(String) : [];
}

function controlOf(schema: unknown): Control {
  if (schema instanceof z.ZodNumber) return 'number';
  if (schema instanceof z.ZodBoolean) return 'switch';
  if (schema instanceof z.ZodEnum) return 'choice';
  if (schema instanceof z.ZodLiteral) return 'numbers';
  return schema instanceof z.ZodArray ? 'list' : 'text';
}
