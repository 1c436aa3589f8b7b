import type { Client } from 'pg';

/** Everything that migrations create, one line each: columns in their order, constraints, indexes, types, functions, options. */
export async function readSchema(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ line: string }>(`
    WITH spaces AS (SELECT oid FROM pg_namespace WHERE nspname IN ('public', 'raw')),
         tables AS (SELECT * FROM pg_class WHERE relnamespace IN (SELECT oid FROM spaces) AND NOT relispartition)
    SELECT concat_ws(' ', 'table', oid::regclass, relkind, relpersistence, reloptions, pg_get_partkeydef(oid)) AS line
      FROM tables WHERE relkind IN ('r', 'p', 'v', 'S')
    UNION ALL
    SELECT concat_ws(' ', 'column', attrelid::regclass, attnum, attname, format_type(atttypid, atttypmod), attnotnull,
                     attisdropped, pg_get_expr(adbin, adrelid))
      FROM tables JOIN pg_attribute ON attrelid = tables.oid AND attnum > 0
           LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
     WHERE relkind IN ('r', 'p')
    UNION ALL
    SELECT concat_ws(' ', 'constraint', conrelid::regclass, conname, convalidated, pg_get_constraintdef(pg_constraint.oid))
      FROM pg_constraint JOIN tables ON tables.oid = conrelid
    UNION ALL
    SELECT concat_ws(' ', 'index', indisvalid, pg_get_indexdef(indexrelid)) FROM pg_index JOIN tables ON tables.oid = indrelid
    UNION ALL
    SELECT concat_ws(' ', 'label', enumtypid::regtype, enumlabel, row_number() OVER (PARTITION BY enumtypid ORDER BY enumsortorder))
      FROM pg_enum
    UNION ALL
    SELECT pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace IN (SELECT oid FROM spaces)
    ORDER BY line`);
  return rows.map((row) => row.line);
}
