import type { Database, SqlValue } from 'sql.js';
// This build contains its WebAssembly, so a bundle needs no file next to it.
import load from 'sql.js/dist/sql-wasm-inline.js';
import { invalidState } from '@/lib/core/errors';
import { MAX_DATABASE_BYTES, requireSize } from './decode';

export type SqliteRow = Record<string, SqlValue>;

/** Reads tables of a database file. */
export type Tables = {
  /** The rows of a table, at most `limit`, with those of the columns that exist; empty if there is no such table. */
  read(table: string, columns: readonly string[], limit: number): SqliteRow[];
  /** The number of rows; 0 if there is no such table. */
  count(table: string): number;
};

const MAGIC = 'SQLite format 3\0';

/** Whether a file is an SQLite database, by its first bytes. */
export function isSqlite(file: Uint8Array): boolean {
  return new TextDecoder('latin1').decode(file.subarray(0, MAGIC.length)) === MAGIC;
}

/**
 * Runs `work` with the tables of an SQLite file, which is opened in memory. Only plain tables are read: views, virtual tables
 * and generated columns would run expressions of the file. Throws PAYLOAD_TOO_LARGE, and VALIDATION_ERROR for a damaged file.
 */
export async function readSqlite<Result>(
  file: Uint8Array,
  work: (tables: Tables) => Result,
): Promise<Result> {
  requireSize(file, MAX_DATABASE_BYTES);
  const sql = await load();
  let opened: Database | undefined;
  try {
    opened = new sql.Database(file);
    opened.run('PRAGMA trusted_schema = OFF; PRAGMA query_only = ON; PRAGMA cell_size_check = ON');
    return work(tablesOf(opened));
  } catch (error) {
    if (!isDamage(error)) throw error;
    throw invalidState(
      'The database is damaged or incomplete. Stop the service that writes it and copy the file again.',
    );
  } finally {
    opened?.close();
  }
}

/** Whether an error is one of SQLite, which reports them as plain errors, or of its WebAssembly. */
function isDamage(error: unknown): boolean {
  return error instanceof WebAssembly.RuntimeError || Object.getPrototypeOf(error) === Error.prototype;
}

function tablesOf(database: Database): Tables {
  const names = new Set(plainTables(database));
  let remaining = MAX_DATABASE_BYTES;

  const read = (table: string, columns: readonly string[], limit: number) => {
    if (!names.has(table)) return [];
    const existing = columnsOf(database, table);
    const wanted = columns.filter((column) => existing.has(column));
    if (wanted.length === 0) return [];
    const rows: SqliteRow[] = [];
    const statement = database.prepare(
      `SELECT ${wanted.map(quote).join(', ')} FROM ${quote(table)} LIMIT ${limit}`,
    );
    try {
      while (statement.step()) {
        const values = statement.get();
        remaining -= values.reduce<number>((sum, value) => sum + sizeOf(value), 0);
        // In a valid file, the values are smaller than the file.
        if (remaining < 0)
          throw invalidState('The database is damaged: its values are larger than the file.');
        rows.push(Object.fromEntries(wanted.map((column, index) => [column, values[index] ?? null])));
      }
    } finally {
      statement.free();
    }
    return rows;
  };

  const count = (table: string) => {
    if (!names.has(table)) return 0;
    const [result] = database.exec(`SELECT count(*) FROM ${quote(table)}`);
    return Number(result?.values[0]?.[0] ?? 0);
  };

  return { read, count };
}

/** Tables that are neither views nor virtual. */
function plainTables(database: Database): string[] {
  const [result] = database.exec(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' AND rootpage > 0",
  );
  return (result?.values ?? []).map(([name]) => String(name));
}

/** The stored columns of a table: the list of this pragma does not contain generated ones. */
function columnsOf(database: Database, table: string): Set<string> {
  const [result] = database.exec(`PRAGMA table_info(${quote(table)})`);
  return new Set((result?.values ?? []).map((row) => String(row[1])));
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function sizeOf(value: SqlValue): number {
  return typeof value === 'string' || value instanceof Uint8Array ? value.length : 8;
}
