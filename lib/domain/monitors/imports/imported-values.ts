import { createHmac } from 'node:crypto';
import { storableJson } from '@/lib/core/storable-text';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import type { Transaction } from '@/lib/platform/db/client';
import type { FieldName, MonitorConfig } from '@/lib/schemas/monitor/fields';

/** By field. */
type Digests = Partial<Record<string, string>>;
type Keyed = Pick<OrganizationContext, 'keyring'>;

/** What imports set: digests with a key, because some values are secret. */
export type ImportedValues = {
  /** Whether a field of a monitor that was imported has another value now, so that somebody changed it. */
  isChanged(id: string, field: FieldName, current: unknown): boolean;
};

/** What the last imports of these monitors set. */
export async function readImported(
  tx: Transaction,
  { keyring }: Keyed,
  ids: string[],
): Promise<ImportedValues> {
  const rows = ids.length === 0 ? [] : await tx.monitorImport.findMany({ where: { monitorId: { in: ids } } });
  const byId = new Map(rows.map(({ monitorId, digests }) => [monitorId, digests as Digests]));
  const keys = keyring.deriveAll(PURPOSE);
  return {
    isChanged: (id, field, current) => {
      const digest = byId.get(id)?.[field];
      return digest !== undefined && !keys.some((key) => digestOf(key, id, field, current) === digest);
    },
  };
}

/** A monitor with the fields that an import set. */
export type Imported = { id: string; fields: readonly FieldName[]; config: MonitorConfig };

/** Records what an import set, in one statement. What earlier imports set and this one does not remains. */
export async function recordImported(
  tx: Transaction,
  { keyring, clock }: Keyed & Pick<OrganizationContext, 'clock'>,
  sourceId: string,
  imported: readonly Imported[],
): Promise<void> {
  const key = keyring.derive(PURPOSE);
  const rows = imported.map(({ id, fields, config }) => ({
    id,
    digests: Object.fromEntries(fields.map((field) => [field, digestOf(key, id, field, config[field])])),
  }));
  await tx.$executeRaw`
    INSERT INTO monitor_import (monitor_id, source_id, digests, imported_at)
    SELECT id, ${sourceId}, digests, ${clock.now()}
      FROM jsonb_to_recordset(${storableJson(rows)}::jsonb) AS given (id text, digests jsonb)
    ON CONFLICT (monitor_id) DO UPDATE
       SET source_id = excluded.source_id, digests = monitor_import.digests || excluded.digests,
           imported_at = excluded.imported_at
     WHERE (monitor_import.source_id, monitor_import.digests)
           IS DISTINCT FROM (excluded.source_id, monitor_import.digests || excluded.digests)`;
}

const PURPOSE = 'imported values';

function digestOf(key: string, id: string, field: FieldName, value: unknown): string {
  const text = JSON.stringify([id, field, value]);
  return createHmac('sha256', key).update(text).digest('base64url').slice(0, 22);
}
