import { parse } from 'csv-parse/sync';
import { invalidState } from '@/lib/core/errors';
import { mapInTurns } from '@/lib/core/map-in-turns';
import { readHeader } from '@/lib/importing/files/csv';
import { emailAddress } from '@/lib/schemas/email-address';
import { isLanguage, LANGUAGES, type Language } from '@/lib/schemas/language';
import { MAX_IMPORTED_LINES, type RefusedLine } from '@/lib/schemas/status-pages/subscriber-import';

/** A line with an address; `rows` are the IDs or names that it has for rows of the page, empty for everything. */
export type ListedAddress = { line: number; email: string; rows: string[]; language: Language };

/** Enough for the names of a hundred rows. Reading a cell costs a microsecond, and a line is read in one go. */
const MAX_LINE = 10_000;
const TOO_LONG = `longer than ${MAX_LINE.toLocaleString('en')} characters`;

/** What a spreadsheet needs in front of a text that it would interpret as a formula, as our own exports have it. */
const FORMULA_PREFIX = /^'(?=[=+\-@\t\r])/;

/**
 * Reads a list of addresses: CSV with the columns `email`, `rows` and `language` in any order, others are ignored; or, without a
 * header, an address per line with rows in the cells after it. Every line is read by itself, so that a bad one affects no other, in turns with other work. Throws
 * VALIDATION_ERROR for a list without addresses or with more than 5,000 lines.
 */
export async function readSubscriberList(
  csv: string,
  fallback: Language,
): Promise<{ listed: ListedAddress[]; refused: RefusedLine[] }> {
  const lines = csv
    .replace(/^\ufeff/, '')
    .split(/\r\n|\n|\r/)
    .map((text, index) => ({ text, line: index + 1 }))
    .filter(({ text }) => text.trim() !== '');
  const [first] = lines;
  if (first === undefined) throw invalidState('The list is empty. It needs one email address per line.');
  if (first.text.length > MAX_LINE) throw invalidState(`The first line of the list is ${TOO_LONG}.`);
  const header = readHeader(first.text.replaceAll('"', ''));
  const { columns } = header;
  const hasHeader = columns.includes('email');
  const delimiter = hasHeader ? header.delimiter : delimiterOf(first.text);
  const body = hasHeader ? lines.slice(1) : lines;
  if (body.length > MAX_IMPORTED_LINES) {
    const most = MAX_IMPORTED_LINES.toLocaleString('en');
    throw invalidState(`The list has more than ${most} lines. Split it and import the parts.`);
  }
  const pick = hasHeader ? pickByHeader(columns) : pickByPlace;
  const read = await mapInTurns(body, (item) => readLine(item, { delimiter, pick, fallback }));
  return {
    listed: read.flatMap((item) => ('email' in item ? [item] : [])),
    refused: read.flatMap((item) => ('code' in item ? [item] : [])),
  };
}

type Reading = { delimiter: string; pick: (cells: string[]) => Picked; fallback: Language };

function readLine(
  { text, line }: { text: string; line: number },
  { delimiter, pick, fallback }: Reading,
): ListedAddress | RefusedLine {
  if (text.length > MAX_LINE) return { line, code: 'invalid_csv', message: `is ${TOO_LONG}` };
  const cells = splitLine(text, delimiter);
  if (cells === null) return { line, code: 'invalid_csv', message: 'has a quote that does not end' };
  const picked = pick(cells);
  const email = emailAddress.safeParse(picked.email.replace(FORMULA_PREFIX, ''));
  if (!email.success) return { line, code: 'invalid_email', message: 'has no valid email address' };
  if (picked.channel !== '' && picked.channel !== 'email') {
    const message = 'is a webhook or Slack, which only its owner can subscribe';
    return { line, code: 'other_channel', message };
  }
  // Of a locale such as de-AT, the language.
  const [named = ''] = picked.language.split(/[-_]/);
  const language = named === '' ? fallback : named;
  if (!isLanguage(language)) {
    const message = `has another language than ${LANGUAGES.join(', ')}`;
    return { line, code: 'unknown_language', message };
  }
  return { line, email: email.data, rows: picked.rows, language };
}

/** What ends the address in the first line of a list without a header; names of rows after it may contain the others. */
function delimiterOf(text: string): string {
  const startsWithAddress = (delimiter: string) =>
    emailAddress.safeParse(splitLine(text, delimiter)?.[0]).success;
  return [',', ';', '\t'].find(startsWithAddress) ?? ',';
}

/** The cells of a line; null if it is not CSV. */
function splitLine(text: string, delimiter: string): string[] | null {
  try {
    const [cells = []] = parse(text, {
      delimiter,
      relax_column_count: true,
      relax_quotes: true,
      trim: true,
    });
    return cells;
  } catch {
    return null;
  }
}

type Picked = { email: string; rows: string[]; language: string; channel: string };

function pickByHeader(columns: readonly string[]): (cells: string[]) => Picked {
  const [email, rows, language, channel] = ['email', 'rows', 'language', 'channel'].map((name) =>
    columns.indexOf(name),
  );
  const at = (cells: string[], index = -1) => cells[index] ?? '';
  return (cells) => ({
    email: at(cells, email),
    rows: filled([at(cells, rows)]),
    language: at(cells, language).toLowerCase(),
    channel: at(cells, channel).toLowerCase(),
  });
}

function pickByPlace([email = '', ...rows]: string[]): Picked {
  return { email, rows: filled(rows), language: '', channel: '' };
}

function filled(cells: string[]): string[] {
  return cells.filter((cell) => cell !== '');
}
