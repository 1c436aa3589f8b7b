import { parse } from 'csv-parse/sync';
import { invalidState } from '@/lib/core/errors';
import { MAX_ITEMS } from '../plan/plan';
import { requireItems } from './decode';

const MAX_COLUMNS = 100;
const DELIMITERS = [',', ';', '\t'];

export type Table = {
  /** The names of the columns: lower case, with `_` for anything but letters and digits (`Friendly Name`: `friendly_name`). */
  columns: string[];
  /** Cells by column; empty cells are left out. */
  records: Record<string, string>[];
};

/** The normalized name of a column. */
export function columnName(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_|_$/g, '');
}

/** The cells of the first line, split at the delimiter that occurs most in it. */
export function readHeader(text: string): { delimiter: string; columns: string[] } {
  const [line = ''] = text.split(/\r\n|\n|\r/, 1);
  const splits = DELIMITERS.map((delimiter) => ({ delimiter, cells: line.split(delimiter) }));
  const best = splits.reduce((most, each) => (each.cells.length > most.cells.length ? each : most));
  return { delimiter: best.delimiter, columns: best.cells.map(columnName) };
}

/** Parses a CSV text with a header row. Throws VALIDATION_ERROR with `hint`, and for too many rows or columns. */
export function parseCsv(text: string, hint: string): Table {
  const { delimiter } = readHeader(text);
  let rows: string[][];
  try {
    rows = parse(text.trim(), {
      delimiter,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      to: MAX_ITEMS + 2,
      trim: true,
    });
  } catch {
    throw invalidState(`The file is not valid CSV. ${hint}`);
  }
  const [header = [], ...body] = rows;
  if (header.length > MAX_COLUMNS)
    throw invalidState(`The CSV has more than ${MAX_COLUMNS} columns. ${hint}`);
  requireItems(body.length);
  const columns = header.map(columnName);
  return { columns, records: body.map((cells) => toRecord(columns, cells)) };
}

function toRecord(columns: readonly string[], cells: readonly string[]): Record<string, string> {
  const filled = columns.map((column, index) => [column, cells[index] ?? ''] as const);
  return Object.fromEntries(filled.filter(([column, cell]) => column !== '' && cell !== ''));
}
