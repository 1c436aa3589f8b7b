import { groupBy } from '@/lib/core/groups';
import type { Keyring } from '@/lib/core/keyring';
import { storableJson } from '@/lib/core/storable-text';
import type { Transaction } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';
import { toColumnJson } from '@/lib/platform/db/row-json';
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

/** The columns of a token. */
export const TOKEN_COLUMNS = ['heartbeat_token_sealed', 'heartbeat_token_hash'];

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
  return {
    id,
    config_version: configVersion,
    ...toColumns(keyring, id, next, changed),
    ...tokenColumns(token),
  };
}

/** Fields of a monitor by their columns, for JSON that PostgreSQL reads as a row. */
export function toColumns(
  keyring: Keyring,
  id: string,
  config: MonitorConfig,
  names: readonly FieldName[],
): Record<string, unknown> {
  const values: Readonly<Record<string, unknown>> = writeFields(keyring, id, config, names);
  return Object.fromEntries(names.map((name) => [sqlColumnOf(name), toColumnJson(values[columnOf(name)])]));
}

/** The same of a token, if there is one. */
export function tokenColumns(token: TokenColumns | null | undefined): Record<string, unknown> {
  if (!token) return {};
  const { heartbeatTokenSealed, heartbeatTokenHash } = token;
  const values = [heartbeatTokenSealed, heartbeatTokenHash].map(toColumnJson);
  return Object.fromEntries(TOKEN_COLUMNS.map((column, place) => [column, values[place]]));
}
