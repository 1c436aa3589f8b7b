import { SECRET_FIELDS, sqlColumnOf } from '@/lib/schemas/monitor/fields';

/** A column of sealed values, with the SQL of the owner that each was sealed for: what the code that opens it says. */
export type SealedColumn = { table: string; column: string; owner: string };

/** Every sealed column of the database; a test holds the list against the catalogue. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  ...SECRET_FIELDS.map((name) => ({
    table: 'monitor',
    column: sqlColumnOf(name),
    owner: `id || '/${name}'`,
  })),
  { table: 'webhook_endpoint', column: 'secret_sealed', owner: 'id' },
  { table: 'webhook_endpoint', column: 'next_secret_sealed', owner: 'id' },
  { table: 'mail', column: 'content_sealed', owner: 'id' },
  {
    table: 'idempotent_answer',
    column: 'answer_sealed',
    owner: "organization_id || ' ' || lineage_id || ' ' || operation || ' ' || key",
  },
  { table: 'dry_run', column: 'target_sealed', owner: 'id' },
];
