import type { Keyring } from '@/lib/core/keyring';
import { Prisma, type Monitor as Row } from '@/lib/platform/db/generated/client';
import {
  type ColumnOf,
  columnOf,
  describeField,
  type FieldName,
  type MonitorConfig,
  PLAIN_FIELDS,
  SECRET_FIELDS,
  type SecretField,
  sqlColumnOf,
} from '@/lib/schemas/monitor/fields';

/** The columns of these fields. A field without a column in prisma/schema.prisma does not compile. */
export type Columns<Name extends FieldName> = Pick<Row, ColumnOf<Name>>;

/** The same to be written: no column holds the JSON value null. */
type Written<Name extends FieldName> = {
  [Column in ColumnOf<Name>]: Prisma.JsonValue extends Row[Column] ? Prisma.InputJsonValue : Row[Column];
};

/** The stored form of fields of a configuration. Secrets are often tokens, so they are stored encrypted and bound to their monitor. */
export function writeFields(
  keyring: Keyring,
  monitorId: string,
  config: MonitorConfig,
  names: readonly FieldName[],
): Partial<Written<FieldName>> {
  const plain = PLAIN_FIELDS.filter((name) => names.includes(name)).map((name) => {
    const { write } = describeField(name);
    return [name, write ? write(config[name]) : config[name]];
  });
  const sealed = SECRET_FIELDS.filter((name) => names.includes(name)).map((name) => {
    const text = describeField(name).secret?.write(config[name]) ?? null;
    return [columnOf(name), text === null ? null : keyring.seal(text, `${monitorId}/${name}`)];
  });
  return Object.fromEntries([...plain, ...sealed]) as Partial<Written<FieldName>>;
}

/** Reads what `writeFields` stored for the same monitor. Throws if a secret was sealed under an unknown key. */
export function readFields<Name extends FieldName>(
  keyring: Keyring,
  monitorId: string,
  names: readonly Name[],
  row: Columns<Name>,
): Pick<MonitorConfig, Name> {
  const stored: Readonly<Record<string, unknown>> = row;
  const values = names.map((name) => {
    const { secret, read } = describeField(name);
    const value = stored[columnOf(name)];
    if (!secret) return [name, read ? read(value) : value];
    return [
      name,
      secret.read(value instanceof Uint8Array ? keyring.open(value, `${monitorId}/${name}`) : null),
    ];
  });
  return Object.fromEntries(values) as Pick<MonitorConfig, Name>;
}

/** The secret columns of a monitor that has no secrets. */
export const NO_SECRETS = Object.fromEntries(
  SECRET_FIELDS.map((name) => [columnOf(name), null]),
) as Columns<SecretField>;

/** The SELECT list that reads `Columns` of these fields from the table `monitor`. */
export function selectFields(names: readonly FieldName[]): Prisma.Sql {
  return Prisma.raw(names.map((name) => `monitor.${sqlColumnOf(name)} AS "${columnOf(name)}"`).join(', '));
}
