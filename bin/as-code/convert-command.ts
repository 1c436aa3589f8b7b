import { Argument, type Command, Option } from 'commander';
import { stringify } from 'yaml';
import { escapeVariables } from '@/lib/as-code/variables';
import { StartupError } from '@/lib/core/errors';
import type { IncidentList } from '@/lib/importing/statuspage/convert-incidents';
import type { ImportedPage } from '@/lib/importing/statuspage/convert-page';
import {
  type PageImport,
  readStatuspage,
  type SubscriberLists,
} from '@/lib/importing/statuspage/read-statuspage';
import { MAX_STATUSPAGE_BYTES } from '@/lib/importing/statuspage/statuspage-file';
import { cleanText, formatTable } from '../remote/output/table';
import { readInput } from '../remote/read-input';

type ConvertOptions = { dryRun?: boolean; incidents?: boolean; subscribers?: string };

const LISTS = ['confirmed', 'unconfirmed'] as const satisfies (keyof SubscriberLists)[];

/** `pharos convert`. */
export function registerConvert(program: Command): void {
  program
    .command('convert')
    .description('Print a status page of another product as a file for "apply".')
    .addArgument(new Argument('<source>', 'where the file comes from').choices(['statuspage']))
    .argument('[file]', 'the exported file, or - for standard input')
    .option('--dry-run', 'show both pages side by side instead')
    .addOption(
      new Option(
        '--subscribers [list]',
        'print the subscribers as CSV instead: those who confirmed, or (unconfirmed) those who did not or whose emails failed',
      ).preset('confirmed'),
    )
    .addOption(
      new Option('--incidents', 'print the past incidents as JSON instead, for "incidents import"').conflicts(
        ['subscribers', 'dryRun'],
      ),
    )
    .action(async (_source: string, file: string | undefined, options: ConvertOptions) => {
      const named = nameFile(file, options.subscribers);
      const converted = readStatuspage(await readInput(named.file, MAX_STATUSPAGE_BYTES));
      const { notes } = options.incidents ? converted.incidents : converted;
      const text = options.incidents
        ? writeIncidents(converted.incidents)
        : render(converted, named.list, options);
      process.stderr.write(notes.map((note) => `${cleanText(note)}\n`).join(''));
      process.stdout.write(text);
    });
}

type Named = { file: string; list: keyof SubscriberLists | null };

/** The file and the list of subscribers. Where only one word follows --subscribers, it can be either. */
function nameFile(file: string | undefined, word: string | undefined): Named {
  const list = LISTS.find((each) => each === word) ?? null;
  if (word === undefined || list !== null) {
    if (file === undefined) throw new StartupError('name the exported file, or - for standard input');
    return { file, list };
  }
  if (file === undefined) return { file: word, list: 'confirmed' };
  throw new StartupError(`--subscribers takes ${LISTS.join(' or ')}, not ${cleanText(word)}`);
}

function render(
  { page, rows, subscribers }: PageImport,
  list: Named['list'],
  { dryRun }: ConvertOptions,
): string {
  if (list) {
    const csv = subscribers[list];
    if (csv === null) throw new StartupError(`the file has no ${list} subscribers by email`);
    return csv;
  }
  return dryRun ? formatRows(rows) : writePage(page);
}

function writeIncidents({ source, incidents }: IncidentList): string {
  if (incidents.length === 0)
    throw new StartupError('the file has no past incidents of components on the page');
  return `${JSON.stringify({ source, incidents }, null, 2)}\n`;
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
