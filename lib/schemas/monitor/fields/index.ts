import { z } from 'zod';
import { creationOf } from '@/lib/schemas/text';
import { MONITOR_FIELDS } from './descriptors';
import { describeForForm, type Field, type FormField, outputOf } from './field';

export { MAX_DEPENDENCIES } from './dependency-fields';
export { MAX_DESCRIPTION, MAX_TAGS, METHODS } from './descriptors';
export type { FormField } from './field';
export { INTERVALS } from './interval';
export { MAX_GROUP_DEPTH, MAX_MEMBERS } from './member-fields';

type Fields = typeof MONITOR_FIELDS;
export type FieldName = keyof Fields;
export type SecretField = NameOf<{ secret: object }>;
export type PlainField = Exclude<FieldName, SecretField>;
/** The fields passed to the probe. */
export type ProbedField = NameOf<{ probed: string }>;
/** The fields that the status depends on, by results. */
export type DecidingField = NameOf<{ decides: 'replayed' | 'not replayed' }>;

/** The name in the Prisma schema of the column that holds a field. */
export type ColumnOf<Name extends FieldName> = Name extends SecretField ? `${Name}Sealed` : Name;
type NameOf<Part> = { [Name in FieldName]: Fields[Name] extends Part ? Name : never }[FieldName];
type ReplayedField = NameOf<{ decides: 'replayed' | 'members replayed' }>;
type DefaultField = NameOf<{ default: unknown }>;
type Schemas = { [Name in FieldName]: Fields[Name]['schema'] };

/** The descriptor of a field, without the type of its value. */
export function describeField(name: FieldName): Field {
  return MONITOR_FIELDS[name] as Field;
}

function listFields<Name extends FieldName>(holds: (described: Field) => boolean): readonly Name[] {
  const names = Object.keys(MONITOR_FIELDS) as Name[];
  return names.filter((name) => holds(describeField(name)));
}

export const FIELD_NAMES = listFields<FieldName>(() => true);
export const PLAIN_FIELDS = listFields<PlainField>(({ secret }) => secret === undefined);
export const SECRET_FIELDS = listFields<SecretField>(({ secret }) => secret !== undefined);
export const PROBED_FIELDS = listFields<ProbedField>(({ probed }) => probed !== undefined);
export const DECIDING_FIELDS = listFields<DecidingField>(
  ({ decides }) => decides === 'replayed' || decides === 'not replayed',
);
/** Changing any of these resets the monitor to pending. */
export const RESETTING_FIELDS = listFields<ProbedField>(({ probed }) => probed === 'resets status');

function mapFields<Shape>(of: (described: Field) => unknown): Shape {
  return Object.fromEntries(FIELD_NAMES.map((name) => [name, of(describeField(name))])) as Shape;
}

/** The schema of each field, without its default. */
export const monitorFields = mapFields<Schemas>(({ schema }) => schema);

/** The schema of each field in responses. */
export const shownMonitorFields =
  mapFields<{ [Name in FieldName]: z.ZodType<z.output<Schemas[Name]>> }>(outputOf);

export const settableSchema = z.strictObject(monitorFields);

/** The fields that a backtest can simulate with other values. */
export const replayedSchema = settableSchema.pick(
  Object.fromEntries(
    listFields<ReplayedField>(({ decides }) => decides === 'replayed' || decides === 'members replayed').map(
      (name) => [name, true],
    ),
  ) as Record<ReplayedField, true>,
);

/** The whole configuration of a monitor. */
export type MonitorConfig = z.output<typeof settableSchema>;

/** What a probe needs to run one check. */
export type ProbeTarget = Pick<MonitorConfig, ProbedField>;

export const monitorDefaults = Object.fromEntries(
  listFields<DefaultField>((described) => 'default' in described).map((name) => [
    name,
    describeField(name).default,
  ]),
) as Pick<MonitorConfig, DefaultField>;

/** What the form of a new monitor opens with instead of the defaults. */
export const suggestedValues: Partial<MonitorConfig> = Object.fromEntries(
  listFields(({ form }) => form.suggested !== undefined).map((name) => [
    name,
    describeField(name).form.suggested,
  ]),
);

/** The schema of each field of a new monitor. */
export const newMonitorFields = creationOf(monitorFields, monitorDefaults);

/** The form of a monitor, field by field. */
export const FORM_FIELDS: readonly FormField<FieldName>[] = FIELD_NAMES.map((name) =>
  describeForForm(name, describeField(name)),
);

/** Some of the fields of a configuration. */
export function pickFields<Name extends FieldName>(
  config: Pick<MonitorConfig, Name>,
  names: readonly Name[],
): Pick<MonitorConfig, Name> {
  return Object.fromEntries(names.map((name) => [name, config[name]])) as Pick<MonitorConfig, Name>;
}

/** A configuration without the secrets that are `[hidden]`. */
export function dropHidden<Config extends Partial<MonitorConfig>>(config: Config): Config {
  const dropped = SECRET_FIELDS.flatMap((name) =>
    config[name] === undefined ? [] : [[name, describeField(name).secret?.drop(config[name])]],
  );
  return { ...config, ...Object.fromEntries(dropped) };
}

/** The name of a field's column in the Prisma schema. */
export function columnOf<Name extends FieldName>(name: Name): ColumnOf<Name> {
  return (describeField(name).secret ? `${name}Sealed` : name) as ColumnOf<Name>;
}

const SQL_COLUMNS = new Map(
  FIELD_NAMES.map((name) => [
    name,
    columnOf(name).replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  ]),
);

/** The name of a field's column in the database. */
export function sqlColumnOf(name: FieldName): string {
  return SQL_COLUMNS.get(name) ?? name;
}
