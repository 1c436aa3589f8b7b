import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { Argument, type Command } from 'commander';
import { StartupError } from '@/lib/core/errors';
import { readVariable } from '@/lib/env';
import { IMPORT_SOURCES, type ImportSource, MAX_DATABASE_BYTES, readImport } from '@/lib/importing';
import { type ConnectionOptions, connect, withConnection } from '../connection';
import { describeOutcome, describePlan } from './report';
import { upsertMonitors } from './upsert-monitors';

type ImportOptions = ConnectionOptions & { dryRun?: boolean; yes?: boolean; json?: boolean };

/** `pharos import`. */
export function registerImport(program: Command): void {
  withConnection(program.command('import'))
    .description('Import monitors from an export of another product.')
    .addArgument(new Argument('<source>', 'where the file comes from').choices(IMPORT_SOURCES))
    .argument('<file>', 'the exported file')
    .option('--dry-run', 'only show what would be imported')
    .option('--yes', 'import without asking')
    .option('--json', 'print JSON')
    .action(async (source: ImportSource, file: string, options: ImportOptions) => {
      const plan = await readImport(source, await readBounded(file));
      const monitors = plan.items.flatMap(({ monitor }) => (monitor === null ? [] : [monitor]));
      if (!options.json) process.stdout.write(describePlan(plan));
      if (options.dryRun || monitors.length === 0) {
        if (options.json) process.stdout.write(`${JSON.stringify({ plan: withoutBodies(plan) })}\n`);
        return;
      }
      const api = await connect(options);
      if (!options.yes) await confirm(monitors.length, api.connection.url);
      const outcome = await upsertMonitors(api, monitors, (done) => {
        if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${monitors.length}\x1b[K`);
      });
      if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
      const report = options.json
        ? `${JSON.stringify({ plan: withoutBodies(plan), ...outcome })}\n`
        : describeOutcome(outcome);
      process.stdout.write(report);
      if (outcome.failures.length > 0) process.exitCode = 1;
    });
}

/** The plan without bodies, which contain secrets. */
function withoutBodies({ source, items, notes }: Awaited<ReturnType<typeof readImport>>) {
  return {
    source,
    items: items.map(({ monitor, ...item }) => ({ ...item, ref: monitor?.ref ?? null })),
    notes,
  };
}

async function confirm(count: number, url: string): Promise<void> {
  if (!process.stdin.isTTY) throw new StartupError('add --yes to import, or --dry-run to only look');
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await prompt.question(`Create or update ${count} monitors at ${url}? [y/N] `);
  prompt.close();
  if (!/^y(es)?$/i.test(answer.trim())) throw new StartupError('nothing was imported');
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
