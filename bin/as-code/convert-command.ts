import { Argument, type Command, Option } from 'commander';
import { stringify } from 'yaml';
import { escapeVariables } from '@/lib/as-code/variables';
import { StartupError } from '@/lib/core/errors';
import { MAX_TEXT_BYTES } from '@/lib/importing';
import type { ImportedPage } from '@/lib/importing/statuspage/convert-page';
import {
  type PageImport,
  readStatuspage,
  type SubscriberLists,
} from '@/lib/importing/statuspage/read-statuspage';
import { cleanText, formatTable } from '../remote/output/table';
import { readInput } from '../remote/read-input';

type ConvertOptions = { dryRun?: boolean; subscribers?: keyof SubscriberLists };

/** `pharos convert`. */
export function registerConvert(program: Command): void {
  program
    .command('convert')
    .description('Print a status page of another product as a file for "apply".')
    .addArgument(new Argument('<source>', 'where the file comes from').choices(['statuspage']))
    .argument('<file>', 'the exported file, or - for standard input')
    .option('--dry-run', 'show both pages side by side instead')
    .addOption(
      new Option(
        '--subscribers [list]',
        'print the subscribers as CSV instead: those who confirmed, or those who did not or whose emails failed',
      )
        .choices(['confirmed', 'unconfirmed'])
        .preset('confirmed'),
    )
    .action(async (_source: string, file: string, options: ConvertOptions) => {
      const converted = readStatuspage(await readInput(file, MAX_TEXT_BYTES));
      const text = render(converted, options);
      process.stderr.write(converted.notes.map((note) => `${cleanText(note)}\n`).join(''));
      process.stdout.write(text);
    });
}

function render(
  { page, rows, subscribers }: PageImport,
  { dryRun, subscribers: list }: ConvertOptions,
): string {
  if (list) {
    const csv = subscribers[list];
    if (csv === null) throw new StartupError(`the file has no ${list} subscribers by email`);
    return csv;
  }
  return dryRun ? formatRows(rows) : writePage(page);
}

function formatRows(rows: PageImport['rows']): string {
  const cells = rows.map(({ group, name, section, row, changes }) => [
    group || '-',
    name,
    section ?? '-',
    row ?? 'not imported',
    changes.join(' '),
  ]);
  return formatTable(['GROUP', 'COMPONENT', 'SECTION', 'ROW', 'CHANGES'], cells);
}

/** Texts of the page are no variables. */
function writePage(page: ImportedPage): string {
  const escaped = JSON.parse(JSON.stringify(page), (_, value) =>
    typeof value === 'string' ? escapeVariables(value) : value,
  );
  return stringify({ version: 1, 'status-pages': [escaped] }, { lineWidth: 0 });
}
