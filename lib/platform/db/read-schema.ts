import type { Client } from 'pg';

/** Names of the schemas that migrations fill. */
export type SchemaNames = { public: string; raw: string };

const NAMES: SchemaNames = { public: 'public', raw: 'raw' };

/**
 * Everything that migrations create, one line each: columns in their order, constraints, indexes, types, sequences, functions, triggers,
 * options. Reads schemas with other `names` as if they had the usual ones.
 */
export async function readSchema(client: Client, names: SchemaNames = NAMES): Promise<string[]> {
  // So that names in expressions are qualified in the same way.
  const { rows: before } = await client.query<{ path: string }>(
    "SELECT current_setting('search_path') AS path, set_config('search_path', $1, false)",
    [names.public],
  );
  const { rows } = await client.query<{ line: string }>(
    `
    WITH spaces AS (
      SELECT oid FROM pg_namespace WHERE nspname = ANY($1)
    ), tables AS (
      SELECT *
        FROM pg_class
       WHERE relnamespace IN (SELECT oid FROM spaces) AND NOT relispartition AND relname <> '_prisma_migrations'
    )
    SELECT concat_ws(' ', 'table', oid::regclass, relkind, relpersistence, reloptions, pg_get_partkeydef(oid)) AS line
      FROM tables
     WHERE relkind IN ('r', 'p', 'v', 'S')
    UNION ALL
    SELECT concat_ws(' ', 'column', attrelid::regclass, row_number() OVER (PARTITION BY attrelid ORDER BY attnum),
                     attname, format_type(atttypid, atttypmod), attnotnull, attstorage, pg_get_expr(adbin, adrelid))
      FROM tables
      JOIN pg_attribute ON attrelid = tables.oid AND attnum > 0 AND NOT attisdropped
      LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
     WHERE relkind IN ('r', 'p')
    UNION ALL
    -- PostgreSQL 18 also has a constraint for each column that is not null;
    -- its name depends on how the column came to be so.
    SELECT concat_ws(' ', 'constraint', conrelid::regclass, conname, convalidated,
                     pg_get_constraintdef(pg_constraint.oid))
      FROM pg_constraint
      JOIN tables ON tables.oid = conrelid
     WHERE contype <> 'n'
    UNION ALL
    SELECT concat_ws(' ', 'index', indisvalid, pg_get_indexdef(indexrelid))
      FROM pg_index
      JOIN tables ON tables.oid = indrelid
    UNION ALL
    SELECT concat_ws(' ', 'label', enumtypid::regtype, enumlabel,
                     row_number() OVER (PARTITION BY enumtypid ORDER BY enumsortorder))
      FROM pg_enum
      JOIN pg_type ON pg_type.oid = enumtypid
     WHERE typnamespace IN (SELECT oid FROM spaces)
    UNION ALL
    SELECT concat_ws(' ', 'sequence', seqrelid::regclass, seqtypid::regtype, seqstart, seqincrement,
                     seqmin, seqmax, seqcycle)
      FROM pg_sequence
      JOIN tables ON tables.oid = seqrelid
    UNION ALL
    SELECT concat_ws(' ', 'trigger', tgenabled, pg_get_triggerdef(pg_trigger.oid))
      FROM pg_trigger
      JOIN tables ON tables.oid = tgrelid
     WHERE NOT tgisinternal
    UNION ALL
    SELECT pg_get_functiondef(oid)
      FROM pg_proc
     WHERE pronamespace IN (SELECT oid FROM spaces)
    ORDER BY line`,
    [Object.values(names)],
  );
  await client.query("SELECT set_config('search_path', $1, false)", [before[0]?.path ?? '']);
  return rows
    .map(({ line }) => line.replaceAll(names.raw, NAMES.raw).replaceAll(names.public, NAMES.public))
    .sort();
}
