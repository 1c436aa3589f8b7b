import { createHash } from 'node:crypto';
import type { Client } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { TableSum } from '../archive/records';

/** Rows and bytes that have been read or written so far. */
export type RowCounter = ReturnType<typeof countRows>;

const NEWLINE = 10;

/** Counts the rows of a table, as COPY writes them, and computes their digest. */
export function countRows(name: string) {
  const hash = createHash('sha256');
  let rows = 0;
  let bytes = 0;
  return {
    add: (data: Buffer): void => {
      hash.update(data);
      bytes += data.length;
      // COPY escapes newlines in values.
      for (let at = data.indexOf(NEWLINE); at >= 0; at = data.indexOf(NEWLINE, at + 1)) rows += 1;
    },
    bytes: (): number => bytes,
    /** Ends the count. */
    sum: (): TableSum => ({ name, rows, digest: hash.digest('hex') }),
  };
}

/** The rows that a query or table in `source` returns, as COPY writes them. */
export async function* copyRows(client: Client, source: string): AsyncGenerator<Buffer> {
  const stream = client.query(copyTo(`COPY ${source} TO STDOUT`));
  for await (const data of stream) yield data;
}
