import { z } from 'zod';
import { StartupError } from '@/lib/core/errors';

/** The keys of an installation, as its settings are named. */
const keysSchema = z.strictObject({ SECRET_KEY: z.string(), PREVIOUS_SECRET_KEYS: z.array(z.string()) });

/** A table of a backup, or one partition of it, which contains the rows from one moment to another. */
const tableSchema = z.strictObject({
  /** With its schema: `public.monitor`, `raw.check_result_20261126`. */
  name: z.string(),
  partition: z.strictObject({ of: z.string(), from: z.iso.datetime(), to: z.iso.datetime() }).nullable(),
  columns: z.array(z.string()).min(1),
  /** Its size in the database, without indexes: for progress only. */
  bytes: z.number(),
});

const manifestSchema = z.strictObject({
  createdAt: z.iso.datetime(),
  /** The version of Pharos, and the major version of PostgreSQL. */
  version: z.string(),
  postgres: z.int(),
  /** The migrations that had been applied, oldest first. */
  migrations: z.array(z.string()).min(1),
  /** The check values of the keys that the stored secrets were encrypted with. */
  keyChecks: z.array(z.string()),
  /** The keys themselves, only in encrypted backups. */
  keys: keysSchema.nullable(),
  tables: z.array(tableSchema),
});

const sumSchema = z.strictObject({
  name: z.string(),
  rows: z.int(),
  /** SHA-256 of the rows as COPY writes them, hexadecimal. */
  digest: z.string(),
});

const endSchema = z.strictObject({
  tables: z.array(sumSchema),
  sequences: z.array(z.strictObject({ name: z.string(), last: z.string().regex(/^\d+$/) })),
});

export type BackupKeys = z.infer<typeof keysSchema>;
export type BackupTable = z.infer<typeof tableSchema>;
export type Manifest = z.infer<typeof manifestSchema>;
export type TableSum = z.infer<typeof sumSchema>;
export type BackupEnd = z.infer<typeof endSchema>;

/** The content of a backup, in this order: the manifest; for each table its start, data and sum; the end. */
export type BackupRecord =
  | { kind: 'manifest'; value: Manifest }
  | { kind: 'table'; value: BackupTable }
  | { kind: 'data'; value: Buffer }
  | { kind: 'sum'; value: TableSum }
  | { kind: 'end'; value: BackupEnd };

const CODES = { manifest: 77, table: 84, data: 68, sum: 83, end: 69 } as const;
const PREFIX_BYTES = 5;
/** COPY is read from the network in pieces of 64 KB; the manifest grows with the number of tables. */
const MAX_BYTES = 16 * 1024 * 1024;

/** Writes records one after the other: a code, the length, the content. */
export async function* encodeRecords(records: AsyncIterable<BackupRecord>): AsyncGenerator<Buffer> {
  for await (const { kind, value } of records) {
    const content = kind === 'data' ? value : Buffer.from(JSON.stringify(value));
    const prefix = Buffer.alloc(PREFIX_BYTES);
    prefix.writeUInt8(CODES[kind]);
    prefix.writeUInt32BE(content.length, 1);
    yield prefix;
    yield content;
  }
}

/** The records that `encodeRecords` wrote. Throws StartupError for anything else. */
export async function* decodeRecords(source: AsyncIterable<Buffer>): AsyncGenerator<BackupRecord> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const bytes of source) {
    rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
    while (rest.length >= PREFIX_BYTES) {
      const length = rest.readUInt32BE(1);
      if (length > MAX_BYTES) throw unreadable();
      const end = PREFIX_BYTES + length;
      if (rest.length < end) break;
      yield toRecord(rest.readUInt8(0), rest.subarray(PREFIX_BYTES, end));
      rest = rest.subarray(end);
    }
  }
  if (rest.length > 0) throw unreadable();
}

function toRecord(code: number, content: Buffer): BackupRecord {
  if (code === CODES.data) return { kind: 'data', value: content };
  try {
    const value: unknown = JSON.parse(content.toString());
    if (code === CODES.manifest) return { kind: 'manifest', value: manifestSchema.parse(value) };
    if (code === CODES.table) return { kind: 'table', value: tableSchema.parse(value) };
    if (code === CODES.sum) return { kind: 'sum', value: sumSchema.parse(value) };
    if (code === CODES.end) return { kind: 'end', value: endSchema.parse(value) };
  } catch (error) {
    throw unreadable(error);
  }
  throw unreadable();
}

/** The error for content that this version cannot have written. */
export function unreadable(cause?: unknown): StartupError {
  return new StartupError(
    'the backup cannot be read: it is damaged, or a newer version of Pharos wrote it. Update Pharos, or use another copy',
    { cause },
  );
}
