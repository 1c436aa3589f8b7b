import { PrismaPg } from '@prisma/adapter-pg';
import {
  ColumnTypeEnum,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
  type SqlQuery,
} from '@prisma/driver-adapter-utils';
import pg from 'pg';

const CHAR_OID = 18;
const TEXT_OID = 25;

/**
 * Prisma's adapter with support for reading the system catalog: the one-byte type "char" (as of 7.10 it
 * throws "Column type 'char' could not be deserialized"). Columns of that type leave the pool as text and get
 * their type back here.
 */
export function createCatalogueAdapter(url: string): SqlMigrationAwareDriverAdapterFactory {
  const charColumns = new Set<string>();
  const pool = new pg.Pool({ connectionString: url });
  const query = pool.query.bind(pool) as (config: pg.QueryConfig) => Promise<pg.QueryResult>;
  pool.query = (async (config: pg.QueryConfig) => {
    const result = await query(config);
    for (const field of result.fields ?? []) {
      if (field.dataTypeID !== CHAR_OID) continue;
      field.dataTypeID = TEXT_OID;
      charColumns.add(field.name);
    }
    return result;
  }) as pg.Pool['query'];

  const factory = new PrismaPg(pool, { disposeExternalPool: true });
  const restoreTypes = (adapter: SqlDriverAdapter): SqlDriverAdapter => {
    const queryRaw = adapter.queryRaw.bind(adapter);
    adapter.queryRaw = async (statement: SqlQuery) => {
      const result = await queryRaw(statement);
      const columnTypes = result.columnTypes.map((type, index) =>
        charColumns.has(result.columnNames[index] ?? '') ? ColumnTypeEnum.Character : type,
      );
      return { ...result, columnTypes };
    };
    return adapter;
  };
  return {
    provider: factory.provider,
    adapterName: factory.adapterName,
    connect: async () => restoreTypes(await factory.connect()),
    connectToShadowDb: async () => restoreTypes(await factory.connectToShadowDb()),
  };
}
