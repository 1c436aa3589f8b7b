import { Argument, type Command } from 'commander';
import { isProbed } from '@/lib/checks/types';
import { IMPORT_SOURCES, type ImportSource, MAX_DATABASE_BYTES, readImport } from '@/lib/importing';
import { type ConnectionOptions, connect, withConnection } from '../connection';
import { confirm } from '../output/ask';
import { printJson, withProgress } from '../output/print';
import { readInput } from '../read-input';
import { describeOutcome, describePlan, describeTrials } from './report';
import { type Trial, tryMonitors } from './try-monitors';
import { upsertMonitors } from './upsert-monitors';

type ImportOptions = ConnectionOptions & { try?: boolean; dryRun?: boolean; yes?: boolean; json?: boolean };

/** `pharos import`. */
export function registerImport(program: Command): void {
  withConnection(program.command('import'))
    .description('Import monitors from an export of another product.')
    .addArgument(new Argument('<source>', 'where the file comes from').choices(IMPORT_SOURCES))
    .argument('<file>', 'the exported file, or - for standard input')
    .option('--try', 'check each target once, from Pharos, before anything is created')
    .option('--dry-run', 'only show what would be imported')
    .option('--yes', 'import without asking')
    .option('--json', 'print JSON')
    .action(async (source: ImportSource, file: string, options: ImportOptions) => {
      const plan = await readImport(source, await readInput(file, MAX_DATABASE_BYTES));
      const monitors = plan.items.flatMap(({ monitor }) => (monitor === null ? [] : [monitor]));
      const print = (text: string) => {
        if (!options.json) process.stdout.write(text);
      };
      const report = (found: object) => {
        if (options.json) printJson({ plan: withoutBodies(plan), ...found });
      };
      print(describePlan(plan));
      let trials: Trial[] | undefined;
      if (options.try) {
        const api = await connect(options);
        const targets = monitors.filter(isProbed);
        trials = await withProgress(targets.length, (onDone) => tryMonitors(api, targets, onDone));
        print(describeTrials(trials));
      }
      if (options.dryRun || monitors.length === 0) return report({ trials });
      const api = await connect(options);
      if (!options.yes) {
        const question = `Create or update ${monitors.length} monitors at ${api.connection.url}?`;
        await confirm(question, 'add --yes to import, or --dry-run to only look');
      }
      const outcome = await withProgress(monitors.length, (onDone) => upsertMonitors(api, monitors, onDone));
      print(describeOutcome(outcome));
      report({ trials, ...outcome });
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
