import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Argument, type Command } from 'commander';
import { StartupError } from '@/lib/core/errors';
import { readVariable } from '@/lib/env';
import { IMPORT_SOURCES, type ImportSource, MAX_DATABASE_BYTES, readImport } from '@/lib/importing';
import { type ConnectionOptions, connect, withConnection } from '../connection';
import { confirm } from '../output/ask';
import { describeOutcome, describePlan, describeTrials } from './report';
import { type Trial, tryMonitors } from './try-monitors';
import { upsertMonitors } from './upsert-monitors';

type ImportOptions = ConnectionOptions & { try?: boolean; dryRun?: boolean; yes?: boolean; json?: boolean };

/** `pharos import`. */
export function registerImport(program: Command): void {
  withConnection(program.command('import'))
    .description('Import monitors from an export of another product.')
    .addArgument(new Argument('<source>', 'where the file comes from').choices(IMPORT_SOURCES))
    .argument('<file>', 'the exported file')
    .option('--try', 'check each target once, from Pharos, before anything is created')
    .option('--dry-run', 'only show what would be imported')
    .option('--yes', 'import without asking')
    .option('--json', 'print JSON')
    .action(async (source: ImportSource, file: string, options: ImportOptions) => {
      const plan = await readImport(source, await readBounded(file));
      const monitors = plan.items.flatMap(({ monitor }) => (monitor === null ? [] : [monitor]));
      const print = (text: string) => {
        if (!options.json) process.stdout.write(text);
      };
      const printJson = (report: object) => {
        if (options.json)
          process.stdout.write(`${JSON.stringify({ plan: withoutBodies(plan), ...report })}\n`);
      };
      print(describePlan(plan));
      let trials: Trial[] | undefined;
      if (options.try) {
        const api = await connect(options);
        trials = await withProgress(monitors.length, (onDone) => tryMonitors(api, monitors, onDone));
        print(describeTrials(trials));
      }
      if (options.dryRun || monitors.length === 0) return printJson({ trials });
      const api = await connect(options);
      if (!options.yes) {
        const question = `Create or update ${monitors.length} monitors at ${api.connection.url}?`;
        await confirm(question, 'add --yes to import, or --dry-run to only look');
      }
      const outcome = await withProgress(monitors.length, (onDone) => upsertMonitors(api, monitors, onDone));
      print(describeOutcome(outcome));
      printJson({ trials, ...outcome });
      if (outcome.failures.length > 0) process.exitCode = 1;
    });
}

/** Shows on a terminal how many of `total` are done while `work` runs. */
async function withProgress<Result>(
  total: number,
  work: (onDone: (done: number) => void) => Promise<Result>,
): Promise<Result> {
  const { stderr } = process;
  const result = await work((done) => {
    if (stderr.isTTY) stderr.write(`\r${done} of ${total}\x1b[K`);
  });
  if (stderr.isTTY) stderr.write('\r\x1b[K');
  return result;
}

/** The plan without bodies, which contain secrets. */
function withoutBodies({ source, items, notes }: Awaited<ReturnType<typeof readImport>>) {
  return {
    source,
    items: items.map(({ monitor, ...item }) => ({ ...item, ref: monitor?.ref ?? null })),
    notes,
  };
}

/** Reads a file, named from where the person is. Throws a StartupError if it cannot be read or is larger than every limit. */
async function readBounded(file: string): Promise<Uint8Array> {
  const path = resolve(readVariable('INIT_CWD') ?? process.cwd(), file);
  const handle = await open(path).catch((error: Error) => {
    throw new StartupError(`cannot read ${path}: ${error.message}`);
  });
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw new StartupError(`${path} is not a file; name the exported file`);
    if (stats.size > MAX_DATABASE_BYTES) {
      throw new StartupError(`${path} is larger than ${MAX_DATABASE_BYTES / 1024 / 1024} MiB; export less`);
    }
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}
