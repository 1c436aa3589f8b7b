import { groupBy } from '@/lib/core/groups';
import type { Keyring } from '@/lib/core/keyring';
import { storableJson } from '@/lib/core/storable-text';
import type { Transaction } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import { columnOf, type FieldName, type MonitorConfig, sqlColumnOf } from '@/lib/schemas/monitor/fields';
import { writeFields } from '../stored-fields';

/** A locked monitor and the fields that it gets other values for. */
export type MonitorUpdate = {
  next: MonitorConfig & { id: string; configVersion: number };
  changed: readonly FieldName[];
};

/** Writes changed fields, in one statement for all monitors that change the same ones. */
export async function updateMonitors(
  tx: Transaction,
  keyring: Keyring,
  updates: readonly MonitorUpdate[],
  now: Date,
): Promise<void> {
  for (const group of groupBy(updates, ({ changed }) => changed.join()).values()) {
    const columns = ['config_version', ...(group[0]?.changed ?? []).map(sqlColumnOf)];
    const rows = group.map((update) => toRow(keyring, update));
    // The type of the table gives every value its own.
    await tx.$executeRaw`
      UPDATE monitor
      SET updated_at = ${now}, ${Prisma.raw(columns.map((column) => `${column} = given.${column}`).join(', '))}
      FROM jsonb_populate_recordset(NULL::monitor, ${storableJson(rows)}::jsonb) AS given
      WHERE monitor.id = given.id`;
  }
}

function toRow(keyring: Keyring, { next, changed }: MonitorUpdate): Record<string, unknown> {
  const { id, configVersion } = next;
  const values: Readonly<Record<string, unknown>> = writeFields(keyring, id, next, changed);
  const columns = changed.map((name) => {
    const value = values[columnOf(name)];
    // The text form of `bytea`.
    return [
      sqlColumnOf(name),
      value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : value,
    ];
  });
  return { id, config_version: configVersion, ...Object.fromEntries(columns) };
}
