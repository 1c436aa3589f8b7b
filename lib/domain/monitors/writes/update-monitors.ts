import { groupBy } from '@/lib/core/groups';
import type { Keyring } from '@/lib/core/keyring';
import { storableJson } from '@/lib/core/storable-text';
import type { Transaction } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import { columnOf, type FieldName, type MonitorConfig, sqlColumnOf } from '@/lib/schemas/monitor/fields';
import type { TokenColumns } from '../heartbeats/heartbeat-token';
import { writeFields } from '../stored-fields';

/** A locked monitor and the fields that it gets other values for. */
export type MonitorUpdate = {
  next: MonitorConfig & { id: string; configVersion: number };
  changed: readonly FieldName[];
  /** A new token for one that becomes a heartbeat, unless it still has one. */
  token?: TokenColumns | null;
};

const TOKEN_COLUMNS = ['heartbeat_token_sealed', 'heartbeat_token_hash'];

/** Writes changed fields, in one statement for all monitors that change the same ones. */
export async function updateMonitors(
  tx: Transaction,
  keyring: Keyring,
  updates: readonly MonitorUpdate[],
  now: Date,
): Promise<void> {
  for (const group of groupBy(updates, ({ changed, token }) =>
    [...changed, token ? 'token' : ''].join(),
  ).values()) {
    const columns = ['config_version', ...(group[0]?.changed ?? []).map(sqlColumnOf)];
    const kept = group[0]?.token ? TOKEN_COLUMNS : [];
    const assignments = [
      ...columns.map((column) => `${column} = given.${column}`),
      ...kept.map((column) => `${column} = coalesce(monitor.${column}, given.${column})`),
    ];
    const rows = group.map((update) => toRow(keyring, update));
    // The type of the table gives every value its own.
    await tx.$executeRaw`
      UPDATE monitor
      SET updated_at = ${now}, ${Prisma.raw(assignments.join(', '))}
      FROM jsonb_populate_recordset(NULL::monitor, ${storableJson(rows)}::jsonb) AS given
      WHERE monitor.id = given.id`;
  }
}

function toRow(keyring: Keyring, { next, changed, token }: MonitorUpdate): Record<string, unknown> {
  const { id, configVersion } = next;
  const values: Readonly<Record<string, unknown>> = writeFields(keyring, id, next, changed);
  const columns = changed.map((name) => {
    const value = values[columnOf(name)];
    return [sqlColumnOf(name), value instanceof Uint8Array ? formatBytes(value) : value];
  });
  const tokens = token && {
    heartbeat_token_sealed: formatBytes(token.heartbeatTokenSealed),
    heartbeat_token_hash: formatBytes(token.heartbeatTokenHash),
  };
  return { id, config_version: configVersion, ...Object.fromEntries(columns), ...tokens };
}

/** The text form of `bytea`. */
function formatBytes(bytes: Uint8Array): string {
  return `\\x${Buffer.from(bytes).toString('hex')}`;
}
