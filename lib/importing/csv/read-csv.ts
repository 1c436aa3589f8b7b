import { invalidState } from '@/lib/core/errors';
import { parseCsv, readHeader } from '../files/csv';
import { decodeText, requireItems } from '../files/decode';
import type { ReadFile } from '../plan/plan';
import { listOf, shown } from '../plan/sentences';
import { convertLine } from './convert-line';
import { convertRow, isKnownColumn, isTargetColumn } from './convert-row';

const HINT =
  'Paste one URL, host:port or host per line, or choose a CSV file with a header row, such as "name,url,interval".';

/** Reads a CSV with a header row, or a plain list of targets. Throws VALIDATION_ERROR and PAYLOAD_TOO_LARGE. */
export function readCsv(file: Uint8Array): ReadFile {
  const text = decodeText(file, HINT).trim();
  if (text === '') throw invalidState(`The file is empty. ${HINT}`);
  const { columns } = readHeader(text);
  const isTable = columns.some(isTargetColumn);
  if (isTable) return readTable(text);
  if (columns.length > 1) throw invalidState(`The CSV has no column "url". ${HINT}`);
  return readLines(text);
}

function readTable(text: string): ReadFile {
  const { columns, records } = parseCsv(text, HINT);
  const unknown = columns.filter((column) => column !== '' && !isKnownColumn(column));
  return {
    items: records.map((record) => convertRow(record, columns)),
    notes: unknown.length > 0 ? [`Columns that are not imported: ${listOf(unknown.map(shown))}.`] : [],
  };
}

/** Lines that start with `#` are comments. */
function readLines(text: string): ReadFile {
  const lines = text
    .split(/\r\n|\n|\r/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  requireItems(lines.length);
  return { items: lines.map(convertLine), notes: [] };
}
