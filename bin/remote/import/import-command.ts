import { Argument, type Command } from 'commander';
import { isProbed } from '@/lib/checks/types';
import { IMPORT_SOURCES, type ImportPlan, type ImportSource } from '@/lib/importing';
import { maskChange } from '@/lib/importing/plan/format-result';
import type { Api } from '../api';
import { type ConnectionOptions, connect, connectIfKnown, withConnection } from '../connection';
import { confirm } from '../output/ask';
import { printJson, withProgress } from '../output/print';
import { readPlan } from './read-files';
import { describeOutcome, describePlan, describeReplaced, describeTrials, summarize } from './report';
import { type ImportAnswer, type Result, sendMonitors } from './send-monitors';
import { type Trial, tryMonitors } from './try-monitors';

type ImportOptions = ConnectionOptions & {
  source?: string;
  variables?: string;
  try?: boolean;
  dryRun?: boolean;
  yes?: boolean;
  json?: boolean;
};

/** `pharos import`. */
export function registerImport(program: Command): void {
  withConnection(program.command('import'))
    .description('Import monitors from an export of another product.')
    .addArgument(new Argument('<source>', 'where the file comes from').choices(IMPORT_SOURCES))
    .argument(
      '<files...>',
      'the exported file, or - for standard input; of Gatus, also several files or folders',
    )
    .option('--variables <file>', 'the values of placeholders in the configuration of Gatus, as NAME=value')
    .option('--source <name>', 'which installation or file of this format it is, where there are several')
    .option('--try', 'check each target once, from Pharos, before anything is created')
    .option('--dry-run', 'only show what would be imported')
    .option('--yes', 'import without asking')
    .option('--json', 'print JSON')
    .action(importFiles);
}

async function importFiles(
  source: ImportSource,
  files: string[],
  options: ImportOptions,
  command: Command,
): Promise<void> {
  const plan = await readPlan(source, files, options.variables);
  const monitors = plan.items.flatMap(({ monitor }) => (monitor === null ? [] : [monitor]));
  const print = (text: string) => {
    if (!options.json) process.stdout.write(text);
  };
  // A file can be looked at without Pharos.
  const api = options.dryRun && !options.try ? await connectIfKnown(options) : await connect(options);
  const send = (to: Api, dryRun: boolean) =>
    withProgress(monitors.length, (onDone) =>
      sendMonitors(to, { format: source, source: options.source ?? null, dryRun, monitors }, onDone),
    );
  const preview = api && (await send(api, true));
  const report = (found: object) => {
    if (options.json) printJson({ plan: withoutBodies(plan, preview), ...found });
  };
  print(describePlan(plan, preview));
  let trials: Trial[] | undefined;
  if (options.try && api) {
    const targets = monitors.filter(isProbed);
    trials = await withProgress(targets.length, (onDone) => tryMonitors(api, targets, onDone));
    print(describeTrials(trials));
  }
  const given = { files, added: repeatOptions(options, command) };
  const replaced = preview && options.source === undefined ? describeReplaced(plan, preview, given) : null;
  if (replaced !== null) {
    report({ trials });
    process.stderr.write(replaced);
    process.exitCode = 2;
    return;
  }
  if (options.dryRun || monitors.length === 0 || api === null) return report({ trials });
  if (!options.yes) {
    const question = `Import ${monitors.length} monitors to ${api.connection.url}?`;
    await confirm(question, 'add --yes to import, or --dry-run to only look');
  }
  const outcome = summarize(await send(api, false));
  print(describeOutcome(outcome));
  report({ trials, ...outcome });
  if (outcome.failures.length > 0) process.exitCode = 1;
}

/** The options that a repeated command needs, except the key, which is secret. */
function repeatOptions({ url, variables }: ImportOptions, command: Command): string[] {
  // The address can also be from the environment, which the next command has, too.
  const isGiven = command.getOptionValueSource('url') === 'cli';
  return [
    ...(isGiven && url !== undefined ? ['--url', url] : []),
    ...(variables === undefined ? [] : ['--variables', variables]),
  ];
}

/** The plan without bodies, which contain secrets, and with what becomes of each monitor. */
function withoutBodies({ source, items, notes }: ImportPlan, preview: ImportAnswer | null) {
  return {
    source,
    items: items.map(({ monitor, ...item }) => {
      const result = monitor === null ? undefined : preview?.results.get(monitor.ref);
      const planned = result === undefined ? null : 'error' in result ? result : plannedOf(result);
      return { ...item, ref: monitor?.ref ?? null, planned };
    }),
    notes,
  };
}

function plannedOf({ action, ref, changes, kept, dropped, replaces }: Extract<Result, { action: string }>) {
  return { action, ref, changes: changes.map(maskChange), kept, dropped, replaces };
}
